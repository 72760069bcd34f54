"""The gate for pictures from strangers: decide from the bytes whether the engines may read them.

Nothing is changed here. An admitted picture refers only to itself, runs no code, and stays within
limits of size and depth. The gate also collects the ids that the picture refers to.
"""

import re
import sys
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET
from xml.parsers import expat

from generator.base.errors import InvalidValueError
from generator.base.svg_table import INNER, PICTURE_KEY, SVG, is_known, key_of, tag_of

MAX_BYTES = 8_000_000
MAX_DEPTH = 200
"""Far below 500, from which the walk for resvg exceeds Python's limit of 1,000 nested calls (tried)."""
MAX_ELEMENTS = 100_000
"""Reading so many rectangles takes 3 s of CPU time (measured)."""
MAX_AMPERSANDS = 2000
"""Ampersands in a file that declares entities: Illustrator uses a few dozen."""
MAX_PATH_CHARS = 4_000_000
"""Of a path, and of attributes that no engine reads. A traced photograph has paths of one million."""
MAX_WORD_CHARS = 2_000
"""Of an attribute that is a word or a few numbers."""
MAX_LIST_CHARS = 50_000
"""Of an attribute that is a list or a style."""
MAX_TEXT_CHARS = 20_000
"""Of all text; a page of rules has some three thousand."""
MAX_TEXT_ELEMENTS = 4_000
MAX_CSS_CHARS = 300_000
"""Of all style sheets."""

ACTIVE_ELEMENTS = {
    "script",
    "foreignobject",
    "iframe",
    "embed",
    "object",
    "audio",
    "video",
    "canvas",
    "link",
    "meta",
    "base",
}
"""Elements that do more than draw, in lower case because HTML ignores case."""
FLOWED_TEXT = {"flowRoot", "flowRegion", "flowPara"}
TEXTS = {"text", "tspan", "tref", "textPath"}
LISTS = {
    "style",
    "class",
    "x",
    "y",
    "dx",
    "dy",
    "rotate",
    "values",
    "tableValues",
    "kernelMatrix",
    "path",
}
LOADING_ELEMENTS = {"image", "feImage"}
"""Elements for which the engines would open a file."""
FETCHING_FUNCTIONS = re.compile(
    r"(?<![\w-])(src|image|image-set|-webkit-image-set|cross-fade|element)\(", re.IGNORECASE
)

INKSCAPE_LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"
"""The name that Inkscape shows for an object."""

_DATA = re.compile(
    r"data:(?:image/[\w.+-]+|application/octet-stream|)(?:;[\w=-]+)*,", re.IGNORECASE
)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_NAMESPACE = re.compile(r"https?://[\w./#:-]{1,100}")
_GZIP = b"\x1f\x8b"
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_IMPORT = re.compile(r"@import\s*([^;]{0,80})", re.IGNORECASE)
_URL = re.compile(r"url\(\s*['\"]?([^)'\"]*)", re.IGNORECASE)
_FACE = "@font-face"
_QUOTES = " \t\r\n'\""


def admit(
    data: bytes,
    name: str,
    max_bytes: int = MAX_BYTES,
    replaced: frozenset[str] = frozenset(),
    *,
    may_link: bool = False,
    allow_keys: bool = False,
) -> tuple[ET.Element, set[str]]:
    """Return an admitted picture as written, and the ids that it refers to.

    Raise `InvalidValueError` with the first reason to reject it.

    Images whose id or label is in `replaced` may link to anything, since they will show something
    else. With `may_link`, other images may link to files by their paths from the picture; the
    caller embeds them. With `allow_keys`, they may have keys of pictures that are stored elsewhere
    as addresses.
    """
    if len(data) > max_bytes:
        raise InvalidValueError(
            f"{name}: the picture has more than {max_bytes // 1_000_000} MB",
            "a simpler SVG, or a PNG",
        )
    root = parse(data, name)
    if tag_of(root) != "svg":
        raise InvalidValueError(
            f"{name} is not an SVG picture (its root is {root.tag!r})",
            f'an SVG file with xmlns="{SVG}"',
        )
    ids = {element.get("id", "") for element in root.iter()}
    visit = _Visit(name, ids, replaced, may_link, allow_keys)
    visit.visit(root)
    return root, visit.references


