"""The model of `game.yaml`: its keys as written, checked and converted by pydantic.

`load.py` makes the values of `game.py` from them.
"""

import re
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from generator.base import units
from generator.base.errors import InvalidValueError
from generator.base.fonts import WEIGHTS
from generator.base.outline import Outline
from generator.base.paper import Orientation, Paper
from generator.base.values import Frozen
from generator.pack import fields
from generator.pack.folder import Asset
from generator.pack.game import LinkStyle, PrintSettings, Spec
from generator.pack.orders import LotSpec
from generator.pack.sizes import MadeInto, parse_covered_places, parse_grid
from generator.picture.items import Stroke
from generator.text.style import Align, Caps, Style, VAlign

IDENTIFIER = re.compile(r"[A-Za-z0-9][\w.-]*")


def translated_name(file: str, language: str) -> str:
    """Return the file name of a translation: `rules.nl.md` for `rules.md`."""
    path = PurePosixPath(file)
    return path.with_suffix(f".{language}{path.suffix}").as_posix() if language else file


def _as_list(value: object) -> object:
    return value if isinstance(value, list | tuple) else [value]


def _read_margins(value: object) -> object:
    return units.sides(
        ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    )


def _check_not_negative(margins: tuple[float, ...] | None) -> tuple[float, ...] | None:
    return tuple(fields.not_negative(mm) for mm in margins) if margins else margins


def _check_papers(papers: tuple[Paper, ...]) -> tuple[Paper, ...]:
    if not papers:
        raise InvalidValueError(
            "no paper is given", "a paper or several, such as [a4, letter], or no such line"
        )
    for item in papers:
        if papers.count(item) > 1:
            raise InvalidValueError(
                f"{item.name!r} is given {papers.count(item)} times", "each paper once"
            )
    return papers


def _check_data(value: object) -> object:
    rows = value if isinstance(value, list) else []
    if not isinstance(value, str) and (not rows or any(not isinstance(row, dict) for row in rows)):
        raise InvalidValueError(
            "this is not a table",
            "a file such as cards.csv, or a list of rows such as `- {id: fox, title: The Fox}`",
        )
    return value


def _check_address(value: str) -> str:
    if not re.match(r"https?://[^\s/]+", value):
        raise InvalidValueError(
            f"{value!r} is not an address",
            "one that begins with https://, of a sheet published as CSV",
        )
    return value


def _check_version(value: str) -> str:
    """Check that a version can stand in file names."""
    if re.fullmatch(r"[A-Za-z0-9][\w.+-]*", value):
        return value
    raise InvalidValueError(
        f"{value!r} cannot be part of a file name", "letters, digits, - _ + and ."
    )


Data = Annotated[fields.Text | list[dict[str, fields.Text]], BeforeValidator(_check_data)]
Several = Annotated[
    tuple[fields.Text, ...],
    BeforeValidator(_as_list),
    WithJsonSchema({"type": ["string", "array"], "items": {"type": "string"}}),
]
Grid = Annotated[
    tuple[int, int],
    BeforeValidator(parse_grid),
    WithJsonSchema({"type": "string", "pattern": r"^\d+ ?[x×] ?\d+$"}),
]


Covers = Annotated[
    tuple[tuple[int, int], ...],
    BeforeValidator(parse_covered_places),
    WithJsonSchema({"type": ["string", "array"], "items": {"type": "string"}}),
]


class StyleSpec(Spec):
    """A text style; of several fonts, each character takes the first that has it."""

    font: Several | None = None
    weight: fields.Weight = WEIGHTS["regular"]
    italic: fields.Bool = False
    axes: fields.Axes = Field(default_factory=dict)
    size: fields.TextSize = 3.5
    colour: fields.Colour = "#000000"
    align: Align = Align.START
    valign: VAlign = VAlign.TOP
    leading: fields.Factor = 1.2
    spacing: fields.Length = 0.0
    caps: Caps = Caps.NORMAL
    hyphenate: fields.Bool = False
    keep_spaces: fields.Bool = False

    def style(self, default_font: str) -> Style:
        """Return the style as later stages receive it."""
        font, *others = self.font or (default_font,)
        style_fields = {
            "font": font,
            "others": tuple(others),
            "axes": tuple(sorted(self.axes.items())),
        }
        return Style(**{**self.model_dump(), **style_fields})


_NAME = WithJsonSchema({"type": "string"})


