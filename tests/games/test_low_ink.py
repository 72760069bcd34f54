"""Test low ink on pixels of all packs: contrasts stay, and links differ in a grey print."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from generator.base.geometry import Rect
from tests.tools.face_looks import (
    in_colour,
    in_low_ink,
    luminance,
    on_paper,
    pixels,
    project_in_low_ink,
)

GAMES = sorted(path.parent.name for path in Path("templates").glob("*/game.yaml"))
PACKS = sorted(
    str(path.parent)
    for place in ("tests/data/packs", "generator/starters")
    for path in Path(place).glob("*/game.yaml")
)
LINKS_DPI = 150
ACROSS = 24
ALONG = 160
"""Size in pixels of a stretch of link that is compared with others."""


@pytest.mark.parametrize(
    "pack", [*PACKS, *GAMES]
)  # games last: the next tests use their cached projects
def test_text_and_icons_keep_their_contrast(pack):
    assert in_colour(pack).distinct_faces()
    lost = [
        (face.label, box, round(was, 1), round(now, 1))
        for face, box, was, now in in_colour(pack).contrasts_with(in_low_ink(pack))
        if now < 4.5 and (was >= 4.5 or now < 0.8 * was)
    ]
    assert not lost


def stretches(game):
    """Return the lightness of a straight stretch of each kind of link, from tiles with one link."""
    stretches_by_kind = {}
    for spec, component in zip(game.game.components, game.components, strict=True):
        for design, drawn_design in zip(spec.designs, component.designs, strict=True):
            for side, face in (
                (design.front, drawn_design.front),
                (design.back, drawn_design.back),
            ):
                if (
                    side is None
                    or face is None
                    or len(side.tile.links) != 1
                    or side.tile.links[0].feature
                ):
                    continue
                link = side.tile.links[0]
                if link.kind not in stretches_by_kind and set(link.ports) in (
                    {"n", "s"},
                    {"e", "w"},
                ):
                    width = game.game.links[link.kind].width
                    stretches_by_kind[link.kind] = stretch(
                        game, face, width, is_level="e" in link.ports
                    )
    return stretches_by_kind


def stretch(game, face, width, *, is_level):
    w, h = face.size
    window = Rect(0, (h - width) / 2, w, width) if is_level else Rect((w - width) / 2, 0, width, h)
    grey = on_paper(game.raster.face(face, LINKS_DPI, window)).convert("L")
    upright = grey.transpose(Image.Transpose.ROTATE_90) if is_level else grey
    levels = np.asarray(upright.resize((ACROSS, ALONG)))
    return 116 * np.cbrt(luminance(np.repeat(levels[..., None], 3, axis=2))) - 16


LINKS = {"buizen-wir-war": 4, "greenways": 2, "hoses-and-hydrants": 4}


@pytest.mark.parametrize("pack", LINKS)
def test_kinds_of_links_differ_in_luminance_alone(pack):
    stretches_by_kind = stretches(project_in_low_ink(pack))
    assert len(stretches_by_kind) == LINKS[pack]
    for (a, item), (b, other) in combinations(stretches_by_kind.items(), 2):
        differing_share = min(
            (np.abs(item - np.roll(other, shift, axis=0)) >= 25).mean() for shift in range(ALONG)
        )
        assert differing_share >= 0.05, (a, b, differing_share)


def test_front_and_back_of_a_hose_have_the_same_lightness():
    """Compare the sides of a tile, which is played either side up."""
    game = project_in_low_ink("hoses-and-hydrants")
    (component,) = game.components
    straight = next(design for design in component.designs if design.id == "red-straight")
    front, back = (
        stretch(game, face, 6.4, is_level=False) for face in (straight.front, straight.back)
    )
    assert np.abs(front - back[:, ::-1]).mean() < 3


@pytest.mark.parametrize("pack", GAMES)
def test_low_ink_saves_a_third_of_the_ink(pack):
    assert in_low_ink(pack).ink < 0.67 * in_colour(pack).ink


MOSS = np.array([134, 169, 92])
"""The scales of Hydras in full ink."""


def test_all_skins_and_leaves_of_hydras_become_tints():
    """Look for scales in full ink, and for dark leaves in a corner of the bodies."""
    game = project_in_low_ink("hydras")
    necks, bodies = game.components[:2]
    for design in (*necks.designs, *bodies.designs):
        picture = pixels(game, design.front, Rect(0, 0, *design.front.size), 60)
        near_moss = np.abs(picture - MOSS).max(axis=-1) < 12
        assert near_moss.mean() < 0.002, design.front.label
    for design in bodies.designs:
        corner = pixels(game, design.front, Rect(49.5, 8.5, 5.5, 5.5), 100)
        assert corner.min() > 120, design.front.label
