"""What the commands that make files have in common: one project, one outbox, and what is said at the end."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli.options import OUTPUT
from generator.cli.terminal import say, tell
from generator.core.places import display
from generator.core.problems import PnpError, fail, placed
from generator.core.timing import Watch, peak_memory

if TYPE_CHECKING:
    from generator.app.project import Order, Project
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


PATIENCE = 1.0
"""Seconds before progress is shown."""


class Progress:
    """A line on a terminal for jobs that take long; nothing anywhere else."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._shown = False
        self._live = sys.stderr.isatty()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how far a stage is."""
        if self._live and time.monotonic() - self._start > PATIENCE:
            self._shown = True
            click.echo(f"\r\x1b[K{stage} {done}/{total}" if total else f"\r\x1b[K{stage} {done}", nl=False, err=True)

    def clear(self) -> None:
        """Take the line away again."""
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True)


@contextmanager
def running() -> Iterator[Watch]:
    """A job: the user's errors become words and an exit code."""
    progress = Progress()
    try:
        with placed():
            yield Watch(progress)
    except PnpError as error:
        progress.clear()
        raise SystemExit(_told(error)) from None
    finally:
        progress.clear()


def _told(error: PnpError) -> int:
    """Say what is wrong; gives the exit code."""
    for problem in error.problems:
        tell(str(problem))
    if len(error.problems) > 1:
        tell(f"{len(error.problems)} problems; nothing was written.")
    return error.exit_code


def notes(texts: Iterable[str]) -> None:
    """What a person should know, each once, beside what was written."""
    for text in dict.fromkeys(filter(None, texts)):
        tell(f"note: {text}")


def show_timings(watch: Watch) -> None:
    """The stages, their seconds, and the peak of memory."""
    for name, seconds in watch.stages.items():
        say(f"  {name:<10} {seconds:7.3f} s")
    say(f"  {'all':<10} {sum(watch.stages.values()):7.3f} s")
    peak = peak_memory()
    if peak is not None:
        say(f"  {'memory':<10} {peak / 1e6:7.0f} MB at most")
