"""Test figures as pictures, and messages about mistakes in `figures.yaml`."""

import re

import numpy as np
import pytest

from generator.picture.face import Face
from generator.picture.items import Circle, Shape, text_runs, walk
from generator.picture.raster import Rasteriser
from generator.picture.svg import SvgWriter
from generator.pipeline.project import BuildRequest, Project

PACK = """
one:
  board: |
    straight  .
    .         bend>
  scale: 0.5
{more}
"""


@pytest.fixture
def figure(starter):
    """Return a writer of the figure `one` in the tile starter: `figure("  overlays: …")`."""
    pack = starter("tiles")

    def make(more="", board=None):
        text = PACK.format(more=more)
        if board:
            text = re.sub(r"board: \|.*?(?=  scale)", f"board: {board}\n", text, flags=re.DOTALL)
        (pack / "figures.yaml").write_text(text.strip("\n") + "\n", "utf-8")
        (pack / "rules.md").write_text("# Rules\n\n::: figure one\n:::\n", "utf-8")
        (pack / "game.yaml").write_text(
            re.sub(r"\n(rules|matching): .*", "", (pack / "game.yaml").read_text("utf-8")), "utf-8"
        )
        with (pack / "game.yaml").open("a", encoding="utf-8") as file:
            file.write("rules: {}\nmatching: {sides: equal}\n")
        return pack

    return make


def draw_figure(pack):
    game = Project(BuildRequest(str(pack)))
    figure_one = game.figures["one"]
    return figure_one, np.asarray(
        Rasteriser(game.game.fonts).face(figure_one.face, 127).convert("RGBA")
    ).astype(int)


def test_tiles_lie_at_their_places_of_the_board(figure):
    figure_one, picture = draw_figure(figure())
    tile = 45 * 0.5
    assert figure_one.face.size.w == pytest.approx(2 * tile, abs=1)
    assert figure_one.face.size.h == pytest.approx(2 * tile, abs=1)
    half = int(tile * 5)
    filled = [picture[6 : half - 6, 6 : half - 6, 3], picture[half + 6 : -6, half + 6 : -6, 3]]
    empty = [picture[:half, half + 6 :, 3], picture[half + 6 :, : half - 6, 3]]
    assert all(part.mean() > 240 for part in filled)
    assert all(part.mean() < 5 for part in empty)


def test_figure_defines_each_face_once_and_uses_it_for_every_copy(figure):
    figure_one, _ = draw_figure(figure(board='"bend bend> bend<"'))
    pieces = [part.picture for part in figure_one.face.placed if isinstance(part.picture, Face)]
    assert len(pieces) == 3
    svg = SvgWriter().write(figure_one.face)
    assert len(re.findall(rf'<symbol [^>]*id="face-{pieces[0].name}"', svg)) == 1
    assert svg.count(f'href="#face-{pieces[0].name}"') == 3


def test_alternative_text_names_the_caption_and_each_tile(figure):
    figure_one, _ = draw_figure(figure("  caption: Two roads."))
    assert figure_one.alt == "Two roads. A1 Straight road, B2 Bend 90°"


@pytest.mark.parametrize(
    ("overlay", "colour"),
    [
        ("tick: A1", (31, 138, 76)),
        ("ring: A1", (200, 50, 43)),
        ("bracket: [A1 -0.4 0.3, A1 0.4 0.3], words: a road", (29, 39, 48)),
        ('number: "7", at: A1', (29, 39, 48)),
    ],
)
def test_overlay_is_visible_above_the_tiles(figure, overlay, colour):
    _, picture = draw_figure(figure(f'  overlays: [{{{overlay}}}]\n  claims: "legal: true"'))
    _, plain = draw_figure(figure())
    near = lambda image: (np.abs(image[:, :, :3] - colour).max(axis=-1) < 12).sum()  # noqa: E731
    assert near(picture) > near(plain) + 100


