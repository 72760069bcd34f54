"""How much of each sheet's paper is inked, told by a build."""

import re
import shutil

import pytest
from making import loaded, make, svg
from PIL import Image
from reading import render

from generator.check.ink import DPI, greeked, inked
from generator.core.raster import Rasteriser
from generator.draw.draw import draw_game

WORDS = "Hydra & Ox"


def test_a_picture_takes_as_much_ink_as_it_covers():
    assert inked(Image.new("RGB", (9, 9), "white")) == 0
    assert inked(Image.new("RGBA", (9, 9), (0, 0, 0, 0))) == 0
    assert inked(Image.new("RGB", (9, 9), "black")) == inked(Image.new("RGB", (9, 9), "#ff0000")) == 1
    assert inked(Image.new("RGB", (9, 9), "#cccccc")) == pytest.approx(0.2)
    half = Image.new("RGB", (10, 10), "white")
    half.paste("black", (0, 0, 5, 10))
    assert inked(half) == pytest.approx(0.5)


@pytest.fixture(scope="module")
def full(pnp, tmp_path_factory):
    """Twelve cards with a red front and a half grey back, on two sheets of which the second holds three."""
    pack = shutil.copytree("tests/packs/flip", tmp_path_factory.mktemp("pack") / "flip")
    (pack / "layouts" / "front.yaml").write_text('- fill: "#ff0000"\n', "utf-8")
    (pack / "layouts" / "back.yaml").write_text('- fill: "#808080"\n', "utf-8")
    made = pnp("build", pack, "--what", "sheets", "--paper", "a4", "-o", pack / "out")
    assert made.exit_code == 0, made.output
    (path,) = (pack / "out").rglob("*.pdf")
    return made.output, path


def test_a_build_tells_it_sheet_by_sheet_and_so_do_the_pixels(full):
    said, path = full
    (line,) = [line for line in said.splitlines() if "ink on" in line]
    told = [int(share) for share in re.findall(r"(\d+)%", line)]
    shares = [1 - render(path, page, 20).min(axis=2).mean() / 255 for page in range(4)]
    assert told[0] == pytest.approx(100 * sum(shares) / 4, abs=2)
    each = [share for part in re.findall(r"sheets? [\d–]+ (\d+)% and (\d+)%", line) for share in map(int, part)]
    assert each[:2] == pytest.approx([100 * share for share in shares[:2]], abs=4)
    assert each[-2:] == pytest.approx([100 * share for share in shares[2:]], abs=4)


LOOKS = ("weight: bold", "italic: true", "caps: small", "spacing: 0.4mm", 'colour: "#ffffff"')


def test_letters_are_weighed_not_drawn(tmp_path):
    """What stands for them takes their ink: bold, slanted, in small capitals, wide, in white on what is dark."""
    styles = "".join(f"  s{n}: {{font: Alegreya, size: 4mm, {look}}}\n" for n, look in enumerate(LOOKS))
    words = "".join(f"- text: {WORDS}\n  box: [2, {2 + 7 * n}, 36, 7]\n  style: s{n}\n" for n in range(len(LOOKS)))
    files = {"art/dark.svg": svg('<path d="M0 0h10v10H0z" fill="#204060"/>')}
    pack = make(tmp_path, f"- svg: art/dark.svg\n  box: [0, 30, 40, 10]\n{words}", more=styles, files=files)
    game = loaded(pack)
    (face,) = (design.front for design in draw_game(game)[0].designs)
    raster, plain = Rasteriser(game.fonts), greeked(face, game.fonts)
    assert face.drawn.written.count("<text") == len(LOOKS)
    assert "<text" not in plain.drawn.written
    assert inked(raster.seen(plain, DPI)) == pytest.approx(inked(raster.seen(face, 20 * DPI)), abs=0.005)
    assert inked(raster.seen(face.without_words(), DPI)) < inked(raster.seen(plain, DPI)) - 0.02
