"""Test that a pack's font replaces a bundled one of the same family in print, as in the preview."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from fontTools.ttLib import TTFont

from generator.base.files import bundled_folder
from generator.base.fonts import FontSet, font_set, read_font
from generator.base.geometry import Size
from generator.pdf.faces import compile_faces
from generator.picture.face import Face
from generator.picture.items import Group
from generator.picture.raster import Rasteriser
from generator.release.release_file import read
from tests.tools.make_face import text_run
from tests.tools.make_pack import make

ROOT = Path(__file__).parents[2]
RUN = text_run("HAMburg", 2, 15, 10, family="Alegreya")
TEXTS = {"text": RUN, "picture": Group((RUN,), opacity=0.9)}


def save_disguised_font(folder, name="Alegreya"):
    """Return Bungee under the family name Alegreya, or another one."""
    font = TTFont(bundled_folder("fonts") / "bungee" / "Bungee-Regular.ttf")
    for record in font["name"].names:
        if record.nameID in {1, 4, 16}:
            record.string = name
    path = folder / "own.ttf"
    font.save(path)
    return read_font(path)


def render_print(face, fonts):
    (pages,) = compile_faces([face], fonts)
    document = pypdfium2.PdfDocument(pages.pdf)
    picture = np.asarray(document[0].render(scale=150 / 72).to_pil().convert("L")).astype(int)
    document.close()
    return picture


def render_ink(face, fonts):
    picture = Rasteriser(fonts).face(face, 150)
    return 255 - np.asarray(picture)[:, :, 3].astype(int)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("order", [1, -1])
def test_font_of_a_pack_replaces_a_bundled_font_in_print(tmp_path, monkeypatch, order, text):
    """Neither the order of font folders nor the way of drawing text matters."""
    folders = FontSet.folders.fget
    monkeypatch.setattr(FontSet, "folders", property(lambda fonts: folders(fonts)[::order]))
    face = Face((text,), Size(60, 20), 0.0)
    ours = font_set()
    own = font_set([save_disguised_font(tmp_path)])
    print_ = render_print(face, own)
    right = render_ink(face, own)
    wrong = render_ink(face, ours)
    assert differing_share(print_, right) < 0.2 * differing_share(print_, wrong)


def test_fonts_of_the_machine_never_change_the_print(tmp_path):
    """The machine's fonts have the name of a bundled font."""
    homes = [tmp_path / "bare", tmp_path / "full"]
    for home in homes:
        (home / ".fonts").mkdir(parents=True)
        (home / ".local" / "share" / "fonts").mkdir(parents=True)
    save_disguised_font(homes[1] / ".fonts")
    save_disguised_font(homes[1] / ".local" / "share" / "fonts")
    assert len({compiled_at(home) for home in homes}) == 1


def compiled_at(home):
    """Return typst's PDF of the picture in a process with that home.

    Typst searches fonts once per process.
    """
    code = (
        "import hashlib; from generator.picture.face import Face\n"
        "from pathlib import Path; from generator.picture.items import TextRun\n"
        "from generator.base.fonts import FontFile, font_set\n"
        "from generator.base.geometry import Size; from generator.pdf.faces import compile_faces\n"
        "fonts = [FontFile(name, 400, False, Path()) for name in ('Alegreya', 'Nowhere')]\n"
        "runs = [TextRun('HAMburg', font, 10.0, 2.0, 15.0, '#000000', 0.0, 0.0) for font in fonts]\n"
        "faces = [Face((run,), Size(60, 20), 0.0) for run in runs]\n"
        "print(hashlib.sha256(compile_faces(faces, font_set())[0].pdf).hexdigest())"
    )
    env = {
        **os.environ,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    ).stdout


def differing_share(one, other):
    """Return the share of clearly different pixels."""
    rows, columns = (min(a, b) for a, b in zip(one.shape, other.shape, strict=True))
    return (np.abs(one[:rows, :columns] - other[:rows, :columns]) > 128).mean()


def test_font_with_an_ampersand_in_its_name_is_printed_and_released(tmp_path, pnp):
    (tmp_path / "pack" / "fonts").mkdir(parents=True)
    save_disguised_font(tmp_path / "pack" / "fonts", "Tom & Ann")
    style = "  own: {font: Tom & Ann, size: 9mm, colour: $ink}\n"
    pack = make(tmp_path / "pack", "- text: HAM\n  box: [2, 2, 36, 36]\n  style: own\n", more=style)
    result = pnp("build", pack, "--what", "sheets", "--what", "release", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    (release,) = (tmp_path / "out").rglob("*.pnprelease")
    assert [font.family for font in read(release).fonts] == ["Tom & Ann"]
