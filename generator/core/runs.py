"""A drawing of ours taken apart: its runs of letters, and the ground that they stand on; and how runs are written.

Faces of one layout have their ground alike, mostly: what is found of a ground is found once.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import unescape
from typing import NamedTuple

from generator.core.fonts import FontFile
from generator.core.units import number

REMEMBERED, LARGE = 64, 100_000
"""Grounds, and the letters of a drawing whose ground is too large for it."""

_RUN = re.compile(r'<text x="([^"<>]*)" y="([^"<>]*)" ([^<>]*)>([^<]*)</text>')
"""As a `TextRun` is written."""
_TAG = re.compile(r"<(/?)([\w:]+)([^<>]*?)(/?)>")
_VALUE = re.compile(r'([\w:-]+)="([^"]*)"')
_ROOT = re.compile(r"(<svg\b([^<>]*)>)(?:<defs\s*/>|(<defs>))?")
_ROOT_SAYS = {"xmlns", "xmlns:xlink", "xmlns:ev", "version", "baseProfile", "width", "height", "viewBox"}
_REFERENCE = re.compile(r'href="#|url\(#')
_HOLLOW, _END, _DEFINED = "<g>", "</g>", "</defs>"


class Run(NamedTuple):
    """A run as it is written: where it begins, all else that it says of itself, and its letters."""

    x: str
    y: str
    look: str
    letters: str

    @property
    def text(self) -> str:
        """What it says."""
        return unescape(self.letters) if "&" in self.letters else self.letters

    @property
    def written(self) -> str:
        """All of it."""
        return f'<text x="{self.x}" y="{self.y}" {self.look}>{self.letters}</text>'


@dataclass(frozen=True, eq=False)
class Ground:
    """What stands before each run, and after the last; all of it behind a `head`, the root and what it defines."""

    head: str
    pieces: tuple[str, ...]

    @cached_property
    def said(self) -> Mapping[str, str]:
        """What the root says of itself; nothing where that is more than how large the drawing is."""
        said = values(self.head.partition(">")[0])
        return {} if said.keys() - _ROOT_SAYS else said

    @cached_property
    def depths(self) -> tuple[int | None, ...]:
        """In how many hollow groups each run stands; nothing for one that something moves, cuts or fades."""
        outer, found = list[bool](), list[int | None]()
        for piece in self.pieces[:-1]:
            for close, name, said, empty in tags(piece):
                if not close and not empty:
                    outer.append(name == "g" and not said)
                elif close and outer:
                    outer.pop()
            found.append(len(outer) if all(outer) and self.said else None)
        return tuple(found)

    def filled(self, kept: Mapping[int, str]) -> str:
        """The whole drawing with something in the places of some runs, by their numbers, and nothing in the others."""
        behind = (f"{kept.get(nth, '')}{piece}" for nth, piece in enumerate(self.pieces[1:]))
        return "".join((self.head, self.pieces[0], *behind))

    @cached_property
    def stretches(self) -> tuple[str, ...]:
        """What is drawn before, between and after its runs, each stretch a drawing by itself, or nothing."""
        return self.stretches_round({})

    def stretches_round(self, kept: Mapping[int, str]) -> tuple[str, ...]:
        """The same, with something that is kept in the places of some runs, by their numbers."""
        shown, hollow, made = list[str](), 0, self.pieces[0]
        for nth, (depth, piece) in enumerate(zip(self.depths, self.pieces[1:], strict=True)):
            if depth is None or nth in kept:
                made += kept[nth] + piece
            else:
                shown.append(self._by_itself(_HOLLOW * hollow + made + _END * depth))
                made, hollow = piece, depth
        return *shown, self._by_itself(_HOLLOW * hollow + made.removesuffix("</svg>"))

    def _by_itself(self, shown: str) -> str:
        """With definitions only where it asks for some."""
        if not shown.replace(_HOLLOW, "").replace(_END, ""):
            return ""
        head = self.head if _REFERENCE.search(shown) else f"{self.head.partition('>')[0]}>"
        return f"{head}{shown}</svg>"


def apart(svg: str) -> tuple[Ground, list[Run]]:
    """A drawing's ground, and its runs in their order."""
    root = _ROOT.match(svg)
    if root is None:
        return Ground("", (svg,)), []
    defined = svg.find(_DEFINED, root.end()) if root[3] else -1
    end = root.end(1) if root[3] and defined < 0 else max(root.end(), defined + len(_DEFINED))
    pieces = _RUN.split(svg[end:])
    ground = _remembered if len(svg) < LARGE else Ground
    return ground(svg[:end], tuple(pieces[::5])), list(map(Run, pieces[1::5], pieces[2::5], pieces[3::5], pieces[4::5]))


_remembered = lru_cache(REMEMBERED)(Ground)


def tags(piece: str) -> list[tuple[str, str, str, str]]:
    """The tags of a piece: whether it closes, its name, what it says, and whether nothing is in it."""
    return _TAG.findall(piece)


def values(said: str) -> dict[str, str]:
    """What a tag says, by its attributes."""
    found = dict(_VALUE.findall(said))
    return {name: unescape(value) for name, value in found.items()} if "&" in said else found


LOOKS = 1000
"""As many are remembered as they are written."""


@lru_cache(LOOKS)
def look_of(font: FontFile, size: float, spacing: float, *, small_caps: bool, underline: bool) -> Mapping[str, str]:
    """How letters look, in SVG: many runs are alike."""
    look = {
        "font-family": ", ".join(f"'{name}'" for name in font.names),
        "font-size": number(size),
        "font-weight": str(font.weight),
    }
    look |= {"font-style": "italic"} if font.italic else {}
    look |= {"font-variant": "small-caps"} if small_caps else {}
    look |= {"text-decoration": "underline"} if underline else {}
    look |= {"letter-spacing": number(spacing)} if spacing else {}
    return look
