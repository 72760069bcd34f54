import shutil
import sys
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings

from generator.cli import main

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("steady", derandomize=True, database=None, deadline=None)
settings.register_profile("thorough", max_examples=3000, deadline=None)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def pnp():
    """Runs the command in this process: `pnp("build", "folder")`."""

    def run(*args: object) -> Result:
        result = CliRunner().invoke(main, [str(arg) for arg in args])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def starter(tmp_path, monkeypatch):
    """A copy of a starter pack in an empty folder, where the test then stands: `starter("tiles")`."""
    monkeypatch.chdir(tmp_path)

    def copy(kind: str, name: str = "pack") -> Path:
        return Path(shutil.copytree(ROOT / "generator" / "starters" / kind, tmp_path / name)).relative_to(tmp_path)

    return copy


@pytest.fixture(scope="session")
def printed(tmp_path_factory):
    """Prints a game, once a session, and gives the folder with its files: `printed("hydras")`."""

    @cache
    def once(game: str) -> Path:
        folder = tmp_path_factory.mktemp(game)
        result = CliRunner().invoke(main, ["build", game, "-o", str(folder)])
        assert result.exit_code == 0, result.output
        return folder / game

    return once


@pytest.fixture(scope="session")
def hoses(printed):
    """The folder with the printed tiles."""
    return printed("hoses-and-hydrants")
