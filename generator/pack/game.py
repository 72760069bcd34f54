"""The loaded game: frozen values in which every name is resolved, as later stages receive it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict

from generator.base.errors import LayerOrigin, Problem, Where
from generator.base.fonts import FontSet, footer_note
from generator.base.geometry import IDENTITY, Affine
from generator.base.outline import Outline
from generator.base.paper import Orientation, Paper
from generator.base.shapes import back_outline
from generator.base.ui_strings import without_words
from generator.base.values import Frozen
from generator.pack.folder import FIGURES, Asset
from generator.pack.tile import EMPTY_TILE, Tile
from generator.picture.items import Stroke
from generator.text.style import Style

if TYPE_CHECKING:
    from generator.pack.orders import LotSettings
    from generator.pack.sizes import MadeInto


@dataclass(frozen=True)
class LinkStyle:
    """The appearance of a kind of link; `width` in mm without the casing on either side.

    `ink` is the colour of the pattern. `pattern` and `cap` are rows of tables that the draw stage
    supplies. `motif` is the pattern's width in mm, `period` its repeat in mm, `fillet` the corner
    radius of junctions in mm.
    """

    width: float
    fill: str
    casing: Stroke | None = None
    pattern: Any = None
    ink: str = "#000000"
    cap: Any = None
    motif: float | None = None
    period: float | None = None
    fillet: float | None = None
    art: Asset | None = None

    @property
    def across(self) -> float:
        """Return the width in mm that the pattern is drawn to: `motif`, or the link's own width."""
        return self.motif or self.width

    def pattern_period(self, share: float) -> float:
        """Return the repeat of a pattern in mm: `period`, or this share of the pattern's width."""
        return self.period or share * self.across


class Spec(BaseModel):
    """The base of the models of a pack's files: their values are frozen, and unknown keys are errors."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True
    )


class Layer(Spec):
    """A layer of a face. The key that names its kind, such as `text:`, holds its `main` field."""

    main: ClassVar[str | None] = None
    instead: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Keys of other kinds that this one lacks, each with the reason and the alternative."""

    @property
    def styles(self) -> tuple[Style, ...]:
        """Return the styles of the layer's texts."""
        return ()


LayerKinds = Mapping[str, type[Layer]]


@dataclass(frozen=True)
class LayerAt:
    """A layer of a design, its place in the pack's files, and the transform of the groups around it."""

    layer: Layer
    place: LayerOrigin
    transform: Affine = IDENTITY

    @property
    def where(self) -> Where:
        """The place where the layer begins."""
        return self.place.where


@dataclass(frozen=True)
class Feature:
    """A picture that stands on a link: width in mm, and whether it turns with the link's side.

    With `crowd`, it may lie over links and other features.
    """

    art: Asset
    size: float
    turns: bool = False
    crowd: bool = False


@dataclass(frozen=True)
class FaceSpec:
    """A side of a design before drawing: layers from the bottom up, links, and marks (words of its table)."""

    layers: tuple[LayerAt, ...]
    tile: Tile = EMPTY_TILE
    mirrored: bool = False
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Design:
    """A row of a component's data, filled in.

    `numbers` are the counted columns, `more` the faces after the front of a die or box, `row` the
    row of the table.
    """

    id: str
    title: str
    count: int
    where: Where
    front: FaceSpec
    back: FaceSpec | None
    numbers: Mapping[str, float] = field(default_factory=dict)
    more: tuple[FaceSpec, ...] = ()
    row: Mapping[str, str] = field(default_factory=dict)


class OrderedPiece(NamedTuple):
    """A piece of `order:`: the id of its design, and its turn on the sheet in degrees clockwise."""

    design: str
    turn: int


@dataclass(frozen=True)
class Component:
    """A kind of thing in a game, such as a deck of cards, with all its designs.

    `gutter` (mm), `grid` and `order` are set only if the pack insists. `radius` (mm) rounds
    the cut's corners. `make` says what becomes of the faces. `lies` tells tiles from tokens on
    boards; `covers` lists the columns and rows that a piece covers. A board `folds` into so many
    panels. `bridge` (mm) is the part of a cut line that stays uncut. `depth` (mm) is the thickness
    of a box's content; `panels` are the outlines of its faces. With `crowd`, features may lie over
    links and each other.
    """

    id: str
    title: str
    outline: Outline
    bleed: float
    safe: float
    designs: tuple[Design, ...]
    make: "MadeInto"
    gutter: float | None = None
    grid: tuple[int, int] | None = None
    lies: str | None = None
    crowd: bool = False
    depth: float = 0.0
    panels: tuple[Outline, ...] = ()
    covers: tuple[tuple[int, int], ...] = ()
    folds: tuple[int, int] | None = None
    bridge: float | None = None
    order: tuple[OrderedPiece, ...] = ()
    optional: bool = False

    @cached_property
    def behind(self) -> Outline:
        """Return the outline as seen from the back."""
        return back_outline(self.outline)

    @property
    def count(self) -> int:
        """Return the number of pieces."""
        return sum(design.count for design in self.designs)


