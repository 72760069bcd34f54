"""Properties of CSS that stand for several, or that SVG writes otherwise."""

import re
from collections.abc import Iterator

_FONT = re.compile(
    r"^(?P<words>(?:(?:normal|italic|oblique|small-caps|bold|bolder|lighter|[1-9]00|(?:ultra-|extra-|semi-)?"
    r"(?:condensed|expanded))\s+)*)"
    r"(?P<size>[\d.]+[a-z%]*|(?:xx?-)?(?:small|large)|medium|smaller|larger)(?:\s*/\s*[^\s,]+)?\s+(?P<family>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_UNIT = re.compile(r"(?<![\d.])([-+]?+(?:\d++\.?+\d*+|\.\d++)(?:e[-+]?\d++)?+)(px|deg|turn|rad|grad)\b", re.IGNORECASE)
_TURN = {"deg": 1.0, "turn": 360.0, "rad": 57.29577951308232, "grad": 0.9}


def expanded(name: str, value: str) -> Iterator[tuple[str, str]]:
    """The properties that one declaration sets."""
    if name == "font":
        yield from _font(value)
    elif name == "marker":
        yield from ((f"marker-{end}", value) for end in ("start", "mid", "end"))
    elif name in {"transform", "rotate", "scale", "translate"}:
        yield ("transform", _transform(name, value))
    else:
        yield name, value


def _font(value: str) -> Iterator[tuple[str, str]]:
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


def _transform(name: str, value: str) -> str:
    """A transformation of CSS as SVG writes it: no units, angles in degrees."""
    if name != "transform":
        value = f"{name}({', '.join(value.split())})" if value.strip() != "none" else "none"

    def plain(match: re.Match[str]) -> str:
        return f"{float(match[1]) * _TURN.get(match[2].lower(), 1.0):.6g}"

    value = re.sub(r"\btranslateX\(([^)]*)\)", r"translate(\1, 0)", _UNIT.sub(plain, value))
    value = re.sub(r"\btranslateY\(([^)]*)\)", r"translate(0, \1)", value)
    value = re.sub(r"\bscaleX\(([^)]*)\)", r"scale(\1, 1)", value)
    return re.sub(r"\bscaleY\(([^)]*)\)", r"scale(1, \1)", value)
