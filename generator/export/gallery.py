"""A page with every face of a game, in a folder of its own."""

from collections.abc import Iterator

from generator.app.project import Project
from generator.core.files import Outbox
from generator.export import Written
from generator.export.pictures import PictureWish, Show

SCREEN = PictureWish(dpi=100)
"""Enough for a screen, and quick."""


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """The page, a picture that several designs have just once."""
    show = Show(project, SCREEN, outbox, f"{project.game.stem('gallery')}/")
    show.faces((), once=True)
    yield Written(show.index(), "every face, for a screen")
