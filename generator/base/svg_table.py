"""The SVG that pictures may contain: one table of elements, attributes and properties.

The gate for art, the reader of releases and the writer of web pages use it. Anything else is either
not drawn on paper by any engine, or does more than draw. A browser never sees it, since
`to_web_text` writes only what the table has.
"""

import re
from base64 import b64decode
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from html import escape
from xml.etree import ElementTree as ET
from xml.parsers import expat

from generator.base.html import Html, html

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
ET.register_namespace("", SVG)  # so that ElementTree writes SVG without prefixes
_XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"

_BOX = frozenset({"x", "y", "width", "height"})
_VIEW = frozenset({"viewBox", "preserveAspectRatio"})
_LETTERS = frozenset({"x", "y", "dx", "dy", "rotate", "textLength", "lengthAdjust"})
_GRADIENT = frozenset({"gradientUnits", "gradientTransform", "spreadMethod", "href"})
_STEP = _BOX | {"result", "in"}
_CURVE = frozenset({"type", "tableValues", "slope", "intercept", "amplitude", "exponent", "offset"})
_LIGHT = _STEP | {"surfaceScale", "kernelUnitLength"}

ELEMENTS: Mapping[str, frozenset[str]] = {
    "svg": _BOX | _VIEW | {"version", "baseProfile"},
    "g": frozenset(),
    "defs": frozenset(),
    "symbol": _BOX | _VIEW | {"refX", "refY"},
    "use": _BOX | {"href"},
    "path": frozenset({"d", "pathLength"}),
    "rect": _BOX | {"rx", "ry", "pathLength"},
    "circle": frozenset({"cx", "cy", "r", "pathLength"}),
    "ellipse": frozenset({"cx", "cy", "rx", "ry", "pathLength"}),
    "line": frozenset({"x1", "y1", "x2", "y2", "pathLength"}),
    "polyline": frozenset({"points", "pathLength"}),
    "polygon": frozenset({"points", "pathLength"}),
    "text": _LETTERS,
    "tspan": _LETTERS,
    "tref": _LETTERS | {"href"},
    "textPath": frozenset(
        {"startOffset", "method", "spacing", "side", "path", "textLength", "lengthAdjust", "href"}
    ),
    "image": _BOX | {"preserveAspectRatio", "href"},
    "linearGradient": _GRADIENT | {"x1", "y1", "x2", "y2"},
    "radialGradient": _GRADIENT | {"cx", "cy", "r", "fx", "fy", "fr"},
    "stop": frozenset({"offset"}),
    "pattern": _BOX | _VIEW | {"patternUnits", "patternContentUnits", "patternTransform", "href"},
    "clipPath": frozenset({"clipPathUnits"}),
    "mask": _BOX | {"maskUnits", "maskContentUnits"},
    "marker": _VIEW | {"refX", "refY", "markerUnits", "markerWidth", "markerHeight", "orient"},
    "filter": _BOX | {"filterUnits", "primitiveUnits", "href"},
    "feBlend": _STEP | {"in2", "mode"},
    "feColorMatrix": _STEP | {"type", "values"},
    "feComponentTransfer": _STEP,
    "feComposite": _STEP | {"in2", "operator", "k1", "k2", "k3", "k4"},
    "feConvolveMatrix": _STEP
    | {"order", "kernelMatrix", "divisor", "bias", "targetX", "targetY"}
    | {"edgeMode", "kernelUnitLength", "preserveAlpha"},
    "feDiffuseLighting": _LIGHT | {"diffuseConstant"},
    "feDisplacementMap": _STEP | {"in2", "scale", "xChannelSelector", "yChannelSelector"},
    "feDistantLight": frozenset({"azimuth", "elevation"}),
    "feDropShadow": _STEP | {"dx", "dy", "stdDeviation"},
    "feFlood": _STEP,
    "feFuncA": _CURVE,
    "feFuncB": _CURVE,
    "feFuncG": _CURVE,
    "feFuncR": _CURVE,
    "feGaussianBlur": _STEP | {"stdDeviation", "edgeMode"},
    "feImage": _STEP | {"preserveAspectRatio", "href"},
    "feMerge": _STEP,
    "feMergeNode": frozenset({"in"}),
    "feMorphology": _STEP | {"operator", "radius"},
    "feOffset": _STEP | {"dx", "dy"},
    "fePointLight": frozenset({"x", "y", "z"}),
    "feSpecularLighting": _LIGHT | {"specularConstant", "specularExponent"},
    "feSpotLight": frozenset(
        {
            "x",
            "y",
            "z",
            "pointsAtX",
            "pointsAtY",
            "pointsAtZ",
            "specularExponent",
            "limitingConeAngle",
        }
    ),
    "feTile": _STEP,
    "feTurbulence": _STEP | {"baseFrequency", "numOctaves", "seed", "stitchTiles", "type"},
}
"""Each element with the attributes that only some elements have."""

