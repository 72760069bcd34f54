"""The steps of a job: run once and cached, timed, and with an estimate of the time left."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
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
Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")
Item = TypeVar("Item")


def step(
    make: Callable[Concatenate[Owner, Arguments], Made],
) -> Callable[Concatenate[Owner, Arguments], Made]:
    """Make a method run once for each set of arguments, which must be hashable.

    Its results lie in the object's dict `results`, by the method's name and the arguments, so that
    callers can share them between objects and ask what was made; functools.cache allows neither.
    """

    @wraps(make)
    def run_once(owner: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Made:
        key = (make.__name__, *args, *kwargs.items())
        if key not in owner.results:
            owner.results[key] = make(owner, *args, **kwargs)
        result: Made = owner.results[key]
        return result

    return run_once


def timed_step(
    stage: str,
) -> Callable[
    [Callable[Concatenate[Timed, Arguments], Made]], Callable[Concatenate[Timed, Arguments], Made]
]:
    """Return a decorator for a `step` that runs as a stage of its object's `watch`."""

    def decorate(
        make: Callable[Concatenate[Timed, Arguments], Made],
    ) -> Callable[Concatenate[Timed, Arguments], Made]:
        @step
        @wraps(make)
        def run_timed(owner: Timed, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Made:
            with owner.watch.stage(stage):
                return make(owner, *args, **kwargs)

        return run_timed

    return decorate


Tick = Callable[[int], object]


def _silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


@dataclass
class Watch:
    """Measures the stages of one job.

    Time in a stage that runs inside another one counts for the inner stage only. `report` is called
    with a stage, and the numbers of its items that are done and of all.
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

    def stage_of(self, name: str, items: Sequence[Item]) -> Iterator[Item]:
        """Yield items as parts of a stage: each counts as done when the next one is asked for."""
        with self.stage(name, len(items)) as tick:
            for done, item in enumerate(items, 1):
                yield item
                tick(done)

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
"""The last steps, from whose pace the time left is estimated."""
MIN_SECONDS_LEFT = 5.0
"""A shorter time left is not shown."""


class Pace:
    """An estimate of the time left in a stage, from its last steps."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._steps = deque([(now(), 0)], maxlen=PACE_STEPS)

    def left(self, done: int, total: int) -> str:
        """Return `, about 12 min left`; an empty string if that is unknown or soon."""
        self._steps.append((self._now(), done))
        start, done_before = self._steps[0]
        now = self._steps[-1][0]
        seconds = (now - start) / max(done - done_before, 1) * (total - done)
        return (
            f", about {_format_duration(seconds)} left"
            if done and seconds >= MIN_SECONDS_LEFT
            else ""
        )


def _format_duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"
