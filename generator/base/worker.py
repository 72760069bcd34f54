"""Worker processes: to stop work that takes too long, and to share work out.

The engines that draw pictures cannot be interrupted, and no list of the pictures that stop them is
complete. A picture of more than plain shapes is therefore drawn in a worker with limits of time and
memory; one that exceeds them costs one clear error. A `Crew` is several workers. It returns results
in the order of the requests, so that the output does not depend on the number of workers.
"""

import ctypes
import json
import os
import pickle
import platform
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from importlib import import_module
from math import isnan, nan
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import MappingProxyType, TracebackType
from typing import IO, Self

from generator.base.budget import Budget, current_budget
from generator.base.errors import PnpError, Problem
from generator.base.files import keep_reportlab_out_of_home

_AUDIT_AND_SOCKET = MappingProxyType({"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)})
"""For each machine, the kernel's audit number (linux/audit.h) and the number of its call `socket`."""
_IO_URING_SETUP = 425
"""The number of the call io_uring_setup: filters do not see the requests of a process through io_uring."""
_X32_CALLS = 0x40000000
"""The first number of the calls of the x32 ABI, which a filter for x86_64 would miss."""
# Instructions of a filter (linux/bpf_common.h).
_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_IS_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IS_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K
# The offsets of the call's number and of the machine in seccomp_data, and what a filter returns
# (linux/seccomp.h): allow the call, or let it fail with EACCES.
_NUMBER = 0
_MACHINE = 4
_ALLOWED = 0x7FFF0000
_REFUSED = 0x00050000 | 13
# Arguments of prctl (linux/prctl.h): PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP with SECCOMP_MODE_FILTER.
_NO_NEW_PRIVILEGES = 38
_FILTER = 22
_BY_PROGRAM = 2


class _Step(ctypes.Structure):
    """An instruction: struct sock_filter of linux/filter.h."""

    _fields_ = (
        ("code", ctypes.c_uint16),
        ("yes", ctypes.c_uint8),
        ("no", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    """A filter: struct sock_fprog of linux/filter.h."""

    _fields_ = (("length", ctypes.c_uint16), ("steps", ctypes.POINTER(_Step)))


def go_offline() -> bool:
    """Forbid this process to open sockets; return True if the system enforces that."""
    numbers = _AUDIT_AND_SOCKET.get(platform.machine())
    if sys.platform != "linux" or numbers is None:
        return False
    machine, socket = numbers
    # Each row: an instruction, how many rows to skip if it is true and if it is false, its value.
    rows = (
        (_LOAD, 0, 0, _MACHINE),
        (_IS_EQUAL, 0, 4, machine),
        (_LOAD, 0, 0, _NUMBER),
        (_IS_AT_LEAST, 2, 0, _X32_CALLS),
        (_IS_EQUAL, 1, 0, _IO_URING_SETUP),
        (_IS_EQUAL, 0, 1, socket),
        (_RETURN, 0, 0, _REFUSED),
        (_RETURN, 0, 0, _ALLOWED),
    )
    steps = (_Step * len(rows))(*(_Step(*row) for row in rows))
    system = ctypes.CDLL(None)
    program = ctypes.byref(_Program(len(rows), steps))
    return not system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) and not system.prctl(
        _FILTER, _BY_PROGRAM, program
    )


# CPU seconds for one request.
REQUEST_SECONDS = 15
# On a busy machine, a request may take this many times its seconds by the clock.
PATIENCE = 4
# The process's time is not looked up more often than this.
MIN_WAIT_SECONDS = 0.05
# Seconds for the process to start, which do not count for a request.
START_SECONDS = 60
# Bytes of address space for a stranger's pictures; the largest that the gate lets through needs two
# thirds of them.
PICTURE_MEMORY = 1_000_000_000
# Bytes of address space for our own work: a farm's job, dozens of faces, a PDF of hundreds of
# pages.
OWN_WORK_MEMORY = 2_000_000_000

_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from generator.base.worker import serve; serve()"
_NOWHERE = f"{os.devnull}/nothing"
# A worker has no home folder and few threads.
_QUIET = {
    **dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"), _NOWHERE),
    "MALLOC_ARENA_MAX": "2",
    "RAYON_NUM_THREADS": "2",
}
# A worker does not get the variables with these prefixes: they hold credentials of stores.
_SECRETS = ("AWS_", "AZURE_", "GOOGLE_")
# Bytes of the length before each message.
_LENGTH = 8
_DONE = b"\0"
_FAILED = b"\1"


class WorkLimitError(Exception):
    """The work exceeded its limit of time or memory; `why` says which."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class WorkError(Exception):
    """The work raised an exception, whose message this one has."""


def too_much(label: str, why: str) -> Problem:
    """Return the problem of a picture that exceeds the limits of time or memory."""
    return Problem(
        None,
        f"{label}: drawing its picture takes {why}",
        "a picture that takes less",
        "flatten its effects to a PNG, or draw it more simply, with nothing very far out;\n"
        "  --time-limit SECONDS and --memory-limit MB allow more",
    )


@dataclass
class Worker:
    """One worker process, started on first use.

    A request may take `seconds` of CPU time, and `patience` times as long by the clock. `process`
    is None before the first use and after `end`; `answers` receives its messages.
    """

    seconds: float = REQUEST_SECONDS
    patience: int = PATIENCE
    memory: int = PICTURE_MEMORY
    process: "subprocess.Popen[bytes] | None" = None
    answers: "SimpleQueue[bytes]" = field(default_factory=SimpleQueue)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self.end()

    def __del__(self) -> None:
        with suppress(Exception):
            self.end()

    def run(self, function: Callable[..., bytes], *args: object) -> bytes:
        """Run a module's function in the worker and return its bytes.

        Raise `WorkLimitError` if it exceeds a limit, and `WorkError` if it raises.
        """
        fresh = self.process is None
        process = self.process or self.begin()
        budget = current_budget()
        seconds = budget.limit_request(self.seconds) if budget else self.seconds
        work = pickle.dumps(
            (function.__module__, function.__qualname__, args, max(seconds, self.seconds))
        )
        clock = time.monotonic()
        before = _cpu_seconds(process.pid)
        try:
            _send(process.stdin, work)
            answer = self._answer(process.pid, seconds)
        except Empty:
            _count(budget, process.pid, before, clock)
            self.end()
            raise WorkLimitError(f"more than {seconds:.0f} seconds") from None
        except OSError:
            answer = b""
        _count(budget, process.pid, before, clock)
        if not answer:
            self.end()
            if not fresh:  # an earlier request may have caused its end
                return self.run(function, *args)
            raise WorkLimitError(f"more than {self._memory_limit() / 1e9:.2g} GB of memory")
        if answer[:1] == _FAILED:
            raise WorkError(answer[1:].decode(errors="replace"))
        return answer[1:]

    def _answer(self, pid: int, seconds: float) -> bytes:
        """Return the worker's answer; raise `Empty` if there is none in time.

        The limit counts CPU time, so a busy machine does not matter. The time by the clock is that
        of an ordinary request, even if `seconds` are fewer because little of a budget is left.
        """
        before = _cpu_seconds(pid)
        worked = 0.0
        end = time.monotonic() + self.patience * max(seconds, self.seconds)
        while worked < seconds and time.monotonic() < end:
            with suppress(Empty):
                wait = min(seconds, max(MIN_WAIT_SECONDS, seconds - worked))
                return self.answers.get(timeout=wait)
            worked = _cpu_seconds(pid) - before
            if isnan(worked):
                break
        raise Empty

    def _memory_limit(self) -> int:
        """Return the bytes of address space that the process gets: a lower limit of the user's holds for it, too."""
        budget = current_budget()
        memory = budget.limit_memory(self.memory) if budget else self.memory
        with suppress(ImportError):
            import resource

            soft = resource.getrlimit(resource.RLIMIT_AS)[0]
            return memory if soft == resource.RLIM_INFINITY else min(memory, soft)
        return memory

    def end(self) -> None:
        """Stop the worker at once, also in the middle of a task."""
        process = self.process
        self.process = None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                # At Python's exit the listening thread is frozen and keeps the pipe's lock.
                if pipe is not None and not sys.is_finalizing():
                    with suppress(OSError):
                        pipe.close()

    def begin(self) -> "subprocess.Popen[bytes]":
        """Start the process and wait until it takes requests."""
        self.process = process = subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-P", "-c", _START, json.dumps(_places()), str(self._memory_limit())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={
                **{
                    name: value
                    for name, value in os.environ.items()
                    if not name.startswith(_SECRETS)
                },
                **_QUIET,
            },
            cwd=Path(sys.executable).anchor,
        )
        self.answers = SimpleQueue()
        Thread(target=_listen, args=(process, self.answers), daemon=True).start()
        try:
            started = self.answers.get(timeout=self.patience * START_SECONDS)
        except Empty:
            # Its first answer, that it has started, must not become the answer to a request.
            self.end()
            raise WorkLimitError(f"more than {START_SECONDS} seconds to start") from None
        if not started:
            self.answers.put(b"")  # it died: the request must not wait for its answer
        return process


def _places() -> list[str]:
    """Return the absolute folders of modules, for a process with another working folder."""
    return [str(Path(path).absolute()) for path in sys.path]


def _cpu_seconds(pid: int) -> float:
    """Return the seconds of CPU time that a process has used; NaN if the system does not say."""
    try:
        times = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return nan
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


def _count(budget: Budget | None, pid: int, before: float, clock: float) -> None:
    """Add the CPU seconds of a request to the budget; those of the clock if the system states none."""
    if budget is not None:
        spent = _cpu_seconds(pid) - before
        budget.add(time.monotonic() - clock if isnan(spent) else spent)


def _listen(process: "subprocess.Popen[bytes]", answers: "SimpleQueue[bytes]") -> None:
    """Pass on the worker's answers until it ends, and then empty bytes.

    Only this thread reads its output.
    """
    with suppress(OSError, ValueError):
        while process.stdout and (answer := _receive(process.stdout)):
            answers.put(answer)
    answers.put(b"")


def _send(pipe: IO[bytes] | None, data: bytes) -> None:
    if pipe is not None:
        pipe.write(len(data).to_bytes(_LENGTH, "big"))
        pipe.write(data)
        pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    head = pipe.read(_LENGTH)
    return pipe.read(int.from_bytes(head, "big")) if len(head) == _LENGTH else b""


def serve() -> None:
    """Answer requests until the input ends: the main function of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit(int(sys.argv[2]))
    keep_reportlab_out_of_home()
    requests = sys.stdin.buffer
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    _send(answers, _DONE)
    while work := _receive(requests):
        module, name, args, seconds = pickle.loads(work)  # noqa: S301 - from the process that began this one
        if hasattr(signal, "alarm"):
            signal.alarm(int(seconds * PATIENCE) + 5)
        answer = _run_task(module, name, args)
        if hasattr(signal, "alarm"):
            signal.alarm(0)
        _send(answers, answer)


def _limit(memory: int) -> None:
    """Cut this process off the network, limit its memory, and write no core dump."""
    go_offline()
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _run_task(module: str, name: str, args: tuple[object, ...]) -> bytes:
    try:
        function: Callable[..., bytes] = getattr(import_module(module), name)
        return _DONE + function(*args)
    except MemoryError:
        return b""
    except BaseException as error:  # noqa: BLE001 - the engines' panics are no Exceptions
        return _FAILED + str(getattr(error, "message", error)).encode(errors="backslashreplace")


WORK_SECONDS = 900.0
"""Limit for a task of a crew, which is our own work: a picture that may take long is drawn by a `Worker`."""
TASKS_AHEAD = 2
"""Tasks that wait for each process, so that memory does not grow with the number of tasks."""


def cores() -> int:
    """Return the number of processes that can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def join_answers(parts: Iterable[bytes]) -> bytes:
    """Join several answers into one."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def split_answers(data: bytes) -> Iterator[bytes]:
    """Yield the answers that `join_answers` put together."""
    at = 0
    while at < len(data):
        end = at + 8 + int.from_bytes(data[at : at + 8], "big")
        yield data[at + 8 : end]
        at = end


@dataclass
class Crew:
    """The workers of one job, started on first use."""

    jobs: int = 1
    _free: "SimpleQueue[Worker]" = field(default_factory=SimpleQueue)
    _all: list[Worker] = field(default_factory=list)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        for worker in self._all:
            worker.end()

    def map(
        self, function: Callable[..., bytes], works: Iterable[tuple[object, ...]]
    ) -> Iterator[bytes]:
        """Yield the results of a module's function for each set of arguments, in their order."""
        if self.jobs < 2:
            yield from (function(*args) for args in works)
            return
        while len(self._all) < self.jobs:
            self._all.append(Worker(WORK_SECONDS, memory=OWN_WORK_MEMORY))
            self._free.put(self._all[-1])
        with ThreadPoolExecutor(self.jobs, "crew") as threads:
            submitted: deque[Future[bytes]] = deque()
            try:
                for args in works:
                    # A copy of the context each: a context cannot be entered by two threads at
                    # once.
                    submitted.append(threads.submit(copy_context().run, self._done, function, args))
                    if len(submitted) > TASKS_AHEAD * self.jobs:
                        yield submitted.popleft().result()
                while submitted:
                    yield submitted.popleft().result()
            finally:
                for future in submitted:
                    future.cancel()

    def _done(self, function: Callable[..., bytes], args: tuple[object, ...]) -> bytes:
        worker = self._free.get()
        try:
            return worker.run(function, *args)
        except WorkLimitError as error:
            raise PnpError([too_much("some pictures together", error.why)]) from error
        finally:
            self._free.put(worker)
