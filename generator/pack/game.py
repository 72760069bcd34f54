"""A game as the stages after the loader see it: frozen, complete, every name resolved."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, ClassVar

from pydantic import BaseModel, ConfigDict

from generator.core.files import bounded
from generator.core.fonts import FontSet, unprinted
from generator.core.geometry import Point
from generator.core.outline import Outline
from generator.core.paper import Orientation, Paper
from generator.core.problems import Where, Wrong
from generator.core.shapes import behind
from generator.core.values import Frozen
from generator.core.words import without_words
from generator.pack.links import NO_LINKS, Tile
from generator.pack.style import Style
from generator.picture.items import Stroke

if TYPE_CHECKING:
    from generator.pack.orders import LotSettings
    from generator.pack.sizes import MadeInto


FIGURES = "figures.yaml"
"""The file of a pack that has the figures of its rules."""


@dataclass(frozen=True)
class Asset:
    """A file of the pack: its name as the pack writes it, and where it lies.

    A picture out of a file of many has its own name, and its SVG with it. Of one that a draft
    does without, `lack` is what is raised where it is asked for.
    """

    name: str
    path: Path
    svg: str = ""
    lack: Wrong | None = None

    @property
    def stem(self) -> str:
        """The name without folders and without its kind."""
        return PurePosixPath(self.name).stem

    @property
    def is_svg(self) -> bool:
        """Whether it is a picture of vectors."""
        return bool(self.svg) or self.path.suffix.lower() == ".svg"

    def read(self) -> bytes:
        """What it holds."""
        if self.lack:
            raise self.lack
        return self.svg.encode(errors="replace") if self.svg else bounded(self.path, self.name)


@dataclass(frozen=True)
class LinkStyle:
    """How a kind of link is drawn; `width` in mm without the casing on either side.

    `ink` is the colour of its pattern; that and `cap`, its end, are rows of the drawing's tables, else plain and round.
    `motif` is how wide the pattern is, `period` how soon it comes again, `fillet` how round a junction's corners are.
    """

    width: float
    fill: str
    casing: Stroke | None = None
    pattern: object = None
    ink: str = "#000000"
    cap: object = None
    motif: float | None = None
    period: float | None = None
    fillet: float | None = None
    art: Asset | None = None

    @property
    def across(self) -> float:
        """What its pattern is measured by: its own width, unless the link's kind says otherwise."""
        return self.motif or self.width

    def beat(self, share: float) -> float:
        """How far apart a pattern's marks stand that come again after such a share of its width."""
        return self.period or share * self.across


class Layer(BaseModel):
    """One thing drawn on a face. A kind's own key, such as `text:`, holds its `main` field."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)

    main: ClassVar[str | None] = None
    instead: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Keys of other layers that this kind does not have: the reason, and what is expected instead."""


LayerKinds = Mapping[str, type[Layer]]


@dataclass(frozen=True)
class GroupMove:
    """Where a group's origin goes (mm), and how far the group is turned about it (degrees clockwise)."""

    at: Point
    turn: float


@dataclass(frozen=True)
class LayerAt:
    """A layer of one design, the place in the pack where it is written, and its groups' movements, outer first."""

    layer: Layer
    where: Where
    moves: tuple[GroupMove, ...] = ()


@dataclass(frozen=True)
class Feature:
    """What stands on a link: its picture, its width in mm, and whether it looks towards its link's side."""

    art: Asset
    size: float
    turns: bool = False


