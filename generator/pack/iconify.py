"""Iconify's JSON: bodies of SVGs with their sizes, and aliases that turn or mirror others.

The format: https://iconify.design/docs/types/iconify-json.html
"""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.core.problems import Wrong

SIZE = 16.0
"""The width and the height of icons that say neither."""
MAX_ALIASES = 8
NUMBERS = ("left", "top", "width", "height")


def icons_of(data: Any, source: str) -> tuple[str, dict[str, str]]:
    """The set's prefix, and every icon as SVG by its name."""
    if not isinstance(data, dict) or not isinstance(data.get("prefix"), str) or not isinstance(data.get("icons"), dict):
        raise Wrong(f"{source!r} is no icon set", "Iconify's JSON, with `prefix` and `icons`")
    defaults = {key: data[key] for key in NUMBERS if key in data}
    bodies, aliases = data["icons"], data.get("aliases") or {}
    found = {}
    for name in (*bodies, *aliases):
        found[name] = _svg({**defaults, **_resolved(name, bodies, aliases, source)}, f"{source!r}: icon {name!r}")
    return data["prefix"], found


def _resolved(name: str, bodies: Mapping[str, Any], aliases: Mapping[str, Any], source: str) -> dict[str, Any]:
    """An icon's own values, or those of the one that an alias leads to, with what the aliases change."""
    chain, at = list[Mapping[str, Any]](), name
    while at not in bodies:
        alias = aliases.get(at)
        if not isinstance(alias, dict) or len(chain) == MAX_ALIASES:
            raise Wrong(f"{source!r}: the alias {name!r} leads nowhere", "the name of an icon as its parent")
        chain.append(alias)
        at = str(alias.get("parent"))
    if not isinstance(bodies[at], dict):
        raise Wrong(f"{source!r}: icon {at!r} is no icon", "a mapping with a body")
    result = dict(bodies[at])
    for alias in reversed(chain):
        for flip in ("hFlip", "vFlip"):
            result[flip] = bool(result.get(flip)) != bool(alias.get(flip))
        result["rotate"] = (_number(result, "rotate", 0, source) + _number(alias, "rotate", 0, source)) % 4
        result.update({key: alias[key] for key in NUMBERS if key in alias})
    return result


def _number(icon: Mapping[str, Any], key: str, default: float, label: str) -> float:
    value = icon.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Wrong(f"{label}: {key} is {value!r}", "a number")
    return value


def _svg(icon: Mapping[str, Any], label: str) -> str:
    body = icon.get("body")
    if not isinstance(body, str):
        raise Wrong(f"{label} has no body", "the text of an SVG's elements")
    left, top = (_number(icon, key, 0, label) for key in ("left", "top"))
    w, h = (_number(icon, key, SIZE, label) for key in ("width", "height"))
    turns = round(_number(icon, "rotate", 0, label)) % 4
    steps = " ".join(_steps(icon, turns, (left, top, w, h)))
    if turns % 2:
        w, h = h, w
    inner = f'<g transform="{steps}">{body}</g>' if steps else body
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' viewBox="{left:g} {top:g} {w:g} {h:g}">{inner}</svg>'
    )


def _steps(icon: Mapping[str, Any], turns: int, box: tuple[float, float, float, float]) -> Iterator[str]:
    """The transformations that keep the icon in its box: first mirrored, then turned in quarters clockwise."""
    left, top, w, h = box
    across, down = 2 * left + w, 2 * top + h
    if turns == 1:
        yield f"translate({left + top + h:g} {top - left:g}) rotate(90)"
    elif turns == 2:
        yield f"translate({across:g} {down:g}) scale(-1)"
    elif turns == 3:
        yield f"translate({left - top:g} {top + left + w:g}) rotate(-90)"
    if icon.get("hFlip"):
        yield f"translate({across:g} 0) scale(-1 1)"
    if icon.get("vFlip"):
        yield f"translate(0 {down:g}) scale(1 -1)"
