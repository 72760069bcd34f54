"""Finish files: join their parts, fill their forms, and set metadata and print preferences.

Every PDF passes through here: sheets, rules, booklets, calibration sheets, patches. `tags.py` copies
the structure by which screen readers read pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, BinaryIO

import pikepdf

from generator import __version__
from generator.base.geometry import Size
from generator.base.paper import papers
from generator.base.spill import Data, SpilledBytes, SpillFile, stream
from generator.base.units import MM_PER_PT, points
from generator.pdf.faces import FacePages
from generator.pdf.forms import PREFIX, Forms, join_files, share_images
from generator.pdf.tags import copy_structure

# The first version of PDF that allows ICC profiles of version 4, which typst embeds.
PDF_VERSION = "1.7"


@dataclass(frozen=True)
class DocumentInfo:
    """Metadata and print preferences of a file."""

    title: str
    language: str  # a language tag, such as `nl`
    authors: str  # joined by commas; empty without any
    duplex: str  # `Simplex`, `DuplexFlipLongEdge` or `DuplexFlipShortEdge`
    labels: tuple[str, ...] = ()  # shown by viewers in place of page numbers, such as `2 back`


@dataclass(frozen=True)
class DocumentPart:
    """A PDF to be joined with others, and the faces that fill its empty forms, if it has any."""

    document: Data
    chunks: tuple[FacePages, ...] = ()


def write_file(
    parts: Sequence[DocumentPart], info: DocumentInfo, tagged: FacePages | None = None
) -> SpilledBytes:
    """Join parts to one finished file; faces of different parts may have equal names.

    The first part keeps its tags and links. Links of other parts would lead nowhere and are
    removed. `tagged` are pages that became forms; their tags are copied.
    """
    with ExitStack() as stack:
        chunks = [chunk for part in parts for chunk in part.chunks]
        pdf, images = stack.enter_context(join_files([part.document for part in parts], chunks))
        # Slices of pikepdf's own list take a time that grows with the square of the pages.
        all_pages = list(pdf.pages)
        first = 0
        for part, count in zip(parts, _page_counts(parts, len(all_pages)), strict=True):
            pages = all_pages[first : first + count]
            if part.chunks:
                Forms(pdf, part.chunks, images).fill(pages)
            if first:
                _drop_links(pages)
            first += count
        share_images(pdf)
        if tagged:
            source = stack.enter_context(pikepdf.open(stream(tagged.pdf)))
            copy_structure(pdf, source, tagged.pages, PREFIX)
        finish(pdf, info)
        return SpillFile().capture(lambda file: save(pdf, file))


def finish(pdf: pikepdf.Pdf, info: DocumentInfo) -> None:
    """Set a file's metadata, boxes, language, page labels and preferences."""
    group_blending_pages(pdf)
    for page in pdf.pages:
        page.TrimBox = page.MediaBox
    _set_metadata(pdf, info)
    _tidy_mark_info(pdf)
    _set_preferences(pdf, info.duplex)
    _set_page_labels(pdf, info.labels)


def save(pdf: pikepdf.Pdf, file: BinaryIO) -> None:
    """Write a file compactly, with the same bytes each time."""
    pdf.save(
        file,
        min_version=PDF_VERSION,
        deterministic_id=True,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
        compress_streams=True,
    )


def _page_counts(parts: Sequence[DocumentPart], total: int) -> list[int]:
    if len(parts) == 1:
        return [total]
    return [count_pages(part.document) for part in parts]


def _drop_links(pages: Iterable[pikepdf.Page]) -> None:
    for page in pages:
        if "/Annots" in page:
            del page["/Annots"]


def _set_metadata(pdf: pikepdf.Pdf, info: DocumentInfo) -> None:
    del pdf.docinfo
    pdf.docinfo["/Title"] = info.title
    pdf.docinfo["/Producer"] = pdf.docinfo["/Creator"] = f"pnp {__version__}"
    if info.authors:
        pdf.docinfo["/Author"] = info.authors
    pdf.Root.Lang = info.language


def _tidy_mark_info(pdf: pikepdf.Pdf) -> None:
    """Remove `/Suspects false` from `/MarkInfo`: typst writes this default, and poppler stumbles over it."""
    if "/MarkInfo" in pdf.Root:
        pdf.Root.MarkInfo = pikepdf.Dictionary(Marked=pdf.Root.MarkInfo.get("/Marked", False))


