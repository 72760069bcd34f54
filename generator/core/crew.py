"""Work that is shared out: several processes beside ours, whose answers come in the order in which they were asked for.

What is made does not depend on how many there are: one job, and everything is done here, in turn.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue
from types import TracebackType
from typing import Self

from generator.core.worker import Worker

LONG = 900.0
"""Seconds for one piece of work, which is ours: a picture that may be too much is drawn by itself, in less."""
AHEAD = 2
"""Pieces of work that wait for each process, so that memory does not grow with what is to be done."""


def cores() -> int:
    """How many processes can work at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def joined(parts: Iterable[bytes]) -> bytes:
    """Several answers in one."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def parted(data: bytes) -> Iterator[bytes]:
    """The answers again."""
    at = 0
    while at < len(data):
        end = at + 8 + int.from_bytes(data[at : at + 8], "big")
        yield data[at + 8 : end]
        at = end


@dataclass
class Crew:
    """Processes for one job, begun when there is work for them."""

    jobs: int = 1
    _free: "SimpleQueue[Worker]" = field(default_factory=SimpleQueue)
    _all: list[Worker] = field(default_factory=list)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        for worker in self._all:
            worker.end()

    def map(self, function: Callable[..., bytes], works: Iterable[tuple[object, ...]]) -> Iterator[bytes]:
        """What a function of a module gives for each of some arguments, in their order."""
        if self.jobs < 2:
            yield from (function(*args) for args in works)
            return
        while len(self._all) < self.jobs:
            self._all.append(Worker(LONG))
            self._free.put(self._all[-1])
        with ThreadPoolExecutor(self.jobs, "crew") as threads:
            asked: deque[Future[bytes]] = deque()
            try:
                for args in works:
                    asked.append(threads.submit(self._done, function, args))
                    if len(asked) > AHEAD * self.jobs:
                        yield asked.popleft().result()
                while asked:
                    yield asked.popleft().result()
            finally:
                for future in asked:
                    future.cancel()

    def _done(self, function: Callable[..., bytes], args: tuple[object, ...]) -> bytes:
        worker = self._free.get()
        try:
            return worker.run(function, *args)
        finally:
            self._free.put(worker)
