"""What every command does around its work: errors in words, progress, timings."""

import errno
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from generator.core.places import display
from generator.core.problems import Kind, MissingError, PnpError, Problem, Where, placed
from generator.core.timing import Watch, peak_memory

PATIENCE = 1.0
"""Seconds before progress is shown."""

REFUSALS = frozenset(
    getattr(errno, name)
    for name in (
        *("EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EFBIG"),
        *("EIO", "EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "EBUSY"),
    )
    if hasattr(errno, name)
)
"""What a machine may refuse: disks that are full or read-only, files that are somebody else's or in the way."""


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
    """A job: the user's errors become words and an exit code; our own keep their traceback."""
    progress = Progress()
    try:
        with placed():
            yield Watch(progress)
    except PnpError as error:
        progress.clear()
        raise SystemExit(_told(error)) from None
    except OSError as error:
        if error.errno not in REFUSALS:
            raise
        progress.clear()
        raise SystemExit(_told(_refused(error))) from None
    finally:
        progress.clear()


def _told(error: PnpError) -> int:
    """Say what is wrong; gives the exit code."""
    for problem in error.problems:
        click.echo(str(problem), err=True)
    if len(error.problems) > 1:
        click.echo(f"{len(error.problems)} problems; nothing was written.", err=True)
    return error.exit_code


def _refused(error: OSError) -> PnpError:
    """A refusal of the machine in our words; a full disk names no file."""
    where = Where(display(Path(error.filename))) if isinstance(error.filename, str) else None
    found = f"the system says: {error.strerror or error}"
    expected = "files that can be read, and a folder that can be written to and has room"
    return MissingError([Problem(where, found, expected, kind=Kind.MISSING)])


def notes(texts: Iterable[str]) -> None:
    """What a person should know, each once, beside what was written."""
    for text in dict.fromkeys(filter(None, texts)):
        click.echo(f"note: {text}", err=True)


def show_timings(watch: Watch) -> None:
    """The stages, their seconds, and the peak of memory."""
    for name, seconds in watch.stages.items():
        click.echo(f"  {name:<10} {seconds:7.3f} s")
    click.echo(f"  {'all':<10} {sum(watch.stages.values()):7.3f} s")
    peak = peak_memory()
    if peak is not None:
        click.echo(f"  {'memory':<10} {peak / 1e6:7.0f} MB at most")
