"""Test layers that designs share: they are drawn once, and faces do not affect each other."""

from dataclasses import replace

import pytest

from generator.base.geometry import Size
from generator.base.shapes import fill_box
from generator.draw.art.library import ArtShelf
from generator.draw.draft_marks import mark_faults
from generator.draw.draw import SideArtist, draw_game, sides_of
from generator.draw.layers.text import TextLayer
from tests.tools.make_face import svg_of
from tests.tools.make_pack import loaded, make, svg

LAYOUT = """\
- {fill: white to blue right}
- {svg: art/tree.svg, box: 4 20 32 12mm, opacity: 0.5}
- {text: Always, style: body, box: 4 4 30 5mm}
- {text: $title, style: body, box: 4 10 30 5mm, outline: 0.2mm blue}
- repeat: star
  times: $stars
  at: [6, 34]
  size: 4mm
- group:
  - {text: "Turned :star:", style: body, box: 0 0 20 5mm}
  at: [$left, 20]
  turn: 12
- {icon: star, at: 36 36mm, size: 4mm, colour: $colour}
"""
HEAD = "id,title,stars,left,colour\n"
ROWS = [
    "a,One,2,10,red\n",
    "b,Two,2,10,blue\n",
    "c,One,3,14,red\n",
    "d,Two,3,10,red\n",
    "e,One,2,10,red\n",
]
FILES = {
    "art/tree.svg": svg(
        '<rect width="10" height="4" fill="#00a000"/><path d="M0 0h9" stroke="#000"/>'
    )
}
FILES["art/icons/star.svg"] = svg('<rect width="10" height="10" fill="currentColor"/>')


def draw_faces(folder, rows, component=""):
    game = loaded(make(folder, LAYOUT, HEAD + "".join(rows), files=FILES, component=component))
    return {design.id: design.faces for design in draw_game(game)[0].designs}


@pytest.mark.parametrize("component", ["", "back: mirror", "radius: 6mm"])
def test_faces_drawn_together_equal_faces_drawn_alone(tmp_path, component):
    together = draw_faces(tmp_path / "all", ROWS, component)
    for index, row in enumerate(ROWS):
        for face, alone in zip(
            together[row[0]],
            draw_faces(tmp_path / str(index), [row], component)[row[0]],
            strict=True,
        ):
            assert svg_of(face) == svg_of(alone)
            assert face.keep_inside == alone.keep_inside
    assert len({faces[0].name for faces in together.values()}) == 4, "a and e are equal"


def test_layer_shared_by_designs_is_drawn_once(tmp_path, monkeypatch):
    texts = []
    draw = TextLayer.draw
    monkeypatch.setattr(
        TextLayer, "draw", lambda layer, canvas: texts.append(layer.text) or draw(layer, canvas)
    )
    draw_faces(tmp_path, ROWS)
    assert sorted(texts) == ["Always", "One", "Turned :star:", "Turned :star:", "Two"]


def test_layer_is_drawn_again_for_another_outline_or_bleed(tmp_path):
    game = loaded(make(tmp_path, LAYOUT, HEAD + ROWS[0], files=FILES, component="back: mirror"))
    (card,) = game.components
    cards = (
        card,
        replace(card, outline=fill_box("rect", Size(40, 36))),
        replace(card, bleed=1.0),
        card,
    )
    sides = [side for item in cards for side in sides_of(item, item.designs[0])]
    together = artist(game)
    alone = [svg_of(artist(game).draw(side)[0]) for side in sides]
    assert [svg_of(together.draw(side)[0]) for side in sides] == alone
    assert len(set(alone)) == 6


def artist(game):
    return SideArtist(game, ArtShelf(game.language), mark_faults)
