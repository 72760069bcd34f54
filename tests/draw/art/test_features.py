"""Test SVG features, one file each: print and preview look like the designer's own file.

Where resvg alone does not know a feature, `<name>.plain.svg` says what it must look like.
"""

from pathlib import Path

import pytest

FEATURES = Path(__file__).parents[2] / "data" / "art" / "features"
NAMES = sorted(path.stem for path in FEATURES.glob("*.svg") if not path.stem.endswith(".plain"))
TOLERANCE = 0.3
"""Per cent of the picture that may differ by a tenth of full brightness from the colours within a tenth of a
millimetre."""

DIFFERS = {
    "pattern": "viewers based on pdfium draw every tile of a pattern on whole pixels",
    "pattern-viewbox": "viewers based on pdfium draw every tile of a pattern on whole pixels",
}
"""Features whose print and preview differ, with the reason that docs/art.md gives."""

GUIDE = Path(__file__).parents[3] / "docs" / "art.md"


def test_at_least_sixty_features_are_tested():
    assert len(NAMES) >= 60


@pytest.fixture(scope="module", params=NAMES)
def name(request):
    return request.param


def test_feature_prints_as_previewed(name, gallery, differing_share):
    difference = differing_share(gallery.printed(name), gallery.rendered(name), shrink=1)
    if name in DIFFERS:
        assert difference > TOLERANCE, (
            "this feature no longer differs: remove it from the list and from docs/art.md"
        )
    else:
        assert difference <= TOLERANCE


def test_feature_looks_in_a_face_as_in_its_own_file(name, gallery, differing_share):
    assert differing_share(gallery.rendered(name), gallery.alone(name), shrink=1) <= TOLERANCE


def test_feature_has_visible_ink(name, gallery):
    assert gallery.rendered(name).min() < 230


def test_guide_names_every_known_difference_between_print_and_preview():
    guide = " ".join(GUIDE.read_text("utf-8").split())
    assert not [reason for reason in DIFFERS.values() if reason not in guide]