ANYWHERE = frozenset({"id", "class", "style", "transform", "xml:space"})
PROPERTIES = frozenset(
    re.findall(
        r"\S+",
        """
    alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
    color-rendering direction display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity
    font-family font-feature-settings font-kerning font-size font-size-adjust font-stretch font-style font-variant
    font-variation-settings font-weight glyph-orientation-horizontal glyph-orientation-vertical image-rendering
    inline-size isolation kerning letter-spacing lighting-color line-height marker-end marker-mid marker-start mask
    mask-type mix-blend-mode opacity overflow paint-order shape-inside shape-padding shape-rendering stop-color
    stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
    stroke-opacity stroke-width text-align text-anchor text-decoration text-decoration-color text-decoration-line
    text-decoration-style text-orientation text-rendering transform transform-box transform-origin unicode-bidi
    vector-effect visibility white-space word-spacing writing-mode x y width height cx cy r rx ry d
    """,
    )
)
"""The properties allowed in a `style`, and as attributes of any element."""

FUNCTIONS = frozenset(
    re.findall(
        r"\S+",
        """
    rgb rgba hsl hsla hwb matrix translate translatex translatey scale scalex scaley rotate skewx skewy calc
    blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
    """,
    )
)
"""The functions allowed in a value besides `url(#name)`; other CSS functions may load files."""

INNER = re.compile(r"#([^\s/\\%?#:'\"()]+)")
"""A reference to an element of the same picture."""

_CALL = re.compile(r"(?<![\w-])([\w-]*)\s*\(")
_INNER_URL = re.compile(rf"url\(\s*(['\"]?){INNER.pattern}\1\s*\)", re.IGNORECASE)
_PIXELS = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,[\sA-Za-z0-9+/=]*")
_DECLARED = re.compile(r"\s*([a-z-]+)\s*:([^;]*)(?:;|$)")


SVG_KIND = "data:image/svg+xml;base64,"
PICTURE_KEY = re.compile(r"pnp-picture:[0-9a-f]{40}")
"""The key that replaces the address of a large pixel image in our drawings."""
# The addresses of an `href` or `src` that lead nowhere outside the picture.
_INSIDE = ("data:", "#", "pnp-picture:")


def reaches_out(svg: str) -> bool:
    """Return True if a picture refers to anything outside itself, or has a document type, which may declare entities.

    None of our pictures and no art that passed the gate does. This is a second line of defence: resvg follows paths.

    Raises:
        ExpatError: if the picture is not well-formed, and nothing was found before the place.

    """
    addresses: list[str] = []

    def note_addresses(_: str, attributes: dict[str, str]) -> None:
        for name, value in attributes.items():
            # Only the beginning: the address of an embedded photograph has megabytes.
            address = value.lstrip()[: len("pnp-picture:")].lower()
            if (
                name.lower().endswith(("href", "src"))
                and address
                and not address.startswith(_INSIDE)
            ):
                addresses.append(address)

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = note_addresses
    parser.StartDoctypeDeclHandler = lambda *_: addresses.append("a document type")
    try:
        # ParseFile() reads blocks of 2 kB, and expat begins a long attribute again with each: an
        # embedded photograph of 6 MB took 4.5 s of CPU time, and takes 0.02 s in one piece.
        parser.Parse(svg.encode(errors="replace"), True)  # noqa: FBT003 - isfinal is positional
    except expat.ExpatError:
        if not addresses:
            raise
    return bool(addresses)


def pictures_in(root: ET.Element) -> Iterator[str]:
    """Yield the SVGs that a picture's images show, each once."""
    values = (
        value.strip()
        for element in root.iter()
        for key, value in element.items()
        if key_of(key) == "href"
    )
    for address in dict.fromkeys(values):
        if address.startswith(SVG_KIND):
            yield b64decode(address.removeprefix(SVG_KIND)).decode(errors="replace")


