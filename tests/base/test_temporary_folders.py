"""Test temporary folders: only leftovers of killed processes are removed."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from generator.base.files import LOCKING_SECONDS, TEMPORARY_PREFIX, temporary_folder

ROOT = Path(__file__).parents[2]
WAITING = """
from generator.base.files import temporary_folder
with temporary_folder() as folder:
    print(folder, flush=True)
    input()
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders have no locks there")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def start_other(place):
    """Start another process that stays in its folder; return the process and the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(place)},
    )
    return process, Path(process.stdout.readline().decode().strip())


def make_older(path):
    before = path.stat().st_mtime - LOCKING_SECONDS - 1
    os.utime(path, (before, before))


def test_temporary_folder_is_removed_with_its_contents(place):
    with temporary_folder() as folder:
        assert folder.parent == place
        assert folder.name.startswith(TEMPORARY_PREFIX)
        (folder / "sub").mkdir()
        (folder / "sub" / "a.txt").write_bytes(b"a")
    assert list(place.iterdir()) == []


def test_folder_of_killed_process_is_removed_but_folder_in_use_stays(place):
    killed, left = start_other(place)
    alive, used = start_other(place)
    (left / "a.txt").write_bytes(b"a")
    killed.kill()
    killed.communicate()
    make_older(left)
    make_older(used)
    assert left.exists()
    with temporary_folder():
        assert (left.exists(), used.exists()) == (False, True)
    alive.communicate(b"\n")
    assert list(place.iterdir()) == []


def test_new_folder_without_lock_stays_for_a_minute(place):
    """Keep a new folder, since a process may be about to lock it."""
    new = place / f"{TEMPORARY_PREFIX}new"
    new.mkdir()
    with temporary_folder():
        assert new.exists()
    make_older(new)
    with temporary_folder():
        assert not new.exists()


def test_cleaning_leaves_links_files_and_other_folders(place):
    (place / "mine").mkdir()
    (place / f"{TEMPORARY_PREFIX}link").symlink_to(place / "mine")
    (place / f"{TEMPORARY_PREFIX}file").write_bytes(b"x")
    make_older(place / "mine")
    make_older(place / f"{TEMPORARY_PREFIX}file")
    before = sorted(path.name for path in place.iterdir())
    with temporary_folder():
        pass
    assert sorted(path.name for path in place.iterdir()) == before
