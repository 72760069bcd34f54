"""Fixtures that read a text of rules, with placeholder figures and icons."""

from dataclasses import replace

import pytest

from generator.base.fonts import font_set
from generator.base.ui_strings import words_for
from generator.rules.directives import Material
from generator.rules.read import read_rules
from generator.rules.theme import BookletStyle
from tests.tools.placeholder_figures import figure, picture


@pytest.fixture
def material():
    """Return the material of test rules: figures a, b, c and wide, icons sword and shield."""
    figures = {name: figure(name) for name in ("a", "b", "c")} | {
        "wide": figure("wide", 150, 50, wide=True)
    }
    icons = {name: picture(f"icon {name}", 10, 10) for name in ("sword", "shield")}
    look = BookletStyle(font_set().find("Alegreya SC", 700), "#231a14", "#a3301f")
    return Material(
        "rules.md", "en", words_for("en").rules, look, figures, icons, (), ("A game by Nobody.",)
    )


@pytest.fixture
def read(material):
    """Return a reader of rules: `read("# Title")`."""
    return lambda text, **changes: read_rules(text, replace(material, **changes), "Game 1")
