"""The gate for pictures of strangers: reads the author's bytes, and says whether the engines may have them.

Nothing is changed here. What passes refers to nothing but itself, runs nothing, and is no larger or deeper than its
readers can take; it says by which names its text is set and which of its own elements it refers to.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET
from xml.parsers import expat

from generator.core.problems import Wrong
from generator.core.svg import INNER, SVG, is_known, key_of, tag_of

MAX_BYTES = 8_000_000
MAX_DEPTH = 200
MAX_ELEMENTS = 100_000
MAX_ENTITIES = 2000
"""Ampersands in a file that declares entities: Illustrator uses a few dozen."""
MAX_VALUE = 4_000_000
"""Characters of one attribute that is no image: the largest path of a traced photograph has one million."""
MAX_WORD = 2_000
"""Characters of an attribute that is a word or a few numbers."""
MAX_LIST = 50_000
"""Characters of one that is a list, or a style."""
MAX_TEXT = 20_000
"""Characters that are set; a page of rules has some three thousand."""
MAX_PARTS = 4_000
"""Elements of text."""
MAX_CSS = 300_000
"""Characters of style sheets."""

RUNS = {"script", "foreignobject", "iframe", "embed", "object", "audio", "video", "canvas", "link", "meta", "base"}
"""What does more than draw, in small letters: HTML knows no others."""
FLOWED = {"flowRoot", "flowRegion", "flowPara"}
TEXTS = {"text", "tspan", "tref", "textPath"}
LISTS = {"style", "class", "x", "y", "dx", "dy", "rotate", "values", "tableValues", "kernelMatrix", "path"}
LOADS = {"image", "feImage"}
"""What the engines would read a file for."""
FETCHES = re.compile(r"(?<![\w-])(src|image|image-set|-webkit-image-set|cross-fade|element)\(", re.IGNORECASE)

INKSCAPE_LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"
"""The name that Inkscape shows for an object."""

_DATA = re.compile(r"data:(?:image/[\w.+-]+|application/octet-stream|)(?:;[\w=-]+)*,", re.IGNORECASE)
_NAMESPACE = re.compile(r"https?://[\w./#:-]{1,100}")
_GZIP = b"\x1f\x8b"
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_IMPORT = re.compile(r"@import\s*([^;]{0,80})", re.IGNORECASE)
_URL = re.compile(r"url\(\s*['\"]?([^)'\"]*)", re.IGNORECASE)
_FAMILY = re.compile(r"font-family\s*:([^;}]*)", re.IGNORECASE)
_FACE = "@font-face"
_QUOTES = " \t\r\n'\""


@dataclass(frozen=True)
class Passed:
    """A picture that may be drawn: its elements as they were written, the families it names, the ids it refers to."""

    root: ET.Element
    families: frozenset[str]
    references: frozenset[str]


def admit(data: bytes, name: str, most: int = MAX_BYTES, replaced: frozenset[str] = frozenset()) -> Passed:
    """The picture, or the first reason why nobody should draw it; images that are `replaced` may link to anything."""
    if len(data) > most:
        raise Wrong(f"{name}: the picture has more than {most // 1_000_000} MB", "a simpler SVG, or a PNG")
    root = parse(data, name)
    if tag_of(root) != "svg":
        raise Wrong(f"{name} is no SVG picture (its root is {root.tag!r})", f'an SVG file with xmlns="{SVG}"')
    visit = _Visit(name, {element.get("id", "") for element in root.iter()}, set(), set(), replaced)
    visit.under(root)
    return Passed(root, frozenset(visit.families), frozenset(visit.references))


def parse(data: bytes, name: str) -> ET.Element:
    """The elements; what would blow them up is refused before anything is built."""
    if data.startswith(_GZIP):
        raise Wrong(f"{name} is a compressed SVG", "plain SVG", "save it as .svg, not as .svgz")
    try:
        _Guard(name, data.count(b"&")).check(data)
        return ET.fromstring(data)
    except (expat.ExpatError, ET.ParseError, LookupError, ValueError) as error:
        if isinstance(error, Wrong):
            raise
        raise Wrong(f"{name} is not well-formed XML: {error}", "an SVG picture") from error


@dataclass
class _Guard:
    """Counts while the file is read for the first time, when nothing of it is kept."""

    name: str
    ampersands: int
    depth: int = 0
    elements: int = 0

    def check(self, data: bytes) -> None:
        """Read it all."""
        reader = expat.ParserCreate()
        reader.StartElementHandler, reader.EndElementHandler = self._start, self._end
        reader.EntityDeclHandler = self._entity
        reader.Parse(data, True)  # noqa: FBT003 - expat's own signature

    def _start(self, *_: object) -> None:
        self.depth, self.elements = self.depth + 1, self.elements + 1
        if self.depth > MAX_DEPTH:
            raise Wrong(f"{self.name}: elements are nested more than {MAX_DEPTH} deep", "a simpler SVG")
        if self.elements > MAX_ELEMENTS:
            raise Wrong(f"{self.name} has more than {MAX_ELEMENTS} elements", "a simpler SVG, or a PNG")

    def _end(self, *_: object) -> None:
        self.depth -= 1

    def _entity(self, _name: str, _is_parameter: int, value: str | None, *_: object) -> None:
        if not value or not _NAMESPACE.fullmatch(value) or self.ampersands > MAX_ENTITIES:
            raise Wrong(f"{self.name} declares XML entities", "an SVG without them: save it again as plain SVG")


@dataclass
class _Visit:
    """One way through a picture's elements."""

    name: str
    ids: set[str]
    families: set[str]
    references: set[str]
    replaced: frozenset[str]
    css: int = 0
    letters: int = 0
    parts: int = 0

    def under(self, element: ET.Element, parent: str = "") -> None:
        """Look at every element of SVG; those of editors draw nothing, but may hold some that do."""
        tag = tag_of(element)
        if tag == "style":
            self._sheet("".join(element.itertext()))
        elif tag:
            self._tag(tag, parent, element)
            self._text(tag, element)
            gone = tag == "image" and self.replaced & {element.get("id", ""), element.get(INKSCAPE_LABEL, "")}
            for key, value in element.attrib.items():
                if not gone or key_of(key) != "href":
                    self._attribute(tag, key_of(key), value)
        for child in element:
            self.under(child, tag)

    def _tag(self, tag: str, parent: str, element: ET.Element) -> None:
        """An element of another language is left out where the picture has something else in its place."""
        if tag.lower() in RUNS and (tag != "foreignObject" or parent != "switch"):
            raise Wrong(f"{self.name}: <{tag}> is not allowed in art", "shapes, text and images only")
        if tag in FLOWED and "".join(element.itertext()).strip():
            raise Wrong(
                f"{self.name}: Inkscape's flowed text shows nowhere but in Inkscape",
                "plain text",
                "in Inkscape: select it, then Text > Convert to Text",
            )

    def _text(self, tag: str, element: ET.Element) -> None:
        if tag in TEXTS:
            self.parts += 1
            self.letters += len(element.text or "") + sum(len(child.tail or "") for child in element)
        if self.letters > MAX_TEXT or self.parts > MAX_PARTS:
            found = f"{self.name}: it sets more than {MAX_TEXT} characters, or in more than {MAX_PARTS} elements"
            raise Wrong(found, "less text", "convert it to paths, or set it in the layout")

    def _attribute(self, tag: str, key: str, value: str) -> None:
        if key == "href":
            if tag != "a":
                self._reference(tag, value.strip())
        elif len(value) > (most := _most(tag, key)):
            raise Wrong(f"{self.name}: {key} of a <{tag}> has {len(value)} characters", f"at most {most}")
        elif key == "font-family":
            self.families |= set(_names(value))
        elif key == "style" or "(" in value or "\\" in value:
            self._css(value)

    def _reference(self, tag: str, address: str) -> None:
        """Pass what the picture holds: data, or one of its own elements by its name."""
        if tag in LOADS and _DATA.match(address):
            return
        inner = INNER.fullmatch(address)
        if inner:
            self.references.add(inner[1])
        fine = address in {"", "#"} or (inner and tag != "feImage") if tag not in LOADS else not address
        if not fine and not (inner and tag == "feImage" and inner[1] in self.ids):
            raise _outside(self.name, address)

    def _sheet(self, css: str) -> None:
        self.css += len(css)
        if self.css > MAX_CSS:
            raise Wrong(f"{self.name}: its style sheets have more than {MAX_CSS} characters", "shorter style sheets")
        self._css(_without_faces(css))

    def _css(self, css: str) -> None:
        """CSS that asks for nothing but the picture's own elements, however it is spelt."""
        plain = unescaped(css)
        if imported := _IMPORT.search(plain):
            raise _outside(self.name, f"@import {imported[1].strip(_QUOTES)}")
        if called := FETCHES.search(plain):
            raise _outside(self.name, f"{called[0]}…)")
        for address in _URL.findall(plain):
            inner = INNER.fullmatch(address.strip())
            if not inner and address.strip() not in {"", "#"}:
                raise _outside(self.name, address)
            self.references |= {inner[1]} if inner else set()
        for families in _FAMILY.findall(plain):
            self.families |= set(_names(families))


