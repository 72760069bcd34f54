"""click's progress bar for the stages of a job, shown on a terminal while a job takes long."""

import sys
import time
from contextlib import ExitStack
from typing import Any

import click

from generator.cli.commands import Verbosity, verbosity

# Most builds take less time than it takes to read a bar.
PATIENCE_SECONDS = 1.0


class StageProgress:
    """A bar for each stage that counts its items; `Watch` calls it once for each item."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._is_visible = sys.stderr.isatty() and verbosity() is not Verbosity.QUIET
        self._stage = ""
        self._bar: Any = None  # click does not export the class of its bars
        self._open = ExitStack()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how many items of a stage are done."""
        if not self._is_visible or time.monotonic() - self._start < PATIENCE_SECONDS:
            return
        if stage != self._stage:
            self.close()
            bar = click.progressbar(length=total, label=stage, show_pos=True, file=sys.stderr)
            self._bar = self._open.enter_context(bar)
            self._stage = stage
        self._bar.update(done - self._bar.pos)

    def close(self) -> None:
        """End the bar of the current stage with a line break."""
        self._open.close()
        self._stage = ""
