"""Test the outbox: output files appear complete and together, or not at all."""

import errno
import os
import sys
from pathlib import Path

import pytest

from generator.base.files import PREFIX, Outbox
from tests.tools.make_pack import make, svg


def file_contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def write_two_files_and_raise(folder, error):
    """Write two files to an outbox, then raise the error."""
    with Outbox(folder) as outbox:
        outbox.write("a.txt", b"new")
        outbox.write("b.txt", b"new")
        raise error("stopped")


def write_files(folder, *names):
    """Write files of these names through an outbox."""
    with Outbox(folder) as outbox:
        for name in names:
            outbox.write(name, b"new")


def test_files_appear_when_outbox_closes(tmp_path):
    folder = tmp_path / "deep" / "er"
    with Outbox(folder) as outbox:
        assert outbox.write("a.txt", b"a") == folder / "a.txt"
        outbox.write("sub/b.txt", b"b")
        assert not (folder / "a.txt").exists()
    assert file_contents(tmp_path) == {"deep/er/a.txt": b"a", "deep/er/sub/b.txt": b"b"}
    assert outbox.names == ("a.txt", "sub/b.txt")
    assert sorted(path.name for path in folder.iterdir()) == ["a.txt", "sub"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, MemoryError])
def test_error_leaves_old_files_and_no_new_ones(error, tmp_path):
    with Outbox(tmp_path) as outbox:
        outbox.write("a.txt", b"old")
    with pytest.raises(error):
        write_two_files_and_raise(tmp_path, error)
    assert file_contents(tmp_path) == {"a.txt": b"old"}
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_error_removes_folders_created_by_outbox(tmp_path):
    with pytest.raises(ValueError, match="stopped"):
        write_two_files_and_raise(tmp_path / "a" / "b", ValueError)
    assert list(tmp_path.iterdir()) == []


def test_outbox_leaves_other_files_in_folder(tmp_path):
    (tmp_path / "mine.txt").write_bytes(b"mine")
    with Outbox(tmp_path) as outbox:
        outbox.write("a.txt", b"a")
    assert file_contents(tmp_path) == {"mine.txt": b"mine", "a.txt": b"a"}


@pytest.mark.parametrize("name", ["../a.txt", "sub/../../a.txt", "/etc/a.txt"])
def test_name_outside_folder_is_refused(name, tmp_path):
    with pytest.raises(ValueError, match="outside the folder"), Outbox(tmp_path / "here") as outbox:
        outbox.write(name, b"a")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no locks there")
def test_next_outbox_removes_folder_of_killed_job(tmp_path):
    left = tmp_path / f"{PREFIX}left"
    left.mkdir()
    (left / "half.pdf").write_bytes(b"x")
    with Outbox(tmp_path) as other, Outbox(tmp_path) as outbox:
        assert not left.exists()
        other.write("b.txt", b"b")
        outbox.write("a.txt", b"a")
    assert file_contents(tmp_path) == {"a.txt": b"a", "b.txt": b"b"}


def test_link_named_like_temporary_folder_is_not_emptied(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "mine.txt").write_bytes(b"mine")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / f"{PREFIX}left").symlink_to(tmp_path / "elsewhere")
    with Outbox(tmp_path / "out") as outbox:
        outbox.write("a.txt", b"a")
    assert (tmp_path / "elsewhere" / "mine.txt").read_bytes() == b"mine"


def test_folder_in_place_of_later_file_leaves_all_files_unchanged(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"old")
    (tmp_path / "b.txt").mkdir()
    with pytest.raises(IsADirectoryError):
        write_files(tmp_path, "a.txt", "b.txt")
    assert file_contents(tmp_path) == {"a.txt": b"old"}


def test_link_below_output_folder_is_not_followed(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "preview").symlink_to(tmp_path / "elsewhere")
    with (
        pytest.raises(NotADirectoryError, match="there is a link in place of a folder"),
        Outbox(tmp_path / "out") as outbox,
    ):
        outbox.write("preview/a.png", b"a")
    assert file_contents(tmp_path) == {}


def test_failed_move_restores_files_moved_before(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_bytes(b"old")
    replace = Path.replace

    def failing(path, target):
        if Path(target).name == "c.txt":
            raise OSError(errno.ENOSPC, "full")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(OSError, match="full"):
        write_files(tmp_path, "a.txt", "b.txt", "c.txt")
    assert file_contents(tmp_path) == {"a.txt": b"old"}


def test_file_in_place_of_output_folder_is_reported(tmp_path):
    (tmp_path / "out").write_bytes(b"mine")
    with pytest.raises(OSError, match="out"), Outbox(tmp_path / "out"):
        pass
    assert file_contents(tmp_path) == {"out": b"mine"}


def test_build_reports_files_left_by_earlier_build(tmp_path, pnp):
    """Name the sheets of a paper that is no longer asked for and the picture of a removed card."""
    blurred = svg(
        '<filter id="f"><feGaussianBlur stdDeviation="1"/></filter><rect width="9" height="9" filter="url(#f)"/>'
    )
    layout = "- fill: $hue\n- svg: a.svg\n"  # the gallery stores blurred faces as files
    pack = make(tmp_path / "pack", layout, "id,hue\nfox,red\nowl,blue\n", files={"a.svg": blurred})
    out = tmp_path / "out"
    options = ["--what", "sheets", "--what", "gallery", "-o", tmp_path / "out"]
    assert "earlier build" not in pnp("build", pack, *options).output
    assert "earlier build" not in pnp("build", pack, *options, "--paper", "a4").output, (
        "an unchanged pack leaves no old files"
    )
    (out / "pack" / "mine-letter.pdf").write_bytes(b"mine")
    for path in out.rglob("*.*"):
        os.utime(path, (1, 1))
    (pack / "cards.csv").write_text("id,hue\nfox,green\n")
    result = pnp("build", pack, *options, "--paper", "a4")
    assert result.exit_code == 0
    (note,) = [line for line in result.output.splitlines() if "earlier build" in line]
    assert "2 files" in note
    assert note.endswith("pack-1-gallery/cards-owl-front.png, pack-1-sheets-letter.pdf")
    assert (out / "pack" / "pack-1-sheets-letter.pdf").exists()
