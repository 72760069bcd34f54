"""What every command does around its work: errors in words, progress, timings."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import click

from generator.cli.terminal import say, tell
from generator.core.problems import PnpError, placed
from generator.core.timing import Watch, peak_memory

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
