"""Test spill files: they return the bytes that they were given and keep memory within a limit."""

import io
import pickle
from tempfile import SpooledTemporaryFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base import spill as spill_module
from generator.base.files import Outbox
from generator.base.spill import SpillFile, spill, stream


@given(st.lists(st.binary(max_size=60)), st.integers(0, 80))
def test_spilled_parts_are_read_back(parts, memory_bytes):
    spill_file = SpillFile(memory_bytes)
    handles = [spill_file.append(part) for part in parts]
    assert [one.read() for one in reversed(handles)] == parts[::-1]
    assert [entry.stream().read() for entry in handles] == parts
    assert [pickle.loads(pickle.dumps(item)).read() for item in handles] == parts  # noqa: S301 - our own


def test_captured_part_reads_as_file_of_its_own():
    spill_file = SpillFile(4)
    spill_file.append(b"before")
    part = spill_file.capture(
        lambda file: (file.write(b"0123456789"), file.seek(2), file.write(b"AB"))
    )
    spill_file.append(b"behind")
    with part.stream() as file:
        assert (len(part), file.read(4)) == (10, b"01AB")
        assert file.seek(-2, io.SEEK_END) == 8
        assert file.read() == b"89"


def test_spill_file_is_closed_with_its_last_part(monkeypatch):
    files = []
    monkeypatch.setattr(
        spill_module,
        "SpooledTemporaryFile",
        lambda size: files.append(SpooledTemporaryFile(size)) or files[-1],  # noqa: SIM115 - by the spill file
    )
    part = SpillFile(1).append(b"some bytes")
    (file,) = files
    assert not file.closed
    del part
    assert file.closed


@pytest.mark.parametrize("make", [bytes, spill])
def test_unchanged_output_file_is_not_written_again(tmp_path, make):
    data = b"x" * 3_000_000
    for text, same in ((data, False), (data, True), (data[:-1] + b"y", False)):
        before = (tmp_path / "f").stat().st_ino if (tmp_path / "f").exists() else 0
        with Outbox(tmp_path) as outbox:
            outbox.write("f", make(text))
        assert (tmp_path / "f").read_bytes() == text == stream(make(text)).read()
        assert ((tmp_path / "f").stat().st_ino == before) == same
