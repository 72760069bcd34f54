"""Fills the empty forms of a laid-out file with the pages that typst made of the faces."""

import io
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import pikepdf

from generator.pdf.faces import FacePages

PREFIX = "/FormXob."
"""How ReportLab names the forms of `beginForm` in a page's resources."""


@dataclass(frozen=True)
class About:
    """What a file says of itself, and what it asks of whoever prints it."""

    title: str
    language: str
    credits: str
    producer: str
    duplex: str
    labels: tuple[str, ...]


def finish(laid: Iterable[bytes], chunks: Iterable[FacePages], about: About) -> bytes:
    """The finished file of pages in one part or several: faces in their places, boxes, preferences and labels set."""
    parts = iter(laid)
    with ExitStack() as stack:
        pdf = stack.enter_context(pikepdf.open(io.BytesIO(next(parts))))
        forms = _Forms(pdf, chunks, stack)
        forms.fill(pdf.pages)
        for part in parts:
            with pikepdf.open(io.BytesIO(part)) as more:
                pdf.pages.extend(forms.page(more, page) for page in more.pages)
        return _saved(pdf, about)


class _Forms:
    """The faces as forms of a file, each once. What is not asked for is not in it.

    Their contents are taken as they are packed: `Page.as_form_xobject` and `copy_foreign`
    of a page would unpack them, and hold on to the whole file that they come from.
    """

    def __init__(self, pdf: pikepdf.Pdf, chunks: Iterable[FacePages], stack: ExitStack) -> None:
        self._pdf = pdf
        self._made: dict[str, pikepdf.Object] = {}
        self._where: dict[str, tuple[pikepdf.Pdf, int]] = {}
        for chunk in chunks:
            source = stack.enter_context(pikepdf.open(io.BytesIO(chunk.pdf)))
            self._where |= {PREFIX + name: (source, number) for name, number in chunk.pages.items()}

    def fill(self, pages: Iterable[pikepdf.Page]) -> None:
        """Put the faces into the empty forms of the file's own pages."""
        for page in pages:
            for key in _keys(page):
                page.Resources.XObject[key] = self[key]

    def page(self, source: pikepdf.Pdf, page: pikepdf.Page) -> pikepdf.Page:
        """A page that lies in another file, filled."""
        forms = pikepdf.Dictionary({key: self[key] for key in _keys(page)})
        fonts = self._foreign(source, page.Resources.get("/Font", pikepdf.Dictionary()))
        made = pikepdf.Dictionary(
            Type=pikepdf.Name.Page,
            MediaBox=pikepdf.Array([*page.MediaBox]),
            Contents=self._content(page),
            Resources=pikepdf.Dictionary(Font=fonts, XObject=forms),
        )
        return pikepdf.Page(self._pdf.make_indirect(made))

    def __getitem__(self, key: str) -> pikepdf.Object:
        if key not in self._made:
            source, number = self._where[key]
            self._made[key] = self._form(source, source.pages[number])
        return self._made[key]

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


def _saved(pdf: pikepdf.Pdf, about: About) -> bytes:
    for page in pdf.pages:
        page.TrimBox = page.MediaBox
    _describe(pdf, about)
    out = io.BytesIO()
    pdf.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate, compress_streams=True)
    return out.getvalue()


@dataclass(frozen=True)
class Leaf:
    """Pages of a file, and the faces that stand in their empty forms; there may be none."""

    laid: bytes
    chunks: tuple[FacePages, ...] = ()


def bind(leaves: Sequence[Leaf], about: About) -> bytes:
    """One finished file of several: each with its own faces, which may have the names of another's.

    Links within one of them would lead nowhere in the whole, so they go.
    """
    with ExitStack() as stack:
        bound = stack.enter_context(pikepdf.new())
        for leaf in leaves:
            pdf = stack.enter_context(pikepdf.open(io.BytesIO(leaf.laid)))
            if leaf.chunks:
                _Forms(pdf, leaf.chunks, stack).fill(pdf.pages)
            for page in pdf.pages:
                if "/Annots" in page:
                    del page["/Annots"]
            bound.pages.extend(pdf.pages)
        return _saved(bound, about)


def _keys(page: pikepdf.Page) -> list[str]:
    forms = page.obj.get("/Resources", pikepdf.Dictionary()).get("/XObject", pikepdf.Dictionary())
    return sorted(key for key, _ in forms.items() if key.startswith(PREFIX))


def _describe(pdf: pikepdf.Pdf, about: About) -> None:
    del pdf.docinfo
    pdf.docinfo["/Title"] = about.title
    pdf.docinfo["/Producer"] = about.producer
    pdf.docinfo["/Creator"] = about.producer
    if about.credits:
        pdf.docinfo["/Author"] = about.credits
    root = pdf.Root
    root.Lang = about.language
    root.ViewerPreferences = pikepdf.Dictionary(
        PrintScaling=pikepdf.Name("/None"),
        Duplex=pikepdf.Name(f"/{about.duplex}"),
        PickTrayByPDFSize=True,
        DisplayDocTitle=True,
    )
    nums = [entry for index, label in enumerate(about.labels) for entry in (index, pikepdf.Dictionary(P=label))]
    root.PageLabels = pikepdf.Dictionary(Nums=pikepdf.Array(nums))


def count_pages(data: bytes) -> int:
    """How many pages a file has."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return len(pdf.pages)
