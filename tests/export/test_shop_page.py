"""Test pictures for a shop's page, read back by Pillow."""

import numpy as np
import pytest
from PIL import Image

from generator.export.targets.shop_page import draw_box, transform_to_quad
from tests.tools.make_deck import deck, opened


@pytest.fixture(scope="module")
def page(tmp_path_factory, pnp):
    out = tmp_path_factory.mktemp("page")
    result = pnp("export", "shop-page", deck(out / "pack", 3, "20 x 30 mm"), "-o", out)
    assert result.exit_code == 0, result.output
    return out / "pack" / "shop-page"


def shares(image, *colour):
    """Return the share of a picture that has nearly a colour."""
    return (np.abs(np.asarray(image.convert("RGB")).astype(int) - colour).max(-1) < 12).mean()


@pytest.mark.parametrize("arrangement", ["fan", "stack", "table"])
def test_shop_picture_shows_fronts_and_only_a_stack_shows_backs(arrangement, page):
    image = opened(page / f"cards-{arrangement}.png")
    assert image.mode == "RGB"
    assert shares(image, 16, 1, 128) > 0.05
    assert (shares(image, 0, 0, 255) > 0.05) == (arrangement == "stack"), "only a stack shows backs"


@pytest.mark.parametrize("ending", ["gif", "webp"])
def test_animated_card_turns_from_front_to_back(ending, page):
    with Image.open(page / f"cards-turn.{ending}") as film:
        assert film.n_frames == 24
        assert film.info["loop"] == 0
        colour_shares = []
        for index in (0, 6, 12):
            film.seek(index)
            colour_shares.append((shares(film, 16, 0, 128), shares(film, 0, 0, 255)))
    assert colour_shares[0][0] > 0.5
    assert max(colour_shares[1]) < 0.1, "the card is seen from its edge"
    assert colour_shares[2][1] > 0.5


def test_corners_of_a_picture_move_to_their_target_points():
    image = Image.new("RGB", (40, 40), "white")
    for at, colour in (((0, 0), "red"), ((20, 0), "lime"), ((20, 20), "blue"), ((0, 20), "black")):
        image.paste(colour, (*at, at[0] + 20, at[1] + 20))
    transformed = transform_to_quad(image, ((50, 20), (150, 40), (190, 180), (10, 160)), (200, 200))
    assert [
        transformed.getpixel(place)[:3] for place in ((55, 28), (145, 48), (180, 170), (20, 152))
    ] == [
        (255, 0, 0),
        (0, 255, 0),
        (0, 0, 255),
        (0, 0, 0),
    ]
    assert transformed.getpixel((5, 5))[3] == 0


def test_box_picture_shows_three_sides():
    sides = (
        Image.new("RGB", size, colour)
        for size, colour in (((60, 90), "red"), ((20, 90), "lime"), ((60, 20), "blue"))
    )
    image = draw_box(*sides)
    assert shares(image, 255, 0, 0) > 0.2
    assert shares(image, 0, 185, 0) > 0.05
    assert shares(image, 0, 0, 230) > 0.02
