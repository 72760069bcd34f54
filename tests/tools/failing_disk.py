"""Write files to a failing disk: `python -m tests.tools.failing_disk count|kill|full FOLDER...`.

Each folder is written in a process of its own. `kill` ends the first process before its first
change of the disk, the second before its second, and so on. `full` makes that change fail as on a
full disk. The exit codes are printed, or for `count` the number of changes.
"""

import errno
import os
import signal
import sys
from pathlib import Path

from generator.base.files import Outbox

CHANGES = {"os.rename", "os.mkdir", "os.rmdir", "os.remove", "os.link", "os.symlink", "os.truncate"}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class DiskFault:
    """An audit hook that fails or ends the process before a given change of the disk."""

    def __init__(self, way, number):
        self.way = way
        self.number = number
        self.seen = 0
        self.on = False

    def __call__(self, event, args):
        changes = event in CHANGES or (
            event == "open" and isinstance(args[2], int) and args[2] & WRITES
        )
        if not self.on or not changes:
            return
        self.seen += 1
        if self.seen == self.number and self.way == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.seen == self.number and self.way == "full":
            raise OSError(errno.ENOSPC, "No space left on device")


def job(folder, text):
    """Write three files, one of them in a subfolder."""
    with Outbox(folder) as outbox:
        for name in ("a.txt", "b.txt", "sub/c.txt"):
            outbox.write(name, text)


def run_job(way, number, folder):
    """Write the files in this process and return its exit code, or the number of changes."""
    fault = DiskFault(way, number)
    sys.addaudithook(fault)
    fault.on = True
    try:
        job(Path(folder), b"new")
    except OSError:
        return 5
    finally:
        fault.on = False
    return fault.seen if way == "count" else 0


def main(way, folders):
    # Forks share the imports, which take ten times as long as the job.
    codes = []
    for number, folder in enumerate(folders, 1):
        child = os.fork()
        if not child:
            os._exit(run_job(way, number, folder))
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    sys.stdout.write(" ".join(map(str, codes)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
