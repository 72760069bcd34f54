"""The steps of a job: each answer is made when it is first asked for, and then kept.

How long they take, how far they are.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar


class StepKeeper(Protocol):
    """Something with steps; `known` holds what was made, by the step's name and what it was asked for."""

    @property
    def known(self) -> dict[tuple[object, ...], Any]:
        """What was made."""
        ...


Owner = TypeVar("Owner", bound=StepKeeper)
Asked = ParamSpec("Asked")
Made = TypeVar("Made")


def step(make: Callable[Concatenate[Owner, Asked], Made]) -> Callable[Concatenate[Owner, Asked], Made]:
    """A method of which each answer is made once; what it is asked for is hashable and has no keywords."""

    @wraps(make)
    def ask(way: Owner, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Made:
        key = (make.__name__, *args, *kwargs.items())
        if key not in way.known:
            way.known[key] = make(way, *args, **kwargs)
        made: Made = way.known[key]
        return made

    return ask


Tick = Callable[[int], object]


def _silent(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass
class Watch:
    """Measures the stages of one job; `report` hears of each step of a stage that has many.

    A stage that needs another first may enter it: the time is that of the inner one.
    """

    report: Callable[[str, int, int], None] = _silent
    stages: dict[str, float] = field(default_factory=dict)
    _inside: list[float] = field(default_factory=lambda: [0.0])

    @contextmanager
    def stage(self, name: str, total: int = 0) -> Iterator[Tick]:
        """Time a stage; the same stage may be entered again."""
        start = time.perf_counter()
        self._inside.append(0.0)
        try:
            yield lambda done: self.report(name, done, total)
        finally:
            spent = time.perf_counter() - start
            self.stages[name] = self.stages.get(name, 0.0) + spent - self._inside.pop()
            self._inside[-1] += spent


def peak_memory() -> int | None:
    """The most memory that this process has held, in bytes; unknown where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


PATIENCE = 1.0
"""Seconds before progress is shown."""


LAST = 200
"""Steps by which the next ones are judged."""
WORTH_TELLING = 5.0
"""Seconds left from which on that is told."""


class Pace:
    """How long what is left of a stage will take, as the last steps went."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._steps = deque([(now(), 0)], maxlen=LAST)

    def left(self, done: int, total: int) -> str:
        """`, about 12 min left`; nothing where nobody can tell, or where it is soon."""
        self._steps.append((self._now(), done))
        (first, before), (last, _) = self._steps[0], self._steps[-1]
        seconds = (last - first) / max(done - before, 1) * (total - done)
        return f", about {_told(seconds)} left" if done and seconds >= WORTH_TELLING else ""


def _told(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"


class Progress:
    """A line on a terminal for jobs that take long; nothing anywhere else."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._shown = False
        self._live = sys.stderr.isatty()
        self._paces: dict[str, Pace] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how far a stage is."""
        left = self._paces.setdefault(stage, Pace()).left(done, total) if total else ""
        if self._live and time.monotonic() - self._start > PATIENCE:
            self._shown = True
            self._write(f"{stage} {done}/{total}{left}" if total else f"{stage} {done}")

    def clear(self) -> None:
        """Take the line away again."""
        if self._shown:
            self._write("")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
