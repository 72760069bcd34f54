"""Test that two tiles placed side by side show one picture, in any turn and either face up."""

import numpy as np
import pytest

from generator.draw.links.patterns import PATTERNS

BLEED = 3.0
TILES = ["e-w", "e-n", "e-s-w", "e-n-s", "e", "n-s e-w", "e-n-s-w", "e-s@x", "e@x n", "s-w e-n"]
"""Tiles that all have a link on the east side."""

TURNS = {"n": 270, "e": 180, "s": 90, "w": 0}
"""Clockwise turn in degrees that brings each side to the west."""


EDGE = 0.05
"""The width in mm of a strip along an edge: one pixel, since rendering whole tiles takes far longer."""


def face(render_items, parts, outline, turn=0, mirrored=False, window=None):
    """Return the pixels of a turned tile, or of a window in mm on it."""
    half = outline.box.w / 2
    flip = "scale(-1 1)" if mirrored else ""
    turned = f"translate({half} {half}) {flip} rotate({turn}) translate({-half} {-half})"
    ground = f'<rect width="{2 * half}" height="{2 * half}" fill="#fff"/>'
    box = window or (0, 0, 2 * half, 2 * half)
    return render_items(parts, box, 600, turned, ground)[..., :3]


def east_edge(render_items, parts, outline):
    box = outline.box
    return face(render_items, parts, outline, window=(box.w - EDGE, 0, EDGE, box.h))[:, -1]


def west_edge(render_items, parts, outline, turn=0, mirrored=False):
    window = (0, 0, EDGE, outline.box.h)
    return face(render_items, parts, outline, turn, mirrored, window)[:, 0]


def differing(a, b):
    return int((np.abs(a - b).max(axis=-1) > 80).sum())


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("other", TILES)
def test_every_side_of_a_tile_continues_on_the_next(
    pattern, other, square, link_style, draw_tile, render_items
):
    styles = {"a": link_style(pattern)}
    left = east_edge(render_items, draw_tile("e-w", square, styles, BLEED).items, square)
    assert np.ptp(left, axis=0).max() > 80, "no link reaches the edge"
    parts = draw_tile(other, square, styles, BLEED).items
    for port in set(other) & set("nesw"):
        right = west_edge(render_items, parts, square, TURNS[port])
        assert differing(left, right) <= 12, f"{port} of {other}"


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("other", TILES)
def test_tile_face_down_continues_on_the_next(
    pattern, other, square, link_style, draw_tile, render_items
):
    styles = {"a": link_style(pattern)}
    left = east_edge(render_items, draw_tile("n-e-s", square, styles, BLEED).items, square)
    # a tile seen from behind has its east side in the west
    parts = draw_tile(other, square, styles, BLEED).items
    right = west_edge(render_items, parts, square, mirrored=True)
    assert differing(left, right) <= 12


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize(("turn", "mirrored"), [(0, False), (180, False), (0, True), (180, True)])
def test_pattern_has_same_phase_on_both_sides_of_a_seam(
    pattern, turn, mirrored, square, link_style, draw_tile, render_items
):
    """Compare a few mm on either side of the seam, which mirror each other."""
    parts = draw_tile("e-w", square, {"a": link_style(pattern)}, BLEED).items
    left = face(render_items, parts, square)
    right = face(render_items, parts, square, turn, mirrored)
    near = 40
    mismatch = differing(left[:, -near:], right[:, :near][:, ::-1])
    assert mismatch <= 0.02 * near * left.shape[0]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_bleed_continues_links_of_the_tile(pattern, square, link_style, draw_tile, render_items):
    """Compare half a millimetre inside the cut with half a millimetre outside."""
    parts = draw_tile("e-w", square, {"a": link_style(pattern)}, BLEED).items
    box = square.box
    inside = render_items(parts, (box.w - 0.5, 0, 0.5, box.h), 600)
    outside = render_items(parts, (box.w, 0, 0.5, box.h), 600)
    assert differing(inside, outside[:, ::-1]) <= 0.02 * inside.shape[0] * inside.shape[1]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("other", ["s-n", "s-ne", "s-se", "s-ne-nw", "s", "s-n ne-sw", "s-sw@x"])
def test_every_side_of_a_hexagon_continues_on_the_next(
    pattern, other, hexagon, link_style, draw_tile, render_items
):
    """Compare the south side of tiles with each other and with their mirror image."""
    styles = {"a": link_style(pattern)}
    box = hexagon.box
    strip = 0.05
    upper = render_items(
        draw_tile("s-n", hexagon, styles, BLEED).items, (0, box.h - strip, box.w, strip), 600
    )
    lower = render_items(
        draw_tile(other, hexagon, styles, BLEED).items, (0, box.h - strip, box.w, strip), 600
    )
    assert differing(upper[-1], lower[-1]) <= 12
    assert differing(upper[-1], lower[-1][::-1]) <= 12