def parse(data: bytes, name: str) -> ET.Element:
    """Parse a picture.

    Reject files that would expand beyond their size before any tree is built.
    """
    if data.startswith(_GZIP):
        raise InvalidValueError(
            f"{name} is a compressed SVG", "plain SVG", "save it as .svg, not as .svgz"
        )
    try:
        _Guard(name, data.count(b"&")).check(data)
        return ET.fromstring(data)
    except (expat.ExpatError, ET.ParseError, LookupError, ValueError) as error:
        if isinstance(error, InvalidValueError):
            raise
        raise InvalidValueError(
            f"{name} is not well-formed XML: {error}", "an SVG picture"
        ) from error


@dataclass
class _Guard:
    """Counts elements in a first pass over the file, which builds no tree."""

    name: str
    ampersands: int
    depth: int = 0
    elements: int = 0

    def check(self, data: bytes) -> None:
        """Read the whole file; raise `InvalidValueError` if it exceeds a limit."""
        reader = expat.ParserCreate()
        reader.StartElementHandler = self._on_start
        reader.EndElementHandler = self._on_end
        reader.EntityDeclHandler = self._on_entity
        reader.Parse(data, True)  # noqa: FBT003 - expat's own signature

    def _on_start(self, *_: object) -> None:
        self.depth += 1
        self.elements += 1
        if self.depth > MAX_DEPTH:
            raise InvalidValueError(
                f"{self.name}: elements are nested more than {MAX_DEPTH} deep", "a simpler SVG"
            )
        if self.elements > MAX_ELEMENTS:
            raise InvalidValueError(
                f"{self.name} has more than {MAX_ELEMENTS} elements", "a simpler SVG, or a PNG"
            )

    def _on_end(self, *_: object) -> None:
        self.depth -= 1

    def _on_entity(self, _name: str, _is_parameter: int, value: str | None, *_: object) -> None:
        if not value or not _NAMESPACE.fullmatch(value) or self.ampersands > MAX_AMPERSANDS:
            raise InvalidValueError(
                f"{self.name} declares XML entities",
                "an SVG without them: save it again as plain SVG",
            )


