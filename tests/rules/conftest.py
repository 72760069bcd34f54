"""Rules made of a text: with stand-ins for figures, and with cards of a starter pack."""

from dataclasses import replace
from pathlib import Path

import pytest

from generator import pipeline
from generator.draw.face import Face
from generator.files import Outbox
from generator.fonts import font_set
from generator.geometry import Size
from generator.pack.load import Wish
from generator.publishing import write_rules
from generator.rules.directives import Material
from generator.rules.model import Figure, Look
from generator.rules.read import read_rules
from generator.rules.words import words_for
from generator.timing import Watch

ROOT = Path(__file__).parents[2]


def picture(name: str, w: float = 60, h: float = 60) -> Face:
    """A stand-in for a drawn face: a green box with its name in it."""
    box = f'<rect width="{w}" height="{h}" fill="#00c000"/>'
    text = f'<text x="4" y="{h / 2}" font-family="\'Alegreya Sans\'" font-size="5">{name}</text>'
    size = f'width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}"'
    return Face(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{box}{text}</svg>', Size(w, h), 0, name)


def figure(name: str, w: float = 60, h: float = 60, *, wide: bool = False) -> Figure:
    return Figure(name, picture(name, w, h), f"the figure {name}", f"Caption of {name}.", wide)


@pytest.fixture
def material():
    """What rules are made of here: figures a, b, c and wide, icons sword and shield."""
    figures = {name: figure(name) for name in ("a", "b", "c")} | {"wide": figure("wide", 150, 50, wide=True)}
    icons = {name: picture(f"icon {name}", 10, 10) for name in ("sword", "shield")}
    look = Look(font_set().find("Alegreya SC", 700), "#231a14", "#a3301f")
    return Material("rules.md", "en", words_for("en"), look, figures, icons, (), ("A game by Nobody.",))


@pytest.fixture
def read(material):
    """Rules of a text: `read("# Title")`."""
    return lambda text, **changes: read_rules(text, replace(material, **changes), "Game 1")


@pytest.fixture
def publish(tmp_path):
    """Writes the rules of a template's pack with stand-ins for its figures; gives the folder."""

    def run(name: str, figures: list[str], *, cover: str = "", columns: int = 2) -> Path:
        watch = Watch()
        drawn = pipeline.draw(str(ROOT / "templates" / name), Wish(), watch)
        settings = drawn.game.rules or RULES
        game = replace(drawn.game, rules=replace(settings, cover=cover, columns=columns))
        stands = {name: figure(name, 70, 45 + 5 * (len(name) % 3)) for name in figures}
        with Outbox(tmp_path / name) as outbox:
            write_rules(game, drawn.components, stands, watch, outbox)
        return tmp_path / name

    return run


def _settings():
    from generator.pack.game import RulesSettings
    from generator.pack.rules import PLAIN

    return RulesSettings("rules.md", PLAIN, "#a3301f", 2)


RULES = _settings()
