"""Simplify a picture: remove undrawn parts, and rewrite newer notation that the engines lack.

First editors' data, links, animations and other languages go; the rest has one namespace, so names
are written without any. Then CSS notation is rewritten as SVG 1.1 attributes.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from xml.etree import ElementTree as ET

from generator.base.svg_table import ELEMENTS, XLINK, tag_of
from generator.draw.art.gate import INKSCAPE_LABEL
from generator.draw.art.tree import (
    HREF,
    LABEL,
    MEDIUM_FONT_SIZE,
    STROKED_ELEMENTS,
    TEXT_ELEMENTS,
    declarations,
    format_style,
    length,
    property_of,
)

_XML = "{http://www.w3.org/XML/1998/namespace}"
_REPLACED_LATER = {"a", "switch", "style", "foreignObject"}
"""Elements that later steps replace."""
DRAWN_ELEMENTS = {
    *("svg", "g", "use", "switch", "a", "image", "foreignObject"),
    *TEXT_ELEMENTS,
    *STROKED_ELEMENTS,
}
"""Elements that are drawn where they stand; SVG's conditions apply to these alone."""
CONDITIONS = ("requiredExtensions", "requiredFeatures", "systemLanguage")


def make_plain(root: ET.Element, language: str, references: Collection[str] = ()) -> ET.Element:
    """Return a copy of a picture with plain names, as a reader of this language sees it.

    `references` are the ids that the picture refers to. An element that stands in an element which
    is not SVG, such as an editor's private data, draws nothing there, but a `<use>` may show it: it
    is moved to the definitions.
    """
    copy = _copy(root, language, in_text=False)
    if copy is None:
        return ET.Element("svg")
    present = {element.get("id", "") for element in copy.iter()}
    for element in root.iter():
        if element.get("id") in references and element.get("id") not in present:
            part = _copy(element, language, in_text=False)
            if part is not None:
                part.tail = None
                ET.SubElement(copy, "defs").append(part)
                present |= {inner.get("id", "") for inner in part.iter()}
    return copy


def _copy(element: ET.Element, language: str, *, in_text: bool) -> ET.Element | None:
    tag = tag_of(element)
    if (tag not in ELEMENTS and tag not in _REPLACED_LATER) or (
        tag in DRAWN_ELEMENTS and not _applies(element, language)
    ):
        return None
    if tag == "a":
        tag = "tspan" if in_text else "g"
    in_text = in_text or tag == "text"
    copy = ET.Element("g" if tag == "switch" else tag, _attributes(element))
    copy.text = element.text
    copy.tail = element.tail
    for child in element:
        child_copy = _copy(child, language, in_text=in_text)
        if tag == "switch" and child_copy is not None and child_copy.tag == "foreignObject":
            child_copy = None
        if child_copy is not None:
            copy.append(child_copy)
        elif child.tail:
            _add_text(copy, child.tail)
        if tag == "switch" and child_copy is not None:
            break
    return copy


def _applies(element: ET.Element, language: str) -> bool:
    """Return True if SVG's conditions hold: no extension is known, every feature is, and languages must match."""
    if element.get("requiredExtensions"):
        return False
    languages = element.get("systemLanguage")
    if languages is None:
        return True
    mine = language.replace("_", "-").lower()
    names = [part.strip().lower() for part in languages.split(",")]
    return any(
        mine == name or mine.startswith(f"{name}-") or name.startswith(f"{mine}-")
        for name in names
        if name
    )


