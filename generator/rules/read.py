"""Read rules from Markdown and report all mistakes in one error."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

from generator.base.errors import Guard, InvalidValueError, Problem, Reporter, Where, unknown
from generator.rules.directives import DIRECTIVES, Directive, Material, read_directive
from generator.rules.markdown import (
    DIRECTIVE,
    LineReader,
    Source,
    check_size,
    line_of,
    parser,
    split_footnotes,
)
from generator.rules.model import (
    Block,
    Components,
    Credits,
    FigureBlock,
    Gallery,
    Heading,
    Line,
    Listing,
    PageRef,
    Paragraph,
    Rules,
    Table,
    YesNo,
    plain,
    spans_of,
    walk,
)

_ID = re.compile(r"\s*\{#(?P<id>[^\s{}]+)\}\s*$")
_REJECTED = {
    "blockquote_open": ("a quotation", "a block `::: note`, `::: example` or `::: tip`"),
    "fence": ("code", "text"),
    "code_block": (
        "indented text, which Markdown takes for code",
        "text that begins at the margin",
    ),
    "hr": ("a line across the page", "`::: page-break :::`, or nothing"),
}
MAX_HEADING_LEVEL = 4


@dataclass
class Reader:
    """Reads one file; `slugs` are the names of the headings so far, with their lines."""

    markdown: MarkdownIt
    material: Material
    lines: LineReader
    slugs: dict[str, int] = field(default_factory=dict)
    title: str = ""

    def blocks(self, source: Source, *, top: bool = False) -> tuple[Block, ...]:
        """Return the blocks of a passage; headings may occur only at the `top` level."""
        return self._blocks(self.markdown.parse(source.text), source.line, top=top)

    def _blocks(self, tokens: Sequence[Token], base: int, *, top: bool) -> tuple[Block, ...]:
        """Return the blocks that tokens describe; `base` is the line of the passage."""
        blocks: list[Block] = []
        at = 0
        while at < len(tokens):
            end = _end(tokens, at)
            blocks += self._block(tokens[at : end + 1], base, top=top)
            at = end + 1
        return tuple(blocks)

    def line(self, source: Source) -> Line:
        """Return the spans of a single paragraph, such as a caption."""
        tokens = self.markdown.parseInline(source.text.strip())
        return self.lines.read(tokens[0].children or (), source.line) if tokens else ()

    def at(self, line: int) -> Guard:
        """Return a guard that reports errors at a line."""
        return self.lines.report.at(self.lines.where(line))

    def report(self, line: int, found: str, expected: str, hint: str = "") -> None:
        """Report a mistake on a line."""
        self.lines.report.add_problem(self.lines.where(line), found, expected, hint)

    def _block(self, tokens: Sequence[Token], base: int, *, top: bool) -> Sequence[Block]:
        """Return the block that the tokens describe, or nothing after a mistake."""
        first = tokens[0]
        line = base + line_of(first)
        if first.type == "paragraph_open":
            return [Paragraph(self._inline(tokens[1], base))]
        if first.type == "heading_open":
            return self._heading(tokens, base, top=top)
        if first.type in {"bullet_list_open", "ordered_list_open"}:
            return [self._list(tokens, base)]
        if first.type == "table_open":
            return [self._table(tokens, base)]
        if first.type == DIRECTIVE:
            return self._directive(first, line)
        found, expected = _REJECTED.get(
            first.type, (first.type, "text, lists, tables and blocks between :::")
        )
        self.report(line, f"{found} is not allowed in rules", expected)
        return []

    def _inline(self, token: Token, base: int) -> Line:
        return self.lines.read(token.children or (), base + line_of(token))

    def _heading(self, tokens: Sequence[Token], base: int, *, top: bool) -> Sequence[Block]:
        """Return a heading; keep the title out of the blocks."""
        level = int(tokens[0].tag[1:])
        line = base + line_of(tokens[0])
        inline = tokens[1]
        match = _ID.search(inline.content)
        text = self.line(Source(_ID.sub("", inline.content), line))
        if not top or level > MAX_HEADING_LEVEL or (level == 1 and self.title):
            expected = "# once, for the title, then ## to ####, and none inside lists and blocks"
            self.report(line, f"{'#' * level} {plain(text)!r} is not allowed here", expected)
            return []
        if level == 1:
            self.title = plain(text)
            return []
        return [Heading(level, text, self._slug(match["id"] if match else slug(plain(text)), line))]

    def _slug(self, name: str, line: int) -> str:
        """Return the slug of a heading; report one that is taken."""
        if name in self.slugs:
            expected = "a name of its own, such as `## Scoring {#team-scoring}`"
            self.report(
                line,
                f"the heading #{name} occurs twice",
                expected,
                f"the first is in line {self.slugs[name]}",
            )
        self.slugs.setdefault(name, line)
        return name

    def _list(self, tokens: Sequence[Token], base: int) -> Listing:
        items: list[tuple[Block, ...]] = []
        at = 1
        while tokens[at].type == "list_item_open":
            end = _end(tokens, at)
            items.append(self._blocks(tokens[at + 1 : end], base, top=False))
            at = end + 1
        start = int(tokens[0].attrs.get("start", 1)) if tokens[0].type == "ordered_list_open" else 0
        return Listing(start, tuple(items))

    def _table(self, tokens: Sequence[Token], base: int) -> Table:
        """Return a Markdown table."""
        rows: list[list[Line]] = []
        aligns: list[str] = []
        for index, token in enumerate(tokens):
            if token.type == "tr_open":
                rows.append([])
            elif token.type in {"th_open", "td_open"}:
                rows[-1].append(self._inline(tokens[index + 1], base))
                if len(rows) == 1:
                    aligns.append(
                        str(token.attrs.get("style", "text-align:left")).partition(":")[2]
                    )
        head, *body = rows
        return Table(tuple(head), tuple(tuple(row) for row in body), tuple(aligns))

    def _directive(self, token: Token, line: int) -> Sequence[Block]:
        words = token.info.split()
        body = Source(token.content, line + 1)
        with self.at(line):
            if not token.meta["closed"] and words[0] in DIRECTIVES:
                raise InvalidValueError(
                    f"::: {words[0]} is not closed", "a line with as many colons alone, after it"
                )
            block = read_directive(self, Directive(words[0], tuple(words[1:]), body, line))
            return block if isinstance(block, tuple) else (block,)
        return []


def slug(text: str) -> str:
    """Return the slug of a heading: `playing-neck-cards` for `Playing neck cards`."""
    folded = unicodedata.normalize("NFC", text).lower()
    return re.sub(r"[^\w]+", "-", folded).strip("-")


def _end(tokens: Sequence[Token], start: int) -> int:
    """Return the index of the token that closes the block opened at `start`, or `start` for a single token."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += tokens[index].nesting
        if depth == 0:
            return index
    raise AssertionError("markdown-it closes what it opens")


