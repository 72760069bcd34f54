"""Test `pnp check` on hidden layers, on pale, small and overlapping text, and on missing bleed."""

import io

import pytest
from PIL import Image

from generator.draw.draw import draw_game
from generator.draw.findings import component_findings
from generator.picture.raster import Rasteriser
from tests.check.test_faults import faults_in, png
from tests.tools.make_pack import loaded, make, svg

TEXT = "- text: Hamburg\n  box: [8, 8, 24, 8]\n  style: body\n"
AMBER_AREA = svg("<rect width='10' height='10' fill='#ffe0a0'/>")
RING = svg("<circle cx='5' cy='5' r='4.5' fill='none' stroke='#cc8800'/>")


def faults_in_build(pack) -> list[str]:
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
    "art/drawing.svg": svg("<path d='M-9 5C-9 -9 19 -9 19 5S-9 19 -9 5' fill='#ffe0a0'/>"),
    "art/red.png": png(600, 600),
    "art/veil.png": transparent_png(60),
    "art/solid.png": transparent_png(255),
}


@pytest.mark.parametrize("shape", HIDING)
def test_text_below_opaque_shape_is_reported_as_covered(shape, tmp_path):
    pack = make(tmp_path, TEXT + HIDING[shape] + BEYOND_THE_CUT)
    for faults in (faults_in(pack), faults_in_build(pack)):
        assert len(faults) == 1, faults
        assert "the text is wholly covered by the" in faults[0]
        assert "layouts/front.yaml:1)" in faults[0]
        assert "layouts/front.yaml:4 (" in faults[0] or "layouts/front.yaml:5 (" in faults[0]


@pytest.mark.parametrize("layer", NOT_HIDING)
def test_visible_text_is_not_reported_as_covered(layer, tmp_path):
    assert faults_in(make(tmp_path, f"- fill: white\n{TEXT}{NOT_HIDING[layer]}", files=FILES)) == []


@pytest.mark.parametrize(
    ("layer", "is_known_without_rendering"),
    [
        ("- svg: art/plain.svg\n  fit: cover\n", True),
        ("- svg: art/drawing.svg\n  fit: cover\n", False),
        ("- image: art/solid.png\n", False),
        ("- image: art/red.png\n", True),
    ],
)
def test_text_below_opaque_picture_is_reported_as_covered(
    layer, is_known_without_rendering, tmp_path
):
    pack = make(tmp_path, TEXT + layer, files=FILES)
    assert ["wholly covered" in fault for fault in faults_in(pack)] == [True]
    assert len(faults_in_build(pack)) == is_known_without_rendering


SEE_THROUGH = {
    "faded": "<rect width='10' height='10' fill='#fc0' opacity='.2'/>",
    "in a faded group": "<g opacity='.2'><rect width='10' height='10' fill='#fc0'/></g>",
    "with a faded fill": "<rect width='10' height='10' fill='#fc0' fill-opacity='.2'/>",
    "masked": "<mask id='m'/><rect width='10' height='10' fill='#fc0' mask='url(#m)'/>",
    "a gradient": (
        "<linearGradient id='a'><stop stop-color='#fc0' stop-opacity='.1'/></linearGradient>"
        "<rect width='10' height='10' fill='url(#a)'/>"
    ),
    "unfilled": "<rect width='10' height='10' fill='none' stroke='#fc0'/>",
    "hidden": "<rect width='10' height='10' fill='#fc0' visibility='hidden'/>",
    "a definition": "<defs><rect width='10' height='10' fill='#fc0'/></defs><path d='M0 0h1v1z'/>",
    "moved away": "<rect width='10' height='10' fill='#fc0' transform='translate(8)'/>",
    "turned": "<rect width='10' height='10' fill='#fc0' transform='rotate(45 5 5) scale(.5)'/>",
    "a concave panel": "<path d='M0 0H10V10H9V1H0z' fill='#fc0'/>",
}


@pytest.mark.parametrize("kind", SEE_THROUGH)
def test_text_seen_through_art_is_not_reported_as_covered_by_a_build(kind, tmp_path):
    layout = f"- fill: white\n{TEXT}- svg: art/a.svg\n  box: trim\n  fit: stretch\n"
    pack = make(tmp_path, layout, files={"art/a.svg": svg(SEE_THROUGH[kind])})
    assert not any("covered" in fault for fault in faults_in_build(pack))


def test_icon_below_fill_is_reported_as_covered(tmp_path):
    icon = "- icon: ring\n  at: [20, 20]\n  size: 8mm\n"
    files = {"art/icons/ring.svg": RING}
    assert faults_in(make(tmp_path / "over", f"- fill: white\n{icon}", files=files)) == []
    faults = faults_in(make(tmp_path / "under", f"{icon}- fill: white\n", files=files))
    assert ["icon is wholly covered by the fill" in fault for fault in faults] == [True]


