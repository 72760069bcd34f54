"""What the stage gives: rules as frozen blocks of spans, before any page is known."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise

from generator.core.words import RuleWords
from generator.picture.face import Face
from generator.rules.look import Look


@dataclass(frozen=True)
class Says:
    """What was checked of a figure: its numbers, and whether something may be done on it, may not, or both.

    `scored` is whether something scores, does not, or both.
    """

    numbers: frozenset[str] = frozenset()
    verdicts: frozenset[bool] = frozenset()
    scored: frozenset[bool] = frozenset()

    @property
    def yes(self) -> bool:
        """Whether it may stand under Yes: something may be done or scores, and nothing may not."""
        return True in self.verdicts | self.scored and False not in self.verdicts

    @property
    def no(self) -> bool:
        """Whether it may stand under No: something may not be done, or scores nothing."""
        return False in self.verdicts | self.scored


@dataclass(frozen=True)
class Figure:
    """A picture of the rules, drawn; `alt` says in words what it shows, `wide` asks for the whole page's width.

    Its tiles are drawn at a `scale` of their size on paper, so that a `piece` is so many mm wide or high. What stands
    under it may say no more than it `says` itself; of a picture that says nothing, nothing is known.
    """

    name: str
    face: Face
    alt: str
    caption: str = ""
    wide: bool = False
    says: Says | None = None
    scale: float = 1.0
    piece: float = 0.0


@dataclass(frozen=True)
class Span:
    """A stretch of text in one look; or an icon in the place of a letter; or the mark of a footnote."""

    text: str
    bold: bool = False
    italic: bool = False
    icon: str = ""
    address: str = ""
    note: int = 0


@dataclass(frozen=True)
class PageRef:
    """A reference to a heading; with `last`, to all from there to the end of that heading's section.

    Print says the page, and the words before it when there are any; a screen links.
    """

    first: str
    last: str
    spans: tuple[Span, ...]


Inline = Span | PageRef
Line = tuple[Inline, ...]


@dataclass(frozen=True)
class Heading:
    """A heading, level 2 to 4: the title of the whole is no block."""

    level: int
    line: Line
    slug: str

    @property
    def text(self) -> str:
        """The plain words, as a contents list shows them."""
        return plain(self.line)


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    line: Line


@dataclass(frozen=True)
class Listing:
    """A list; `start` is the first number, or 0 for bullets."""

    start: int
    items: tuple[tuple["Block", ...], ...]


@dataclass(frozen=True)
class Table:
    """A table with a head; `aligns` says left, center or right for each column."""

    head: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]
    aligns: tuple[str, ...]
    players: bool = False


@dataclass(frozen=True)
class FigureBlock:
    """A figure with what is said under it."""

    figure: Figure
    caption: Line


@dataclass(frozen=True)
class Panel:
    """A figure with its verdict, if it has one: may one, or may one not."""

    good: bool | None
    figure: Figure
    caption: Line


@dataclass(frozen=True)
class YesNo:
    """Figures side by side, perhaps each with a tick or a cross; a tile is as large in one as in the others."""

    panels: tuple[Panel, ...]

    @property
    def scales(self) -> tuple[float, ...]:
        """How much each picture is made smaller before all are made smaller alike, so that their tiles are one size."""
        least = min((panel.figure.scale for panel in self.panels), default=1.0)
        return tuple(least / panel.figure.scale for panel in self.panels)


@dataclass(frozen=True)
class ComponentEntry:
    """A component: how many pieces, what they are, and what some of them look like."""

    count: int
    title: str
    line: Line
    faces: tuple[Face, ...]


@dataclass(frozen=True)
class Components:
    """What is in the box, counted from the pack."""

    parts: tuple[ComponentEntry, ...]


@dataclass(frozen=True)
class GalleryItem:
    """A picture of the pack, what it is called, and what is said of it."""

    face: Face
    title: Line
    line: Line


@dataclass(frozen=True)
class Gallery:
    """Pictures under each other across the page, each with its words beside it."""

    items: tuple[GalleryItem, ...]


class Tone(StrEnum):
    """The kinds of callouts."""

    NOTE = "note"
    EXAMPLE = "example"
    TIP = "tip"


@dataclass(frozen=True)
class Callout:
    """Something set apart from the running text; `label` is what stands at its head."""

    tone: Tone
    label: str
    blocks: tuple["Block", ...]


@dataclass(frozen=True)
class PageBreak:
    """A new page; `back` when it is the back cover, which stays last when blank pages are put in."""

    back: bool = False


@dataclass(frozen=True)
class Credits:
    """Whose the game is; the pack's own lines first."""

    lines: tuple[Line, ...]


Block = (
    Heading | Paragraph | Listing | Table | FigureBlock | YesNo | Components | Gallery | Callout | PageBreak | Credits
)


@dataclass(frozen=True)
class Rules:
    """The rules of a game in one language."""

    title: str
    language: str
    words: RuleWords
    blocks: tuple[Block, ...]
    look: Look
    notes: Mapping[int, Line] = field(default_factory=dict)
    icons: Mapping[str, Face] = field(default_factory=dict)
    footer: str = ""

    @property
    def faces(self) -> "Iterator[Face]":
        """Every picture on their pages, as often as it is shown."""
        yield from filter(None, vars(self.look.theme.dress).values())
        yield from self.pictures

    @property
    def pictures(self) -> "Iterator[Face]":
        """The same without what dresses pages, which a screen has none of."""
        yield from self.icons.values()
        if self.look.cover:
            yield self.look.cover
        for block in walk(self.blocks):
            match block:
                case FigureBlock(figure, _):
                    yield figure.face
                case YesNo(panels):
                    yield from (panel.figure.face for panel in panels)
                case Components(parts):
                    yield from (face for part in parts for face in part.faces)
                case Gallery(items):
                    yield from (item.face for item in items)

    @property
    def unbound(self) -> "Rules":
        """Plain: without a cover, art round the pages and headings, and what a back cover repeats; credits stay."""
        blocks = list(self.blocks)
        back = next((at for at, block in enumerate(blocks) if isinstance(block, PageBreak) and block.back), len(blocks))
        kept = [(before, block) for before, block in pairwise(blocks[back:]) if isinstance(block, Credits)]
        credited = [block for pair in kept for block in pair if isinstance(block, Credits | Heading)]
        dress = replace(self.look.theme.dress, first=None, back=None, head=None, foot=None, rule=None, mark=None)
        look = replace(self.look, cover=None, theme=replace(self.look.theme, band="", initial="", dress=dress))
        said = tuple(block for block in [*blocks[:back], *credited] if not isinstance(block, PageBreak))
        return replace(self, look=look, blocks=said)

    @property
    def headings(self) -> tuple[Heading, ...]:
        """All headings in order."""
        return tuple(block for block in self.blocks if isinstance(block, Heading))


def plain(line: Line) -> str:
    """The words without their looks."""
    parts = (plain(part.spans) if isinstance(part, PageRef) else part.text for part in line)
    return "".join(parts).strip()


def walk(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """All blocks, also those inside others."""
    for block in blocks:
        yield block
        if isinstance(block, Callout):
            yield from walk(block.blocks)
        elif isinstance(block, Listing):
            for item in block.items:
                yield from walk(item)
