"""The rules of a game: their figures and claims, icons, and the look of the booklet."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from generator.base.errors import InvalidValueError, Reporter, error_of, raising_at, unknown
from generator.base.fonts import FontSet
from generator.base.ui_strings import words_for
from generator.board.board import build_kit, choose_lattice
from generator.board.rules import BoardRules as Matching
from generator.board.rules import BoardSection, BoardSpecs, find_unknown_words
from generator.board.rules import build_rules as matching_of
from generator.draw.draw import DrawnComponent, face_of_art
from generator.draw.findings import Finding
from generator.pack.folder import PackFolder
from generator.pack.game import Asset, Game, RulesSettings
from generator.pack.load import MAIN
from generator.pack.yaml_nodes import parse
from generator.picture.face import Face
from generator.pipeline.printing import ImposedSheets
from generator.pipeline.project import Project
from generator.rules.directives import Material
from generator.rules.figures.build import CheckedFigure, read_figures
from generator.rules.how_to_make import MakingPage
from generator.rules.markdown import fill_order
from generator.rules.model import Block, Figure, Rules, Says
from generator.rules.read import read_rules
from generator.rules.theme import INK, Dress, Look, Theme

ICON, PICTURE, COVER = 10.0, 80.0, 160.0
"""mm; the heights at which icons, pictures and covers are drawn, before they are made to fit."""


def board_rules(game: Game) -> Matching:
    """Return the game's rules for boards; raise if they name something that does not exist."""
    specs = game.board.specs if isinstance(game.board, BoardSection) else BoardSpecs()
    kit = build_kit(game.components)
    wrong = list(find_unknown_words(kit, specs))
    if wrong:
        folder = PackFolder(game.folder)
        root = parse(folder.text(MAIN), folder.where(MAIN).file)
        raise error_of(problem.at(root.place(path), ".".join(path)) for path, problem in wrong)
    return matching_of(kit, choose_lattice(game.components), specs)


def hidden_by_overlays(figures: Mapping[str, CheckedFigure]) -> Iterator[Finding]:
    """Yield a finding for each overlay that hides a part of a figure that counts."""
    hint = "the overlay beside it, with a shift such as `B2 0.3 -0.3`"
    for name, figure in figures.items():
        for text in figure.hidden:
            yield Finding(f"figure {name}", text, hint, where=figure.where)


def check_figures(game: Game, components: Sequence[DrawnComponent]) -> dict[str, CheckedFigure]:
    """Return the figures by name with their claims checked.

    Raise a `PnpError` with all problems.
    """
    report = Reporter()
    found = read_figures(game, components, board_rules(game), report)
    report.raise_any()
    return found


def _figure(name: str, each: CheckedFigure) -> Figure:
    said = each.said
    says = Says(said.numbers, said.verdicts, said.scores) if said else None
    return Figure(name, each.face, each.alt, each.caption, each.wide, says, each.scale, each.piece)


def parse_rules(
    game: Game,
    components: tuple[DrawnComponent, ...],
    figures: Mapping[str, CheckedFigure],
    making: Callable[[], tuple[Block, ...]],
) -> Rules | None:
    """Return the parsed rules of a game; None for a game without any.

    `making` gives the how-to-make blocks for rules that ask for them.
    """
    settings = game.rules
    if settings is None:
        return None
    folder = PackFolder(game.folder)
    with raising_at(folder.where(settings.file)):
        material = Material(
            file=str(folder.where(settings.file)),
            language=game.language,
            words=words_for(game.language).rules,
            figures={name: _figure(name, item) for name, item in figures.items()},
            look=_look(game, settings, components, figures),
            icons={name: face_of_art(game, asset, ICON, INK) for name, asset in game.icons.items()},
            components=components,
            credits=game.credits,
            picture=lambda name: _picture(game, name),
            making=making,
        )
        footer = f"{game.name} · {material.words.version} {game.version}" + (
            f" · {game.copy}" if game.copy else ""
        )
        return read_rules(
            fill_order(folder.text(settings.file), dict(game.order)), material, footer
        )


