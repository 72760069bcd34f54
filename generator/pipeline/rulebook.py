"""The steps of a project that make rules: boards and figures, the rules themselves, the how-to-make page.

They bring `board/` and `rules/` together with the pack's icons, art and style. A step imports what
it runs, because a gallery takes only the style.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from generator.base.errors import (
    InvalidValueError,
    PnpError,
    Reporter,
    find_row,
    raising_at,
    unknown,
)
from generator.base.ui_strings import RuleWords, words_for
from generator.base.values import LazyMapping
from generator.draw.draw import DrawnComponent, draw_pack_art
from generator.draw.findings import Finding
from generator.pack.folder import GAME_FILE, PackFolder
from generator.pack.game import Game, RulesSettings
from generator.pack.yaml_nodes import parse_yaml
from generator.picture.face import Face
from generator.pipeline.printing import ImposedSheets
from generator.pipeline.project import Project
from generator.rules.model import Block, Rules
from generator.rules.theme import INK, BookletStyle, Theme, ThemePictures

if TYPE_CHECKING:
    from generator.board.rules import BoardRules
    from generator.rules.figures.build import CheckedFigure

# The heights at which art is drawn. Pages scale it to fit; only pictures of a gallery are also
# limited by their own height (`MAX_PICTURE_GROWTH` in rules/booklet/pictures.py).
ICON_MM = 10.0
PICTURE_MM = 80.0
COVER_MM = 160.0

# The font of the headings on pages that pnp words itself, in a game without rules.
DEFAULT_HEADING_FONT = ("Alegreya SC", 700)


def board_rules(game: Game) -> BoardRules:
    """Return the game's rules for boards; raise if they name something that does not exist."""
    from generator.board.board import build_kit, choose_lattice
    from generator.board.rules import BoardSection, build_rules, find_unknown_words

    specs = game.board if isinstance(game.board, BoardSection) else BoardSection()
    kit = build_kit(game.components)
    wrong = list(find_unknown_words(kit, specs))
    if wrong:
        folder = PackFolder(game.folder)
        root = parse_yaml(folder.text(GAME_FILE), folder.where(GAME_FILE).file)
        raise PnpError(problem.at(root.place(path), ".".join(path)) for path, problem in wrong)
    return build_rules(kit, choose_lattice(game.components), specs)


def check_figures(game: Game, components: Sequence[DrawnComponent]) -> dict[str, CheckedFigure]:
    """Return the figures by name with their claims checked.

    Raise a `PnpError` with all problems.
    """
    from generator.rules.figures.build import read_figures

    report = Reporter()
    figures = read_figures(game, components, board_rules(game), report)
    report.raise_any()
    return figures


def hidden_by_overlays(figures: Mapping[str, CheckedFigure]) -> Iterator[Finding]:
    """Yield a finding for each overlay that hides a part of a figure that counts."""
    hint = "the overlay next to it, with a shift such as `B2 0.3 -0.3`"
    for name, figure in figures.items():
        for text in figure.hidden:
            yield Finding(f"figure {name}", text, hint, where=figure.where)


def parse_rules(
    game: Game,
    components: tuple[DrawnComponent, ...],
    figures: Mapping[str, CheckedFigure],
    making: Callable[[], tuple[Block, ...]],
) -> Rules | None:
    """Return the parsed rules of a game; None for a game without any.

    `making` gives the how-to-make blocks for rules that ask for them.
    """
    from generator.rules.directives import Material
    from generator.rules.markdown import fill_order
    from generator.rules.read import read_rules

    settings = game.rules
    if settings is None:
        return None
    if settings.lack:
        raise PnpError([settings.lack])
    folder = PackFolder(game.folder)
    where = folder.where(settings.file)
    words = words_for(game.language).rules
    with raising_at(where):
        material = Material(
            file=str(where),
            language=game.language,
            words=words,
            figures=figures,
            style=replace(
                style_without_cover(game, settings),
                cover=_draw_cover(game, settings, components, figures),
            ),
            icons=LazyMapping(game.icons, lambda asset: draw_pack_art(game, asset, ICON_MM, INK)),
            components=components,
            credits=game.credits,
            picture=lambda name: _draw_picture(game, name),
            making=making,
        )
        text = fill_order(folder.text(settings.file), dict(game.order))
        return read_rules(text, material, _compose_footer(game, words))


def _compose_footer(game: Game, words: RuleWords) -> str:
    """Return the line at the foot of each page: game, version, and the copy of an order."""
    copy = f" · {game.copy}" if game.copy else ""
    return f"{game.name} · {words.version} {game.version}{copy}"


