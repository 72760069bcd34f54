"""Test the documentation site: a strict build with every guide and headed code blocks."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site as CONTRIBUTING.md says, and return its folder."""
    folder = tmp_path_factory.mktemp("site")
    strict = ("-W", "--keep-going", "-q")
    process = subprocess.run(
        [sys.executable, "-m", "sphinx", *strict, "-c", "docs/site", ".", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return folder


@pytest.mark.docs
def test_site_builds_without_a_warning_and_has_every_guide(site):
    guides = [ROOT / "templates" / "README.md", *(ROOT / "docs").glob("*.md")]
    for guide in guides:
        assert (site / guide.relative_to(ROOT).with_suffix(".html")).is_file()
    assert 'url=docs/site/index.html"' in (site / "index.html").read_text("utf-8")


@pytest.mark.docs
def test_code_blocks_of_files_are_headed_by_the_file_name(site):
    page = (site / "templates" / "README.html").read_text("utf-8")
    assert "potions/cards.csv</span>" in page
    assert "potions/layouts/front.yaml</span>" in page
