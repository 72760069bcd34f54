"""The how-to-make page: as blocks for the rules, and as pages before the sheets."""

from generator.app.project import LaidSheets, Project
from generator.core.fonts import FontSet
from generator.core.problems import placed
from generator.core.words import words_for
from generator.making.page import MakingPage
from generator.rules.look import INK, Look
from generator.rules.model import Block, Rules

PLAIN = ("Alegreya SC", 700)
"""The headings of a game that has no rules."""


def making_blocks(project: Project) -> tuple[Block, ...]:
    """Return the blocks for the rules, with the number of sheets for each paper asked for."""
    laid = tuple((laid.setup, laid.job) for paper in project.papers if (laid := project.laid(paper)).job.sheets)
    return MakingPage(project.game, project.drawn, laid, words_for(project.game.language)).blocks


def making_rules(project: Project, laid: LaidSheets, before: int) -> Rules:
    """Return the how-to-make page of one paper as rules; `before` is the number of its pages."""
    game = project.game
    words = words_for(game.language)
    page = MakingPage(game, project.drawn, ((laid.setup, laid.job),), words, before)
    footer = f"{game.name} · {words.rules.version} {game.version}" + (f" · {game.copy}" if game.copy else "")
    return Rules(
        page.title, game.language, words.rules, page.blocks, guide_look(project), footer=footer, is_generated=True
    )


def guide_look(project: Project) -> Look:
    """Return the look of the pages that pnp words itself: that of the game's rules, without a cover."""
    game = project.game
    if game.rules is None:
        return _plain(game.fonts)
    from generator.app.rulebook import plain_look  # with boards and figures, which a game without rules has not

    with placed():
        return plain_look(game, game.rules)


def _plain(fonts: FontSet) -> Look:
    return Look(fonts.find(*PLAIN), INK, INK)
