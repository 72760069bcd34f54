"""A pack's font of the same face as one of ours is what prints, not only what is shown."""

import numpy as np
import pypdfium2
import pytest
from fontTools.ttLib import TTFont

from generator.draw.face import Face
from generator.fonts import FontSet, font_set, read_font
from generator.geometry import Size
from generator.pdf.faces import compile_faces
from generator.places import bundled
from generator.preview.raster import Rasteriser

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="60mm" height="20mm" viewBox="0 0 60 20">'
    '<text x="2" y="15" font-family="\'Alegreya\'" font-size="10">HAMburg</text></svg>'
)


def disguised(folder):
    """Bungee, that says it is Alegreya."""
    font = TTFont(bundled("fonts") / "bungee" / "Bungee-Regular.ttf")
    for record in font["name"].names:
        if record.nameID in {1, 4, 16}:
            record.string = "Alegreya"
    path = folder / "own.ttf"
    font.save(path)
    return read_font(path)


def printed(face, fonts):
    (pages,) = compile_faces([face], fonts)
    document = pypdfium2.PdfDocument(pages.pdf)
    picture = np.asarray(document[0].render(scale=150 / 72).to_pil().convert("L")).astype(int)
    document.close()
    return picture


def shown(face, fonts):
    picture = Rasteriser(fonts).face(face, 150)
    return 255 - np.asarray(picture)[:, :, 3].astype(int)


@pytest.mark.parametrize("order", [1, -1])
def test_the_packs_font_goes_before_ours_in_print_too(tmp_path, monkeypatch, order):
    """Wherever the pack's folder comes among the others."""
    folders = FontSet.folders.fget
    monkeypatch.setattr(FontSet, "folders", property(lambda fonts: folders(fonts)[::order]))
    face = Face(SVG, Size(60, 20), 0.0)
    ours, own = font_set(), font_set([disguised(tmp_path)])
    print_, right, wrong = printed(face, own), shown(face, own), shown(face, ours)
    assert apart(print_, right) < 0.2 * apart(print_, wrong)


def apart(one, other):
    """The share of pixels that differ plainly."""
    rows, columns = (min(a, b) for a, b in zip(one.shape, other.shape, strict=True))
    return (np.abs(one[:rows, :columns] - other[:rows, :columns]) > 128).mean()
