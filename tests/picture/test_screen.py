"""Test photographs for web pages: their resolution, and the stored small copy for cards."""

import io
from functools import cache

import pytest
from PIL import Image

from generator.base.geometry import Size
from generator.base.spill import SpillFile, spill
from generator.picture.images import read_pixels
from generator.picture.web_parts import SCREEN_DPI, reduce_for_screen


@cache
def photograph(kind, mode="RGB", size=(1500, 2100)):
    """Return the stored picture of a file of noise."""
    noise = [Image.effect_noise(size, 60) for _ in mode]
    buffer = io.BytesIO()
    picture = Image.merge(mode, noise) if len(mode) > 1 else noise[0]
    picture.save(buffer, kind)
    return read_pixels("a", buffer.getvalue(), SpillFile()).spilled


def reduce_picture(picture, box):
    kind, data = reduce_for_screen(picture, box)
    with Image.open(io.BytesIO(data)) as image:
        image.load()
        return kind, image


WIDTH = 1000
"""Pixels across the photographs: fewer than the widest box shows, more than twice those of the others."""


@pytest.mark.parametrize("mm", [20, 40, 63.5, 400])
@pytest.mark.parametrize(
    ("kind", "mode", "ending"),
    [("JPEG", "RGB", "jpg"), ("PNG", "L", "png"), ("PNG", "RGB", "jpg"), ("PNG", "RGBA", "webp")],
)
def test_photograph_for_a_page_has_the_resolution_of_a_screen(mm, kind, mode, ending):
    picture = photograph(kind, mode, (WIDTH, 1400))
    ending_of_copy, image = reduce_picture(picture, Size(mm, mm * 1.4))
    expected_width = mm / 25.4 * SCREEN_DPI
    assert ending_of_copy == ending
    assert image.width >= min(WIDTH, expected_width - 1)
    assert image.width <= max(2 * expected_width, 400), "at most twice the resolution of a screen"
    assert image.has_transparency_data == (mode == "RGBA")


def test_photograph_of_a_card_comes_from_its_stored_small_copy():
    picture = photograph("JPEG")
    unread = spill(b"nothing that anybody could read")
    object.__setattr__(unread, "smaller", picture.smaller)
    assert reduce_picture(unread, Size(63.5, 88.9))[1].size == (375, 525)


def test_metadata_of_a_photograph_is_removed():
    """Place and camera of a photograph are private."""
    image = Image.effect_noise((200, 200), 60).convert("RGB")
    buffer = io.BytesIO()
    exif = Image.Exif()
    exif[0x010F] = "A camera of mine"
    image.save(buffer, "JPEG", exif=exif)
    assert b"camera" in buffer.getvalue()
    _, data = reduce_for_screen(
        read_pixels("a", buffer.getvalue(), SpillFile()).spilled, Size(40, 40)
    )
    assert b"camera" not in data
