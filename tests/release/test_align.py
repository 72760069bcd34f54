"""Components that were given another id, and sizes that are written in another unit."""

from dataclasses import replace

import pytest

from generator.base.fonts import font_set
from generator.base.geometry import Size
from generator.picture.raster import Rasteriser
from generator.release.compare import align, compare
from generator.release.plan import plan_patch
from generator.release.same_look import FaceComparer
from tests.tools.make_release import ByName, design, face, release

CARDS = [design("fox", 3), design("oak", 2), design("brook", 4)]
TILES = [design("road", 5), design("river", 1)]


def names(old, new):
    return [component.id for component in align(old, new).components]


def test_a_component_with_another_id_is_the_same_component():
    old = release("1", ("cards", CARDS), ("tiles", TILES))
    new = release("2", ("paths", TILES), ("deck", [*CARDS[:2], design("hill")]))
    assert names(old, new) == ["deck", "paths"]
    patch = plan_patch(compare(align(old, new), new, ByName()), ByName())
    assert [(lot.component.id, lot.design.id) for lot in patch.prints] == [("deck", "hill")]
    assert [(lot.component.id, lot.design.id) for lot in patch.removes] == [("deck", "brook")]


def test_what_shares_little_is_another_component():
    old = release("1", ("cards", CARDS))
    assert names(old, release("2", ("deck", [CARDS[0], *TILES, design("hill")]))) == ["cards"]
    assert names(old, release("2", ("cards", TILES), ("deck", CARDS))) == ["cards"], (
        "an id that stays is kept"
    )
    assert names(release("1", ("cards", [])), release("2", ("deck", []))) == ["cards"]


@pytest.fixture
def comparer():
    raster = Rasteriser(font_set())
    return FaceComparer(raster, raster)


def test_an_inch_is_not_another_size_for_its_last_digit(comparer):
    one = face("red", 63.5)
    other = replace(one, size=Size(63.5 + 1e-9, 2.5 * 25.4), bleed=2.0000001)
    assert comparer.look_same(one, other)
    assert comparer.are_identical(one, other)
    assert not comparer.look_same(one, replace(one, size=Size(63.5, 63.6)))
    assert not comparer.are_identical(one, replace(one, bleed=2.1))
