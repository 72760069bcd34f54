"""Read the blocks between colons: a function for each, listed in `DIRECTIVES`."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from generator.base.errors import InvalidValueError, find_row, unknown
from generator.base.ui_strings import RuleWords
from generator.draw.draw import DrawnComponent
from generator.picture.face import Face
from generator.rules.markdown import Source, split_items
from generator.rules.model import (
    Block,
    Callout,
    ComponentEntry,
    Components,
    Credits,
    Figure,
    FigureBlock,
    Gallery,
    GalleryItem,
    Line,
    PageBreak,
    Panel,
    Span,
    Table,
    YesNo,
    plain,
)
from generator.rules.theme import BookletStyle

if TYPE_CHECKING:
    from generator.rules.read import Reader

# Faces that illustrate a component, unless the rules name others.
THUMBNAIL_COUNT = 4

_ITEM = re.compile(
    r"(?P<name>[\w.-]+)\s*(?:\[(?P<designs>[^\]]*)\])?\s*(?::\s*(?P<text>.*))?", re.DOTALL
)
_FIGURE = re.compile(r"(?P<name>[\w.-]+)\s*(?:(?:—|–|--|:)\s*(?P<text>.*))?", re.DOTALL)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_GALLERY_ITEM = re.compile(
    r"(?P<name>[^:\n]+?)\s*:\s*(?P<title>.+?)\s+(?:—|–|--)\s+(?P<text>.+)", re.DOTALL
)
_PANEL = re.compile(
    r"(?P<verdict>yes|no)\s*:\s*(?P<name>[\w.-]+)\s*(?:(?:—|–|--|:)\s*(?P<text>.*))?", re.DOTALL
)


def _no_pictures(name: str) -> Face:
    """Raise `InvalidValueError`: these rules have no pictures."""
    raise InvalidValueError(f"{name!r}: these rules have no pictures", "words")


@dataclass(frozen=True)
class Material:
    """Everything that rules consist of besides their text; `file` is the file's name in messages.

    `picture` draws a picture of the pack by name, and `making` returns the how-to-make page.
    """

    file: str
    language: str
    words: RuleWords
    style: BookletStyle
    figures: Mapping[str, Figure] = field(default_factory=dict)
    icons: Mapping[str, Face] = field(default_factory=dict)
    components: tuple[DrawnComponent, ...] = ()
    credits: tuple[str, ...] = ()
    picture: Callable[[str], Face] = _no_pictures
    making: Callable[[], tuple[Block, ...]] = tuple


@dataclass(frozen=True)
class Directive:
    """A block between colons as it was written."""

    name: str
    words: tuple[str, ...]
    body: Source
    line: int


Maker = Callable[["Reader", Directive], Block | tuple[Block, ...]]
"""A function that reads a block between colons, with the reader for the Markdown inside it."""


def _figure(reader: "Reader", directive: Directive) -> Block:
    """Read `::: figure NAME` with its caption; without one, the figure's own caption is used."""
    if len(directive.words) != 1:
        raise InvalidValueError(
            f"::: figure has {len(directive.words)} names", "one: `::: figure NAME`"
        )
    figure = find_row("figure", directive.words[0], reader.material.figures)
    written = directive.body.text.strip()
    return FigureBlock(
        figure, _caption(reader, figure, Source(written or figure.caption, directive.body.line))
    )


def _caption(reader: "Reader", figure: Figure, source: Source) -> Line:
    """Return a caption; report numbers in it that no claim of the figure states."""
    line = reader.line(source)
    for number in _NUMBER.findall(plain(line)) if figure.says else ():
        if figure.says and number not in figure.says.numbers:
            found = f"{figure.name}: the caption says {number}, but no claim of the figure does"
            reader.report(
                source.line,
                found,
                "a claim that says it, such as `score A: 5`, or the number in words",
            )
    return line


def _yes_no(reader: "Reader", directive: Directive) -> Block:
    """Read a list of `- yes: NAME — caption` and `- no: NAME — caption`."""
    items = _list_items(directive, "a list of `- yes: NAME` and `- no: NAME`")
    expected = "`- yes: NAME — caption` or `- no: NAME — caption`"
    return _read_panels(reader, items, _PANEL, "a panel", expected)


