"""Compare measured widths with resvg and typst, to a tenth of a millimetre."""

import pytest

from generator.picture.items import TextRun
from generator.text import measure
from generator.text.shape import LetterStyle, shape_text

SIZE = 8.0
X = 10.0
Y = 15.0
TEXTS = ["HAVTo", "AVAVAV To Ty", "fi fl ffi office", "1:30 – “Tea”", "Hydra & Hase"]
FACES = [
    ("Alegreya", 400),
    ("Alegreya", 700),
    ("Alegreya Sans", 400),
    ("Alegreya SC", 700),
    ("Bungee", 400),
]
TOLERANCE = 0.1


def run_of(text, font, *, spacing=0.0, small_caps=False):
    width = measure(text, font, SIZE, spacing, ("smcp",) if small_caps else ())
    return TextRun(text, font, SIZE, X, Y, "#000000", spacing, width, small_caps)


def expected_edges(run):
    """Return the left and right edge of the ink of a run."""
    look = LetterStyle(run.font, ("smcp",) if run.small_caps else (), run.spacing / SIZE)
    ink = shape_text(run.text, look, "ltr").ink
    return X + ink.x * SIZE, X + ink.right * SIZE


@pytest.mark.parametrize("face", FACES, ids=str)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("spacing", [0.0, 0.7])
def test_ink_rendered_by_resvg_has_the_measured_edges(text, face, spacing, fonts, drawer):
    run = run_of(text, fonts.find(*face), spacing=spacing)
    ink = drawer.ink(drawer.element(run), drawer.page(120, 25))
    assert (ink.x, ink.right) == pytest.approx(expected_edges(run), abs=TOLERANCE)


@pytest.mark.parametrize("face", FACES, ids=str)
@pytest.mark.parametrize("spacing", [0.0, 0.7])
def test_ink_printed_by_typst_has_the_measured_edges(face, spacing, fonts, drawer):
    for text in TEXTS:
        run = run_of(text, fonts.find(*face), spacing=spacing)
        ink = drawer.printed_ink(drawer.element(run), drawer.page(120, 25))
        assert (ink.x, ink.right) == pytest.approx(expected_edges(run), abs=TOLERANCE), text


@pytest.mark.parametrize("family", ["Alegreya", "Alegreya Sans", "Fira Sans Condensed"])
def test_small_capitals_are_rendered_with_the_measured_edges(family, fonts, drawer):
    run = run_of("Hydra fi", fonts.find(family), small_caps=True)
    ink = drawer.ink(drawer.element(run), drawer.page(120, 25))
    assert (ink.x, ink.right) == pytest.approx(expected_edges(run), abs=TOLERANCE)
    assert run.width != measure(run.text, run.font, SIZE)
    if family != "Fira Sans Condensed":  # typst files this font under `Fira Sans`
        printed = drawer.printed_ink(drawer.element(run), drawer.page(120, 25))
        assert (printed.x, printed.right) == pytest.approx(expected_edges(run), abs=TOLERANCE)


def test_next_letter_begins_at_the_measured_advance(fonts, drawer):
    """A bar set after the text begins at the advance of the text."""
    font = fonts.find("Alegreya Sans")
    bar = shape_text("|", LetterStyle(font), "ltr").ink
    for text in ("Tot", "AVA", "office", "12 "):
        run = run_of(text + "\u200b|", font)
        ink = drawer.ink(drawer.element(run), drawer.page(120, 25))
        assert ink.right == pytest.approx(
            X + measure(text, font, SIZE) + bar.right * SIZE, abs=TOLERANCE
        )


def test_measured_width_includes_kerning_ligatures_and_spacing(fonts):
    font = fonts.find("Alegreya")
    single = sum(measure(letter, font, SIZE) for letter in "AV")
    assert measure("AV", font, SIZE) < single - 0.3
    assert measure("fi", font, SIZE) != pytest.approx(
        measure("f", font, SIZE) + measure("i", font, SIZE)
    )
    assert measure("HHH", font, SIZE, 0.5) == pytest.approx(measure("HHH", font, SIZE) + 2 * 0.5)
    assert measure("HHH", font, 2 * SIZE) == pytest.approx(2 * measure("HHH", font, SIZE))
    assert measure("", font, SIZE) == 0
