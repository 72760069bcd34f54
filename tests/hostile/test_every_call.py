"""Test whole builds that are killed at each system call that changes the disk.

A tracer lists every such call of an undisturbed build and then kills one build at each. A run
of the tests uses some of the calls; all of them, which takes minutes, with `PNP_KILLS=all pytest -m
traced tests/hostile/test_every_call.py`.
"""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from generator.base.files import PREFIX, TEMPORARY_PREFIX, Outbox
from tests.tools.make_pack import make, svg

ROOT = Path(__file__).parents[2]
CALLS = "rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,truncate,ftruncate"
CALLS += ",fsync,fdatasync,openat,open,creat,write,pwrite64,writev,pwritev,chmod,fchmod,fallocate"
SAMPLE = 12
PROBE = b"blat"
"""Bytes that Python writes to a file of its own to test a temporary directory."""
PACK = {
    "a.svg": svg(
        '<filter id="f"><feGaussianBlur stdDeviation="1"/></filter><rect width="9" height="9" filter="url(#f)"/>'
    ),
    "rules.md": "# A\n\nTake ((cards:fox)) and go.\n",
}
LAYOUT = "- fill: $hue\n- svg: a.svg\n  box: [0, 0, 9, 9]\n- text: $id\n  box: [5, 20, 30, 5]\n  style: body\n"
OLD = "id,hue\nfox,red\nowl,blue\n"
NEW = "id,hue\nfox,blue\nelk,red\n"

pytestmark = pytest.mark.traced


def build(folder, *tracer):
    """Run a reproducible build in a process of its own, perhaps under a tracer."""
    places = {"HOME": "home", "PNP_CACHE": "cache", "TMPDIR": "temporary"}
    environment = {**os.environ, **{name: str(folder / place) for name, place in places.items()}}
    environment |= {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
    command = [
        *tracer,
        sys.executable,
        "-m",
        "generator",
        "build",
        "pack",
        "--jobs",
        "1",
        "--cutter",
        "plain",
    ]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def file_contents(folder):
    """Return all files of a folder without those of unfinished jobs."""
    paths = ((path, path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    return {name.as_posix(): path.read_bytes() for path, name in paths if PREFIX not in f"/{name}"}


def changes(trace):
    """Yield the name, the number and the line of each traced call that changed the disk."""
    counts = Counter()
    for line in trace.read_text("utf-8", "replace").splitlines():
        call = line.partition("(")[0]
        counts[call] += 1
        is_read = call.startswith("open") and not re.search(r"O_WRONLY|O_RDWR|O_CREAT", line)
        is_message = (
            re.match(r"p?write(64|v)?\(\d+<(pipe:|socket:|anon_inode|/dev/)", line)
            or "stdout>" in line
        )
        if not (is_read or is_message or line.startswith("---") or " = -1 " in line):
            yield call, counts[call], line


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """Return a folder with a built pack, and its files before and after the next build."""
    folder = tmp_path_factory.mktemp("kills") / "base"
    make(folder / "pack", LAYOUT, OLD, more="rules: {file: rules.md}", files=PACK)
    for name in ("home", "temporary"):
        (folder / name).mkdir()
    assert build(folder).returncode == 0
    before = file_contents(folder / "output")
    (folder / "pack" / "cards.csv").write_text(NEW)
    after = folder.with_name("after")
    shutil.copytree(folder, after)
    trace = folder.with_name("trace")
    listen = ["strace", "-qq", "-y", "-s", "0", "-o", str(trace), "-e", f"trace={CALLS}"]
    result = build(after, *listen)
    assert result.returncode == 0, result.stderr
    assert before.keys() < file_contents(after / "output").keys()
    return folder, before, file_contents(after / "output"), list(changes(trace))


def sample(calls):
    """Return all calls if PNP_KILLS is `all`, else a few from the whole length."""
    if os.environ.get("PNP_KILLS") == "all":
        return calls
    return calls[:: max(1, len(calls) // SAMPLE)]


def open_and_fail(folder):
    with Outbox(folder):
        raise ZeroDivisionError


def test_build_killed_at_any_call_leaves_a_state_that_can_be_repaired(prepared, tmp_path):
    calls = prepared[3]
    assert len(calls) > 100
    assert {"rename", "link", "mkdir", "openat", "write", "pwrite64"} <= {
        call for call, *_ in calls
    }
    for call, number, line in sample(calls):
        assert not fault_after_kill(prepared, tmp_path, call, number), line


def fault_after_kill(prepared, tmp_path, call, number):
    """Kill a build at a call; return the faults that remain, or nothing."""
    base, before, after, _ = prepared
    folder = tmp_path / f"{call}-{number}"
    shutil.copytree(base, folder)
    inject = f"{call}:signal=KILL:when={number}"
    result = build(
        folder, "strace", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={inject}"
    )
    if result.returncode in {0, 3, 4, 5, 70}:
        return f"it was not killed: {result.stderr}"
    out = folder / "output"
    wrong = []
    odd = [
        name
        for name, data in file_contents(out).items()
        if data not in {before.get(name), after.get(name)}
    ]
    if odd:
        wrong.append(f"neither old nor new: {odd}")
    for path in (folder / "temporary").glob(f"{TEMPORARY_PREFIX}*"):
        os.utime(path, (0, 0))  # a folder without a lock is removed once it is a minute old
    with pytest.raises(ZeroDivisionError):
        open_and_fail(out / "pack")
    if file_contents(out) not in (before, after):
        wrong.append("a job that fails leaves old files beside new ones")
    result = build(folder)
    if result.returncode or "cache" in result.stderr:
        wrong.append(f"the next build: {result.stderr}")
    if file_contents(out) != after:
        wrong.append("the next build does not give the new files")
    left = [
        *out.rglob(f"{PREFIX}*"),
        *(folder / "temporary").iterdir(),
        *(folder / "home").iterdir(),
    ]
    left = [path for path in left if path.is_dir() or path.read_bytes() not in {b"", PROBE}]
    if left:
        wrong.append(f"left over: {[path.name for path in left]}")
    shutil.rmtree(folder)
    return "; ".join(wrong)
