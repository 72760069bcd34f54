"""Filters whose regions are very much larger than the page: drawn as if they ended near it, or refused in words."""

import pypdfium2
import pytest

from generator.base.errors import PackError
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


@pytest.mark.parametrize("what", HUGE)
def test_a_huge_region_changes_nothing(
    what, face_of, shown, printed, array, apart, tmp_path, fonts
):
    region, step, body = HUGE[what]
    plain = tmp_path / "plain.svg"
    plain.write_text(svg(UNFILTERED, VIEW))
    huge = tmp_path / "huge.svg"
    huge.write_text(svg(f'<filter id="f" {region}>{step}</filter>{body}', VIEW))
    expected = shown(face_of(plain))
    assert expected.min() < 10
    assert apart(shown(face_of(huge)), expected) < 0.3
    face = face_of(huge)
    pages = compile_faces([face], fonts)
    page = pypdfium2.PdfDocument(printed([face], pages))[0]
    paper = array(page.render(scale=508 / 72, fill_color=(255, 255, 255, 255)).to_pil())
    # 20 pixels a millimetre; the picture lies in a box of 40 × 30 mm at (6, 5).
    assert apart(paper[100:700, 120:920], expected) < 0.3


def test_what_resvg_gives_up_over_is_told_in_words(face_of, shown, tmp_path):
    path = tmp_path / "a.svg"
    used = f'<filter id="f" {REGION.format(0, 0, 40, 250)}>{COMPOSITE}</filter><defs><g id="a">{RECT}</g></defs>'
    path.write_text(svg(f'{used}<use href="#a"/>', VIEW))
    with pytest.raises(PackError) as caught:
        shown(face_of(path))
    assert "a filter whose region is very much larger" in str(caught.value.problems[0])
    assert "assertion" not in str(caught.value.problems[0])
