"""Test pieces beside the middle of their tiles, and paths that follow links."""

import re
from math import hypot

import numpy as np
import pytest

from generator.base.geometry import Point
from generator.picture.items import Shape, walk
from generator.picture.raster import Rasteriser
from generator.pipeline.project import BuildRequest, Project
from generator.rules.figures.pen import line_data

TILE = 45 * 0.5
TOKEN = 18 * 0.5
GAME = """
  tokens:
    title: Tokens
    size: circle 18mm
    bleed: 0mm
    data: [{id: token, title: Token, count: 1}]
    front: layouts/token.yaml
    back: none
"""
RED = (255, 0, 0)
BLUE = (0, 0, 255)


@pytest.fixture
def figure(starter):
    """Return a writer of a figure in the tile starter with a red token: `figure(board, more)`."""
    pack = starter("tiles")

    def make(board, more="", scale=0.5):
        settings = re.sub(r"\nrules: .*", "", (pack / "game.yaml").read_text("utf-8"))
        if "tokens:" not in settings:
            settings = (
                settings.replace("components:", "components:" + GAME.rstrip(), 1) + "rules: {}\n"
            )
            settings = settings.replace("palette:", "palette:\n  way: '#0000ff'", 1)
        (pack / "game.yaml").write_text(settings, "utf-8")
        (pack / "layouts" / "token.yaml").write_text("- fill: '#ff0000'\n", "utf-8")
        (pack / "figures.yaml").write_text(
            f"one:\n  board: {board}\n  scale: {scale}\n{more}\n", "utf-8"
        )
        (pack / "rules.md").write_text("# Rules\n\n::: figure one\n:::\n", "utf-8")
        return pack

    return make


def pixels_of(pack):
    """Return the pixels of the figure, ten per millimetre."""
    game = Project(BuildRequest(str(pack)))
    figure_one = game.figures["one"]
    return np.asarray(Rasteriser(game.game.fonts).face(figure_one.face, 254).convert("RGB")).astype(
        int
    )


def box_of(pixels, colour):
    """Return the box of a colour in mm: left, top, right, bottom."""
    ys, xs = np.nonzero(np.abs(pixels - colour).max(axis=-1) < 40)
    return np.array([xs.min(), ys.min(), xs.max() + 1, ys.max() + 1]) / 10 - 0.4


@pytest.mark.parametrize(
    ("at", "x", "y"),
    [
        ("", 0, 0),
        ("n", 0, -1),
        ("e", 1, 0),
        ("sw", -1, 1),
        ("ne", 1, -1),
    ],
)
@pytest.mark.parametrize("size", [1.0, 0.6])
def test_piece_at_a_side_or_corner_stays_inside_its_tile(figure, at, x, y, size):
    spec = f"  pieces: [{{piece: token, at: '{at}', size: {size}}}]"
    left, top, right, bottom = box_of(pixels_of(figure("straight+token", spec)), RED)
    assert right - left == pytest.approx(TOKEN * size - 0.25, abs=0.2)
    reach = TILE / 2 - TOKEN * size / 2 - 0.03 * TILE
    assert (left + right) / 2 == pytest.approx(TILE / 2 + x * reach, abs=0.2)
    assert (top + bottom) / 2 == pytest.approx(TILE / 2 + y * reach, abs=0.2)


def test_piece_is_shifted_by_fractions_of_a_tile(figure):
    left, top, *_ = box_of(
        pixels_of(figure("straight+token", "  pieces: [{piece: token, at: 0.2 -0.1}]")), RED
    )
    assert left == pytest.approx(TILE * 0.7 - TOKEN / 2, abs=0.2)
    assert top == pytest.approx(TILE * 0.4 - TOKEN / 2, abs=0.2)


def test_only_the_piece_at_the_named_place_is_moved(figure):
    more = "  pieces: [{piece: token, at: n}, {piece: token, place: B1, at: s}]"
    pixels = pixels_of(figure("straight>+token straight>+token", more))
    middle = int((TILE + 0.4) * 10)
    assert box_of(pixels[:, :middle], RED)[1] < TILE / 4
    assert box_of(pixels[:, middle:], RED)[3] > TILE * 3 / 4


def test_moved_piece_still_counts_for_claims_at_its_place(figure):
    """The shift of a piece changes the picture, not the board."""
    more = "  pieces: [{piece: token, at: ne}]\n  claims: ['tiles having token: 1']"
    pixels_of(figure("straight+token straight^", more))


