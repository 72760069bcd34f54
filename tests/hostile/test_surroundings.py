"""Test builds on poor machines: a full disk, no home folder, a locale that knows only ASCII."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator.base.files import PREFIX
from tests.tools.make_pack import make

ROOT = Path(__file__).parents[2]
PACKS = Path(__file__).parents[1] / "data" / "packs"
BLOCK = 65536

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mounts and ids are those of Linux")


def is_root_with(program):
    return os.geteuid() == 0 and shutil.which(program) is not None


# Builds on a small disk, which only this process sees and which disappears with it. Each further
# argument is the space in kB that is left for another build. Builds are forks, which share the
# imports; so nothing may start threads before them.
FULL_DISK = """
import os, subprocess, sys
from pathlib import Path

disk, pack = Path(sys.argv[1]), sys.argv[2]
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "none", str(disk)], check=True)
for name in ("home", "tmp"):
    (disk / name).mkdir()
own = {"HOME": f"{disk}/home", "TMPDIR": f"{disk}/tmp", "PNP_CACHE": f"{disk}/cache", "PNP_CONFIG": f"{disk}/own"}
os.environ.update(own)
from generator.__main__ import main
import generator.cli.build, generator.export.sheets, generator.export.gallery, generator.picture.raster

WORDS = ["build", pack, "-o", f"{disk}/out", "--paper", "a4", "--what", "sheets", "--what", "gallery"]
errors = Path(pack, "..", "errors")

def build():
    child = os.fork()
    if not child:
        code = 1
        try:
            sys.argv[1:] = WORDS
            os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
            main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
        finally:
            sys.stderr.flush()
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), errors.read_text()

def tree():
    below = disk / "out"
    return {path.relative_to(below): path.read_bytes() for path in below.rglob("*") if path.is_file()}

def paint(colour):
    Path(pack, "cards.csv").write_text(f"id,hue\\nfox,{colour}\\nowl,{colour}\\n")

paint("red")
code, error = build()
assert code == 0, error
first = tree()
for colour, free in zip(("gold", "pink", "teal", "plum"), map(int, sys.argv[3:]), strict=True):
    old = tree()
    paint(colour)
    state = os.statvfs(disk)
    with (disk / "filler").open("wb") as file:
        file.write(bytes(max(0, state.f_bavail * state.f_bsize - free * 1024)))
    code, error = build()
    assert code == 5 or free, "the disk is full"
    if code:
        assert code == 5, error
        assert "the system says: No space left on device" in error, error
        assert tree() == old, "a file is neither whole nor old"
        assert not list((disk / "out").rglob(".pnp-*"))
    (disk / "filler").unlink()
paint("blue")
code, error = build()
assert code == 0, error
assert tree() != first
assert tree().keys() == first.keys()
"""


@pytest.mark.skipif(not is_root_with("unshare"), reason="only root can mount a small disk")
def test_build_on_a_full_disk_keeps_the_old_files(tmp_path):
    """Leave no space, or so little that the disk fills during the build."""
    pack = make(tmp_path / "pack", "- fill: $hue\n")
    (tmp_path / "disk").mkdir()
    words = [sys.executable, "-c", FULL_DISK, str(tmp_path / "disk"), str(pack)]
    result = subprocess.run(
        ["unshare", "-m", *words, "0", "8", "40", "200"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    if "permission denied" in result.stderr or "Operation not permitted" in result.stderr:
        pytest.skip("this machine lets not even root mount a disk")
    assert result.returncode == 0, result.stdout + result.stderr


# Python would choose UTF-8 for the locale C (PEP 538, PEP 540); other programs and old systems do
# not. Nothing can be made below a device, so this home cannot exist, whoever runs the test.
POOR = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "HOME": "/dev/null/nothing"}
NAMES = ["folding", "language"]
BOX = """components:
  box:
    title: Box
    make: tuckbox
    size: 45 x 45 mm
    depth: 20mm
    faces: side
    data: [{id: box, side: "front right back left top bottom"}]
    front: layouts/box.yaml
"""
FIGURES = """
legal: {board: "straight straight", claims: ["legal: true", "tiles: 2"], caption: "Geldig: 2 tegels – prima!"}
"""

# Runs several commands in one process.
COMMANDS = """
import json, sys
from generator.cli import main

for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit as end:
        if end.code:
            raise
"""


@pytest.fixture
def game_with_rules(tmp_path):
    """Return a pack of tiles and their box, with Dutch rules and a figure."""
    pack = shutil.copytree(ROOT / "generator" / "starters" / "tiles", tmp_path / "mills")
    (pack / "figures.yaml").write_text(FIGURES, "utf-8")
    (pack / "rules.md").write_text("# Regels\n\n## Één beurt\n\n::: figure legal :::\n", "utf-8")
    (pack / "layouts" / "box.yaml").write_text("- fill: $meadow\n")
    game = (pack / "game.yaml").read_text("utf-8").replace("components:\n", BOX)
    (pack / "game.yaml").write_text(
        f"{game}language: nl\nrules: {{}}\nmatching: {{sides: equal}}\n", "utf-8"
    )
    return pack


def test_files_are_the_same_without_home_and_in_locale_c(
    game_with_rules, tmp_path, monkeypatch, pnp
):
    """Build packs with rules, booklets, figures, boxes, folded pieces, workbooks, languages and cut files.

    The first is built with everything, of the others the sheets; all here as usual, and once more in
    a process without a home.
    """
    options = ["-o", "out", "--paper", "a4", "--cutter", "plain"]
    builds = [
        ["build", str(game_with_rules), *options],
        *(["build", str(PACKS / name), *options, "--what", "sheets"] for name in NAMES),
    ]
    usual = tmp_path / "usual"
    poor = tmp_path / "poor"
    for folder in (usual, poor):
        folder.mkdir()
    monkeypatch.chdir(usual)
    for words in builds:
        assert pnp(*words).exit_code == 0
    # Compiled modules are shared, since compiling the program once more takes a second.
    shared = {name: os.environ[name] for name in ("PATH", "PYTHONPYCACHEPREFIX")}
    second = subprocess.run(
        [sys.executable, "-c", COMMANDS, json.dumps(builds)],
        cwd=poor,
        env={**POOR, **shared, "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode == 0, second.stderr
    assert second.stderr.count("the cache is not used: ") == len(builds)
    assert second.stdout.isascii()
    usual_files = tree(usual / "out")
    assert {name.split("/")[0] for name in usual_files} == {game_with_rules.name, *NAMES}
    assert any(name.endswith("-rules-booklet-a4.pdf") for name in usual_files)
    assert sum(name.startswith("mills/mills-1-cuts-a4-") for name in usual_files) >= 4, (
        "box and tiles"
    )
    assert tree(poor / "out") == usual_files
    assert not list(poor.rglob(f"{PREFIX}*"))


def tree(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
