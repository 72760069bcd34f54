"""Fills the empty forms of a laid-out file with the pages that typst made of the faces, and finishes the file.

What pages that were taken from other files leave behind is put right: marks of structure, and blending.
"""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any
from zlib import compress

import pikepdf

from generator import __version__
from generator.core.held import Aside, Held, stream
from generator.core.paper import papers
from generator.core.units import points
from generator.pdf.faces import FacePages
from generator.pdf.forms import PREFIX, Forms, share_images
from generator.pdf.structure import carry


@dataclass(frozen=True)
class About:
    """What a file says of itself, and what it asks of whoever prints it."""

    title: str
    language: str
    credits: str
    duplex: str
    labels: tuple[str, ...]


Laid = bytes | pikepdf.Pdf
"""Pages with empty forms: a file, or one that is not written yet."""


def finish(laid: Laid, chunks: Iterable[FacePages], about: About) -> bytes:
    """The finished file of laid pages, which is closed: faces in their places, boxes, preferences and labels set."""
    return finished(laid, chunks, about).read()


def folded(laid: Laid, pages: FacePages, about: About) -> bytes:
    """The same of sheets on which the pages of a file lie as forms; what they are to a reader's program they stay."""
    with ExitStack() as stack:
        pdf = _filled(laid, (pages,), stack)
        carry(pdf, stack.enter_context(pikepdf.open(stream(pages.pdf))), pages.pages, PREFIX)
        return _saved(pdf, about).read()


def finished(laid: Laid, chunks: Iterable[FacePages], about: About) -> Held:
    """The same, aside: it may be a large one."""
    with ExitStack() as stack:
        return _saved(_filled(laid, tuple(chunks), stack), about)


def led_in(opening: bytes, laid: Laid, chunks: Iterable[FacePages], about: About) -> Held:
    """The same file with finished pages before its own, which keep the order in which they are read.

    Where both sides are printed, the first of its own begins a sheet. The pages before it are numbered i, ii, iii.
    Pictures of pixels that they show as well are in the file once.
    """
    with ExitStack() as stack:
        first = stack.enter_context(pikepdf.open(io.BytesIO(opening)))
        if len(first.pages) % 2 and about.duplex != "Simplex":
            x, y, right, top = (float(edge) for edge in first.pages[-1].mediabox)
            first.add_blank_page(page_size=(right - x, top - y))
        labels = tuple("i" * nth for nth in range(1, len(first.pages) + 1))
        whole = _filled(laid, tuple(chunks), stack, first)
        share_images(whole)
        return _saved(whole, replace(about, labels=(*labels, *about.labels)))


def _filled(laid: Laid, chunks: Sequence[FacePages], stack: ExitStack, first: pikepdf.Pdf | None = None) -> pikepdf.Pdf:
    """A file of laid pages and those that come first, with all faces.

    It grows from the file of its pictures where there is one: they need not be held to be in it.
    """
    pictures = next((chunk for chunk in chunks if isinstance(chunk.pdf, Held)), None)
    parts = [*([first] if first else []), stack.enter_context(_opened(laid))]
    pdf = stack.enter_context(pikepdf.open(stream(pictures.pdf))) if pictures else parts.pop(0)
    own = len(pdf.pages) if pictures else 0
    for part in parts:
        pdf.pages.extend(part.pages)
    Forms(pdf, chunks, stack, pictures).fill([*pdf.pages][own:])
    if own:  # a slice of pages is found page by page, also where nothing is in it
        del pdf.pages[:own]
    return pdf


def _opened(laid: Laid) -> pikepdf.Pdf:
    return laid if isinstance(laid, pikepdf.Pdf) else pikepdf.open(io.BytesIO(laid))


VERSION = "1.7"
"""Of PDF: the first that knows colour profiles of version 4, as typst's faces bring them."""