def test_fill_covered_on_some_cards_only_is_not_reported(tmp_path):
    layout = "- fill: red\n- fill: blue\n  when: cost = 2\n"
    assert faults_in(make(tmp_path / "some", layout, "id,cost\na,1\nb,2\n")) == []
    faults = faults_in(make(tmp_path / "all", layout, "id,cost\na,2\nb,2\n"))
    assert [fault.startswith("cards:a front: the fill is wholly covered") for fault in faults] == [
        True
    ]


def test_text_box_beyond_piece_is_reported(tmp_path):
    """Give the right and bottom of a box, 30 and 44, instead of its width and height."""
    for box, is_wrong in (("[8, 8, 24, 32]", False), ("[8, 8, 30, 44]", True)):
        pack = make(tmp_path / str(is_wrong), TEXT.replace("[8, 8, 24, 8]", box))
        for faults in (faults_in(pack), faults_in_build(pack)):
            assert ["beyond the piece" in fault for fault in faults] == [True] * is_wrong


def test_frame_below_picture_is_reported_but_background_fill_is_not(tmp_path):
    layers = "- fill: white\n- frame: {inset: 5mm, stroke: 1mm black}\n- image: art/red.png\n"
    (fault,) = faults_in(make(tmp_path, layers, files=FILES))
    assert "the frame is wholly covered by the image" in fault


def test_shape_outside_piece_is_reported(tmp_path):
    layer = "- shape: {{rect: [{x}, 5, 10, 10], fill: red}}\n"
    assert faults_in(make(tmp_path / "on", layer.format(x=15))) == []
    pack = make(tmp_path / "off", "- fill: white\n" + layer.format(x=150))
    for faults in (faults_in(pack), faults_in_build(pack)):
        assert ["the shape lies outside the piece" in fault for fault in faults] == [True]


BACKGROUNDS = {
    "paper": "",
    "a fill": "- fill: '#ffffff'\n",
    "a card in a frame": "- frame: {inset: 3mm, stroke: 0.3mm $ink, fill: white}\n",
    "a panel": "- fill: red\n- shape: {rect: [6, 6, 28, 12], radius: 2mm, fill: '#fffef8'}\n",
}
PALE = TEXT + "  colour: '#f4f0e8'\n"


@pytest.mark.parametrize("background", BACKGROUNDS)
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
def test_text_nearly_as_light_as_its_background_is_reported(background, text, is_pale, tmp_path):
    pack = make(tmp_path, BACKGROUNDS[background] + text)
    for faults in (faults_in(pack), faults_in_build(pack)):
        assert ["'Hamburg' has a contrast of 1." in fault for fault in faults] == [True] * is_pale


@pytest.mark.parametrize(
    ("colour", "is_pale"), [("white", False), ("'#ffd890'", True), ("black", False)]
)
@pytest.mark.parametrize(
    "background", ["- svg: art/ground.svg\n  fit: cover\n", "- image: art/ground.png\n"]
)
def test_pale_text_on_picture_is_found_by_rendering_in_check_only(
    background, colour, is_pale, tmp_path
):
    brown = "#8a5a20" if colour == "white" else "#ffe0a0"
    pixels = io.BytesIO()
    Image.new("RGB", (600, 600), brown).save(pixels, "PNG")
    files = {
        "art/ground.svg": svg(f"<rect width='10' height='10' fill='{brown}'/>"),
        "art/ground.png": pixels.getvalue(),
    }
    pack = make(tmp_path, f"{background}{TEXT}  colour: {colour}\n", files=files)
    assert ["has a contrast of 1." in fault for fault in faults_in(pack)] == [True] * is_pale
    assert faults_in_build(pack) == []


def test_contrast_needs_no_rendering_beyond_that_of_edges(tmp_path, monkeypatch):
    rendered = []
    render = Rasteriser.pixels_of
    monkeypatch.setattr(
        Rasteriser,
        "pixels_of",
        lambda raster, face, dpi: rendered.append(face) or render(raster, face, dpi),
    )
    layout = "- svg: art/plain.svg\n  fit: cover\n" + TEXT.replace("Hamburg", "$id")
    assert faults_in(make(tmp_path, layout, "id\none\ntwo\nthree\n", files=FILES)) == []
    assert len(rendered) == 1


def test_text_next_to_picture_is_compared_with_paper(tmp_path):
    art = svg("<rect width='5' height='10' fill='black'/>")
    layout = "- svg: art/a.svg\n  box: [0, 0, 40, 40]\n- text: Hamburg\n  box: [22, 8, 15, 8]\n  style: body\n"
    assert [
        fault
        for fault in faults_in(make(tmp_path, layout, files={"art/a.svg": art}))
        if "contrast" in fault
    ] == []


@pytest.mark.parametrize(
    ("size", "is_small"), [("5pt", False), ("4.9pt", True), ("1.5mm", True), ("2mm", False)]
)
def test_text_under_5_points_is_reported(size, is_small, tmp_path):
    pack = make(tmp_path, f"{TEXT}  size: {size}\n")
    for faults in (faults_in(pack), faults_in_build(pack)):
        assert ["'Hamburg' is set in 4." in fault for fault in faults] == [True] * is_small


