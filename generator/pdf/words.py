"""A drawing as typst's code: plain runs of letters as its own text, and what lies between them as pictures.

In a picture each letter would be an object by itself, of ten times the bytes and five times the work; and no reader of
the file could tell words. What says more of itself than these runs do, is moved, or is in a script whose letters join
or stand otherwise than from left to right, stays in its picture.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from generator.core.geometry import Point, Size
from generator.core.runs import Run, apart, values
from generator.core.units import number

_HEAD = (
    "#set document(date: none)\n#set page(margin: 0pt, fill: none)\n"
    '#set text(lang: "und", fallback: false, hyphenate: false, cjk-latin-spacing: none, '
    'top-edge: "baseline", bottom-edge: "baseline")\n'
    "#let words(x, y, said, ..look) = place(dx: x, dy: y, box(width: 9999mm, text(..look, said)))\n"
)
"""What all pages have alike; no line of a face is so long that it would break."""

_NUMBER, _COLOUR = re.compile(r"-?\d+(?:\.\d+)?"), re.compile(r"#[0-9a-fA-F]{6}")
_SIGNS = " -@\\[-`{-~\u00a1-\u00a9\u00ab\u00ac\u00ae-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2010-\u2015\u2018-\u2026"
_LETTERS = re.compile(
    "|".join(
        f"[{_SIGNS}{letters}]*"
        for letters in ("A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff", "\u0370-\u03ff\u1f00-\u1fff", "\u0400-\u052f")
    )
)
"""Of one script, Latin, Greek or Cyrillic, with signs: one by one, from left to right."""

_NEEDED = {"fill", "xml:space", "font-family", "font-size", "font-weight"}
_ASKED = {"font-style": {"italic": 'style: "italic"'}, "font-variant": {"small-caps": 'features: ("smcp",)'}}
_KNOWN = _NEEDED | _ASKED.keys()
LOOKS = 1000
"""As many are remembered in typst's words."""


def written_pages(drawings: Iterable[tuple[str, Size]]) -> dict[str, bytes]:
    """The files of a document with a page for each of some drawings, of its size (mm); `main` is its code.

    What several show alike, as a ground or a frame, is one file, which typst reads once.
    """
    names, looks, code = dict[str, str](), dict[str, str](), list[str]()
    for svg, size in drawings:
        sides = f"width: {number(size.w)}mm, height: {number(size.h)}mm"
        code.append(f"#page({sides})[")
        for part in _parts(svg, size):
            if isinstance(part, _Words):
                code.append(f"#words({part.said}, ..{looks.setdefault(part.look, f'l{len(looks)}')})")
            else:
                code.append(f'#place(image("{names.setdefault(part, f"{len(names)}.svg")}", {sides}))')
        code.append("]\n")
    named = (f"#let {name} = arguments({look})\n" for look, name in looks.items())
    return {"main": "".join([_HEAD, *named, *code]).encode(), **{name: svg.encode() for svg, name in names.items()}}


class _Words(NamedTuple):
    """A run of letters in typst's words: where it is and what it says, and how it looks."""

    said: str
    look: str


def _parts(svg: str, size: Size) -> Iterator[str | _Words]:
    """A drawing in its order: pictures as large as it is, and runs between them."""
    ground, runs = apart(svg)
    corner = _corner(ground.said, size) if runs else None
    if corner is None:
        yield svg
        return
    words = [None if depth is None else _words(run, corner) for depth, run in zip(ground.depths, runs, strict=True)]
    kept = {nth: run.written for nth, (run, said) in enumerate(zip(runs, words, strict=True)) if said is None}
    pictures = ground.stretches_round(kept) if kept else ground.stretches
    for picture, said in zip_longest(pictures, filter(None, words)):
        if picture:
            yield picture
        if said:
            yield said


def _corner(said: Mapping[str, str], size: Size) -> Point | None:
    """The top left of a drawing in mm that fills a page of that size."""
    view = said.get("viewBox", "").split()
    if view[2:] != [number(side) for side in size] or not all(map(_NUMBER.fullmatch, view)):
        return None
    return Point(float(view[0]), float(view[1]))


def _words(run: Run, corner: Point) -> _Words | None:
    """A run as typst's text, when that is all that it is."""
    look, letters = _look(run.look), run.text
    if not (look and _NUMBER.fullmatch(run.x) and _NUMBER.fullmatch(run.y) and _LETTERS.fullmatch(letters)):
        return None
    place = f"{number(float(run.x) - corner.x)}mm, {number(float(run.y) - corner.y)}mm"
    return _Words(f"{place}, {quoted(letters)}", look)


@lru_cache(LOOKS)
def _look(written: str) -> str:
    """How letters look, in typst's words; nothing where it is more than that."""
    said = values(written)
    more = [_ASKED[name].get(said[name], "") for name in _ASKED if name in said]
    is_plain = _NEEDED <= said.keys() <= _KNOWN and all(more) and _COLOUR.fullmatch(said["fill"])
    if not is_plain or not all(_NUMBER.fullmatch(said[name]) for name in ("font-size", "font-weight")):
        return ""
    families = "".join(f"{quoted(name.strip(' ' + chr(39)))}, " for name in said["font-family"].split(","))
    size, weight = f"{said['font-size']}mm", said["font-weight"]
    return ", ".join([f'font: ({families}), size: {size}, weight: {weight}, fill: rgb("{said["fill"]}")', *more])


def quoted(text: str) -> str:
    """A string of typst's."""
    safe = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", " ")
    return f'"{safe}"'
