"""Two tiles laid together show one picture, in any turn and either face up."""

import numpy as np
import pytest

from generator.draw.links.patterns import PATTERNS

BLEED = 3.0
TILES = ["e-w", "e-n", "e-s-w", "e-n-s", "e", "n-s e-w", "e-n-s-w", "e-s@x", "e@x n", "s-w e-n"]
"""All have a link on the east side."""

TURNS = {"n": 270, "e": 180, "s": 90, "w": 0}
"""How far clockwise a tile turns so that this side of it comes to lie in the west."""


def face(shoot, parts, outline, turn=0, mirrored=False):
    half = outline.box.w / 2
    flip = "scale(-1 1)" if mirrored else ""
    turned = f"translate({half} {half}) {flip} rotate({turn}) translate({-half} {-half})"
    ground = f'<rect width="{2 * half}" height="{2 * half}" fill="#fff"/>'
    return shoot(parts, (0, 0, 2 * half, 2 * half), 600, turned, ground)[..., :3]


def differing(a, b):
    return int((np.abs(a - b).max(axis=-1) > 80).sum())


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("other", TILES)
def test_any_side_of_a_tile_continues_on_the_next(pattern, other, square, styled, draw_tile, shoot):
    styles = {"a": styled(pattern)}
    left = face(shoot, draw_tile("e-w", square, styles, BLEED).items, square)
    parts = draw_tile(other, square, styles, BLEED).items
    for port in set(other) & set("nesw"):
        right = face(shoot, parts, square, TURNS[port])
        assert differing(left[:, -1], right[:, 0]) <= 12, f"{port} of {other}"


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("other", TILES)
def test_so_does_a_tile_that_lies_face_down(pattern, other, square, styled, draw_tile, shoot):
    styles = {"a": styled(pattern)}
    left = face(shoot, draw_tile("n-e-s", square, styles, BLEED).items, square)
    # a tile seen from behind has its east side in the west
    right = face(shoot, draw_tile(other, square, styles, BLEED).items, square, mirrored=True)
    assert differing(left[:, -1], right[:, 0]) <= 12


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize(("turn", "mirrored"), [(0, False), (180, False), (0, True), (180, True)])
def test_the_pattern_stands_in_the_same_phase_on_both_sides(
    pattern, turn, mirrored, square, styled, draw_tile, shoot
):
    """A few mm to either side of the seam are each other's mirror image, so no phase is lost at the edge."""
    parts = draw_tile("e-w", square, {"a": styled(pattern)}, BLEED).items
    left = face(shoot, parts, square)
    right = face(shoot, parts, square, turn, mirrored)
    near = 40
    mismatch = differing(left[:, -near:], right[:, :near][:, ::-1])
    assert mismatch <= 0.02 * near * left.shape[0]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_bleed_continues_what_the_tile_shows(pattern, square, styled, draw_tile, shoot):
    """Cut half a millimetre too far out, the tile still meets its neighbour."""
    parts = draw_tile("e-w", square, {"a": styled(pattern)}, BLEED).items
    box = square.box
    inside = shoot(parts, (box.w - 0.5, 0, 0.5, box.h), 600)
    outside = shoot(parts, (box.w, 0, 0.5, box.h), 600)
    assert differing(inside, outside[:, ::-1]) <= 0.02 * inside.shape[0] * inside.shape[1]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("other", ["s-n", "s-ne", "s-se", "s-ne-nw", "s", "s-n ne-sw", "s-sw@x"])
def test_hexagons_too(pattern, other, hexagon, styled, draw_tile, shoot):
    """The south of any tile is the mirror image, upside down, of the north of any other."""
    styles = {"a": styled(pattern)}
    box = hexagon.box
    strip = 0.05
    upper = shoot(
        draw_tile("s-n", hexagon, styles, BLEED).items, (0, box.h - strip, box.w, strip), 600
    )
    lower = shoot(
        draw_tile(other, hexagon, styles, BLEED).items, (0, box.h - strip, box.w, strip), 600
    )
    assert differing(upper[-1], lower[-1]) <= 12
    assert differing(upper[-1], lower[-1][::-1]) <= 12
