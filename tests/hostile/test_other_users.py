"""Test that other users of the machine cannot reach the live page, the cache, outputs and temporary folders.

Both users are ids without an account, so builds run without a home folder. Only root can become others.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from generator.base.cache import DATABASE_FILE, KEY_FILE
from generator.base.files import PREFIX, TEMPORARY_PREFIX
from tests.tools.make_pack import make

ROOT = Path(__file__).parents[2]
OWNER = 54001
OTHER = 54002
SHEETS = ("--what", "sheets")
SETPRIV = shutil.which("setpriv")


def can_become_others() -> bool:
    """Return True if this is root, and another user can import the program from this checkout."""
    if SETPRIV is None or getattr(os, "geteuid", lambda: -1)() != 0:
        return False
    command = [SETPRIV, f"--reuid={OTHER}", f"--regid={OTHER}", "--clear-groups"]
    trial = [*command, sys.executable, "-c", "import generator.cli"]
    return subprocess.run(trial, cwd=ROOT, capture_output=True, check=False).returncode == 0


pytestmark = pytest.mark.skipif(
    not can_become_others(),
    reason="only root can become other users, and they must be able to read the checkout",
)

# A job of the owner that pauses halfway: an output is written but not delivered, and the cache is
# open.
JOB = """
import sys
from pathlib import Path
from generator.base.cache import Cache
from generator.base.files import Outbox, temporary_folder
with Outbox(Path(sys.argv[1])) as outbox, temporary_folder() as temporary, Cache(Path(sys.argv[2])) as cache:
    outbox.write("a.pdf", b"secret")
    (temporary / "page.svg").write_bytes(b"secret")
    cache.put("face", "a", b"secret")
    print("ready", flush=True)
    input()
"""

# Prints as JSON the files below some folders that this user can open for reading or writing.
LOOK = """
import json, os, sys
readable, writable = [], []
for top in sys.argv[1:]:
    for at, folders, files in os.walk(top):
        if os.access(at, os.W_OK):
            writable.append(at)
        for name in files:
            path = os.path.join(at, name)
            if os.access(path, os.W_OK):
                writable.append(path)
            if os.access(path, os.R_OK):
                readable.append(path)
print(json.dumps([readable, writable]))
"""


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Let both users share compiled modules, outside the folders that tests look at."""
    with tempfile.TemporaryDirectory(prefix="pnp-compiled-", dir="/tmp") as folder:
        Path(folder).chmod(0o1777)
        yield folder


@pytest.fixture
def place(compiled, monkeypatch):
    """Return a folder with the owner's home and pack, and a shared temporary folder."""
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", compiled)
    folder = Path(tempfile.mkdtemp(prefix="pnp-test-", dir="/tmp"))
    folder.chmod(0o755)
    for name in ("home", "pack"):
        (folder / name).mkdir()
    (folder / "tmp").mkdir()
    (folder / "tmp").chmod(0o1777)
    make(folder / "pack")
    for path in (folder, *folder.rglob("*")):
        if path.name != "tmp":
            os.chown(path, OWNER, OWNER)
    yield folder
    shutil.rmtree(folder)


def command(user, *words):
    return [
        SETPRIV,
        f"--reuid={user}",
        f"--regid={user}",
        "--clear-groups",
        sys.executable,
        *map(str, words),
    ]


def environment(place):
    home = place / "home"
    own = {"HOME": str(home), "TMPDIR": str(place / "tmp"), "PNP_CACHE": str(home / "cache")}
    own |= {
        "PNP_CONFIG": str(home / "settings"),
        "PYTHONPATH": str(ROOT),
    }
    return {**os.environ, **own}


def run(place, user, *words, input_text="", **more):
    return subprocess.run(
        command(user, *words),
        input=input_text,
        capture_output=True,
        text=True,
        check=False,
        cwd=place / "home",
        env={**environment(place), **more},
    )


def pnp(place, user, *words, **more):
    return run(place, user, "-m", "generator", *words, **more)


def accessible_files(place, *folders):
    """Return the files that the other user can read and write."""
    result = run(place, OTHER, "-c", LOOK, *folders)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_unfinished_job_shows_nothing_to_another_user(place):
    home = place / "home"
    words = command(OWNER, "-c", JOB, home / "output", home / "cache")
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=home,
        env=environment(place),
    ) as job:
        assert job.stdout.readline() == "ready\n"
        below = {path.name.split("-")[0] + "-" for path in (home / "output").iterdir()}
        assert below == {PREFIX}
        assert [path.name[: len(TEMPORARY_PREFIX)] for path in (place / "tmp").iterdir()] == [
            TEMPORARY_PREFIX
        ]
        assert accessible_files(place, home, place / "tmp") == [[], [str(place / "tmp")]]
        job.communicate("\n")
    assert job.returncode == 0
    assert (home / "output" / "a.pdf").read_bytes() == b"secret"


