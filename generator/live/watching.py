"""The watcher of a pack's files, which polls their stamps and so works on every kind of drive."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event

# The modification time in ns, the size and the inode of a file.
Stamp = tuple[int, int, int]

# Shortest pause between two polls: an edit appears at once, at little cost.
MIN_POLL_SECONDS = 0.05
# Time until a changed file is polled again: editors save in several steps.
SETTLE_SECONDS = 0.004
# Largest number of files that are polled.
MAX_FILES = 20_000
IGNORED_FOLDERS = frozenset({"output", "node_modules", "__pycache__"})


def read_stamps(folder: Path) -> dict[str, Stamp]:
    """Return the stamps of all files below a folder by relative name; without hidden and generated files."""
    found: dict[str, Stamp] = {}
    rest = [(str(folder), "")]
    while rest:
        place, prefix = rest.pop()
        try:
            entries = list(os.scandir(place))
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.name in IGNORED_FOLDERS or len(found) >= MAX_FILES:
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
    """Polls a folder until it is stopped, and calls `changed` with all stamps after a change."""

    folder: Path
    on_change: Callable[[Mapping[str, Stamp]], object]
    stopped: Event

    def watch(self, known: Mapping[str, Stamp]) -> None:
        """Poll until stopped; a folder that is slow to read is polled less often."""
        spent = 0.0
        while not self.stopped.wait(max(MIN_POLL_SECONDS / 2, 4 * spent)):
            start = time.perf_counter()
            now = read_stamps(self.folder)
            spent = time.perf_counter() - start
            if now != known:
                known = self._wait_until_settled(now)
                self.on_change(known)

    def _wait_until_settled(self, now: Mapping[str, Stamp]) -> Mapping[str, Stamp]:
        """Return the stamps once nothing changes, or after five polls at most."""
        for _ in range(5):
            time.sleep(SETTLE_SECONDS)
            again = read_stamps(self.folder)
            if again == now:
                break
            now = again
        return now
