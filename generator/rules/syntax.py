"""Markdown to tokens: CommonMark with tables, and the blocks between colons that are our own.

    ::: figure parts-of-a-tile
    What stands under it.
    :::

More colons hold fewer; `::: page-break :::` has nothing inside.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

DIRECTIVE = "directive"
_OPEN = re.compile(r"(?P<colons>:{3,})[ \t]*(?P<info>[^\s:].*?)??[ \t]*(?P<closed>:{3,})?[ \t]*")
_NOTE = re.compile(r"\[\^(?P<name>[\w-]+)\]:[ \t]+(?P<text>.+)")


@dataclass(frozen=True)
class Source:
    """The text of a file, or a stretch of it; `line` is the number of its first line."""

    text: str
    line: int = 1


@dataclass(frozen=True)
class Notes:
    """Footnotes by name, each with its text's place, and the text without them (their lines left blank).

    `again` are those whose name was taken; their text is the name.
    """

    source: Source
    notes: Mapping[str, Source] = field(default_factory=dict)
    again: tuple[Source, ...] = ()


def parser(quotes: str) -> MarkdownIt:
    """A parser that leaves nothing of HTML, and sets the quotes of a language."""
    options = {"html": False, "typographer": True, "quotes": quotes}
    markdown = MarkdownIt("commonmark", options).enable(["table", "smartquotes"])
    stops: Any = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    markdown.block.ruler.before("fence", DIRECTIVE, _directive, stops)
    return markdown


def take_notes(source: Source) -> Notes:
    """Part the footnotes from the text."""
    kept: list[str] = []
    notes: dict[str, Source] = {}
    again: list[Source] = []
    name = ""
    for number, line in enumerate(source.text.splitlines(), source.line):
        match = _NOTE.fullmatch(line.rstrip())
        if match:
            name = match["name"]
            again += [Source(name, number)] if name in notes else []
            notes[name] = Source(match["text"], number)
        elif name and line[:2] == "  " and line.strip():
            notes[name] = Source(f"{notes[name].text}\n{line.strip()}", notes[name].line)
        else:
            name = ""
            kept.append(line)
            continue
        kept.append("")
    return Notes(Source("\n".join(kept), source.line), notes, tuple(again))


def _directive(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    match = _OPEN.fullmatch(_line(state, start))
    if match is None or not match["info"]:
        return False
    if silent:
        return True
    after = start + 1 if match["closed"] else _closing(state, start + 1, end, match["colons"])
    token = state.push(DIRECTIVE, "", 0)
    token.info = match["info"]
    token.meta = {"closed": bool(match["closed"]) or after < end}
    token.content = "" if match["closed"] else state.getLines(start + 1, after, state.blkIndent, False)  # noqa: FBT003
    token.map = [start, after]
    state.line = after if match["closed"] else min(after + 1, end)
    return True


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _closing(state: StateBlock, start: int, end: int, colons: str) -> int:
    """The line that closes: as many colons as opened, alone."""
    return next((number for number in range(start, end) if _line(state, number).strip() == colons), end)


def split_items(text: str, line: int) -> Iterator[tuple[str, int]]:
    """The items of a plain list `- …`, each with its line; what goes on under it belongs to it."""
    item, began = "", line
    for number, row in enumerate(text.splitlines(), line):
        if row.startswith(("- ", "* ")):
            if item:
                yield item, began
            item, began = row[2:].strip(), number
        elif row.strip():
            item = f"{item} {row.strip()}".strip()
            began = began if item != row.strip() else number
    if item:
        yield item, began


def line_of(token: Token) -> int:
    """The line on which a token begins, from 0 on."""
    return token.map[0] if token.map else 0