def test_another_user_can_read_only_outputs_of_a_build(place):
    home = place / "home"
    result = pnp(place, OWNER, "build", place / "pack", "--paper", "a4", *SHEETS)
    assert result.returncode == 0, result.stderr
    assert (home / "cache" / DATABASE_FILE).is_file()
    assert (home / "settings" / KEY_FILE).is_file()
    readable, writable = accessible_files(place, home, place / "tmp")
    assert writable == [str(place / "tmp")]
    assert readable
    assert all(Path(path).is_relative_to(home / "output") for path in readable)


@pytest.mark.parametrize("planted", ["cache", "settings"])
def test_cache_and_settings_of_another_user_are_not_used(place, planted):
    """Let the other user create a cache or a key where the owner looks for them."""
    assert (
        pnp(
            place,
            OTHER,
            "build",
            place / "pack",
            "-o",
            place / "tmp" / "his",
            *SHEETS,
            **foreign(place),
        ).returncode
        == 0
    )
    theirs = place / "tmp" / planted
    assert theirs.is_dir()
    own = (
        foreign(place) | {"PNP_CONFIG": str(place / "home" / "settings")}
        if planted == "cache"
        else {}
    )
    own = own or {"PNP_CONFIG": str(theirs)}
    result = pnp(place, OWNER, "build", place / "pack", "--paper", "a4", *SHEETS, **own)
    assert result.returncode == 0, result.stderr
    assert "the cache is not used: " in result.stderr
    assert (place / "home" / "output" / "pack").is_dir()


def foreign(place):
    """Return the other user's folders in the shared temporary folder."""
    return {
        "PNP_CACHE": str(place / "tmp" / "cache"),
        "PNP_CONFIG": str(place / "tmp" / "settings"),
    }


def test_temporary_folders_of_another_user_stay_and_are_not_used(place):
    """Let the other user leave an old folder, and a link to the owner's files."""
    (place / "home" / "mine.txt").write_bytes(b"mine")
    left = place / "tmp" / f"{TEMPORARY_PREFIX}left"
    left.mkdir()
    (left / "a").write_bytes(b"a")
    link = place / "tmp" / f"{TEMPORARY_PREFIX}link"
    link.symlink_to(place / "home")
    for path in (left, left / "a", link):
        os.chown(path, OTHER, OTHER, follow_symlinks=False)
        os.utime(path, (0, 0), follow_symlinks=False)
    left.chmod(0o777)
    assert pnp(place, OWNER, "build", place / "pack", "--paper", "a4", *SHEETS).returncode == 0
    assert sorted(path.name for path in (place / "tmp").iterdir()) == [left.name, link.name]
    assert [path.name for path in left.iterdir()] == ["a"]
    assert (place / "home" / "mine.txt").read_bytes() == b"mine"


ASK = """
import json, os, sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener
opener, codes, key = build_opener(ProxyHandler({})), [], input()
for path, data in (("", None), ("state", None), ("actions", None), ("?key=guess", None), ("undo", b"{}"),
                   ("move", b"{}")):
    for headers in ({}, {"Cookie": "pnp=x", "Origin": sys.argv[1].rstrip("/"), "X-Pnp-Token": "x"}):
        try:
            codes.append(opener.open(Request(sys.argv[1] + path, data, headers), timeout=30).status)
        except HTTPError as error:
            codes.append(error.code)
texts = []
for process in os.listdir("/proc"):
    for name in ("cmdline", "environ", "comm"):
        try:
            texts.append(Path("/proc", process, name).read_text(errors="replace"))
        except OSError:  # no process, another user's, or one that has ended
            pass
print(json.dumps([sorted(set(codes)), any(key in text for text in texts)]))
"""


def test_another_user_cannot_open_the_live_page(place):
    """Look for the key in answers, in files for the browser and in the owner's processes."""
    home = place / "home"
    words = command(OWNER, "-m", "generator", "live", place / "pack", "--browser")
    more = {"BROWSER": "true", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=home,
        env={**environment(place), **more},
    ) as live:
        try:
            address, key = re.match(r"(http://\S+/)\?key=(\S+)", live.stdout.readline()).groups()
            wait_for(lambda: list(home.glob("pnp-live-*.html")))
            assert accessible_files(place, home, place / "tmp") == [[], [str(place / "tmp")]]
            result = run(place, OTHER, "-c", ASK, address, input_text=key)
            assert result.returncode == 0, result.stderr
            codes, is_seen = json.loads(result.stdout)
            assert codes == [403]
            assert not is_seen
        finally:
            live.terminate()
            live.communicate(timeout=60)
    assert not list(home.glob("pnp-live-*.html"))


def wait_for(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)
