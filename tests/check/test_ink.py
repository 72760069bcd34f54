"""How much of each sheet's paper is inked, told by a build."""

import re
import shutil

import pytest
from making import loaded, make, svg
from PIL import Image
from reading import render

from generator.check.ink import face_inks
from generator.check.shares import DPI, InkScale, inked
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
    share, drawn, without = shares(pack)
    assert share == pytest.approx(drawn, abs=0.005)
    assert without < share - 0.02


BIG = "box: [2, 2, 36, 36]\n  style: big\n"
STYLE = "  big: {font: Alegreya, size: 9mm, weight: bold, colour: $ink, align: center}\n"


@pytest.mark.parametrize(
    ("layout", "words_count"),
    [
        (f"- fill: '#a0ffc0'\n- text: {WORDS}\n  {BIG}", True),
        (f"- text: {WORDS}\n  {BIG}  colour: '#ffd000'\n- frame: {{inset: 1mm, stroke: 0.5mm $ink}}\n", True),
        (f"- text: {WORDS}\n  {BIG}- fill: '#206040'\n", False),
        (f"- text: {WORDS}\n  {BIG}- svg: art/dark.svg\n  box: [10, 30, 20, 20]\n  turn: 45\n", True),
        (f"- text: {WORDS}\n  {BIG}- fill: '#206040'\n  opacity: 0.5\n", True),
        (f"- fill: '#204060'\n- text: {WORDS}\n  {BIG}  colour: '#ffffff'\n  turn: 30\n", True),
        (f"- text: {WORDS}\n  {BIG}  outline: 0.6mm red\n  opacity: 0.4\n", True),
        (f"- text: {WORDS}\n  {BIG}  shadow: 0.2mm blue\n", True),
        (f"- text: {WORDS}\n  {BIG}- text: {WORDS}\n  {BIG}  colour: '#ffffff'\n", False),
        (f"- text: {WORDS}\n  {BIG}- frame: {{inset: 5mm, stroke: 12mm white}}\n", True),
    ],
)
def test_letters_count_where_they_are_seen(tmp_path, layout, words_count):
    """On what lies below them, under what lies over them, turned, faded, with a line round them, and on a shadow."""
    dark = {"art/dark.svg": svg('<path d="M0 0h10v10H0z" fill="#204060"/>')}
    share, drawn, without = shares(make(tmp_path, layout, more=STYLE, files=dark))
    assert share == pytest.approx(drawn, abs=0.006)
    assert (abs(drawn - without) > 0.012) is words_count


def test_faces_that_differ_in_their_words_alone_are_drawn_once(tmp_path, monkeypatch):
    drawn = []
    seen = Rasteriser.seen
    monkeypatch.setattr(Rasteriser, "seen", lambda *told: drawn.append(told) or seen(*told))
    rows = "".join(f"c{n},{WORDS} {n}\n" for n in range(9))
    layout = f"- fill: '#ffe0a0'\n- text: $title\n  {BIG}- frame: {{inset: 1mm, stroke: 0.5mm $ink}}\n"
    game = loaded(make(tmp_path, layout, table=f"id,title\n{rows}", more=STYLE))
    faces = {face.name: face for design in draw_game(game)[0].designs for face in design.faces}
    assert len(set(face_inks(faces, Rasteriser(game.fonts)).values())) > 5
    assert len(faces) == 9
    assert len(drawn) == 1


def shares(pack):
    """What is told of a pack's one face, what its pixels tell at twenty times the resolution, and without its words."""
    game = loaded(pack)
    (face,) = (design.front for design in draw_game(game)[0].designs)
    raster = Rasteriser(game.fonts)
    fine = (inked(raster.seen(one, 20 * DPI)) for one in (face, face.without_words()))
    return InkScale(raster).share(face), *fine
