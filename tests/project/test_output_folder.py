"""The page `output/README.md` says where files go, is part of the repository, and survives every command."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "output" / "README.md"

COMMANDS = (
    ("build", "pack"),
    ("preview", "pack"),
    ("export", "tabletop-simulator", "pack"),
    ("relay", "output/pack/pack-1-sheets-a4.pdf"),
    ("calibrate",),
    ("cache", "clear"),
)


def git(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", "-C", str(ROOT), *args], capture_output=True, text=True, check=False
    )


@pytest.fixture
def page(tmp_path, starter):
    """A copy of the page in the folder in which the commands then run."""
    starter("cards")
    (tmp_path / "output").mkdir()
    return Path(shutil.copy(PAGE, tmp_path / "output"))


def test_git_ignores_all_of_the_folder_but_its_page():
    if not (ROOT / ".git").exists():
        pytest.fail("run the tests in a clone: this one reads .gitignore")
    assert git("check-ignore", "-q", "output/README.md").returncode == 1
    assert git("check-ignore", "-q", "output/hydras/hydras-2-sheets-a4.pdf").returncode == 0


def test_no_command_removes_the_page_that_names_their_folders(page, pnp):
    before = page.read_text("utf-8")
    for command in COMMANDS:
        result = pnp(*command)
        assert result.exit_code == 0, result.output
        assert page.read_text("utf-8") == before, command
    named = re.findall(r"^\| `output/(\S*)` \|", before, re.MULTILINE)
    folders = {
        name.replace("GAME", "pack").replace("TARGET", "tabletop-simulator").rstrip("/")
        for name in named
    }
    assert folders == {"pack", "pack/preview", "pack/tabletop-simulator", "editions", ""}
    for folder in folders - {"editions"}:
        assert (page.parent / folder).is_dir()


def test_a_failed_build_keeps_the_page(page, pnp):
    (page.parent.parent / "pack" / "cards.csv").unlink()
    assert pnp("build", "pack").exit_code != 0
    assert page.is_file()
