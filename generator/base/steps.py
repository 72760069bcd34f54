"""Steps of a job that are run once and cached, and the time that they take."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar


class StepOwner(Protocol):
    """An object with steps. `results` caches them by the step's name and arguments."""

    @property
    def results(self) -> dict[tuple[object, ...], Any]:
        """The cached results."""
        ...


class TimedOwner(StepOwner, Protocol):
    """An object whose steps are timed by its `watch`."""

    @property
    def watch(self) -> Watch:
        """The watch that times the steps."""
        ...


Owner = TypeVar("Owner", bound=StepOwner)
Timed = TypeVar("Timed", bound=TimedOwner)
Asked = ParamSpec("Asked")
Made = TypeVar("Made")


def step(
    make: Callable[Concatenate[Owner, Asked], Made],
) -> Callable[Concatenate[Owner, Asked], Made]:
    """Make a method run once for each set of arguments, which must be hashable.

    Its results lie in the object's `results`, so that callers can share them between objects and
    ask what was made; functools.cache allows neither.
    """

    @wraps(make)
    def ask(owner: Owner, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Made:
        key = (make.__name__, *args, *kwargs.items())
        if key not in owner.results:
            owner.results[key] = make(owner, *args, **kwargs)
        made: Made = owner.results[key]
        return made

    return ask


def timed_step(
    stage: str,
) -> Callable[
    [Callable[Concatenate[Timed, Asked], Made]], Callable[Concatenate[Timed, Asked], Made]
]:
    """Return a decorator for a `step` that runs as a stage of its object's watch."""

    def decorate(
        make: Callable[Concatenate[Timed, Asked], Made],
    ) -> Callable[Concatenate[Timed, Asked], Made]:
        @step
        @wraps(make)
        def ask(owner: Timed, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Made:
            with owner.watch.stage(stage):
                return make(owner, *args, **kwargs)

        return ask

    return decorate


Tick = Callable[[int], object]


def _silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


@dataclass
class Watch:
    """Measures the stages of one job.

    `report` is called with a stage, and the numbers of its items that are done and of all. A stage
    may run another one inside it, whose time then counts for the inner stage only.
    """

    report: Callable[[str, int, int], None] = _silent
    stages: dict[str, float] = field(default_factory=dict)
    _running: list[str] = field(default_factory=list)
    _inside: list[float] = field(default_factory=lambda: [0.0])

    @contextmanager
    def stage(self, name: str, total: int = 0) -> Iterator[Tick]:
        """Time a stage; times of the same stage add up."""
        start = time.perf_counter()
        self._inside.append(0.0)
        self._running.append(name)
        try:
            yield self.counter(total)
        finally:
            self._running.pop()
            spent = time.perf_counter() - start
            self.stages[name] = self.stages.get(name, 0.0) + spent - self._inside.pop()
            self._inside[-1] += spent

    def counter(self, total: int) -> Tick:
        """Return the function that reports how many of `total` items of the running stage are done."""
        name = self._running[-1]
        return lambda done: self.report(name, done, total)


def peak_memory() -> int | None:
    """Return the most memory in bytes that this process has used.

    None if the system does not say.
    """
    if sys.platform == "linux":
        # Not getrusage: after an exec, its figure is still that of the process that called
        # (fs/exec.c).
        with suppress(OSError):
            status = Path("/proc/self/status").read_text("ascii", "replace")
            return next(
                (
                    int(line.split()[1]) * 1024
                    for line in status.splitlines()
                    if line.startswith("VmHWM:")
                ),
                None,
            )
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


PACE_STEPS = 200
"""Steps by which the next ones are judged."""
WORTH_TELLING = 5.0
"""Seconds left from which on that is told."""


class Pace:
    """An estimate of the time left in a stage, from its last steps."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._steps = deque([(now(), 0)], maxlen=PACE_STEPS)

    def left(self, done: int, total: int) -> str:
        """Return `, about 12 min left`; an empty string if that is unknown or soon."""
        self._steps.append((self._now(), done))
        (first, before), (last, _) = self._steps[0], self._steps[-1]
        seconds = (last - first) / max(done - before, 1) * (total - done)
        return (
            f", about {_format_duration(seconds)} left" if done and seconds >= WORTH_TELLING else ""
        )


def _format_duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"