@dataclass(frozen=True)
class PrintSettings:
    """The print options of a pack, which options of the command override.

    `margins` are in mm, clockwise from the top; None leaves them to the program. With `pack`,
    components share sheets. `duplex` and `marks` are rows of tables that the impose stage supplies.
    """

    papers: tuple[Paper, ...]
    margins: tuple[float, float, float, float] | None
    orientation: Orientation
    pack: bool
    duplex: object
    marks: object


@dataclass(frozen=True)
class RulesSettings:
    """The settings of the rules in one language.

    `cover` is a picture's file, `component:design` or `figure:name`; a `lettered` one has the title
    drawn in it. `headings` is the style of section headings; empty is the default. `art` and
    `colours` are keyed by their place. `fillers` fill the feet of pages in turn. `lack` is the error
    of a translation that is missing: sheets and exports of pieces do not need it.
    """

    file: str
    heading: Style
    accent: str
    columns: int
    cover: str = ""
    lettered: bool = False
    headings: str = ""
    art: Mapping[str, Asset] = Frozen({})
    fillers: tuple[Asset, ...] = ()
    colours: Mapping[str, str] = Frozen({})
    frame: Stroke | None = None
    lack: Problem | None = None


@dataclass(frozen=True)
class Game:
    """A pack, loaded and checked, in one language and one variant.

    With `lines`, all faces are drawn as line art. `translated` is the language if it is not the
    pack's own. `board` is a model that the board stage supplies.
    """

    slug: str
    name: str
    version: str
    folder: Path
    language: str
    credits: tuple[str, ...]
    palette: Mapping[str, str]
    links: Mapping[str, LinkStyle]
    features: Mapping[str, Feature]
    icons: Mapping[str, Asset]
    components: tuple[Component, ...]
    print: PrintSettings
    fonts: FontSet
    board: BaseModel | None = None
    variant: str = ""
    variant_title: str = ""
    lines: bool = False
    translated: str = ""
    rules: RulesSettings | None = None
    draft: bool = False
    profile: str = ""
    spots: tuple[tuple[str, str], ...] = ()
    """The press's spot inks: colour (#rrggbb) and name of the ink.

    `profile` is the ICC profile's file.
    """
    lots: "tuple[LotSettings, ...]" = ()
    order: tuple[tuple[str, str], ...] = ()
    copy: str = ""
    """Random draws; the values of `${order.…}` in this copy; the copy's name."""
    authors: tuple[str, ...] = ()
    """The names for the author field of PDFs."""
    needs: tuple[str, ...] = ()
    """Things that players need besides the prints, such as dice."""
    notes: tuple[str, ...] = ()
    """Remarks for the designer that are not errors."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return the notes that every command prints about this game."""
        titles = [
            item
            for part in self.components
            for item in (part.title, *(design.title for design in part.designs))
        ]
        unseen = footer_note((self.name, self.edition(), *self.credits, *titles), self.fonts)
        return tuple(filter(None, (without_words(self.language), *self.notes, unseen)))

    def stem(self, what: str, versions: str = "") -> str:
        """Return the start of its file names, such as `deck-2-line-art-rules-nl`."""
        words = (
            self.slug,
            versions or self.version,
            self.variant,
            "draft" * self.draft,
            what,
            self.translated,
        )
        return "-".join(word for word in words if word)

    def edition(self, versions: str = "") -> str:
        """Return the version as readers see it: `2`, `2 (Line art)`, `2 – ann` or `2 DRAFT`."""
        draft = " DRAFT" if self.draft else ""
        variant = f" ({self.variant_title})" if self.variant else ""
        copy = f" – {self.copy}" if self.copy else ""
        return (versions or self.version) + variant + copy + draft

    @property
    def form(self) -> str:
        """Return variant and language as a folder name, such as `line-art-nl`.

        Empty for the default form.
        """
        return "-".join(word for word in (self.variant, self.translated) if word)

    @property
    def has_rules(self) -> bool:
        """Return True if there are rules, or boards, links or figures that rules are checked against."""
        return bool(self.rules or self.board or self.links or (self.folder / FIGURES).is_file())

    @property
    def design_count(self) -> int:
        """Return the number of designs of all components."""
        return sum(len(component.designs) for component in self.components)

    @property
    def count(self) -> int:
        """Return the number of pieces of the game."""
        return sum(component.count for component in self.components)
