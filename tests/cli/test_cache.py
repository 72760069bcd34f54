"""Test builds with the cache: the same bytes as without, and no file written again without a change."""

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from generator.base.cache import DATABASE_FILE
from generator.base.files import HAS_LOCKS, TEMPORARY_PREFIX
from generator.export import making

UNCHANGED = "Everything is up to date; no files were written."
GALLERY = ("--what", "sheets", "--what", "gallery")
ROOT = Path(__file__).parents[2]


def files(folder="output"):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in Path(folder).rglob("*")
        if path.is_file()
    }


def built(pnp, *args):
    """Build the sheets of a pack, or the outputs asked for."""
    what = () if "--what" in args else ("--what", "sheets")
    result = pnp("build", "pack", "--paper", "a4", *what, *args)
    assert result.exit_code == 0, result.output
    return result


def preview_faces(pnp, *args):
    """Return the pictures of a pack's faces."""
    assert pnp("preview", "pack", "--what", "faces", *args).exit_code == 0


def changed(pack, old, new):
    table = pack / "cards.csv"
    assert old in table.read_text()
    table.write_text(table.read_text().replace(old, new, 1))


def title(pack):
    """A word of the first row that stands in a title."""
    return (pack / "cards.csv").read_text().splitlines()[1].split(",")[1]


def test_files_are_the_same_without_a_cache_with_an_empty_one_and_with_a_full_one(
    pnp, starter, cache_folder
):
    starter("cards")
    for output, options in (("none", ["--no-cache"]), ("cold", []), ("warm", [])):
        built(
            pnp,
            "-o",
            output,
            *options,
            "--what",
            "sheets",
            "--what",
            "gallery",
            "--what",
            "release",
        )
        assert (cache_folder / DATABASE_FILE).is_file() == (output != "none")
    assert files("none") == files("cold") == files("warm")


def test_files_are_the_same_with_one_and_with_two_jobs(pnp, starter):
    pack = starter("cards")
    head, first, *_ = (pack / "cards.csv").read_text().splitlines()
    rows = [first.replace(first.partition(",")[0], f"n{n}", 1) for n in range(40)]
    words = [row.replace(title(pack), f"Card {n}", 1) for n, row in enumerate(rows)]
    (pack / "cards.csv").write_text("\n".join([head, *words]) + "\n")
    for jobs in ("1", "2"):
        built(pnp, *GALLERY, "--no-cache", "--jobs", jobs, "-o", jobs)
        preview_faces(pnp, "--no-cache", "--jobs", jobs, "-o", jobs)
    assert files("1") == files("2")
    assert len([name for name in files("1") if name.suffix == ".png"]) > 40


def test_a_build_that_changes_nothing_writes_nothing_and_says_so(pnp, starter):
    starter("cards")
    first = built(pnp)
    assert UNCHANGED not in first.output
    before = {path: path.stat() for path in Path().rglob("*")}
    second = built(pnp)
    assert second.output.splitlines()[-1] == UNCHANGED
    assert first.output.splitlines() == second.output.splitlines()[:-1]
    assert {path: path.stat() for path in Path().rglob("*")}.keys() == before.keys()
    assert all(path.stat().st_mtime_ns == stat.st_mtime_ns for path, stat in before.items())


@pytest.mark.parametrize("what", ["file", "missing", "table", "art", "option", "printer"])
def test_it_is_made_again_where_anything_differs(pnp, starter, what, monkeypatch, tmp_path):
    pack = starter("cards")
    monkeypatch.setenv("PNP_CONFIG", str(tmp_path / "config"))
    pnp("printer", "add", "home", "--offset", "0.5 0")
    more = ["--printer", "home"] if what == "printer" else []
    built(pnp, *more)
    made = next(Path("output").rglob("*-sheets-a4.pdf"))
    good = made.read_bytes()
    match what:
        case "file":
            made.write_bytes(b"somebody else's")
        case "missing":
            made.unlink()
        case "table":
            changed(pack, title(pack), "Another title")
        case "art":
            (pack / "art" / "more.svg").write_text(
                '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
            )
        case "option":
            more = ["--marks", "ticks"]
        case "printer":
            assert pnp("printer", "add", "home", "--offset", "1 0").exit_code == 0
    assert UNCHANGED not in built(pnp, *more).output
    assert (made.read_bytes() == good) == (what not in {"table", "option", "printer"})


def test_only_files_that_differ_are_written(pnp, starter):
    pack = starter("cards")
    built(pnp, *GALLERY)
    preview_faces(pnp)
    before = {path: path.stat().st_mtime_ns for path in Path("output").rglob("*") if path.is_file()}
    changed(pack, title(pack), "Another title")
    built(pnp, *GALLERY)
    preview_faces(pnp)
    touched = {path.name for path, then in before.items() if path.stat().st_mtime_ns != then}
    assert len([name for name in touched if name.endswith("-front.png")]) == 1
    assert not [name for name in touched if name.endswith("-back.png")]
    assert [name for name in touched if name.endswith("sheets-a4.pdf")]
    built(pnp, "-o", "anew", "--no-cache", *GALLERY)
    preview_faces(pnp, "-o", "anew", "--no-cache")
    assert files() == files("anew")


def test_entries_that_were_tampered_with_are_made_again_and_that_is_said(
    pnp, starter, cache_folder
):
    starter("cards")
    built(pnp)
    with sqlite3.connect(cache_folder / DATABASE_FILE) as file:
        assert file.execute("UPDATE made SET data = data || 'x'").rowcount > 5
    file.close()
    result = built(pnp, "-o", "again")
    assert "damaged" in result.stderr
    assert files() == files("again")
    assert "damaged" not in built(pnp, "-o", "third").stderr


