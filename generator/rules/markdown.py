"""Extend Markdown with our blocks between colons, footnotes, icons and page references."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from generator.base.errors import Reporter, Where, fail, unknown
from generator.rules.model import Inline, Line, PageRef, Span
from generator.text.markup import is_icon

DIRECTIVE = "directive"
_OPEN = re.compile(r"(?P<colons>:{3,})[ \t]*(?P<info>[^\s:].*?)??[ \t]*(?P<closed>:{3,})?[ \t]*")
_NOTE = re.compile(r"\[\^(?P<name>[\w-]+)\]:[ \t]+(?P<text>.+)")


# A page has about 3,000 characters. Longer input is a mistake or an attack, and typst would take
# minutes to set it.
MAX_RULES_CHARS = 1_000_000
MAX_PARAGRAPH_CHARS = 20_000
MAX_WORD_CHARS = 1_000


def check_size(text: str, file: str) -> None:
    """Raise an error if the rules, a paragraph or a word are too long to set."""
    if len(text) > MAX_RULES_CHARS:
        fail(Where(file), f"the rules have {len(text)} characters", f"at most {MAX_RULES_CHARS}")
    length = 0
    for number, line in enumerate(text.split("\n"), 1):
        where = Where(file, number)
        length = length + len(line) if line.strip() else 0
        if any(len(word) > MAX_WORD_CHARS for word in line.split()):
            fail(
                where,
                f"a word has more than {MAX_WORD_CHARS} characters",
                "shorter words and addresses",
            )
        if length > MAX_PARAGRAPH_CHARS:
            fail(
                where,
                f"a stretch of text has more than {MAX_PARAGRAPH_CHARS} characters",
                "empty lines between paragraphs",
            )


@dataclass(frozen=True)
class Source:
    """A file's text, or a passage of it; `line` is the number of its first line."""

    text: str
    line: int = 1


def parser(quotes: str) -> MarkdownIt:
    """Return a parser that passes no HTML through and sets the quotation marks of a language."""
    options = {"html": False, "typographer": True, "quotes": quotes}
    markdown = MarkdownIt("commonmark", options).enable(["table", "smartquotes"])
    stops: Any = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    markdown.block.ruler.before("fence", DIRECTIVE, _directive, stops)
    return markdown


def split_footnotes(source: Source) -> tuple[Source, dict[str, Source], list[Source]]:
    """Return the text without its footnotes, whose lines are blank, and the footnotes by name.

    Also return the later definitions of a name; their text is the name.
    """
    body: list[str] = []
    notes: dict[str, Source] = {}
    duplicates: list[Source] = []
    name = ""
    for number, line in enumerate(source.text.splitlines(), source.line):
        match = _NOTE.fullmatch(line.rstrip())
        if match:
            name = match["name"]
            duplicates += [Source(name, number)] if name in notes else []
            notes[name] = Source(match["text"], number)
        elif name and line[:2] == "  " and line.strip():
            notes[name] = Source(f"{notes[name].text}\n{line.strip()}", notes[name].line)
        else:
            name = ""
            body.append(line)
            continue
        body.append("")
    return Source("\n".join(body), source.line), notes, duplicates


