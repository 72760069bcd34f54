"""Test low ink: fills that become tints, fills that stay, and the tints of links."""

import io

import pytest
from PIL import Image

from generator.base.colours import channels_of, lightness, mix_with_paper, to_hex
from generator.base.geometry import Rect, Size
from generator.base.spill import SpillFile
from generator.draw.art.low_ink_svg import tint_art
from generator.draw.links.patterns import PATTERNS
from generator.draw.low_ink_game import MIN_LIGHTNESS_GAP, choose_shares
from generator.pack.game import LinkStyle
from generator.picture.face import Face, KeepInside
from generator.picture.images import read_pixels
from generator.picture.items import Art, Box, Path, PlacedArt, PlacedImage, Shape, Stroke
from generator.picture.low_ink_items import DEFAULT_SHARE, InkSaver, Tints, large_colours

RED = "#d2302b"
BLACK = "#18242f"
TILE = Size(40, 40)


def box(w, h, fill, stroke=None):
    return Shape(Box(Rect(2, 2, w, h)), fill, stroke)


def in_low_ink(*items, size=TILE):
    """Return the items of a face in low ink."""
    face = Face(items, size)
    return InkSaver(Tints(large_colours([face])), tint_art).face(face).items


def tint(colour):
    return to_hex(mix_with_paper(channels_of(colour), DEFAULT_SHARE))


