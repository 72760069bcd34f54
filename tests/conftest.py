import ctypes
import gc
import os
import shutil
import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings

from generator.cli import main
from generator.cli.output import GC_THRESHOLDS
from generator.export import making
from generator.pipeline import vocabulary
from tests.tools.shared_folders import filled, meeting_place, waiting_workers

ROOT = Path(__file__).parents[1]

# Each run tries the same examples, so 30 are enough to notice a change; `thorough` searches for new ones.
settings.register_profile("steady", max_examples=30, derandomize=True, database=None, deadline=None)
settings.register_profile("thorough", max_examples=3000, deadline=None)
settings.load_profile("steady")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """With several workers, each takes files that lie side by side, and helps the others when it is done."""
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


def pytest_configure():
    """Collect garbage as seldom as the program does, which saves a third of the time of finding tests."""
    gc.set_threshold(*GC_THRESHOLDS)


def pytest_collection_finish():
    """Leave the objects that exist before the tests out of each collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def in_its_own_place(tmp_path_factory):
    """Keep the cache and the settings of the tests apart from those of the person who runs them.

    Commands draw in this process unless they are told how many shall: the tests beside it need the
    other cores. Pictures that may be too much have a worker, as ever, which waits for the next.
    """
    with pytest.MonkeyPatch.context() as patch, waiting_workers():
        # Processes that tests start share the compiled program, also where Python is told to write
        # none.
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        patch.setenv(
            "PYTHONPYCACHEPREFIX", str(meeting_place(tmp_path_factory.getbasetemp()) / "compiled")
        )
        patch.setenv("PNP_CACHE", str(tmp_path_factory.getbasetemp() / "caches" / "shared"))
        patch.setenv("PNP_CONFIG", str(tmp_path_factory.getbasetemp() / "settings"))
        patch.setattr("generator.base.worker.cores", lambda: 1)
        patch.setattr(making, "typeset_pages", remembering(making.typeset_pages))
        # Every `pnp new` writes the schemas, which are always the same.
        patch.setattr(vocabulary, "schemas", cache(vocabulary.schemas))
        yield


def remembering(typeset_pages):
    """Typeset equal how-to-make pages once in a run: most builds have them, and few tests look at them."""
    pages = {}

    def typeset_once(*args):
        key = making.pages_key(*args)
        if key not in pages:
            pages[key] = typeset_pages(*args)
        return pages[key]

    return typeset_once


@pytest.fixture(scope="module", autouse=True)
def memory_given_back():
    """Return freed memory to the system after each file of tests; the C library would keep it.

    Without it, Python's own collections look through the objects of many files, and count as CPU
    time of commands that have a limit.
    """
    yield
    gc.collect()
    # What is left are caches and fixtures of the whole run: the next collection need not look
    # through them again.
    gc.freeze()
    if sys.platform == "linux":
        getattr(ctypes.CDLL(None), "malloc_trim", int)(0)


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory, monkeypatch, request):
    """Give every test a cache of its own, so that none sees the entries of another."""
    name = sha256(request.node.nodeid.encode()).hexdigest()[:16]
    folder = tmp_path_factory.getbasetemp() / "caches" / name
    monkeypatch.setenv("PNP_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def pnp():
    """Run the command in this process: `pnp("build", "folder")`."""

    def run(*args: object) -> Result:
        result = CliRunner().invoke(main, ["--debug", *map(str, args)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def starter(tmp_path, monkeypatch):
    """Copy a starter pack into an empty folder, and make that the current folder: `starter("tiles")`."""
    monkeypatch.chdir(tmp_path)

    def copy(kind: str, name: str = "pack") -> Path:
        return Path(
            shutil.copytree(ROOT / "generator" / "starters" / kind, tmp_path / name)
        ).relative_to(tmp_path)

    return copy


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """Return a folder that the first worker to ask fills and that tests only read: `shared("name", fill)`."""
    place = meeting_place(tmp_path_factory.getbasetemp()) / "shared"
    return lambda name, fill: filled(place / name, fill)


@pytest.fixture(scope="session")
def make_game(tmp_path_factory):
    """Return a function that runs a command for a whole game: `make_game("build", "hydras", "-o", folder)`.

    It runs in a process of its own, which leaves no memory behind in that of the tests. Games share
    a cache, so that a patch or a translation does not draw again what a build has drawn.
    """
    cache = meeting_place(tmp_path_factory.getbasetemp()) / "cache-of-games"

    def make(command: str, game: str, *more: object) -> None:
        words = [sys.executable, "-m", "generator", "--debug", command, game, "--jobs", "1"]
        done = subprocess.run(
            [*words, *map(str, more)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PNP_CACHE": str(cache)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    return make


@pytest.fixture(scope="session")
def printed(shared, make_game):
    """Build a game once for all tests and return the folder with its files: `printed("hydras")`."""

    @cache
    def once(game: str, *more: str) -> Path:
        def fill(folder: Path) -> None:
            make_game("build", game, "-o", folder, *more)

        return shared("-".join(("build", game, *more)), fill) / game

    return once


@pytest.fixture(scope="session")
def patch(shared, make_game):
    """Return the file of a game's patch from release 1, built once for all tests: `patch("hydras", "letter")`."""

    @cache
    def folder_of(game: str, *more: object) -> Path:
        def fill(folder: Path) -> None:
            make_game("patch", game, "--from", "1", "-o", folder, *more)

        return shared("-".join(map(str, ("patch", game, *more))), fill)

    def once(game: str, paper: str, *more: object) -> Path:
        folder = folder_of(game, "--paper", paper, *more) if more else folder_of(game)
        (path,) = folder.rglob(f"*-{paper}*.pdf")  # the name of a duplex mode may follow
        return path

    return once


@pytest.fixture(scope="session")
def hoses(printed):
    """The folder with the printed tiles."""
    return printed("hoses-and-hydrants")
