"""Test low ink on pixels of all packs: contrasts stay, and links differ in a grey print."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from generator.base.geometry import Rect
from generator.pipeline.printing import PrintOptions
from generator.pipeline.project import BuildRequest, Project

GAMES = sorted(path.parent.name for path in Path("templates").glob("*/game.yaml"))
PACKS = sorted(
    str(path.parent)
    for place in ("tests/data/packs", "generator/starters")
    for path in Path(place).glob("*/game.yaml")
)
LETTERS_DPI = 200
LINKS_DPI = 150
ACROSS = 24
ALONG = 160
"""Size in pixels of a stretch of link that is compared with others."""


@pytest.fixture(scope="module")
def game(request):
    """Return the project of a pack; its tests run one after the other, so that it is drawn once."""
    return Project(BuildRequest(request.param, options=(PrintOptions(low_ink=True),)))


def pixels(game, face, window, dpi):
    """Return the pixels of a part of a face on white paper."""
    picture = game.raster.face(face, dpi, window)
    paper = Image.new("RGBA", picture.size, "white")
    paper.alpha_composite(picture)
    return np.asarray(paper.convert("RGB")).astype(float)


def luminance(rgb):
    share = rgb / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def contrast(game, face, box):
    dark, light = np.quantile(luminance(pixels(game, face, box, LETTERS_DPI)), [0.02, 0.98])
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("game", [*GAMES, *PACKS], indirect=True)
def test_text_and_icons_keep_their_contrast(game):
    faces = {}
    for before, after in zip(game.components_in_full_ink, game.components, strict=True):
        faces |= {old.name: (old, new) for old, new in zip(before.faces, after.faces, strict=True)}
    assert faces
    lost = []
    for old, new in faces.values():
        for box in (item.box.common(old.full) for item in old.keep_inside):
            was, now = (contrast(game, face, box) for face in (old, new))
            if now < 4.5 and (was >= 4.5 or now < 0.8 * was):
                lost.append((old.label, box, round(was, 1), round(now, 1)))
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
    grey = Image.fromarray(pixels(game, face, window, LINKS_DPI).astype("uint8")).convert("L")
    upright = grey.transpose(Image.Transpose.ROTATE_90) if is_level else grey
    levels = np.asarray(upright.resize((ACROSS, ALONG))).astype(float)
    return 116 * np.cbrt(luminance(np.repeat(levels[..., None], 3, axis=2))) - 16


LINKS = {"buizen-wir-war": 4, "greenways": 2, "hoses-and-hydrants": 4}


@pytest.mark.parametrize("game", LINKS, indirect=True)
def test_kinds_of_links_differ_in_luminance_alone(game):
    stretches_by_kind = stretches(game)
    assert len(stretches_by_kind) == LINKS[game.request.pack]
    for (a, item), (b, other) in combinations(stretches_by_kind.items(), 2):
        differing_share = min(
            (np.abs(item - np.roll(other, shift, axis=0)) >= 25).mean() for shift in range(ALONG)
        )
        assert differing_share >= 0.05, (a, b, differing_share)


@pytest.mark.parametrize("game", ["hoses-and-hydrants"], indirect=True)
def test_front_and_back_of_a_hose_have_the_same_lightness(game):
    """Compare the sides of a tile, which is played either side up."""
    (component,) = game.components
    straight = next(design for design in component.designs if design.id == "red-straight")
    front, back = (
        stretch(game, face, 6.4, is_level=False) for face in (straight.front, straight.back)
    )
    assert np.abs(front - back[:, ::-1]).mean() < 3


@pytest.mark.parametrize("game", GAMES, indirect=True)
def test_low_ink_saves_a_third_of_the_ink(game):
    full, low = (
        ink(game, components) for components in (game.components_in_full_ink, game.components)
    )
    assert low < 0.67 * full


def ink(game, components):
    """Return the ink on all pieces, which is that of each pixel's darkest channel."""
    designs = [design for component in components for design in component.designs]
    return sum(design.count * covered(game, face) for design in designs for face in design.faces)


def covered(game, face):
    return (255 - pixels(game, face, Rect(0, 0, *face.size), 30).min(axis=2)).sum()


MOSS = np.array([134, 169, 92])
"""The scales of Hydras in full ink."""


@pytest.mark.parametrize("game", ["hydras"], indirect=True)
def test_all_skins_and_leaves_of_hydras_become_tints(game):
    """Look for scales in full ink, and for dark leaves in a corner of the bodies."""
    necks, bodies = game.components[:2]
    for design in (*necks.designs, *bodies.designs):
        picture = pixels(game, design.front, Rect(0, 0, *design.front.size), 60)
        near_moss = np.abs(picture - MOSS).max(axis=-1) < 12
        assert near_moss.mean() < 0.002, design.front.label
    for design in bodies.designs:
        corner = pixels(game, design.front, Rect(49.5, 8.5, 5.5, 5.5), 100)
        assert corner.min() > 120, design.front.label