def read_rules(text: str, material: Material, footer: str = "") -> Rules:
    """Return the rules in a Markdown text; raise a `PnpError` that lists all mistakes."""
    report = Reporter()
    check_size(text, material.file)
    body, footnotes, duplicates = split_footnotes(Source(text))
    numbers = {name: number for number, name in enumerate(footnotes, 1)}
    lines = LineReader(material.file, material.icons, numbers, report)
    reader = Reader(parser(material.words.quotes), material, lines)
    blocks = reader.blocks(body, top=True)
    notes = {numbers[name]: reader.line(source) for name, source in footnotes.items()}
    if not reader.title and not report.problems:
        report.add_problem(
            lines.where(1), "the rules have no title", "a first line such as `# How to play`"
        )
    report.add(*_unresolved(text, blocks, notes, reader))
    for duplicate in duplicates:
        found = f"the footnote [^{duplicate.text}] is defined twice"
        report.add_problem(lines.where(duplicate.line), found, "a name of its own for each")
    marked = {span.note for line in lines_of(blocks) for span in spans_of(line)}
    for name, source in footnotes.items():
        if numbers[name] not in marked:
            found = f"the footnote [^{name}] is not used"
            report.add_problem(lines.where(source.line), found, f"[^{name}] in the text")
    report.raise_any()
    used = {name: material.icons[name] for name in sorted(set(_icons(blocks, notes)))}
    return Rules(
        reader.title, material.language, material.words, blocks, material.look, notes, used, footer
    )


def _unresolved(
    text: str, blocks: tuple[Block, ...], notes: Mapping[int, Line], reader: Reader
) -> Iterator[Problem]:
    """Yield a problem for each reference to an unknown heading."""
    file = reader.material.file
    for ref in _references(blocks, notes):
        for name in (ref.first, ref.last):
            if name and name not in reader.slugs:
                yield unknown("heading", name, reader.slugs).at(Where(file, _line_of(text, name)))


def _line_of(text: str, name: str) -> int:
    """Return the number of the first line that refers to `name`, or 0."""
    rows = text.splitlines()
    return next(
        (number for number, row in enumerate(rows, 1) if f"(#{name}" in row or f"..{name}" in row),
        0,
    )


def _references(blocks: tuple[Block, ...], notes: Mapping[int, Line]) -> Iterator[PageRef]:
    for line in (*lines_of(blocks), *notes.values()):
        yield from (part for part in line if isinstance(part, PageRef))


def _icons(blocks: tuple[Block, ...], notes: Mapping[int, Line]) -> Iterator[str]:
    for line in (*lines_of(blocks), *notes.values()):
        yield from (span.icon for span in spans_of(line) if span.icon)


def lines_of(blocks: tuple[Block, ...]) -> Iterator[Line]:
    """Yield every line of text in the blocks."""
    for block in walk(blocks):
        match block:
            case Paragraph(line) | FigureBlock(_, line):
                yield line
            case Table(head, rows):
                yield from head
                yield from (cell for row in rows for cell in row)
            case YesNo(panels):
                yield from (panel.caption for panel in panels)
            case Components(parts):
                yield from (part.line for part in parts)
            case Gallery(items):
                yield from (line for item in items for line in (item.title, item.line))
            case Credits(lines):
                yield from lines
            case Listing():
                pass
            case _:
                yield getattr(block, "line", ())