def tag_of(element: ET.Element) -> str:
    """Return an SVG element's name without its namespace; an empty string for any other element."""
    if not isinstance(element.tag, str):
        return ""
    namespace, _, tag = element.tag.rpartition("}")
    return tag if namespace in {"", f"{{{SVG}"} else ""


def key_of(key: str) -> str:
    """Return an attribute's name without SVG's namespaces, so that both forms of `href` are equal."""
    if key in {"xlink:href", f"{{{XLINK}}}href"}:
        return "href"
    return "xml:space" if key == _XML_SPACE else key


def is_known(tag: str, key: str) -> bool:
    """Return True if the table has this attribute of this element."""
    return key in ANYWHERE or key in PROPERTIES or key in ELEMENTS.get(tag, frozenset())


def is_plain(value: str) -> bool:
    """Return True if a value of CSS or of an attribute can only describe a drawing."""
    if "(" not in value and "\\" not in value:
        return True
    remainder = _INNER_URL.sub("", value)
    return "\\" not in remainder and all(
        match[1].lower() in FUNCTIONS | {""} for match in _CALL.finditer(remainder)
    )


def is_inside(tag: str, address: str) -> bool:
    """Return True if an `href` leads to a part of the picture."""
    if tag in {"image", "feImage"} and _PIXELS.fullmatch(address):
        return True
    return tag != "image" and bool(INNER.fullmatch(address))


def to_web_text(element: ET.Element, art: Collection[str] = ()) -> Html:
    """Return an element as text for a web page, with only the tags and attributes of the table.

    `art` holds the addresses of checked pictures that are placed whole; a browser runs nothing in
    an image.
    """
    parts: list[str] = []
    _write(element, art, parts.append)
    return Html("".join(parts))  # only elements and attributes of the table, with escaped values


def to_web_file(root: ET.Element, title: str, art: Collection[str]) -> Html:
    """Return a root element as a complete SVG file with a title; its content is written as by `to_web_text`."""
    attributes: list[str] = []
    content: list[str] = [_escape(root.text or "", quote=False)]
    _write_attributes(root, art, attributes.append)
    for child in root:
        _write(child, art, content.append)
    return html(
        '<svg xmlns="$namespace"$attributes><title>$title</title>$content</svg>',
        namespace=SVG,
        attributes=Html("".join(attributes)),
        title=title,
        content=Html("".join(content)),
    )


def _write(element: ET.Element, art: Collection[str], write: Callable[[str], object]) -> None:
    tag = tag_of(element)
    if tag in ELEMENTS:
        write(f"<{tag}")
        _write_attributes(element, art, write)
        if len(element) or element.text:
            write(f">{_escape(element.text or '', quote=False)}")
            for child in element:
                _write(child, art, write)
            write(f"</{tag}>")
        else:
            write("/>")
    if element.tail:
        write(_escape(element.tail, quote=False))


def _write_attributes(
    element: ET.Element, art: Collection[str], write: Callable[[str], object]
) -> None:
    for key, value in _attributes(tag_of(element), element, art):
        write(f' {key}="{_escape(value)}"')


_HAS_MEANING = re.compile("[&<>\"']")


def _escape(text: str, *, quote: bool = True) -> str:
    """Return a text without any character that has a meaning in XML."""
    return escape(text, quote) if _HAS_MEANING.search(text) else text


def _attributes(tag: str, element: ET.Element, art: Collection[str]) -> Iterator[tuple[str, str]]:
    simple = _simple(tag)
    for name, value in element.attrib.items():
        if name in simple:
            if is_plain(value):
                yield name, value
            continue
        key = key_of(name)
        if key == "style":
            yield key, ";".join(_declarations(value))
        elif key == "href":
            if is_inside(tag, value.strip()) or (tag in {"image", "feImage"} and value in art):
                yield key, value.strip()
        elif is_known(tag, key) and is_plain(value):
            yield key, value


@cache
def _simple(tag: str) -> frozenset[str]:
    """Return the attributes of an element that have one name and only describe how it is drawn."""
    return (ANYWHERE | PROPERTIES | ELEMENTS[tag]) - {"style", "href"}


def _declarations(css: str) -> Iterator[str]:
    for match in _DECLARED.finditer(css):
        if match[1] in PROPERTIES and is_plain(match[2]):
            yield f"{match[1]}:{match[2].strip()}"
