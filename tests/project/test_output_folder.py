"""Test the page `output/README.md`: tracked by git, correct, and kept by every command."""

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
    """Return a copy of the page in the folder where the commands run."""
    starter("cards")
    (tmp_path / "output").mkdir()
    return Path(shutil.copy(PAGE, tmp_path / "output"))


def test_git_ignores_everything_in_output_except_its_readme():
    if not (ROOT / ".git").exists():
        pytest.fail("run the tests in a clone: this one reads .gitignore")
    assert git("check-ignore", "-q", "output/README.md").returncode == 1
    assert git("check-ignore", "-q", "output/hydras/hydras-2-sheets-a4.pdf").returncode == 0


def test_commands_write_the_folders_of_the_readme_and_keep_it(page, pnp):
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


def test_failed_build_keeps_the_readme_of_output(page, pnp):
    (page.parent.parent / "pack" / "cards.csv").unlink()
    assert pnp("build", "pack").exit_code == 5
    assert page.is_file()
