"""Test that gradients and patterns of foreign files keep their place on the sheets."""

import numpy as np
import pytest
import typst

from tests.tools.read_pdf import read, render

DPI = 100
CARD = (63.0, 88.0)
PLACES = [(10.5 + 63 * column, 16.5 + 88 * row) for row in range(3) for column in range(3)]

FILLS = {
    "linear": "gradient.linear(rgb({a}, 80, 200), rgb(255, {a}, 40), angle: 30deg)",
    "radial": "gradient.radial(rgb({a}, 80, 200), rgb(255, {a}, 40), center: (30%, 40%))",
    "conic": "gradient.conic(rgb({a}, 80, 200), rgb(255, {a}, 40), rgb({a}, 80, 200))",
    # All cards share one pattern, so that one object of the file is visible nine times.
    "shared tiling": "dots",
}

DOTS = (
    "#let dots = tiling(size: (31pt, 23pt))[#place(circle(radius: 9pt, fill: rgb(200, 60, 60)))]\n"
)


@pytest.mark.parametrize("fill", FILLS)
def test_gradient_or_pattern_looks_as_on_the_original_page(fill, tmp_path, pnp):
    cards = [
        f"#place(dx: {x}mm, dy: {y}mm, rect(width: 63mm, height: 88mm, stroke: 0.3pt,"
        f" fill: {FILLS[fill].format(a=20 + 20 * index)}))\n"
        for index, (x, y) in enumerate(PLACES)
    ]
    source = tmp_path / "cards.typ"
    source.write_text(
        "#set page(width: 210mm, height: 297mm, margin: 0pt)\n" + DOTS + "".join(cards)
    )
    foreign_file = tmp_path / "cards.pdf"
    typst.compile(str(source), output=str(foreign_file))

    result = pnp("relay", foreign_file, "-o", tmp_path / "out", "--paper", "a4")

    assert "63 x 88 mm; 0 with backs" in result.output
    (sheets,) = (tmp_path / "out").rglob("*-sheets-*.pdf")
    forms = read(sheets)[0].forms
    assert len(forms) == 9
    original = render(foreign_file, 0, DPI)
    sheet = render(sheets, 0, DPI)
    forms = sorted(forms, key=lambda form: (round(form.y), form.x))
    for form, (x, y) in zip(forms, PLACES, strict=True):
        assert (
            differing_share(original, (x, y), sheet, (form.x - form.w / 2, form.y - form.h / 2))
            < 0.02
        )


def differing_share(original, corner, sheet, other):
    """Return the share of points inside a card whose colours differ between two pictures."""
    xs, ys = np.meshgrid(np.arange(2, CARD[0] - 2, 0.5), np.arange(2, CARD[1] - 2, 0.5))

    def colours(image, at):
        columns = np.round((xs + at[0]) / 25.4 * DPI).astype(int)
        rows = np.round((ys + at[1]) / 25.4 * DPI).astype(int)
        return image[rows, columns].astype(int)

    # A point may fall on the neighbouring pixel: only the edges of dots differ then.
    return float(
        (np.abs(colours(original, corner) - colours(sheet, other)).max(axis=-1) > 60).mean()
    )
