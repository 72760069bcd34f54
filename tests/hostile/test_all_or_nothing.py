"""Test that a killed job or a full disk leaves either the old files or the new ones."""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from generator.base.files import PREFIX
from tests.tools.failing_disk import job
from tests.tools.make_pack import make

ROOT = Path(__file__).parents[2]
NAMES = ("a.txt", "b.txt", "sub/c.txt")

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="processes are killed in another way there"
)


def run(way, number, folder):
    command = [
        sys.executable,
        "-S",
        "-m",
        "tests.tools.failing_disk",
        way,
        str(number),
        str(folder),
    ]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )


def tree(folder):
    """The files, and the folders, without those of jobs."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if not [part for part in path.relative_to(folder).parts if part.startswith(PREFIX)]
    }


def filled(folder, *, old):
    """A folder with the files of an earlier job, or none, and one of somebody else."""
    folder.mkdir()
    (folder / "mine.txt").write_bytes(b"mine")
    if old:
        job(folder, b"old")
    return folder


def texts(folder):
    return [data for name, data in tree(folder).items() if name in NAMES]


@pytest.mark.parametrize("old", [True, False])
def test_a_kill_at_every_change(old, tmp_path):
    changes = int(run("count", 0, filled(tmp_path / "counted", old=old)).stdout)
    assert changes > 15

    def killed(number):
        folder = filled(tmp_path / str(number), old=old)
        assert run("kill", number, folder).returncode != 0
        found = texts(folder)
        assert set(found) <= {b"old", b"new"}
        assert len(found) == len(NAMES) if old else True
        job(folder, b"later")
        assert texts(folder) == [b"later"] * len(NAMES)
        assert not list(folder.glob(PREFIX + "*"))
        assert (folder / "mine.txt").read_bytes() == b"mine"

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(killed, range(1, changes + 1)))


def test_a_kill_between_the_moves_is_made_good_by_the_next_job(tmp_path):
    """Any next job in the same folder repairs it."""
    mixed = 0
    for number in range(1, 40):
        folder = filled(tmp_path / str(number), old=True)
        if run("kill", number, folder).returncode == 0:
            break
        mixed += len(set(texts(folder))) > 1
        with pytest.raises(ZeroDivisionError):
            broken(folder)
        assert len(set(texts(folder))) == 1
    assert mixed


def broken(folder):
    from generator.base.files import Outbox

    with Outbox(folder):
        raise ZeroDivisionError


@pytest.mark.parametrize("old", [True, False])
def test_a_full_disk_at_every_change(old, tmp_path):
    changes = int(run("count", 0, filled(tmp_path / "counted", old=old)).stdout)

    def full(number):
        folder = filled(tmp_path / str(number), old=old)
        before = {name: data for name, data in tree(folder).items() if data is not None}
        if run("full", number, folder).returncode:
            assert {name: data for name, data in tree(folder).items() if data is not None} == before
        else:
            assert texts(folder) == [b"new"] * len(NAMES), "only what was tidied up failed"
        job(folder, b"later")
        assert not list(folder.glob(PREFIX + "*"))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(full, range(1, changes + 1)))


def test_ten_jobs_at_once(tmp_path):
    folder = filled(tmp_path / "out", old=True)
    jobs = [
        subprocess.Popen([sys.executable, "-c", JOB, str(folder), str(number)], cwd=ROOT)
        for number in range(10)
    ]
    assert [item.wait(60) for item in jobs] == [0] * 10
    assert len(set(texts(folder))) == 1, "the files of one job"
    assert len(texts(folder)) == len(NAMES)
    assert not list(folder.glob(PREFIX + "*"))
    shutil.rmtree(folder)


JOB = """
import sys
from pathlib import Path
from tests.tools.failing_disk import job
for _ in range(20):
    job(Path(sys.argv[1]), sys.argv[2].encode())
"""


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Return a folder outside the pack, with files that look like a job's.

    Its parent is the current folder.
    """
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "elsewhere"
    (folder / f"{PREFIX}left").mkdir(parents=True)
    (folder / f"{PREFIX}left" / "mine.txt").write_bytes(b"mine")
    return folder


def test_a_release_is_not_kept_through_a_link(elsewhere, pnp):
    pack = make(elsewhere.parent / "pack")
    (pack / "releases").symlink_to(elsewhere)
    for command in (["release", pack], ["diff", pack, "--from", "1"]):
        result = pnp(*command)
        assert result.exit_code == 3
        assert "pack/releases is a link" in result.stderr
    assert [path.name for path in elsewhere.rglob("*")] == [f"{PREFIX}left", "mine.txt"]
    assert pnp("release", pack, "-o", elsewhere).exit_code == 0, "the person says so"


@pytest.mark.parametrize(
    ("command", "link"),
    [
        ("build", "output"),
        ("build", "output/pack"),
        ("preview", "output/pack"),
        ("preview", "output/pack/preview"),
    ],
)
def test_nothing_is_written_through_a_link(elsewhere, pnp, command, link):
    make(elsewhere.parent / "pack")
    Path(link).parent.mkdir(parents=True, exist_ok=True)
    Path(link).symlink_to(elsewhere)
    result = pnp(command, "pack", "--what", "sheets")
    assert result.exit_code in {3, 5}
    assert "link" in result.stderr
    assert [path.name for path in elsewhere.rglob("*")] == [f"{PREFIX}left", "mine.txt"]
