"""Fills the empty forms of a laid-out file with the pages that typst made of the faces, and finishes the file.

What pages that were taken from other files leave behind is put right: marks of structure, and blending.
"""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from zlib import compress

import pikepdf

from generator import __version__
from generator.core.geometry import Size
from generator.core.held import Data, stream
from generator.core.paper import papers
from generator.core.units import points
from generator.pdf.faces import FacePages
from generator.pdf.forms import PREFIX, Forms
from generator.pdf.structure import carry


@dataclass(frozen=True)
class About:
    """What a file says of itself, and what it asks of whoever prints it."""

    title: str
    language: str
    credits: str
    duplex: str
    labels: tuple[str, ...]


UNSAID = About("", "", "", "Simplex", ())
"""What pages say that become a part of another file."""


def finish(laid: bytes, chunks: Iterable[FacePages], about: About) -> bytes:
    """The finished file of laid pages: faces in their places, boxes, preferences and labels set."""
    with ExitStack() as stack:
        return _saved(_filled(laid, chunks, stack), about)


def folded(laid: bytes, pages: FacePages, about: About) -> bytes:
    """The same of sheets on which the pages of a file lie as forms; what they are to a reader's program they stay."""
    with ExitStack() as stack:
        pdf = _filled(laid, (pages,), stack)
        carry(pdf, stack.enter_context(pikepdf.open(stream(pages.pdf))), pages.pages, PREFIX)
        return _saved(pdf, about)


def _filled(laid: bytes, chunks: Iterable[FacePages], stack: ExitStack) -> pikepdf.Pdf:
    pdf = stack.enter_context(pikepdf.open(io.BytesIO(laid)))
    Forms(pdf, chunks, stack).fill(pdf.pages)
    return pdf


VERSION = "1.7"
"""Of PDF: the first that knows colour profiles of version 4, as typst's faces bring them."""


def _saved(pdf: pikepdf.Pdf, about: About) -> bytes:
    tidy(pdf)
    for page in pdf.pages:
        page.TrimBox = page.MediaBox
    describe(pdf, about, sizes(pdf))
    pdf.Root.PageLabels = pikepdf.Dictionary(
        Nums=pikepdf.Array([part for nth, label in enumerate(about.labels) for part in (nth, {"/P": label})])
    )
    objects, made = pikepdf.ObjectStreamMode.generate, io.BytesIO()
    pdf.save(made, min_version=VERSION, deterministic_id=True, object_stream_mode=objects, compress_streams=True)
    return made.getvalue()


@dataclass(frozen=True)
class FiledPages:
    """Pages of a file, and the faces that stand in their empty forms; there may be none."""

    laid: Data
    chunks: tuple[FacePages, ...] = ()


def bind(leaves: Sequence[FiledPages], about: About) -> bytes:
    """One finished file of several: each with its own faces, which may have the names of another's.

    Links within one of them would lead nowhere in the whole, so they go.
    """
    with ExitStack() as stack:
        bound = stack.enter_context(pikepdf.new())
        for leaf in leaves:
            pdf = stack.enter_context(pikepdf.open(stream(leaf.laid)))
            if leaf.chunks:
                Forms(pdf, leaf.chunks, stack).fill(pdf.pages)
            for page in pdf.pages:
                if "/Annots" in page:
                    del page["/Annots"]
            bound.pages.extend(pdf.pages)
        return _saved(bound, about)


def describe(pdf: pikepdf.Pdf, about: About, boxes: Iterable[Size]) -> None:
    """Say what a file is, and how it asks to be printed; its pages have such sizes, in points."""
    del pdf.docinfo
    pdf.docinfo["/Title"] = about.title
    pdf.docinfo["/Producer"] = pdf.docinfo["/Creator"] = f"pnp {__version__}"
    if about.credits:
        pdf.docinfo["/Author"] = about.credits
    root = pdf.Root
    root.Lang = about.language
    if "/MarkInfo" in root:  # typst says besides that nothing is suspect, as if it were not said; poppler stumbles
        root.MarkInfo = pikepdf.Dictionary(Marked=root.MarkInfo.get("/Marked", False))
    root.ViewerPreferences = pikepdf.Dictionary(
        PrintScaling=pikepdf.Name("/None"),
        Duplex=pikepdf.Name(f"/{about.duplex}"),
        DisplayDocTitle=True,
    )
    if all(map(_is_paper, set(boxes))):
        root.ViewerPreferences.PickTrayByPDFSize = True


def sizes(pdf: pikepdf.Pdf) -> Iterator[Size]:
    """How large the pages of a file are, in points."""
    for page in pdf.pages:
        x, y, right, top = (float(number) for number in page.mediabox)
        yield Size(right - x, top - y)


def _is_paper(size: Size) -> bool:
    """Whether a page is as large as a paper that a printer may have in a tray."""
    known = [sorted(map(points, row.size)) for row in papers()]
    return any(max(abs(a - b) for a, b in zip(sorted(size), one, strict=True)) < 1 for one in known)


def count_pages(data: bytes) -> int:
    """How many pages a file has."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return len(pdf.pages)


_NUMBERED = re.compile(rb"(/[A-Za-z]\w*)\s*<<\s*/MCID\s+\d+\s*>>\s*BDC\b")
"""Content that says which part of a structure it is."""


def tidy(pdf: pikepdf.Pdf) -> None:
    """No number of a structure where there is none, and a colour space for blending on pages that blend."""
    for item in pdf.objects:
        if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form" and "/StructParents" not in item:
            _unnumber(item)
    known: dict[tuple[int, int], bool] = {}
    for page in pdf.pages:
        if "/Group" not in page and _blends(page.obj, known):
            page.Group = pikepdf.Dictionary(S=pikepdf.Name.Transparency, CS=pikepdf.Name.DeviceRGB)


def _unnumber(form: pikepdf.Stream) -> None:
    """A form that belongs to no structure keeps its marks without their numbers."""
    data = form.read_bytes()
    plain = _NUMBERED.sub(lambda match: match[1] + b" BMC", data)
    if plain != data:
        form.write(compress(plain), filter=pikepdf.Name.FlateDecode)  # as it is, it would stay in memory unpacked


def _blends(holder: Any, known: dict[tuple[int, int], bool]) -> bool:
    """Whether something on a page or in a form lets show what is below it."""
    resources = holder.get("/Resources", pikepdf.Dictionary())
    if resources.objgen not in known or resources.objgen == (0, 0):
        known[resources.objgen] = False
        known[resources.objgen] = any(see_through(thing, known) for thing in _things(resources))
    return known[resources.objgen]


def _things(resources: Any) -> Iterator[Any]:
    for kind in ("/ExtGState", "/XObject", "/Pattern"):
        yield from (thing for _, thing in resources.get(kind, pikepdf.Dictionary()).items())


def see_through(thing: Any, known: dict[tuple[int, int], bool]) -> bool:
    """Whether something lets show what is below it; of some that is `known`, by their numbers."""
    key = thing.objgen
    if key not in known or key == (0, 0):
        known[key] = _shows_below(thing, known)
    return known[key]


def _shows_below(thing: Any, known: dict[tuple[int, int], bool]) -> bool:
    if any(float(thing.get(key, 1)) < 1 for key in ("/ca", "/CA")):
        return True
    if thing.get("/SMask", pikepdf.Name("/None")) != pikepdf.Name("/None") or "/Group" in thing:
        return True
    blend = thing.get("/BM", pikepdf.Name.Normal)
    return blend != pikepdf.Name.Normal or ("/Resources" in thing and _blends(thing, known))
