"""Test that no mark lies on a trim or bleed: a sheet without its faces is blank at their places."""

import numpy as np
import pikepdf
import pytest

from generator.base.paper import Orientation
from generator.impose.duplex import DUPLEX_MODES, find_mode
from generator.impose.marks import MARK_STYLES, find_style
from generator.pipeline.printing import PrintOptions
from tests.tools.read_pdf import darkest, read

DPI = 100


def without_faces(path, out):
    """Return the file with only its marks and the text in the margins."""
    with pikepdf.open(path) as pdf:
        for page in pdf.pages:
            instructions = [
                part for part in pikepdf.parse_content_stream(page) if str(part[1]) != "Do"
            ]
            page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(instructions))
        pdf.save(out)
    return out


def check_blank_places(path, tmp_path):
    bare = without_faces(path, tmp_path / "bare.pdf")
    for number, page in enumerate(read(path)):
        picture = np.asarray(darkest(bare, number, DPI))
        assert (picture < 200).any(), "something is printed in the margins"
        for form in page.forms:
            x, y, w, h = (value / 25.4 * DPI for value in form.clip)
            inside = picture[int(y) : int(np.ceil(y + h)), int(x) : int(np.ceil(x + w))]
            assert inside.size
            assert (inside == 255).all()


# Each mode with each style of marks, in portrait and landscape by turns, so that all pairs of
# options are seen.
WAYS = [
    (duplex, marks, ("portrait", "landscape")[(row + column) % 2])
    for row, duplex in enumerate(DUPLEX_MODES)
    for column, marks in enumerate(MARK_STYLES)
]


@pytest.mark.parametrize(("duplex", "marks", "orientation"), WAYS)
def test_marks_leave_trims_and_bleeds_blank_in_every_mode(
    write_files, tmp_path, duplex, marks, orientation
):
    for path in write_files(
        "a4",
        PrintOptions(
            duplex=find_mode(duplex),
            marks=find_style(marks),
            orientation=Orientation(orientation),
            skip=2,
        ),
    ):
        check_blank_places(path, tmp_path)


THIN = {0.1, 0.3}
"""Widths in mm of the cutting lines round edges without marks.

These lines lie on bleed, and the footer names them.
"""


def without_cutting_lines(instructions):
    """Yield the instructions of a page without its cutting lines."""
    width = 0.0
    for operands, operator in instructions:
        width = float(operands[0]) if str(operator) == "w" else width
        thin = str(operator) == "S" and any(abs(width * 25.4 / 72 - mm) < 0.01 for mm in THIN)
        yield ([], pikepdf.Operator("n")) if thin and width else (operands, operator)


SHOWS = {"marks": {"Do"}, "faces": {"S", "s", "Tj", "TJ"}}
"""Operators to leave out of a page so that only its marks or only its faces remain."""


NAMED = "inside the thin line"


def write_half(path, out, name):
    texts = [page.text for page in read(path)]
    with pikepdf.open(path) as pdf:
        for page in pdf.pages:
            instructions = [
                part
                for part in pikepdf.parse_content_stream(page)
                if str(part[1]) not in SHOWS[name]
            ]
            lined = (
                [*without_cutting_lines(instructions)]
                if name == "marks" and NAMED in texts[page.index]
                else instructions
            )
            page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(lined))
        pdf.save(out / f"{name}.pdf")
    return out / f"{name}.pdf"


@pytest.mark.parametrize("pack", ["shapes", "folding"])
@pytest.mark.parametrize(
    "how",
    [("--duplex", "gutterfold"), ("--pack",), ("--pack", "--landscape", "--marks", "corners")],
)
def test_marks_never_lie_on_faces_of_any_shape(pnp, tmp_path, pack, how):
    """Hexagons, tokens, figures, dice and boards: faces and marks never ink the same pixel."""
    result = pnp(
        "build",
        f"tests/data/packs/{pack}",
        "-o",
        tmp_path,
        "--what",
        "sheets",
        "--paper",
        "a4",
        *how,
    )
    assert result.exit_code == 0, result.output
    (file,) = (tmp_path / pack).glob("*.pdf")
    marks, faces = (write_half(file, tmp_path, name) for name in SHOWS)
    for number in range(len(read(file))):
        inked, marked = (np.asarray(darkest(path, number, DPI)) < 250 for path in (faces, marks))
        assert marked.any()
        assert inked.any()
        assert not (inked & marked).any()
