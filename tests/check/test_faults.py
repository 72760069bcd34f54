"""Test the printing faults that `pnp check` reports, and that it reports none on sound cards."""

import io
import json

import pytest
from PIL import Image

from generator.check.faults import FaceInspector, find_faults
from generator.draw.draw import draw_game
from generator.picture.raster import Rasteriser
from tests.tools.make_pack import loaded, make, svg

SIZES = ["40mm", "40 x 60 mm", "hex 40mm", "circle 40mm"]


def faults_in(pack) -> list[str]:
    game = loaded(pack)
    inspector = FaceInspector(Rasteriser(game.fonts))
    return [
        str(fault) for component in draw_game(game) for fault in find_faults(component, inspector)
    ]


def png(width, height):
    out = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize("size", SIZES)
def test_sound_card_has_no_faults(size, tmp_path):
    layout = "- fill: red\n- frame: {inset: 6mm, stroke: 0.3mm $ink}\n- text: x\n  box: [18, 18, 4, 4]\n  style: body\n"
    assert faults_in(make(tmp_path, layout, size=size)) == []


@pytest.mark.parametrize("size", SIZES)
def test_art_that_stops_at_trim_is_reported_for_each_edge(size, tmp_path):
    faults = faults_in(make(tmp_path, "- frame: {inset: 0, fill: red}\n", size=size))
    assert len(faults) == 1
    assert faults[0].startswith("cards:one front: coloured art stops at the cut: ")
    edges = {"hex 40mm": 6, "circle 40mm": 1}.get(size, 4)
    assert faults[0].count(" mm)") == edges


@pytest.mark.parametrize("size", SIZES)
def test_art_that_stops_at_trim_on_white_background_is_reported(size, tmp_path):
    assert (
        len(faults_in(make(tmp_path, "- fill: white\n- frame: {inset: 0, fill: red}\n", size=size)))
        == 1
    )


@pytest.mark.parametrize(
    ("edge", "rect"),
    [
        ("top", "[-3, 0, 46, 43]"),
        ("bottom", "[-3, -3, 46, 43]"),
        ("left", "[0, -3, 43, 46]"),
        ("right", "[-3, -3, 43, 46]"),
    ],
)
def test_art_that_stops_at_one_edge_names_that_edge(edge, rect, tmp_path):
    faults = faults_in(make(tmp_path, f"- shape: {{rect: {rect}, fill: red}}\n"))
    assert len(faults) == 1
    assert f"stops at the cut: {edge} (" in faults[0]
    assert faults[0].count(" mm)") == 1


SOUND_LAYOUTS = {
    "art that ends well inside": "- shape: {rect: [4, 4, 32, 32], fill: red}\n",
    "art that reaches through the bleed": "- fill: red\n",
    "art that stops near the end of the bleed": "- shape: {rect: [-2.5, -2.5, 45, 45], fill: red}\n",
    "white art": "- shape: {rect: trim, fill: white}\n",
    "a stripe across": "- shape: {rect: [-3, 10, 46, 5], fill: red}\n",
    "nothing": "- fill: white\n",
}


@pytest.mark.parametrize("layout", SOUND_LAYOUTS)
def test_art_inside_trim_or_through_bleed_is_not_reported(layout, tmp_path):
    assert faults_in(make(tmp_path, SOUND_LAYOUTS[layout])) == []


def test_coloured_edge_without_bleed_is_reported_as_missing_bleed(tmp_path):
    layout = "- frame: {inset: 0, fill: red}\n"
    (fault,) = faults_in(make(tmp_path / "without", layout, component="bleed: 0"))
    assert "there is no bleed" in fault
    assert "stops at the cut" in faults_in(make(tmp_path / "with", layout))[0]


TEXT = "- text: Hamburg\n  box: [{x}, {y}, 20, 5]\n  style: body\n"


