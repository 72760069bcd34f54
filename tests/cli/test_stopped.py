"""Builds that are stopped, and builds that are made again."""

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
PATIENCE = 120
"""Seconds after which something is broken, whatever the machine."""

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
    out, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, error.decode()
    return out.decode()


def tree(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def many(folder, count):
    rows = "id\n" + "".join(f"design-{n}\n" for n in range(count))
    return make(folder, SLOW, rows, component="back: mirror")


@pytest.fixture
def build_pack(tmp_path, monkeypatch, pnp):
    """Return a function that builds the pack in this process, to prepare a test."""
    monkeypatch.chdir(tmp_path)

    def make_it():
        assert pnp("build", "pack").exit_code == 0

    return make_it


@pytest.fixture
def before(tmp_path, build_pack):
    """A folder with a build of a small pack, which is then a large one: its next build takes a while."""
    many(tmp_path / "pack", 3)
    build_pack()
    many(tmp_path / "pack", 2400)
    return tree(tmp_path / "output")


def hearing():
    """A shell lets jobs in the background hear no Ctrl-C, and so the tests, and so the build."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL], ids=lambda stop: stop.name)
def test_a_build_that_is_stopped_leaves_the_last_files_whole(stop, before, build_pack, tmp_path):
    process = start("build", "pack", cwd=tmp_path, preexec_fn=hearing)
    output = tmp_path / "output" / "pack"
    end = time.monotonic() + PATIENCE
    while not list(output.glob(".pnp-*")):
        assert process.poll() is None, "the build ended before it could be stopped"
        assert time.monotonic() < end
        time.sleep(0.005)
    process.send_signal(stop)
    _, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGKILL: -signal.SIGKILL}[stop]
    assert error.decode() == {signal.SIGINT: "stopped\n", signal.SIGKILL: ""}[stop]
    after = {name: data for name, data in tree(tmp_path / "output").items() if "/.pnp-" not in name}
    assert after == before
    if stop is signal.SIGINT:
        assert not list(output.glob(".pnp-*")), "it tidied up"
    many(tmp_path / "pack", 3)
    build_pack()
    assert {
        name: data for name, data in tree(tmp_path / "output").items() if "/.pnp-" not in name
    } == before


def stopped(*_):
    raise KeyboardInterrupt


def stopped_in_a_class(*_):
    """Return how Python 3.11 reports an interrupt while a class is being created."""
    try:
        stopped()
    except KeyboardInterrupt as error:
        raise RuntimeError("Error calling __set_name__ on 'cached_property' instance") from error


@pytest.mark.parametrize("stop", [stopped, stopped_in_a_class])
@pytest.mark.parametrize("stopped_in", ["import", "command"])
def test_a_command_that_is_stopped_early_says_no_more_than_that(
    stopped_in, stop, monkeypatch, capsys
):
    """While its modules are read, and before it has begun."""
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


def test_an_error_while_modules_are_read_is_shown(monkeypatch):
    broken = type("Broken", (ModuleType,), {"main": property(stopped_by_a_fault)})
    monkeypatch.setitem(sys.modules, "generator.cli", broken("generator.cli"))
    with pytest.raises(RuntimeError, match="a fault"):
        main()


def stopped_by_a_fault(_):
    raise RuntimeError("a fault")


def test_a_build_that_fails_leaves_the_last_files_whole(tmp_path, build_pack):
    pack = many(tmp_path / "pack", 3)
    build_pack()
    before = tree(tmp_path / "output")
    (pack / "layouts" / "front.yaml").write_text(f"{SLOW}- svg: art/none.svg\n")
    process = start("build", "pack", cwd=tmp_path)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 5
    assert tree(tmp_path / "output") == before


GAMES = ["cards", "tiles"]


@pytest.mark.parametrize("kind", GAMES)
def test_the_same_pack_gives_the_same_bytes(kind, tmp_path):
    """From another folder, with another seed, at another time of day, under another path of the pack."""
    starter = ROOT / "generator" / "starters" / kind
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    shutil.copytree(starter, tmp_path / "here" / "pack")
    shutil.copytree(starter, tmp_path / "there" / "deep" / "pack")
    build("pack", cwd=tmp_path / "here", env={"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo"}.items())
    build(
        tmp_path / "there" / "deep" / "pack",
        cwd=tmp_path / "there",
        env={"PYTHONHASHSEED": "2", "TZ": "America/New_York", "LC_ALL": "C"}.items(),
    )
    here = tree(tmp_path / "here" / "output")
    there = tree(tmp_path / "there" / "output")
    assert {Path(name).suffix for name in here} == {".pdf", ".html", ".pnprelease"}
    assert here == there


def test_the_preview_too(tmp_path):
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
        process.communicate(timeout=PATIENCE)
    assert tree(tmp_path / "out1")
    assert tree(tmp_path / "out1") == tree(tmp_path / "out2")


def test_another_pack_gives_other_bytes(tmp_path):
    """Make sure that the tests above can fail."""
    for name, colour in (("a", "red"), ("b", "blue")):
        make(tmp_path / name / "pack", f"- fill: {colour}\n")
        build("pack", "--paper", "a4", cwd=tmp_path / name)
    assert tree(tmp_path / "a" / "output") != tree(tmp_path / "b" / "output")
