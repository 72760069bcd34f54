"""Apply a picture's style sheets: every element gets its final style as an attribute.

Sheets are read as for print: `@media print` and `@media all` apply, other media do not;
`@font-face` and animations have no effect here. The engines support less CSS than tinycss2 and
cssselect2, and later steps read properties from the element alone. A selector that cannot be parsed
is an error: skipping one would change the picture silently.
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

from generator.base.errors import InvalidValueError
from generator.draw.art.simplify import expand_shorthand
from generator.draw.art.tree import format_style

# Limits against small files that are expensive to read.
MAX_MATCHING_STEPS = 5_000_000
"""Estimated matching steps of all selectors on all elements."""
MAX_VAR_REPLACEMENTS = 20
"""Replacements of `var()` within one value; more are taken for a circle."""
MAX_MEDIA_DEPTH = 8
"""Nesting depth of `@media` rules."""
MAX_SELECTOR_CHARS = 2_000
"""Characters of one list of selectors."""

_VAR = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_PRINTED = re.compile(r"(?:^|,)\s*(?:only\s+)?(?:all|print)\s*(?:,|$)", re.IGNORECASE)
_NEWER_COLOUR = re.compile(
    r"(?:^|[\s,(])(?:color|lab|lch|oklab|oklch|color-mix|light-dark)\(", re.IGNORECASE
)
_QUOTED = re.compile(r"""url\("(#[^"'\\()\s]+)"\)""")
_INLINE_RANK = (1, 0, 0, 0)
"""The specificity of an element's own `style`, above every selector's (CSS Cascade 4, 6.1)."""

Declared = tuple[str, str, bool]
"""The name and value of a declaration, and True if it is `!important`."""


def cascade(root: ET.Element, name: str) -> None:
    """Give every element its final style and remove the style sheets.

    Raise `InvalidValueError` if they cannot be read.
    """
    try:
        _apply_sheets(root, name)
    except InvalidValueError:
        raise
    except (RecursionError, ValueError) as error:
        raise InvalidValueError(
            f"{name}: its style sheets cannot be read: {error}", "plain style sheets"
        ) from error
    _inline_variables(root, {}, name)
    for parent in list(root.iter()):
        for child in [child for child in parent if child.tag == "style"]:
            parent.remove(child)


def _apply_sheets(root: ET.Element, name: str) -> None:
    matcher = _Sheets(root, name).matcher()
    if matcher is None:
        for element in root.iter():
            if "style" in element.attrib:
                _restyle(element, [])
        return
    for wrapper in ElementWrapper.from_xml_root(root).iter_subtree():
        matching = [
            ((0, *rank), order, item)
            for rank, order, pseudo, item in matcher.match(wrapper)
            if pseudo is None
        ]
        _restyle(wrapper.etree_element, matching)


def _restyle(
    element: ET.Element, matching: Sequence[tuple[tuple[int, ...], int, Sequence[Declared]]]
) -> None:
    """Give an element the winning properties of the style sheets and of its own style."""
    own_style = _declarations(element.get("style", "")) if "style" in element.attrib else ()
    ranked = [
        (is_important, rank, order, name, value)
        for rank, order, declared in (*matching, (_INLINE_RANK, 0, own_style))
        for name, value, is_important in declared
    ]
    result: dict[str, str] = {}
    # Later declarations win: important ones, then those of higher rank, then by order.
    for *_, declared_name, declared_value in sorted(ranked, key=lambda item: item[:3]):
        for name, value in expand_shorthand(declared_name, declared_value):
            result.pop(name, None)
            result[name] = value
    if result:
        element.set("style", format_style(result))
    else:
        element.attrib.pop("style", None)


def _declarations(content: str | Sequence[Any]) -> tuple[Declared, ...]:
    """Return the declarations of a rule or a `style`, without colours of CSS Color 4 and later.

    Older browsers skip these too, so that an earlier fallback applies: Figma writes one before each
    newer colour.
    """
    parsed = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    plain = ((entry, _declared_value(entry)) for entry in parsed if entry.type == "declaration")
    return tuple(
        (item.name if item.name.startswith("--") else item.lower_name, value, item.important)
        for item, value in plain
        if not _NEWER_COLOUR.search(value)
    )


def _declared_value(declaration: Any) -> str:
    """Return a declaration's value without comments, and without quotes in `url("#id")`."""
    parts = [part for part in declaration.value if part.type != "comment"]
    return _QUOTED.sub(r"url(\1)", tinycss2.serialize(parts).strip())


def _applies_to_print(media: str) -> bool:
    return not media.strip() or bool(_PRINTED.search(media))


Rule = tuple[CompiledSelector, Sequence[Declared], int]
"""A selector, its declarations, and an estimate of the steps to match it against the picture."""


@dataclass(frozen=True)
class _Sheets:
    """The style sheets of a picture."""

    root: ET.Element
    name: str

    def matcher(self) -> Matcher | None:
        """Return all rules as a matcher; None if there are no rules."""
        matcher = Matcher()
        count = 0
        effort = 0
        for sheet in self.root.iter("style"):
            if sheet.get("type", "text/css").strip() in {"text/css", ""} and _applies_to_print(
                sheet.get("media", "all")
            ):
                for selector, declared, steps in self._rules("".join(sheet.itertext())):
                    effort += steps
                    if effort > MAX_MATCHING_STEPS:
                        raise self._effort_error(effort)
                    matcher.add_selector(selector, declared)
                    count += 1
        return matcher if count else None

    def _effort_error(self, effort: int) -> InvalidValueError:
        found = f"{self.name}: matching its style sheets takes about {effort:.0e} steps"
        hint = "export with presentation attributes or inline styles instead"
        return InvalidValueError(found, f"at most {MAX_MATCHING_STEPS:.0e}", hint)

    def _rules(self, css: str, depth: int = 0) -> Iterator[Rule]:
        """Yield each selector with its declarations; a list of selectors yields several rules."""
        plain = css.replace("<!--", " ").replace("-->", " ")
        for rule in tinycss2.parse_stylesheet(plain, skip_comments=True, skip_whitespace=True):
            if rule.type == "at-rule" and rule.lower_at_keyword == "media" and rule.content:
                if _applies_to_print(tinycss2.serialize(rule.prelude)):
                    yield from self._nested_rules(tinycss2.serialize(rule.content), depth + 1)
            elif rule.type == "qualified-rule":
                declared = _declarations(rule.content)
                yield from self._selectors(tinycss2.serialize(rule.prelude).strip(), declared)

    def _nested_rules(self, css: str, depth: int) -> Iterator[Rule]:
        if depth > MAX_MEDIA_DEPTH:
            found = f"{self.name}: its style sheets have @media in @media more than {MAX_MEDIA_DEPTH} deep"
            raise InvalidValueError(
                found, f"at most {MAX_MEDIA_DEPTH}", "put the rules into one @media, or into none"
            )
        return self._rules(css, depth)

    def _selectors(self, text: str, declared: Sequence[Declared]) -> Iterator[Rule]:
        if len(text) > MAX_SELECTOR_CHARS:
            raise self._selector_error(text)
        try:
            for item in parser.parse(text, {}):
                effort = self._effort(item.parsed_tree) * self._count_candidates(item.parsed_tree)
                yield CompiledSelector(item), declared, effort
        except (ValueError, SyntaxError, MemoryError) as error:
            raise self._selector_error(text) from error

    def _selector_error(self, text: str) -> InvalidValueError:
        excerpt = text if len(text) < 80 else text[:77] + "…"
        found = f"{self.name} has the selector {excerpt!r}, which is not understood"
        return InvalidValueError(found, "a selector of tags, classes, ids and places")

    def _effort(self, node: Any) -> int:
        """Return an estimate of the steps to match a selector against one element."""
        everywhere, widest, deepest = self._extent
        if isinstance(node, parser.CombinedSelector):
            factor = {" ": deepest, "~": widest}.get(node.combinator, 1)
            return self._effort(node.right) + factor * self._effort(node.left)
        if isinstance(node, parser.CompoundSelector):
            return 1 + sum(map(self._effort, node.simple_selectors))
        if isinstance(node, parser.FunctionalPseudoClassSelector | parser.PseudoClassSelector):
            return widest
        factor = everywhere if isinstance(node, parser.RelationalSelector) else 1
        inner = (getattr(entry, "selector", entry) for entry in getattr(node, "selector_list", ()))
        return factor * (1 + sum(self._effort(item.parsed_tree) for item in inner))

    def _count_candidates(self, node: Any) -> int:
        """Return the number of elements that a selector is matched against, by class, id or tag."""
        last = node.right if isinstance(node, parser.CombinedSelector) else node
        candidates = [
            self._counts[key]
            for selector in last.simple_selectors
            for key in _selector_keys(selector)
        ]
        return min(candidates, default=self._extent[0])

    @cached_property
    def _extent(self) -> tuple[int, int, int]:
        """Return the picture's number of elements, its largest number of siblings, and its depth."""
        return sum(1 for _ in self.root.iter()), max(map(len, self.root.iter())), _depth(self.root)

    @cached_property
    def _counts(self) -> Counter[tuple[str, str]]:
        """Return the number of elements with each tag, id and class."""
        counts: Counter[tuple[str, str]] = Counter()
        for element in self.root.iter():
            counts[("tag", element.tag)] += 1
            counts[("id", element.get("id", ""))] += 1
            counts.update(("class", name) for name in set(element.get("class", "").split()))
        return counts


def _selector_keys(simple: Any) -> Iterator[tuple[str, str]]:
    if isinstance(simple, parser.IDSelector):
        yield "id", simple.ident
    elif isinstance(simple, parser.ClassSelector):
        yield "class", simple.class_name
    elif isinstance(simple, parser.LocalNameSelector):
        yield "tag", simple.local_name


def _depth(element: ET.Element) -> int:
    return 1 + max(map(_depth, element), default=0)


def _inline_variables(element: ET.Element, inherited: Mapping[str, str], picture: str) -> None:
    """Replace `var(--x, fallback)` by values, which are inherited, and remove the variables."""
    style = element.get("style", "")
    if "--" in style:
        own_variables = {name: value for name, value, _ in _declarations(style)}
        inherited = {
            **inherited,
            **{key: value for key, value in own_variables.items() if key.startswith("--")},
        }
        remaining = {
            key: _replace_variables(value, inherited, picture)
            for key, value in own_variables.items()
            if not key.startswith("--")
        }
        element.set("style", format_style(remaining))
    for key, value in element.attrib.items():
        if "var(" in value:
            element.set(key, _replace_variables(value, inherited, picture))
    for child in element:
        _inline_variables(child, inherited, picture)


def _replace_variables(value: str, variables: Mapping[str, str], name: str) -> str:
    for _ in range(MAX_VAR_REPLACEMENTS):
        match = _VAR.search(value)
        if match is None:
            return value
        replacement = variables.get(match[1], match[2])
        if replacement is None:
            raise InvalidValueError(
                f"{name}: the variable {match[1]} has no value",
                "a value, or var(…) with a fallback",
            )
        value = value[: match.start()] + replacement.strip() + value[match.end() :]
    raise InvalidValueError(
        f"{name}: the variable in {value[:60]!r} leads back to itself", "a value"
    )
