"""Test that the convex outline of a picture's ink is the outline of its pixels."""

from io import BytesIO

import pytest
from PIL import Image
from resvg import render, usvg

from generator.base import polygon
from generator.base.geometry import Point
from generator.draw.art.ink_outline import ink_outline
from generator.draw.art.library import ArtShelf
from generator.draw.art.read import read_art
from generator.pack.folder import Asset
from tests.tools.make_pack import svg

PIXELS_PER_UNIT = 20

# The outline has mitred corners; resvg's lines here have round or butt ends, which lie inside by
# half the width.
ROUND_ENDS = {"a line with a width": 1.0, "a style": 0.5}

PICTURES = {
    "a circle": '<circle cx="5" cy="5" r="3"/>',
    "an ellipse that is turned": '<ellipse cx="5" cy="5" rx="4" ry="1" transform="rotate(30 5 5)"/>',
    "round corners": '<rect x="1" y="2" width="8" height="6" rx="3"/>',
    "a line with a width": '<path d="M2 2L8 8" stroke="red" stroke-width="2" fill="none"/>',
    "a thick frame": '<rect x="3" y="3" width="4" height="4" fill="none" stroke="blue" stroke-width="2"/>',
    "nothing that is not painted": '<rect width="10" height="10" fill="none"/><path d="M2 2h3v3z"/>',
    "nothing hidden": '<rect width="10" height="10" display="none"/><g visibility="hidden"><path d="M0 0h9v9z"/></g>'
    '<g opacity="0"><path d="M0 0h9v9z"/></g><circle cx="3" cy="4" r="2"/>',
    "nothing in definitions": '<defs><rect width="10" height="10"/></defs><polygon points="1,1 4,1 2,6"/>',
    "groups with transforms": '<g transform="translate(5 5) scale(2)"><g transform="rotate(45)">'
    '<path d="M-1-1H1V1H-1z"/></g></g>',
    "what use repeats": '<defs><path id="a" d="M0 0h2v1z"/></defs><use xlink:href="#a" x="3" y="4"/>'
    '<use xlink:href="#a" transform="translate(6 6) rotate(90)"/>',
    "a symbol in its box": '<symbol id="s" viewBox="0 0 100 50"><circle cx="50" cy="25" r="25"/></symbol>'
    '<use xlink:href="#s" x="2" y="2" width="6" height="6"/>',
    "a picture inside": '<svg x="1" y="2" width="8" height="4" viewBox="0 0 10 10">'
    '<rect width="10" height="10"/></svg>',
    "a clip path": '<clipPath id="c"><circle cx="4" cy="4" r="3"/></clipPath>'
    '<path d="M0 0H10V10z" clip-path="url(#c)"/>',
    "only what is in view": '<circle cx="9" cy="5" r="4"/>',
    "a style": '<g style="fill:none;stroke:#000;stroke-width:1"><path d="M2 3C2 9 8 9 8 3"/></g>',
    "small units": '<g transform="scale(1000)"><circle cx=".005" cy=".005" r=".003"/></g>',
    "a share of the picture": '<circle cx="50%" cy="40%" r="2"/>',
}


SIZE = 10 * PIXELS_PER_UNIT


def hull_of_pixels(text):
    """Return the convex hull of the opaque pixels as resvg renders them, in the picture's units."""
    sized = text.replace("<svg ", f'<svg width="{SIZE}" height="{SIZE}" ', 1)
    png = bytes(render(usvg.Tree.from_str(sized, usvg.Options.default()), (1, 0, 0, 0, 1, 0)))
    alpha = (
        Image.open(BytesIO(png))
        .convert("RGBA")
        .getchannel("A")
        .point(lambda value: 255 if value > 127 else 0)
    )
    places = []
    for row in range(SIZE):
        if box := alpha.crop((0, row, SIZE, row + 1)).getbbox():
            places += [Point(x, y) for x in (box[0], box[2]) for y in (row, row + 1)]
    return [place.scaled(1 / PIXELS_PER_UNIT) for place in polygon.hull(places)]


@pytest.mark.parametrize("name", PICTURES)
def test_ink_outline_is_convex_hull_of_pixels(name):
    text = svg(PICTURES[name])
    outline = ink_outline(read_art(text.encode(), name), ())
    pixel_hull = hull_of_pixels(text)
    for place in pixel_hull:
        assert polygon.depth(outline, place) > -0.08, "all pixels lie inside the outline"
    for place in outline:
        assert polygon.depth(pixel_hull, place) > -0.08 - ROUND_ENDS.get(name, 0), (
            "the outline touches the pixels"
        )


def test_text_counts_as_boxes_of_its_lines(tmp_path, fonts):
    (tmp_path / "t.svg").write_text(
        svg('<text x="20" y="50" font-size="20">HHH</text>', "0 0 100 100")
    )
    outline = ArtShelf().outline(Asset("t.svg", tmp_path / "t.svg"), fonts)
    box = polygon.box_around(outline)
    assert box.x == pytest.approx(-0.3, abs=0.03)
    assert box.bottom == pytest.approx(0, abs=0.01)
    assert 0.3 < box.w < 0.5
    assert 0.1 < box.h < 0.16


@pytest.mark.parametrize("body", ["", '<path d="M0 0 nonsense"/>'])
def test_art_without_known_ink_counts_as_its_page(body):
    assert set(ink_outline(read_art(svg(body).encode(), "x"), ())) == {
        (0, 0),
        (10, 0),
        (10, 10),
        (0, 10),
    }
