"""Test the resolution in dpi of images in a picture, in every place and at every scale."""

import base64
import io

import pytest
from PIL import Image

from generator.draw.art.images import embedded_images
from generator.draw.art.read import read_art

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">'
PIXELS = (20, 10)


def find_images(body):
    """Return the origin of each image and its dpi, with mm as units."""
    png = io.BytesIO()
    Image.new("L", PIXELS).save(png, "PNG")
    address = base64.b64encode(png.getvalue()).decode()
    body = body.replace("<image", f'<image href="data:image/png;base64,{address}"')
    every = embedded_images(read_art(f"{HEAD}{body}</svg>".encode(), "a.svg"))
    return [((item.matrix.e, item.matrix.f), item.dpi(1, 1)) for item in every]


TILE = """<pattern id="p" patternContentUnits="objectBoundingBox" width="1" height="1">
    <image width="1" height="1" preserveAspectRatio="none"/></pattern>"""
SYMBOL = '<symbol id="s" viewBox="0 0 10 10"><image width="10"/></symbol>'


@pytest.mark.parametrize(
    ("body", "at", "dpi"),
    [
        ('<image x="3" y="4" width="10" height="5"/>', (3, 4), 50.8),
        ('<image height="5"/>', (0, 0), 50.8),
        ('<image width="10"/>', (0, 0), 50.8),
        ('<image height="5" preserveAspectRatio="none"/>', (0, 0), 50.8),
        ("<image/>", (0, 0), 25.4),
        (
            '<g transform="translate(1 2) scale(2)"><image x="3" width="10" height="5"/></g>',
            (7, 2),
            25.4,
        ),
        (
            '<svg x="5" y="6" width="20" height="20" viewBox="0 0 10 10"><image width="10"/></svg>',
            (5, 6),
            25.4,
        ),
        ('<defs><image id="i" x="1" width="10"/></defs><use href="#i" x="3" y="4"/>', (4, 4), 50.8),
        (f'{SYMBOL}<use href="#s" x="3" y="4" width="20" height="20"/>', (3, 4), 25.4),
        (f'{TILE}<rect x="1" y="2" width="10" height="5" fill="url(#p)"/>', (1, 2), 50.8),
        (f'{TILE}<ellipse cx="6" cy="9" rx="5" ry="2.5" fill="url(#p)"/>', (1, 6.5), 50.8),
    ],
)
def test_embedded_image_has_its_position_and_dpi(body, at, dpi):
    ((place, found_dpi),) = find_images(body)
    assert place == pytest.approx(at)
    assert found_dpi == pytest.approx(dpi)


@pytest.mark.parametrize(
    "body",
    [
        "<defs><image/></defs>",
        '<g display="none"><image/></g>',
        '<image width="0" height="5"/>',
        '<pattern id="p"><image/></pattern><rect width="9" height="9" fill="red"/>',
    ],
)
def test_image_that_is_not_visible_has_no_dpi(body):
    assert not find_images(body)


def test_image_is_found_through_a_chain_of_uses():
    """Follow a chain of uses of the greatest depth; groups between do not count."""
    chain = "".join(f'<g id="g{n + 1}"><use href="#g{n}"/></g>' for n in range(11))
    body = f'<defs><g id="g0"><image width="10"/></g>{chain}</defs><use href="#g11"/>'
    assert [dpi for _, dpi in find_images(body)] == pytest.approx([50.8])
