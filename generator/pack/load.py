"""From a folder to a `Game`: every problem is collected, then all are raised together."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ValidationError

from generator.core.files import display
from generator.core.problems import Kind, MissingError, Problem, Reporter, Wrong, placed, unknown
from generator.core.values import Frozen
from generator.pack import colours, fields
from generator.pack.components import Builder
from generator.pack.fields import Names
from generator.pack.filling import MadeRows
from generator.pack.folder import DraftFolder, PackFolder, fonts_of
from generator.pack.game import Component, Feature, Game, LayerKinds, RulesSettings
from generator.pack.icons import Icons, read_sets
from generator.pack.lookups import read_lookups
from generator.pack.orders import NO_COPY, CopyWish, as_it_is, counted, lots, ordered
from generator.pack.press import spot_inks
from generator.pack.rules import RulesPlace
from generator.pack.source import DATA, TRANSLATED, Node, misplaced, parse, translated
from generator.pack.spec import IDENTIFIER, GameSpec, VariantSpec
from generator.pack.style import Style
from generator.pack.template import Scope
from generator.pack.translations import own_language, spoken
from generator.pack.validation import problems_of, read_mended

MAIN = "game.yaml"
NEARLY = ("game.yml", "Game.yaml", "game.yaml.txt", "game.json")
"""What the file is called by mistake."""
FILLED = ("styles", "links", "areas", "features", "font", "rules", "lookups")
"""The parts of `game.yaml` in which `$name` reads the palette."""


@dataclass(frozen=True)
class Vocabulary:
    """The tables of the other stages, by which a pack's names are checked.

    `layers` are the kinds of layers; `tables` have patterns, caps, papers, duplex modes, marks, and what is made, by
    their names.
    `board` gives the model of what `game.yaml` says of boards, where one of the `board_keys`, its fields, stands there.
    """

    layers: LayerKinds
    tables: Mapping[str, Mapping[str, object]]
    board: Callable[[], type[BaseModel]] | None = None
    board_keys: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PackForm:
    """Which form of the game is wanted: a variant of its look, a language, a draft of it, one copy of its own."""

    variant: str = ""
    language: str = ""
    draft: bool = False
    copy: CopyWish = NO_COPY


def load(folder: Path, vocabulary: Vocabulary, wish: PackForm | None = None) -> Game:
    """Read a pack; raises a `PnpError` that lists all that is wrong with it."""
    wish = wish or PackForm()
    return load_from((DraftFolder if wish.draft else PackFolder)(folder), vocabulary, wish)


def load_from(pack: PackFolder, vocabulary: Vocabulary, wish: PackForm) -> Game:
    """Read a pack of which some files may be others than those that lie there."""
    report = Reporter()
    game = read_pack(pack, vocabulary, wish, report, {})
    report.raise_any()
    if game is None:
        raise AssertionError("a pack that did not load has problems")
    return game


def read_pack(
    pack: PackFolder, vocabulary: Vocabulary, wish: PackForm, report: Reporter, made: dict[str, MadeRows]
) -> Game | None:
    """What can be read of a pack in spite of what the report is told; `made` is what was made of its rows before."""
    folder = pack.root
    if not (folder / MAIN).is_file():
        near = [name for name in NEARLY if (folder / name).is_file()]
        if near:
            found = f"{display(folder / near[0])} is not read"
            raise MissingError([Problem(None, found, f"the name {MAIN}", kind=Kind.MISSING)])
        found = f"no {MAIN} in {display(folder)}/" if folder.is_dir() else f"no folder {display(folder)}/"
        raise MissingError([Problem(None, found, "a pack: a folder with a game.yaml", kind=Kind.MISSING)])
    fonts = fonts_of(pack, report)
    with placed(pack.where(MAIN)):
        whole = parse(pack.text(MAIN), str(pack.where(MAIN)))
    report.add(*misplaced(whole, TRANSLATED, DATA))
    wish = _checked(pack, whole, wish)
    names = Names(pack, fonts, vocabulary.tables, {}, {}, Icons({}), {})
    return _Loader(pack, translated(whole, wish.language, DATA), vocabulary, names, wish, report, made).load()


def _or_black(colour: str) -> str:
    """A colour that can be read; one that cannot is told once, and not wherever it is used."""
    try:
        colours.colour(colour)
    except Wrong:
        return "#000000"
    return colour


def _checked(pack: PackFolder, root: Node, wish: PackForm) -> PackForm:
    """The wish with no language where that is the pack's own; one that the pack has nothing in is a slip."""
    if not wish.language or wish.language == (own := own_language(root)):
        return replace(wish, language="")
    with placed(root.place(("language",))):
        if wish.language not in (known := spoken(pack, root)):
            raise unknown("language", wish.language, {own, *known})
    return wish