_SCENES = {"first", "back"}
"""The pictures of a theme that line art changes. Ornaments and backgrounds stay: they suit the colours of its pages."""


def style_without_cover(game: Game, settings: RulesSettings) -> BookletStyle:
    """Return the style of the rules without a cover.

    `currentColor` in a theme's art becomes the accent colour.
    """
    heading = settings.heading
    frame = settings.frame
    font = game.fonts.find(heading.family, heading.weight, italic=heading.italic)
    style = BookletStyle(font, heading.colour, settings.accent, settings.columns)
    pictures = {
        part: draw_pack_art(game, asset, COVER_MM, style.accent, keeps_colours=part not in _SCENES)
        for part, asset in settings.art.items()
    }
    theme = Theme(
        **settings.colours,
        lettered=settings.lettered,
        headings=settings.headings,
        frame=(frame.width, frame.colour) if frame else None,
        pictures=ThemePictures(
            **pictures,
            fillers=tuple(
                draw_pack_art(game, asset, COVER_MM, style.accent) for asset in settings.fillers
            ),
        ),
    )
    return replace(style, theme=theme)


def page_style(project: Project) -> BookletStyle:
    """Return the style of a game's pages with the cover of its rules; the rules themselves need not be read for it."""
    game = project.game
    if game.rules is None:
        return guide_style(game)
    figures = project.figures if game.rules.cover.startswith("figure:") else {}
    with raising_at():
        cover = _draw_cover(game, game.rules, project.components, figures)
        return replace(style_without_cover(game, game.rules), cover=cover)


def _draw_cover(
    game: Game,
    settings: RulesSettings,
    components: tuple[DrawnComponent, ...],
    figures: Mapping[str, CheckedFigure],
) -> Face | None:
    """Return the cover's picture: a file of the pack, the front of a design, or a figure."""
    name = settings.cover
    if not name:
        return None
    component, colon, design = name.partition(":")
    if not colon:
        if PurePosixPath(name).suffix.lower() != ".svg":
            raise InvalidValueError(
                f"cover: {name!r} is not an SVG", "an SVG picture, or component:design"
            )
        return draw_pack_art(game, PackFolder(game.folder).asset(name), COVER_MM, INK)
    if component == "figure":
        return find_row("figure", design, figures).face
    parts = {part.spec.id: part for part in components}
    if component not in parts:
        raise unknown("component", component, parts)
    designs = {drawn_design.id: drawn_design for drawn_design in parts[component].designs}
    return find_row("design", design, designs).front.cut(parts[component].spec.outline)


def _draw_picture(game: Game, name: str) -> Face:
    """Return an SVG picture of the pack for the rules."""
    if PurePosixPath(name).suffix.lower() != ".svg":
        raise InvalidValueError(f"{name!r} is not an SVG", "an SVG picture of the pack")
    return draw_pack_art(game, PackFolder(game.folder).asset(name), PICTURE_MM, INK)


def making_blocks(project: Project) -> tuple[Block, ...]:
    """Return the how-to-make page as blocks for the rules, with the sheets of each paper."""
    from generator.rules.how_to_make import MakingPage

    sheets = [project.impose(paper) for paper in project.papers]
    imposed = tuple((item.setup, item.job) for item in sheets if item.job.sheets)
    words = words_for(project.game.language)
    accent = guide_style(project.game).accent
    return MakingPage(project.game, project.components, imposed, words, accent).blocks


def making_rules(
    project: Project,
    sheets: ImposedSheets,
    before: int,
    *,
    is_compact: bool = False,
    cut_pictures: int = 1,
) -> Rules:
    """Return the how-to-make page of one paper as rules; `before` is the number of its pages.

    With `is_compact`, the cuts have no page of their own. At most `cut_pictures` kinds of sheets
    are shown with their cuts.
    """
    from generator.rules.how_to_make import MakingPage

    game = project.game
    words = words_for(game.language)
    imposed = ((sheets.setup, sheets.job),)
    style = guide_style(game)
    page = MakingPage(
        game,
        project.components,
        imposed,
        words,
        style.accent,
        before,
        is_compact=is_compact,
        cut_pictures=cut_pictures,
    )
    return Rules(
        page.title,
        game.language,
        words.rules,
        page.blocks,
        style,
        footer=_compose_footer(game, words.rules),
        is_generated=True,
    )


def guide_style(game: Game) -> BookletStyle:
    """Return the style of the pages that pnp words itself: that of the game's rules, without a cover."""
    if game.rules is None:
        return BookletStyle(game.fonts.find(*DEFAULT_HEADING_FONT), INK, INK)
    with raising_at():
        return style_without_cover(game, game.rules)