def _figures(reader: "Reader", directive: Directive) -> Block:
    """Read a list of `- NAME — caption`: figures side by side, as panels without a verdict."""
    items = _list_items(directive, "a list of `- NAME — caption`")
    return _read_panels(reader, items, _FIGURE, "a figure", "`- NAME`, or `- NAME — caption`")


def _read_panels(
    reader: "Reader", items: list[Source], pattern: re.Pattern[str], what: str, expected: str
) -> YesNo:
    """Read a list of figures, with verdicts if the pattern of its items has them."""
    panels = []
    for item in items:
        match = pattern.fullmatch(item.text)
        with reader.at(item.line):
            if match is None:
                raise InvalidValueError(f"{item.text!r} is not {what}", expected)
            figure = find_row("figure", match["name"], reader.material.figures)
            verdict = match.groupdict().get("verdict")
            if verdict:
                _check_verdict(figure, verdict)
            caption = _caption(reader, figure, Source(match["text"] or figure.caption, item.line))
            panels.append(Panel(verdict == "yes" if verdict else None, figure, caption))
    return YesNo(tuple(panels))


def _list_items(directive: Directive, expected: str) -> list[Source]:
    """Return the items of a block; raise `InvalidValueError` if it has no list."""
    items = list(split_items(directive.body))
    if not items:
        raise InvalidValueError(f"::: {directive.name} is empty", expected)
    return items


def _check_verdict(figure: Figure, verdict: str) -> None:
    """Raise `InvalidValueError` if the figure's claims contradict the verdict above the figure."""
    says = figure.says
    if says and not says.verdicts | says.scores:
        raise InvalidValueError(
            f"{figure.name}: no claim says whether this is allowed",
            "a claim, such as `legal: true`",
        )
    if says and not (says.yes if verdict == "yes" else says.no):
        opposite = "no" if verdict == "yes" else "yes"
        raise InvalidValueError(
            f"{figure.name}: its claims do not say {verdict}",
            f"`- {opposite}: {figure.name}`, or another figure",
        )


def _components(reader: "Reader", directive: Directive) -> Block:
    """Read the contents of the box: all, or a list of `- ID [design, design]: description`."""
    components = {component.spec.id: component for component in reader.material.components}
    parts = []
    items = list(split_items(directive.body)) or [
        Source(name, directive.line) for name in components
    ]
    for item in items:
        match = _ITEM.fullmatch(item.text)
        with reader.at(item.line):
            if match is None:
                raise unknown("component", item.text, components)
            component = find_row("component", match["name"], components)
            faces = tuple(_faces(component, match["designs"]))
            text = reader.line(Source(match["text"] or "", item.line))
            parts.append(ComponentEntry(component.spec.count, component.spec.title, text, faces))
    return Components(tuple(parts))


def _faces(component: DrawnComponent, designs: str | None) -> Iterator[Face]:
    """Yield the faces that illustrate a component.

    These are the designs named (`~name` is a back), or a few fronts spread evenly over all designs.
    """
    designs_by_id = {design.id: design for design in component.designs}
    spec = component.spec
    if designs is None:
        fronts = list(dict.fromkeys(design.front for design in component.designs if design.count))
        step = max(1, len(fronts) / THUMBNAIL_COUNT)
        yield from (
            fronts[int(n * step)].cut(spec.outline)
            for n in range(min(THUMBNAIL_COUNT, len(fronts)))
        )
        return
    for name in (part.strip() for part in designs.split(",")):
        base = name.removeprefix("~")
        design = find_row("design", base, designs_by_id)
        if name != base and design.back:
            yield design.back.cut(spec.behind)
        else:
            yield design.front.cut(spec.outline)


def _gallery(reader: "Reader", directive: Directive) -> Block:
    """Read a list of `- art/FILE.svg: Title — text`."""
    entries = []
    for item in _list_items(directive, "a list of `- art/FILE.svg: Title — text`"):
        match = _GALLERY_ITEM.fullmatch(item.text)
        with reader.at(item.line):
            if match is None:
                raise InvalidValueError(
                    f"{item.text!r} is not a picture with its words",
                    "`- art/FILE.svg: Title — text`",
                )
            face = reader.material.picture(match["name"])
            title, text = (
                reader.line(Source(match[part], item.line)) for part in ("title", "text")
            )
            entries.append(GalleryItem(face, title, text))
    return Gallery(tuple(entries))


