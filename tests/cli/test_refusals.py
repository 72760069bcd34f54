"""Test the messages when the system refuses a request: full disks, missing rights, long names."""

import errno
import os
from pathlib import Path

import pytest

from tests.tools.make_pack import make

COMMANDS = {
    "build": ("build", "pack", "-o", "place"),
    "deeper": ("build", "pack", "-o", "place/deeper"),
    "preview": ("preview", "pack", "-o", "place"),
    "release": ("release", "pack", "-o", "place"),
    "calibrate": ("calibrate", "-o", "place"),
    "new": ("new", "place/mine"),
}


def refuse_writes(monkeypatch, number):
    """Make every write of an output file fail with the error number."""

    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("generator.base.files.shutil.copyfileobj", refuse)
    monkeypatch.setattr(Path, "write_bytes", refuse)


@pytest.mark.parametrize("command", COMMANDS)
def test_full_disk_exits_with_5_and_writes_nothing(command, tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack")
    refuse_writes(monkeypatch, errno.ENOSPC)
    result = pnp(*COMMANDS[command])
    assert result.exit_code == 5
    assert result.stderr == (
        "the system says: No space left on device\n"
        "  expected readable files, and a writable folder with enough free space\n"
    )
    assert not (tmp_path / "place").exists()


@pytest.mark.parametrize("command", ["build", "new"])
def test_file_in_place_of_output_folder_exits_with_5_and_stays(command, tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack")
    (tmp_path / "place").mkdir()
    (tmp_path / "place" / "pack").write_text("a file")
    arguments = (
        ("build", "pack", "-o", "place") if command == "build" else ("new", "place/pack/mine")
    )
    result = pnp(*arguments)
    assert result.exit_code == 5
    assert result.stderr.startswith("place/pack")
    assert "the system says: " in result.stderr
    assert (tmp_path / "place" / "pack").read_text() == "a file"


def test_unreadable_file_is_reported_with_its_path(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack")
    read = Path.read_bytes

    def refused(path):
        if path.name == "cards.csv":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refused)
    result = pnp("build", "pack")
    assert result.exit_code == 5
    assert result.stderr.startswith("pack/cards.csv: the system says: Permission denied\n")


def test_file_name_too_long_for_the_system_is_reported_without_our_folder(
    tmp_path, monkeypatch, pnp
):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack", table=f"id\n{'x' * 300}\n")
    result = pnp("preview", "pack")
    assert result.exit_code == 5
    assert result.stderr.startswith("cards-xxxx")
    assert "expected shorter ids" in result.stderr
    assert not list(tmp_path.rglob(".pnp-*"))


def test_unexpected_system_error_is_raised_as_a_bug(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack")

    refuse_writes(monkeypatch, errno.EINVAL)
    with pytest.raises(OSError, match="Invalid argument"):
        pnp("build", "pack")


def test_next_command_of_new_pack_quotes_a_folder_with_a_space(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    guide, _, build = pnp("new", "my game").stdout.removeprefix("Guides: ").partition("\n")
    assert build.endswith("\n  pnp build 'my game'\n")
    assert Path(guide.split(" and, ")[0]).read_text("utf-8").startswith("# Making a pack")