@dataclass(frozen=True)
class FaceSpec:
    """One side of a design, not yet drawn: its layers, bottom first, its links, and the words it is marked with."""

    layers: tuple[LayerAt, ...]
    tile: Tile = NO_LINKS
    mirrored: bool = False
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Design:
    """One row of a component's data; `numbers` are what its table counts of it, by column.

    `more` are the faces after the front, of what has more than two; `row` is what stands in its table, by column.
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


@dataclass(frozen=True)
class Component:
    """One kind of thing in a game. `gutter` (mm), `grid` and `order` (ids) are only set where the pack insists.

    `radius` (mm) rounds the corners of what is cut; `make` names what becomes of its faces. `lies` says whether it is a
    tile or a token on boards, `covers` on which columns and rows of places. A board `folds` into so many panels;
    `bridge` (mm) is what a machine leaves of each line. What a box holds is `depth` mm thick; `panels` size its faces.
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
    depth: float = 0.0
    panels: tuple[Outline, ...] = ()
    covers: tuple[tuple[int, int], ...] = ()
    folds: tuple[int, int] | None = None
    bridge: float | None = None
    order: tuple[str, ...] = ()
    optional: bool = False

    @cached_property
    def behind(self) -> Outline:
        """The outline as the backs have it."""
        return behind(self.outline)

    @property
    def count(self) -> int:
        """How many pieces there are."""
        return sum(design.count for design in self.designs)


@dataclass(frozen=True)
class PrintSettings:
    """How the pack wants to be printed, unless the command says otherwise.

    The margins are in mm, from the top clockwise, none where the pack does not mind; with `pack`, components share
    sheets. How both sides come together and the style of marks are values of the tables that the loader was given.
    """

    papers: tuple[Paper, ...]
    margins: tuple[float, float, float, float] | None
    orientation: Orientation
    pack: bool
    duplex: object
    marks: object


@dataclass(frozen=True)
class RulesSettings:
    """Rules in one language; `cover` is a picture's file, `component:design` or `figure:name`; art by its place."""

    file: str
    heading: Style
    accent: str
    columns: int
    cover: str = ""
    art: Mapping[str, Asset] = Frozen({})
    colours: Mapping[str, str] = Frozen({})
    frame: Stroke | None = None


@dataclass(frozen=True)
class Game:
    """A pack, loaded, in one language and one variant; `translated` is the language where it is not the pack's own.

    `board` is what it says of boards, in the form that the board's stage gave the loader.
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
    translated: str = ""
    rules: RulesSettings | None = None
    draft: bool = False
    profile: str = ""
    spots: tuple[tuple[str, str], ...] = ()
    """For a press: its profile's file, and which colours (#rrggbb) are inks of their own, by name."""
    lots: "tuple[LotSettings, ...]" = ()
    order: tuple[tuple[str, str], ...] = ()
    copy: str = ""
    """What is drawn by lot; what `${order.…}` stands for in this copy, and what the copy is called."""
    needs: tuple[str, ...] = ()
    """What players need besides what is printed, in its own words."""
    notes: tuple[str, ...] = ()
    """What its designer should know although nothing is wrong."""

    @property
    def told(self) -> tuple[str, ...]:
        """What should be known of it, whatever is made of it."""
        titles = [each for part in self.components for each in (part.title, *(design.title for design in part.designs))]
        unseen = unprinted((self.name, self.edition(), *self.credits, *titles), self.fonts)
        return tuple(filter(None, (without_words(self.language), *self.notes, unseen)))

    def stem(self, what: str, versions: str = "") -> str:
        """How the names of its files begin: `deck-2-line-art-rules-nl`. All forms stand beside each other."""
        words = (self.slug, versions or self.version, self.variant, "draft" * self.draft, what, self.translated)
        return "-".join(word for word in words if word)

    def edition(self, versions: str = "") -> str:
        """The version as readers see it: `2`, `2 (Line art)`, `2 – ann`, or `2 DRAFT`."""
        draft = " DRAFT" if self.draft else ""
        look, copy = f" ({self.variant_title})" if self.variant else "", f" – {self.copy}" if self.copy else ""
        return (versions or self.version) + look + copy + draft

    @property
    def form(self) -> str:
        """Its variant and its language as the name of a folder: `line-art-nl`; empty where it is the pack itself."""
        return "-".join(word for word in (self.variant, self.translated) if word)

    @property
    def has_rules(self) -> bool:
        """Whether there are rules, or what they are checked by: boards, links across tiles, figures."""
        return bool(self.rules or self.board or self.links or (self.folder / FIGURES).is_file())

    @property
    def count(self) -> int:
        """How many pieces the whole game has."""
        return sum(component.count for component in self.components)
