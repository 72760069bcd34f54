"""The tags of a PDF, by which screen readers find headings, lists and text.

They form a tree of structure elements, whose leaves are pieces of marked content on pages (ISO
32000-1, section 14.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pikepdf

# The entries that give an element its place in the old tree; the copy gets its own.
LEFT_OUT = {"/K", "/P", "/Pg", "/Type"}

# Elements that need a link annotation; imposed sheets have none.
LINKS = {"/Link": "/Span", "/Reference": "/Span"}


def join_lists(pdf: pikepdf.Pdf) -> None:
    """Join consecutive lists: typst writes every item as a list of its own."""
    elements = [
        item
        for item in pdf.objects
        if isinstance(item, pikepdf.Dictionary) and item.get("/S") is not None
    ]
    for holder in elements:
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
