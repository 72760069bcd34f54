"""`pnp check` on layers that hide each other, on pale, small and overlapping text, and on fills without bleed."""

import io

import pytest
from PIL import Image

from generator.draw.draw import draw_game
from generator.draw.findings import component_findings
from generator.picture.raster import Rasteriser
from tests.check.test_faults import found, png
from tests.tools.make_pack import loaded, make, svg

TEXT = "- text: Hamburg\n  box: [8, 8, 24, 8]\n  style: body\n"
AMBER_AREA = svg("<rect width='10' height='10' fill='#ffe0a0'/>")
RING = svg("<circle cx='5' cy='5' r='4.5' fill='none' stroke='#cc8800'/>")


def seen_by_a_build(pack) -> list[str]:
    return [
        str(fault)
        for component in draw_game(loaded(pack))
        for fault in component_findings(component)
    ]


def transparent_png(alpha: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGBA", (600, 600), (250, 220, 160, alpha)).save(out, "PNG")
    return out.getvalue()


BEYOND_THE_CUT = "- frame: {inset: -1.5mm, stroke: '3mm #ffe0a0'}\n"
"""A line over the bleed, so that no colour stops at the cut."""

HIDING = {
    "a fill": "- fill: '#ffe0a0'\n",
    "a gradient": "- fill: '#ffe0a0 to #fff0d0'\n",
    "a rectangle": "- shape: {rect: [6, 6, 28, 12], fill: '#ffe0a0'}\n",
    "a circle": "- shape: {circle: center, r: 19mm, fill: '#ffe0a0'}\n",
    "a polygon": "- shape: {polygon: [[0, 0], [40, 0], [40, 40], [0, 40]], fill: '#ffe0a0'}\n",
    "a polygon drawn anticlockwise": (
        "- shape: {polygon: [[0, 0], [0, 40], [40, 40], [40, 0]], fill: '#ffe0a0'}\n"
    ),
    "a turned group": (
        "- group:\n  - shape: {rect: [-30, -30, 60, 60], fill: '#ffe0a0'}\n  at: [20, 20]\n  turn: 45\n"
    ),
}
NOT_HIDING = {
    "a shape beside it": "- shape: {rect: [6, 20, 28, 12], fill: '#ffe0a0'}\n",
    "a shape over half of it": "- shape: {rect: [6, 6, 10, 12], fill: '#ffe0a0'}\n",
    "a shape with round corners": (
        "- shape: {rect: [7, 7, 26, 14], radius: 6mm, fill: '#ffe0a0'}\n"
    ),
    "a line around it": "- frame: {inset: 4mm, stroke: 0.5mm $ink}\n",
    "a translucent fill": "- fill: '#ffe0a030'\n",
    "a faded fill": "- fill: '#ffe0a0'\n  opacity: 0.1\n",
    "a drawing with a hole": "- svg: art/ring.svg\n  box: trim\n",
    "an image that lets light through": "- image: art/veil.png\n",
}
FILES = {
    "art/plain.svg": AMBER_AREA,
    "art/ring.svg": RING,
    "art/red.png": png(600, 600),
    "art/veil.png": transparent_png(60),
    "art/solid.png": transparent_png(255),
}


@pytest.mark.parametrize("what", HIDING)
def test_text_below_a_shape_is_hidden(what, tmp_path):
    pack = make(tmp_path, TEXT + HIDING[what] + BEYOND_THE_CUT)
    for faults in (found(pack), seen_by_a_build(pack)):
        assert len(faults) == 1, faults
        assert "the text is wholly covered by the" in faults[0]
        assert "layouts/front.yaml:1)" in faults[0]
        assert "layouts/front.yaml:4 (" in faults[0] or "layouts/front.yaml:5 (" in faults[0]


@pytest.mark.parametrize("what", NOT_HIDING)
def test_text_that_is_seen_is_not_hidden(what, tmp_path):
    assert found(make(tmp_path, f"- fill: white\n{TEXT}{NOT_HIDING[what]}", files=FILES)) == []


@pytest.mark.parametrize(
    ("layer", "is_known_without_rendering"),
    [
        ("- svg: art/plain.svg\n  fit: cover\n", False),
        ("- image: art/solid.png\n", False),
        ("- image: art/red.png\n", True),
    ],
)
def test_text_below_a_picture_is_hidden(layer, is_known_without_rendering, tmp_path):
    pack = make(tmp_path, TEXT + layer, files=FILES)
    assert ["wholly covered" in fault for fault in found(pack)] == [True]
    assert len(seen_by_a_build(pack)) == is_known_without_rendering


def test_an_icon_below_a_fill_is_hidden(tmp_path):
    icon = "- icon: ring\n  at: [20, 20]\n  size: 8mm\n"
    files = {"art/icons/ring.svg": RING}
    assert found(make(tmp_path / "over", f"- fill: white\n{icon}", files=files)) == []
    faults = found(make(tmp_path / "under", f"{icon}- fill: white\n", files=files))
    assert ["icon is wholly covered by the fill" in fault for fault in faults] == [True]


def test_a_ground_may_be_covered_on_some_cards(tmp_path):
    layout = "- fill: red\n- fill: blue\n  when: cost = 2\n"
    assert found(make(tmp_path / "some", layout, "id,cost\na,1\nb,2\n")) == []
    faults = found(make(tmp_path / "all", layout, "id,cost\na,2\nb,2\n"))
    assert [fault.startswith("cards:a front: the fill is wholly covered") for fault in faults] == [
        True
    ]


def test_a_box_for_text_that_reaches_beyond_the_piece(tmp_path):
    """Right and bottom, 30 and 44, instead of width and height."""
    for box, is_wrong in (("[8, 8, 24, 32]", False), ("[8, 8, 30, 44]", True)):
        pack = make(tmp_path / str(is_wrong), TEXT.replace("[8, 8, 24, 8]", box))
        for faults in (found(pack), seen_by_a_build(pack)):
            assert ["beyond the piece" in fault for fault in faults] == [True] * is_wrong


def test_a_fill_below_a_picture_is_its_ground(tmp_path):
    layers = "- fill: white\n- frame: {inset: 5mm, stroke: 1mm black}\n- image: art/red.png\n"
    (fault,) = found(make(tmp_path, layers, files=FILES))
    assert "the frame is wholly covered by the image" in fault


def test_a_layer_off_the_piece_draws_nothing(tmp_path):
    layer = "- shape: {{rect: [{x}, 5, 10, 10], fill: red}}\n"
    assert found(make(tmp_path / "on", layer.format(x=15))) == []
    pack = make(tmp_path / "off", "- fill: white\n" + layer.format(x=150))
    for faults in (found(pack), seen_by_a_build(pack)):
        assert ["the shape lies outside the piece" in fault for fault in faults] == [True]


GROUNDS = {
    "paper": "",
    "a fill": "- fill: '#ffffff'\n",
    "a card in a frame": "- frame: {inset: 3mm, stroke: 0.3mm $ink, fill: white}\n",
    "a panel": "- fill: red\n- shape: {rect: [6, 6, 28, 12], radius: 2mm, fill: '#fffef8'}\n",
}
PALE = TEXT + "  colour: '#f4f0e8'\n"


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize(
    ("text", "is_pale"),
    [
        (PALE, True),
        (PALE.replace("f4f0e8", "ffffff"), True),
        (TEXT, False),
        (PALE + "  outline: 0.3mm black\n", False),
        (PALE + "  shadow: 0.3mm black\n", False),
        (PALE + "  outline: 0.3mm white\n", True),
        (PALE + "  opacity: 0.5\n", False),
    ],
)
def test_text_that_is_nearly_as_light_as_its_ground(ground, text, is_pale, tmp_path):
    pack = make(tmp_path, GROUNDS[ground] + text)
    for faults in (found(pack), seen_by_a_build(pack)):
        assert ["'Hamburg' has a contrast of 1." in fault for fault in faults] == [True] * is_pale


@pytest.mark.parametrize(
    ("colour", "is_pale"), [("white", False), ("'#ffd890'", True), ("black", False)]
)
@pytest.mark.parametrize(
    "ground", ["- svg: art/ground.svg\n  fit: cover\n", "- image: art/ground.png\n"]
)
def test_text_on_a_picture_takes_a_rendering(ground, colour, is_pale, tmp_path):
    brown = "#8a5a20" if colour == "white" else "#ffe0a0"
    pixels = io.BytesIO()
    Image.new("RGB", (600, 600), brown).save(pixels, "PNG")
    files = {
        "art/ground.svg": svg(f"<rect width='10' height='10' fill='{brown}'/>"),
        "art/ground.png": pixels.getvalue(),
    }
    pack = make(tmp_path, f"{ground}{TEXT}  colour: {colour}\n", files=files)
    assert ["has a contrast of 1." in fault for fault in found(pack)] == [True] * is_pale
    assert seen_by_a_build(pack) == []


def test_the_ground_of_text_is_rendered_with_the_edges(tmp_path, monkeypatch):
    rendered = []
    render = Rasteriser.pixels_of
    monkeypatch.setattr(
        Rasteriser,
        "pixels_of",
        lambda raster, face, dpi: rendered.append(face) or render(raster, face, dpi),
    )
    layout = "- svg: art/plain.svg\n  fit: cover\n" + TEXT.replace("Hamburg", "$id")
    assert found(make(tmp_path, layout, "id\none\ntwo\nthree\n", files=FILES)) == []
    assert len(rendered) == 1


def test_text_beside_a_picture_lies_on_paper(tmp_path):
    art = svg("<rect width='5' height='10' fill='black'/>")
    layout = "- svg: art/a.svg\n  box: [0, 0, 40, 40]\n- text: Hamburg\n  box: [22, 8, 15, 8]\n  style: body\n"
    assert [
        fault
        for fault in found(make(tmp_path, layout, files={"art/a.svg": art}))
        if "contrast" in fault
    ] == []


@pytest.mark.parametrize(
    ("size", "is_small"), [("5pt", False), ("4.9pt", True), ("1.5mm", True), ("2mm", False)]
)
def test_type_under_5_points(size, is_small, tmp_path):
    pack = make(tmp_path, f"{TEXT}  size: {size}\n")
    for faults in (found(pack), seen_by_a_build(pack)):
        assert ["'Hamburg' is set in 4." in fault for fault in faults] == [True] * is_small


def test_text_that_shrinks_below_5_points(tmp_path):
    pack = make(tmp_path, TEXT.replace("24, 8", "5, 8") + "  fit: 2pt\n")
    assert ["is set in 3.5 pt" in fault or " pt (text" in fault for fault in found(pack)] == [True]


def second(y: float, text: str = "Bremen", more: str = "") -> str:
    return f"- text: {text}\n  box: [8, {y}, 24, 8]\n  style: body\n{more}"


@pytest.mark.parametrize(
    ("other", "overlaps"),
    [
        (second(8), True),
        (second(9), True),
        (second(12), False),
        (second(20), False),
        (second(8, "Hamburg"), False),
        (second(8, more="  opacity: 0.2\n"), False),
        (second(8, more="  align: right\n"), False),
        (second(3, more="  align: center\n  turn: 180\n"), True),
        (second(4, "B", "  size: 14mm\n").replace("24, 8", "24, 20"), False),
    ],
)
def test_texts_on_each_other(other, overlaps, tmp_path):
    pack = make(tmp_path, TEXT + other)
    for faults in (found(pack), seen_by_a_build(pack)):
        assert [" lies on 'Hamburg'" in fault for fault in faults] == [True] * overlaps, faults


def test_a_repetition_without_a_step_lies_on_itself(tmp_path):
    text = "  - text: number $n\n    box: [0, 0, 24, 6]\n    style: body\n"
    layout = "- each: n in 1 to 3\n  at: [8, 8]\n  step: [0, {y}]\n  group:\n" + text
    assert found(make(tmp_path / "apart", layout.format(y=7))) == []
    assert "lies on" in found(make(tmp_path / "together", layout.format(y=0)))[0]


def test_a_mirrored_back_has_the_same_faults(tmp_path):
    pack = make(tmp_path, TEXT + second(8), component="back: mirror")
    assert [fault.partition(": ")[0] for fault in found(pack)] == [
        "cards:one front",
        "cards:one back",
    ]


@pytest.mark.parametrize(
    ("layout", "is_cut"),
    [
        ("- fill: red\n", True),
        ("- fill: 'red to blue'\n", True),
        ("- fill: white\n", False),
        ("- fill: red\n- fill: white\n  when: id = one\n", False),
        ("- frame: {inset: 3mm, fill: red}\n", False),
    ],
)
def test_a_colour_at_the_cut_asks_for_bleed(layout, is_cut, tmp_path):
    pack = make(tmp_path, layout, component="bleed: 0")
    for faults in (found(pack), seen_by_a_build(pack)):
        assert ["and there is no bleed" in fault for fault in faults if "covered" not in fault] == [
            True
        ] * is_cut


def test_art_at_the_cut_asks_for_bleed_if_it_is_coloured_there(tmp_path):
    for name, art, is_cut in (("full", AMBER_AREA, True), ("ring", RING, False)):
        layout = "- svg: art/a.svg\n  fit: cover\n"
        pack = make(tmp_path / name, layout, component="bleed: 0", files={"art/a.svg": art})
        assert ["there is no bleed" in fault for fault in found(pack)] == [True] * is_cut
        assert seen_by_a_build(pack) == []


ANCHOR = svg(
    "<path d='M5 0.5 V9.5 M2 3 H8 M1 6 Q5 13 9 6' fill='none' stroke='black' stroke-width='0.8'/>"
)


@pytest.mark.parametrize(("size", "is_near"), [(12, False), (17, True)])
def test_an_icon_in_a_round_token_is_measured_by_its_ink(size, is_near, tmp_path):
    """The corners of the icon's square lie 8.5 mm from the middle of a token with a radius of 9 mm."""
    layout = f"- icon: anchor\n  at: center\n  size: {size}mm\n"
    pack = make(
        tmp_path,
        layout,
        size="circle 18mm",
        component="safe: 1.5mm",
        files={"art/icons/anchor.svg": ANCHOR},
    )
    for faults in (found(pack), seen_by_a_build(pack)):
        assert ["icon 'anchor' is" in fault for fault in faults] == [True] * is_near


def test_a_turned_icon_is_measured_as_it_lies(tmp_path):
    """A bar of 10 by 2 mm, upright, ends 5 mm from its middle; lying, 1 mm."""
    bar = svg("<rect x='4' width='2' height='10'/>")
    for turn, is_near in ((0, True), (90, False)):
        layout = f"- icon: bar\n  at: [20, 6]\n  size: 10mm\n  turn: {turn}\n"
        pack = make(tmp_path / str(turn), layout, files={"art/icons/bar.svg": bar})
        assert bool(found(pack)) is is_near


def test_a_finding_names_the_layer_and_its_place(tmp_path):
    game = loaded(make(tmp_path, f"- fill: white\n{TEXT}  size: 4pt\n"))
    (finding,) = component_findings(draw_game(game)[0])
    assert finding.layer is not None
    assert finding.layer.kind == "text"
    assert (finding.layer.where.line, finding.layer.where.column) == (2, 3)
    assert finding.where is not None
    assert finding.where.file.endswith("cards.csv")
