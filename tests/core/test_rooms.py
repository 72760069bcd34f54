"""Folders for a while: what killed processes left goes when the next one comes, and nothing else does."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from generator.core import rooms
from generator.core.files import locked
from generator.core.rooms import BEGUN, KIND, temporary_room

ROOT = Path(__file__).parents[2]
STAYS = "from generator.core.rooms import temporary_room\nwith temporary_room() as r: print(r, flush=True); input()"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders have no locks there")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def other(place):
    """Another process, which stays in its room, and the room."""
    process = subprocess.Popen(
        [sys.executable, "-c", STAYS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(place)},
    )
    return process, Path(process.stdout.readline().decode().strip())


def test_a_room_goes_with_what_is_in_it(place):
    with temporary_room() as room:
        (room / "sub").mkdir()
        (room / "sub" / "a.txt").write_bytes(b"a")
    assert list(place.iterdir()) == []


def test_what_a_killed_process_left_goes_and_others_keep_theirs(place):
    killed, left = other(place)
    alive, used = other(place)
    (left / "a.txt").write_bytes(b"a")
    killed.kill()
    killed.communicate()
    assert left.exists()
    with temporary_room():
        assert (left.exists(), used.exists()) == (False, True)
    alive.communicate(b"\n")
    assert list(place.iterdir()) == []


def test_a_room_that_is_being_begun_is_not_locked_by_others(place, monkeypatch):
    """Whoever begins it would find it locked, and work in a room that anybody may remove."""
    (place / f"{BEGUN}now").mkdir()
    looked = []
    monkeypatch.setattr(rooms, "locked", lambda path: looked.append(path) or locked(path))
    with temporary_room() as room:
        assert looked == [place / f"{BEGUN}{room.name.removeprefix(KIND)}"]
    assert [path.name for path in place.iterdir()] == [f"{BEGUN}now"]


def test_what_is_not_a_room_stays(place):
    (place / "mine").mkdir()
    (place / f"{KIND}link").symlink_to(place / "mine")
    (place / f"{KIND}file").write_bytes(b"x")
    before = sorted(path.name for path in place.iterdir())
    with temporary_room():
        pass
    assert sorted(path.name for path in place.iterdir()) == before
