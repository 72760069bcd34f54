"""Test filter regions far larger than the page: cropped near the page, or refused in words."""

import pypdfium2
import pytest

from generator.base.errors import PnpError
from generator.pdf.faces import compile_faces
from tests.tools.make_pack import svg

BLUR = '<feGaussianBlur stdDeviation="0.001"/>'
COMPOSITE = '<feComposite in="SourceGraphic" in2="SourceGraphic" operator="arithmetic" k2="1"/>'
RECT = '<rect x="8" y="8" width="24" height="14" fill="#080" filter="url(#f)"/>'
UNFILTERED = '<rect x="8" y="8" width="24" height="14" fill="#080"/>'
REGION = 'filterUnits="userSpaceOnUse" x="{}" y="{}" width="{}" height="{}"'
VIEW = "0 0 40 30"
HUGE = {
    "far to all sides": (REGION.format(-100000, -100000, 300000, 300000), BLUR, RECT),
    "far down": (REGION.format(0, 0, 40, 20000), COMPOSITE, RECT),
    "in per cent": (REGION.format("-900%", "-900%", "9000%", "9000%"), BLUR, RECT),
    "on something small": (
        REGION.format(-90000, -90000, 180000, 180000),
        COMPOSITE,
        RECT.replace("<rect", '<g transform="scale(.1)"><rect transform="scale(10)"') + "</g>",
    ),
}


@pytest.mark.parametrize("case", HUGE)
def test_huge_filter_region_does_not_change_the_picture(
    case, face_of, rendered_pixels, printed_pdf, array, differing_share, tmp_path, fonts
):
    region, step, body = HUGE[case]
    plain = tmp_path / "plain.svg"
    plain.write_text(svg(UNFILTERED, VIEW))
    huge = tmp_path / "huge.svg"
    huge.write_text(svg(f'<filter id="f" {region}>{step}</filter>{body}', VIEW))
    expected = rendered_pixels(face_of(plain))
    assert expected.min() < 10
    assert differing_share(rendered_pixels(face_of(huge)), expected) < 0.3
    face = face_of(huge)
    pages = compile_faces([face], fonts)
    page = pypdfium2.PdfDocument(printed_pdf([face], pages))[0]
    printed_pixels = array(page.render(scale=508 / 72, fill_color=(255, 255, 255, 255)).to_pil())
    # 20 pixels a millimetre; the picture lies in a box of 40 × 30 mm at (6, 5).
    assert differing_share(printed_pixels[100:700, 120:920], expected) < 0.3


def test_filter_that_resvg_cannot_render_is_reported_in_words(face_of, rendered_pixels, tmp_path):
    path = tmp_path / "a.svg"
    definitions = f'<filter id="f" {REGION.format(0, 0, 40, 250)}>{COMPOSITE}</filter><defs><g id="a">{RECT}</g></defs>'
    path.write_text(svg(f'{definitions}<use href="#a"/>', VIEW))
    with pytest.raises(PnpError) as caught:
        rendered_pixels(face_of(path))
    assert "a filter whose region is very much larger" in str(caught.value.problems[0])
    assert "assertion" not in str(caught.value.problems[0])
