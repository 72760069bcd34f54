"""Files appear whole and together, or not at all."""

import os
import time

import pytest

from generator.core.files import PREFIX, STALE, Outbox


def tree(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def stopped(folder, error):
    """A job that fails after it has written two files."""
    with Outbox(folder) as outbox:
        outbox.write("a.txt", b"new")
        outbox.write("b.txt", b"new")
        raise error("stopped")


def test_files_appear_at_the_end(tmp_path):
    folder = tmp_path / "deep" / "er"
    with Outbox(folder) as outbox:
        assert outbox.write("a.txt", b"a") == folder / "a.txt"
        outbox.write("sub/b.txt", b"b")
        assert not (folder / "a.txt").exists()
    assert tree(tmp_path) == {"deep/er/a.txt": b"a", "deep/er/sub/b.txt": b"b"}
    assert outbox.names == ("a.txt", "sub/b.txt")
    assert sorted(path.name for path in folder.iterdir()) == ["a.txt", "sub"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, MemoryError])
def test_a_failure_leaves_the_old_files_and_nothing_else(error, tmp_path):
    with Outbox(tmp_path) as outbox:
        outbox.write("a.txt", b"old")
    with pytest.raises(error):
        stopped(tmp_path, error)
    assert tree(tmp_path) == {"a.txt": b"old"}
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_failure_leaves_no_folders_that_were_not_there(tmp_path):
    with pytest.raises(ValueError, match="stopped"):
        stopped(tmp_path / "a" / "b", ValueError)
    assert list(tmp_path.iterdir()) == []


def test_other_files_are_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_bytes(b"mine")
    with Outbox(tmp_path) as outbox:
        outbox.write("a.txt", b"a")
    assert tree(tmp_path) == {"mine.txt": b"mine", "a.txt": b"a"}


@pytest.mark.parametrize("name", ["../a.txt", "sub/../../a.txt", "/etc/a.txt"])
def test_no_file_lies_outside(name, tmp_path):
    with pytest.raises(ValueError, match="outside the folder"), Outbox(tmp_path / "here") as outbox:
        outbox.write(name, b"a")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("age", "kept"), [(0, True), (STALE + 60, False)])
def test_what_a_killed_job_left_is_swept_up_later(age, kept, tmp_path):
    left = tmp_path / f"{PREFIX}left"
    left.mkdir()
    (left / "half.pdf").write_bytes(b"x")
    then = time.time() - age
    os.utime(left, (then, then))
    with Outbox(tmp_path) as outbox:
        outbox.write("a.txt", b"a")
    assert left.exists() is kept


def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "out").write_bytes(b"mine")
    with pytest.raises(OSError, match="out"), Outbox(tmp_path / "out"):
        pass
    assert tree(tmp_path) == {"out": b"mine"}
