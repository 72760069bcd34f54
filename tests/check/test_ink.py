"""Test `pnp check --ink`: it reports the share of each sheet that takes ink."""

import shutil

import pytest
from PIL import Image

from generator.check.preflight import ink_share
from generator.picture.raster import Rasteriser
from tests.tools.make_pack import make, svg
from tests.tools.read_pdf import render


def test_ink_share_is_mean_darkness_of_opaque_pixels():
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
    """Return a pack of twelve red cards with a white middle and grey backs, on two sheets."""
    pack = shutil.copytree("tests/data/packs/flip", tmp_path_factory.mktemp("pack") / "flip")
    front = '- fill: "#ff0000"\n- frame: {inset: 12mm, fill: "#ffffff"}\n'
    (pack / "layouts" / "front.yaml").write_text(front, "utf-8")
    (pack / "layouts" / "back.yaml").write_text('- fill: "#808080"\n', "utf-8")
    return pack


def rows(output: str) -> list[list[str]]:
    """Return the cells of each row of the tables of ink."""
    lines = output[output.index("\nInk on ") :].splitlines()[1:]
    return [line.split() for line in lines]


def test_check_ink_reports_same_shares_as_pixels_of_printed_sheets(flip, pnp, tmp_path):
    output = pnp("check", flip, "--ink", "--paper", "a4").stdout
    title, head, *sheets = rows(output)
    assert title == ["Ink", "on", "a4"]
    assert head == ["sheet", "front", "back"]
    assert [row[0] for row in sheets] == ["1", "2"]
    assert pnp("build", flip, "--what", "sheets", "--paper", "a4", "-o", tmp_path).exit_code == 0
    (path,) = tmp_path.rglob("*.pdf")
    printed = [1 - render(path, page, 20).min(axis=2).mean() / 255 for page in range(4)]
    reported = [int(share.removesuffix("%")) / 100 for _, *shares in sheets for share in shares]
    assert reported == pytest.approx(printed, abs=0.02)


def test_check_ink_has_a_table_per_paper_and_a_dash_for_unprinted_side(flip, pnp):
    output = pnp(
        "check", flip, "--ink", "--duplex", "single", "--paper", "a4", "--paper", "letter"
    ).stdout
    cells = rows(output)
    assert [row for row in cells if row[:1] == ["Ink"]] == [
        ["Ink", "on", "a4"],
        ["Ink", "on", "letter"],
    ]
    assert {row[2] for row in cells if row[:1] == ["1"]} == {"–"}


def test_build_never_reports_ink_and_check_only_with_ink_option(flip, pnp, tmp_path):
    assert "Ink on" in pnp("check", flip, "--ink").output
    assert "ink" not in pnp("check", flip).output.lower()
    output = pnp("build", flip, "-o", tmp_path).output.replace(str(tmp_path), "")
    assert "ink" not in output.lower()


def test_check_ink_with_json_is_refused(flip, pnp):
    result = pnp("check", flip, "--ink", "--json")
    assert result.exit_code == 2
    assert "leave out --json" in result.output


CARDS = "id\n" + "".join(f"c{n}\n" for n in range(7))
LAYOUT = "- fill: '#ffe0a0'\n- svg: a.svg\n  box: [20, 20, 9, 9]\n- text: $id\n  box: [12, 12, 12, 8]\n  style: body\n"


@pytest.fixture
def deck(tmp_path):
    """Return a deck of pieces edge to edge, with art of its own."""
    files = {"a.svg": svg('<rect width="9" height="9" fill="red"/>')}
    return make(tmp_path / "deck", LAYOUT, CARDS, component="gutter: 0", files=files)


def test_build_of_sheets_renders_no_face(deck, pnp, tmp_path, monkeypatch):
    for name in ("png", "pngs", "pixels_of"):
        monkeypatch.setattr(
            Rasteriser, name, lambda *_, name=name: pytest.fail(f"a face was rendered by {name}")
        )
    with pytest.raises(pytest.fail.Exception):
        pnp("check", deck)
    result = pnp("build", deck, "--what", "sheets", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output


def test_check_renders_each_distinct_edge_once_and_each_face_once_for_ink(deck, pnp, monkeypatch):
    rendered = []
    render = Rasteriser.pixels_of
    monkeypatch.setattr(
        Rasteriser, "pixels_of", lambda *args: rendered.append(args[1].name) or render(*args)
    )
    assert pnp("check", deck).exit_code == 0
    assert len(rendered) == 1, "without --ink, faces with equal edges are rendered once"
    rendered.clear()
    assert pnp("check", deck, "--ink").exit_code == 0
    assert len(rendered) == len(set(rendered)) == 7
