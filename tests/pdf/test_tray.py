"""Printers pick a tray by the page's size only where the page is a paper."""

import io

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from generator.base.units import points
from generator.pdf.finish import About, FiledPages, write_file


@pytest.mark.parametrize(
    ("sizes", "picked"),
    [
        ([(210, 297)], True),
        ([(279.4, 215.9)], True),
        ([(200, 200)], None),
        ([(210, 297), (63, 88)], None),
    ],
)
def test_a_tray_is_picked_for_papers_alone(sizes, picked):
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for w, h in sizes:
        canvas.setPageSize((points(w), points(h)))
        canvas.showPage()
    canvas.save()
    made = write_file(
        [FiledPages(buffer.getvalue())], About("Title", "en", "", "Simplex", ())
    ).read()
    with pikepdf.open(io.BytesIO(made)) as pdf:
        options = pdf.Root.ViewerPreferences
        assert bool(options.get("/PickTrayByPDFSize")) == bool(picked)
        assert options.PrintScaling == "/None"
