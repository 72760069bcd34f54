"""CSS worked out: every element gets the style that it ends up with, and the style sheets go.

Sheets are read as for print: `@media print` and `@media all` count, other media (screens, dark modes, widths) do not,
`@font-face` and animations draw nothing here. The engines know less of CSS than tinycss2 and cssselect2 do, and the
later steps read a property from its element. A selector that cannot be read is an error, never skipped.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from xml.etree import ElementTree as ET

import tinycss2
from cssselect2 import ElementWrapper, Matcher, parser
from cssselect2.compiler import CompiledSelector

from generator.core.problems import Wrong
from generator.draw.art.model import written
from generator.draw.art.plain import expanded

MAX_EFFORT = 5_000_000
MAX_VAR_STEPS = 20
MAX_GROUPS = 8
"""So deep may `@media` lie in `@media`."""
MAX_SELECTOR = 2_000
"""Characters of one list of selectors."""

_VAR = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_PRINTED = re.compile(r"(?:^|,)\s*(?:only\s+)?(?:all|print)\s*(?:,|$)", re.IGNORECASE)
_BEYOND = re.compile(r"(?:^|[\s,(])(?:color|lab|lch|oklab|oklch|color-mix|light-dark)\(", re.IGNORECASE)
_QUOTED = re.compile(r"""url\("(#[^"'\\()\s]+)"\)""")
_INLINE = (1, 0, 0, 0)

Declared = tuple[str, str, bool]
"""`fill: red !important`: the name, the value, whether it is important."""


def cascade(root: ET.Element, name: str) -> None:
    """Give every element of the picture its own style."""
    try:
        _style_all(root, name)
    except Wrong:
        raise
    except (RecursionError, ValueError) as error:
        raise Wrong(f"{name}: its style sheets cannot be read: {error}", "plain style sheets") from error
    _fill_variables(root, {}, name)
    for parent in list(root.iter()):
        for child in [child for child in parent if child.tag == "style"]:
            parent.remove(child)


def _style_all(root: ET.Element, name: str) -> None:
    matcher = _Sheets(root, name).matcher()
    if matcher is None:
        for element in root.iter():
            if "style" in element.attrib:
                _restyle(element, [])
        return
    for wrapper in ElementWrapper.from_xml_root(root).iter_subtree():
        found = [((0, *rank), order, one) for rank, order, pseudo, one in matcher.match(wrapper) if pseudo is None]
        _restyle(wrapper.etree_element, found)


def _restyle(element: ET.Element, found: Sequence[tuple[tuple[int, ...], int, Sequence[Declared]]]) -> None:
    """Give an element the properties that win, of the style sheets and of its own style."""
    own = _declarations(tinycss2.parse_blocks_contents(element.get("style", ""))) if "style" in element.attrib else ()
    every = [(one[2], rank, order, one) for rank, order, declared in (*found, (_INLINE, 0, own)) for one in declared]
    result: dict[str, str] = {}
    for *_, one in sorted(every, key=lambda item: item[:3]):
        for name, value in expanded(one[0], one[1]):
            result.pop(name, None)
            result[name] = value
    if result:
        element.set("style", written(result))
    else:
        element.attrib.pop("style", None)


def _declarations(content: Sequence[Any]) -> tuple[Declared, ...]:
    """The declarations of a rule or a `style`; colours of newer kinds are left out, as older browsers do.

    So an earlier, plain colour counts, as Figma writes one before each of the others.
    """
    if not content or not isinstance(content[0], tinycss2.ast.Declaration | tinycss2.ast.ParseError):
        content = tinycss2.parse_blocks_contents(content)
    plain = ((one, _value(one)) for one in content if one.type == "declaration")
    return tuple(
        (one.name if one.name.startswith("--") else one.lower_name, value, one.important)
        for one, value in plain
        if not _BEYOND.search(value)
    )


def _value(one: Any) -> str:
    return _QUOTED.sub(r"url(\1)", tinycss2.serialize([part for part in one.value if part.type != "comment"]).strip())


def _holds(media: str) -> bool:
    return not media.strip() or bool(_PRINTED.search(media))


@dataclass(frozen=True)
class _Rule:
    """One selector with its declarations; `effort` is about how many steps it takes to try it on the picture."""

    selector: CompiledSelector
    declared: Sequence[Declared]
    effort: int


@dataclass(frozen=True)
class _Sheets:
    """The style sheets of a picture."""

    root: ET.Element
    name: str

    def matcher(self) -> Matcher | None:
        """All rules, ready to be asked of each element; nothing where there are none."""
        matcher, count, effort = Matcher(), 0, 0
        for sheet in self.root.iter("style"):
            if sheet.get("type", "text/css").strip() in {"text/css", ""} and _holds(sheet.get("media", "all")):
                for rule in self._rules("".join(sheet.itertext())):
                    effort += rule.effort
                    if effort > MAX_EFFORT:
                        raise self._too_much(effort)
                    matcher.add_selector(rule.selector, rule.declared)
                    count += 1
        return matcher if count else None

    def _too_much(self, effort: int) -> Wrong:
        found = f"{self.name}: to try its style sheets on all elements takes some {effort:.0e} steps"
        hint = "export with presentation attributes or inline styles instead"
        return Wrong(found, f"at most {MAX_EFFORT:.0e}", hint)

    def _rules(self, css: str, depth: int = 0) -> Iterator[_Rule]:
        """Selectors with their declarations; a list of selectors is several."""
        plain = css.replace("<!--", " ").replace("-->", " ")
        for rule in tinycss2.parse_stylesheet(plain, skip_comments=True, skip_whitespace=True):
            if rule.type == "at-rule" and rule.lower_at_keyword == "media" and rule.content:
                if _holds(tinycss2.serialize(rule.prelude)):
                    yield from self._group(tinycss2.serialize(rule.content), depth + 1)
            elif rule.type == "qualified-rule":
                declared = _declarations(rule.content)
                yield from self._selectors(tinycss2.serialize(rule.prelude).strip(), declared)

    def _group(self, css: str, depth: int) -> Iterator[_Rule]:
        if depth > MAX_GROUPS:
            found = f"{self.name}: its style sheets have @media in @media more than {MAX_GROUPS} deep"
            raise Wrong(found, f"at most {MAX_GROUPS}", "put the rules into one @media, or into none")
        return self._rules(css, depth)

    def _selectors(self, text: str, declared: Sequence[Declared]) -> Iterator[_Rule]:
        if len(text) > MAX_SELECTOR:
            raise self._unknown(text)
        try:
            for one in parser.parse(text, {}):
                effort = self._effort(one.parsed_tree) * self._asked(one.parsed_tree)
                yield _Rule(CompiledSelector(one), declared, effort)
        except (ValueError, SyntaxError, MemoryError) as error:
            raise self._unknown(text) from error

    def _unknown(self, text: str) -> Wrong:
        shown = text if len(text) < 80 else text[:77] + "…"
        found = f"{self.name} has the selector {shown!r}, which is not understood"
        return Wrong(found, "a selector of tags, classes, ids and places")

    def _effort(self, node: Any) -> int:
        """About how many steps it takes to try a selector on one element."""
        everywhere, widest, deepest = self._reach
        if isinstance(node, parser.CombinedSelector):
            factor = {" ": deepest, "~": widest}.get(node.combinator, 1)
            return self._effort(node.right) + factor * self._effort(node.left)
        if isinstance(node, parser.CompoundSelector):
            return 1 + sum(map(self._effort, node.simple_selectors))
        if isinstance(node, parser.FunctionalPseudoClassSelector | parser.PseudoClassSelector):
            return widest
        factor = everywhere if isinstance(node, parser.RelationalSelector) else 1
        inner = (getattr(one, "selector", one) for one in getattr(node, "selector_list", ()))
        return factor * (1 + sum(self._effort(one.parsed_tree) for one in inner))

    def _asked(self, node: Any) -> int:
        """How many elements a selector is tried on: those with its class, id or tag."""
        last = node.right if isinstance(node, parser.CombinedSelector) else node
        found = [self._counts[key] for one in last.simple_selectors for key in _keys(one)]
        return min(found, default=self._reach[0])

    @cached_property
    def _reach(self) -> tuple[int, int, int]:
        """How many elements the picture has, how many at most stand beside each other, and how deep."""
        return sum(1 for _ in self.root.iter()), max(map(len, self.root.iter())), _depth(self.root)

    @cached_property
    def _counts(self) -> Counter[tuple[str, str]]:
        """How many elements have a tag, an id, a class."""
        found: Counter[tuple[str, str]] = Counter()
        for element in self.root.iter():
            found[("tag", element.tag)] += 1
            found[("id", element.get("id", ""))] += 1
            found.update(("class", name) for name in set(element.get("class", "").split()))
        return found


def _keys(simple: Any) -> Iterator[tuple[str, str]]:
    if isinstance(simple, parser.IDSelector):
        yield "id", simple.ident
    elif isinstance(simple, parser.ClassSelector):
        yield "class", simple.class_name
    elif isinstance(simple, parser.LocalNameSelector):
        yield "tag", simple.local_name


def _depth(element: ET.Element) -> int:
    return 1 + max(map(_depth, element), default=0)


def _fill_variables(element: ET.Element, known: Mapping[str, str], picture: str) -> None:
    """Replace `var(--x, fallback)` and take the variables away; they are inherited."""
    style = element.get("style", "")
    if "--" in style:
        own = {name: value for name, value, _ in _declarations(tinycss2.parse_blocks_contents(style))}
        known = {**known, **{key: value for key, value in own.items() if key.startswith("--")}}
        kept = {key: _filled(value, known, picture) for key, value in own.items() if not key.startswith("--")}
        element.set("style", written(kept))
    for key, value in element.attrib.items():
        if "var(" in value:
            element.set(key, _filled(value, known, picture))
    for child in element:
        _fill_variables(child, known, picture)


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