def _players(reader: "Reader", directive: Directive) -> Block:
    """Read a Markdown table of numbers by player count, with the player counts in its first column."""
    blocks = reader.blocks(directive.body)
    if len(blocks) != 1 or not isinstance(blocks[0], Table):
        raise InvalidValueError(
            "::: players-table has no table",
            "one Markdown table, with the players in its first column",
        )
    table = blocks[0]
    return Table(table.head, table.rows, tuple("center" for _ in table.aligns), players=True)


def _callout(reader: "Reader", directive: Directive) -> Block:
    """Read a callout; in `::: note Title`, the title replaces the word "note"."""
    label = " ".join(directive.words) or getattr(reader.material.words, directive.name)
    blocks = reader.blocks(directive.body)
    if any(isinstance(block, PageBreak) for block in blocks):
        raise InvalidValueError(
            f"a page break in ::: {directive.name}", "page breaks outside of other blocks"
        )
    return Callout(directive.name, label, blocks)


def _page_break(_: "Reader", directive: Directive) -> Block:
    """Read a page break or the start of the back cover."""
    return PageBreak(back=directive.name == "back-cover")


def _making(reader: "Reader", _: Directive) -> tuple[Block, ...]:
    """Insert the how-to-make page of the sheets."""
    return reader.material.making()


def _credits(reader: "Reader", directive: Directive) -> Block:
    """Read the credits: those of the pack, then the lines written here."""
    lines = tuple((Span(line),) for line in reader.material.credits)
    rows = enumerate(directive.body.text.splitlines(), directive.body.line)
    return Credits(
        lines + tuple(reader.line(Source(row, line)) for line, row in rows if row.strip())
    )


@dataclass(frozen=True)
class BlockKind:
    """A kind of block: the function that reads it, and a sentence about its content.

    Words after the block's name, and text in the block, are errors unless it `has_words` and `has_text`.
    """

    read: Maker
    what: str
    has_words: bool = False
    has_text: bool = True


DIRECTIVES: Mapping[str, BlockKind] = {
    "figure": BlockKind(_figure, "A figure with its caption, or with its own one.", has_words=True),
    "figures": BlockKind(_figures, "Figures side by side, as many as fit, with tiles of one size."),
    "yes-no": BlockKind(
        _yes_no, "Figures side by side, each with a verdict that its claims must confirm."
    ),
    "components": BlockKind(
        _components,
        "The contents of the box, counted by pnp. Without a list, all components. Brackets name the "
        "designs to show, with `~` for a back.",
    ),
    "gallery": BlockKind(
        _gallery, "Pictures of the pack across the page, each with a title and a text beside it."
    ),
    "players-table": BlockKind(
        _players, "A table with the number of players in its first column, which stands out."
    ),
    "note": BlockKind(
        _callout, "A box. Words after the block's name replace its heading.", has_words=True
    ),
    "example": BlockKind(
        _callout, "A box with an example. It may contain other blocks.", has_words=True
    ),
    "tip": BlockKind(_callout, "A box with advice.", has_words=True),
    "page-break": BlockKind(_page_break, "Starts a new page.", has_text=False),
    "back-cover": BlockKind(
        _page_break,
        "Starts the last page, which stays on the outside when blank pages are added.",
        has_text=False,
    ),
    "credits": BlockKind(_credits, "The credits of the pack, then the lines of the block."),
    "making": BlockKind(
        _making,
        "Explains how to make the game, like the first page of its sheets, with numbers of sheets "
        "instead of pages.",
        has_text=False,
    ),
}
"""The kinds of blocks by their first word."""


def read_directive(reader: "Reader", directive: Directive) -> Block | tuple[Block, ...]:
    """Return the block that a directive describes, or several blocks."""
    name = directive.name
    if name not in DIRECTIVES:
        raise unknown("block", f"::: {name}", [f"::: {known}" for known in DIRECTIVES])
    kind = DIRECTIVES[name]
    if directive.words and not kind.has_words:
        raise InvalidValueError(f"::: {name} {' '.join(directive.words)}", f"`::: {name}` alone")
    if directive.body.text.strip() and not kind.has_text:
        raise InvalidValueError(f"::: {name} has text in it", f"`::: {name} :::`")
    return kind.read(reader, directive)
