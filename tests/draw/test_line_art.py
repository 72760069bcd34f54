"""Test line art: transparent paints in designers' art hide nothing."""

import pytest

from tests.tools.make_pack import make, render_design, svg

LINES = "variants: {lines: {title: Line art, lines: true}}\n"
BOX = '<rect x="1" y="1" width="8" height="8" fill="red" stroke="black" stroke-width="1"/>'


def line_art_of(folder, body):
    """Return the picture in line art of art that fills a face."""
    files = {"art/a.svg": svg(body)}
    pack = make(folder, "- fill: white\n- svg: art/a.svg\n  box: trim\n", more=LINES, files=files)
    return render_design(pack, variant="lines")


@pytest.mark.parametrize(
    "paint", ["transparent", "rgba(0, 0, 0, 0)", "#ff000000", "rgba(255, 0, 0, 0.1)"]
)
def test_transparent_fill_hides_nothing_in_line_art(tmp_path, paint):
    picture = line_art_of(tmp_path, f'{BOX}<rect width="10" height="10" fill="{paint}"/>')
    assert picture.at(4, 20) == "#000000", "the outline of the box below"
    assert picture.at(1, 20) == "#ffffff"


def test_gradient_that_fades_to_a_transparent_colour_is_a_shadow(tmp_path):
    stops = '<stop stop-color="#000"/><stop offset="1" stop-color="transparent"/>'
    shadow = f'<radialGradient id="g">{stops}</radialGradient><rect width="10" height="10" fill="url(#g)"/>'
    assert line_art_of(tmp_path, BOX + shadow).at(4, 20) == "#000000"
