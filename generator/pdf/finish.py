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
class About:
    """Metadata and print preferences of a file."""

    title: str
    language: str
    authors: str
    duplex: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class FiledPages:
    """Pages of a file, and the faces for their empty forms, if any."""

    document: Data
    chunks: tuple[FacePages, ...] = ()


def write_file(
    parts: Sequence[FiledPages], about: About, tagged: FacePages | None = None
) -> SpilledBytes:
    """Return one finished file of several parts; their faces may have equal names.

    The first part keeps its tags and links. Links of other parts would lead nowhere and are
    removed. `tagged` are pages that are placed as forms and keep their tags.
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
        finish(pdf, about)
        return SpillFile().capture(lambda file: save(pdf, file))


def finish(pdf: pikepdf.Pdf, about: About) -> None:
    """Set a file's metadata, boxes, language, page labels and preferences."""
    group_blending_pages(pdf)
    for page in pdf.pages:
        page.TrimBox = page.MediaBox
    _set_document_info(pdf, about)
    _set_language(pdf, about)
    _set_preferences(pdf, about)
    _set_page_labels(pdf, about)


def save(pdf: pikepdf.Pdf, file: BinaryIO) -> None:
    """Write a file compactly, with the same bytes each time."""
    pdf.save(
        file,
        min_version=PDF_VERSION,
        deterministic_id=True,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
        compress_streams=True,
    )


def _page_counts(parts: Sequence[FiledPages], total: int) -> list[int]:
    if len(parts) == 1:
        return [total]
    return [count_pages(part.document) for part in parts]


def _drop_links(pages: Iterable[pikepdf.Page]) -> None:
    for page in pages:
        if "/Annots" in page:
            del page["/Annots"]


def _set_document_info(pdf: pikepdf.Pdf, about: About) -> None:
    del pdf.docinfo
    pdf.docinfo["/Title"] = about.title
    pdf.docinfo["/Producer"] = pdf.docinfo["/Creator"] = f"pnp {__version__}"
    if about.authors:
        pdf.docinfo["/Author"] = about.authors


def _set_language(pdf: pikepdf.Pdf, about: About) -> None:
    pdf.Root.Lang = about.language
    # typst also writes `/Suspects false`, the default; poppler stumbles over it.
    if "/MarkInfo" in pdf.Root:
        pdf.Root.MarkInfo = pikepdf.Dictionary(Marked=pdf.Root.MarkInfo.get("/Marked", False))


def _set_preferences(pdf: pikepdf.Pdf, about: About) -> None:
    """Ask the printer for actual size, the duplex mode, and the tray of the page's paper."""
    pdf.Root.ViewerPreferences = pikepdf.Dictionary(
        PrintScaling=pikepdf.Name("/None"),
        Duplex=pikepdf.Name(f"/{about.duplex}"),
        DisplayDocTitle=True,
    )
    if all(map(_is_paper, set(page_sizes(pdf)))):
        pdf.Root.ViewerPreferences.PickTrayByPDFSize = True


def _set_page_labels(pdf: pikepdf.Pdf, about: About) -> None:
    labels = pikepdf.Array()
    for number, label in enumerate(about.labels):
        labels.append(number)
        labels.append(pikepdf.Dictionary(P=pikepdf.String(label)))
    pdf.Root.PageLabels = pikepdf.Dictionary(Nums=labels)


def page_sizes(pdf: pikepdf.Pdf) -> Iterator[Size]:
    """Yield the size of each page in points."""
    for page in pdf.pages:
        left, bottom, right, top = (float(number) for number in page.mediabox)
        yield Size(right - left, top - bottom)


def _is_paper(size: Size) -> bool:
    """Return True if a page is as large as a paper that a printer may have in a tray."""
    known_sizes = [sorted(map(points, row.size)) for row in papers()]
    return any(
        max(abs(a - b) for a, b in zip(sorted(size), item, strict=True)) < 1 for item in known_sizes
    )


def count_pages(data: Data) -> int:
    """Return how many pages a file has."""
    return len(paper_sizes(data))


def paper_sizes(data: Data) -> list[Size]:
    """Return the sizes of a file's pages, in mm."""
    with pikepdf.open(stream(data)) as pdf:
        return [Size(size.w * MM_PER_PT, size.h * MM_PER_PT) for size in page_sizes(pdf)]


def group_blending_pages(pdf: pikepdf.Pdf) -> None:
    """Give pages on which something is transparent a colour space to blend in."""
    is_blending: dict[tuple[int, int], bool] = {}
    for page in pdf.pages:
        if "/Group" not in page and _blends(page.obj, is_blending):
            page.Group = pikepdf.Dictionary(S=pikepdf.Name.Transparency, CS=pikepdf.Name.DeviceRGB)


def _blends(holder: Any, is_blending: dict[tuple[int, int], bool]) -> bool:
    """Return True if anything on a page or in a form is transparent."""
    resources = holder.get("/Resources", pikepdf.Dictionary())
    if resources.objgen not in is_blending or resources.objgen == (0, 0):
        is_blending[resources.objgen] = False
        is_blending[resources.objgen] = any(
            _is_transparent(thing, is_blending) for thing in _things(resources)
        )
    return is_blending[resources.objgen]


def _things(resources: Any) -> Iterator[Any]:
    for kind in ("/ExtGState", "/XObject", "/Pattern"):
        yield from (thing for _, thing in resources.get(kind, pikepdf.Dictionary()).items())


def _is_transparent(thing: Any, is_blending: dict[tuple[int, int], bool]) -> bool:
    key = thing.objgen
    if key not in is_blending or key == (0, 0):
        is_blending[key] = _shows_below(thing, is_blending)
    return is_blending[key]


def _shows_below(thing: Any, is_blending: dict[tuple[int, int], bool]) -> bool:
    if any(float(thing.get(key, 1)) < 1 for key in ("/ca", "/CA")):
        return True
    if thing.get("/SMask", pikepdf.Name("/None")) != pikepdf.Name("/None") or "/Group" in thing:
        return True
    blend = thing.get("/BM", pikepdf.Name.Normal)
    return blend != pikepdf.Name.Normal or ("/Resources" in thing and _blends(thing, is_blending))
