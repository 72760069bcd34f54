"""Faces as forms of a file: each once, and put into the places that ReportLab left empty."""

import io
from collections.abc import Iterable
from contextlib import ExitStack

import pikepdf

from generator.draw.face import Face
from generator.pdf.assemble import assembled
from generator.pdf.faces import FacePages

PREFIX = "/FormXob."
"""How ReportLab names the forms of `beginForm` in a page's resources."""


class Forms:
    """The forms of one file. What is not asked for is not in it.

    Contents are taken as they are packed: `Page.as_form_xobject` and `copy_foreign` of a
    page would unpack them, and hold on to the whole file that they come from.
    """

    def __init__(self, pdf: pikepdf.Pdf, chunks: Iterable[FacePages], stack: ExitStack) -> None:
        self._pdf = pdf
        self._made: dict[str, pikepdf.Object] = {}
        self._where: dict[str, tuple[pikepdf.Pdf, int]] = {}
        self._pictures: dict[str, Face] = {}
        for chunk in chunks:
            source = stack.enter_context(pikepdf.open(io.BytesIO(chunk.pdf)))
            self._where |= {name: (source, number) for name, number in chunk.pages.items()}
            self._pictures |= chunk.pictures

    def fill(self, pages: Iterable[pikepdf.Page]) -> None:
        """Put the faces into the empty forms of the file's own pages."""
        for page in pages:
            for key in _keys(page):
                page.Resources.XObject[key] = self._named(key)

    def page(self, source: pikepdf.Pdf, page: pikepdf.Page) -> pikepdf.Page:
        """A page that lies in another file, filled."""
        forms = pikepdf.Dictionary({key: self._named(key) for key in _keys(page)})
        fonts = self._foreign(source, page.Resources.get("/Font", pikepdf.Dictionary()))
        made = pikepdf.Dictionary(
            Type=pikepdf.Name.Page,
            MediaBox=pikepdf.Array([*page.MediaBox]),
            Contents=self._content(page),
            Resources=pikepdf.Dictionary(Font=fonts, XObject=forms),
        )
        return pikepdf.Page(self._pdf.make_indirect(made))

    def _named(self, key: str) -> pikepdf.Object:
        name = key.removeprefix(PREFIX)
        return self._picture(self._pictures[name]) if name in self._pictures else self._single(name)

    def _face(self, face: Face) -> pikepdf.Object:
        return self._picture(face) if face.parts else self._single(face.name)

    def _picture(self, face: Face) -> pikepdf.Object:
        if face.name not in self._made:
            self._made[face.name] = assembled(self._pdf, face, self._face)
        return self._made[face.name]

    def _single(self, name: str) -> pikepdf.Object:
        if name not in self._made:
            source, number = self._where[name]
            self._made[name] = self._form(source, source.pages[number])
        return self._made[name]

    def _form(self, source: pikepdf.Pdf, page: pikepdf.Page) -> pikepdf.Object:
        form = self._content(page)
        form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
        form.BBox = pikepdf.Array([*page.MediaBox])
        form.Resources = self._foreign(source, page.Resources)
        return form

    def _content(self, page: pikepdf.Page) -> pikepdf.Stream:
        page.contents_coalesce()
        content = pikepdf.Stream(self._pdf, page.Contents.read_raw_bytes())
        packed = page.Contents.get("/Filter")
        if packed is not None:
            content.Filter = pikepdf.Array([*packed]) if isinstance(packed, pikepdf.Array) else packed
        return content

    def _foreign(self, source: pikepdf.Pdf, thing: pikepdf.Object) -> pikepdf.Object:
        return self._pdf.copy_foreign(thing if thing.is_indirect else source.make_indirect(thing))


def _keys(page: pikepdf.Page) -> list[str]:
    forms = page.obj.get("/Resources", pikepdf.Dictionary()).get("/XObject", pikepdf.Dictionary())
    return sorted(key for key, _ in forms.items() if key.startswith(PREFIX))
