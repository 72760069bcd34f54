"""Test the printed width of lines in reduced pictures."""

import math

import pikepdf
import pytest

from generator.rules.booklet.write import thicken_lines

MM = 72 / 25.4


def widths_of(stream, resources, scale=1.0):
    """Yield the width in mm of each line that a content stream draws, including its forms."""
    width = 1.0
    outer = []
    for operands, operator in pikepdf.parse_content_stream(stream):
        match str(operator):
            case "q":
                outer.append((scale, width))
            case "Q":
                scale, width = outer.pop()
            case "cm":
                a, b, c, d, *_ = map(float, operands)
                scale *= math.sqrt(abs(a * d - b * c))
            case "w":
                width = float(operands[0])
            case "S":
                yield width * scale / MM
            case "Do":
                form = resources.XObject[str(operands[0])]
                yield from widths_of(form, form.get("/Resources", {}), scale)


@pytest.fixture
def pdf():
    """Return a page that shows nested pictures at full size and at a tenth."""
    document = pikepdf.new()
    document.add_blank_page(page_size=(300, 300))
    box = pikepdf.Array([0, 0, 100, 100])
    form = {"Type": pikepdf.Name.XObject, "Subtype": pikepdf.Name.Form, "BBox": box}
    inner = document.make_stream(b"0.6 w 0 0 m 100 100 l S 8 w 0 100 m 100 0 l S", **form)
    resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(In=inner))
    outer = document.make_stream(
        b"1.5 w 0 0 m 9 9 l S q 0.5 0 0 0.5 0 0 cm /In Do Q", Resources=resources, **form
    )
    page = document.pages[0]
    page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Out=outer))
    page.Contents = document.make_stream(
        b"q /Out Do Q q 0.1 0 0 0.1 150 150 cm /Out Do Q 0.1 w 0 0 m 9 9 l S"
    )
    return document


def test_lines_of_reduced_pictures_are_at_least_0_1_mm_wide(pdf):
    page = pdf.pages[0]
    before = list(widths_of(page, page.Resources))
    thicken_lines(pdf)
    after = list(widths_of(page, page.Resources))
    assert len(before) == len(after) == 7
    assert min(after[3:6]) >= 0.1
    assert max(after[3:5]) < 0.13, (
        "lines are hardly wider than 0.1 mm, although pictures of several sizes share them"
    )
    assert after[5] == pytest.approx(before[5])


def test_lines_at_full_size_keep_their_width(pdf):
    page = pdf.pages[0]
    before = list(widths_of(page, page.Resources))
    thicken_lines(pdf)
    after = list(widths_of(page, page.Resources))
    assert after[0] == pytest.approx(before[0])
    assert after[6] == pytest.approx(before[6])


def test_file_without_thin_lines_is_not_changed(pdf):
    pdf.pages[0].Contents = pdf.make_stream(b"q 3 0 0 3 0 0 cm /Out Do Q")
    thicken_lines(pdf)
    assert pdf.pages[0].Contents.read_bytes() == b"q 3 0 0 3 0 0 cm /Out Do Q"
