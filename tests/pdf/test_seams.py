"""Test that no paper shows between touching faces, in three PDF renderers."""

import shutil
import subprocess

import numpy as np
import pytest
import typst
from PIL import Image

from tests.tools.read_pdf import read, render

RESOLUTIONS = (131, 150, 203)


def by_pdfium(path, dpi):
    return render(path, 0, dpi).max(axis=2)


def by_poppler(path, dpi):
    pages = ("-f", "1", "-l", "1", "-singlefile")
    subprocess.run(
        ["pdftoppm", "-r", str(dpi), *pages, "-png", path, path.with_suffix("")], check=True
    )
    with Image.open(path.with_suffix(".png")) as image:
        return np.asarray(image.convert("RGB")).max(axis=2)


def by_hayro(path, dpi):
    """Return the brightness of the page rendered by hayro, through typst."""
    page = path.with_suffix(".typ")
    page.write_text(
        f'#set page(margin: 0pt, width: auto, height: auto)\n#image("{path.name}")\n', "utf-8"
    )
    png = typst.compile(
        page, root=path.parent, format="png", ppi=dpi, font_paths=[], ignore_system_fonts=True
    )
    path.with_suffix(".png").write_bytes(png)
    with Image.open(path.with_suffix(".png")) as image:
        return np.asarray(image.convert("RGB")).max(axis=2)


RENDERERS = [by_pdfium, by_hayro, *([by_poppler] if shutil.which("pdftoppm") else [])]


@pytest.fixture(scope="module")
def touching(pnp, tmp_path_factory):
    """Return a sheet of black tiles edge to edge, at places between whole pixels."""
    pack = shutil.copytree("tests/data/packs/flip", tmp_path_factory.mktemp("pack") / "flip")
    game = (pack / "game.yaml").read_text("utf-8")
    (pack / "game.yaml").write_text(
        game.replace("    front:", "    gutter: 0\n    front:", 1), "utf-8"
    )
    (pack / "layouts" / "front.yaml").write_text("- fill: '#000000'\n", "utf-8")
    args = (
        "--what",
        "sheets",
        "--paper",
        "a4",
        "--marks",
        "none",
        "--duplex",
        "single",
        "-o",
        pack / "out",
    )
    result = pnp("build", pack, *args)
    assert result.exit_code == 0, result.output
    return next((pack / "out").rglob("*.pdf"))


@pytest.mark.parametrize("draw", RENDERERS)
def test_no_paper_shows_between_touching_faces(touching, draw):
    clips = [form.clip for form in read(touching)[0].forms]
    left, top = (min(clip[way] for clip in clips) + 0.5 for way in (0, 1))
    right, bottom = (max(clip[way] + clip[way + 2] for clip in clips) - 0.5 for way in (0, 1))
    for dpi in RESOLUTIONS:
        box = [round(mm * dpi / 25.4) for mm in (top, bottom, left, right)]
        assert draw(touching, dpi)[slice(*box[:2]), slice(*box[2:])].max() < 10