def art(inner, box_mm=40):
    """Return art of 40 x 40 units, placed `box_mm` wide."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">{inner}</svg>'
    return PlacedArt(Art("art", svg, Rect(0, 0, 40, 40)), Rect(0, 0, box_mm, box_mm))


def art_in_low_ink(inner, box_mm=40, size=TILE):
    (placed,) = in_low_ink(art(inner, box_mm), size=size)
    return placed.art.svg


def test_large_fill_becomes_a_tint_and_small_fill_stays():
    large, small = in_low_ink(box(30, 10, RED), box(5, 5, "#2476c0"))
    assert large.fill == tint(RED)
    assert small.fill == "#2476c0"


def test_small_fill_becomes_a_tint_if_its_colour_fills_a_large_area():
    """Fill a large and a small box with one colour, as the hoses of two tiles."""
    assert [shape.fill for shape in in_low_ink(box(30, 10, RED), box(6, 6, RED))] == [tint(RED)] * 2


def test_black_fill_and_lines_keep_their_colour():
    (pipe,) = in_low_ink(box(30, 10, BLACK, Stroke(0.7, RED)))
    assert pipe.fill == BLACK
    assert pipe.stroke == Stroke(0.7, RED)


def test_black_background_becomes_a_tint():
    background, bar = in_low_ink(box(36, 36, BLACK), box(30, 10, "#000000"))
    assert background.fill == tint(BLACK)
    assert bar.fill == "#000000"


def test_casing_of_a_link_keeps_its_colour():
    casing, fill = in_low_ink(
        box(36, 9, "#35603d"), Shape(Box(Rect(2.7, 2.7, 34.6, 7.6)), "#5b8c57")
    )
    assert casing.fill == "#35603d"
    assert fill.fill == tint("#5b8c57")


def test_row_of_dots_keeps_its_colour():
    dots = "".join(f"M{x} 5a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z" for x in range(0, 240, 8))
    (pattern,) = in_low_ink(Shape(Path(dots), RED))
    assert pattern.fill == RED


def test_art_and_shapes_of_one_colour_get_same_tint():
    neck, head = in_low_ink(
        box(30, 10, "#2f5443"),
        art('<path d="M0 0H20V20H0Z" fill="#2f5443"/><path d="M0 0H3V3Z" fill="#fff"/>'),
    )
    assert neck.fill == tint("#2f5443")
    assert tint("#2f5443") in head.art.svg


def test_small_art_keeps_its_colours():
    inner = '<circle cx="20" cy="20" r="18" fill="#e2513c"/><circle cx="20" cy="20" r="5" fill="#f4c542"/>'
    small = art_in_low_ink(inner, box_mm=12)
    large = art_in_low_ink(inner, box_mm=40)
    assert "#e2513c" in small
    assert "#f4c542" in small
    assert tint("#e2513c") in large


def test_symbol_keeps_its_colour_unless_a_link_has_that_colour():
    """Print a medallion in full colour, and a roundabout in the tint of its road."""
    svg = '<circle cx="20" cy="20" r="19" fill="{}"/><path d="M9 9h9v9z" fill="#000"/>'
    for colour, expected in (("#7cc4ef", "#7cc4ef"), ("#aeb4be", tint("#aeb4be"))):
        placed = art(svg.format(colour), box_mm=18)
        symbol = KeepInside("feature 'stop'", placed.box, art=placed.art)
        face = Face((box(30, 10, "#aeb4be"), placed), TILE, keep_inside=(symbol,))
        low_face = InkSaver(Tints(large_colours([face])), tint_art).face(face)
        assert expected in low_face.items[1].art.svg


def test_lines_and_black_in_art_keep_their_colours():
    svg = art_in_low_ink(
        '<g stroke="#123456" stroke-width="1"><path d="M0 0H30V30H0Z" fill="#e2513c"/></g>'
        '<path d="M0 0H9V9Z" fill="#16130f"/>'
    )
    assert tint("#e2513c") in svg
    assert "#123456" in svg
    assert "#16130f" in svg


def test_sign_in_art_keeps_colour_behind_its_letters():
    stop = '<path d="M5 5h8v6h-8z" fill="#e2231a"/><path d="M6 6h6v3h-6z" fill="#ffffff"/>'
    svg = art_in_low_ink(
        f'<rect width="40" height="40" fill="#d3eeb4"/>{stop}<rect x="20" y="20" width="9" height="9" fill="#e2231a"/>'
    )
    assert svg.count("#e2231a") == 1, "the sign"
    assert svg.count(tint("#e2231a")) == 1, "the roof"


def test_texture_becomes_a_tint_with_its_black_background():
    dots = "".join(f'<circle cx="{x}" cy="9" r="0.8" fill="#0e1220"/>' for x in range(2, 40, 3))
    svg = art_in_low_ink(
        f'<rect width="40" height="40" fill="#2c3242"/>{dots}<path d="M9 9H30V30Z" fill="#ffcb1f"/>'
    )
    assert tint("#ffcb1f") in svg, "the triangle"
    assert "#2c3242" not in svg
    assert "#0e1220" not in svg


def test_gradients_and_inherited_colours_in_art_become_tints():
    stops = '<stop stop-color="#5c1a12"/><stop offset="1" style="stop-color:#c8502d"/>'
    sky = (
        f'<defs><linearGradient id="sky">{stops}</linearGradient></defs><rect width="40" '
        'height="20" fill="url(#sky)"/>'
    )
    svg = art_in_low_ink(f'{sky}<g fill="#2476c0"><path d="M0 20H40V40H0Z"/></g>')
    assert tint("#5c1a12") in svg
    assert tint("#c8502d") in svg
    assert tint("#2476c0") in svg


@pytest.mark.parametrize(
    "text",
    [
        '<text x="9" y="9" fill="#fff">Go</text>',
        '<text><tspan fill="white"><tspan x="9" y="9">Go</tspan></tspan></text>',
    ],
)
def test_light_text_on_a_tint_in_art_turns_dark(text):
    svg = art_in_low_ink(f'<rect width="40" height="20" fill="#a3301f"/>{text}')
    assert "#fff" not in svg.replace("#ffffff", "")
    assert "#262626" in svg


def test_photograph_becomes_lighter_and_its_black_stays():
    buffer = io.BytesIO()
    picture = Image.new("RGB", (60, 40), "#808080")
    picture.paste("#000000", (0, 0, 30, 40))
    picture.save(buffer, "PNG")
    (placed,) = in_low_ink(
        PlacedImage(read_pixels("a.png", buffer.getvalue(), SpillFile()), Rect(0, 0, 30, 20))
    )
    with placed.image.open() as lighter:
        assert lighter.getpixel((10, 20)) == (0, 0, 0)
        assert lighter.getpixel((50, 20))[0] > 185


def style(fill, pattern=None, ink="#ffffff"):
    return LinkStyle(7.0, fill, pattern=pattern and PATTERNS[pattern], ink=ink)


def light(colour, shares):
    channels = channels_of(colour)
    return lightness(mix_with_paper(channels, shares.get(channels, 1.0)))


@pytest.mark.parametrize(
    ("fill", "ink"), [("#2476c0", "#ffffff"), ("#ffd02e", "#18242f"), ("#2f5443", "#86a95c")]
)
def test_pattern_stays_visible_on_its_tint(fill, ink):
    shares = choose_shares({"a": style(fill, "dots", ink)})
    assert abs(light(fill, shares) - light(ink, shares)) >= MIN_LIGHTNESS_GAP
    assert (light(fill, shares) > light(ink, shares)) == (light(fill, {}) > light(ink, {})), (
        "the lighter of the two colours stays the lighter one"
    )
    assert shares[channels_of(fill)] < 0.8


def test_links_without_patterns_get_tints_of_different_lightness():
    shares = choose_shares({"red": style("#d2302b"), "blue": style("#2476c0")})
    assert abs(light("#d2302b", {}) - light("#2476c0", {})) < 5
    assert abs(light("#d2302b", shares) - light("#2476c0", shares)) >= MIN_LIGHTNESS_GAP


@pytest.mark.parametrize(
    ("paint", "alpha"), [("rgba(210, 48, 43, 1)", ""), ("rgba(210, 48, 43, 0.5)", "80")]
)
def test_tint_in_art_is_as_opaque_as_its_colour(paint, alpha):
    written = art_in_low_ink(
        f'<rect width="40" height="40" fill="{paint}"/><rect width="1" height="1"/>'
    )
    assert f'fill="{tint(RED)}{alpha}"' in written


def test_black_links_stay_black():
    assert choose_shares({"pe": style("#23282d", "double")})[channels_of("#23282d")] == 1.0
