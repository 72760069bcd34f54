"""CSS worked out: every element gets the style that it ends up with, and the style sheets go.

So nothing of a picture's style can reach another picture on the same face, and
the later steps read a property from its element.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree as ET

from generator.core.problems import Wrong
from generator.draw.art.css import CssRule, Declaration, read_declarations, read_rules
from generator.draw.art.model import written
from generator.draw.art.selectors import Parents
from generator.draw.art.shorthands import expanded

_VAR = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_INLINE = (1, 0, 0, 0)
MAX_EFFORT = 5_000_000
MAX_VAR_STEPS = 20


def cascade(root: ET.Element, name: str) -> None:
    """Give every element of the picture its own style."""
    rules = _rules(root, name)
    parents = {child: parent for parent in root.iter() for child in parent}
    _check_effort(root, rules, name)
    for element in list(root.iter()):
        declared = _declared(element, rules, parents)
        if declared:
            element.set("style", written(declared))
        else:
            element.attrib.pop("style", None)
    _fill_variables(root, {}, name)
    for parent in list(root.iter()):
        for child in [child for child in parent if child.tag == "style"]:
            parent.remove(child)


def _rules(root: ET.Element, name: str) -> Mapping[tuple[str, str], list[CssRule]]:
    """All rules, by what an element must have for them."""
    found: dict[tuple[str, str], list[CssRule]] = defaultdict(list)
    start = 0
    for sheet in root.iter("style"):
        if sheet.get("type", "text/css") not in {"text/css", ""}:
            continue
        rules = read_rules("".join(sheet.itertext()), name, start)
        start += len(rules)
        for rule in rules:
            found[rule.selector.key].append(rule)
    return found


def _check_effort(root: ET.Element, rules: Mapping[tuple[str, str], list[CssRule]], name: str) -> None:
    """Refuse style sheets that would take minutes to work out."""
    widest, deepest = max(map(len, root.iter())), _depth(root)
    efforts = {key: sum(rule.selector.effort(widest, deepest) for rule in some) for key, some in rules.items()}
    effort = sum(efforts.get(key, 0) for element in root.iter() for key in _keys(element))
    if effort > MAX_EFFORT:
        found = f"{name}: to try its style sheets on all elements takes some {effort:.0e} steps"
        raise Wrong(found, f"at most {MAX_EFFORT:.0e}", "export with presentation attributes or inline styles instead")


def _depth(element: ET.Element) -> int:
    return 1 + max(map(_depth, element), default=0)


def _declared(element: ET.Element, rules: Mapping[tuple[str, str], list[CssRule]], parents: Parents) -> dict[str, str]:
    """The properties that win, from the style sheets and the element's own style."""
    ranked: list[tuple[bool, tuple[int, ...], int, Declaration]] = []
    for key in _keys(element):
        for rule in rules.get(key, ()):
            if rule.selector.matches(element, parents):
                rank = (0, *rule.selector.specificity)
                ranked.extend((one.important, rank, rule.order, one) for one in rule.declarations)
    ranked.extend((one.important, _INLINE, 0, one) for one in read_declarations(element.get("style", "")))
    ranked.sort(key=lambda item: item[:3])
    result: dict[str, str] = {}
    for *_, one in ranked:
        for name, value in expanded(one.name, one.value):
            result.pop(name, None)
            result[name] = value
    return result


def _keys(element: ET.Element) -> Iterator[tuple[str, str]]:
    yield "", ""
    yield "tag", element.tag
    yield "id", element.get("id", "")
    yield from (("cls", name) for name in dict.fromkeys(element.get("class", "").split()))


def _fill_variables(element: ET.Element, known: Mapping[str, str], name: str) -> None:
    """Replace `var(--x, fallback)` and take the variables away; they are inherited."""
    style = element.get("style", "")
    if "--" in style:
        own = {one.name: one.value for one in read_declarations(style)}
        known = {**known, **{key: value for key, value in own.items() if key.startswith("--")}}
        kept = {key: _filled(value, known, name) for key, value in own.items() if not key.startswith("--")}
        element.set("style", written(kept))
    for key, value in element.attrib.items():
        if "var(" in value:
            element.set(key, _filled(value, known, name))
    for child in element:
        _fill_variables(child, known, name)


def _filled(value: str, known: Mapping[str, str], name: str) -> str:
    for _ in range(MAX_VAR_STEPS):
        match = _VAR.search(value)
        if match is None:
            return value
        found = known.get(match[1], match[2])
        if found is None:
            raise Wrong(f"{name}: the variable {match[1]} has no value", "a value, or var(…) with a fallback")
        value = value[: match.start()] + found.strip() + value[match.end() :]
    raise Wrong(f"{name}: the variable in {value[:60]!r} leads back to itself", "a value")
