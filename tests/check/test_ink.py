"""`pnp check --ink`: how much of each sheet takes ink, told by the check and never by a build."""

import shutil

import pytest
from PIL import Image

from generator.check.ink import ink_share
from generator.picture.raster import Rasteriser
from tests.tools.make_pack import make, svg
from tests.tools.read_pdf import render


def test_a_picture_takes_as_much_ink_as_it_covers():
    assert ink_share(Image.new("RGB", (9, 9), "white")) == 0
    assert ink_share(Image.new("RGBA", (9, 9), (0, 0, 0, 0))) == 0
    assert (
        ink_share(Image.new("RGB", (9, 9), "black"))
        == ink_share(Image.new("RGB", (9, 9), "#ff0000"))
        == 1
    )
    assert ink_share(Image.new("RGB", (9, 9), "#cccccc")) == pytest.approx(0.2)
    half = Image.new("RGB", (10, 10), "white")
    half.paste("black", (0, 0, 5, 10))
    assert ink_share(half) == pytest.approx(0.5)


@pytest.fixture(scope="module")
def flip(tmp_path_factory):
    """A pack of twelve cards, red round a white middle, with half grey backs: on two sheets, the second with three."""
    pack = shutil.copytree("tests/data/packs/flip", tmp_path_factory.mktemp("pack") / "flip")
    front = '- fill: "#ff0000"\n- frame: {inset: 12mm, fill: "#ffffff"}\n'
    (pack / "layouts" / "front.yaml").write_text(front, "utf-8")
    (pack / "layouts" / "back.yaml").write_text('- fill: "#808080"\n', "utf-8")
    return pack


def rows(said: str) -> list[list[str]]:
    """The cells of each row of the tables of ink."""
    lines = said[said.index("\nInk on ") :].splitlines()[1:]
    return [line.split() for line in lines]


def test_check_has_a_row_for_each_sheet_and_so_do_the_pixels_of_the_print(flip, pnp, tmp_path):
    said = pnp("check", flip, "--ink", "--paper", "a4").stdout
    title, head, *sheets = rows(said)
    assert title == ["Ink", "on", "a4"]
    assert head == ["sheet", "front", "back"]
    assert [row[0] for row in sheets] == ["1", "2"]
    assert pnp("build", flip, "--what", "sheets", "--paper", "a4", "-o", tmp_path).exit_code == 0
    (path,) = tmp_path.rglob("*.pdf")
    printed = [1 - render(path, page, 20).min(axis=2).mean() / 255 for page in range(4)]
    told = [int(share.removesuffix("%")) / 100 for _, *shares in sheets for share in shares]
    assert told == pytest.approx(printed, abs=0.02)


def test_each_paper_has_its_table_and_a_side_that_is_not_printed_has_a_dash(flip, pnp):
    said = pnp(
        "check", flip, "--ink", "--duplex", "single", "--paper", "a4", "--paper", "letter"
    ).stdout
    found = rows(said)
    assert [row for row in found if row[:1] == ["Ink"]] == [
        ["Ink", "on", "a4"],
        ["Ink", "on", "letter"],
    ]
    assert {row[2] for row in found if row[:1] == ["1"]} == {"–"}


def test_a_build_says_nothing_of_ink_and_the_check_only_when_it_is_asked(flip, pnp, tmp_path):
    assert "Ink on" in pnp("check", flip, "--ink").output
    assert "ink" not in pnp("check", flip).output.lower()
    assert "ink" not in pnp("build", flip, "-o", tmp_path).output.lower()


def test_ink_is_a_table_and_not_data(flip, pnp):
    result = pnp("check", flip, "--ink", "--json")
    assert result.exit_code == 2
    assert "leave out --json" in result.output


CARDS = "id\n" + "".join(f"c{n}\n" for n in range(7))
LAYOUT = "- fill: '#ffe0a0'\n- svg: a.svg\n  box: [20, 20, 9, 9]\n- text: $id\n  box: [12, 12, 12, 8]\n  style: body\n"


@pytest.fixture
def deck(tmp_path):
    """A deck of pieces edge to edge, with art of its own."""
    files = {"a.svg": svg('<rect width="9" height="9" fill="red"/>')}
    return make(tmp_path / "deck", LAYOUT, CARDS, component="gutter: 0", files=files)


def test_a_build_of_sheets_renders_no_face(deck, pnp, tmp_path, monkeypatch):
    for name in ("png", "pngs", "pixels_of"):
        monkeypatch.setattr(
            Rasteriser, name, lambda *_, name=name: pytest.fail(f"a face was rendered by {name}")
        )
    with pytest.raises(pytest.fail.Exception):
        pnp("check", deck)
    result = pnp("build", deck, "--what", "sheets", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output


def test_a_check_renders_each_face_once(deck, pnp, monkeypatch):
    rendered = []
    seen = Rasteriser.pixels_of
    monkeypatch.setattr(
        Rasteriser, "pixels_of", lambda *asked: rendered.append(asked[1].name) or seen(*asked)
    )
    assert pnp("check", deck).exit_code == 0
    assert len(rendered) == 1, "the faces differ in words deep inside alone"
    rendered.clear()
    assert pnp("check", deck, "--ink").exit_code == 0
    assert len(rendered) == len(set(rendered)) == 7
