"""From a drawn game to the figures of its rules: what its boards may be made of, what counts, and the pictures."""

from collections.abc import Sequence

from generator.board.claims.said import numbers_said, scores_said, verdicts_said
from generator.board.kit import kit_of
from generator.board.reading import BoardSpecs, rules_of
from generator.board.rules import Rules
from generator.board.section import BoardSection
from generator.board.words import unknown_words
from generator.core.problems import Reporter, error_of
from generator.draw.draw import DrawnComponent
from generator.figure.build import figures, lattice_for
from generator.pack.folder import PackFolder
from generator.pack.game import Game
from generator.pack.load import MAIN
from generator.pack.source import parse
from generator.rules.model import Figure, Says


def board_rules(game: Game) -> Rules:
    """What the game says of boards; raises where it names what is not there."""
    specs = game.board.specs if isinstance(game.board, BoardSection) else BoardSpecs()
    kit = kit_of(game.components)
    wrong = list(unknown_words(kit, specs))
    if wrong:
        folder = PackFolder(game.folder)
        root = parse(folder.text(MAIN), folder.where(MAIN).file)
        raise error_of(problem.at(root.place(path), ".".join(path)) for path, problem in wrong)
    return rules_of(kit, lattice_for(game.components), specs)


def illustrated(game: Game, components: Sequence[DrawnComponent]) -> dict[str, Figure]:
    """The figures of a game by name, their claims checked; raises a `PnpError` with all that is wrong."""
    report = Reporter()
    found = figures(game, components, board_rules(game), report)
    report.raise_any()
    return {
        name: Figure(name, each.face, each.alt, each.caption, each.wide, _says(each.claims), each.scale)
        for name, each in found.items()
    }


def _says(claims: Sequence[str]) -> Says:
    return Says(numbers_said(claims), verdicts_said(claims), scores_said(claims))
