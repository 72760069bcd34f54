"""Rules as frozen blocks of spans, before pages are known.

`read` makes them of Markdown, `html` writes a web page of them, and `booklet` a PDF.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from generator.base.ui_strings import RuleWords
from generator.picture.face import Face
from generator.rules.theme import BookletStyle

if TYPE_CHECKING:
    from generator.board.claims import ClaimSummary


@dataclass(frozen=True)
class Figure:
    """A drawn figure of the rules.

    `alt` describes it in words; `wide` asks for the full width of the page. Tiles are drawn at
    `scale` times their size on paper; the smaller side of one is `piece` mm. `says` sums up its
    checked claims; None if it has no board. An `optional` figure is left out of short rules.
    """

    name: str
    face: Face
    alt: str
    caption: str = ""
    wide: bool = False
    says: "ClaimSummary | None" = None
    scale: float = 1.0
    piece: float = 0.0
    optional: bool = False


@dataclass(frozen=True)
class Span:
    """A run of text in one style, an icon in the line, or the number of a footnote."""

    text: str
    bold: bool = False
    italic: bool = False
    icon: str = ""
    address: str = ""
    note: int = 0


@dataclass(frozen=True)
class PageRef:
    """A reference to a heading, or with `last` to all sections from `first` to the end of `last`.

    Print adds the page number after the words, if any; a screen shows a link.
    """

    first: str
    last: str
    spans: tuple[Span, ...]


Inline = Span | PageRef
Line = tuple[Inline, ...]


@dataclass(frozen=True)
class Heading:
    """A heading of level 2 to 4; the title of the rules is not a block."""

    level: int
    line: Line
    slug: str

    @property
    def text(self) -> str:
        """The unstyled text, for the table of contents."""
        return plain(self.line)


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    line: Line


@dataclass(frozen=True)
class Listing:
    """A list; `start` is the number of its first item, or 0 for bullets."""

    start: int
    items: tuple[tuple["Block", ...], ...]


@dataclass(frozen=True)
class Table:
    """A table with a head row; `aligns` has left, center or right for each column."""

    head: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]
    aligns: tuple[str, ...]
    players: bool = False


@dataclass(frozen=True)
class FigureBlock:
    """A figure with its caption."""

    figure: Figure
    caption: Line


@dataclass(frozen=True)
class Panel:
    """A figure in a row of figures.

    `good` is True for Yes, False for No, None without a verdict.
    """

    good: bool | None
    figure: Figure
    caption: Line


@dataclass(frozen=True)
class YesNo:
    """Figures side by side, with or without a verdict, whose tiles have one size."""

    panels: tuple[Panel, ...]

    @property
    def scales(self) -> tuple[float, ...]:
        """The scale of each picture at which the tiles of all panels have one size."""
        smallest = min((panel.figure.scale for panel in self.panels), default=1.0)
        return tuple(smallest / panel.figure.scale for panel in self.panels)


@dataclass(frozen=True)
class ComponentEntry:
    """A component: the number of pieces, a description, and some of its faces."""

    count: int
    title: str
    line: Line
    faces: tuple[Face, ...]


@dataclass(frozen=True)
class Components:
    """The contents of the box, counted from the pack."""

    parts: tuple[ComponentEntry, ...]


@dataclass(frozen=True)
class GalleryItem:
    """A picture of the pack with its title and text."""

    face: Face
    title: Line
    line: Line


@dataclass(frozen=True)
class Gallery:
    """Pictures below each other, each with its text next to it."""

    items: tuple[GalleryItem, ...]


@dataclass(frozen=True)
class Thumbnail:
    """A small picture of a piece, with the caption under it."""

    face: Face
    caption: Line


@dataclass(frozen=True)
class Thumbnails:
    """Small pictures in rows, to find the pieces by; a few are larger than many."""

    items: tuple[Thumbnail, ...]


@dataclass(frozen=True)
class Callout:
    """Blocks set off from the running text, under a `label`; the tone is `note`, `example` or `tip`."""

    tone: str
    label: str
    blocks: tuple["Block", ...]


@dataclass(frozen=True)
class PageBreak:
    """A page break.

    With `back`, the back cover follows, which stays last when blank pages are inserted.
    """

    back: bool = False


@dataclass(frozen=True)
class Credits:
    """The credits: lines of the pack, then lines of the rules."""

    lines: tuple[Line, ...]


Block = (
    Heading
    | Paragraph
    | Listing
    | Table
    | FigureBlock
    | YesNo
    | Components
    | Gallery
    | Thumbnails
    | Callout
    | PageBreak
    | Credits
)


@dataclass(frozen=True)
class Rules:
    """The rules of a game in one language, or a page about the game that pnp words itself.

    A page of pnp's own `is_generated`: it leaves out letters that no font of the game has. In rules
    of the pack such a letter is an error, since their author can choose another.
    """

    title: str
    language: str
    words: RuleWords
    blocks: tuple[Block, ...]
    style: BookletStyle
    notes: Mapping[int, Line] = field(default_factory=dict)
    icons: Mapping[str, Face] = field(default_factory=dict)
    footer: str = ""
    is_generated: bool = False

    @property
    def faces(self) -> "Iterator[Face]":
        """Every picture on the pages, as often as it occurs."""
        yield from self.style.theme.pictures.faces
        yield from self.pictures

    @property
    def pictures(self) -> "Iterator[Face]":
        """Every picture except the decorations of pages, which a screen does not show."""
        yield from self.icons.values()
        if self.style.cover:
            yield self.style.cover
        for block in walk(self.blocks):
            match block:
                case FigureBlock(figure, _):
                    yield figure.face
                case YesNo(panels):
                    yield from (panel.figure.face for panel in panels)
                case Components(parts):
                    yield from (face for part in parts for face in part.faces)
                case Gallery(items) | Thumbnails(items):
                    yield from (item.face for item in items)

    @property
    def unbound(self) -> "Rules":
        """The rules for plain pages: no cover, page art, decorated headings, optional figures or repeated back cover.

        Credits of the back cover stay, with their headings.
        """
        blocks = list(self.blocks)
        back = next(
            (at for at, block in enumerate(blocks) if isinstance(block, PageBreak) and block.back),
            len(blocks),
        )
        headed = [
            (before, block)
            for before, block in pairwise(blocks[back:])
            if isinstance(block, Credits)
        ]
        credited = [
            block for pair in headed for block in pair if isinstance(block, Credits | Heading)
        ]
        pictures = replace(
            self.style.theme.pictures,
            first=None,
            back=None,
            fillers=(),
            head=None,
            foot=None,
            rule=None,
            mark=None,
        )
        style = replace(
            self.style,
            cover=None,
            theme=replace(self.style.theme, headings="", band="", initial="", pictures=pictures),
        )
        remaining = tuple(
            block
            for block in [*blocks[:back], *credited]
            if not isinstance(block, PageBreak)
            and not (isinstance(block, FigureBlock) and block.figure.optional)
        )
        return replace(self, style=style, blocks=remaining)

    @property
    def headings(self) -> tuple[Heading, ...]:
        """All headings in order."""
        return tuple(block for block in self.blocks if isinstance(block, Heading))


def paragraph(text: str, *, bold: bool = False) -> Paragraph:
    """Return a paragraph of one span."""
    return Paragraph((Span(text, bold=bold),))


def begin_upper(text: str) -> str:
    """Return a text with a capital first letter."""
    return f"{text[:1].upper()}{text[1:]}"


def spans_of(line: Line) -> Iterator[Span]:
    """Yield the spans of a line, including those of its references."""
    for part in line:
        yield from part.spans if isinstance(part, PageRef) else (part,)


def plain(line: Line) -> str:
    """Return the text of a line without its styles."""
    return "".join(span.text for span in spans_of(line)).strip()


def walk(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """Yield all blocks, including those inside other blocks."""
    for block in blocks:
        yield block
        if isinstance(block, Callout):
            yield from walk(block.blocks)
        elif isinstance(block, Listing):
            for item in block.items:
                yield from walk(item)
