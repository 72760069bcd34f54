"""Test SVG features, one file each: print and preview look like the designer's own file.

Where resvg alone does not know a feature, `<name>.plain.svg` says what it must look like.
"""

from pathlib import Path

import pytest

FEATURES = Path(__file__).parents[2] / "data" / "art" / "features"
NAMES = sorted(path.stem for path in FEATURES.glob("*.svg") if not path.stem.endswith(".plain"))
TOLERANCE = 0.3
"""Per cent of the picture that may differ by a tenth of full brightness from all that is there or a tenth of a
millimetre beside it."""

DIFFERS = {
    "pattern": "pdfium puts every tile on whole pixels; in the file the pattern's step is exact",
    "pattern-viewbox": "pdfium puts every tile on whole pixels; in the file the pattern's step is exact",
}
"""Where print and preview are known to differ, and why; docs/art.md says the same."""

GUIDE = Path(__file__).parents[3] / "docs" / "art.md"


def test_there_are_enough():
    assert len(NAMES) >= 60


@pytest.fixture(scope="module", params=NAMES)
def name(request):
    return request.param


def test_it_prints_as_it_is_previewed(name, gallery, apart):
    difference = apart(gallery.printed(name), gallery.rendered(name))
    if name in DIFFERS:
        assert difference > TOLERANCE, (
            "it no longer differs: take it off the list, and out of docs/art.md"
        )
    else:
        assert difference <= TOLERANCE


def test_it_looks_in_a_face_as_it_does_alone(name, gallery, apart):
    assert apart(gallery.rendered(name), gallery.alone(name)) <= TOLERANCE


def test_it_draws_something(name, gallery):
    assert gallery.rendered(name).min() < 230


def test_the_guide_tells_every_difference():
    guide = " ".join(GUIDE.read_text("utf-8").split())
    assert not [reason for reason in DIFFERS.values() if reason not in guide]