class LinkSpec(Spec):
    """The appearance of a kind of link."""

    width: fields.Above = Field(examples=["6mm"])
    fill: fields.Colour = Field(examples=["#5d9ccc"])
    casing: fields.Line = None
    pattern: Annotated[object, fields.choice("pattern"), _NAME] = Field(
        "solid", validate_default=True
    )
    ink: fields.Colour = "#000000"
    cap: Annotated[object, fields.choice("cap"), _NAME] = Field("round", validate_default=True)
    motif: fields.Above | None = None
    period: fields.Above | None = None
    fillet: fields.Length | None = None

    def style(self) -> LinkStyle:
        """Return the style as later stages receive it."""
        casing: Stroke | None = self.casing
        pattern_fields = (self.motif, self.period, self.fillet)
        return LinkStyle(
            self.width, self.fill, casing, self.pattern, self.ink, self.cap, *pattern_fields
        )


class AreaSpec(Spec):
    """The appearance of a kind of area: fill, edge line inside the tile, pattern, and clipped picture."""

    fill: fields.Colour = Field(examples=["#b9804f"])
    edge: fields.Line = None
    pattern: Annotated[object, fields.choice("area pattern"), _NAME] = Field(
        "solid", validate_default=True
    )
    ink: fields.Colour = "#000000"
    period: fields.Above | None = None
    svg: fields.AssetField | None = None

    def style(self) -> LinkStyle:
        """Return a link style of width 0, since an area has no width."""
        return LinkStyle(
            0.0, self.fill, self.edge, self.pattern, self.ink, period=self.period, art=self.svg
        )


class FeatureSpec(Spec):
    """A picture that stands on a link."""

    svg: fields.AssetField
    size: fields.Above
    turns: fields.Bool = False
    crowd: fields.Bool = False


class LookupSpec(Spec):
    """A lookup table: a file, or rows in place.

    `by` is its key column. `source` is the component's column that holds the key, by default the
    one with the table's name. With `many`, several rows may share a key.
    """

    data: fields.Text
    by: fields.Text = "id"
    source: fields.Text = Field(default="", alias="from")
    many: fields.Bool = False


_CELL = {"type": ["string", "number", "boolean"]}
_KEYED_ROWS = {
    "type": "object",
    "additionalProperties": {"type": "object", "additionalProperties": _CELL},
}
_ROWS = {"type": "array", "items": {"type": "object", "additionalProperties": _CELL}}
LOOKUPS = {
    "type": "object",
    "additionalProperties": {
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "properties": {
                    "data": {"anyOf": [{"type": "string"}, _ROWS, _KEYED_ROWS]},
                    "by": {"type": "string"},
                    "from": {"type": "string"},
                    "many": {"type": "boolean"},
                },
                "required": ["data"],
                "additionalProperties": False,
            },
            _KEYED_ROWS,
            _ROWS,
        ]
    },
}


class SidesSpec(Spec):
    """The columns that hold the links or marks of the two sides, if they differ."""

    front: fields.Text
    back: fields.Text | None = None


class ComponentSpec(Spec):
    """A component of the game, such as a deck of cards."""

    title: fields.Text = Field(examples=["Cards"])
    size: fields.OutlineField = Field(examples=["poker"])
    radius: fields.NotNegative = 0.0
    make: Annotated[MadeInto, fields.choice("make"), _NAME] = Field("piece", validate_default=True)
    bleed: fields.Length = 3.0
    safe: fields.Length = 3.0
    gutter: fields.Length | None = None
    grid: Grid | None = None
    data: Data = Field(examples=["cards.csv"])
    order: Several = ()
    source: Annotated[str, AfterValidator(_check_address)] | None = None
    tidy: fields.Bool = False
    front: fields.Text = Field(examples=["layouts/front.yaml"])
    back: fields.Text = "none"
    links: fields.Text | SidesSpec | None = None
    marks: fields.Text | SidesSpec | None = None
    crowd: fields.Bool = False
    faces: fields.Text | None = None
    lies: Literal["tile", "token"] | None = None
    optional: fields.Bool = False
    covers: Covers = ()
    folds: Grid | None = None
    bridge: fields.Above | None = None
    depth: fields.Above | None = None
    holds: fields.Text | None = None
    stock: fields.Thickness | None = None
    numbers: Several = ()
    formatted: Several = ()
    columns: dict[str, fields.Text] = {}

    @property
    def outline(self) -> Outline:
        """Return the cut line, with rounded corners."""
        return self.size.rounded(self.radius) if self.radius else self.size


