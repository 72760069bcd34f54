"""Make placeholders for the figures of rules: boxes with a name."""

import re
from pathlib import Path

from generator.base.geometry import Size
from generator.picture.face import Face
from generator.rules.model import Figure
from tests.tools.make_face import rect, text_run

ROOT = Path(__file__).parents[2]
GAMES = {
    name: re.findall(
        r"^([\w-]+):", (ROOT / f"templates/{name}/figures.yaml").read_text(), re.MULTILINE
    )
    for name in ("hydras", "hoses-and-hydrants")
}
"""The names of the figures of two games."""


def picture(name: str, w: float = 60, h: float = 60) -> Face:
    """Return a green box with its name in it."""
    return Face((rect(0, 0, w, h, "#00c000"), text_run(name, 4, h / 2)), Size(w, h), 0, name)


def figure(name: str, w: float = 60, h: float = 60, *, wide: bool = False) -> Figure:
    return Figure(name, picture(name, w, h), f"the figure {name}", f"Caption of {name}.", wide)
