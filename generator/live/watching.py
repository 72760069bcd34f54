"""Which files of a pack changed: their stamps, looked at again and again, which works on every kind of drive."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event

Stamp = tuple[int, int, int]
"""When a file was written, its size, and its number on the disk."""

PAUSE = 0.05
"""Seconds between two looks."""
SETTLE = 0.004
"""Seconds until a file that was just written is looked at again: editors write in several steps."""
MOST = 20_000
"""Files that are looked at."""
LEFT_OUT = frozenset({"output", "node_modules", "__pycache__"})


def stamps(folder: Path) -> dict[str, Stamp]:
    """The stamps of all files below a folder, by their names from there; hidden ones and what is made are left out."""
    found: dict[str, Stamp] = {}
    rest = [(str(folder), "")]
    while rest:
        place, prefix = rest.pop()
        try:
            entries = list(os.scandir(place))
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.name in LEFT_OUT or len(found) >= MOST:
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    rest.append((entry.path, f"{prefix}{entry.name}/"))
                else:
                    stat = entry.stat()
                    found[prefix + entry.name] = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
            except OSError:
                continue
    return found


@dataclass
class Watcher:
    """Looks at a folder until it is stopped, and calls with all stamps when any has changed."""

    folder: Path
    changed: Callable[[Mapping[str, Stamp]], object]
    stopped: Event

    def watch(self, known: Mapping[str, Stamp]) -> None:
        """Look; a folder that takes long to read is read less often."""
        spent = 0.0
        while not self.stopped.wait(max(PAUSE / 2, 4 * spent)):
            start = time.perf_counter()
            now = stamps(self.folder)
            spent = time.perf_counter() - start
            if now != known:
                known = self._settled(now)
                self.changed(known)

    def _settled(self, now: Mapping[str, Stamp]) -> Mapping[str, Stamp]:
        """The stamps once nothing changes any more; somebody who never ends writing is not waited for."""
        for _ in range(5):
            time.sleep(SETTLE)
            again = stamps(self.folder)
            if again == now:
                break
            now = again
        return now
