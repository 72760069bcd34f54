"""The rules of a game as releases keep them, and as patches print them."""

from collections.abc import Callable
from functools import cache
from hashlib import sha256

from generator.figure.build import FILE
from generator.geometry import Size
from generator.illustrating import illustrated
from generator.pack.folder import PackFolder
from generator.pack.game import Game
from generator.pack.rules import languages, translated
from generator.pipeline import Drawn
from generator.publishing import sheet_pages
from generator.release.manifest import KeptRules
from generator.rules.model import Figure
from generator.timing import Watch

RulesPages = Callable[[Size], bytes]
"""The rules as the pages of a PDF, for paper of a size in mm."""


def kept_rules(game: Game) -> tuple[KeptRules, ...]:
    """The rules in each language; their digest is of the text and of what the figures are made from.

    Not of the pictures: figures that are drawn anew do not change the rules.
    """
    if game.rules is None:
        return ()
    folder, own = PackFolder(game.folder), game.rules.file
    boards = folder.text(FILE) if (folder.root / FILE).is_file() else ""
    files = {game.language: own, **{name: translated(own, name) for name in languages(folder, own)}}
    return tuple(_kept(language, folder.text(file), boards) for language, file in files.items())


def _kept(language: str, text: str, boards: str) -> KeptRules:
    return KeptRules(language, text, sha256(f"{text}\0{boards}".encode()).hexdigest())


def rules_pages(drawn: Drawn, watch: Watch) -> RulesPages | None:
    """Who sets the rules of the pack as it is, when there are any; nothing is drawn before it is asked to."""
    settings = drawn.game.rules
    if settings is None:
        return None

    @cache
    def figures() -> dict[str, Figure]:
        return illustrated(drawn.game, drawn.components)

    def pages(paper: Size) -> bytes:
        with watch.stage("rules"):
            return sheet_pages(drawn.game, drawn.components, figures(), paper)

    return pages
