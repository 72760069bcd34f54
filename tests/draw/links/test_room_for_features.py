"""Test that features keep their size, and that a note gives the size that fits."""

import io
import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from generator.base import polygon
from generator.base.geometry import Point
from generator.base.ports import HEX_PORTS
from generator.base.shapes import parse_shape
from generator.draw.draw import draw_game
from generator.draw.findings import cramped_notes
from generator.draw.links import FeatureSettings, FeatureShape, draw_links, plot_of
from generator.pack.game import LinkStyle
from generator.pack.tile import parse_tile
from generator.picture.items import Stroke
from generator.picture.raster import Rasteriser
from tests.tools.examples import try_times
from tests.tools.make_pack import loaded, make, no_art, problems, svg

RAILWAY = Path(__file__).parents[2] / "data" / "packs" / "railway"
MORE = """\
links: {{road: {{width: 2mm, fill: blue}}}}
areas: {{town: {{fill: white}}}}
features: {{f: {{svg: {file}, size: {across}{crowd}}}, g: {{svg: disc.svg, size: 6mm}}}}"""


def png_disc():
    """Return a red disc on a transparent background."""
    image = Image.new("RGBA", (200, 200))
    ImageDraw.Draw(image).ellipse((20, 20, 180, 180), fill="#ff0000")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


FILES = {
    "disc.svg": svg('<circle cx="5" cy="5" r="5" fill="red"/>'),
    "wide.svg": svg('<rect width="20" height="8" fill="red"/>', "0 0 20 8"),
    "inset.svg": svg('<circle cx="5" cy="5" r="4" fill="red"/>'),
    "clipped.svg": svg(
        '<clipPath id="c"><circle cx="5" cy="5" r="4"/></clipPath><rect width="10" height="10" clip-path="url(#c)"/>'
    ),
    "disc.png": png_disc(),
}


def pack(folder, size, ways, across, component="", file="disc.svg", crowd=False):
    more = MORE.format(file=file, across=across, crowd=", crowd: true" if crowd else "")
    return make(
        folder,
        "- links: {}\n",
        f'id,ways\none,"{ways}"\n',
        more,
        f"links: ways\n{component}",
        size,
        FILES,
    )


def notes(*args, **more):
    return "\n".join(cramped_notes(draw_game(loaded(pack(*args, **more)))))


@pytest.mark.parametrize(
    "ways", ["n-se:road@f ne-s:road@f", "n,ne,s:road@f(2)", "n-s:road@f(at 20%)"]
)
def test_feature_with_enough_room_has_no_note(ways, tmp_path):
    assert notes(tmp_path, "hex 40mm", ways, "8mm") == ""


