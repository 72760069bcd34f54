"""The budget of a command: the CPU time and the memory that it may take, by the number of designs.

Each picture of a stranger has limits of its own (`base/worker.py`), but a pack can have many. The
budget counts the CPU time of this process and of its workers, and the memory of this process. It is
checked after each picture and output; where the system has RLIMIT_CPU, a signal also interrupts
Python code that draws nothing.
"""

import math
import signal
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from heapq import nlargest
from threading import Lock, current_thread, main_thread
from types import FrameType

from generator.base.errors import PnpError, Problem
from generator.base.steps import peak_memory

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

# The bundled games, which have up to 90 designs and a booklet, take 7 to 8 seconds. The base leaves
# room for a machine that is six times as slow; a design that is drawn without heavy effects takes
# some hundredths of a second.
BASE_SECONDS = 60.0
SECONDS_PER_DESIGN = 1.0
# The bundled games take up to 370 MB, 6,000 designs 500 MB, and an image of 60 million pixels 240
# MB a copy.
BASE_MEMORY = 1_500_000_000
MEMORY_PER_DESIGN = 1_000_000
# Pictures that a message names, if they take so many seconds or more.
NAMED_PICTURES = 3
NAMED_SECONDS = 0.1


class BudgetError(PnpError):
    """The command has exceeded its budget."""


@dataclass
class Budget:
    """The limits of one command, and the time and memory that it has used.

    `time_limit` (seconds) and `memory_limit` (bytes) are those that the user sets; None means the
    defaults.
    """

    time_limit: float | None = None
    memory_limit: int | None = None
    designs: int = 0
    unit: str = "design"
    has_alarm: bool = False
    _start: float = field(default_factory=time.process_time)
    _peak_before: int = field(default_factory=lambda: peak_memory() or 0)
    _in_workers: float = 0.0
    _by_label: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    _lock: Lock = field(default_factory=Lock)

    @property
    def seconds(self) -> float:
        """The CPU seconds that this process and its workers may use together."""
        return self.time_limit or BASE_SECONDS + SECONDS_PER_DESIGN * self.designs

    @property
    def memory(self) -> int:
        """The bytes that this process may use."""
        return self.memory_limit or BASE_MEMORY + MEMORY_PER_DESIGN * self.designs

    @property
    def used(self) -> float:
        """The CPU seconds that this process and its workers have used."""
        return time.process_time() - self._start + self._in_workers

    def limit_request(self, seconds: float) -> float:
        """Return the seconds that a worker may take for one request whose usual limit is `seconds`.

        A time limit that the user sets also holds for a single picture.
        """
        return max(1.0, min(max(seconds, self.time_limit or 0.0), self.seconds - self.used))

    def limit_memory(self, memory: int) -> int:
        """Return the bytes that a worker may use whose usual limit is `memory`."""
        return max(memory, self.memory_limit or 0)

    def add(self, seconds: float) -> None:
        """Count the CPU seconds of a worker."""
        with self._lock:
            self._in_workers += seconds

    def label(self, labels: Sequence[str], seconds: float) -> None:
        """Note the task that used time, so that a message can name it."""
        with self._lock:
            for label in labels:
                self._by_label[label] += seconds / len(labels)

    def set_alarm(self) -> None:
        """Let the system send SIGXCPU when this process alone has used the remaining time."""
        if self.has_alarm:
            _set_cpu_limit(math.ceil(time.process_time() + max(0.0, self.seconds - self.used)) + 1)

    def check(self) -> None:
        """Raise `BudgetError` if the command has used more than its budget."""
        if self.used >= self.seconds:
            raise self.exceeded()
        peak = peak_memory() or 0
        if peak > max(self.memory, self._peak_before):
            found = f"this takes more than {self.memory / 1e6:.0f} MB of memory{self._reason(self.memory_limit)}"
            raise BudgetError(
                [Problem(None, found, "fewer or smaller pictures", "--memory-limit MB allows more")]
            )

    def exceeded(self) -> BudgetError:
        """Return the error for too much CPU time."""
        found = f"this takes more than {self.seconds:.0f} seconds of CPU time{self._reason(self.time_limit)}"
        longest = [
            row
            for row in nlargest(NAMED_PICTURES, self._by_label.items(), key=lambda row: row[1])
            if row[1] >= NAMED_SECONDS
        ]
        if longest:
            found += f"; longest: {', '.join(f'{label} ({seconds:.1f} s)' for label, seconds in longest)}"
        return BudgetError(
            [
                Problem(
                    None,
                    found,
                    "pictures that are drawn in less",
                    "--time-limit SECONDS allows more",
                )
            ]
        )

    def _reason(self, limit: float | None) -> str:
        """Return where a limit comes from, as part of a message."""
        if limit or not self.designs:
            return ""
        return f", the limit for {self.designs} {self.unit}{'' if self.designs == 1 else 's'}"


# A context variable, because a worker is started deep below the command that has the budget.
# Without a command, as in a farm's job and on the live page, there is no budget: a farm limits its
# jobs, and a live page only each picture.
_CURRENT: ContextVar[Budget | None] = ContextVar("budget", default=None)


def current_budget() -> Budget | None:
    """Return the budget of the running command, if it has one."""
    return _CURRENT.get()


def allow(designs: int, unit: str = "design") -> None:
    """Set the number of designs, or of other units, from which the running command's budget is computed."""
    budget = _CURRENT.get()
    if budget is not None:
        budget.designs = designs
        budget.unit = unit
        budget.set_alarm()


def check_budget() -> None:
    """Raise `BudgetError` if the running command has used up its budget."""
    budget = _CURRENT.get()
    if budget is not None:
        budget.check()


@contextmanager
def drawing(*labels: str) -> Iterator[None]:
    """Count the CPU time of the block for some pictures or files.

    Raise `BudgetError` if the budget is used up.
    """
    budget = _CURRENT.get()
    if budget is None:
        yield
        return
    before = budget.used
    try:
        yield
    finally:
        budget.label(labels, budget.used - before)
        budget.check()


@contextmanager
def limited(budget: Budget) -> Iterator[None]:
    """Hold the block to a budget."""
    token = _CURRENT.set(budget)
    try:
        with _alarm(budget) if _has_alarm() else nullcontext():
            yield
    finally:
        _CURRENT.reset(token)


def _has_alarm() -> bool:
    """Return True if the system can interrupt this thread.

    A limit that the user has set (ulimit -t) stays.
    """
    if resource is None or current_thread() is not main_thread():
        return False
    return resource.getrlimit(resource.RLIMIT_CPU)[0] == resource.RLIM_INFINITY


@contextmanager
def _alarm(budget: Budget) -> Iterator[None]:
    """Stop the block by SIGXCPU when this process alone has used up the budget."""

    def stop(_: int, __: FrameType | None) -> None:
        # The system repeats the signal every second; it must not interrupt the message.
        _set_cpu_limit(resource.RLIM_INFINITY)
        raise budget.exceeded()

    before = signal.signal(signal.SIGXCPU, stop)
    budget.has_alarm = True
    try:
        budget.set_alarm()
        yield
    finally:
        budget.has_alarm = False
        _set_cpu_limit(resource.RLIM_INFINITY)
        signal.signal(signal.SIGXCPU, before)


def _set_cpu_limit(seconds: int) -> None:
    """Set the CPU seconds after which the system sends SIGXCPU.

    A hard limit of the user's stays.
    """
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, hard))
