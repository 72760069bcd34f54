"""Fills the empty forms of a laid-out file with the pages that typst made of the faces."""

import io
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import pikepdf

from generator.draw.face import Face, apart
from generator.pdf.assemble import assembled
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


def finish(laid: bytes, chunks: Sequence[FacePages], about: About) -> bytes:
    """The finished file: faces in their places, boxes, viewer preferences and labels set."""
    with pikepdf.open(io.BytesIO(laid)) as pdf:
        _fill(pdf, chunks)
        return _saved(pdf, about)


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
                _fill(pdf, leaf.chunks)
            for page in pdf.pages:
                if "/Annots" in page:
                    del page["/Annots"]
            bound.pages.extend(pdf.pages)
        return _saved(bound, about)


def _fill(pdf: pikepdf.Pdf, chunks: Sequence[FacePages]) -> None:
    forms: dict[str, pikepdf.Object] = {}
    shown = {key.removeprefix(PREFIX) for page in pdf.pages for key in _forms_of(page)}
    pictures = [face for chunk in chunks for name, face in chunk.pictures.items() if name in shown]
    wanted = shown | {face.name for face in apart(pictures)}
    for chunk in chunks:
        with pikepdf.open(io.BytesIO(chunk.pdf)) as source:
            for name, number in chunk.pages.items():
                if name in wanted:
                    forms[name] = pdf.copy_foreign(source.pages[number].as_form_xobject())

    def form(face: Face) -> pikepdf.Object:
        if face.name not in forms:
            forms[face.name] = assembled(pdf, face, form)
        return forms[face.name]

    for picture in pictures:
        form(picture)
    for page in pdf.pages:
        for key in _forms_of(page):
            page.Resources.XObject[key] = forms[key.removeprefix(PREFIX)]


def _forms_of(page: pikepdf.Page) -> list[str]:
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
