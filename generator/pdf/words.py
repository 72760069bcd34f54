"""Faces as typst code: plain text runs as typst's own text, and the items between them as SVG images.

In an SVG, each letter would become an object of its own, with ten times the bytes and five times the work, and no
reader of the PDF could tell the words. Runs that are more than plain text stay in the SVG.
"""

import re
from collections.abc import Iterable, Iterator

from generator.core.geometry import Rect
from generator.core.units import number
from generator.pdf.room import PageSource
from generator.picture.items import Group, Item, Picture, TextRun, fingerprint_of
from generator.picture.svg import SvgWriter

_HEAD = (
    "#set document(date: none)\n#set page(margin: 0pt, fill: none)\n"
    '#set text(lang: "und", fallback: false, hyphenate: false, cjk-latin-spacing: none, '
    'top-edge: "baseline", bottom-edge: "baseline")\n'
    # No line of a face is 9999 mm long, so none breaks.
    "#let words(x, y, said, ..look) = place(dx: x, dy: y, box(width: 9999mm, text(..look, said)))\n"
)

# Scripts whose letters stand one by one from left to right: Latin, Greek and Cyrillic, each with common signs. typst
# would order or join the letters of other scripts by itself.
_SIGNS = " -@\\[-`{-~\u00a1-\u00a9\u00ab\u00ac\u00ae-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2010-\u2015\u2018-\u2026"
_SCRIPTS = ("A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff", "\u0370-\u03ff\u1f00-\u1fff", "\u0400-\u052f")
_PLAIN_TEXT = re.compile("|".join(f"[{_SIGNS}{letters}]*" for letters in _SCRIPTS))
_OPAQUE = re.compile(r"#[0-9a-fA-F]{6}")


def write_pages(sources: Iterable[PageSource], writer: SvgWriter) -> dict[str, bytes]:
    """Return the files of a typst document with a page for each source; `main` is its code.

    Items that several pages share, such as a background, become one file, which typst reads once.
    """
    files = _Files(writer)
    code = [files.page(source) for source in sources]
    looks = [f"#let {name} = arguments({look})\n" for look, name in files.looks.items()]
    main = "".join([_HEAD, *looks, *code]).encode()
    return {"main": main, **{name: svg.encode() for svg, name in files.names.items()}}


class _Files:
    """The SVG files and the looks of text that the pages of one document share, with their names."""

    def __init__(self, writer: SvgWriter) -> None:
        self._writer = writer
        self._stretches: dict[object, str] = {}
        self.names: dict[str, str] = {}
        self.looks: dict[str, str] = {}

    def page(self, source: PageSource) -> str:
        """Return the typst code of a page."""
        sides = f"width: {number(source.size.w)}mm, height: {number(source.size.h)}mm"
        parts = [self._image(source.content, sides)] if isinstance(source.content, str) else []
        if isinstance(source.content, Picture):
            for part in split_text(source.content.items):
                if isinstance(part, TextRun):
                    parts.append(self._text(part, source.content.full))
                else:
                    parts.append(self._image(self._stretch(part, source.content), sides))
        return "".join([f"#page({sides})[", *parts, "]\n"])

    def _image(self, svg: str, sides: str) -> str:
        name = self.names.setdefault(svg, f"{len(self.names)}.svg")
        return f'#place(image("{name}", {sides}))'

    def _stretch(self, items: tuple[Item, ...], page: Picture) -> str:
        """Return some items of a page as an SVG of the page's size."""
        key = (tuple(fingerprint_of(item) for item in items), page.size, page.bleed)
        if key not in self._stretches:
            self._stretches[key] = self._writer.write(Picture(items, page.size, page.bleed))
        return self._stretches[key]

    def _text(self, run: TextRun, full: Rect) -> str:
        families = "".join(f"{quoted(name)}, " for name in run.font.names)
        look = f'font: ({families}), size: {number(run.size)}mm, weight: {run.font.weight}, fill: rgb("{run.colour}")'
        if run.font.italic:
            look += ', style: "italic"'
        if run.small_caps:
            look += ', features: ("smcp",)'
        name = self.looks.setdefault(look, f"l{len(self.looks)}")
        # Rounded before the subtraction, as in the SVG, so that text in print and in previews coincides.
        x = number(float(number(run.x)) - float(number(full.x)))
        y = number(float(number(run.y)) - float(number(full.y)))
        return f"#words({x}mm, {y}mm, {quoted(run.text)}, ..{name})"


def split_text(items: tuple[Item, ...]) -> Iterator[TextRun | tuple[Item, ...]]:
    """Yield plain text runs and, between them, the other items; plain groups are opened."""
    between: list[Item] = []
    for item in _flatten(items):
        if isinstance(item, TextRun) and is_plain_text(item):
            if between:
                yield tuple(between)
                between = []
            yield item
        else:
            between.append(item)
    if between:
        yield tuple(between)


def _flatten(items: tuple[Item, ...]) -> Iterator[Item]:
    """Yield the items, and in the place of plain groups that hold text the items of those."""
    for item in items:
        if isinstance(item, Group) and item.is_plain and any(isinstance(each, TextRun | Group) for each in item.items):
            yield from _flatten(item.items)
        else:
            yield item


def is_plain_text(run: TextRun) -> bool:
    """Return True if typst sets a run as it stands: opaque, unspaced, and in a script that runs from left to right."""
    return (
        run.stroke is None
        and not run.spacing
        and not run.underline
        and _OPAQUE.fullmatch(run.colour) is not None
        and _PLAIN_TEXT.fullmatch(run.text) is not None
    )


def quoted(text: str) -> str:
    """Return a typst string."""
    safe = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", " ")
    return f'"{safe}"'
