"""Test coordinates round boards, and figures that show the board of another figure."""

from itertools import pairwise

import pytest

from generator.picture.items import Polygon, Shape, text_runs, walk
from generator.pipeline.project import BuildRequest, Project

FIGURES = """
plain: {board: "[A1 bend, C2 bend, B2 mill]", scale: 0.5}
named: {board: like plain, scale: 0.5, coordinates: true}
cut: {board: like plain, scale: 0.5, coordinates: true, crop: [B2, C2]}
short: {board: like words, names: {m: mill}, claims: ["mill: 0", "tiles having bend: 2"]}
words: {board: b b, names: {b: bend}}
"""


def build_figures(folder, figures):
    (folder / "figures.yaml").write_text(figures.replace('"[', "[").replace(']"', "]"), "utf-8")
    game = Project(BuildRequest(str(folder)))
    return game.figures


def texts_of(face):
    return [run.text for run in text_runs(face)]


@pytest.fixture
def figures(starter):
    return build_figures(starter("tiles"), FIGURES)


def test_coordinates_name_columns_by_letters_and_rows_by_numbers(figures):
    assert texts_of(figures["plain"].face) == []
    assert texts_of(figures["named"].face) == ["A", "B", "C", "1", "2"]
    places = [(run.x, run.y) for run in text_runs(figures["named"].face)]
    across = [x for x, _ in places[:3]]
    down = [y for _, y in places[3:]]
    tile = 45 * 0.5
    assert [b - a for a, b in pairwise(across)] == pytest.approx([tile, tile], abs=1)
    assert down[1] - down[0] == pytest.approx(tile, abs=0.1)
    assert max(y for _, y in places[:3]) < -tile / 2 < tile / 2 < down[1]
    assert max(x for x, _ in places[3:]) < -tile / 2


def test_figure_grows_by_the_space_of_its_coordinates(figures):
    plain, named = (figures[name].face.size for name in ("plain", "named"))
    assert 3 < named.w - plain.w < 8
    assert 3 < named.h - plain.h < 8


def test_cropped_board_keeps_the_coordinates_of_the_full_board(figures):
    assert texts_of(figures["cut"].face) == ["B", "C", "2"]
    assert len(figures["cut"].face.items) < len(figures["named"].face.items)
    assert figures["cut"].alt == figures["plain"].alt


def test_coordinates_follow_the_columns_of_hexagons(starter):
    folder = starter("tiles")
    game = (
        (folder / "game.yaml")
        .read_text("utf-8")
        .replace("size: 45mm", "size: hex 45mm")
        .replace("back: mirror", "")
    )
    (folder / "game.yaml").write_text(game, "utf-8")
    (folder / "tiles.csv").write_text(
        "id,title,count,links\nbend,Bend,4,n-se:road\nmill,Mill,1,s:road@mill\n", "utf-8"
    )
    places = [(run.x, run.y) for run in text_runs(build_figures(folder, FIGURES)["named"].face)]
    assert places[1][1] - places[0][1] == pytest.approx(45 * 0.5 / 2, abs=0.1), (
        "column B lies half a tile lower"
    )
    assert places[3][0] < -45 * 0.5 / 3**0.5


def test_figure_like_another_shows_the_same_board(figures):
    assert figures["short"].alt == figures["words"].alt
    assert figures["named"].alt == figures["plain"].alt


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        (
            "x: {board: like plane}",
            "figures.yaml:2: x: unknown figure with a board of its own 'plane'",
        ),
        ("x: {board: like x}", "x: unknown figure with a board of its own 'x'"),
        ("x: {board: like named}", "x: unknown figure with a board of its own 'plain'"),
        (
            'x: {board: like plain, claims: ["tiles: 4"]}',
            "x: the claim 'tiles: 4' is not what the board shows",
        ),
    ],
)
def test_mistake_in_a_figure_like_another_is_reported(starter, pnp, figure, message):
    folder = starter("tiles")
    (folder / "figures.yaml").write_text(
        f"\n{figure}\nnamed: {{board: like plain}}\nplain: {{board: bend}}\n", "utf-8"
    )
    (folder / "rules.md").write_text("# Rules\n\nText.\n", "utf-8")
    with (folder / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("rules: {}\n")
    result = pnp("rules", folder)
    assert result.exit_code == 3
    assert message in result.stderr


def test_shade_covers_the_full_hexagon(starter):
    folder = starter("tiles")
    game = (
        (folder / "game.yaml")
        .read_text("utf-8")
        .replace("size: 45mm", "size: hex 45mm")
        .replace("back: mirror", "")
    )
    (folder / "game.yaml").write_text(game, "utf-8")
    (folder / "tiles.csv").write_text("id,title,count,links\nbend,Bend,4,n-se:road\n", "utf-8")
    face = build_figures(folder, "one: {board: bend, scale: 0.5, overlays: [{shade: A1}]}\n")[
        "one"
    ].face
    shapes = [
        item
        for item, _ in walk(face.items)
        if isinstance(item, Shape) and item.fill.startswith("#1d2730")
    ]
    (shade,) = [shape.geometry for shape in shapes if isinstance(shape.geometry, Polygon)]
    xs, ys = zip(*shade.corners, strict=True)
    assert max(xs) - min(xs) == pytest.approx(45 * 0.5 * 2 / 3**0.5, abs=0.01)
    assert max(ys) - min(ys) == pytest.approx(45 * 0.5, abs=0.01)