def test_feature_without_room_is_noted_and_keeps_its_size(tmp_path):
    """Place a disc of 38 mm in a hexagon with 34 mm inside its safe area."""
    game = loaded(pack(tmp_path, "hex 40mm", "n-s:road@f", "38mm"))
    components = draw_game(game)
    (note,) = cramped_notes(components)
    assert note.startswith("cards: feature 'f' has too little room: 34 of 38 mm on one front\n")
    assert "@f(at 30%)" in note
    assert "crowd: true" in note
    image = Rasteriser(game.fonts).face(components[0].designs[0].front, 254).convert("RGB")
    row = [image.getpixel((x, image.height // 2)) == (255, 0, 0) for x in range(image.width)]
    assert sum(row) == pytest.approx(380, abs=2)


@pytest.mark.parametrize(
    ("ways", "across", "room"),
    [
        # Two discs whose centres are 10 mm apart.
        ("a(37.5,50) b(62.5,50) a:road@f b:road@f", "14mm", "10 of 14"),
        # Track 2 mm wide in the middle, and a disc whose centre is 8 mm beside it.
        ("n-s:road a(70,50) a:road@f", "20mm", "14 of 20"),
        # A stop over track that passes under another link's stop.
        ("n-s:road(over)@g(at 50%) e-w:road(under)@f(at 50%)", "9mm", "0 of 9"),
    ],
)
def test_noted_room_is_the_largest_size_that_fits(ways, across, room, tmp_path):
    assert f"{room} mm on one front" in notes(tmp_path, "40mm", ways, across, "safe: 0mm")


def test_room_counts_outline_of_feature_and_not_its_box(tmp_path):
    """Place two bars of 20 x 8 mm at a distance of 9 mm, which would be too near for discs."""
    ways = "a(50,38) b(50,62) a:road@f b:road@f"
    assert notes(tmp_path, "40mm", ways, "20mm", file="wide.svg") == ""
    (_, wide) = draw_game(loaded(tmp_path))[0].designs[0].front.keep_inside
    assert wide.box.w == pytest.approx(20)
    turned = "a(50,38) b(50,62) a:road@f(turn 90) b:road@f(turn 90)"
    assert "9.6 of 20 mm on one front" in notes(tmp_path, "40mm", turned, "20mm", file="wide.svg")


@pytest.mark.parametrize("file", ["inset.svg", "clipped.svg", "disc.png"])
def test_room_counts_ink_of_feature_and_not_its_margin(file, tmp_path):
    """Place discs of 16 mm in boxes of 20 mm, with 16 mm between their centres."""
    ways = "a(30,50) b(70.5,50) a:road@f b:road@f"
    assert notes(tmp_path, "40mm", ways, "20mm", "safe: 0mm", file=file) == ""
    assert "of 21 mm on one front" in notes(tmp_path, "40mm", ways, "21mm", "safe: 0mm", file=file)


@pytest.mark.parametrize(
    ("safe", "is_noted"), [("0mm", False), ("1mm", False), ("1.2mm", True), ("3mm", True)]
)
def test_room_ends_at_safe_distance_of_component(safe, is_noted, tmp_path):
    """Place a disc of 10 mm whose centre is 6 mm from the edge, which leaves 1 mm."""
    note_text = notes(tmp_path, "40mm", "a(15,50) a:road@f", "10mm", f"safe: {safe}")
    assert bool(note_text) == is_noted
    if safe == "3mm":
        assert "6 of 10 mm" in note_text


@pytest.mark.parametrize(("component", "crowd"), [("crowd: true", False), ("", True)])
def test_crowded_features_overlap_links_and_each_other_without_a_note(component, crowd, tmp_path):
    """Keep crowded features in the middle of their links; without `crowd`, note them."""
    ways = "n-s:road@f e-w:road@f ne-sw:road n-e:road"
    assert notes(tmp_path, "40mm", ways, "16mm", component, crowd=crowd) == ""
    boxes = [keep.box for keep in draw_game(loaded(tmp_path))[0].designs[0].front.keep_inside]
    assert [tuple(box.centre) for box in boxes] == [pytest.approx((20, 20), abs=0.01)] * 2
    assert notes(tmp_path, "40mm", ways, "16mm") != ""


def test_crowded_feature_takes_no_room_from_others(tmp_path):
    ways = "a(40,50) b(60,50) a:road@f b:road@g"
    assert "'f' has" in notes(tmp_path, "40mm", ways, "16mm")
    assert notes(tmp_path, "40mm", ways, "16mm", crowd=True) == ""


def test_crowded_feature_at_the_cut_is_noted(tmp_path):
    assert "6 of 10 mm" in notes(tmp_path, "40mm", "a(15,50) a:road@f", "10mm", "crowd: true")


def test_feature_in_an_area_is_noted_if_too_large(tmp_path):
    assert notes(tmp_path, "40mm", "area n e: town@f", "8mm") == ""
    assert "of 25 mm on one front" in notes(tmp_path, "40mm", "area n e: town@f", "25mm")


def test_one_note_names_the_tightest_faces_of_many(tmp_path):
    folder = pack(tmp_path, "40mm", "", "30mm", "safe: 0mm")
    rows = [f'r{share},"a(50,{share}) a:road@f"' for share in (10, 20, 30, 34, 36)]
    (folder / "cards.csv").write_text("id,ways\n" + "\n".join(rows) + "\n")
    components = draw_game(loaded(folder))
    assert (
        "8 of 30 mm on r10 front, 16 of 30 mm on r20 front, 24 of 30 mm on r30 front and 2 more"
        in next(cramped_notes(components))
    )
    assert "28.8 of 30 mm on r36 front" in next(cramped_notes(components, 0))


def test_check_and_build_print_the_note(tmp_path, pnp):
    folder = pack(tmp_path / "pack", "40mm", "n-s:road@f", "36mm")
    (folder / "game.yaml").write_text((folder / "game.yaml").read_text() + "print: {paper: a4}\n")
    expected = "note: cards: feature 'f' has too little room: 34 of 36 mm on one front"
    for args in (["build", folder, "-o", tmp_path / "out", "--what", "sheets"], ["check", folder]):
        for run in range(2):  # the second run takes faces from the cache
            result = pnp(*args)
            assert result.exit_code == 0, result.output
            assert expected in result.output, (args[0], run)
    problems = json.loads(pnp("check", folder, "--json").output)["problems"]
    assert expected.removeprefix("note: ") in "\n".join(
        problem["message"] for problem in problems if problem["severity"] == "note"
    )


def test_claims_about_routes_hold_with_crowded_features(tmp_path, pnp):
    """Enlarge the cities of the railway pack until they lie over everything."""
    folder = shutil.copytree(RAILWAY, tmp_path / "railway")
    game = folder / "game.yaml"
    text = (
        game.read_text()
        .replace("size: 13mm", "size: 26mm, crowd: true")
        .replace("safe: 1mm", "safe: 0mm")
    )
    game.write_text(text)
    result = pnp("check", folder)
    assert result.exit_code == 0, result.output
    assert "all their claims hold" in result.output
    assert "too little room" not in result.output


PLOT = plot_of(parse_shape("hex 44mm"))
PAIRS = ["n-s:rail@a ne-sw:rail@b", "n:rail@a s:rail@b", "n-ne:rail@a se-s:rail@b"]
STYLES = {"rail": LinkStyle(2.6, "#20262c", Stroke(0.5, "#ffffff"))}


@st.composite
def outlines(draw):
    """Return a convex outline around the centre of a box 1 mm wide."""
    places = draw(
        st.lists(st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)), min_size=4, max_size=9)
    )
    corners = polygon.hull([Point(*place) for place in places])
    if len(corners) < 3 or polygon.depth(corners, Point(0, 0)) < 0.1:
        return tuple(polygon.box(polygon.box_around([Point(-0.5, -0.2), Point(0.5, 0.2)])))
    return corners


def placed(feature, share=1.0):
    return [corner.scaled(share) + feature.place for corner in feature.shape.corners]


@try_times(1)
@given(outlines(), outlines(), st.sampled_from(PAIRS))
def test_two_features_at_size_of_their_room_do_not_overlap(a, b, text):
    shapes = FeatureSettings({"a": FeatureShape(a, 18, turns=True), "b": FeatureShape(b, 12)}, 1)
    features = draw_links(parse_tile(text, HEX_PORTS), PLOT, 2, STYLES, no_art, shapes).features
    for feature in features:
        share = feature.room / feature.size
        corners = placed(feature, 0.999 * share)
        assert min(PLOT.depth(corner) for corner in corners) >= 1 - 1e-6
        rest = next(item for item in features if item is not feature)
        if share > 0:
            assert polygon.distance(corners, placed(rest, 0.999 * share)) > 0


@pytest.mark.parametrize(
    ("size", "ways"),
    [
        ("circle 40mm", ""),
        ("circle 40mm", "0-120:road 240:road@f"),
        ("triangle 40mm", "ne-s:road"),
        ("octagon 40mm", "n-sw:road"),
        ("hex 40mm pointed", "ne-w:road e:road@f"),
    ],
)
def test_links_run_across_tiles_of_any_shape(size, ways, tmp_path):
    assert problems(pack(tmp_path, size, ways, "6mm")) == ""


def test_unknown_area_is_refused(tmp_path):
    assert "unknown area 'city'" in problems(pack(tmp_path, "40mm", "area n: city", "6mm"))
