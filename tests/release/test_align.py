"""Test components with a new id, and sizes written in another unit."""

from dataclasses import replace

import pytest

from generator.base.fonts import font_set
from generator.base.geometry import Size
from generator.picture.raster import Rasteriser
from generator.release.compare_faces import FaceComparer
from generator.release.compare_releases import align, compare
from generator.release.plan import plan_patch
from tests.tools.make_release import ByName, design, face, release

CARDS = [design("fox", 3), design("oak", 2), design("brook", 4)]
TILES = [design("road", 5), design("river", 1)]


def aligned_ids(old, new):
    return [component.id for component in align(old, new).components]


def test_component_with_a_new_id_is_recognised_by_its_designs():
    old = release("1", ("cards", CARDS), ("tiles", TILES))
    new = release("2", ("paths", TILES), ("deck", [*CARDS[:2], design("hill")]))
    assert aligned_ids(old, new) == ["deck", "paths"]
    patch = plan_patch(compare(align(old, new), new, ByName()), ByName())
    assert [(lot.component.id, lot.design.id) for lot in patch.prints] == [("deck", "hill")]
    assert [(lot.component.id, lot.design.id) for lot in patch.removes] == [("deck", "brook")]


def test_component_with_few_shared_designs_is_not_recognised():
    old = release("1", ("cards", CARDS))
    assert aligned_ids(old, release("2", ("deck", [CARDS[0], *TILES, design("hill")]))) == ["cards"]
    assert aligned_ids(old, release("2", ("cards", TILES), ("deck", CARDS))) == ["cards"], (
        "an id in both releases takes precedence"
    )
    assert aligned_ids(release("1", ("cards", [])), release("2", ("deck", []))) == ["cards"]


@pytest.fixture
def comparer():
    raster = Rasteriser(font_set())
    return FaceComparer(raster, raster)


def test_sizes_that_differ_by_rounding_are_equal(comparer):
    one = face("red", 63.5)
    other = replace(one, size=Size(63.5 + 1e-9, 2.5 * 25.4), bleed=2.0000001)
    assert comparer.look_same(one, other)
    assert comparer.are_identical(one, other)
    assert not comparer.look_same(one, replace(one, size=Size(63.5, 63.6)))
    assert not comparer.are_identical(one, replace(one, bleed=2.1))
