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
from tests.tools.shared_folders import fill_once, folder_of_run, reuse_workers

ROOT = Path(__file__).parents[1]

# Each run tries the same examples, so 30 are enough to notice a change; `thorough` searches for new ones.
settings.register_profile("steady", max_examples=30, derandomize=True, database=None, deadline=None)
settings.register_profile("thorough", max_examples=3000, deadline=None)
settings.load_profile("steady")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """With `-n`, give each worker neighbouring files; idle workers take tests from busy ones."""
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


def pytest_configure():
    """Collect garbage as rarely as the program does, which saves a third of the collection time."""
    gc.set_threshold(*GC_THRESHOLDS)


def pytest_collection_finish():
    """Exclude the objects that exist before the first test from garbage collections."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def isolated_environment(tmp_path_factory):
    """Give the test run a cache and a settings folder of its own, and share slow work between tests.

    Commands draw in the process of the test unless `--jobs` asks for more, since other test workers
    need the other cores. Pictures that might exceed a limit still go to a worker process, which
    stays alive for the next test.
    """
    with pytest.MonkeyPatch.context() as patch, reuse_workers():
        # Processes that tests start share compiled modules, even if Python is told not to write any.
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        patch.setenv(
            "PYTHONPYCACHEPREFIX", str(folder_of_run(tmp_path_factory.getbasetemp()) / "compiled")
        )
        patch.setenv("PNP_CACHE", str(tmp_path_factory.getbasetemp() / "caches" / "shared"))
        patch.setenv("PNP_CONFIG", str(tmp_path_factory.getbasetemp() / "settings"))
        patch.setattr("generator.base.worker.cores", lambda: 1)
        patch.setattr(making, "typeset_pages", typeset_once(making.typeset_pages))
        # Every `pnp new` writes the schemas, which never differ within a run.
        patch.setattr(vocabulary, "schemas", cache(vocabulary.schemas))
        yield


def typeset_once(typeset_pages):
    """Return `typeset_pages` with a cache: most builds have how-to-make pages, and few tests read them."""
    pages = {}

    def cached_pages(*args):
        key = making.pages_key(*args)
        if key not in pages:
            pages[key] = typeset_pages(*args)
        return pages[key]

    return cached_pages


@pytest.fixture(scope="module", autouse=True)
def release_memory():
    """Return freed memory to the system after each test file; the C library would keep it.

    Otherwise Python's collections would visit the objects of many files, and their CPU time would
    count for commands that have a time limit.
    """
    yield
    gc.collect()
    # The remaining objects are caches and fixtures of the whole run, which no collection frees.
    gc.freeze()
    if sys.platform == "linux":
        getattr(ctypes.CDLL(None), "malloc_trim", int)(0)


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory, monkeypatch, request):
    """Give every test its own cache folder, so that no test reads entries of another."""
    name = sha256(request.node.nodeid.encode()).hexdigest()[:16]
    folder = tmp_path_factory.getbasetemp() / "caches" / name
    monkeypatch.setenv("PNP_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def pnp():
    """Return a function that runs `pnp` in this process: `pnp("build", "folder")`."""

    def run(*args: object) -> Result:
        result = CliRunner().invoke(main, ["--debug", *map(str, args)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def starter(tmp_path, monkeypatch):
    """Return a function that copies a starter pack into the current folder, which is empty: `starter("tiles")`."""
    monkeypatch.chdir(tmp_path)

    def copy(kind: str, name: str = "pack") -> Path:
        return Path(
            shutil.copytree(ROOT / "generator" / "starters" / kind, tmp_path / name)
        ).relative_to(tmp_path)

    return copy


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """Return a function that gives a read-only folder, filled once in a run: `shared("name", fill)`."""
    place = folder_of_run(tmp_path_factory.getbasetemp()) / "shared"
    return lambda name, fill: fill_once(place / name, fill)


@pytest.fixture(scope="session")
def make_game(tmp_path_factory):
    """Return a function that runs a command for a bundled game: `make_game("build", "hydras", "-o", folder)`.

    The command runs in a process of its own, to keep memory use low in that of the tests. Games
    share a cache, so that a patch or a translation reuses the faces of an earlier build.
    """
    cache = folder_of_run(tmp_path_factory.getbasetemp()) / "cache-of-games"

    def make(command: str, game: str, *more: object) -> None:
        pnp = [sys.executable, "-m", "generator", "--debug", command, game, "--jobs", "1"]
        result = subprocess.run(
            [*pnp, *map(str, more)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PNP_CACHE": str(cache)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stdout + result.stderr

    return make


@pytest.fixture(scope="session")
def printed(shared, make_game):
    """Return a function that builds a game once in a run and gives its folder: `printed("hydras")`."""

    @cache
    def build_once(game: str, *more: str) -> Path:
        def fill(folder: Path) -> None:
            make_game("build", game, "-o", folder, *more)

        return shared("-".join(("build", game, *more)), fill) / game

    return build_once


@pytest.fixture(scope="session")
def patch(shared, make_game):
    """Return a function that gives a game's patch from release 1, made once: `patch("hydras", "letter")`."""

    @cache
    def folder_of(game: str, *more: object) -> Path:
        def fill(folder: Path) -> None:
            make_game("patch", game, "--from", "1", "-o", folder, *more)

        return shared("-".join(map(str, ("patch", game, *more))), fill)

    def patch_on(game: str, paper: str, *more: object) -> Path:
        folder = folder_of(game, "--paper", paper, *more) if more else folder_of(game)
        (path,) = folder.rglob(f"*-{paper}*.pdf")  # the name of a duplex mode may follow
        return path

    return patch_on


@pytest.fixture(scope="session")
def hoses(printed):
    """Return the folder of the built game Hoses and Hydrants."""
    return printed("hoses-and-hydrants")