def test_shade_darkens_only_its_tile(figure):
    _, picture = draw_figure(figure("  overlays: [{shade: [B2]}]"))
    _, plain = draw_figure(figure())
    half = int(45 * 0.5 * 5)
    assert (
        picture[half + 9 :, half + 9 :, :3].mean() < plain[half + 9 :, half + 9 :, :3].mean() - 40
    )
    assert np.abs(picture[: half - 9, : half - 9] - plain[: half - 9, : half - 9]).max() <= 2


SLIPS = {
    "bracket with three spots": (
        "  overlays: [{bracket: [A1, B1, B2]}]",
        None,
        "one: a bracket has 3 spots",
        "",
    ),
    "unknown tile": (
        "",
        "stright .",
        "figures.yaml:2: one: row 1, column 1: unknown design 'stright'",
        "straight",
    ),
    "two in one place": (
        "",
        "[A1 bend, A1 straight]",
        "one: two tiles at A1: 'bend' and 'straight'",
        "",
    ),
    "unknown overlay": ("  overlays: [{tik: A1}]", None, "unknown overlay 'tik'", "tick"),
    "unknown side": ("  overlays: [{tick: A1.x}]", None, "unknown side 'x'", ""),
    "no spot": ("  overlays: [{tick: A1 over there}]", None, "'A1 over there' is not a spot", ""),
    "no number": ("  overlays: [{label: a, at: A1 NaN 0}]", None, "'A1 NaN 0' is not a spot", ""),
    "far away": (
        "  overlays: [{label: a, at: A1 1e300 0}]",
        None,
        "'A1 1e300 0' is far from its place",
        "",
    ),
    "unknown key": ("  ovrlays: []", None, "figures.yaml:6: unknown key 'ovrlays'", "overlays"),
    "a wrong claim": (
        '  claims: ["legal: false because sides"]',
        None,
        "one: the claim 'legal: false because sides'",
        "",
    ),
    "a label with another number": (
        '  overlays: [{label: 3 tiles, at: A1}]\n  claims: "tiles: 2"',
        None,
        "figures.yaml:6: one: a label says 3, but no claim of the figure does",
        "",
    ),
    "a tick that nothing bears out": (
        "  overlays: [{tick: A1}]",
        None,
        "one: a tick, and no claim says",
        "",
    ),
    "a cross on what may be done": (
        '  overlays: [{cross: A1}]\n  claims: "legal: true"',
        None,
        "one: a cross, and no claim says that something may not be done",
        "",
    ),
    "a spot that is far away": ("  overlays: [{ring: A9}]", None, "A9 is far from the board", ""),
    "a shade that is far away": (
        "  overlays: [{shade: [A1, J2]}]",
        None,
        "J2 is far from the board",
        "",
    ),
    "two pieces held": (
        "  held: [{piece: bend+mill, at: A1}]",
        None,
        "one: 'bend+mill' is 2 pieces",
        "",
    ),
    "nothing held": ("  held: [{piece: ., at: A1}]", None, "one: '.' is 0 pieces", ""),
    "a crop of one place": ("  crop: [A1]", None, "figures.yaml:6: crop: this is not a crop", ""),
    "an empty board": ("", '"."', "one: this figure shows nothing", ""),
    "a wrong claim without quotes": (
        "  claims: [legal: false]",
        None,
        "one: the claim 'legal: false' is not what",
        "",
    ),
    "no claim": ('  claims: ["leagl: true"]', None, "unknown claim 'leagl'", "legal"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_mistake_in_figures_yaml_is_reported_with_the_nearest_name(figure, slip, pnp):
    more, board, message, suggestion = SLIPS[slip]
    result = pnp("rules", figure(more, board))
    assert result.exit_code == 3, result.output
    assert message in result.stderr
    assert re.search(r"pack/figures.yaml:\d+: ", result.stderr)
    if suggestion:
        assert f"did you mean '{suggestion}'?" in result.stderr


def test_held_piece_is_tilted_beyond_its_turn_and_enlarged(figure):
    """A piece with `~` shows its back."""
    figure_one, _ = draw_figure(
        figure("  held: [{piece: bend>, at: A1 0.2 0.3, tilt: 8}, {piece: ~bend, at: B1, tilt: 0}]")
    )
    # The edge and the outline of a piece follow it.
    *_, held_piece, _, _, back, _, _ = figure_one.face.items
    lying, _ = (part for part in figure_one.face.placed if part.at.turn == pytest.approx(90))
    assert held_piece.at.turn == pytest.approx(98)
    assert held_piece.picture == lying.picture != back.picture
    assert back.at.turn == pytest.approx(0)
    assert held_piece.at.scale == pytest.approx(back.at.scale) == pytest.approx(0.5 * 1.08)


def test_marks_lie_at_the_named_corners_and_sides_of_a_tile(figure):
    """Place one number at each of the four corners and four sides of the first tile."""
    names = ["ne", "se", "sw", "nw", "n", "e", "s", "w"]
    marks = ", ".join(f'{{number: "{number}", at: A1.{name}}}' for number, name in enumerate(names))
    figure_one, _ = draw_figure(figure(f"  overlays: [{marks}]"))
    shapes = [item.geometry for item, _ in walk(figure_one.face.items) if isinstance(item, Shape)]
    circles = [
        shape.centre for shape in shapes if isinstance(shape, Circle) and shape.radius == 2.5
    ]
    half = 45 * 0.5 / 2
    corners = [(1, -1), (1, 1), (-1, 1), (-1, -1), (0, -1), (1, 0), (0, 1), (-1, 0)]
    assert [(x / half, y / half) for x, y in circles] == [
        pytest.approx(at, abs=0.01) for at in corners
    ]


def test_held_piece_may_use_a_name_that_the_figure_defines(figure):
    figure_one, _ = draw_figure(
        figure("  names: {b: bend}\n  held: [{piece: b>, at: A1, tilt: 0}]")
    )
    assert [part.at.turn for part in figure_one.face.placed[-2:]] == pytest.approx([90, 90])


def test_label_beside_the_board_widens_the_figure(figure):
    figure_one, _ = draw_figure(figure("  overlays: [{label: here, at: D1}]"))
    assert figure_one.face.size.w > 3 * 45 * 0.5


@pytest.mark.parametrize(
    "claims", ["[legal: true]", "{legal: true, tiles: 2}", "\n    - legal: true\n    - 'tiles: 2'"]
)
def test_claims_without_quotes_are_checked(figure, pnp, claims):
    pack = figure(f"  claims: {claims}")
    assert pnp("rules", pack).exit_code == 0
    (pack / "figures.yaml").write_text(
        (pack / "figures.yaml").read_text("utf-8").replace("true", "false"), "utf-8"
    )
    assert "one: the claim 'legal: false' is not what the board shows" in pnp("rules", pack).stderr


@pytest.mark.parametrize("scale", ["0", "-1", "1000"])
def test_useless_scale_is_refused_with_its_line(figure, pnp, scale):
    pack = figure()
    text = (pack / "figures.yaml").read_text("utf-8").replace("scale: 0.5", f"scale: {scale}")
    (pack / "figures.yaml").write_text(text, "utf-8")
    result = pnp("rules", pack)
    assert result.exit_code == 3
    assert f"figures.yaml:5: scale: a scale of {scale}" in result.stderr


def test_label_is_set_with_its_markup(figure):
    """`*fox*` is set in italics, as in any other text."""
    figure_one, _ = draw_figure(figure('  overlays: [{label: "a *fox* home", at: A1}]'))
    runs = list(text_runs(figure_one.face))
    assert [run.text.strip() for run in runs if run.font.italic] == ["fox"]
    assert {run.text.strip() for run in runs if not run.font.italic} == {"a", "home"}
    assert re.search(r'<text [^>]*font-style="italic"[^>]*>fox', SvgWriter().write(figure_one.face))
