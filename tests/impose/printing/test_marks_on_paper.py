"""No mark inside any trim or bleed: the file without its faces is rendered, and the places of the faces are blank."""

import numpy as np
import pikepdf
import pytest

from generator.base.paper import Orientation
from generator.impose.duplex import DUPLEX_MODES, find_mode
from generator.impose.marks.styles import MARK_STYLES, find_style
from generator.pipeline.printing import PrintOptions
from tests.tools.read_pdf import read, render

DPI = 200


def without_faces(path, out):
    """Return the file with only its marks and the texts in the margins."""
    with pikepdf.open(path) as pdf:
        for page in pdf.pages:
            kept = [part for part in pikepdf.parse_content_stream(page) if str(part[1]) != "Do"]
            page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(kept))
        pdf.save(out)
    return out


def check(path, tmp_path):
    bare = without_faces(path, tmp_path / "bare.pdf")
    for number, page in enumerate(read(path)):
        picture = render(bare, number, DPI)
        assert (picture < 200).any(), "something is printed in the margins"
        for form in page.forms:
            x, y, w, h = (value / 25.4 * DPI for value in form.clip)
            inside = picture[int(y) : int(np.ceil(y + h)), int(x) : int(np.ceil(x + w))]
            assert inside.size
            assert (inside == 255).all()


@pytest.mark.parametrize("way", ["portrait", "landscape"])
@pytest.mark.parametrize("marks", MARK_STYLES)
@pytest.mark.parametrize("duplex", DUPLEX_MODES)
def test_no_mark_ink_in_any_bleed(printed, tmp_path, duplex, marks, way):
    for path in printed(
        "a4",
        PrintOptions(
            duplex=find_mode(duplex), marks=find_style(marks), orientation=Orientation(way), skip=2
        ),
    ):
        check(path, tmp_path)


THIN = {0.1, 0.3}
"""mm.

The widths of the line round what marks cannot show, which lies on bleed, and which the footer
names.
"""


def unlined(instructions):
    """A page's content with those lines not drawn."""
    width = 0.0
    for operands, operator in instructions:
        width = float(operands[0]) if str(operator) == "w" else width
        thin = str(operator) == "S" and any(abs(width * 25.4 / 72 - mm) < 0.01 for mm in THIN)
        yield ([], pikepdf.Operator("n")) if thin and width else (operands, operator)


SHOWS = {"marks": {"Do"}, "faces": {"S", "s", "Tj", "TJ"}}
"""What is left out of a page for each of its two halves to show."""


NAMED = "inside the thin line"


def half(path, out, name):
    texts = [page.text for page in read(path)]
    with pikepdf.open(path) as pdf:
        for page in pdf.pages:
            kept = [
                part
                for part in pikepdf.parse_content_stream(page)
                if str(part[1]) not in SHOWS[name]
            ]
            lined = [*unlined(kept)] if name == "marks" and NAMED in texts[page.index] else kept
            page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(lined))
        pdf.save(out / f"{name}.pdf")
    return out / f"{name}.pdf"


@pytest.mark.parametrize("pack", ["shapes", "folding"])
@pytest.mark.parametrize(
    "how",
    [("--duplex", "gutterfold"), ("--pack",), ("--pack", "--landscape", "--marks", "corners")],
)
def test_no_mark_ink_on_any_face_of_whatever_shape(pnp, tmp_path, pack, how):
    """Hexagons, tokens, figures, dice and boards: rendered without faces and without marks, no place is inked twice."""
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
    marks, faces = (half(file, tmp_path, name) for name in SHOWS)
    for number in range(len(read(file))):
        inked, marked = ((render(path, number, DPI) < 250).any(axis=2) for path in (faces, marks))
        assert marked.any()
        assert inked.any()
        assert not (inked & marked).any()
