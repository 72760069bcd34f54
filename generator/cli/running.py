"""What every command does around its work: errors in words, progress, timings."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from generator.errors import PnpError
from generator.timing import Watch, peak_memory

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
    """A job: the user's errors become words and an exit code; our own keep their traceback."""
    progress = Progress()
    try:
        yield Watch(progress)
    except PnpError as error:
        progress.clear()
        for problem in error.problems:
            click.echo(str(problem), err=True)
        if len(error.problems) > 1:
            click.echo(f"{len(error.problems)} problems; nothing was written.", err=True)
        raise SystemExit(error.exit_code) from None
    finally:
        progress.clear()


def show_timings(watch: Watch) -> None:
    """The stages, their seconds, and the peak of memory."""
    for name, seconds in watch.stages.items():
        click.echo(f"  {name:<10} {seconds:7.3f} s")
    click.echo(f"  {'all':<10} {sum(watch.stages.values()):7.3f} s")
    peak = peak_memory()
    if peak is not None:
        click.echo(f"  {'memory':<10} {peak / 1e6:7.0f} MB at most")
