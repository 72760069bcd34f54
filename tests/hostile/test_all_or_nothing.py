"""Test that a killed job or a full disk leaves either the old files or the new ones."""

import shutil
import subprocess
import sys
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


def run_jobs_on_failing_disk(way, *folders):
    """Run a job in each folder, whose disk fails at its first, second, third change, and so on.

    Return the exit codes, or for `count` the numbers of changes.
    """
    command = [sys.executable, "-S", "-m", "tests.tools.failing_disk", way, *map(str, folders)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    return [int(line) for line in done.stdout.split()]


def file_contents(folder):
    """Return the files and folders, without the temporary folders of jobs."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if not [part for part in path.relative_to(folder).parts if part.startswith(PREFIX)]
    }


def contents_of_files(folder):
    return {name: data for name, data in file_contents(folder).items() if data is not None}


def make_output_folder(folder, *, old):
    """Make a folder with a file of its owner and perhaps the files of an earlier job."""
    folder.mkdir()
    (folder / "mine.txt").write_bytes(b"mine")
    if old:
        job(folder, b"old")
    return folder


def contents_of_job_files(folder):
    return [data for name, data in file_contents(folder).items() if name in NAMES]


def folders_for_each_change(tmp_path, *, old):
    """Return a folder for each change of the disk that a job makes."""
    (changes,) = run_jobs_on_failing_disk(
        "count", make_output_folder(tmp_path / "counted", old=old)
    )
    assert changes > 15
    return [make_output_folder(tmp_path / str(number), old=old) for number in range(changes)]


@pytest.mark.parametrize("old", [True, False])
def test_job_killed_at_any_change_leaves_files_that_the_next_job_completes(old, tmp_path):
    folders = folders_for_each_change(tmp_path, old=old)
    assert 0 not in run_jobs_on_failing_disk("kill", *folders)
    for folder in folders:
        contents = contents_of_job_files(folder)
        assert set(contents) <= {b"old", b"new"}
        if old:
            assert len(contents) == len(NAMES)
        job(folder, b"later")
        assert contents_of_job_files(folder) == [b"later"] * len(NAMES)
        assert not list(folder.glob(PREFIX + "*"))
        assert (folder / "mine.txt").read_bytes() == b"mine"


def test_next_job_repairs_files_of_a_job_killed_between_moves(tmp_path):
    """Kill jobs at each change, then run a job that fails."""
    folders = folders_for_each_change(tmp_path, old=True)
    run_jobs_on_failing_disk("kill", *folders)
    mixed = 0
    for folder in folders:
        mixed += len(set(contents_of_job_files(folder))) > 1
        with pytest.raises(ZeroDivisionError):
            open_and_fail(folder)
        assert len(set(contents_of_job_files(folder))) == 1
    assert mixed


def open_and_fail(folder):
    from generator.base.files import Outbox

    with Outbox(folder):
        raise ZeroDivisionError


@pytest.mark.parametrize("old", [True, False])
def test_job_on_full_disk_leaves_old_files_or_all_new_ones(old, tmp_path):
    folders = folders_for_each_change(tmp_path, old=old)
    before = contents_of_files(folders[0])
    codes = run_jobs_on_failing_disk("full", *folders)
    assert set(codes) == {0, 5}
    for folder, code in zip(folders, codes, strict=True):
        if code:
            assert contents_of_files(folder) == before
        else:
            assert contents_of_job_files(folder) == [b"new"] * len(NAMES), (
                "the files are complete if only the cleaning up failed"
            )
        job(folder, b"later")
        assert not list(folder.glob(PREFIX + "*"))


def test_ten_concurrent_jobs_leave_files_of_one_job(tmp_path):
    folder = make_output_folder(tmp_path / "out", old=True)
    jobs = [
        subprocess.Popen([sys.executable, "-c", JOB, str(folder), str(number)], cwd=ROOT)
        for number in range(10)
    ]
    assert [item.wait(60) for item in jobs] == [0] * 10
    assert len(set(contents_of_job_files(folder))) == 1, "all files are of one job"
    assert len(contents_of_job_files(folder)) == len(NAMES)
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
    """Return a folder outside the pack with files that resemble those of a job.

    Its parent is the current folder.
    """
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "elsewhere"
    (folder / f"{PREFIX}left").mkdir(parents=True)
    (folder / f"{PREFIX}left" / "mine.txt").write_bytes(b"mine")
    return folder


def test_release_folder_that_is_a_link_is_refused(elsewhere, pnp):
    pack = make(elsewhere.parent / "pack")
    (pack / "releases").symlink_to(elsewhere)
    for command in (["release", pack], ["diff", pack, "--from", "1"]):
        result = pnp(*command)
        assert result.exit_code == 3
        assert "pack/releases is a link" in result.stderr
    assert [path.name for path in elsewhere.rglob("*")] == [f"{PREFIX}left", "mine.txt"]
    assert pnp("release", pack, "-o", elsewhere).exit_code == 0, (
        "a folder named on the command line may be anywhere"
    )


@pytest.mark.parametrize(
    ("command", "link"),
    [
        ("build", "output"),
        ("build", "output/pack"),
        ("preview", "output/pack"),
        ("preview", "output/pack/preview"),
    ],
)
def test_output_folder_that_is_a_link_is_refused(elsewhere, pnp, command, link):
    make(elsewhere.parent / "pack")
    Path(link).parent.mkdir(parents=True, exist_ok=True)
    Path(link).symlink_to(elsewhere)
    result = pnp(command, "pack", "--what", "sheets")
    assert result.exit_code in {3, 5}
    assert "link" in result.stderr
    assert [path.name for path in elsewhere.rglob("*")] == [f"{PREFIX}left", "mine.txt"]