def _most(tag: str, key: str) -> int:
    """How long an attribute may be; what editors keep for themselves, nobody reads."""
    if key in {"d", "points"} or not is_known(tag, key):
        return MAX_VALUE
    return MAX_LIST if key in LISTS else MAX_WORD


def _outside(name: str, address: str) -> Wrong:
    shown = address if len(address) < 80 else address[:77] + "…"
    return Wrong(f"{name} refers to {shown!r}", "a picture that holds all it needs: embed images, do not link them")


def unescaped(css: str) -> str:
    """CSS with the characters that its escapes stand for."""
    return _ESCAPE.sub(_letter, css)


def _letter(match: re.Match[str]) -> str:
    """What an escape of CSS stands for; past the end of Unicode there is nothing."""
    if not match[1]:
        return match[2]
    code = int(match[1], 16)
    return chr(code) if 0 < code <= sys.maxunicode and not 0xD800 <= code < 0xE000 else "\ufffd"


def _without_faces(css: str) -> str:
    """A style sheet without its `@font-face` blocks, from which neither engine reads."""
    first, *rest = re.split(_FACE, css, flags=re.IGNORECASE)
    return first + "".join(part.partition("}")[2] for part in rest)


def _names(families: str) -> Iterator[str]:
    """The single names in a list of families."""
    for name in families.split(","):
        if name.strip(_QUOTES):
            yield name.strip(_QUOTES)
