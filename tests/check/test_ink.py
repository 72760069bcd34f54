"""How much of each sheet's paper is inked, told by a build."""

import re
import shutil

import pytest
from PIL import Image
from reading import render

from generator.check.ink import inked


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
