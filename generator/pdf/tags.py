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
TREE_KEYS = {"/K", "/P", "/Pg", "/Type"}

# Elements that need a link annotation, with those that replace them: imposed sheets have no annotations.
LINK_REPLACEMENTS = {"/Link": "/Span", "/Reference": "/Span"}


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
                and _attributes(kid) == _attributes(joined[-1])
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


def _attributes(kid: pikepdf.Dictionary) -> bytes:
    """Return the attributes of an element as text, such as the kind of a list's numbers."""
    return kid.A.unparse(resolved=True) if "/A" in kid else b""


@dataclass(frozen=True)
class FormOnSheet:
    """A page of the source that became a form, and the sheet that shows it."""

    form: pikepdf.Object
    sheet: pikepdf.Object


def copy_structure(
    pdf: pikepdf.Pdf, source: pikepdf.Pdf, pages: Mapping[str, int], prefix: str
) -> None:
    """Copy the structure of `source` to a file whose forms are the pages of `source`.

    `pages` are the page numbers by name; a sheet's resources name a form by `prefix` and this name.
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
        source.pages[number].obj.objgen: FormOnSheet(*forms[f"{prefix}{name}"])
        for name, number in pages.items()
    }
    copier = _StructureCopier(pdf, placed_pages)
    root = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot))
    root.K = pikepdf.Array(
        [kid for item in _list(tree.get("/K")) if (kid := copier.kid(item, root, None)) is not None]
    )
    if "/RoleMap" in tree:
        root.RoleMap = pdf.copy_foreign(source.make_indirect(tree.RoleMap))
    # The parent tree finds the element of a piece of marked content: a row for each form, by its `/StructParents`, with
    # the elements by the content's number (14.7.4.4).
    nums: list[Any] = []
    for number, page in enumerate(placed_pages.values()):
        page.form.StructParents = number
        elements = copier.parents.get(page.form.objgen, {})
        row = (
            elements.get(index, pikepdf.Object.parse(b"null"))
            for index in range(max(elements, default=-1) + 1)
        )
        nums += [number, pikepdf.Array(row)]
    root.ParentTree = pdf.make_indirect(pikepdf.Dictionary(Nums=pikepdf.Array(nums)))
    root.ParentTreeNextKey = len(placed_pages)
    pdf.Root.StructTreeRoot = root
    pdf.Root.MarkInfo = pikepdf.Dictionary(Marked=True)


@dataclass
class _StructureCopier:
    """Copies the elements of one file; `placed_pages` are by the page's object number in the source.

    `parents` are the elements that contain marked content, by the form's object number and the content's number.
    """

    pdf: pikepdf.Pdf
    placed_pages: dict[tuple[int, int], FormOnSheet]
    parents: dict[tuple[int, int], dict[int, pikepdf.Object]] = field(default_factory=dict)

    def kid(self, original: Any, parent: pikepdf.Object, page: FormOnSheet | None) -> Any:
        """Return the copy of a kid: an element or marked content; None for a link's annotation."""
        if not isinstance(original, pikepdf.Dictionary):
            return self._mark(int(original), parent, page)
        page = self.placed_pages.get(original["/Pg"].objgen, page) if "/Pg" in original else page
        if original.get("/Type") == "/MCR":
            return self._mark(int(original.MCID), parent, page)
        return None if original.get("/Type") == "/OBJR" else self._element(original, parent, page)

    def _mark(
        self, number: int, parent: pikepdf.Object, page: FormOnSheet | None
    ) -> pikepdf.Object | None:
        """Return a reference to marked content of a form; None if the content's page is unknown."""
        if page is None:
            return None
        self.parents.setdefault(page.form.objgen, {})[number] = parent
        return pikepdf.Dictionary(Type=pikepdf.Name.MCR, Pg=page.sheet, Stm=page.form, MCID=number)

    def _element(
        self, original: pikepdf.Dictionary, parent: pikepdf.Object, page: FormOnSheet | None
    ) -> pikepdf.Object:
        element = self.pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructElem, P=parent))
        for key, value in original.items():
            if key not in TREE_KEYS:
                element[key] = self._copy(value)
        element.S = pikepdf.Name(LINK_REPLACEMENTS.get(str(original.S), str(original.S)))
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

    def _copy(self, value: Any) -> Any:
        """Return a copy of a value of the source; pikepdf copies only indirect objects itself."""
        if not isinstance(value, pikepdf.Object):
            return value
        if value.is_indirect:
            return self.pdf.copy_foreign(value)
        return pikepdf.Object.parse(value.unparse(resolved=True))


def _list(value: Any) -> list[Any]:
    """Return the kids of an element, of which `/K` may hold none, one, or an array."""
    if value is None:
        return []
    return list(value) if isinstance(value, pikepdf.Array) else [value]
