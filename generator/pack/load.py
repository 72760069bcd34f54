"""Load a pack's folder as a `Game`; all problems are collected and raised together."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ValidationError

from generator.base.errors import InvalidValueError, Kind, Reporter, fail, raising_at, unknown
from generator.base.files import display
from generator.base.fonts import FontSet
from generator.base.values import Frozen
from generator.pack import colours, fields
from generator.pack.components import Builder
from generator.pack.fields import Names
from generator.pack.folder import GAME_FILE, MISTAKEN_NAMES, PackFolder
from generator.pack.fonts import fonts_of, pin_axes
from generator.pack.game import Component, Feature, Game, LayerKinds, RulesSettings
from generator.pack.game_spec import (
    IDENTIFIER,
    GameSpec,
    PressSpec,
    RulesSpec,
    VariantSpec,
    translated_name,
)
from generator.pack.icons import Icons, read_sets
from generator.pack.lookups import read_lookups
from generator.pack.orders import (
    NO_COPY,
    CopyOptions,
    escape_values,
    order_values,
    read_lots,
    with_counts,
)
from generator.pack.row_filler import DesignCache
from generator.pack.scope import Scope
from generator.pack.translations import languages_of, own_language
from generator.pack.validation import read_mended
from generator.pack.yaml_nodes import (
    DATA,
    TRANSLATED,
    Node,
    find_misplaced_keys,
    parse_yaml,
    translate,
)
from generator.text.style import Style

PALETTE_PARTS = ("styles", "links", "areas", "features", "font", "rules", "lookups")
"""The parts of `game.yaml` in which `$name` reads the palette."""


@dataclass(frozen=True)
class Vocabulary:
    """The tables of other stages that a pack's names are checked against.

    `layers` are the kinds of layers. `tables` hold patterns, caps, papers, duplex modes, marks and
    kinds of components by name. `board` returns the model for boards; it is called only if
    `game.yaml` has one of the model's fields, the `board_keys`.
    """

    layers: LayerKinds
    tables: Mapping[str, Mapping[str, object]]
    board: Callable[[], type[BaseModel]] | None = None
    board_keys: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PackForm:
    """The requested form of a game: variant, language, draft, and the copy of an edition."""

    variant: str = ""
    language: str = ""
    draft: bool = False
    copy: CopyOptions = NO_COPY


def load(folder: Path, vocabulary: Vocabulary, form: PackForm | None = None) -> Game:
    """Load a pack; raise a `PnpError` that lists all its problems."""
    form = form or PackForm()
    return load_from(PackFolder(folder, is_draft=form.draft), vocabulary, form)


def load_from(pack: PackFolder, vocabulary: Vocabulary, form: PackForm) -> Game:
    """Load a pack whose `PackFolder` may replace some files.

    Raise a `PnpError` that lists all problems.
    """
    report = Reporter()
    game = read_pack(pack, vocabulary, form, report, {})
    report.raise_any()
    if game is None:
        raise AssertionError("a pack that did not load has problems")
    return game


def read_pack(
    pack: PackFolder,
    vocabulary: Vocabulary,
    form: PackForm,
    report: Reporter,
    design_caches: dict[str, DesignCache],
) -> Game | None:
    """Load as much of a pack as possible, reporting its problems; None if nothing can be built.

    `design_caches` keeps designs by component between calls. Raises `PnpError` if there is no
    pack.
    """
    folder = pack.root
    if not (folder / GAME_FILE).is_file():
        mistaken = [name for name in MISTAKEN_NAMES if (folder / name).is_file()]
        if mistaken:
            found = f"{display(folder / mistaken[0])} is not read"
            fail(None, found, f"the name {GAME_FILE}", kind=Kind.MISSING)
        found = (
            f"no {GAME_FILE} in {display(folder)}/"
            if folder.is_dir()
            else f"no folder {display(folder)}/"
        )
        fail(None, found, "a pack: a folder with a game.yaml", kind=Kind.MISSING)
    fonts = fonts_of(pack, report)
    with raising_at(pack.where(GAME_FILE)):
        root_node = parse_yaml(pack.text(GAME_FILE), str(pack.where(GAME_FILE)))
    report.add(*find_misplaced_keys(root_node, TRANSLATED, DATA))
    form = _check_language(pack, root_node, form)
    names = Names(pack, fonts, vocabulary.tables, {}, {}, Icons({}), {})
    return _Loader(
        pack,
        translate(root_node, form.language, DATA),
        vocabulary,
        names,
        form,
        report,
        design_caches,
    ).load()


def _valid_or_black(colour: str) -> str:
    """Return a colour, or black in place of an invalid one, so that the error is reported only once."""
    try:
        colours.parse_colour(colour)
    except InvalidValueError:
        return "#000000"
    return colour


HEADINGS = ("heading", "title")
"""Styles for headings if the pack names none; the first that the pack defines is used."""

DEFAULT_HEADING = Style(font="Alegreya SC", weight=700, colour="#2b2622")


def _heading_style(name: str | None, styles: Mapping[str, Style]) -> Style:
    """Return the named style for headings of rules; without a name, the usual one."""
    if name is not None and name not in styles:
        raise unknown("style", name, styles)
    candidates = (styles[key] for key in ((name,) if name else HEADINGS) if key in styles)
    return next(candidates, DEFAULT_HEADING)


def _check_language(pack: PackFolder, root: Node, form: PackForm) -> PackForm:
    """Return the form with its language checked; the pack's own language becomes empty.

    Raises `InvalidValueError` for a language that nothing in the pack is translated into.
    """
    if not form.language or form.language == (default_language := own_language(root)):
        return replace(form, language="")
    with raising_at(root.place(("language",))):
        if form.language not in (languages := languages_of(pack, root)):
            known = {default_language, *languages}
            raise unknown("language", form.language, known, kind=Kind.USAGE)
    return form


@dataclass(frozen=True)
class _Loader:
    """One loading of one pack; all problems go to `report`."""

    pack: PackFolder
    root: Node
    vocabulary: Vocabulary
    names: Names
    form: PackForm
    report: Reporter
    design_caches: dict[str, DesignCache]

    def load(self) -> Game | None:
        """Return the game; None if `game.yaml` itself cannot be used."""
        variant = self._read_variant()
        palette = {**self._read_palette(), **(variant.palette if variant else {})}
        spec = self._read_spec(palette, variant)
        if spec is None:
            return None
        styles = self._check_styles(spec)
        links = {key: link.style() for key, link in (spec.links | spec.areas).items()}
        icons = read_sets(self.pack, spec.icons, spec.aliases, self.root, self.report)
        names = replace(self.names, styles=styles, links=links, icons=icons, palette=palette)
        builder = self._builder(spec, names, palette, variant)
        components = self._build_components(builder, spec)
        return Game(
            slug=self.pack.slug,
            name=spec.name,
            version=spec.version,
            folder=self.pack.root,
            language=self.form.language or spec.language,
            credits=tuple(spec.credits),
            authors=tuple(spec.authors),
            needs=tuple(spec.needs),
            palette=Frozen(palette),
            links=Frozen(links),
            features=Frozen(self._build_features(spec)),
            icons=icons,
            components=tuple(
                sorted(with_counts(components, self.form.copy), key=lambda each: each.optional)
            ),
            print=spec.print.settings,
            fonts=self._pin_fonts(styles, components).with_substitutes(spec.fonts),
            variant=self.form.variant,
            variant_title=(variant.title if variant else "") or self.form.variant,
            lines=variant.lines if variant else False,
            translated=self.form.language,
            rules=self._read_rules(spec.rules, spec.language, styles) if spec.rules else None,
            draft=self.form.draft,
            profile=spec.press.profile,
            spots=self._read_spot_inks(spec.press, palette),
            lots=read_lots(spec.lots, components, self.root, self.report),
            order=tuple(order_values(spec.order, self.form.copy).items()),
            copy=self._copy_name(spec),
            board=self._read_board(),
            notes=(*self.report.notes, *self._spelling_notes()),
        )

    def _builder(
        self, spec: GameSpec, names: Names, palette: dict[str, str], variant: VariantSpec | None
    ) -> Builder:
        language = self.form.language or spec.language
        values = {f"palette.{key}": value for key, value in palette.items()} | palette
        values |= {"name": spec.name, "version": spec.version, "language": language}
        values |= order_values(spec.order, escape_values(self.form.copy))
        # Tags that a variant adds are left out of the game itself and of its other variants.
        added = frozenset(tag for item in spec.variants.values() for tag in item.added)
        without = added.difference(variant.added) | {*variant.without} if variant else added
        tables = self._fill(palette).find("lookups")
        lookups = read_lookups(self.pack, tables, self.report) if tables else {}
        scope = Scope({}, values, self.form.language, lookups, place=(spec.seed,))
        return Builder(
            names,
            self.vocabulary.layers,
            scope,
            without,
            self.root,
            self.report,
            self.design_caches,
        )

    def _spelling_notes(self) -> Iterator[str]:
        for name, decoded in sorted(self.pack.code_pages.items()):
            yield f"{self.pack.where(name)}: {decoded.note}"
        for name in sorted(self.pack.windows_paths):
            yield f"{name!r} is read as {self.pack.with_slashes(name)!r}: write paths with /, which works everywhere"

    def _copy_name(self, spec: GameSpec) -> str:
        """Return the name of the copy for footers: the pack's `footer`, or the id.

        Empty for the game itself.
        """
        names = {
            "name": spec.name,
            "version": spec.version,
            **order_values(spec.order, self.form.copy),
        }
        with self.report.at(self.root.place(("footer",)), "footer"):
            footer = " ".join(Scope({}, names).fill(spec.footer or "${order.id}").split())
            return footer if self.form.copy.id else ""
        return ""

    def _read_rules(
        self, spec: RulesSpec, own_language: str, styles: Mapping[str, Style]
    ) -> RulesSettings | None:
        """Return the settings of the rules with every name resolved; None if a problem was reported."""
        language = self.form.language if self.form.language != own_language else ""
        where = self.root.place(("rules",))
        with self.report.at(where, "rules"):
            name = translated_name(spec.file, language)
            lack = None
            if language and not (self.pack.root / name).is_file():
                languages = ["the pack's own", *self.pack.languages(spec.file)]
                lack = InvalidValueError(
                    f"no rules in {language!r}",
                    f"{name}; there are: {', '.join(languages)}",
                    kind=Kind.MISSING,
                ).at(where, "rules")
            else:
                self.pack.asset(name)
            heading = _heading_style(spec.heading, styles)
            return RulesSettings(
                file=name,
                heading=heading,
                accent=spec.accent or heading.colour,
                columns=int(spec.columns),
                cover=spec.cover or "",
                lettered=spec.theme.lettered,
                headings=spec.theme.headings or "",
                art=spec.theme.art(),
                fillers=spec.theme.fillers,
                colours=spec.theme.colours(),
                frame=spec.theme.frame,
                lack=lack,
            )
        return None

    def _read_spot_inks(
        self, spec: PressSpec, palette: Mapping[str, str]
    ) -> tuple[tuple[str, str], ...]:
        """Return pairs of colour and ink name.

        Report colours missing from the palette and a missing profile.
        """
        for name in spec.spots:
            with self.report.at(self.root.place(("press", "spots", name)), f"press.spots.{name}"):
                if name not in palette:
                    raise unknown("colour of the palette", name, palette)
        if spec.profile:
            with self.report.at(self.root.place(("press", "profile")), "press.profile"):
                self.pack.read(spec.profile)
        return tuple((palette[name], ink) for name, ink in spec.spots.items() if name in palette)

    def _read_variant(self) -> VariantSpec | None:
        """Read the requested variant alone, because its colours replace those of the palette.

        Validation of `game.yaml` reports its mistakes.
        """
        if not self.form.variant:
            return None
        node = self.root.find("variants", self.form.variant)
        if node is None:
            variants = self.root.find("variants")
            known = variants.keys if variants else ()
            error = unknown("variant", self.form.variant, known, kind=Kind.USAGE)
            self.report.add(error.at(self.root.place(("variants",))))
            return None
        try:
            return VariantSpec.model_validate(node.plain(), context=self.names)
        except ValidationError:
            return None

    def _read_palette(self) -> dict[str, str]:
        """Read the palette alone, because other keys may use its names.

        Validation reports its mistakes.
        """
        node = self.root.find("palette")
        plain = node.plain() if node else {}
        values = plain.items() if isinstance(plain, dict) else ()
        return {key: _valid_or_black(value) for key, value in values if isinstance(value, str)}

    def _read_spec(self, palette: dict[str, str], variant: VariantSpec | None) -> GameSpec | None:
        """Read the general keys of `game.yaml`, and write colours as `#rrggbb` into `palette`."""
        root, _ = self._split_board_keys(self._fill(palette))
        spec = read_mended(root, GameSpec, self.names, self.report)
        if spec is None:
            return None
        palette.update(spec.palette)
        palette.update(variant.palette if variant else {})
        for part in ("components", "styles", "links", "areas", "features", "palette"):
            self._check_names(self.root.find(part))
        self._check_variants(spec)
        return spec

    def _read_board(self) -> BaseModel | None:
        """Validate the keys of `game.yaml` that describe boards; None if there are none."""
        _, node = self._split_board_keys(self.root)
        if self.vocabulary.board is None or not node.value:
            return None
        return read_mended(node, self.vocabulary.board(), self.names, self.report)

    def _split_board_keys(self, root: Node) -> tuple[Node, Node]:
        """Split `game.yaml` into its general keys and those that describe boards."""
        values = root.value if isinstance(root.value, dict) else {}
        keys = self.vocabulary.board_keys
        other_values = {key: value for key, value in values.items() if key not in keys}
        board_values = {key: value for key, value in values.items() if key in keys}
        return replace(root, value=other_values if values else root.value), replace(
            root, value=board_values
        )

    def _check_variants(self, spec: GameSpec) -> None:
        """Report invalid names of variants, and variant colours that the palette lacks."""
        for name, variant in spec.variants.items():
            if not fields.VARIANT.fullmatch(name):
                self.report.add_problem(
                    self.root.place(("variants", name)),
                    f"variants: {name!r} is not a name",
                    "a word or two",
                )
            for colour in variant.palette:
                if colour not in spec.palette:
                    where = self.root.find("variants", name, "palette")
                    error = unknown("colour of the palette", colour, spec.palette)
                    self.report.add(
                        error.at(where.keys.get(colour) if where else None, f"variants.{name}")
                    )

    def _check_names(self, node: Node | None) -> None:
        for name, where in (node.keys if node else {}).items():
            if not IDENTIFIER.fullmatch(name):
                self.report.add_problem(
                    where, f"{name!r} is not a name", "letters, digits, - _ and ."
                )

    def _fill(self, palette: dict[str, str]) -> Node:
        if not isinstance(self.root.value, dict):
            return self.root
        scope = Scope({}, palette)
        parts = {
            key: self._fill_node(node, scope) if key in PALETTE_PARTS else node
            for key, node in self.root.value.items()
        }
        return Node(parts, self.root.where, self.root.keys)

    def _fill_node(self, node: Node, scope: Scope) -> Node:
        if isinstance(node.value, str):
            with self.report.at(node.where):
                return Node(scope.fill(node.value), node.where)
        if isinstance(node.value, list):
            return Node([self._fill_node(item, scope) for item in node.value], node.where)
        if isinstance(node.value, dict):
            return Node(
                {key: self._fill_node(item, scope) for key, item in node.value.items()},
                node.where,
                node.keys,
            )
        return node

    def _check_styles(self, spec: GameSpec) -> Mapping[str, Style]:
        styles = {name: style.style(spec.font) for name, style in spec.styles.items()}
        if not self.names.fonts.is_complete:
            return styles  # the families that are missing may be those of the unread files
        for name, style in styles.items():
            with self.report.at(self.root.place(("styles", name, "font")), f"styles.{name}"):
                self.names.fonts.find(style.font, style.weight, italic=style.italic)
                for family in style.others:
                    self.names.fonts.nearest_face(family)
            for tag, value in style.axes:
                with self.report.at(
                    self.root.place(("styles", name, "axes", tag)), f"styles.{name}"
                ):
                    self.names.fonts.check_axis(style.font, tag, value)
        return styles

    def _pin_fonts(self, styles: Mapping[str, Style], components: Iterable[Component]) -> FontSet:
        """Return the fonts, with variable ones at the values of their axes that texts ask for."""
        fonts = self.names.fonts
        if not fonts.variable:
            return fonts
        layers = {
            id(at.layer): at.layer
            for component in components
            for design in component.designs
            for face in (design.front, *design.more, design.back)
            for at in (face.layers if face else ())
        }
        used = [*styles.values(), *(style for layer in layers.values() for style in layer.styles)]
        axis_places = {(style.font, style.axes) for style in used if style.axes}
        with self.report.at(self.root.where, "fonts"):
            return pin_axes(fonts, axis_places, self.report)
        return fonts

    def _build_components(self, builder: Builder, spec: GameSpec) -> tuple[Component, ...]:
        components = builder.components(spec)
        for name, variant in spec.variants.items():
            for key, tags in (("without", variant.without), ("with", variant.added)):
                where = self.root.place(("variants", name, key))
                for tag in tags:
                    if tag not in builder.tags:
                        self.report.add(
                            unknown("tag", tag, builder.tags - {""}).at(where, f"variants.{name}")
                        )
            for tag in sorted({*variant.without} & {*variant.added}):
                where = self.root.place(("variants", name))
                found = f"variants.{name}: the tag {tag!r} is left out and drawn"
                self.report.add_problem(where, found, "either `with` or `without`")
        return components

    def _build_features(self, spec: GameSpec) -> dict[str, Feature]:
        return {
            name: Feature(item.svg, item.size, item.turns, item.crowd)
            for name, item in spec.features.items()
        }
