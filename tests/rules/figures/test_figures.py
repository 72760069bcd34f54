"""Figures as pictures, and slips in `figures.yaml`."""

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
    """The figure `one` of the tile starter: `figure("  overlays: …")`."""
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
    made = game.figures["one"]
    return made, np.asarray(
        Rasteriser(game.game.fonts).face(made.face, 127).convert("RGBA")
    ).astype(int)


def test_tiles_lie_where_the_board_says(figure):
    made, picture = draw_figure(figure())
    tile = 45 * 0.5
    assert made.face.size.w == pytest.approx(2 * tile, abs=1)
    assert made.face.size.h == pytest.approx(2 * tile, abs=1)
    half = int(tile * 5)
    filled = [picture[6 : half - 6, 6 : half - 6, 3], picture[half + 6 : -6, half + 6 : -6, 3]]
    empty = [picture[:half, half + 6 :, 3], picture[half + 6 :, : half - 6, 3]]
    assert all(part.mean() > 240 for part in filled)
    assert all(part.mean() < 5 for part in empty)


def test_a_face_is_in_the_figure_once(figure):
    made, _ = draw_figure(figure(board='"bend bend> bend<"'))
    pieces = [part.picture for part in made.face.placed if isinstance(part.picture, Face)]
    assert len(pieces) == 3
    svg = SvgWriter().write(made.face)
    assert len(re.findall(rf'<symbol [^>]*id="face-{pieces[0].name}"', svg)) == 1
    assert svg.count(f'href="#face-{pieces[0].name}"') == 3


def test_what_it_shows_is_told_in_words(figure):
    made, _ = draw_figure(figure("  caption: Two roads."))
    assert made.alt == "Two roads. A1 Straight road, B2 Bend 90°"


@pytest.mark.parametrize(
    ("overlay", "colour"),
    [
        ("tick: A1", (31, 138, 76)),
        ("ring: A1", (200, 50, 43)),
        ('number: "7", at: A1', (29, 39, 48)),
    ],
)
def test_overlays_lie_over_the_board(figure, overlay, colour):
    _, picture = draw_figure(figure(f'  overlays: [{{{overlay}}}]\n  claims: "legal: true"'))
    _, plain = draw_figure(figure())
    near = lambda image: (np.abs(image[:, :, :3] - colour).max(axis=-1) < 12).sum()  # noqa: E731
    assert near(picture) > near(plain) + 100


def test_shade_darkens_its_tile_only(figure):
    _, picture = draw_figure(figure("  overlays: [{shade: [B2]}]"))
    _, plain = draw_figure(figure())
    half = int(45 * 0.5 * 5)
    assert (
        picture[half + 9 :, half + 9 :, :3].mean() < plain[half + 9 :, half + 9 :, :3].mean() - 40
    )
    assert np.abs(picture[: half - 9, : half - 9] - plain[: half - 9, : half - 9]).max() <= 2


SLIPS = {
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
def test_slips(figure, slip, pnp):
    more, board, found, near = SLIPS[slip]
    result = pnp("rules", figure(more, board))
    assert result.exit_code == 3, result.output
    assert found in result.stderr
    assert re.search(r"pack/figures.yaml:\d+: ", result.stderr)
    if near:
        assert f"did you mean '{near}'?" in result.stderr


def test_a_piece_is_held_as_it_is_turned(figure):
    """Tilted a little on top of its own turn, larger, and with its back up where the back is asked for."""
    made, _ = draw_figure(
        figure("  held: [{piece: bend>, at: A1 0.2 0.3, tilt: 8}, {piece: ~bend, at: B1, tilt: 0}]")
    )
    *_, held, _, _, back, _, _ = (
        made.face.items
    )  # each with the edge and the outline that follow it
    lying, _ = (part for part in made.face.placed if part.at.turn == pytest.approx(90))
    assert held.at.turn == pytest.approx(98)
    assert held.picture == lying.picture != back.picture
    assert back.at.turn == pytest.approx(0)
    assert held.at.scale == pytest.approx(back.at.scale) == pytest.approx(0.5 * 1.08)


def test_a_corner_is_where_it_is_called(figure):
    """Marks at the four corners and the four sides of the first tile, each at its own."""
    names = ["ne", "se", "sw", "nw", "n", "e", "s", "w"]
    marks = ", ".join(f'{{number: "{number}", at: A1.{name}}}' for number, name in enumerate(names))
    made, _ = draw_figure(figure(f"  overlays: [{marks}]"))
    shapes = [item.geometry for item, _ in walk(made.face.items) if isinstance(item, Shape)]
    circles = [
        shape.centre for shape in shapes if isinstance(shape, Circle) and shape.radius == 2.5
    ]
    half = 45 * 0.5 / 2
    wanted = [(1, -1), (1, 1), (-1, 1), (-1, -1), (0, -1), (1, 0), (0, 1), (-1, 0)]
    assert [(x / half, y / half) for x, y in circles] == [
        pytest.approx(at, abs=0.01) for at in wanted
    ]


def test_a_held_piece_may_have_the_figures_own_name(figure):
    made, _ = draw_figure(figure("  names: {b: bend}\n  held: [{piece: b>, at: A1, tilt: 0}]"))
    assert [part.at.turn for part in made.face.placed[-2:]] == pytest.approx([90, 90])


def test_a_label_may_stand_beside_the_board(figure):
    made, _ = draw_figure(figure("  overlays: [{label: here, at: D1}]"))
    assert made.face.size.w > 3 * 45 * 0.5


@pytest.mark.parametrize(
    "claims", ["[legal: true]", "{legal: true, tiles: 2}", "\n    - legal: true\n    - 'tiles: 2'"]
)
def test_claims_need_no_quotes(figure, pnp, claims):
    pack = figure(f"  claims: {claims}")
    assert pnp("rules", pack).exit_code == 0
    (pack / "figures.yaml").write_text(
        (pack / "figures.yaml").read_text("utf-8").replace("true", "false"), "utf-8"
    )
    assert "one: the claim 'legal: false' is not what the board shows" in pnp("rules", pack).stderr


@pytest.mark.parametrize("scale", ["0", "-1", "1000"])
def test_a_scale_that_shows_nothing(figure, pnp, scale):
    pack = figure()
    text = (pack / "figures.yaml").read_text("utf-8").replace("scale: 0.5", f"scale: {scale}")
    (pack / "figures.yaml").write_text(text, "utf-8")
    result = pnp("rules", pack)
    assert result.exit_code == 3
    assert f"figures.yaml:5: scale: a scale of {scale}" in result.stderr


def test_a_label_is_set_with_its_markup(figure):
    """`*fox*` leans and `**den**` is bold, as in any text: the words as they are set, with their fonts."""
    made, _ = draw_figure(figure('  overlays: [{label: "a *fox* home", at: A1}]'))
    runs = list(text_runs(made.face))
    assert [run.text.strip() for run in runs if run.font.italic] == ["fox"]
    assert {run.text.strip() for run in runs if not run.font.italic} == {"a", "home"}
    assert re.search(r'<text [^>]*font-style="italic"[^>]*>fox', SvgWriter().write(made.face))
