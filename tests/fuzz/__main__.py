"""Feed damaged files to every reader of untrusted files: `python -m tests.fuzz --seconds 60`.

Inputs are mutations of valid files. A case may give a result or an error that users see
(`PnpError`, `InvalidValueError`), within 20 seconds of CPU time and 1 GB of memory. Any other
outcome, also a crash, is printed with the seed that repeats it, and the exit code is 1. Cases run
in a separate process, so that a crash does not end the run.
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from select import select
from traceback import format_exc
from typing import IO

ROOT = Path(__file__).parents[2]

CASE_SECONDS = 20
"""Seconds of work for one case."""
IDLE_SECONDS = 150
"""Seconds after which a case that does nothing is stopped."""
MEMORY_BYTES = 1_000_000_000
"""Bytes of memory that a case may use."""
ADDRESS_SPACE_BYTES = 3_000_000_000
"""Bytes of address space of the process that runs cases."""
CASES_PER_PROCESS = 1500
"""Cases that one process runs."""


def _too_long(*_: object) -> None:
    raise TimeoutError(f"more than {CASE_SECONDS} seconds")


def work(kinds: list[str], first: int, count: int) -> None:
    """Run cases, and write a line of JSON when each begins and when it ends."""
    from generator.base.errors import InvalidValueError, PnpError
    from tests.fuzz.doors import DOORS
    from tests.fuzz.mutate import mutated

    signal.signal(signal.SIGPROF, _too_long)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, ADDRESS_SPACE_BYTES))
    answers = os.fdopen(os.dup(1), "w")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["PNP_CACHE"] = f"{folder}/kept"
        doors = {kind: DOORS[kind][0](Path(folder)) for kind in kinds}
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        for number in range(first, first + count):
            choose = random.Random(number)  # noqa: S311 - no secrets
            kind = choose.choices(kinds, [DOORS[item][1] for item in kinds])[0]
            door = doors[kind]
            data = mutated(choose.choice(door.seeds), choose, door.seeds)
            _send(answers, {"begun": number, "kind": kind})
            start = _spent()
            error = ""
            signal.setitimer(signal.ITIMER_PROF, CASE_SECONDS)
            try:
                door.run(data)
                end = "done"
            except (PnpError, InvalidValueError):
                end = "refused"
            except BaseException:  # noqa: BLE001 - unexpected errors are the faults to find
                end = "wrong"
                error = format_exc()
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            seconds = _spent() - start
            peak = _peak()
            _send(
                answers,
                {
                    "number": number,
                    "kind": kind,
                    "took": seconds,
                    "error": error,
                    "end": end,
                    "bytes": peak,
                },
            )


def _send(answers: IO[str], report: dict[str, object]) -> None:
    answers.write(json.dumps(report) + "\n")
    answers.flush()


def _spent() -> float:
    """Return the CPU seconds of this process and its finished children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _peak() -> int:
    """Return the peak memory in bytes of this process and its finished children."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(item).ru_maxrss for item in who) * 1024


@dataclass
class Tally:
    """Counts of the results of all cases."""

    kinds: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str, int] = (0.0, "", 0)
    memory: int = 0

    def add(self, report: dict[str, object]) -> None:
        """Count one case; print a fault the first time."""
        kind = str(report["kind"])
        number = int(str(report["number"]))
        error = str(report["error"])
        took = float(str(report["took"]))
        self.kinds[kind] += 1
        self.ends[str(report["end"])] += 1
        self.slowest = max(self.slowest, (round(took, 1), kind, number))
        size = int(str(report["bytes"]))
        if not error and took > CASE_SECONDS:
            error = f"it took {took:.0f} seconds"
        if not error and size > MEMORY_BYTES > self.memory:
            error = f"it took {size // 1_000_000} MB"
        self.memory = max(self.memory, size)
        if error:
            place = _place(kind, error)
            self.wrong[place] += 1
            if self.wrong[place] == 1:
                sys.stdout.write(f"--- --kind {kind} --seed {number} --cases 1\n{error[-1500:]}\n")
                sys.stdout.flush()

    def __str__(self) -> str:
        counts = {
            "cases": self.kinds.total(),
            "wrong": self.wrong.total(),
            "kinds of wrong": len(self.wrong),
        }
        details = {
            "ends": self.ends,
            "slowest": self.slowest,
            "MB": self.memory // 1_000_000,
            "doors": self.kinds,
        }
        return json.dumps(counts | details)


def _place(kind: str, error: str) -> str:
    """Return the error and the innermost line of our code; faults with equal values are one."""
    lines = [line.strip() for line in error.strip().splitlines()]
    ours = [line for line in lines if line.startswith('File "') and "/generator/" in line]
    return " | ".join((kind, *ours[-1:], lines[-1].partition(":")[0]))


def cases(kinds: list[str], seed: int, seconds: float, count: int) -> Iterator[dict[str, object]]:
    """Yield the result of each case; after a process that dies or hangs, another continues."""
    end = time.monotonic() + seconds
    number = seed
    while number < seed + count and time.monotonic() < end:
        words = [
            "--work",
            "--seed",
            str(number),
            "--cases",
            str(min(CASES_PER_PROCESS, seed + count - number)),
        ]
        words += [word for kind in kinds for word in ("--kind", kind)]
        command = [sys.executable, "-m", "tests.fuzz", *words]
        with subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, start_new_session=True, env=_environment()
        ) as process:
            assert process.stdout is not None
            pending: dict[str, object] = {}
            for report in _lines(process.stdout):
                if "begun" in report:
                    pending = report
                else:
                    pending = {}
                    number = int(str(report["number"])) + 1
                    yield report
                if time.monotonic() > end:
                    break
            if time.monotonic() > end:
                _stop(process)
            elif pending:
                _stop(process)
                error = f"the process ended with {process.wait()}, or was idle for {IDLE_SECONDS} seconds"
                number = int(str(pending["begun"])) + 1
                yield {
                    **pending,
                    "number": pending["begun"],
                    "took": 0,
                    "error": error,
                    "end": "wrong",
                    "bytes": 0,
                }
            elif process.wait() != 0:
                raise SystemExit("the process that runs cases failed to start")


def _environment() -> dict[str, str]:
    """Return the environment for cases, with one thread each, which leaves the other cores free."""
    return {**os.environ, "RAYON_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process with all its children."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _lines(pipe: IO[bytes]) -> Iterator[dict[str, object]]:
    """Yield the output lines of a process until it ends, or hangs without output."""
    remainder = b""
    while select([pipe], [], [], IDLE_SECONDS)[0]:
        data = os.read(pipe.fileno(), 65536)
        if not data:
            return
        *lines, remainder = (remainder + data).split(b"\n")
        yield from map(json.loads, lines)


def main() -> int:
    """Run the cases, print the tally, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cases", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", action="append", help="art, pack, …; see doors.py")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    kinds = options.kind or _kinds()
    if options.work:
        work(kinds, options.seed, options.cases)
        os._exit(0)  # does not wait for the threads of doors
    tally = Tally()
    for report in cases(kinds, options.seed, options.seconds, options.cases):
        tally.add(report)
    sys.stdout.write(f"{tally}\n")
    return 1 if tally.wrong else 0


def _kinds() -> list[str]:
    from tests.fuzz.doors import DOORS

    return list(DOORS)


if __name__ == "__main__":
    sys.exit(main())
