"""Test that a file stores each pixel image once, for any number of faces and typst runs."""

import pikepdf
import pytest
from PIL import Image

from generator.pdf import faces

GAME = """\
name: Banners
version: "1"
components:
  cards: {title: Cards, size: 40mm, data: cards.csv, front: front.yaml}
print: {paper: a4}
"""
FRONT = """\
- image: $pic
  box: [0, 0, 40, 20]
- frame: {inset: $inset, stroke: "0.4mm #000000"}
"""


@pytest.fixture
def deck(tmp_path):
    rows = "".join(f"c{n},1,p{n % 2}.png,{n + 1}mm\n" for n in range(6))
    files = {"game.yaml": GAME, "front.yaml": FRONT, "cards.csv": f"id,count,pic,inset\n{rows}"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    for number in range(2):
        grey = Image.effect_noise((90, 45), 60 + number)
        Image.merge("RGBA", [grey, grey, grey, Image.radial_gradient("L").resize((90, 45))]).save(
            tmp_path / f"p{number}.png"
        )
    return tmp_path


@pytest.mark.parametrize("at_a_time", [1, 4])
def test_file_stores_each_pixel_image_once(pnp, deck, monkeypatch, at_a_time):
    monkeypatch.setattr(faces, "FACES_PER_DOCUMENT", at_a_time)
    result = pnp("build", deck, "--what", "sheets", "-o", deck / "out")
    assert result.exit_code == 0, result.output
    with pikepdf.open(next(deck.rglob("*.pdf"))) as pdf:
        images = [
            item
            for item in pdf.objects
            if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image"
        ]
        coloured = [image for image in images if "/SMask" in image]
        assert len({image.read_bytes() for image in coloured}) == len(coloured) == 2
        assert len(images) <= 4
        assert not pdf.check_pdf_syntax()
