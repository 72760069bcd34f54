"""What the commands that make files have in common: one project, one outbox, and what is said at the end."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from generator.cli.options import OUTPUT
from generator.cli.running import notes, running, show_timings
from generator.cli.terminal import say
from generator.core.places import display
from generator.core.problems import fail

if TYPE_CHECKING:
    from generator.app.order import Order
    from generator.app.project import Project
    from generator.export import Written


@dataclass(frozen=True)
class Made:
    """What a command made of a project; `folder` is where, `names` those of all files below it."""

    project: "Project"
    written: tuple["Written", ...]
    folder: Path
    names: tuple[str, ...]

    def tell(self) -> None:
        """Say what was written, and beside it what should be known."""
        for each in self.written:
            say(f"{display(each.path)}  {each.about}".rstrip() if each.path else each.about)
        self.note()

    def note(self) -> None:
        """Say what should be known of it."""
        from generator.core.words import without_words

        also = [without_words(self.project.game.language), *self.project.game.notes]
        notes([*also, *(notice for each in self.written for notice in each.notices)])

    def show_timings(self) -> None:
        """Say how long the stages took."""
        show_timings(self.project.watch)


def make(order: "Order", names: Iterable[str], folder: Callable[["Project"], Path]) -> Made:
    """Make some outputs of what is ordered, all of them or none."""
    from generator.app.project import Project
    from generator.core.files import Outbox
    from generator.export import write

    with running() as watch:
        project = Project(order, watch)
        with Outbox(folder(project)) as outbox:
            written = tuple(write(names, project, outbox))
    return Made(project, written, outbox.folder, outbox.names)


def game_folder(output: str, *below: str) -> Callable[["Project"], Path]:
    """The folder of a game below the one that the command was given."""
    return lambda project: own_folder(Path(output), project.game.slug, *below)


def own_folder(output: Path, *below: str) -> Path:
    """A folder to write into. Where a pack is the place to stand in, a link that it brings leads nowhere."""
    folders = [output.joinpath(*below[:depth]) for depth in range(len(below) + 1)]
    for path in folders if str(output) == OUTPUT else folders[1:]:
        if path.is_symlink():
            fail(None, f"{path} is a link", "a folder of our own", "name where it leads: -o FOLDER")
    return folders[-1]
