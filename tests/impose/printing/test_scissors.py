"""Test that marks or footers show every cut, and that inexact cuts leave no white or foreign rim."""

import csv

import pytest

from tests.tools.cut_sheet import Kind, find_foreign_rims, find_unmarked_edges, sheets
from tests.tools.read_pdf import read

SIZES = {
    "poker": ("rect", 63.5, 88.9, "2.5in x 3.5in", 10),
    "tarot": ("rect", 70.0, 120.0, "tarot", 5),
    "tiles": ("rect", 45.0, 45.0, "45mm", 30),
    "hexes": ("hex", 40.0, 46.188, "hex 40mm", 26),
    "wedges": ("triangle", 40.0, 34.641, "triangle 40mm", 20),
    "tokens": ("circle", 22.0, 22.0, "circle 22mm", 40),
}
COLOURS = ("#b01030", "#1040a0", "#106030")


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    """Return a pack of all shapes with three plain colours, so that a neighbour's ink is visible."""
    folder = tmp_path_factory.mktemp("colours")
    parts = []
    for name, (*_, size, count) in SIZES.items():
        with (folder / f"{name}.csv").open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["id", "count", "colour"])
            rows.writerows((f"{name}{n}", 1, COLOURS[n % 3]) for n in range(count))
        parts.append(f"  {name}: {{title: {name}, size: {size}, bleed: 3mm, safe: 0mm, data: {name}.csv, "
                     "front: face.yaml, back: face.yaml}")  # fmt: skip
    (folder / "face.yaml").write_text("- fill: $colour\n")
    (folder / "game.yaml").write_text(
        'name: Colours\nversion: "1"\ncomponents:\n' + "\n".join(parts) + "\n"
    )
    return folder


KINDS = [Kind(shape, w, h, 3.0) for shape, w, h, *_ in SIZES.values()]
KINDS += [Kind(shape, h, w, 3.0) for shape, w, h, *_ in SIZES.values() if shape == "hex"]

MODES = [
    ("long-edge", "crosshair", "a4"),
    ("short-edge", "corners", "letter"),
    ("single", "ticks", "a4"),
    ("two-pass", "crosshair", "a5"),
    ("glue", "corners", "a3"),
    ("gutterfold", "ticks", "letter"),
    ("gutterfold", "crosshair", "a4"),
]


@pytest.mark.parametrize(("mode", "marks", "paper"), MODES)
def test_marks_or_footer_show_every_cut_with_half_a_millimetre_of_tolerance(
    pnp, pack, tmp_path, mode, marks, paper
):
    args = (
        "--duplex",
        mode,
        "--marks",
        marks,
        "--paper",
        paper,
        "--what",
        "sheets",
        "-o",
        tmp_path,
    )
    result = pnp("build", pack, *args)
    assert result.exit_code == 0, result.output
    pages = list(sheets(tmp_path))
    assert len(pages) >= len(SIZES)
    assert not [
        text for path, page in pages for text in find_unmarked_edges(read(path)[page], KINDS)
    ]
    assert not [text for path, page in pages for text in find_foreign_rims(path, page, KINDS)]