def _add_text(parent: ET.Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def _attributes(element: ET.Element) -> dict[str, str]:
    is_link = tag_of(element) == "a"
    result = {}
    for key, value in element.attrib.items():
        plain_key = _plain_key(key)
        if plain_key == HREF and (is_link or (key != "href" and "href" in element.attrib)):
            continue  # SVG 2: `href` takes precedence over `xlink:href`
        if plain_key and plain_key not in CONDITIONS:
            result[plain_key] = value
    return result


def _plain_key(key: str) -> str:
    """Return an attribute's plain name.

    Empty for attributes of editors, scripts and screen readers.
    """
    if key == INKSCAPE_LABEL:
        return LABEL
    if key.startswith(_XML):
        return f"xml:{key[len(_XML) :]}" if key.endswith("space") else ""
    namespace, _, local = key.rpartition("}")
    if local == "href" and namespace in {"", f"{{{XLINK}"}:
        return HREF
    return (
        ""
        if namespace or local.startswith(("on", "aria-", "data-")) or local in {"role", "xmlns"}
        else local
    )


PAINTED = ("fill", "stroke", "color", "stop-color", "flood-color", "lighting-color")
GEOMETRY = {"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry"}
PRESERVED_SPACES = {"pre", "pre-wrap", "break-spaces"}

_PLACE = {"x", "y", "width", "height", "viewBox", "preserveAspectRatio"}
_SLASH = re.compile(r"\b(rgb|hsl)a?\(\s*([^()/]+?)\s*/\s*([\d.]+%?)\s*\)", re.IGNORECASE)
_NAME = re.compile(r"\brebeccapurple\b", re.IGNORECASE)
_PRESS_COLOUR = re.compile(r"\s+(?:icc-color|device-cmyk)\([^()]*\)", re.IGNORECASE)
"""A press colour that follows the screen colour."""
_FONT = re.compile(
    r"^(?P<words>(?:(?:normal|italic|oblique|small-caps|bold|bolder|lighter|[1-9]00|(?:ultra-|extra-|semi-)?"
    r"(?:condensed|expanded))\s+)*)"
    r"(?P<size>[\d.]+[a-z%]*|(?:xx?-)?(?:small|large)|medium|smaller|larger)(?:\s*/\s*[^\s,]+)?\s+(?P<family>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_UNIT = re.compile(
    r"(?<![\d.])([-+]?+(?:\d++\.?+\d*+|\.\d++)(?:e[-+]?\d++)?+)(px|deg|turn|rad|grad)\b",
    re.IGNORECASE,
)
_DEGREES_PER_UNIT = {"deg": 1.0, "turn": 360.0, "rad": 57.29577951308232, "grad": 0.9}


def has_press_colours(root: ET.Element) -> bool:
    """Return True if a colour of the picture has a press colour beside it, which the engines do not know."""
    return any(
        _PRESS_COLOUR.search(value) for element in root.iter() for value in element.attrib.values()
    )


def rewrite_css(root: ET.Element) -> None:
    """Rewrite notation that the engines would draw black or not at all."""
    uses: dict[str, list[ET.Element]] = {}
    for use in root.iter("use"):
        uses.setdefault(use.get(HREF, "").strip(), []).append(use)
    for element in [element for element in root.iter("svg") if element is not root]:
        _wrap_inner_svg(element, uses.get(f"#{element.get('id')}", ()))
    for element in root.iter():
        for name in PAINTED:
            if name in element.attrib:
                element.set(name, _rewrite_colours(element.attrib[name]))
        if "style" in element.attrib:
            _rewrite_style(element, declarations(_rewrite_colours(element.attrib["style"])))


def _wrap_inner_svg(element: ET.Element, uses: Iterable[ET.Element]) -> None:
    """Move an inner `<svg>`'s transform and opacity to a group: the engines apply them wrongly on `<svg>`.

    Each `<use>` of the `<svg>` gets a group of its own with these, since it gives the `<svg>` another size.
    """
    overflow = property_of(element, "overflow")
    outside = {
        key: value for key, value in element.attrib.items() if key not in _PLACE | {"overflow"}
    }
    if not {*outside} - {"id"}:
        return
    inner = ET.Element(
        "svg", {key: value for key, value in element.attrib.items() if key in _PLACE}
    )
    if overflow is not None:
        inner.set("overflow", overflow)
    uses = list(uses)
    if uses:
        inner.set("id", outside.pop("id"))
    for use in uses:
        _wrap_use(use, outside)
    inner.extend(list(element))
    tail = element.tail
    element.clear()
    element.tag = "g"
    element.tail = tail
    element.attrib.update(outside)
    element.append(inner)


def _wrap_use(use: ET.Element, outside: Mapping[str, str]) -> None:
    """Put the attributes of an `<svg>` around its `<use>`, inside of those that the `<use>` has itself."""
    inner = ET.Element(
        "use", {key: value for key, value in use.attrib.items() if key in _PLACE | {HREF}}
    )
    own_attributes = {key: value for key, value in use.attrib.items() if key not in _PLACE | {HREF}}
    group = ET.Element("g", dict(outside))
    group.append(inner)
    tail = use.tail
    use.clear()
    use.tag = "g"
    use.tail = tail
    use.attrib.update(own_attributes)
    if "transform" in outside:
        # The <svg>'s own transform applies after the shift by the <use>'s x and y.
        x, y = (length(inner.attrib.pop(side, "0"), MEDIUM_FONT_SIZE) or 0.0 for side in ("x", "y"))
        use.set(
            "transform", f"{own_attributes.get('transform', '')} translate({x:.9g} {y:.9g})".strip()
        )
    use.append(group)


def resolve_text_lengths(element: ET.Element, width: float) -> None:
    """Replace percentages of `textLength`, which the engines take of the viewport's diagonal, by lengths.

    SVG 2 takes them of the viewport's width; `width` is that of the viewport around the element.
    """
    text_length = element.get("textLength", "")
    if text_length.strip().endswith("%"):
        element.set("textLength", f"{length(text_length, MEDIUM_FONT_SIZE, width) or 0.0:.9g}")
    view = re.findall(r"[-+.\deE]+", element.get("viewBox", ""))
    if len(view) == 4:
        width = float(view[2])
    elif element.tag == "svg":
        width = length(element.get("width", "100%"), MEDIUM_FONT_SIZE, width) or width
    for child in element:
        resolve_text_lengths(child, width)


_REGION = ("x", "y", "width", "height")
_STANDARD_INPUTS = {
    "SourceGraphic",
    "SourceAlpha",
    "BackgroundImage",
    "BackgroundAlpha",
    "FillPaint",
    "StrokePaint",
}


def pin_regions(root: ET.Element) -> None:
    """Give the regions of filter steps, which resvg loses, to steps of their own.

    resvg 0.47 ignores the region of an `<feOffset>` that shifts the result of another step, and
    takes the colours that a `<feTile>` repeats for sRGB, though they are linear by default. An
    `<feMerge>` of a single node changes nothing but the region and the kind of colours. Regions in
    shares of the object's box are left alone.
    """
    for item in (
        element
        for element in root.iter("filter")
        if element.get("primitiveUnits") != "objectBoundingBox"
    ):
        steps: list[ET.Element] = []
        for step in item:
            source = _input_of(step, steps) if step.tag == "feTile" else None
            if source is not None:
                tile = _merge_of(source, len(steps), _region_of(source, steps))
                tile.attrib |= {
                    "result": f"pnp-tile-{len(steps)}",
                    "color-interpolation-filters": "sRGB",
                }
                step.set("in", tile.attrib["result"])
                steps.append(tile)
            steps.append(step)
            region = _region_of(step, steps) if step.tag == "feOffset" else {}
            if region:
                name = {"result": step.attrib.pop("result")} if "result" in step.attrib else {}
                steps.append(_merge_of(step, len(steps), {**region, **name}))
        item[:] = steps


def _merge_of(step: ET.Element, number: int, attributes: Mapping[str, str]) -> ET.Element:
    """Return a step that repeats the result of another; name that result if it has no name."""
    step.set("result", step.get("result", f"pnp-step-{number}"))
    merge = ET.Element("feMerge", dict(attributes))
    for key in ("style", "color-interpolation-filters"):
        if key in step.attrib:
            merge.set(key, step.attrib[key])
    ET.SubElement(merge, "feMergeNode", {"in": step.attrib["result"]})
    return merge


def _input_of(step: ET.Element, before: Sequence[ET.Element]) -> ET.Element | None:
    """Return the step whose result another step reads; None for the filter's own input."""
    name = step.get("in", "").strip()
    if not before or name in _STANDARD_INPUTS:
        return None
    return next(
        (item for item in reversed(before) if name and item.get("result") == name), before[-1]
    )


def _region_of(step: ET.Element, before: Sequence[ET.Element]) -> dict[str, str]:
    """Return the region of a step; an `<feOffset>` without one has that of its input."""
    region = {side: step.attrib[side] for side in _REGION if side in step.attrib}
    if region or step.tag != "feOffset":
        return region
    earlier = before[: next(place for place, item in enumerate(before) if item is step)]
    source = _input_of(step, earlier)
    return {} if source is None else _region_of(source, earlier)


def _rewrite_style(element: ET.Element, styles: dict[str, str]) -> None:
    if styles.get("white-space") in PRESERVED_SPACES:
        element.set("xml:space", "preserve")
    for name in GEOMETRY & {*styles} if element.tag not in TEXT_ELEMENTS else ():
        if styles[name] != "auto":
            element.set(name, styles.pop(name))
    if "(" in styles.get("filter", ""):
        element.set("filter", styles.pop("filter"))
    # Browsers read SVG's notation of a transform in the attribute only, not in a style.
    if "transform" in styles and element.tag in DRAWN_ELEMENTS:
        element.set("transform", styles.pop("transform").removeprefix("none"))
    element.set("style", format_style(styles))


def _rewrite_colours(text: str) -> str:
    return _PRESS_COLOUR.sub("", _SLASH.sub(_with_commas, _NAME.sub("#663399", text)))


def _with_commas(match: re.Match[str]) -> str:
    """Return `rgb(10 120 200 / 50%)` with commas."""
    share = match[3]
    alpha = float(share[:-1]) / 100 if share.endswith("%") else float(share)
    return f"{match[1].lower()}a({', '.join(match[2].replace(',', ' ').split())}, {alpha:g})"


def expand_shorthand(name: str, value: str) -> Iterator[tuple[str, str]]:
    """Yield the properties that one CSS declaration sets."""
    if name == "font":
        yield from _expand_font(value)
    elif name == "marker":
        yield from ((f"marker-{end}", value) for end in ("start", "mid", "end"))
    elif name in {"transform", "rotate", "scale", "translate"}:
        yield ("transform", _svg_transform(name, value))
    else:
        yield name, value


def _expand_font(value: str) -> Iterator[tuple[str, str]]:
    match = _FONT.match(value.strip())
    if match is None:
        return
    words = match["words"].lower().split()
    yield "font-style", next((word for word in words if word in {"italic", "oblique"}), "normal")
    yield "font-variant", "small-caps" if "small-caps" in words else "normal"
    weights = [word for word in words if word in {"bold", "bolder", "lighter"} or word.isdigit()]
    yield "font-weight", weights[0] if weights else "normal"
    stretches = [word for word in words if word.endswith(("condensed", "expanded"))]
    yield "font-stretch", stretches[0] if stretches else "normal"
    yield "font-size", match["size"]
    yield "font-family", match["family"].strip()


def _svg_transform(name: str, value: str) -> str:
    """Return a CSS transform in SVG notation: without units, angles in degrees."""
    if name != "transform":
        value = f"{name}({', '.join(value.split())})" if value.strip() != "none" else "none"

    def plain(match: re.Match[str]) -> str:
        return f"{float(match[1]) * _DEGREES_PER_UNIT.get(match[2].lower(), 1.0):.6g}"

    value = re.sub(r"\btranslateX\(([^)]*)\)", r"translate(\1, 0)", _UNIT.sub(plain, value))
    value = re.sub(r"\btranslateY\(([^)]*)\)", r"translate(0, \1)", value)
    value = re.sub(r"\bscaleX\(([^)]*)\)", r"scale(\1, 1)", value)
    return re.sub(r"\bscaleY\(([^)]*)\)", r"scale(1, \1)", value)