def _set_preferences(pdf: pikepdf.Pdf, duplex: str) -> None:
    """Ask the printer for actual size, the duplex mode, and the tray of the page's paper (ISO 32000-1, 12.2)."""
    pdf.Root.ViewerPreferences = pikepdf.Dictionary(
        PrintScaling=pikepdf.Name("/None"),
        Duplex=pikepdf.Name(f"/{duplex}"),
        DisplayDocTitle=True,
    )
    if all(map(_is_paper, set(page_sizes(pdf)))):
        pdf.Root.ViewerPreferences.PickTrayByPDFSize = True


def _set_page_labels(pdf: pikepdf.Pdf, labels: Sequence[str]) -> None:
    """Label the pages, each as a range of its own with the whole label as prefix (ISO 32000-1, 12.4.2)."""
    ranges = pikepdf.Array()
    for number, label in enumerate(labels):
        ranges.append(number)
        ranges.append(pikepdf.Dictionary(P=pikepdf.String(label)))
    pdf.Root.PageLabels = pikepdf.Dictionary(Nums=ranges)


def page_sizes(pdf: pikepdf.Pdf) -> Iterator[Size]:
    """Yield the size of each page in points."""
    for page in pdf.pages:
        left, bottom, right, top = (float(number) for number in page.mediabox)
        yield Size(right - left, top - bottom)


def _is_paper(size: Size) -> bool:
    """Return True if a page is as large as a paper that a printer may have in a tray, to 1 point."""
    known_sizes = [sorted(map(points, row.size)) for row in papers()]
    return any(
        max(abs(a - b) for a, b in zip(sorted(size), known, strict=True)) < 1
        for known in known_sizes
    )


def count_pages(data: Data) -> int:
    """Return the number of pages in a file."""
    return len(paper_sizes(data))


def paper_sizes(data: Data) -> list[Size]:
    """Return the sizes of a file's pages, in mm."""
    with pikepdf.open(stream(data)) as pdf:
        return [Size(size.w * MM_PER_PT, size.h * MM_PER_PT) for size in page_sizes(pdf)]


def group_blending_pages(pdf: pikepdf.Pdf) -> None:
    """Give pages on which something is transparent a colour space to blend in."""
    finder = _TransparencyFinder()
    for page in pdf.pages:
        if "/Group" not in page and finder.is_in(page.obj):
            page.Group = pikepdf.Dictionary(S=pikepdf.Name.Transparency, CS=pikepdf.Name.DeviceRGB)


# The object number of all direct objects, which have none of their own.
_DIRECT = (0, 0)


class _TransparencyFinder:
    """Finds transparency in a file, and looks at each numbered object only once."""

    def __init__(self) -> None:
        self._results: dict[tuple[int, int], bool] = {}

    def is_in(self, holder: Any) -> bool:
        """Return True if anything on a page or in a form or pattern is transparent."""
        resources = holder.get("/Resources", pikepdf.Dictionary())
        key = resources.objgen
        if key not in self._results or key == _DIRECT:
            # While the resources are looked at: those of another program's file may contain themselves.
            self._results[key] = False
            self._results[key] = any(map(self._is_transparent, _list_resources(resources)))
        return self._results[key]

    def _is_transparent(self, thing: Any) -> bool:
        key = thing.objgen
        if key not in self._results or key == _DIRECT:
            self._results[key] = False
            self._results[key] = _has_transparency(thing) or (
                "/Resources" in thing and self.is_in(thing)
            )
        return self._results[key]


def _list_resources(resources: Any) -> Iterator[Any]:
    """Yield the resources that can be transparent."""
    for kind in ("/ExtGState", "/XObject", "/Pattern"):
        yield from (thing for _, thing in resources.get(kind, pikepdf.Dictionary()).items())


def _has_transparency(thing: Any) -> bool:
    """Return True if a graphics state or an XObject is transparent by itself."""
    if any(float(thing.get(key, 1)) < 1 for key in ("/ca", "/CA")):
        return True
    if thing.get("/SMask", pikepdf.Name("/None")) != pikepdf.Name("/None") or "/Group" in thing:
        return True
    blend = thing.get("/BM", pikepdf.Name.Normal)
    return bool(blend != pikepdf.Name.Normal)