class PrintSpec(Spec):
    """The print options of a pack."""

    paper: Annotated[
        tuple[Annotated[Paper, fields.choice("paper", any_case=True)], ...],
        BeforeValidator(_as_list),
        AfterValidator(_check_papers),
        WithJsonSchema(
            {
                "type": ["string", "array"],
                "items": {"type": "string"},
                "minItems": 1,
                "uniqueItems": True,
            }
        ),
    ] = Field(("a4", "letter"), validate_default=True)
    margin: Annotated[
        tuple[float, float, float, float] | None,
        BeforeValidator(_read_margins),
        AfterValidator(_check_not_negative),
        WithJsonSchema(
            {"type": ["string", "number", "array"], "items": {"type": ["string", "number"]}}
        ),
    ] = None
    orientation: Annotated[Orientation, fields.choice("orientation"), _NAME] = Orientation.PORTRAIT
    pack: fields.Bool = False
    duplex: Annotated[object, fields.choice("duplex"), _NAME] = Field(
        "long-edge", validate_default=True
    )
    marks: Annotated[object, fields.choice("marks"), _NAME] = Field(
        "crosshair", validate_default=True
    )

    @property
    def settings(self) -> PrintSettings:
        """Return the options as later stages receive them."""
        return PrintSettings(
            self.paper, self.margin, self.orientation, self.pack, self.duplex, self.marks
        )


class VariantSpec(Spec):
    """A variant of the game: other colours, line art, and layers left out or added by tag.

    Layers of a tag under any variant's `with` are drawn in those variants only.
    """

    title: fields.Text | None = None
    palette: dict[str, fields.Colour] = {}
    lines: fields.Bool = False
    without: Several = ()
    added: Several = Field(default=(), alias="with")


class PressSpec(Spec):
    """The key `press:` as written."""

    profile: fields.Text = ""
    spots: dict[str, fields.Text] = {}


class ThemeSpec(Spec):
    """The key `theme:` as written: colours and art of a booklet."""

    page: fields.Colour | None = None
    band: fields.Colour | None = None
    box: fields.Colour | None = None
    title: fields.Colour | None = None
    lettered: fields.Bool = False
    headings: Literal["ribbon", "rule", "line", "plate", "sprig", "stripes"] | None = None
    numerals: fields.Colour | None = None
    initial: fields.Colour | None = None
    frame: fields.Line = None
    behind: fields.AssetField | None = None
    head: fields.AssetField | None = None
    foot: fields.AssetField | None = None
    first: fields.AssetField | None = None
    back: fields.AssetField | None = None
    rule: fields.AssetField | None = None
    mark: fields.AssetField | None = None
    numeral: fields.AssetField | None = None
    bullet: fields.AssetField | None = None
    fillers: tuple[fields.AssetField, ...] = ()

    def art(self) -> Frozen[str, Asset]:
        """Return the art by its place in the booklet."""
        return Frozen({name: asset for name, asset in self if isinstance(asset, Asset)})

    def colours(self) -> Frozen[str, str]:
        """Return the colours by the part that they colour."""
        return Frozen(
            {
                name: colour
                for name, colour in self
                if isinstance(colour, str) and name != "headings" and colour != "none"
            }
        )


class RulesSpec(Spec):
    """The key `rules:` as written."""

    file: fields.Text = "rules.md"
    cover: fields.Text | None = None
    heading: fields.Text | None = None
    accent: fields.Colour | None = None
    columns: Annotated[Literal["1", "2"], BeforeValidator(str)] = "2"
    theme: ThemeSpec = Field(default_factory=ThemeSpec)


class GameSpec(Spec):
    """The model of `game.yaml`.

    `order` has the defaults of order values, and `footer` the text by which footers name a copy,
    which is its id by default.
    """

    name: fields.Text = Field(examples=["My Game"])
    version: Annotated[fields.Text, AfterValidator(_check_version)] = Field(examples=["1"])
    language: fields.Text = "en"
    authors: Several = ()
    credits: Several = ()
    needs: Several = ()
    seed: fields.Text = ""
    palette: dict[str, fields.Colour] = {}
    font: fields.Text = "Alegreya Sans"
    fonts: fields.OtherFonts = {}
    styles: dict[str, StyleSpec] = {}
    icons: Several = ()
    aliases: dict[str, fields.Text] = {}
    links: dict[str, LinkSpec] = {}
    areas: dict[str, AreaSpec] = {}
    features: dict[str, FeatureSpec] = {}
    lookups: Annotated[dict[str, Any], WithJsonSchema(LOOKUPS)] = {}
    components: dict[str, ComponentSpec] = Field(min_length=1)
    rules: RulesSpec | None = None
    variants: dict[str, VariantSpec] = {}
    print: PrintSpec = Field(default_factory=dict, validate_default=True)
    press: PressSpec = Field(default_factory=PressSpec)
    order: dict[str, fields.Text] = {}
    footer: fields.Text = ""
    lots: dict[str, LotSpec] = {}