ROUND = "  overlays: [{path: [A1, B1, B2], numbers: false, colour: $way, width: 1mm, follow: road}]"
BOARD = "|\n    straight>  bend/180\n    .          straight"


def test_path_follows_the_curve_of_the_road(figure):
    """On a bend, the path runs through the middle of the arc, not of the tile."""
    pixels = pixels_of(figure(BOARD, ROUND))

    def is_blue(x, y):
        return np.abs(pixels[int((y + 0.4) * 10), int((x + 0.4) * 10)] - BLUE).max() < 60

    halfway = TILE / 2 * 2**-0.5
    for x, y in (
        (TILE * 0.8, TILE / 2),
        (TILE + halfway, TILE - halfway),
        (TILE * 1.5, TILE * 1.15),
    ):
        assert is_blue(x, y), (x, y)
    assert not is_blue(TILE * 1.5, TILE * 0.5)


def test_path_has_no_gaps_between_tiles(figure):
    """The path is one line, so no rim covers a joint."""
    svg_path = "  overlays: [{path: [A1, B1, B2], numbers: false, colour: $way, width: 1mm}]"
    pixels = pixels_of(figure(BOARD, svg_path))
    row = pixels[
        int((TILE / 2 + 0.4) * 10), int((TILE / 2 + 0.4) * 10) : int((TILE * 1.5 + 0.4) * 10)
    ]
    assert np.abs(row - BLUE).max() < 60


def test_path_may_begin_and_end_within_a_tile(figure):
    """Two spots of one tile need no link between them."""
    more = ROUND.replace("[A1, B1, B2]", "[A1 -0.3 0, A1, B1, B1 0 0.3]").replace(
        "1mm,", "1mm, round: 0.2,"
    )
    left, top, right, bottom = box_of(pixels_of(figure(BOARD, more)), BLUE)
    assert left == pytest.approx(TILE * 0.2 - 0.5, abs=0.3)
    assert bottom == pytest.approx(TILE * 0.8 + 0.5, abs=0.3)
    assert top == pytest.approx(TILE * 0.5 - 0.5, abs=0.3)
    assert right < TILE * 1.5 + 2.5


def test_corners_of_paths_are_rounded_by_arcs():
    """All points of the arc keep the radius to a thousandth."""
    data = line_data([Point(0, 0), Point(10, 0), Point(20, 0), Point(20, 20)], 8)
    assert data.startswith("M0 0L12 0C")
    assert data.endswith("20 8L20 20")
    controls = [
        tuple(map(float, pair.split())) for pair in re.findall(r"[-\d.]+ [-\d.]+", data)[1:5]
    ]
    for t in np.linspace(0, 1, 11):
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
        x, y = (sum(w * c[axis] for w, c in zip(weights, controls, strict=True)) for axis in (0, 1))
        assert hypot(x - 12, y - 8) == pytest.approx(8, rel=1e-3)


SLIPS = {
    "no piece": (
        "straight+token bend",
        "  pieces: [{piece: bend, place: A1}]",
        "no 'bend' lies at A1",
    ),
    "an unknown side": (
        "straight+token",
        "  pieces: [{piece: token, at: up}]",
        "unknown side 'up'",
    ),
    "no size": ("straight+token", "  pieces: [{piece: token, size: 0}]", "a size of 0"),
    "no road": ("straight straight", ROUND.replace(", B2", ""), "no road leads from A1 to B1"),
    "no colour": (BOARD, ROUND.replace("$way", "$wy"), "unknown colour '$wy'"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_mistake_in_a_piece_or_path_is_reported(figure, slip, pnp):
    board, more, message = SLIPS[slip]
    result = pnp("rules", figure(board, more))
    assert result.exit_code == 3, result.output
    assert message in result.stderr


@pytest.mark.parametrize(
    ("colour", "rim"), [('"#7de8ff"', "#1d2730"), ("yellow", "#1d2730"), ("navy", "#ffffff")]
)
def test_rim_of_a_path_contrasts_with_its_colour(figure, colour, rim):
    pack = figure(BOARD, ROUND.replace("$way", colour))
    game = Project(BuildRequest(str(pack)))
    lines = [
        item.stroke
        for item, _ in walk(game.figures["one"].face.items)
        if isinstance(item, Shape) and item.stroke
    ]
    translucent = {line.colour for line in lines if line.colour.endswith("d9")}
    assert translucent == {f"{rim}d9"}, "85 % opaque"
