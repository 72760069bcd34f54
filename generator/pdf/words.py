"""A drawing as typst's code: plain runs of letters as its own text, and what lies between them as pictures.

In a picture each letter would be an object by itself, of ten times the bytes and five times the work; and no reader of
the file could tell words. What says more of itself than these runs do, is moved, or is in a script whose letters join
or stand otherwise than from left to right, stays in its picture.
"""

import re
from collections.abc import Iterable, Iterator
from html import unescape

from generator.core.classes import dataclass
from generator.core.geometry import Point, Size
from generator.core.units import number

_HEAD = (
    "#set document(date: none)\n#set page(margin: 0pt, fill: none)\n"
    '#set text(lang: "und", fallback: false, hyphenate: false, cjk-latin-spacing: none, '
    'top-edge: "baseline", bottom-edge: "baseline")\n'
    "#let words(x, y, said, ..look) = place(dx: x, dy: y, box(width: 9999mm, text(..look, said)))\n"
)
"""What all pages have alike; no line of a face is so long that it would break."""

_TAG = re.compile(r"<(/?)([\w:]+)([^<>]*?)(/?)>")
_ROOT = re.compile(r"<svg\b([^<>]*)>(?:<defs\s*/>|<defs>.*?</defs>)?", re.DOTALL)
_ROOT_SAYS = {"xmlns", "xmlns:xlink", "xmlns:ev", "version", "baseProfile", "width", "height", "viewBox"}
_RUN = re.compile(r"<text ([^<>]*)>([^<>]*)</text>")
_VALUE = re.compile(r'([\w:-]+)="([^"]*)"')
_REFERENCE = re.compile(r'href="#|url\(#')
_NUMBER, _COLOUR = re.compile(r"-?\d+(?:\.\d+)?"), re.compile(r"#[0-9a-fA-F]{6}")
_SIGNS = " -@\\[-`{-~\u00a1-\u00a9\u00ab\u00ac\u00ae-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2010-\u2015\u2018-\u2026"
_LETTERS = re.compile(
    "|".join(
        f"[{_SIGNS}{letters}]*"
        for letters in ("A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff", "\u0370-\u03ff\u1f00-\u1fff", "\u0400-\u052f")
    )
)
"""Of one script, Latin, Greek or Cyrillic, with signs: one by one, from left to right."""

_NEEDED = {"x", "y", "fill", "xml:space", "font-family", "font-size", "font-weight"}
_ASKED = {"font-style": {"italic": 'style: "italic"'}, "font-variant": {"small-caps": 'features: ("smcp",)'}}
_KNOWN = _NEEDED | _ASKED.keys()
_HOLLOW = "<g>"
"""A group that says nothing of what is in it."""


def written_pages(drawings: Iterable[tuple[str, Size]]) -> dict[str, bytes]:
    """The files of a document with a page for each of some drawings, of its size (mm); `main` is its code.

    What several show alike, as a ground or a frame, is one file, which typst reads once.
    """
    names: dict[str, str] = {}
    code = [_HEAD]
    for svg, size in drawings:
        sides = f"width: {number(size.w)}mm, height: {number(size.h)}mm"
        code.append(f"#page({sides})[")
        for part in _parts(svg, size):
            if isinstance(part, _Words):
                code.append(part.code)
            else:
                code.append(f'#place(image("{names.setdefault(part, f"{len(names)}.svg")}", {sides}))')
        code.append("]\n")
    return {"main": "".join(code).encode(), **{name: svg.encode() for svg, name in names.items()}}


@dataclass(frozen=True)
class _Words:
    """Runs of letters, as typst's code."""

    code: str


def _parts(svg: str, size: Size) -> Iterator[str | _Words]:
    """A drawing in its order: pictures as large as it is, and runs between them."""
    root = _ROOT.match(svg) if "<text " in svg else None
    corner = _corner(root[1], size) if root else None
    if root is None or corner is None:
        yield svg
        return
    start, hollow = root.end(), 0
    for at, end, depth, run in _plain_runs(svg, root.end()):
        if words := _words(run[1], run[2], corner):
            yield from _picture(root, _HOLLOW * hollow + svg[start:at] + "</g>" * depth)
            yield words
            start, hollow = end, depth
    yield from _picture(root, _HOLLOW * hollow + svg[start:].removesuffix("</svg>"))


def _corner(attributes: str, size: Size) -> Point | None:
    """The top left of a drawing in mm that fills a page of that size, and says nothing else of all that is in it."""
    said = dict(_VALUE.findall(attributes))
    view = said.get("viewBox", "").split()
    if said.keys() - _ROOT_SAYS or view[2:] != [number(side) for side in size] or not all(map(_NUMBER.fullmatch, view)):
        return None
    return Point(float(view[0]), float(view[1]))


def _picture(root: re.Match[str], shown: str) -> Iterator[str]:
    """What stands between two runs as a picture by itself, where it shows something; definitions only where it asks."""
    if shown.replace(_HOLLOW, "").replace("</g>", ""):
        head = root[0] if _REFERENCE.search(shown) else root[0].partition("<defs")[0]
        yield f"{head}{shown}</svg>"


def _plain_runs(svg: str, start: int) -> Iterator[tuple[int, int, int, re.Match[str]]]:
    """The runs that nothing moves, cuts or fades: where each begins and ends, and in how many hollow groups it is."""
    outer: list[bool] = []
    for tag in _TAG.finditer(svg, start):
        close, name, attributes, empty = tag.groups()
        if close:
            if outer:
                outer.pop()
        elif not empty:
            if name == "text" and all(outer) and (run := _RUN.match(svg, tag.start())):
                yield run.start(), run.end(), len(outer), run
            outer.append(name == "g" and not attributes)


def _words(attributes: str, text: str, corner: Point) -> _Words | None:
    """A run as typst's text, when that is all that it is."""
    said, letters = dict(_VALUE.findall(attributes)), unescape(text)
    numbers = [said.get(name, "0") for name in ("x", "y", "font-size", "font-weight")]
    more = [_ASKED[name].get(said[name], "") for name in _ASKED if name in said]
    is_plain = _NEEDED <= said.keys() <= _KNOWN and all(more) and _COLOUR.fullmatch(said["fill"])
    if not is_plain or not all(map(_NUMBER.fullmatch, numbers)) or not _LETTERS.fullmatch(letters):
        return None
    x, y, height, weight = numbers
    place = f"{number(float(x) - corner.x)}mm, {number(float(y) - corner.y)}mm"
    families = "".join(f"{quoted(unescape(name).strip(' ' + chr(39)))}, " for name in said["font-family"].split(","))
    look = f'font: ({families}), size: {height}mm, weight: {weight}, fill: rgb("{said["fill"]}")'
    return _Words(f"#words({', '.join([place, quoted(letters), look, *more])})")


def quoted(text: str) -> str:
    """A string of typst's."""
    safe = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", " ")
    return f'"{safe}"'