def _saved(pdf: pikepdf.Pdf, about: About) -> Held:
    tidy(pdf)
    for page in pdf.pages:
        page.TrimBox = page.MediaBox
    _describe(pdf, about)
    objects = pikepdf.ObjectStreamMode.generate
    return Aside().made(
        lambda file: pdf.save(
            file, min_version=VERSION, deterministic_id=True, object_stream_mode=objects, compress_streams=True
        )
    )


@dataclass(frozen=True)
class FiledPages:
    """Pages of a file, and the faces that stand in their empty forms; there may be none."""

    laid: Laid
    chunks: tuple[FacePages, ...] = ()


def bind(leaves: Sequence[FiledPages], about: About) -> bytes:
    """One finished file of several: each with its own faces, which may have the names of another's.

    Links within one of them would lead nowhere in the whole, so they go.
    """
    with ExitStack() as stack:
        bound = stack.enter_context(pikepdf.new())
        for leaf in leaves:
            pdf = stack.enter_context(_opened(leaf.laid))
            if leaf.chunks:
                Forms(pdf, leaf.chunks, stack).fill(pdf.pages)
            for page in pdf.pages:
                if "/Annots" in page:
                    del page["/Annots"]
            bound.pages.extend(pdf.pages)
        return _saved(bound, about).read()


def _describe(pdf: pikepdf.Pdf, about: About) -> None:
    del pdf.docinfo
    pdf.docinfo["/Title"] = about.title
    pdf.docinfo["/Producer"] = pdf.docinfo["/Creator"] = f"pnp {__version__}"
    if about.credits:
        pdf.docinfo["/Author"] = about.credits
    root = pdf.Root
    root.Lang = about.language
    root.ViewerPreferences = pikepdf.Dictionary(
        PrintScaling=pikepdf.Name("/None"),
        Duplex=pikepdf.Name(f"/{about.duplex}"),
        DisplayDocTitle=True,
    )
    if all(_is_paper(page) for page in pdf.pages):
        root.ViewerPreferences.PickTrayByPDFSize = True
    nums = [entry for index, label in enumerate(about.labels) for entry in (index, pikepdf.Dictionary(P=label))]
    root.PageLabels = pikepdf.Dictionary(Nums=pikepdf.Array(nums))


def _is_paper(page: pikepdf.Page) -> bool:
    """Whether a page is as large as a paper that a printer may have in a tray."""
    x, y, right, top = (float(number) for number in page.mediabox)
    size = sorted((right - x, top - y))
    known = [sorted(map(points, row.size)) for row in papers()]
    return any(max(abs(a - b) for a, b in zip(size, one, strict=True)) < 1 for one in known)


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
    plain = _NUMBERED.sub(rb"\1 BMC", data)
    if plain != data:
        form.write(compress(plain), filter=pikepdf.Name.FlateDecode)  # as it is, it would stay in memory unpacked


def _blends(holder: Any, known: dict[tuple[int, int], bool]) -> bool:
    """Whether something on a page or in a form lets show what is below it."""
    resources = holder.get("/Resources", pikepdf.Dictionary())
    if resources.objgen not in known or resources.objgen == (0, 0):
        known[resources.objgen] = False
        known[resources.objgen] = any(_see_through(thing, known) for thing in _things(resources))
    return known[resources.objgen]


def _things(resources: Any) -> Iterator[Any]:
    for kind in ("/ExtGState", "/XObject", "/Pattern"):
        yield from (thing for _, thing in resources.get(kind, pikepdf.Dictionary()).items())


def _see_through(thing: Any, known: dict[tuple[int, int], bool]) -> bool:
    if any(float(thing.get(key, 1)) < 1 for key in ("/ca", "/CA")):
        return True
    if thing.get("/SMask", pikepdf.Name("/None")) != pikepdf.Name("/None") or "/Group" in thing:
        return True
    blend = thing.get("/BM", pikepdf.Name.Normal)
    return blend != pikepdf.Name.Normal or ("/Resources" in thing and _blends(thing, known))


def pages_in(data: bytes) -> int:
    """How many pages a file has."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return len(pdf.pages)
