"""No mark inside any trim or bleed: the file without its faces is rendered, and the places of the faces are blank."""

import numpy as np
import pikepdf
import pytest
from reading import read, render

from generator.impose.duplex import MODES
from generator.impose.marks import STYLES
from generator.wishes import PrintWish

DPI = 200


def without_faces(path, out):
    """The same file with nothing but marks and what stands in the margins."""
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
@pytest.mark.parametrize("marks", STYLES)
@pytest.mark.parametrize("duplex", MODES)
def test_no_mark_ink_in_any_bleed(printed, tmp_path, duplex, marks, way):
    for path in printed("a4", PrintWish(duplex=duplex, marks=marks, orientation=way, skip=2)):
        check(path, tmp_path)
