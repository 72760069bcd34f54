"""The rules of a game as releases keep them, and as patches print them."""

import json
from collections.abc import Callable
from functools import cache
from hashlib import sha256

from generator.core.geometry import Size
from generator.core.timing import Watch
from generator.jobs.illustrating import illustrated
from generator.jobs.pipeline import Drawn
from generator.jobs.publishing import sheet_pages
from generator.pack.folder import PackFolder
from generator.pack.game import Game
from generator.pack.rules import languages
from generator.pack.rules import translated as translated_file
from generator.pack.source import Node, parse, translated
from generator.pack.translations import FIGURES
from generator.release.manifest import KeptRules
from generator.rules.model import Figure

RulesPages = Callable[[Size], bytes]
"""The rules as the pages of a PDF, for paper of a size in mm."""


def kept_rules(game: Game) -> tuple[KeptRules, ...]:
    """The rules in each language; their digest is of the text and of what the figures are made from.

    Not of the pictures: figures that are drawn anew do not change the rules. Nor of their claims, which nobody sees.
    """
    if game.rules is None:
        return ()
    folder, own = PackFolder(game.folder), game.rules.file
    figures = _figures(folder)
    files = {game.language: own, **{name: translated_file(own, name) for name in languages(folder, own)}}
    return tuple(_kept(language, folder.text(file), figures) for language, file in files.items())


def _figures(folder: PackFolder) -> Node:
    if not (folder.root / FIGURES).is_file():
        return Node({}, folder.where(FIGURES))
    return parse(folder.text(FIGURES), folder.where(FIGURES).file)


def _kept(language: str, text: str, figures: Node) -> KeptRules:
    seen = translated(figures, language).plain()
    shown = {name: _unclaimed(figure) for name, figure in seen.items()} if isinstance(seen, dict) else seen
    boards = json.dumps(shown, ensure_ascii=False, sort_keys=True)
    return KeptRules(language, text, sha256(f"{text}\0{boards}".encode()).hexdigest())


def _unclaimed(figure: object) -> object:
    return {key: value for key, value in figure.items() if key != "claims"} if isinstance(figure, dict) else figure


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
