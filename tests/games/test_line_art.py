"""Test line art on pixels of all games: no colour, little ink, and links and letters that stay legible."""

from functools import lru_cache
from itertools import combinations

import numpy as np
import pytest

from generator.base.geometry import Rect
from generator.pack.load import PackForm
from generator.pipeline.project import BuildRequest, Project
from tests.games.test_low_ink import ALONG, GAMES, LINKS, contrast, ink, pixels, stretches

VARIANT = "line-art"


@lru_cache(2)
def project(game, variant=VARIANT):
    return Project(BuildRequest(game, form=PackForm(variant=variant)))


def distinct_faces(game):
    return {face.name: face for component in game.components for face in component.faces}.values()


@pytest.mark.parametrize("pack", GAMES)
def test_line_art_has_no_colour_and_room_to_colour(pack):
    game = project(pack)
    shares = []
    for face in distinct_faces(game):
        picture = pixels(game, face, face.full, 60)
        assert np.ptp(picture, axis=-1).max() <= 8, face.label  # rounding of letters in tints
        shares.append((picture.mean(axis=-1) > 200).mean())
        assert shares[-1] > 0.5, face.label
    assert np.mean(shares) > 0.6


@pytest.mark.parametrize("pack", GAMES)
def test_line_art_takes_less_than_half_of_the_ink(pack):
    """Measure little ink, and lines that are there at all."""
    coloured, lines = (ink(game, game.components) for game in (project(pack, ""), project(pack)))
    assert lines < 0.55 * coloured
    assert lines > 0.1 * coloured


@pytest.mark.parametrize("pack", GAMES)
def test_letters_and_icons_stay_legible(pack):
    coloured, lines = project(pack, ""), project(pack)
    lost = []
    for before, after in zip(coloured.components, lines.components, strict=True):
        for old, new in zip(before.faces, after.faces, strict=True):
            for box in (item.box.common(old.full) for item in old.keep_inside):
                was, now = contrast(coloured, old, box), contrast(lines, new, box)
                if was >= 4.5 > now:
                    lost.append((old.label, box, round(was, 1), round(now, 1)))
    assert not lost


@pytest.mark.parametrize("pack", LINKS)
def test_kinds_of_links_differ_by_pattern(pack):
    kinds = stretches(project(pack))
    assert len(kinds) == LINKS[pack]
    for (a, item), (b, other) in combinations(kinds.items(), 2):
        share = min(
            (np.abs(item - np.roll(other, shift, axis=0)) >= 25).mean() for shift in range(ALONG)
        )
        assert share >= 0.08, (a, b, share)


def test_every_neck_of_hydras_is_white_with_outlined_scales():
    """Compare the left ends of all necks: a medallion or a tooth near a scale must not turn it black."""
    faces = faces_with("w:neck", "n-w:neck", "e-w:neck", "w:neck e:neck")
    assert len(faces) == 20
    darkness = {
        face.label: (pixels(project("hydras"), face, NECK, 150) < 128).mean() for face in faces
    }
    assert max(darkness.values()) < 0.35, darkness
    assert max(darkness.values()) - min(darkness.values()) < 0.1, darkness


def test_no_outline_shows_where_a_patch_paints_over_a_neck():
    """Read the card of one head: right of the meander, nothing is drawn above the neck."""
    (face,) = (face for face in faces_with("w:neck") if face.label == "necks:h12 front")
    above = Rect(17.5, 23.4, 9, 1.2)
    assert pixels(project("hydras"), face, above, 150).min() > 200


NECK = Rect(0, 26.2, 7, 11)
"""A neck between its casing, left of the meander."""


def faces_with(*necks):
    game = project("hydras")
    component = game.components[0]
    spec = game.game.components[0]
    return [
        drawn.front
        for design, drawn in zip(spec.designs, component.designs, strict=True)
        if design.row["neck"] in necks
    ]
