"""Test the documentation site: a strict build with every guide, headed code blocks and downloads."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from docs.make_downloads import make_downloads
from generator.pipeline.packs import packs

ROOT = Path(__file__).parents[2]


def build_site(folder, *words):
    """Build the site as CONTRIBUTING.md says."""
    strict = ("-W", "--keep-going", "-q")
    process = subprocess.run(
        [sys.executable, "-m", "sphinx", *strict, *words, "-c", "docs/site", ".", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return the folder of a site without downloads."""
    folder = tmp_path_factory.mktemp("site")
    build_site(folder)
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


@pytest.mark.docs
def test_gallery_offers_the_files_of_a_game_with_their_sizes(site, tmp_path):
    page = site / "docs" / "site" / "gallery.html"
    assert "/downloads/" not in page.read_text("utf-8")
    make_downloads(tmp_path / "downloads", ["hydras"])
    build_site(site, "-D", f"downloads={tmp_path / 'downloads'}")
    links = re.findall(
        r'<a href="([^"]*/downloads/[^"]*)">(.*?)</a> <small>([\d.]+)\u00a0MB</small>',
        page.read_text("utf-8"),
    )
    files = {(page.parent / address).resolve(): (name, size) for address, name, size in links}
    for path, (_, size) in files.items():
        assert path.stat().st_size / 1e6 == pytest.approx(float(size), abs=0.051), path
    names = [(path.name, name) for path, (name, _) in files.items()]
    version = "hydras-2"
    for expected in ("sheets", "rules-booklet", "line-art-sheets"):
        assert (f"{version}-{expected}-a4.pdf", "A4") in names
        assert (f"{version}-{expected}-letter.pdf", "Letter") in names
    others = [
        f"{version}-sheets-a4-low-ink.pdf",
        f"{version}-rules.html",
        "hydras-1-to-2-patch-a4.pdf",
    ]
    assert {*others, "index.html", "hydras.zip"} <= {path.name for path in files}
    assert len(files) == 14
    (gallery,) = (path for path in files if path.name == "index.html")
    own_links = re.findall(r'href="(\.\./[^"]+)"', gallery.read_text("utf-8"))
    assert f"../{version}-sheets-a4.pdf" in own_links
    assert all((gallery.parent / link).resolve() in files for link in own_links)
    (archive,) = (path for path in files if path.suffix == ".zip")
    with zipfile.ZipFile(archive) as packed:
        inside = {Path(name).name for name in packed.namelist() if not name.endswith("/")}
    assert inside == {path.name for path in files} - {archive.name}


def test_gallery_has_a_place_for_the_downloads_of_every_game():
    page = (ROOT / "docs" / "site" / "gallery.md").read_text("utf-8")
    assert sorted(re.findall(r"<!-- downloads: (\S+) -->", page)) == sorted(packs())