def _look(
    game: Game,
    settings: RulesSettings,
    components: tuple[DrawnComponent, ...],
    shown: Mapping[str, CheckedFigure],
) -> Look:
    cover = _cover(game, settings.cover, components, shown) if settings.cover else None
    look = plain_look(game, settings)
    return replace(
        look, cover=face_of_art(game, cover, COVER, INK) if isinstance(cover, Asset) else cover
    )


def plain_look(game: Game, settings: RulesSettings) -> Look:
    """Return the look of the rules without a cover.

    `currentColor` in a theme's art becomes the accent colour.
    """
    style = settings.heading
    frame = settings.frame
    font = game.fonts.find(style.font, style.weight, italic=style.italic)
    look = Look(font, style.colour, settings.accent, settings.columns)
    dress = {
        place: face_of_art(game, asset, COVER, look.accent) for place, asset in settings.art.items()
    }
    line = (frame.width, frame.colour) if frame else None
    return replace(
        look,
        theme=replace(Theme(), **settings.colours, frame=line, dress=replace(Dress(), **dress)),
    )


def _cover(
    game: Game,
    name: str,
    components: tuple[DrawnComponent, ...],
    shown: Mapping[str, CheckedFigure],
) -> Face | Asset:
    """Return the cover's picture: a file of the pack, the front of a design, or a figure."""
    component, colon, design = name.partition(":")
    if not colon:
        if PurePosixPath(name).suffix.lower() != ".svg":
            raise InvalidValueError(
                f"cover: {name!r} is not an SVG", "an SVG picture, or component:design"
            )
        return PackFolder(game.folder).asset(name)
    if component == "figure":
        if design not in shown:
            raise unknown("figure", design, shown)
        return shown[design].face
    parts = {part.spec.id: part for part in components}
    if component not in parts:
        raise unknown("component", component, parts)
    designs = {drawn.id: drawn for drawn in parts[component].designs}
    if design not in designs:
        raise unknown("design", design, designs)
    return designs[design].front.cut(parts[component].spec.outline)


def _picture(game: Game, name: str) -> Face:
    if PurePosixPath(name).suffix.lower() != ".svg":
        raise InvalidValueError(f"{name!r} is not an SVG", "an SVG picture of the pack")
    return face_of_art(game, PackFolder(game.folder).asset(name), PICTURE, INK)


DEFAULT_HEADING_FONT = ("Alegreya SC", 700)
"""The headings of a game that has no rules."""


def making_blocks(project: Project) -> tuple[Block, ...]:
    """Return the blocks for the rules, with the number of sheets for each paper asked for."""
    laid = tuple(
        (laid.setup, laid.job)
        for paper in project.papers
        if (laid := project.impose(paper)).job.sheets
    )
    return MakingPage(
        project.game, project.components, laid, words_for(project.game.language)
    ).blocks


def making_rules(project: Project, laid: ImposedSheets, before: int) -> Rules:
    """Return the how-to-make page of one paper as rules; `before` is the number of its pages."""
    game = project.game
    words = words_for(game.language)
    page = MakingPage(game, project.components, ((laid.setup, laid.job),), words, before)
    footer = f"{game.name} · {words.rules.version} {game.version}" + (
        f" · {game.copy}" if game.copy else ""
    )
    return Rules(
        page.title,
        game.language,
        words.rules,
        page.blocks,
        guide_look(project),
        footer=footer,
        is_generated=True,
    )


def guide_look(project: Project) -> Look:
    """Return the look of the pages that pnp words itself: that of the game's rules, without a cover."""
    game = project.game
    if game.rules is None:
        return _plain(game.fonts)

    with raising_at():
        return plain_look(game, game.rules)


def _plain(fonts: FontSet) -> Look:
    return Look(fonts.find(*DEFAULT_HEADING_FONT), INK, INK)
