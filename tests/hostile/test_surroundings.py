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
GAMES = ["buizen-wir-war", "boxes", "folding", "hoard", "language", "maps", "omens"]


@pytest.mark.parametrize("game", GAMES)
def test_files_are_the_same_without_home_and_in_locale_c(game, tmp_path):
    """Build a game and packs with rules, booklets, figures, boxes, languages and cut files."""
    pack = str(PACKS / game) if (PACKS / game).is_dir() else game
    usual = tmp_path / "usual"
    poor = tmp_path / "poor"

    def build(folder, own):
        folder.mkdir()
        command = [
            sys.executable,
            "-m",
            "generator",
            "build",
            pack,
            "-o",
            "out",
            "--paper",
            "a4",
            "--cutter",
            "plain",
        ]
        return subprocess.run(
            command, cwd=folder, env=own, capture_output=True, text=True, check=False
        )

    first = build(usual, {**os.environ, "PYTHONPATH": str(ROOT)})
    second = build(
        poor, {**POOR, "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    )
    assert first.returncode == 0, first.stderr
    assert second.returncode == 0, second.stderr
    assert "the cache is not used: " in second.stderr
    assert second.stdout.isascii()
    usual_files = tree(usual / "out")
    assert usual_files
    assert tree(poor / "out") == usual_files
    assert not list(poor.rglob(f"{PREFIX}*"))


def tree(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