def test_text_that_shrinks_below_5_points_is_reported(tmp_path):
    pack = make(tmp_path, TEXT.replace("24, 8", "5, 8") + "  fit: 2pt\n")
    assert ["is set in 3.5 pt" in fault or " pt (text" in fault for fault in faults_in(pack)] == [
        True
    ]


def other_text(y: float, text: str = "Bremen", more: str = "") -> str:
    return f"- text: {text}\n  box: [8, {y}, 24, 8]\n  style: body\n{more}"


@pytest.mark.parametrize(
    ("other", "overlaps"),
    [
        (other_text(8), True),
        (other_text(9), True),
        (other_text(12), False),
        (other_text(20), False),
        (other_text(8, "Hamburg"), False),
        (other_text(8, more="  opacity: 0.2\n"), False),
        (other_text(8, more="  align: right\n"), False),
        (other_text(3, more="  align: center\n  turn: 180\n"), True),
        (other_text(4, "B", "  size: 14mm\n").replace("24, 8", "24, 20"), False),
    ],
)
def test_overlapping_texts_are_reported(other, overlaps, tmp_path):
    pack = make(tmp_path, TEXT + other)
    for faults in (faults_in(pack), faults_in_build(pack)):
        assert [" lies on 'Hamburg'" in fault for fault in faults] == [True] * overlaps, faults


def test_repeated_texts_without_step_are_reported_as_overlapping(tmp_path):
    text = "  - text: number $n\n    box: [0, 0, 24, 6]\n    style: body\n"
    layout = "- each: n in 1 to 3\n  at: [8, 8]\n  step: [0, {y}]\n  group:\n" + text
    assert faults_in(make(tmp_path / "apart", layout.format(y=7))) == []
    assert "lies on" in faults_in(make(tmp_path / "together", layout.format(y=0)))[0]


def test_mirrored_back_has_same_faults_as_front(tmp_path):
    pack = make(tmp_path, TEXT + other_text(8), component="back: mirror")
    assert [fault.partition(": ")[0] for fault in faults_in(pack)] == [
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
def test_colour_at_cut_without_bleed_is_reported(layout, is_cut, tmp_path):
    pack = make(tmp_path, layout, component="bleed: 0")
    for faults in (faults_in(pack), faults_in_build(pack)):
        assert ["and there is no bleed" in fault for fault in faults if "covered" not in fault] == [
            True
        ] * is_cut


def test_art_coloured_at_cut_without_bleed_is_reported_by_check_only(tmp_path):
    for name, art, is_cut in (("full", AMBER_AREA, True), ("ring", RING, False)):
        layout = "- svg: art/a.svg\n  fit: cover\n"
        pack = make(tmp_path / name, layout, component="bleed: 0", files={"art/a.svg": art})
        assert ["there is no bleed" in fault for fault in faults_in(pack)] == [True] * is_cut
        assert faults_in_build(pack) == []


ANCHOR = svg(
    "<path d='M5 0.5 V9.5 M2 3 H8 M1 6 Q5 13 9 6' fill='none' stroke='black' stroke-width='0.8'/>"
)


@pytest.mark.parametrize(("size", "is_near"), [(12, False), (17, True)])
def test_icon_in_round_token_is_measured_by_its_ink(size, is_near, tmp_path):
    """Place an icon whose square has its corners 8.5 mm from the centre of a 9 mm radius."""
    layout = f"- icon: anchor\n  at: center\n  size: {size}mm\n"
    pack = make(
        tmp_path,
        layout,
        size="circle 18mm",
        component="safe: 1.5mm",
        files={"art/icons/anchor.svg": ANCHOR},
    )
    for faults in (faults_in(pack), faults_in_build(pack)):
        assert ["icon 'anchor' is" in fault for fault in faults] == [True] * is_near


def test_turned_icon_is_measured_as_turned(tmp_path):
    """Turn a bar of 10 by 2 mm that lies 6 mm from the cut."""
    bar = svg("<rect x='4' width='2' height='10'/>")
    for turn, is_near in ((0, True), (90, False)):
        layout = f"- icon: bar\n  at: [20, 6]\n  size: 10mm\n  turn: {turn}\n"
        pack = make(tmp_path / str(turn), layout, files={"art/icons/bar.svg": bar})
        assert bool(faults_in(pack)) is is_near


def test_finding_names_its_layer_with_line_and_column_and_row(tmp_path):
    game = loaded(make(tmp_path, f"- fill: white\n{TEXT}  size: 4pt\n"))
    (finding,) = component_findings(draw_game(game)[0])
    assert finding.layer is not None
    assert finding.layer.kind == "text"
    assert (finding.layer.where.line, finding.layer.where.column) == (2, 3)
    assert finding.where is not None
    assert finding.where.file.endswith("cards.csv")