@pytest.mark.parametrize(
    ("x", "y", "faulty"),
    [(3, 5, False), (2.5, 5, True), (10, 1, True), (10, 36, True), (10, 30, False), (3, 3, False)],
)
def test_text_inside_safe_distance_from_cut_is_reported(x, y, faulty, tmp_path):
    faults = faults_in(make(tmp_path, TEXT.format(x=x, y=y)))
    assert bool(faults) is faulty
    if faulty:
        assert "text is " in faults[0]
        assert "keep it 3 mm inside" in faults[0]


def test_text_across_trim_is_reported_as_cut_off(tmp_path):
    assert "text is cut off" in faults_in(make(tmp_path, TEXT.format(x=-2, y=5)))[0]


@pytest.mark.parametrize("safe", [0, 2, 8])
def test_safe_distance_is_that_of_component(safe, tmp_path):
    assert bool(faults_in(make(tmp_path, TEXT.format(x=5, y=10), component=f"safe: {safe}mm"))) is (
        safe > 5
    )


def test_group_moves_its_text_near_cut(tmp_path):
    layout = "- group:\n  - text: Hamburg\n    box: [5, 5, 20, 5]\n    style: body\n  at: [-4, 0]\n"
    assert "text is" in faults_in(make(tmp_path, layout))[0]


ICON = {"art/icons/dot.svg": svg("<circle cx='5' cy='5' r='5'/>")}


@pytest.mark.parametrize(
    ("layer", "at"), [("icon: dot", "[5, 20]"), ("repeat: dot\n  times: 3", "[16, 20]")]
)
def test_icon_near_cut_is_reported(layer, at, tmp_path):
    layout = f"- {layer}\n  at: {at}\n  size: {'5mm' if 'icon' in layer else '8mm'}\n"
    faults = faults_in(make(tmp_path, layout, files=ICON))
    assert len(faults) == 1
    assert "icon 'dot' is" in faults[0]


def test_text_outside_corner_of_hexagon_is_reported_as_cut_off(tmp_path):
    """Place a text at [4, 4], inside the box round a hexagon and outside the hexagon."""
    layout = "- text: x\n  box: [4, 4, 4, 4]\n  style: body\n"
    assert "text is cut off" in faults_in(make(tmp_path, layout, size="hex 40mm"))[0]
    assert faults_in(make(tmp_path, layout.replace("[4, 4,", "[20, 18,"), size="hex 40mm")) == []


def test_text_outside_circle_is_reported_as_cut_off(tmp_path):
    layout = "- text: x\n  box: [4, 4, 4, 4]\n  style: body\n"
    assert "text is cut off" in faults_in(make(tmp_path, layout, size="circle 40mm"))[0]


@pytest.mark.parametrize(
    ("pixels", "faulty"), [(320, False), (314, True), (100, True), (600, False)]
)
def test_picture_of_too_few_pixels_is_reported_with_its_dpi(pixels, faulty, tmp_path):
    """Print pictures at 40 mm, which are 315 pixels at 200 dpi."""
    layout = "- fill: red\n- image: art/a.png\n  box: [0, 0, 40, 40]\n"
    faults = faults_in(make(tmp_path, layout, files={"art/a.png": png(pixels, pixels)}))
    assert bool(faults) is faulty
    if faulty:
        assert f"art/a.png has {pixels / 40 * 25.4:.0f} dpi at its printed size" in faults[0]


@pytest.mark.parametrize(("fit", "dpi"), [("contain", 254), ("cover", 127), ("stretch", 127)])
def test_dpi_of_fitted_picture_is_lowest_of_both_directions(fit, dpi, tmp_path):
    layout = f"- fill: red\n- image: art/a.png\n  box: [10, 10, 20, 20]\n  fit: {fit}\n"
    faults = faults_in(make(tmp_path, layout, files={"art/a.png": png(200, 100)}))
    assert [f"has {dpi} dpi" in fault for fault in faults] == ([True] if dpi < 200 else [])


