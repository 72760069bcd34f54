"""Radial gradients that PDF cannot hold as they are: repeated and mirrored ones, and those with an inner circle.

The circles between the focus and the rim go on in both directions, so a
gradient with more of them, and with its stops several times over, looks the same.
"""

from collections.abc import Mapping
from math import ceil, hypot
from xml.etree import ElementTree as ET

from generator.draw.art.computed import length
from generator.draw.art.model import HREF, Art, by_id
from generator.draw.art.viewport import inherited

TURNS = 12
"""How often the stops are repeated, where it is not known how far the object reaches."""
SHARED = ("gradientUnits", "gradientTransform", "spreadMethod", "cx", "cy", "r", "fx", "fy", "fr")


def settle_gradients(art: Art) -> None:
    """Write the radial gradients of a picture so that every engine draws them."""
    ids = by_id(art.root)
    found = [(one, _all(one, ids)) for one in art.root.iter("radialGradient")]
    stops = {one: _stops(one, ids) for one, _ in found}
    for one, values in found:
        if values.get("spreadMethod", "pad") != "pad" or _number(values.get("fr"), 0.0) > 0:
            _rewrite(one, values, stops[one])


def _all(one: ET.Element, ids: Mapping[str, ET.Element]) -> dict[str, str]:
    found = {name: inherited(one, name, ids) for name in SHARED}
    return {name: value for name, value in found.items() if value is not None}


def _stops(one: ET.Element, ids: Mapping[str, ET.Element]) -> list[tuple[float, ET.Element]]:
    """The stops with their offsets, its own or those of the gradient that it refers to."""
    seen: set[ET.Element] = set()
    at: ET.Element | None = one
    while at is not None and at not in seen:
        if stops := at.findall("stop"):
            return [(min(max(_number(stop.get("offset"), 0.0), 0.0), 1.0), stop) for stop in stops]
        seen.add(at)
        at = ids.get(at.get(HREF, "").strip()[1:])
    return []


def _number(text: str | None, default: float) -> float:
    value = length(text or "", 16.0, 1.0)
    return default if value is None else value


def _rewrite(one: ET.Element, values: dict[str, str], stops: list[tuple[float, ET.Element]]) -> None:
    in_box = values.get("gradientUnits", "objectBoundingBox") == "objectBoundingBox"
    half = 0.5 if in_box else 0.0
    cx, cy, r = (_number(values.get(name), half) for name in ("cx", "cy", "r"))
    fx, fy, fr = (_number(values.get(name), other) for name, other in (("fx", cx), ("fy", cy), ("fr", 0.0)))
    if not stops or not 0 <= fr < r:
        return
    start = -fr / (r - fr)
    spread = values.get("spreadMethod", "pad")
    end = 1.0 if spread == "pad" else _turns(values, (fx, fy), r - hypot(cx - fx, cy - fy))
    circle = {
        "cx": fx + end * (cx - fx),
        "cy": fy + end * (cy - fy),
        "r": fr + end * (r - fr),
        "fx": fx + start * (cx - fx),
        "fy": fy + start * (cy - fy),
    }
    one.attrib.update({name: f"{value:.9g}" for name, value in circle.items()})
    one.attrib.update({name: values[name] for name in ("gradientUnits", "gradientTransform") if name in values})
    one.set("spreadMethod", "pad")
    for name in ("fr", HREF):
        one.attrib.pop(name, None)
    one[:] = [_stop(stop, (at - start) / (end - start)) for at, stop in _course(stops, spread, start, end)]


def _turns(values: dict[str, str], focus: tuple[float, float], step: float) -> float:
    """How many circles are needed to cover the object: every turn reaches at least `step` further."""
    if values.get("gradientUnits") == "userSpaceOnUse" or "gradientTransform" in values or step <= 0:
        return float(TURNS)
    reach = max(hypot(x - focus[0], y - focus[1]) for x in (0, 1) for y in (0, 1))
    return float(min(max(ceil(reach / step), 1), TURNS))


def _course(
    stops: list[tuple[float, ET.Element]], spread: str, start: float, end: float
) -> list[tuple[float, ET.Element]]:
    """The stops as often as they come between the two ends."""
    if spread == "pad":
        return stops
    first = -1 if start < 0 else 0
    course: list[tuple[float, ET.Element]] = []
    for turn in range(first, int(end)):
        mirrored = spread == "reflect" and turn % 2
        ordered = [(1 - at, stop) for at, stop in reversed(stops)] if mirrored else stops
        padded = [(0.0, ordered[0][1]), *ordered, (1.0, ordered[-1][1])]
        course.extend((turn + at, stop) for at, stop in padded)
    return [(max(at, start), stop) for at, stop in course if at >= start - 1e-9]


def _stop(stop: ET.Element, offset: float) -> ET.Element:
    kept = {key: value for key, value in stop.attrib.items() if key not in {"id", "offset"}}
    return ET.Element("stop", {"offset": f"{offset:.6g}", **kept})
