"""Write files while the disk fails: `python -m tests.tools.failing_disk count|kill|full N FOLDER`.

It counts the changes of the disk. `kill` ends the process before change N, `full` makes change N
fail with a full disk, and `count` prints the number of changes.
"""

import errno
import os
import signal
import sys
from pathlib import Path

from generator.base.files import Outbox

CHANGES = {"os.rename", "os.mkdir", "os.rmdir", "os.remove", "os.link", "os.symlink", "os.truncate"}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Shim:
    """An audit hook that is called before each change of the disk."""

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


if __name__ == "__main__":
    shim = Shim(sys.argv[1], int(sys.argv[2]))
    sys.addaudithook(shim)
    shim.on = True
    try:
        job(Path(sys.argv[3]), b"new")
    except OSError:
        shim.on = False
        sys.exit(5)
    shim.on = False
    sys.stdout.write(str(shim.seen))
