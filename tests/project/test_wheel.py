"""Test an installed wheel: the command, its packs, its fonts."""

import os
import posixpath
import re
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path, PurePosixPath

import pytest
from markdown_it import MarkdownIt

import generator

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", str(folder)]
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", str(ROOT), *options], check=True, capture_output=True
    )
    return next(folder.glob("pnp_generator-*.whl"))


def files(folder, *kinds):
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix in kinds
    }


def test_wheel_contains_packs_fonts_guides_and_licences(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    carried = (
        ("templates", {".yaml", ".csv", ".svg", ".md"}),
        ("fonts", {".ttf", ".txt"}),
        ("docs/pictures", {".png"}),
    )
    assert {f"generator/bundled/docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} <= names
    for folder, kinds in carried:
        expected = {f"generator/bundled/{folder}/{name}" for name in files(ROOT / folder, *kinds)}
        assert expected
        assert expected <= names
    for name in (
        "py.typed",
        "starters/cards/game.yaml",
        "pack/sizes.toml",
        "base/papers.toml",
        "impose/precut.toml",
        "export/targets/print_shops.toml",
        "pdf/press/pnp-coated.icc",
    ):
        assert f"generator/{name}" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_links_of_guides_have_targets_in_the_wheel(page, wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    tokens = [
        child
        for token in MarkdownIt().parse(page.read_text("utf-8"))
        for child in token.children or ()
    ]
    links = [str(token.attrGet("href") or token.attrGet("src") or "") for token in tokens]
    inside = [link.partition("#")[0] for link in links if not re.match(r"\w+:", link)]
    places = {posixpath.normpath(f"generator/bundled/docs/{link}") for link in inside if link}
    folders = {str(parent) for name in names for parent in PurePosixPath(name).parents}
    assert places <= names | folders


def test_wheel_names_its_supported_pythons(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = Parser().parsestr(archive.read(name).decode())
    named = [
        line.removeprefix("Programming Language :: Python :: ")
        for line in metadata.get_all("Classifier")
    ]
    assert [name for name in named if name.startswith("3.")] == ["3.11", "3.12", "3.13", "3.14"]
    assert metadata["Requires-Python"] == ">=3.11"


def test_wheel_contains_no_tests_caches_or_output(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {
        "generator",
        "pnp_generator",
    }
    assert not [
        name for name in names if "__pycache__" in name or "/output/" in name or "/tests/" in name
    ]
    assert not [
        name for name in names if name.startswith("generator/bundled/") and name.endswith(".py")
    ]
    assert wheel.stat().st_size < 10_000_000


def test_installed_wheel_builds_packs_in_an_empty_folder(wheel, tmp_path):
    """The wheel is installed outside the checkout and uses the libraries of the tests."""
    site = tmp_path / "site"
    here = tmp_path / "here"
    here.mkdir()
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--no-index",
        "--quiet",
        "--target",
        str(site),
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    environment = {**os.environ, "PYTHONPATH": str(site)}

    def run(*args):
        return subprocess.run(
            args, cwd=here, env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert Path(
        run(sys.executable, "-c", "import generator; print(generator.__file__)").strip()
    ).is_relative_to(site)
    assert "hoses-and-hydrants" in run(sys.executable, "-m", "generator", "list")
    command = (sys.executable, str(site / "bin" / "pnp"))
    hoses = run(*command, "build", "hoses-and-hydrants", "--what", "sheets")
    assert hoses.count("56 pieces on 2 sheets") == 2
    assert len(list((here / "output" / "hoses-and-hydrants").glob("*-sheets-*.pdf"))) == 2
    both = [
        run(sys.executable, str(site / "bin" / name), "--version")
        for name in ("pnp", "pnp-generator")
    ]
    assert both == [f"pnp, version {generator.__version__}\n"] * 2
    output = run(sys.executable, "-m", "generator", "new", "mine")
    for guide in ("templates/README.md", "docs/layouts.md"):
        (named,) = [word for word in re.split(r"[\s,]+", output) if word.endswith(guide)]
        assert Path(here, named).is_relative_to(site)
        assert Path(here, named).is_file()
    # Build all outputs of a pack with rules: each needs files of its own from the wheel.
    (here / "mine/rules.md").write_text("# Mine\n\n## Play\n\nDraw a card.\n", "utf-8")
    with (here / "mine/game.yaml").open("a", encoding="utf-8") as game:
        game.write("rules: {file: rules.md}\n")
    built = run(sys.executable, "-m", "generator", "build", "mine")
    assert "9 pieces" in built
    assert "mine-1-rules-booklet-a4.pdf" in built