@dataclass(frozen=True)
class _Loader:
    """One reading of one pack; `report` is where everybody says what is wrong."""

    pack: PackFolder
    root: Node
    vocabulary: Vocabulary
    names: Names
    wish: PackForm
    report: Reporter
    made: dict[str, MadeRows]

    def load(self) -> Game | None:
        """The game, or nothing when `game.yaml` itself is wrong."""
        variant = self._variant()
        palette = {**self._palette(), **(variant.palette if variant else {})}
        spec = self._spec(palette)
        if spec is None:
            return None
        styles, links = self._styles(spec), {key: each.style() for key, each in (spec.links | spec.areas).items()}
        icons = read_sets(self.pack, spec.icons, self.root, self.report)
        names = replace(self.names, styles=styles, links=links, icons=icons, palette=palette)
        builder = self._builder(spec, names, palette, variant)
        components = self._components(builder, spec)
        return Game(
            slug=self.pack.slug,
            name=spec.name,
            version=spec.version,
            folder=self.pack.root,
            language=self.wish.language or spec.language,
            credits=tuple(spec.credits),
            needs=tuple(spec.needs),
            palette=Frozen(palette),
            links=Frozen(links),
            features=Frozen(self._features(spec)),
            icons=icons,
            components=tuple(sorted(counted(components, self.wish.copy), key=lambda each: each.optional)),
            print=spec.print.settings,
            fonts=self.names.fonts.with_others(spec.fonts),
            variant=self.wish.variant,
            variant_title=(variant.title if variant else "") or self.wish.variant,
            translated=self.wish.language,
            rules=self._rules(spec, styles),
            draft=self.wish.draft,
            profile=spec.press.profile,
            spots=spot_inks(spec.press, self.pack, self.root, palette, self.report) if self.root.find("press") else (),
            lots=lots(spec.lots, components, self.root, self.report),
            order=tuple(ordered(spec.order, self.wish.copy).items()),
            copy=self._copy(spec),
            board=self._board(),
            notes=tuple(self.report.notes),
        )

    def _builder(self, spec: GameSpec, names: Names, palette: dict[str, str], variant: VariantSpec | None) -> Builder:
        language = self.wish.language or spec.language
        values = {f"palette.{key}": value for key, value in palette.items()} | palette
        values |= {"name": spec.name, "version": spec.version, "language": language}
        values |= ordered(spec.order, as_it_is(self.wish.copy))
        added = frozenset(tag for each in spec.variants.values() for tag in each.added)
        without = added.difference(variant.added) | {*variant.without} if variant else added
        tables = self._fill(palette).find("lookups")
        lookups = read_lookups(self.pack, tables, self.report) if tables else {}
        scope = Scope({}, values, self.wish.language, lookups)
        return Builder(names, self.vocabulary.layers, scope, without, self.root, self.report, self.made)

    def _copy(self, spec: GameSpec) -> str:
        """What footers call the copy: what the pack says of it, or its id; nothing where the game itself is wanted."""
        told = {"name": spec.name, "version": spec.version, **ordered(spec.order, self.wish.copy)}
        with self.report.at(self.root.place(("footer",)), "footer"):
            said = " ".join(Scope({}, told).fill(spec.footer or "${order.id}").split())
            return said if self.wish.copy.id else ""
        return ""

    def _rules(self, spec: GameSpec, styles: Mapping[str, Style]) -> RulesSettings | None:
        language = self.wish.language if self.wish.language != spec.language else ""
        node = self.root.find("rules") or self.root
        return RulesPlace(self.pack, node, styles, language, self.report).settings(spec.rules) if spec.rules else None

    def _variant(self) -> VariantSpec | None:
        if not self.wish.variant:
            return None
        node = self.root.find("variants", self.wish.variant)
        if node is None:
            known = self.root.find("variants")
            wrong = unknown("variant", self.wish.variant, known.keys if known else ())
            self.report.add(wrong.at(self.root.place(("variants",))))
            return None
        try:
            return VariantSpec.model_validate(node.plain(), context=self.names)
        except ValidationError as error:
            self.report.add(*(problem for _, problem in problems_of(error, node, VariantSpec)))
            return None

    def _palette(self) -> dict[str, str]:
        """The palette alone, since the rest may be written with its names; its faults are reported with the rest."""
        node = self.root.find("palette")
        plain = node.plain() if node else {}
        values = plain.items() if isinstance(plain, dict) else ()
        return {key: _or_black(value) for key, value in values if isinstance(value, str)}

    def _spec(self, palette: dict[str, str]) -> GameSpec | None:
        root, _ = self._parted(self._fill(palette))
        spec = read_mended(root, GameSpec, self.names, self.report)
        if spec is None:
            return None
        palette.update(spec.palette if not self.wish.variant else {})
        for part in ("components", "styles", "links", "areas", "features", "palette"):
            self._check_names(self.root.find(part))
        self._check_variants(spec)
        return spec

    def _board(self) -> BaseModel | None:
        """What the pack says of boards."""
        _, node = self._parted(self.root)
        if self.vocabulary.board is None or not node.value:
            return None
        return read_mended(node, self.vocabulary.board(), self.names, self.report)

    def _parted(self, root: Node) -> tuple[Node, Node]:
        """`game.yaml` without what it says of boards, and that alone."""
        values, keys = root.value if isinstance(root.value, dict) else {}, self.vocabulary.board_keys
        rest = {key: value for key, value in values.items() if key not in keys}
        own = {key: value for key, value in values.items() if key in keys}
        return replace(root, value=rest if values else root.value), replace(root, value=own)

    def _check_variants(self, spec: GameSpec) -> None:
        """A variant changes colours that there are: another name is a slip."""
        for name, variant in spec.variants.items():
            if not fields.VARIANT.fullmatch(name):
                self.report.tell(self.root.place(("variants", name)), f"variants: {name!r} is no name", "a word or two")
            for colour in variant.palette:
                if colour not in spec.palette:
                    where = self.root.find("variants", name, "palette")
                    wrong = unknown("colour of the palette", colour, spec.palette)
                    self.report.add(wrong.at(where.keys.get(colour) if where else None, f"variants.{name}"))

    def _check_names(self, node: Node | None) -> None:
        for name, where in (node.keys if node else {}).items():
            if not IDENTIFIER.fullmatch(name):
                self.report.tell(where, f"{name!r} is no name", "letters, digits, - _ and .")

    def _fill(self, palette: dict[str, str]) -> Node:
        if not isinstance(self.root.value, dict):
            return self.root
        scope = Scope({}, palette)
        parts = {key: self._filled(node, scope) if key in FILLED else node for key, node in self.root.value.items()}
        return Node(parts, self.root.where, self.root.keys)

    def _filled(self, node: Node, scope: Scope) -> Node:
        if isinstance(node.value, str):
            with self.report.at(node.where):
                return Node(scope.fill(node.value), node.where)
        if isinstance(node.value, list):
            return Node([self._filled(item, scope) for item in node.value], node.where)
        if isinstance(node.value, dict):
            return Node({key: self._filled(item, scope) for key, item in node.value.items()}, node.where, node.keys)
        return node

    def _styles(self, spec: GameSpec) -> Mapping[str, Style]:
        styles = {name: style.style(spec.font) for name, style in spec.styles.items()}
        for name, style in styles.items():
            with self.report.at(self.root.place(("styles", name, "font")), f"styles.{name}"):
                self.names.fonts.find(style.font, style.weight, italic=style.italic)
        return styles

    def _components(self, builder: Builder, spec: GameSpec) -> tuple[Component, ...]:
        components = builder.components(spec)
        for name, variant in spec.variants.items():
            for key, tags in (("without", variant.without), ("with", variant.added)):
                where = self.root.place(("variants", name, key))
                for tag in tags:
                    if tag not in builder.tags:
                        self.report.add(unknown("tag", tag, builder.tags - {""}).at(where, f"variants.{name}"))
            for tag in sorted({*variant.without} & {*variant.added}):
                where = self.root.place(("variants", name))
                found = f"variants.{name}: the tag {tag!r} is left out and drawn"
                self.report.tell(where, found, "either `with` or `without`")
        return components

    def _features(self, spec: GameSpec) -> dict[str, Feature]:
        return {name: Feature(item.svg, item.size, item.turns) for name, item in spec.features.items()}
