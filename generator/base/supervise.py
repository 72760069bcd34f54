"""Run the command in a child process where memory is limited, so that a message says how it ended.

If an allocation fails within an engine, Rust aborts the process: no handler of ours runs. Without a
limit the system ends processes by itself, so only a limit that somebody has set (`ulimit -v`) makes
the child process worth its cost.
"""

import os
import signal
import sys
from types import FrameType

from generator.base.errors import ExitCode

try:
    import resource
except ImportError:  # Windows, which has no such limits
    resource = None  # type: ignore[assignment]

# Bytes that small builds need on Linux with two cores; each core adds stacks of threads.
SMALL_MEMORY = 600_000_000

# The signals by which a process without memory ends: Rust and C++ abort, C uses a null pointer, the
# kernel kills.
MEMORY_SIGNALS = frozenset({"SIGABRT", "SIGSEGV", "SIGBUS", "SIGILL", "SIGTRAP", "SIGKILL"})


def memory_limit() -> int | None:
    """Return the bytes to which the system limits this process; None if it does not."""
    if resource is None:
        return None
    soft = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    finite = [limit for limit in soft if limit != resource.RLIM_INFINITY]
    return min(finite, default=None)


def run_in_child() -> int | None:
    """Fork if the system limits memory.

    Return None in the process that does the work, else the exit code of the child.

    The working process is the child. Its parent waits, and prints a message if the child was ended
    by a signal.
    """
    limit = memory_limit()
    if limit is None:
        return None
    child = os.fork()
    if child == 0:
        return None

    def pass_on(number: int, _: FrameType | None) -> None:
        os.kill(child, number)

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends Ctrl-C to both
    signal.signal(signal.SIGTERM, pass_on)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code >= 0:
        return code
    name = signal.Signals(-code).name
    if name not in MEMORY_SIGNALS:
        return 128 - code
    sys.stderr.write(
        f"the system says: out of memory ({name}); this process may use {limit / 1e6:.0f} MB\n"
        "  expected a higher limit (ulimit -v), or fewer and smaller pictures; no files were changed\n"
    )
    return ExitCode.FILE_ERROR
