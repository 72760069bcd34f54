"""Test builds on poor machines: a full disk, no home folder, a locale that knows only ASCII."""

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


# Builds twice on a small disk that fills up between both builds. The disk belongs to this process
# alone and goes with it. It is filled up to what the second build may use, the argument in kB.
FULL_DISK = """
import os, subprocess, sys
from pathlib import Path

disk, pack, free = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]) * 1024
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "none", str(disk)], check=True)

def build():
    for name in ("home", "tmp"):
        (disk / name).mkdir(exist_ok=True)
    own = {"HOME": f"{disk}/home", "TMPDIR": f"{disk}/tmp", "PNP_CACHE": f"{disk}/cache", "PNP_CONFIG": f"{disk}/own"}
    command = [sys.executable, "-m", "generator", "build", pack, "-o", f"{disk}/out", "--paper", "a4"]
    command += ["--what", "sheets", "--what", "gallery"]
    return subprocess.run(command, env={**os.environ, **own}, capture_output=True, text=True)

def tree():
    below = disk / "out"
    return {path.relative_to(below): path.read_bytes() for path in below.rglob("*") if path.is_file()}

first = build()
assert first.returncode == 0, first.stderr
old = tree()
table = Path(pack, "cards.csv")
table.write_text(table.read_text().replace("red", "blue"))
state = os.statvfs(disk)
with (disk / "filler").open("wb") as file:
    file.write(bytes(max(0, state.f_bavail * state.f_bsize - free)))
second = build()
print(second.returncode, second.stderr)
if second.returncode:
    assert second.returncode == 5, second.stderr
    assert "the system says: No space left on device" in second.stderr, second.stderr
    assert tree() == old, "a file is neither whole nor old"
    assert not list((disk / "out").rglob(".pnp-*"))
(disk / "filler").unlink()
third = build()
assert third.returncode == 0, third.stderr
assert tree() != old
assert tree().keys() == old.keys()
"""


@pytest.mark.skipif(not is_root_with("unshare"), reason="only root can mount a small disk")
@pytest.mark.parametrize("free", [0, 8, 40, 200])
def test_build_on_a_full_disk_keeps_the_old_files(tmp_path, free):
    """Leave no space, or so little that the disk fills during the build."""
    pack = make(tmp_path / "pack", "- fill: $hue\n", "id,hue\nfox,red\nowl,red\n")
    (tmp_path / "disk").mkdir()
    words = [sys.executable, "-c", FULL_DISK, str(tmp_path / "disk"), str(pack), str(free)]
    result = subprocess.run(
        ["unshare", "-m", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    if "permission denied" in result.stderr or "Operation not permitted" in result.stderr:
        pytest.skip("this machine lets not even root mount a disk")
    assert result.returncode == 0, result.stdout + result.stderr
    assert free or result.stdout.startswith("5 ")


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

# Builds one pack after the other in one process.
BUILDS = """
import sys
from generator.cli import main

for pack in sys.argv[1:]:
    try:
        main(["build", pack, "-o", "out", "--paper", "a4", "--cutter", "plain"])
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


def test_files_are_the_same_without_home_and_in_locale_c(game_with_rules, tmp_path):
    """Build packs with rules, booklets, figures, boxes, folded pieces, workbooks, languages and cut files."""
    packs = [game_with_rules, *(PACKS / name for name in NAMES)]
    usual = tmp_path / "usual"
    poor = tmp_path / "poor"

    def build(folder, own):
        folder.mkdir()
        return subprocess.run(
            [sys.executable, "-c", BUILDS, *map(str, packs)],
            cwd=folder,
            env={**own, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )

    first = build(usual, os.environ)
    second = build(poor, {**POOR, "PATH": os.environ["PATH"], "TMPDIR": str(tmp_path)})
    assert first.returncode == 0, first.stderr
    assert second.returncode == 0, second.stderr
    assert second.stderr.count("the cache is not used: ") == len(packs)
    assert second.stdout.isascii()
    usual_files = tree(usual / "out")
    assert {name.split("/")[0] for name in usual_files} == {pack.name for pack in packs}
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
