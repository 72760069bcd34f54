"""Read rules from Markdown and report all mistakes in one error."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from generator.base.errors import Guard, InvalidValueError, Problem, Reporter, Where, unknown
from generator.rules.directives import DIRECTIVES, Directive, Material, read_directive
from generator.rules.markdown import (
    DIRECTIVE,
    LineReader,
    Source,
    check_size,
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
    "blockquote": ("a quotation", "a block `::: note`, `::: example` or `::: tip`"),
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
        tree = SyntaxTreeNode(self.markdown.parse(source.text))
        return self._blocks(tree, source.line, top=top)

    def _blocks(self, parent: SyntaxTreeNode, base: int, *, top: bool = False) -> tuple[Block, ...]:
        """Return the blocks in a node; `base` is the line of the passage."""
        return tuple(
            block for node in parent.children for block in self._block(node, base, top=top)
        )

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

    def _block(self, node: SyntaxTreeNode, base: int, *, top: bool) -> Sequence[Block]:
        """Return the block that a node describes, or nothing after a mistake."""
        line = base + _line_of(node)
        if node.type == DIRECTIVE:
            return self._directive(node, line)
        match node.type:
            case "paragraph":
                return [Paragraph(self._inline(node, base))]
            case "heading":
                return self._heading(node, line, top=top)
            case "bullet_list" | "ordered_list":
                # Only a numbered list that does not begin with 1 states its start.
                start = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else 0
                return [Listing(start, tuple(self._blocks(item, base) for item in node.children))]
            case "table":
                return [self._table(node, base)]
        found, expected = _REJECTED.get(
            node.type, (node.type, "text, lists, tables and blocks between :::")
        )
        self.report(line, f"{found} is not allowed in rules", expected)
        return []

    def _inline(self, node: SyntaxTreeNode, base: int) -> Line:
        """Return the text of a paragraph or a cell."""
        (inline,) = node.children
        (token,) = inline.to_tokens()
        return self.lines.read(token.children or (), base + _line_of(inline))

    def _heading(self, node: SyntaxTreeNode, line: int, *, top: bool) -> Sequence[Block]:
        """Return a heading; keep the title out of the blocks."""
        level = int(node.tag[1:])
        (inline,) = node.children
        match = _ID.search(inline.content)
        text = self.line(Source(_ID.sub("", inline.content), line))
        if not top or level > MAX_HEADING_LEVEL or (level == 1 and self.title):
            expected = "# once, for the title, then ## to ####, and none inside lists and blocks"
            self.report(line, f"{'#' * level} {plain(text)!r} is not allowed here", expected)
            return []
        if level == 1:
            self.title = plain(text)
            return []
        if not plain(text):
            self.report(line, "a heading has no words", f"words after {'#' * level}")
            return []
        # Words of signs only, such as ?! or a die, leave no slug; the line's number is unique.
        name = match["id"] if match else slug(plain(text)) or f"section-{line}"
        return [Heading(level, text, self._slug(name, line))]

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

    def _table(self, node: SyntaxTreeNode, base: int) -> Table:
        """Return a Markdown table."""
        head, *body = (row.children for part in node.children for row in part.children)
        styles = (str(cell.attrs.get("style", "text-align:left")) for cell in head)
        return Table(
            tuple(self._inline(cell, base) for cell in head),
            tuple(tuple(self._inline(cell, base) for cell in row) for row in body),
            tuple(style.partition(":")[2] for style in styles),
        )

    def _directive(self, node: SyntaxTreeNode, line: int) -> Sequence[Block]:
        words = node.info.split()
        body = Source(node.content, line + 1)
        with self.at(line):
            if not node.meta["closed"] and words[0] in DIRECTIVES:
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


def _line_of(node: SyntaxTreeNode) -> int:
    """Return the index of the line on which a node begins, counted from 0."""
    return node.map[0] if node.map else 0


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
        reader.title, material.language, material.words, blocks, material.style, notes, used, footer
    )


def _unresolved(
    text: str, blocks: tuple[Block, ...], notes: Mapping[int, Line], reader: Reader
) -> Iterator[Problem]:
    """Yield a problem for each reference to an unknown heading."""
    file = reader.material.file
    for ref in _references(blocks, notes):
        for name in (ref.first, ref.last):
            if name and name not in reader.slugs:
                yield unknown("heading", name, reader.slugs).at(
                    Where(file, _line_naming(text, name))
                )


def _line_naming(text: str, name: str) -> int:
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
