"""Test builds that are stopped or fail, and the bytes of repeated builds."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from generator.__main__ import main
from tests.tools.make_pack import make

ROOT = Path(__file__).parents[2]
TIMEOUT_SECONDS = 120
"""Seconds after which a command counts as hanging on any machine."""

SLOW = "- fill: red\n" + "".join(
    f"- text: {n} $id\n  box: [5, {6 * n + 4}, 30, 5]\n  style: body\n" for n in range(4)
)


def start(*args, cwd, **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "generator", *map(str, args)]
    return subprocess.Popen(
        command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )


def file_contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def make_deck(folder, count):
    rows = "id\n" + "".join(f"design-{n}\n" for n in range(count))
    return make(folder, SLOW, rows, component="back: mirror")


@pytest.fixture
def build_pack(tmp_path, monkeypatch, pnp):
    """Return a function that builds the pack in this process, to prepare a test."""
    monkeypatch.chdir(tmp_path)

    def build_here():
        assert pnp("build", "pack").exit_code == 0

    return build_here


@pytest.fixture
def before(tmp_path, build_pack):
    """Build a small pack and return its files; then enlarge the pack, so that its next build takes long."""
    make_deck(tmp_path / "pack", 3)
    build_pack()
    make_deck(tmp_path / "pack", 2400)
    return file_contents(tmp_path / "output")


def restore_interrupts():
    """Let the build receive Ctrl-C, which shells disable for jobs in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL], ids=lambda stop: stop.name)
def test_stopped_build_leaves_files_of_last_build(stop, before, build_pack, tmp_path):
    process = start("build", "pack", cwd=tmp_path, preexec_fn=restore_interrupts)
    output = tmp_path / "output" / "pack"
    end = time.monotonic() + TIMEOUT_SECONDS
    while not list(output.glob(".pnp-*")):
        assert process.poll() is None, "the build ended before it could be stopped"
        assert time.monotonic() < end
        time.sleep(0.005)
    process.send_signal(stop)
    _, error = process.communicate(timeout=TIMEOUT_SECONDS)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGKILL: -signal.SIGKILL}[stop]
    assert error.decode() == {signal.SIGINT: "stopped\n", signal.SIGKILL: ""}[stop]
    after = {
        name: data
        for name, data in file_contents(tmp_path / "output").items()
        if "/.pnp-" not in name
    }
    assert after == before
    if stop is signal.SIGINT:
        assert not list(output.glob(".pnp-*")), "its temporary folder is removed"
    make_deck(tmp_path / "pack", 3)
    build_pack()
    assert {
        name: data
        for name, data in file_contents(tmp_path / "output").items()
        if "/.pnp-" not in name
    } == before


def interrupt(*_):
    raise KeyboardInterrupt


def interrupt_in_a_class(*_):
    """Return how Python 3.11 reports an interrupt while a class is being created."""
    try:
        interrupt()
    except KeyboardInterrupt as error:
        raise RuntimeError("Error calling __set_name__ on 'cached_property' instance") from error


@pytest.mark.parametrize("stop", [interrupt, interrupt_in_a_class])
@pytest.mark.parametrize("stopped_in", ["import", "command"])
def test_command_stopped_while_loading_prints_stopped_and_exits_with_130(
    stopped_in, stop, monkeypatch, capsys
):
    """Interrupt the import of modules, and a command before it runs."""
    monkeypatch.setattr(sys, "argv", ["pnp", "list", "papers"])
    if stopped_in == "import":
        interrupted = type("Interrupted", (ModuleType,), {"main": property(stop)})
        monkeypatch.setitem(sys.modules, "generator.cli", interrupted("generator.cli"))
    else:
        monkeypatch.setattr("generator.cli.importlib.import_module", stop)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    assert capsys.readouterr().err == "stopped\n"


def test_error_while_modules_are_imported_is_raised(monkeypatch):
    broken = type("Broken", (ModuleType,), {"main": property(raise_fault)})
    monkeypatch.setitem(sys.modules, "generator.cli", broken("generator.cli"))
    with pytest.raises(RuntimeError, match="a fault"):
        main()


def raise_fault(_):
    raise RuntimeError("a fault")


def test_failing_build_leaves_files_of_last_build(tmp_path, build_pack, pnp):
    pack = make_deck(tmp_path / "pack", 3)
    build_pack()
    before = file_contents(tmp_path / "output")
    (pack / "layouts" / "front.yaml").write_text(f"{SLOW}- svg: art/none.svg\n")
    assert pnp("build", "pack").exit_code == 5
    assert file_contents(tmp_path / "output") == before


# Builds two packs and previews one in one process, since starting one takes longer than a build.
COMMANDS = """
import sys
from generator.cli import main

cards, tiles = sys.argv[1:]
for words in (["build", cards], ["build", tiles], ["preview", cards, "-o", "output/previews"]):
    try:
        main([*words, "--paper", "a4"] if words[0] == "build" else words)
    except SystemExit as end:
        if end.code:
            raise
"""


def test_same_packs_give_same_bytes_in_any_folder_timezone_and_hash_seed(tmp_path):
    """Build and preview from another folder, with another hash seed, time zone and path of the packs."""
    for cwd, folder, own in (
        ("here", Path(), {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo"}),
        (
            "there",
            tmp_path / "there" / "deep",
            {"PYTHONHASHSEED": "2", "TZ": "America/New_York", "LC_ALL": "C"},
        ),
    ):
        packs = [folder / kind for kind in ("cards", "tiles")]
        for pack in packs:
            shutil.copytree(ROOT / "generator" / "starters" / pack.name, tmp_path / cwd / pack)
        done = subprocess.run(
            [sys.executable, "-c", COMMANDS, *map(str, packs)],
            cwd=tmp_path / cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT), **own},
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_SECONDS,
        )
        assert done.returncode == 0, done.stderr
    here = file_contents(tmp_path / "here" / "output")
    there = file_contents(tmp_path / "there" / "output")
    assert {name.split("/")[0] for name in here} == {"cards", "tiles", "previews"}
    assert {Path(name).suffix for name in here} == {".pdf", ".html", ".png", ".pnprelease"}
    assert here == there


def test_different_packs_give_different_bytes(tmp_path, pnp):
    """Make sure that the test above can fail."""
    for name, colour in (("a", "red"), ("b", "blue")):
        make(tmp_path / name / "pack", f"- fill: {colour}\n")
        words = ("--paper", "a4", "--what", "sheets", "-o", tmp_path / name / "output")
        assert pnp("build", tmp_path / name / "pack", *words).exit_code == 0
    assert file_contents(tmp_path / "a" / "output") != file_contents(tmp_path / "b" / "output")