@dataclass
class _Visit:
    """One pass over a picture's elements."""

    name: str
    ids: set[str]
    replaced: frozenset[str]
    may_link: bool
    allow_keys: bool
    references: set[str] = field(default_factory=set)
    css: int = 0
    letters: int = 0
    parts: int = 0

    def visit(self, element: ET.Element, parent: str = "") -> None:
        """Check an element and its descendants.

        Editors' own elements draw nothing, but may contain some that do.
        """
        tag = tag_of(element)
        if tag == "style":
            self._check_sheet("".join(element.itertext()))
        elif tag:
            self._check_tag(tag, parent, element)
            self._count_text(tag, element)
            is_replaced = tag == "image" and self.replaced & {
                element.get("id", ""),
                element.get(INKSCAPE_LABEL, ""),
            }
            for key, value in element.attrib.items():
                if not is_replaced or key_of(key) != "href":
                    self._check_attribute(tag, key_of(key), value)
        for child in element:
            self.visit(child, tag)

    def _check_tag(self, tag: str, parent: str, element: ET.Element) -> None:
        """Reject elements that do more than draw.

        `foreignObject` may stand in a `switch`, which has a fallback.
        """
        if tag.lower() in ACTIVE_ELEMENTS and (tag != "foreignObject" or parent != "switch"):
            raise InvalidValueError(
                f"{self.name}: <{tag}> is not allowed in art", "shapes, text and images only"
            )
        if tag in FLOWED_TEXT and "".join(element.itertext()).strip():
            raise InvalidValueError(
                f"{self.name}: only Inkscape shows its flowed text",
                "plain text",
                "in Inkscape: select it, then Text > Convert to Text",
            )

    def _count_text(self, tag: str, element: ET.Element) -> None:
        if tag in TEXTS:
            self.parts += 1
            self.letters += len(element.text or "") + sum(
                len(child.tail or "") for child in element
            )
        if self.letters > MAX_TEXT_CHARS or self.parts > MAX_TEXT_ELEMENTS:
            raise InvalidValueError(
                f"{self.name}: its text has more than {MAX_TEXT_CHARS} characters, "
                f"or more than {MAX_TEXT_ELEMENTS} elements",
                "less text",
                "convert it to paths, or set it in the layout",
            )

    def _check_attribute(self, tag: str, key: str, value: str) -> None:
        if key == "href":
            if tag != "a":
                self._check_reference(tag, value.strip())
        elif len(value) > (most := _max_length(tag, key)):
            raise InvalidValueError(
                f"{self.name}: {key} of a <{tag}> has {len(value)} characters", f"at most {most}"
            )
        elif key == "style" or "(" in value or "\\" in value:
            self._check_css(value)

    def _check_reference(self, tag: str, address: str) -> None:
        """Admit embedded data, links to files and references to the picture's own elements.

        Reject everything else.
        """
        is_link = self.may_link and is_file_link(address)
        is_key = self.allow_keys and PICTURE_KEY.fullmatch(address)
        if tag in LOADING_ELEMENTS and (_DATA.match(address) or is_link or is_key):
            return
        inner = INNER.fullmatch(address)
        if inner:
            self.references.add(inner[1])
        if tag == "feImage":
            is_allowed = not address or (inner is not None and inner[1] in self.ids)
        elif tag == "image":
            is_allowed = not address
        else:
            is_allowed = inner is not None or address in {"", "#"}
        if not is_allowed:
            raise _reference_error(self.name, address)

    def _check_sheet(self, css: str) -> None:
        self.css += len(css)
        if self.css > MAX_CSS_CHARS:
            raise InvalidValueError(
                f"{self.name}: its style sheets have more than {MAX_CSS_CHARS} characters",
                "shorter style sheets",
            )
        self._check_css(_without_faces(css))

    def _check_css(self, css: str) -> None:
        """Admit CSS that refers only to the picture's own elements, in any spelling."""
        plain = unescape(css)
        if imported := _IMPORT.search(plain):
            raise _reference_error(self.name, f"@import {imported[1].strip(_QUOTES)}")
        if called := FETCHING_FUNCTIONS.search(plain):
            raise _reference_error(self.name, f"{called[0]}…)")
        for address in _URL.findall(plain):
            inner = INNER.fullmatch(address.strip())
            if not inner and address.strip() not in {"", "#"}:
                raise _reference_error(self.name, address)
            self.references |= {inner[1]} if inner else set()


def _max_length(tag: str, key: str) -> int:
    """Return the largest length of an attribute; attributes that no engine reads may be long."""
    if key in {"d", "points"} or not is_known(tag, key):
        return MAX_PATH_CHARS
    return MAX_LIST_CHARS if key in LISTS else MAX_WORD_CHARS


def is_file_link(address: str) -> bool:
    """Return True if an image's address is a relative path, and no URL, no data and no part of the picture."""
    plain = address.strip()
    return bool(plain) and plain[0] not in "#/\\" and not _SCHEME.match(plain)


def _reference_error(name: str, address: str) -> InvalidValueError:
    excerpt = address if len(address) < 80 else address[:77] + "…"
    expected = "a picture that holds all it needs: embed images, or link files of the pack by their paths from the SVG"
    return InvalidValueError(f"{name} refers to {excerpt!r}", expected)


def unescape(css: str) -> str:
    """Return CSS with its escapes replaced by their characters."""
    return _ESCAPE.sub(_unescape_one, css)


def _unescape_one(match: re.Match[str]) -> str:
    """Return the character of a CSS escape; U+FFFD for numbers that are not characters."""
    if not match[1]:
        return match[2]
    code = int(match[1], 16)
    return chr(code) if 0 < code <= sys.maxunicode and not 0xD800 <= code < 0xE000 else "\ufffd"


def _without_faces(css: str) -> str:
    """Return a style sheet without its `@font-face` blocks, which neither engine reads."""
    first, *rules = re.split(_FACE, css, flags=re.IGNORECASE)
    return first + "".join(part.partition("}")[2] for part in rules)
