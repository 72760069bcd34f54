"""What `pip install` gives: the command, its packs, its fonts."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "wheel", str(ROOT), *options], check=True, capture_output=True)
    return next(folder.glob("pnp_generator-*.whl"))


def files(folder, *kinds):
    return {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and path.suffix in kinds
    }


def test_it_carries_packs_fonts_and_licences(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for folder, kinds in (("templates", {".yaml", ".csv", ".svg", ".md"}), ("fonts", {".ttf", ".txt"})):
        wanted = {f"generator/bundled/{folder}/{name}" for name in files(ROOT / folder, *kinds)}
        assert wanted
        assert wanted <= names
    for name in (
        "starters/cards/game.yaml",
        "pack/sizes.toml",
        "core/papers.toml",
        "impose/templates.toml",
        "preview/shops.toml",
        "pdf/press/pnp-coated.icc",
    ):
        assert f"generator/{name}" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_it_carries_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"generator", "pnp_generator"}
    assert not [name for name in names if "__pycache__" in name or "/output/" in name or "/tests/" in name]
    assert wheel.stat().st_size < 10_000_000


def test_it_builds_in_an_empty_folder(wheel, tmp_path):
    """Installed apart from the checkout; the libraries are those of the tests."""
    site, here = tmp_path / "site", tmp_path / "here"
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
        return subprocess.run(args, cwd=here, env=environment, capture_output=True, text=True, check=True).stdout

    assert Path(run(sys.executable, "-c", "import generator; print(generator.__file__)").strip()).is_relative_to(site)
    assert "hoses-and-hydrants" in run(sys.executable, "-m", "generator", "list")
    assert (
        run(sys.executable, str(site / "bin" / "pnp"), "build", "hoses-and-hydrants").count("56 pieces on 2 sheets")
        == 2
    )
    assert len(list((here / "output" / "hoses-and-hydrants").glob("*-sheets-*.pdf"))) == 2
    run(sys.executable, "-m", "generator", "new", "mine")
    assert "9 pieces" in run(sys.executable, "-m", "generator", "build", "mine")
