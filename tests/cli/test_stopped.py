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


def start(*args, cwd, env=(), **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **dict(env)}
    command = [sys.executable, "-m", "generator", *map(str, args)]
    return subprocess.Popen(
        command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )


def build(*args, cwd, env=()):
    process = start("build", *args, cwd=cwd, env=env)
    out, error = process.communicate(timeout=TIMEOUT_SECONDS)
    assert process.returncode == 0, error.decode()
    return out.decode()


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


def test_failing_build_leaves_files_of_last_build(tmp_path, build_pack):
    pack = make_deck(tmp_path / "pack", 3)
    build_pack()
    before = file_contents(tmp_path / "output")
    (pack / "layouts" / "front.yaml").write_text(f"{SLOW}- svg: art/none.svg\n")
    process = start("build", "pack", cwd=tmp_path)
    process.communicate(timeout=TIMEOUT_SECONDS)
    assert process.returncode == 5
    assert file_contents(tmp_path / "output") == before


GAMES = ["cards", "tiles"]


@pytest.mark.parametrize("kind", GAMES)
def test_same_pack_gives_same_bytes_in_any_folder_timezone_and_hash_seed(kind, tmp_path):
    """Build from another folder, with another hash seed, time zone and path of the pack."""
    starter = ROOT / "generator" / "starters" / kind
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    shutil.copytree(starter, tmp_path / "here" / "pack")
    shutil.copytree(starter, tmp_path / "there" / "deep" / "pack")
    build(
        "pack",
        "--paper",
        "a4",
        cwd=tmp_path / "here",
        env={"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo"}.items(),
    )
    build(
        tmp_path / "there" / "deep" / "pack",
        "--paper",
        "a4",
        cwd=tmp_path / "there",
        env={"PYTHONHASHSEED": "2", "TZ": "America/New_York", "LC_ALL": "C"}.items(),
    )
    here = file_contents(tmp_path / "here" / "output")
    there = file_contents(tmp_path / "there" / "output")
    assert {Path(name).suffix for name in here} == {".pdf", ".html", ".pnprelease"}
    assert here == there


def test_preview_gives_same_bytes_with_any_hash_seed(tmp_path):
    shutil.copytree(ROOT / "generator" / "starters" / "cards", tmp_path / "pack")
    for seed in ("1", "2"):
        process = start(
            "preview",
            "pack",
            "-o",
            f"out{seed}",
            cwd=tmp_path,
            env={"PYTHONHASHSEED": seed}.items(),
        )
        process.communicate(timeout=TIMEOUT_SECONDS)
    assert file_contents(tmp_path / "out1")
    assert file_contents(tmp_path / "out1") == file_contents(tmp_path / "out2")


def test_different_packs_give_different_bytes(tmp_path):
    """Make sure that the tests above can fail."""
    for name, colour in (("a", "red"), ("b", "blue")):
        make(tmp_path / name / "pack", f"- fill: {colour}\n")
        build("pack", "--paper", "a4", "--what", "sheets", cwd=tmp_path / name)
    assert file_contents(tmp_path / "a" / "output") != file_contents(tmp_path / "b" / "output")
