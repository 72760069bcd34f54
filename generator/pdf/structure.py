"""Carry the structure tree of a file to another in which its pages are forms: headings, lists, alternative text.

Screen readers then read a booklet in order, on whichever half of whichever sheet its pages are. Marked content stays;
references to it name the form and the sheet (ISO 32000-1, 14.7.4.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pikepdf

# Entries that place an element in the old tree; they are set anew.
LEFT_OUT = {"/K", "/P", "/Pg", "/Type"}

# Elements that need a link annotation; imposed sheets have none.
LINKS = {"/Link": "/Span", "/Reference": "/Span"}


def lists_joined(pdf: pikepdf.Pdf) -> None:
    """Join consecutive lists: typst writes every item as a list of its own."""
    rows = [item for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and item.get("/S") is not None]
    for holder in rows:
        kids = _list(holder.get("/K"))
        if not any(map(_is_list, kids)):
            continue
        kept: list[Any] = []
        for kid in kids:
            if kept and _is_list(kid) and _is_list(kept[-1]) and _looks(kid) == _looks(kept[-1]):
                for entry in _list(kid.K):
                    entry.P = kept[-1]
                    kept[-1].K.append(entry)
            else:
                kept.append(kid)
        holder.K = pikepdf.Array(kept)


def _is_list(kid: Any) -> bool:
    return isinstance(kid, pikepdf.Dictionary) and kid.get("/S") == "/L" and isinstance(kid.get("/K"), pikepdf.Array)


def _looks(kid: pikepdf.Dictionary) -> bytes:
    return kid.A.unparse(resolved=True) if "/A" in kid else b""


@dataclass(frozen=True)
class ShownPage:
    """A page of the source: its form, and the sheet that shows it."""

    form: pikepdf.Object
    sheet: pikepdf.Object


def carry(pdf: pikepdf.Pdf, source: pikepdf.Pdf, pages: Mapping[str, int], prefix: str) -> None:
    """Copy a file's structure to another, whose forms are the file's pages.

    Forms are found by name, with a prefix on the sheets.
    """
    tree = source.Root.get("/StructTreeRoot")
    if tree is None:
        return
    forms = {name: (form, page.obj) for page in pdf.pages for name, form in page.Resources.get("/XObject", {}).items()}
    shown = {source.pages[number].obj.objgen: ShownPage(*forms[f"{prefix}{name}"]) for name, number in pages.items()}
    carried = _Structure(pdf, shown)
    root = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot))
    root.K = pikepdf.Array(
        [kid for each in _list(tree.get("/K")) if (kid := carried.kid(each, root, None)) is not None]
    )
    if "/RoleMap" in tree:
        root.RoleMap = pdf.copy_foreign(source.make_indirect(tree.RoleMap))
    nums: list[Any] = []
    for number, page in enumerate(shown.values()):
        page.form.StructParents = number
        marked = carried.parents.get(page.form.objgen, {})
        rows = (marked.get(nth, pikepdf.Object.parse(b"null")) for nth in range(max(marked, default=-1) + 1))
        nums += [number, pikepdf.Array(rows)]
    root.ParentTree = pdf.make_indirect(pikepdf.Dictionary(Nums=pikepdf.Array(nums)))
    root.ParentTreeNextKey = len(shown)
    pdf.Root.StructTreeRoot = root
    pdf.Root.MarkInfo = pikepdf.Dictionary(Marked=True)


@dataclass
class _Structure:
    """Builds the elements of one file; `parents` are the parents of marked content, by form and number."""

    pdf: pikepdf.Pdf
    shown: dict[tuple[int, int], ShownPage]
    parents: dict[tuple[int, int], dict[int, pikepdf.Object]] = field(default_factory=dict)

    def kid(self, found: Any, parent: pikepdf.Object, page: ShownPage | None) -> Any:
        """Return the copy of a kid: an element or marked content; None for a link's annotation."""
        if not isinstance(found, pikepdf.Dictionary):
            return self._mark(int(found), parent, page)
        page = self.shown.get(found["/Pg"].objgen, page) if "/Pg" in found else page
        if found.get("/Type") == "/MCR":
            return self._mark(int(found.MCID), parent, page)
        return None if found.get("/Type") == "/OBJR" else self._element(found, parent, page)

    def _mark(self, number: int, parent: pikepdf.Object, page: ShownPage | None) -> pikepdf.Object | None:
        if page is None:
            return None
        self.parents.setdefault(page.form.objgen, {})[number] = parent
        return pikepdf.Dictionary(Type=pikepdf.Name.MCR, Pg=page.sheet, Stm=page.form, MCID=number)

    def _element(self, found: pikepdf.Dictionary, parent: pikepdf.Object, page: ShownPage | None) -> pikepdf.Object:
        made = self.pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructElem, P=parent))
        for key, value in found.items():
            if key not in LEFT_OUT:
                made[key] = self._copied(value)
        made.S = pikepdf.Name(LINKS.get(str(found.S), str(found.S)))
        if page:
            made.Pg = page.sheet
        kids = [kid for each in _list(found.get("/K")) if (kid := self.kid(each, made, page)) is not None]
        if kids:
            made.K = pikepdf.Array(kids)
        return made

    def _copied(self, value: Any) -> Any:
        return self.pdf.copy_foreign(value) if getattr(value, "is_indirect", False) else _plain(value)


def _plain(value: Any) -> Any:
    """Return a copy of a direct value that belongs to no file."""
    return pikepdf.Object.parse(value.unparse(resolved=True)) if isinstance(value, pikepdf.Object) else value


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, pikepdf.Array) else [value]