def test_a_cache_that_was_cut_is_begun_anew(pnp, starter, cache_folder):
    starter("cards")
    built(pnp)
    file = cache_folder / DATABASE_FILE
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    assert "damaged" in built(pnp, "-o", "again").stderr
    assert files() == files("again")


def test_without_room_for_a_cache_everything_is_made_and_that_is_said(pnp, starter, monkeypatch):
    starter("cards")
    Path("file").write_text("in the way")
    monkeypatch.setenv("PNP_CACHE", str(Path("file/below").absolute()))
    result = built(pnp)
    assert result.stderr.count("the cache is not used") == 1
    assert next(Path("output").rglob("*.pdf"))


@pytest.mark.skipif(sys.platform == "win32", reason="homes are found in another way there")
@pytest.mark.parametrize("home", ["none", "cannot be written", "settings cannot be written"])
def test_without_a_home_everything_is_made_and_one_line_says_so(
    pnp, starter, monkeypatch, home, cache_folder
):
    starter("cards")
    for name in ("PNP_CACHE", "PNP_CONFIG", "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    if home == "none":  # as a user whom the system does not list
        monkeypatch.setattr("pwd.getpwuid", lambda _: {}["nobody"])
    else:
        monkeypatch.setenv("HOME", "/dev/null/home")
    if home == "settings cannot be written":
        monkeypatch.setenv("PNP_CACHE", str(cache_folder))
    result = built(pnp)
    assert [
        ("the cache is not used" in line) for line in result.stderr.splitlines() if "cache" in line
    ] == [True]
    assert sorted(path.name for path in Path().iterdir()) == ["output", "pack"]
    assert pnp("cache", "info").exit_code == (5 if home == "none" else 0)
    assert pnp("printer", "list").exit_code == (5 if home == "none" else 0)
    assert pnp("build", "pack", "--printer", "office").exit_code == 5


def test_a_killed_build_leaves_a_cache_that_the_next_one_can_use(pnp, starter, cache_folder):
    starter("cards")
    built(pnp, "-o", "good", "--no-cache")
    command = [sys.executable, "-m", "generator", "build", "pack", "--paper", "a4"]
    process = subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL
    )
    for _ in range(600):
        if (cache_folder / DATABASE_FILE).is_file() or process.poll() is not None:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert "damaged" not in built(pnp).stderr
    assert files() == files("good")


def test_a_check_finds_the_same_with_a_warm_cache(pnp, starter):
    pack = starter("cards")
    (pack / "layouts" / "front.yaml").write_text("- frame: {inset: 0, fill: red}\n")
    said = [pnp("check", "pack", *more).output for more in (["--no-cache"], [], [])]
    assert "coloured art stops at the cut" in said[0]
    assert said[0] == said[1] == said[2]


def test_a_design_with_a_fault_is_drawn_and_told_each_time(pnp, starter):
    pack = starter("cards")
    built(pnp)
    changed(pack, title(pack), "An endless title that is far too long for any card " * 9)
    said = [pnp("build", "pack", "--paper", "a4") for _ in range(2)]
    assert said[0].exit_code == said[1].exit_code == 4
    assert said[0].output == said[1].output


def test_the_cache_says_what_it_holds_and_is_removed(pnp, starter, cache_folder):
    starter("cards")
    assert "empty" in pnp("cache", "info").output
    built(pnp, *GALLERY)
    preview_faces(pnp)
    told = pnp("cache", "info").output
    assert str(cache_folder) in told
    for kind in ("face", "pages", "png", "files"):
        assert kind in told
    assert "removed" in pnp("cache", "clear").output
    assert not (cache_folder / DATABASE_FILE).exists()
    assert "nothing to remove" in pnp("cache", "clear").output


def test_how_a_game_is_made_is_set_again_only_where_it_says_something_else(
    pnp, starter, monkeypatch
):
    pack = starter("cards")
    made = []
    setting = making._typeset
    monkeypatch.setattr(making, "_typeset", lambda *args: made.append(args) or setting(*args))
    for output, times in (("one", 1), ("two", 1)):
        built(pnp, "-o", output, "--what", "making")
        assert len(made) == times
    changed(pack, title(pack), "Another")
    built(pnp, "-o", "three", "--what", "making")
    assert len(made) == 2, "it shows the card"
    (first,), (second,), (third,) = (files(name).values() for name in ("one", "two", "three"))
    assert first == second != third


@pytest.mark.skipif(
    not HAS_LOCKS, reason="without locks, only the age of a folder tells that its process is gone"
)
@pytest.mark.parametrize("is_ready", [True, False])
def test_a_build_with_nothing_to_do_clears_what_a_killed_build_left(
    pnp, starter, tmp_path, monkeypatch, is_ready
):
    starter("cards")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    built(pnp)
    before = files()
    left = Path("output/pack/.pnp-0123456789ab")
    (left / "new").mkdir(parents=True)
    (left / "new" / "pack-1-sheets-a4.pdf").write_bytes(b"of the killed build")
    if is_ready:
        (left / "ready").write_text('{"pack-1-sheets-a4.pdf": true}')
    temporary = tmp_path / "temporary" / f"{TEMPORARY_PREFIX}left"
    temporary.mkdir()
    os.utime(temporary, (0, 0))  # a folder without a lock is removed once it is a minute old
    result = built(pnp)
    assert (UNCHANGED in result.output) is not is_ready, (
        "files of a killed build that was ready come into place"
    )
    assert files() == before
    assert not list(Path("output").rglob(".pnp-*"))
    assert not temporary.exists()
