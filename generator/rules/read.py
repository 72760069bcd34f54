"""The whole way from a text to `Rules`, with every problem collected."""

from collections.abc import Iterator, Mapping

from generator.core.problems import Problem, Reporter, Where, unknown
from generator.rules.directives import Material
from generator.rules.inline import Lines
from generator.rules.model import (
    Block,
    Components,
    Credits,
    FigureBlock,
    Gallery,
    Line,
    Listing,
    PageRef,
    Paragraph,
    Rules,
    Span,
    Table,
    YesNo,
    walk,
)
from generator.rules.reader import Reader
from generator.rules.syntax import Source, parser, take_notes


def read_rules(text: str, material: Material, footer: str = "") -> Rules:
    """Rules from Markdown; raises a `PnpError` that lists all that is wrong with them."""
    report = Reporter()
    parted = take_notes(Source(text))
    numbers = {name: number for number, name in enumerate(parted.notes, 1)}
    lines = Lines(material.file, material.icons, numbers, report)
    reader = Reader(parser(material.words.quotes), material, lines)
    blocks = reader.blocks(parted.source, top=True)
    notes = {numbers[name]: reader.line(source) for name, source in parted.notes.items()}
    if not reader.title and not report.problems:
        report.tell(lines.where(1), "the rules have no title", "a first line such as `# How to play`")
    report.add(*_unresolved(text, blocks, notes, reader))
    for each in parted.again:
        found = f"the footnote [^{each.text}] stands twice"
        report.tell(lines.where(each.line), found, "a name of its own for each")
    marked = {span.note for line in lines_of(blocks) for span in spans_of(line)}
    for name, source in parted.notes.items():
        if numbers[name] not in marked:
            found = f"the footnote [^{name}] is marked nowhere"
            report.tell(lines.where(source.line), found, f"[^{name}] in the text")
    report.raise_any()
    used = {name: material.icons[name] for name in sorted(set(_icons(blocks, notes)))}
    return Rules(reader.title, material.language, material.words, blocks, material.look, notes, used, footer)


def _unresolved(text: str, blocks: tuple[Block, ...], notes: Mapping[int, Line], reader: Reader) -> Iterator[Problem]:
    """References to headings that are not there."""
    file = reader.material.file
    for ref in _references(blocks, notes):
        for name in (ref.first, ref.last):
            if name and name not in reader.slugs:
                yield unknown("heading", name, reader.slugs).at(Where(file, _line_of(text, name)))


def _line_of(text: str, name: str) -> int:
    """The line that names a heading which is not there."""
    rows = text.splitlines()
    return next((number for number, row in enumerate(rows, 1) if f"(#{name}" in row or f"..{name}" in row), 0)


def _references(blocks: tuple[Block, ...], notes: Mapping[int, Line]) -> Iterator[PageRef]:
    for line in (*lines_of(blocks), *notes.values()):
        yield from (part for part in line if isinstance(part, PageRef))


def _icons(blocks: tuple[Block, ...], notes: Mapping[int, Line]) -> Iterator[str]:
    for line in (*lines_of(blocks), *notes.values()):
        yield from (span.icon for span in spans_of(line) if span.icon)


def spans_of(line: Line) -> Iterator[Span]:
    """The spans of a line, also those of its references."""
    for part in line:
        yield from part.spans if isinstance(part, PageRef) else (part,)


def lines_of(blocks: tuple[Block, ...]) -> Iterator[Line]:
    """Every line of text in the blocks."""
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
