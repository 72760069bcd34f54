"""Test builds with the cache: they give the same bytes as without, and write only files that changed."""

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


def file_contents(folder="output"):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in Path(folder).rglob("*")
        if path.is_file()
    }


def build(pnp, *args):
    """Build the sheets of a pack, or the outputs asked for."""
    what = () if "--what" in args else ("--what", "sheets")
    result = pnp("build", "pack", "--paper", "a4", *what, *args)
    assert result.exit_code == 0, result.output
    return result


def preview_faces(pnp, *args):
    """Write the pictures of a pack's faces."""
    assert pnp("preview", "pack", "--what", "faces", *args).exit_code == 0


def change_table(pack, old, new):
    table = pack / "cards.csv"
    assert old in table.read_text()
    table.write_text(table.read_text().replace(old, new, 1))


def first_title(pack):
    """Return the title in the first row of the table."""
    return (pack / "cards.csv").read_text().splitlines()[1].split(",")[1]


def test_files_are_the_same_without_cache_and_with_cold_or_warm_cache(pnp, starter, cache_folder):
    starter("cards")
    for output, options in (("none", ["--no-cache"]), ("cold", []), ("warm", [])):
        build(
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
    assert file_contents("none") == file_contents("cold") == file_contents("warm")


def test_build_gives_same_files_with_one_and_with_two_jobs(pnp, starter):
    pack = starter("cards")
    head, first, *_ = (pack / "cards.csv").read_text().splitlines()
    rows = [first.replace(first.partition(",")[0], f"n{n}", 1) for n in range(40)]
    titled_rows = [row.replace(first_title(pack), f"Card {n}", 1) for n, row in enumerate(rows)]
    (pack / "cards.csv").write_text("\n".join([head, *titled_rows]) + "\n")
    for jobs in ("1", "2"):
        build(pnp, *GALLERY, "--no-cache", "--jobs", jobs, "-o", jobs)
        preview_faces(pnp, "--no-cache", "--jobs", jobs, "-o", jobs)
    assert file_contents("1") == file_contents("2")
    assert len([name for name in file_contents("1") if name.suffix == ".png"]) > 40


def test_repeated_build_reports_no_change_and_writes_nothing(pnp, starter):
    starter("cards")
    first = build(pnp)
    assert UNCHANGED not in first.output
    before = {path: path.stat() for path in Path().rglob("*")}
    second = build(pnp)
    assert second.output.splitlines()[-1] == UNCHANGED
    assert first.output.splitlines() == second.output.splitlines()[:-1]
    assert {path: path.stat() for path in Path().rglob("*")}.keys() == before.keys()
    assert all(path.stat().st_mtime_ns == stat.st_mtime_ns for path, stat in before.items())


@pytest.mark.parametrize("change", ["file", "missing", "table", "art", "option", "printer"])
def test_build_runs_again_if_output_table_art_option_or_printer_changed(
    pnp, starter, change, monkeypatch, tmp_path
):
    pack = starter("cards")
    monkeypatch.setenv("PNP_CONFIG", str(tmp_path / "config"))
    pnp("printer", "add", "home", "--offset", "0.5 0")
    more = ["--printer", "home"] if change == "printer" else []
    build(pnp, *more)
    sheet_file = next(Path("output").rglob("*-sheets-a4.pdf"))
    first_bytes = sheet_file.read_bytes()
    match change:
        case "file":
            sheet_file.write_bytes(b"somebody else's")
        case "missing":
            sheet_file.unlink()
        case "table":
            change_table(pack, first_title(pack), "Another title")
        case "art":
            (pack / "art" / "more.svg").write_text(
                '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
            )
        case "option":
            more = ["--marks", "ticks"]
        case "printer":
            assert pnp("printer", "add", "home", "--offset", "1 0").exit_code == 0
    assert UNCHANGED not in build(pnp, *more).output
    assert (sheet_file.read_bytes() == first_bytes) == (
        change not in {"table", "option", "printer"}
    )


def test_build_writes_only_files_that_changed(pnp, starter):
    pack = starter("cards")
    build(pnp, *GALLERY)
    preview_faces(pnp)
    before = {path: path.stat().st_mtime_ns for path in Path("output").rglob("*") if path.is_file()}
    change_table(pack, first_title(pack), "Another title")
    build(pnp, *GALLERY)
    preview_faces(pnp)
    rewritten = {path.name for path, then in before.items() if path.stat().st_mtime_ns != then}
    assert len([name for name in rewritten if name.endswith("-front.png")]) == 1
    assert not [name for name in rewritten if name.endswith("-back.png")]
    assert [name for name in rewritten if name.endswith("sheets-a4.pdf")]
    build(pnp, "-o", "anew", "--no-cache", *GALLERY)
    preview_faces(pnp, "-o", "anew", "--no-cache")
    assert file_contents() == file_contents("anew")


def test_tampered_cache_entries_are_reported_and_rendered_again(pnp, starter, cache_folder):
    starter("cards")
    build(pnp)
    with sqlite3.connect(cache_folder / DATABASE_FILE) as file:
        assert file.execute("UPDATE made SET data = data || 'x'").rowcount > 5
    file.close()
    result = build(pnp, "-o", "again")
    assert "damaged" in result.stderr
    assert file_contents() == file_contents("again")
    assert "damaged" not in build(pnp, "-o", "third").stderr


def test_truncated_cache_is_reported_and_replaced(pnp, starter, cache_folder):
    starter("cards")
    build(pnp)
    file = cache_folder / DATABASE_FILE
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    assert "damaged" in build(pnp, "-o", "again").stderr
    assert file_contents() == file_contents("again")


def test_build_without_usable_cache_folder_reports_the_fault_once(pnp, starter, monkeypatch):
    starter("cards")
    Path("file").write_text("in the way")
    monkeypatch.setenv("PNP_CACHE", str(Path("file/below").absolute()))
    result = build(pnp)
    assert result.stderr.count("the cache is not used") == 1
    assert next(Path("output").rglob("*.pdf"))


@pytest.mark.skipif(sys.platform == "win32", reason="homes are found in another way there")
@pytest.mark.parametrize("home", ["none", "cannot be written", "settings cannot be written"])
def test_build_without_usable_home_reports_the_cache_once(
    pnp, starter, monkeypatch, home, cache_folder
):
    starter("cards")
    for name in ("PNP_CACHE", "PNP_CONFIG", "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    if home == "none":  # a user without an entry in the system's list of users
        monkeypatch.setattr("pwd.getpwuid", lambda _: {}["nobody"])
    else:
        monkeypatch.setenv("HOME", "/dev/null/home")
    if home == "settings cannot be written":
        monkeypatch.setenv("PNP_CACHE", str(cache_folder))
    result = build(pnp)
    assert [
        ("the cache is not used" in line) for line in result.stderr.splitlines() if "cache" in line
    ] == [True]
    assert sorted(path.name for path in Path().iterdir()) == ["output", "pack"]
    assert pnp("cache", "info").exit_code == (5 if home == "none" else 0)
    assert pnp("printer", "list").exit_code == (5 if home == "none" else 0)
    assert pnp("build", "pack", "--printer", "office").exit_code == (5 if home == "none" else 2)


def test_cache_of_a_killed_build_serves_next_build(pnp, starter, cache_folder):
    starter("cards")
    build(pnp, "-o", "good", "--no-cache")
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
    assert "damaged" not in build(pnp).stderr
    assert file_contents() == file_contents("good")


def test_check_reports_the_same_with_a_warm_cache(pnp, starter):
    pack = starter("cards")
    (pack / "layouts" / "front.yaml").write_text("- frame: {inset: 0, fill: red}\n")
    outputs = [pnp("check", "pack", *more).output for more in (["--no-cache"], [], [])]
    assert "coloured art stops at the cut" in outputs[0]
    assert outputs[0] == outputs[1] == outputs[2]


def test_design_with_fault_is_reported_by_every_build(pnp, starter):
    pack = starter("cards")
    build(pnp)
    change_table(pack, first_title(pack), "An endless title that is far too long for any card " * 9)
    results = [pnp("build", "pack", "--paper", "a4") for _ in range(2)]
    assert results[0].exit_code == results[1].exit_code == 4
    assert results[0].output == results[1].output


def test_cache_info_lists_contents_and_clear_removes_them(pnp, starter, cache_folder):
    starter("cards")
    assert "empty" in pnp("cache", "info").output
    build(pnp, *GALLERY)
    preview_faces(pnp)
    info = pnp("cache", "info").output
    assert str(cache_folder) in info
    for kind in ("face", "pages", "png", "files"):
        assert kind in info
    assert "removed" in pnp("cache", "clear").output
    assert not (cache_folder / DATABASE_FILE).exists()
    assert "nothing to remove" in pnp("cache", "clear").output


def test_how_to_make_page_is_typeset_again_only_if_its_content_changed(pnp, starter, monkeypatch):
    pack = starter("cards")
    typeset_calls = []
    typeset = making.typeset_pages
    monkeypatch.setattr(
        making, "typeset_pages", lambda *args: typeset_calls.append(args) or typeset(*args)
    )
    for output, times in (("one", 1), ("two", 1)):
        build(pnp, "-o", output, "--what", "making")
        assert len(typeset_calls) == times
    change_table(pack, first_title(pack), "Another")
    build(pnp, "-o", "three", "--what", "making")
    assert len(typeset_calls) == 2, "the page shows the changed card"
    (first,), (second,), (third,) = (
        file_contents(name).values() for name in ("one", "two", "three")
    )
    assert first == second != third


@pytest.mark.skipif(
    not HAS_LOCKS, reason="without locks, only the age of a folder tells that its process is gone"
)
@pytest.mark.parametrize("is_ready", [True, False])
def test_build_with_nothing_to_do_removes_files_of_a_killed_build(
    pnp, starter, tmp_path, monkeypatch, is_ready
):
    starter("cards")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    build(pnp)
    before = file_contents()
    unfinished = Path("output/pack/.pnp-0123456789ab")
    (unfinished / "new").mkdir(parents=True)
    (unfinished / "new" / "pack-1-sheets-a4.pdf").write_bytes(b"of the killed build")
    if is_ready:
        (unfinished / "ready").write_text('{"pack-1-sheets-a4.pdf": true}')
    temporary = tmp_path / "temporary" / f"{TEMPORARY_PREFIX}left"
    temporary.mkdir()
    os.utime(temporary, (0, 0))  # a folder without a lock is removed once it is a minute old
    result = build(pnp)
    assert (UNCHANGED in result.output) is not is_ready, (
        "the next build delivers the files of a killed build if they were complete"
    )
    assert file_contents() == before
    assert not list(Path("output").rglob(".pnp-*"))
    assert not temporary.exists()
