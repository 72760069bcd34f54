"""Test line art on pixels of all games: no colour, little ink, and links and letters that stay legible."""

from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from generator.base.geometry import Rect
from tests.games.test_low_ink import ALONG, GAMES, LINKS, stretches
from tests.tools.face_looks import in_colour, in_line_art, pixels, project_in_line_art


@pytest.mark.parametrize("pack", GAMES)
def test_line_art_has_no_colour_and_room_to_colour(pack):
    faces = in_line_art(pack).distinct_faces()
    for face in faces:
        assert face.max_colour <= 8, face.label  # rounding of letters in tints
        assert face.light_share > 0.5, face.label
    assert np.mean([face.light_share for face in faces]) > 0.6


@pytest.mark.parametrize("pack", GAMES)
def test_line_art_takes_less_than_half_of_the_ink(pack):
    """Expect little ink, but more than that of an empty sheet."""
    share = in_line_art(pack).ink / in_colour(pack).ink
    assert 0.1 < share < 0.55


@pytest.mark.parametrize("pack", GAMES)
def test_covers_of_booklets_are_for_colouring_in(pack):
    """Look at the covers, the banner and the fillers: no colour is left, and most of each is white."""
    project = project_in_line_art(pack)
    style = project.rules.style
    art = style.theme.pictures
    for face in (style.cover, art.back, art.first, *art.fillers):
        picture = project.raster.face(face, 40).convert("RGBA")
        paper = Image.new("RGBA", picture.size, "white")
        rgb = np.asarray(Image.alpha_composite(paper, picture).convert("RGB")).astype(int)
        assert (rgb.max(axis=2) - rgb.min(axis=2)).max() <= 8
        assert (rgb.min(axis=2) > 200).mean() > 0.5


def test_discs_below_numbers_of_steps_keep_their_colour():
    """The numbers of Hydras' steps are light, and would vanish on white discs."""
    project = project_in_line_art("hydras")
    theme = project.rules.style.theme
    disc = project.raster.face(theme.pictures.numeral, 40).convert("L")
    assert disc.getpixel((disc.width // 2, disc.height // 2)) < 60


@pytest.mark.parametrize("pack", GAMES)
def test_letters_and_icons_stay_legible(pack):
    lost = [
        (face.label, box, round(was, 1), round(now, 1))
        for face, box, was, now in in_colour(pack).contrasts_with(in_line_art(pack))
        if was >= 4.5 > now
    ]
    assert not lost


@pytest.mark.parametrize("pack", LINKS)
def test_kinds_of_links_differ_by_pattern(pack):
    kinds = stretches(project_in_line_art(pack))
    assert len(kinds) == LINKS[pack]
    for (a, item), (b, other) in combinations(kinds.items(), 2):
        share = min(
            (np.abs(item - np.roll(other, shift, axis=0)) >= 25).mean() for shift in range(ALONG)
        )
        assert share >= 0.08, (a, b, share)


def front_of(pack, name):
    """Return the front of a design in line art."""
    designs = (design for part in project_in_line_art(pack).components for design in part.designs)
    return next(design.front for design in designs if design.id == name)


def test_fields_of_greenways_have_no_outline():
    """Look along the left edge of a field: players take outlined blocks for buildings."""
    field = Rect(1.9, 5, 0.8, 16)
    street = front_of("greenways", "street")
    assert pixels(project_in_line_art("greenways"), street, field, 150).min() > 230


def test_city_blocks_of_fire_engines_keep_their_dots():
    """Compare a city block with the lawn: one line between them does not tell which is which."""
    pack = "urban-insanity-fire-engines"
    tile = front_of(pack, "building")
    block, lawn = (
        (pixels(project_in_line_art(pack), tile, box, 150) < 230).mean()
        for box in (Rect(33, 0.5, 3, 3.5), Rect(28, 31, 8, 6))
    )
    assert 0.1 < block < 0.6
    assert lawn < 0.01


def test_every_neck_of_hydras_is_white_with_outlined_scales():
    """Compare the left ends of all necks: a medallion or a tooth near a scale must not turn it black."""
    faces = faces_with("w:neck", "n-w:neck", "e-w:neck", "w:neck e:neck")
    assert len(faces) == 20
    game = project_in_line_art("hydras")
    darkness = {face.label: (pixels(game, face, NECK, 150) < 128).mean() for face in faces}
    assert max(darkness.values()) < 0.35, darkness
    assert max(darkness.values()) - min(darkness.values()) < 0.1, darkness


def test_no_outline_shows_where_a_patch_paints_over_a_neck():
    """Read the card of one head: right of the meander, nothing is drawn above the neck."""
    (face,) = (face for face in faces_with("w:neck") if face.label == "necks:h12 front")
    above = Rect(17.5, 23.4, 9, 1.2)
    assert pixels(project_in_line_art("hydras"), face, above, 150).min() > 200


@pytest.mark.parametrize(
    ("pack", "design", "line"),
    [
        ("hydras", "l01", Rect(45.2, 36.9, 2, 1.2)),
        ("buizen-wir-war", "cover", Rect(4.9, 19, 1, 2)),
    ],
    ids=["a wide red ring on clay", "a dark outline on dark asphalt"],
)
def test_lines_that_players_saw_in_colour_stay_black(pack, design, line):
    """Without its ring, the picture of the labour Unburned asks for a torch instead of for none."""
    picture = pixels(project_in_line_art(pack), front_of(pack, design), line, 150)
    assert picture.min() < 60


def test_black_discs_keep_their_light_ring():
    """Look at the ring between the numeral's disc and the meander: without it, both are one blot."""
    ring = Rect(9.5, 3.4, 1, 0.4)
    assert pixels(project_in_line_art("hydras"), front_of("hydras", "h12"), ring, 150).min() > 200


NECK = Rect(0, 26.2, 7, 11)
"""A neck between its casing, left of the meander."""


def faces_with(*necks):
    game = project_in_line_art("hydras")
    component = game.components[0]
    spec = game.game.components[0]
    return [
        drawn.front
        for design, drawn in zip(spec.designs, component.designs, strict=True)
        if design.row["neck"] in necks
    ]
