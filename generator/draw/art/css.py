"""Reads style sheets: rules with their selectors and declarations.

Sheets are read as for print: `@media print` and `@media all` count, other
media (screens, dark modes, widths) do not, `@font-face` and animations draw
nothing here. A selector that cannot be read is an error, never skipped.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.core.problems import Wrong
from generator.draw.art.selectors import Selector, parse_selector

_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_PRELUDE = re.compile(r"\s*([^{};]*)([{;]|$)")
_DECLARATION = re.compile(r"([-\w]+)\s*:\s*((?:[^;\"'(]|\"[^\"]*\"|'[^']*'|\((?:[^()]|\([^()]*\))*\))*)")
_IMPORTANT = re.compile(r"\s*!\s*important\s*$", re.IGNORECASE)
_PRINTED = re.compile(r"(?:^|,)\s*(?:only\s+)?(?:all|print)\s*(?:,|$)", re.IGNORECASE)
_BEYOND = re.compile(r"(?:^|[\s,(])(?:color|lab|lch|oklab|oklch|color-mix|light-dark)\(", re.IGNORECASE)


@dataclass(frozen=True)
class Declaration:
    """`fill: red !important`."""

    name: str
    value: str
    important: bool = False


@dataclass(frozen=True)
class CssRule:
    """One selector with its declarations; `order` is its place among all rules."""

    selector: Selector
    declarations: tuple[Declaration, ...]
    order: int


def read_rules(css: str, name: str, start: int = 0) -> tuple[CssRule, ...]:
    """The rules of a style sheet that hold on paper; a list of selectors becomes several rules."""
    found: list[CssRule] = []
    for prelude, body in _blocks(_COMMENT.sub(" ", css)):
        if prelude.startswith("@"):
            if _holds(prelude):
                found.extend(read_rules(body, name, start + len(found)))
            continue
        declared = read_declarations(body)
        for selector in _split(prelude):
            found.append(CssRule(_selector(selector, name), declared, start + len(found)))
    return tuple(found)


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """What stands before each pair of braces, and what stands in it."""
    at = 0
    while match := _PRELUDE.match(css, at):
        at = match.end()
        if match[2] == "{":
            end = _closing(css, at)
            yield match[1].strip(), css[at:end]
            at = end + 1
        elif not match[2]:
            return


def _closing(css: str, at: int) -> int:
    depth = 1
    for brace in re.finditer(r"[{}]", css[at:]):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return at + brace.start()
    return len(css)


def _holds(prelude: str) -> bool:
    word, _, rest = prelude.partition(" ")
    return word.lower() == "@media" and bool(_PRINTED.search(rest))


def _split(selectors: str) -> Iterator[str]:
    """The parts between commas, except the commas in brackets."""
    for part in re.split(r",(?![^(\[]*[)\]])", selectors):
        if part.strip():
            yield part.strip()


def _selector(text: str, name: str) -> Selector:
    try:
        return parse_selector(text)
    except Wrong as wrong:
        raise Wrong(f"{name}: {wrong.found}", wrong.expected, wrong.hint) from wrong


def read_declarations(css: str) -> tuple[Declaration, ...]:
    """The declarations of a rule or a `style`; colours of newer kinds are left out, as older browsers do.

    So an earlier, plain colour counts, as Figma writes one before each of the others.
    """
    return tuple(
        Declaration(_name(match[1]), _IMPORTANT.sub("", match[2]).strip(), bool(_IMPORTANT.search(match[2])))
        for match in _DECLARATION.finditer(_COMMENT.sub(" ", css))
        if not _BEYOND.search(match[2])
    )


def _name(text: str) -> str:
    return text if text.startswith("--") else text.lower()
