"""Papers: the rows of `papers.toml`, and sizes that somebody wrote out."""

import tomllib
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files

from generator.core.geometry import Size
from generator.core.problems import Wrong, unknown
from generator.core.units import lengths, number
from generator.core.words import SheetWords


class Orientation(StrEnum):
    """Which way paper lies."""

    PORTRAIT = "portrait"
    LANDSCAPE = "landscape"


@dataclass(frozen=True)
class Paper:
    """A paper in mm: `name` is fit for a file's name, `title` for a reader; `upright` is the title of one that lies."""

    name: str
    title: str
    size: Size
    upright: str = ""

    def called(self, words: SheetWords) -> str:
        """Its title in a language."""
        return words.landscape.format(paper=self.upright) if self.upright else self.title

    def lying(self, orientation: Orientation) -> "Paper":
        """The same paper with its long side level; portrait leaves it as its size was written."""
        if orientation is Orientation.PORTRAIT or self.size.w >= self.size.h:
            return self
        name, title = f"{self.name}-landscape", f"{self.title} landscape"
        return replace(self, name=name, title=title, size=Size(self.size.h, self.size.w), upright=self.title)


@cache
def papers() -> tuple[Paper, ...]:
    """All papers of the table, in its order."""
    rows = tomllib.loads((files(__package__) / "papers.toml").read_text(encoding="utf-8"))
    return tuple(
        Paper(name, str(row["title"]), Size(float(row["width"]), float(row["height"]))) for name, row in rows.items()
    )


def paper(name: str) -> Paper:
    """The paper of that name, or of a size such as `210 x 297 mm`; wider than high is landscape."""
    wanted = name.strip()
    for row in papers():
        if row.name == wanted.lower():
            return row
    if wanted[:1].isdigit():
        return _custom(wanted)
    wrong = unknown("paper", name, [row.name for row in papers()])
    raise Wrong(wrong.found, f"{wrong.expected}, or a size such as 210 x 297 mm", wrong.hint)


def _custom(text: str) -> Paper:
    sides = lengths(text)
    if len(sides) != 2 or min(sides) <= 0:
        raise Wrong(f"{text!r} is no paper size", "a width and a height, such as 210 x 297 mm")
    w, h = sides
    return Paper(f"{number(w)}x{number(h)}mm", f"{number(w)} × {number(h)} mm", Size(w, h))