def _directive(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    """Parse a block between colons; a rule of markdown-it."""
    match = _OPEN.fullmatch(_line(state, start))
    if match is None or not match["info"]:
        return False
    if silent:
        return True
    after = start + 1 if match["closed"] else _closing(state, start + 1, end, match["colons"])
    token = state.push(DIRECTIVE, "", 0)
    token.info = match["info"]
    token.meta = {"closed": bool(match["closed"]) or after < end}
    token.content = (
        "" if match["closed"] else state.getLines(start + 1, after, state.blkIndent, False)  # noqa: FBT003
    )
    token.map = [start, after]
    state.line = after if match["closed"] else min(after + 1, end)
    return True


def _line(state: StateBlock, number: int) -> str:
    """Return a line without its indentation."""
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _closing(state: StateBlock, start: int, end: int, colons: str) -> int:
    """Return the number of the line that closes a block (as many colons as opened it), or `end`."""
    return next(
        (number for number in range(start, end) if _line(state, number).strip() == colons), end
    )


def split_items(source: Source) -> Iterator[Source]:
    """Yield the items of a plain list `- …`, each with its line.

    Lines below an item continue it.
    """
    item = Source("", source.line)
    for number, row in enumerate(source.text.splitlines(), source.line):
        if row.startswith(("- ", "* ")):
            if item.text:
                yield item
            item = Source(row[2:].strip(), number)
        elif row.strip():
            item = (
                Source(f"{item.text} {row.strip()}", item.line)
                if item.text
                else Source(row.strip(), number)
            )
    if item.text:
        yield item


_SPECIAL = re.compile(r":(?P<icon>\w[\w./-]*):|\[\^(?P<note>[\w-]+)\]")
_REFERENCE = re.compile(r"#(?P<first>[^#.]+)(?P<range>\.\.(?P<last>[^#.]+)?)?")
_ADDRESS = re.compile(r"(?:https?://|mailto:)\S+")
_STYLES = {"strong_open": ("bold", True), "strong_close": ("bold", False)} | {
    "em_open": ("italic", True),
    "em_close": ("italic", False),
}


@dataclass(frozen=True)
class LineReader:
    """Reads lines of one file; `notes` are the numbers of its footnotes."""

    file: str
    icons: Collection[str]
    notes: Mapping[str, int]
    report: Reporter

    def read(self, tokens: Sequence[Token], line: int) -> Line:
        """Return the spans of an inline token's children.

        `line` is the number of their first line.
        """
        parts: list[Inline] = []
        style = Span("")
        link: tuple[str, int, int] | None = None
        for token in tokens:
            if token.type in _STYLES:
                name, value = _STYLES[token.type]
                style = (
                    replace(style, bold=value) if name == "bold" else replace(style, italic=value)
                )
            elif token.type == "link_open":
                link = (str(token.attrs["href"]), len(parts), line)
            elif token.type == "link_close" and link:
                href, start, begun = link
                parts[start:] = self._link(
                    href, [part for part in parts[start:] if isinstance(part, Span)], begun
                )
            else:
                parts += self._plain(token, style, line)
                line += token.type in {"softbreak", "hardbreak"}
        return tuple(parts)

    def where(self, line: int) -> Where:
        """Return the place of a line in the file."""
        return Where(self.file, line)

    def _plain(self, token: Token, style: Span, line: int) -> Sequence[Span]:
        """Return the spans of a token that is neither style nor link."""
        if token.type in {"softbreak", "hardbreak"}:
            return [replace(style, text=" " if token.type == "softbreak" else "\n")]
        if token.type == "code_inline":
            return [replace(style, text=token.content)]
        if token.type == "image":
            expected = "an icon, such as :name:, or a block `::: figure NAME`"
            self.report.add_problem(self.where(line), "a picture in the text", expected)
            return []
        return list(self._text(token.content, style, line))

    def _text(self, text: str, style: Span, line: int) -> Iterator[Span]:
        """Yield text, icons and footnotes; a colon that is part of no icon stays text."""
        at = plain = 0
        while match := _SPECIAL.search(text, at):
            at = match.end()
            special = self._special(match, style, line)
            if special is None:
                at = match.start() + 1
                continue
            if text[plain : match.start()]:
                yield replace(style, text=text[plain : match.start()])
            yield special
            plain = at
        if text[plain:]:
            yield replace(style, text=text[plain:])

    def _special(self, match: re.Match[str], style: Span, line: int) -> Span | None:
        """Return an icon or a footnote, or None if the colons are text."""
        text = match.string
        start = match.start()
        end = match.end()
        with self.report.at(self.where(line)):
            if match["note"] is None:
                around = text[start - 1 : start] or " ", text[end : end + 1] or " "
                return (
                    replace(style, icon=match["icon"])
                    if is_icon(match["icon"], *around, self.icons)
                    else None
                )
            if match["note"] not in self.notes:
                raise unknown("footnote", match["note"], self.notes)
            return replace(style, note=self.notes[match["note"]])
        return replace(style, text=match[0])

    def _link(self, href: str, spans: Sequence[Span], line: int) -> list[Inline]:
        """Return a page reference, or the spans of a web link."""
        match = _REFERENCE.fullmatch(href)
        if match:
            last = match["last"] or (match["first"] if match["range"] else "")
            return [PageRef(match["first"], last, tuple(spans))]
        if not _ADDRESS.fullmatch(href):
            expected = "a heading, such as #scoring, or an address with https://"
            self.report.add_problem(self.where(line), f"{href!r} leads nowhere", expected)
        return [replace(span, address=href) for span in spans]


_ORDER = re.compile(r"\$\{\s*(order\.[^{}]*?)\s*\}")
_MARKED = re.compile(r"([\\`*_{}\[\]<>#+!|~-])")


def fill_order(rules: str, values: Mapping[str, str]) -> str:
    """Fill an order's values into the rules.

    Escape them, so that they are never read as Markdown.
    """

    def replace_match(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise unknown("name", f"${{{match[1]}}}", (f"${{{name}}}" for name in values))
        return _MARKED.sub(r"\\\1", values[match[1]])

    return _ORDER.sub(replace_match, rules)
