"""Test that printers choose a tray by page size only if each page is a known paper."""

import io

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from generator.base.units import points
from generator.pdf.finish import DocumentInfo, DocumentPart, write_file


@pytest.mark.parametrize(
    ("sizes", "picked"),
    [
        ([(210, 297)], True),
        ([(279.4, 215.9)], True),
        ([(200, 200)], None),
        ([(210, 297), (63, 88)], None),
    ],
)
def test_tray_is_chosen_by_size_only_if_all_pages_are_one_known_paper(sizes, picked):
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for w, h in sizes:
        canvas.setPageSize((points(w), points(h)))
        canvas.showPage()
    canvas.save()
    data = write_file(
        [DocumentPart(buffer.getvalue())], DocumentInfo("Title", "en", "", "Simplex", ())
    ).read()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        options = pdf.Root.ViewerPreferences
        assert bool(options.get("/PickTrayByPDFSize")) == bool(picked)
        assert options.PrintScaling == "/None"
