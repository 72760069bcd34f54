"""Finish files: join their parts, fill their forms, and set metadata and print preferences.

Every PDF passes through here: sheets, rules, booklets, calibration sheets, patches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import pikepdf

from generator import __version__
from generator.base.geometry import Size
from generator.base.paper import papers
from generator.base.spill import Data, SpilledBytes, SpillFile, stream
from generator.base.units import MM_PER_PT, points
from generator.pdf.faces import FacePages
from generator.pdf.forms import PREFIX, Forms, join_files, share_images

# Entries that place an element in the old tree; they are set anew.
LEFT_OUT = {"/K", "/P", "/Pg", "/Type"}

# Elements that need a link annotation; imposed sheets have none.
LINKS = {"/Link": "/Span", "/Reference": "/Span"}


def join_lists(pdf: pikepdf.Pdf) -> None:
    """Join consecutive lists: typst writes every item as a list of its own."""
    rows = [
        item
        for item in pdf.objects
        if isinstance(item, pikepdf.Dictionary) and item.get("/S") is not None
    ]
    for holder in rows:
        kids = _list(holder.get("/K"))
        if not any(map(_is_list, kids)):
            continue
        joined: list[Any] = []
        for kid in kids:
            if (
                joined
                and _is_list(kid)
                and _is_list(joined[-1])
                and _looks(kid) == _looks(joined[-1])
            ):
                for entry in _list(kid.K):
                    entry.P = joined[-1]
                    joined[-1].K.append(entry)
            else:
                joined.append(kid)
        holder.K = pikepdf.Array(joined)


def _is_list(kid: Any) -> bool:
    return (
        isinstance(kid, pikepdf.Dictionary)
        and kid.get("/S") == "/L"
        and isinstance(kid.get("/K"), pikepdf.Array)
    )


def _looks(kid: pikepdf.Dictionary) -> bytes:
    return kid.A.unparse(resolved=True) if "/A" in kid else b""


@dataclass(frozen=True)
class PlacedPage:
    """A page of the source: its form, and the sheet that shows it."""

    form: pikepdf.Object
    sheet: pikepdf.Object


def copy_structure(
    pdf: pikepdf.Pdf, source: pikepdf.Pdf, pages: Mapping[str, int], prefix: str
) -> None:
    """Copy a file's structure to another, whose forms are the file's pages.

    Forms are found by name, with a prefix on the sheets.
    """
    tree = source.Root.get("/StructTreeRoot")
    if tree is None:
        return
    forms = {
        name: (form, page.obj)
        for page in pdf.pages
        for name, form in page.Resources.get("/XObject", {}).items()
    }
    placed_pages = {
        source.pages[number].obj.objgen: PlacedPage(*forms[f"{prefix}{name}"])
        for name, number in pages.items()
    }
    carried = _Structure(pdf, placed_pages)
    root = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot))
    root.K = pikepdf.Array(
        [
            kid
            for item in _list(tree.get("/K"))
            if (kid := carried.kid(item, root, None)) is not None
        ]
    )
    if "/RoleMap" in tree:
        root.RoleMap = pdf.copy_foreign(source.make_indirect(tree.RoleMap))
    nums: list[Any] = []
    for number, page in enumerate(placed_pages.values()):
        page.form.StructParents = number
        marked = carried.parents.get(page.form.objgen, {})
        rows = (
            marked.get(index, pikepdf.Object.parse(b"null"))
            for index in range(max(marked, default=-1) + 1)
        )
        nums += [number, pikepdf.Array(rows)]
    root.ParentTree = pdf.make_indirect(pikepdf.Dictionary(Nums=pikepdf.Array(nums)))
    root.ParentTreeNextKey = len(placed_pages)
    pdf.Root.StructTreeRoot = root
    pdf.Root.MarkInfo = pikepdf.Dictionary(Marked=True)


@dataclass
class _Structure:
    """Builds the elements of one file.

    `parents` are the parents of marked content, by form and number.
    """

    pdf: pikepdf.Pdf
    placed_pages: dict[tuple[int, int], PlacedPage]
    parents: dict[tuple[int, int], dict[int, pikepdf.Object]] = field(default_factory=dict)

    def kid(self, original: Any, parent: pikepdf.Object, page: PlacedPage | None) -> Any:
        """Return the copy of a kid: an element or marked content; None for a link's annotation."""
        if not isinstance(original, pikepdf.Dictionary):
            return self._mark(int(original), parent, page)
        page = self.placed_pages.get(original["/Pg"].objgen, page) if "/Pg" in original else page
        if original.get("/Type") == "/MCR":
            return self._mark(int(original.MCID), parent, page)
        return None if original.get("/Type") == "/OBJR" else self._element(original, parent, page)

    def _mark(
        self, number: int, parent: pikepdf.Object, page: PlacedPage | None
    ) -> pikepdf.Object | None:
        if page is None:
            return None
        self.parents.setdefault(page.form.objgen, {})[number] = parent
        return pikepdf.Dictionary(Type=pikepdf.Name.MCR, Pg=page.sheet, Stm=page.form, MCID=number)

    def _element(
        self, original: pikepdf.Dictionary, parent: pikepdf.Object, page: PlacedPage | None
    ) -> pikepdf.Object:
        element = self.pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructElem, P=parent))
        for key, value in original.items():
            if key not in LEFT_OUT:
                element[key] = self._copied(value)
        element.S = pikepdf.Name(LINKS.get(str(original.S), str(original.S)))
        if page:
            element.Pg = page.sheet
        kids = [
            kid
            for item in _list(original.get("/K"))
            if (kid := self.kid(item, element, page)) is not None
        ]
        if kids:
            element.K = pikepdf.Array(kids)
        return element

    def _copied(self, value: Any) -> Any:
        return (
            self.pdf.copy_foreign(value) if getattr(value, "is_indirect", False) else _plain(value)
        )


def _plain(value: Any) -> Any:
    """Return a copy of a direct value that belongs to no file."""
    return (
        pikepdf.Object.parse(value.unparse(resolved=True))
        if isinstance(value, pikepdf.Object)
        else value
    )


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, pikepdf.Array) else [value]


# Of PDF: the first that allows ICC profiles of version 4, which typst embeds.
PDF_VERSION = "1.7"


@dataclass(frozen=True)
class About:
    """Metadata and print preferences of a file."""

    title: str
    language: str
    credits: str
    duplex: str
    labels: tuple[str, ...]


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
        all_pages = list(
            pdf.pages
        )  # a slice of pikepdf's own list takes a time that grows with the square
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
    if about.credits:
        pdf.docinfo["/Author"] = about.credits


def _set_language(pdf: pikepdf.Pdf, about: About) -> None:
    pdf.Root.Lang = about.language
    if (
        "/MarkInfo" in pdf.Root
    ):  # typst also writes `/Suspects false`, the default; poppler stumbles over it
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