@pytest.mark.parametrize(
    ("width", "faulty"), [("0.1mm", False), ("0.09mm", True), ("0.25pt", True), ("1mm", False)]
)
@pytest.mark.parametrize(
    "layer",
    [
        "frame: {{inset: 5mm, stroke: {w} red}}",
        "shape: {{circle: center, r: 5mm, stroke: {w} red}}",
    ],
)
def test_line_thinner_than_minimum_is_reported(layer, width, faulty, tmp_path):
    faults = faults_in(make(tmp_path, f"- {layer.format(w=width)}\n"))
    assert bool(faults) is faulty
    if faulty:
        assert "its thinnest line is 0.0" in faults[0]


@pytest.mark.parametrize(("width", "faulty"), [(1, False), (0.02, True)])
@pytest.mark.parametrize(
    "style", ["stroke='red' stroke-width='{w}'", "style='stroke:red;stroke-width:{w}'"]
)
def test_line_in_art_is_measured_at_its_printed_size(style, width, faulty, tmp_path):
    art = svg(f"<path d='M2 2L8 8' {style.format(w=width)}/>")
    assert (
        bool(faults_in(make(tmp_path, "- svg: art/a.svg\n  box: trim\n", files={"art/a.svg": art})))
        is faulty
    )


def test_fault_on_identical_faces_is_reported_once(tmp_path):
    pack = make(
        tmp_path, "- frame: {inset: 0, fill: red}\n", "id\n" + "".join(f"d{n}\n" for n in range(9))
    )
    assert len(faults_in(pack)) == 1


