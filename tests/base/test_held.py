"""Bytes that are laid aside come back as they were, however many there are, and take no memory beyond some room."""

import io
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.files import Outbox
from generator.base.spill import SpillFile, spill, stream


@given(st.lists(st.binary(max_size=60)), st.integers(0, 80))
def test_what_is_laid_aside_comes_back(parts, room):
    aside = SpillFile(room)
    kept = [aside.append(part) for part in parts]
    assert [one.read() for one in reversed(kept)] == parts[::-1]
    assert [entry.stream().read() for entry in kept] == parts
    assert [pickle.loads(pickle.dumps(item)).read() for item in kept] == parts  # noqa: S301 - our own


def test_a_part_is_a_file_of_its_own():
    aside = SpillFile(4)
    aside.append(b"before")
    part = aside.capture(lambda file: (file.write(b"0123456789"), file.seek(2), file.write(b"AB")))
    aside.append(b"behind")
    with part.stream() as file:
        assert (len(part), file.read(4)) == (10, b"01AB")
        assert file.seek(-2, io.SEEK_END) == 8
        assert file.read() == b"89"


def test_the_file_is_closed_with_the_last_who_has_any_of_it():
    part = SpillFile(1).append(b"some bytes")
    file = part.place._file
    assert not file.closed
    del part
    assert file.closed


@pytest.mark.parametrize("make", [bytes, spill])
def test_a_file_that_is_there_already_is_not_written_again(tmp_path, make):
    data = b"x" * 3_000_000
    for text, same in ((data, False), (data, True), (data[:-1] + b"y", False)):
        before = (tmp_path / "f").stat().st_ino if (tmp_path / "f").exists() else 0
        with Outbox(tmp_path) as outbox:
            outbox.write("f", make(text))
        assert (tmp_path / "f").read_bytes() == text == stream(make(text)).read()
        assert ((tmp_path / "f").stat().st_ino == before) == same