def test_check_lists_faults_with_count_and_exits_with_0(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack", "- frame: {inset: 0, fill: red, stroke: 0.01mm red}\n")
    result = pnp("check", "pack")
    assert result.exit_code == 0
    assert "warning: cards:one front: coloured art stops at the cut" in result.stdout
    assert "\n2 warnings\n" in result.stdout
    assert not (tmp_path / "output").exists()


FAULTY = """\
- fill: red
- image: art/a.png
  box: [12, 12, 16, 16]
- frame: {inset: 9mm, stroke: 0.05mm $ink}
- text: Hamburg
  box: [-2, 18, 20, 5]
  style: body
"""


@pytest.fixture
def faulty(tmp_path, monkeypatch):
    """Return a pack whose one face has a cut text, too few pixels and a line that is too thin."""
    monkeypatch.chdir(tmp_path)
    return make(tmp_path / "meine Karten", FAULTY, files={"art/a.png": png(40, 40)}).relative_to(
        tmp_path
    )


def test_last_line_of_build_counts_warnings_known_without_rendering(faulty, pnp):
    result = pnp("build", faulty, "--what", "sheets")
    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == "3 warnings: pnp check 'meine Karten'"
    assert "\n3 warnings\n" in pnp("check", faulty).stdout
    again = pnp("build", faulty, "--what", "sheets")
    assert "no files were written" in again.output
    assert again.output.splitlines()[-1] == "3 warnings: pnp check 'meine Karten'"


def test_build_of_variant_names_variant_in_its_check_command(faulty, pnp):
    (faulty / "game.yaml").write_text(
        (faulty / "game.yaml").read_text() + "variants: {dark: {title: Dark}}\n"
    )
    last = pnp("build", faulty, "--what", "sheets", "--variant", "dark").output.splitlines()[-1]
    assert last == "3 warnings: pnp check 'meine Karten' --variant dark"


def test_single_warning_is_counted_in_singular(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack", "- fill: red\n- frame: {inset: 9mm, stroke: 0.05mm $ink}\n")
    assert pnp("build", "pack", "--what", "sheets").output.endswith("\n1 warning: pnp check pack\n")


@pytest.mark.parametrize(
    ("at", "counted"), [("[50, 20]", True), ("[2, 20]", True), ("[20, 20]", False)]
)
def test_icon_off_card_counts_as_warning_of_build(at, counted, tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack", f"- fill: red\n- icon: dot\n  at: {at}\n  size: 6mm\n", files=ICON)
    assert ("1 warning: " in pnp("build", "pack", "--what", "sheets").output) is counted
    assert ("icon 'dot' is" in pnp("check", "pack").output) is counted


def test_build_of_sound_pack_counts_no_warnings(pnp, starter):
    output = pnp("build", starter("cards"), "--what", "sheets").output
    assert "pieces on" in output
    assert "warning" not in output


@pytest.mark.parametrize("kind", ["cards", "tiles"])
def test_starters_have_no_warnings(kind, starter, pnp):
    assert "\n0 warnings\n" in pnp("check", starter(kind)).stdout


def test_shipped_game_has_no_warnings(pnp):
    output = pnp("check", "hoses-and-hydrants").stdout
    assert "\n0 warnings\n" in output
    assert "untranslated" not in output, "a pack of one language has nothing to translate"


def test_untranslated_texts_are_listed(pnp, starter):
    pack = starter("cards")
    table = (pack / "cards.csv").read_text("utf-8").splitlines()
    lines = [table[0] + ",title@nl", table[1] + ",De vos", *(line + "," for line in table[2:])]
    (pack / "cards.csv").write_text("\n".join(lines) + "\n", "utf-8")
    output = pnp("check", pack).stdout
    assert output.count("untranslated: pack/cards.csv:") == len(table) - 2


@pytest.fixture
def large(starter):
    """Return a deck of forty cards with icons near the cut and one translated title."""
    pack = starter("cards")
    rows = "\n".join(f"c{n},Title {n},1,1,star,Words." for n in range(40))
    head = (pack / "cards.csv").read_text("utf-8").splitlines()[0]
    lines = [
        f"{head},title@nl",
        *(f"{row},{'Titel' if not n else ''}" for n, row in enumerate(rows.splitlines())),
    ]
    (pack / "cards.csv").write_text("\n".join(lines) + "\n", "utf-8")
    layout = pack / "layouts/front.yaml"
    layout.write_text(
        layout.read_text("utf-8") + "- icon: star\n  at: [3, 3]\n  size: ${3 + value}\n", "utf-8"
    )
    return pack


def test_similar_warnings_are_grouped_and_counted(pnp, large):
    output = pnp("check", large).stdout
    place = "icon in pack/layouts/front.yaml:21"
    assert f"warning: cards: icon 'star' is too close to the cut, on 40 faces ({place})\n" in output
    assert "  … and 37 more (--all)\n" in output
    assert (
        "untranslated: pack/cards.csv: title@nl: 39 texts, in the lines 3, 4, 5, … (--all)\n"
        in output
    )
    assert len(output.splitlines()) < 30
    assert "\n40 warnings\n" in output


def test_option_all_lists_every_warning(pnp, large):
    output = pnp("check", large, "--all").stdout
    assert output.count("warning: ") == 40
    assert output.count("untranslated: pack/cards.csv:") == 39


def test_json_report_gives_file_and_line_of_each_warning(pnp, large):
    problems = json.loads(pnp("check", large, "--json").stdout)["problems"]
    assert [one["line"] for one in problems if one["severity"] == "warning"] == list(range(2, 42))
    assert {one["file"] for one in problems if one["line"] > 30} == {"pack/cards.csv"}
    assert problems[0]["message"] == "cards:c0 front: icon 'star' is 1.2 mm from the cut"
    assert problems[0]["hint"] == "keep it 3 mm inside"


def test_different_pieces_edge_to_edge_are_reported(pnp, starter):
    pack = starter("cards")
    assert "gutter" not in pnp("check", pack).stdout
    layout = pack / "layouts/front.yaml"
    layout.write_text("- fill: $accent\n", "utf-8")
    (pack / "cards.csv").write_text("id,accent\nfox,#ff0000\nelk,#0000ff\n", "utf-8")
    output = pnp("check", pack).stdout
    assert (
        "warning: cards: pieces 0 mm apart differ at the cut: a cut that is off shows the neighbour\n"
        in output
    )
    assert "  no `gutter:`, or one of twice the bleed\n" in output
    assert "differ at the cut" not in pnp("build", pack).output, "only `pnp check` renders the cuts"


ROUND = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><circle cx="10" cy="10" r="10" fill="red"/></svg>'
BAR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect x="8" width="4" height="20" fill="red"/></svg>'
ON_TILE = """\
name: Round
version: "1"
links: {{road: {{width: 3mm, fill: "#888888"}}}}
features: {{well: {{svg: well.svg, size: 28mm}}}}
components:
  tiles:
    {{title: T, size: hex 40mm, bleed: 2mm, safe: {safe}mm, links: w, data: [{{id: a, w: "{ways}"}}], front: t.yaml}}
"""


@pytest.mark.parametrize(
    ("art", "turn", "gap"),
    [(ROUND, 0, 6.0), (ROUND, 30, 6.0), (BAR, 0, 6.0), (BAR, 90, 6.47)],
)
def test_feature_near_cut_is_measured_by_its_ink(art, turn, gap, tmp_path):
    """Place a circle of 28 mm in a hexagon, 6 mm from every side, although its box is nearly cut.

    A bar across reaches the slanted sides with its corners: 20 mm less 14 sin 60 and 2.8 cos 60.
    """
    (tmp_path / "well.svg").write_text(art)
    (tmp_path / "t.yaml").write_text("- fill: white\n- links: {}\n")
    for safe, faulty in ((gap - 0.3, False), (gap + 0.3, True)):
        text = ON_TILE.format(safe=safe, ways=f"n,se,sw:road@well(turn {turn})")
        (tmp_path / "game.yaml").write_text(text)
        faults = faults_in(tmp_path)
        assert len(faults) == faulty, faults
        assert not faulty or abs(float(faults[0].split(" is ")[1].split()[0]) - gap) < 0.15


def test_build_leaves_faults_that_need_rendering_to_check(tmp_path, pnp):
    """Cut the box round a feature, but not its picture."""
    (tmp_path / "well.svg").write_text(ROUND)
    (tmp_path / "t.yaml").write_text("- fill: white\n- links: {}\n")
    text = ON_TILE.format(safe=7, ways="n,se,sw:road@well")
    (tmp_path / "game.yaml").write_text(text)
    result = pnp("build", tmp_path, "--what", "sheets", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "warning" not in result.output
    assert "'well' is" in pnp("check", tmp_path).output


def test_mirrored_back_is_measured_mirrored(tmp_path):
    """Place a text near the slanted side of the front, and so of the mirrored back."""
    layout = "- text: x\n  box: [14.5, 2, 4, 4]\n  style: body\n"
    size = "{polygon: [[0, 0], [20, 0], [40, 40], [0, 40]]}"
    component = "safe: {}mm\nback: mirror"
    near = "- fill: red\n" + layout
    assert faults_in(make(tmp_path / "far", near, component=component.format(1), size=size)) == []
    faults = faults_in(make(tmp_path / "near", near, component=component.format(4), size=size))
    assert [fault.split(":")[1].split()[1] for fault in faults] == ["front", "back"]


def test_cards_that_differ_far_from_cut_are_rendered_once(tmp_path, monkeypatch):
    rendered_faces = []
    render = Rasteriser.pixels_of
    monkeypatch.setattr(
        Rasteriser,
        "pixels_of",
        lambda raster, face, dpi: rendered_faces.append(face) or render(raster, face, dpi),
    )
    layout = "- frame: {inset: 0, fill: red}\n- text: $id\n  box: [%s, 12, 12]\n  style: body\n"
    table = "id\n" + "".join(f"n{n}\n" for n in range(5))
    faults = faults_in(make(tmp_path / "inside", layout % "14, 14", table))
    assert len(faults) == 5
    assert len({fault.partition(": ")[2] for fault in faults}) == 1
    assert len(rendered_faces) == 1
    rendered_faces.clear()
    assert faults_in(make(tmp_path / "near", layout % "0, 14", table))
    assert len(rendered_faces) == 5, "texts near the cut may differ from card to card"
