"""Test that rendered text lies inside its box, or that the build reports that it does not fit."""

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError, Kind
from generator.base.geometry import Rect
from generator.text import set_text
from generator.text.style import Align, Caps, Style, VAlign
from tests.tools.examples import try_times

ICONS = {"sword": 1.0, "banner": 2.2, "key": 0.4}
MARGIN = 15.0
"""Paper on each side of a box, on which overflowing ink is visible (mm)."""

plain = st.text("aAeéÅfijlgpqTVWyQ.,;1270-’", min_size=1, max_size=9)
words = st.one_of(
    plain,
    plain,
    plain.map("**{}**".format),
    plain.map("*{}*".format),
    plain.map("***{}***".format),
    st.sampled_from(
        [
            ":sword:",
            ":banner:",
            "3:key:",
            "hyphen\u00adation",
            "understanding",
            "fjord",
            "AV\u00a0To",
        ]
    ),
)
texts = st.lists(
    st.tuples(words, st.sampled_from([" ", " ", " ", "\n", "\n\n"])), min_size=1, max_size=25
).map(lambda pairs: "".join(word + space for word, space in pairs))
faces = st.sampled_from(
    [
        ("Alegreya", 400),
        ("Alegreya Sans", 400),
        ("Alegreya", 700),
        ("Bungee", 400),
        ("Baloo 2", 800),
        ("Alegreya SC", 400),
    ]
)
# families with italics, bold and small capitals
complete = {"Alegreya", "Alegreya Sans"}


@st.composite
def styles(draw):
    family, weight = draw(faces)
    return Style(
        font=family,
        weight=weight,
        italic=draw(st.booleans()) if family in complete else False,
        size=draw(st.floats(1.5, 9.0)),
        align=draw(st.sampled_from(Align)),
        valign=draw(st.sampled_from(VAlign)),
        leading=draw(st.floats(0.8, 1.8)),
        spacing=draw(st.sampled_from([0.0, 0.0, 0.4, -0.05])),
        caps=draw(st.sampled_from(Caps))
        if family in complete
        else draw(st.sampled_from([Caps.NORMAL, Caps.UPPER])),
        hyphenate=draw(st.booleans()),
    )


boxes = st.builds(
    Rect, st.floats(MARGIN, 25), st.floats(MARGIN, 25), st.floats(3, 70), st.floats(2, 60)
)


@settings(try_times(3), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts, styles(), boxes, st.sampled_from([None, 1.2, 2.0]))
def test_ink_lies_inside_its_box(fonts, drawer, text, style, box, minimum):
    if style.font not in complete:
        text = text.replace("*", "")
    minimum = minimum and min(minimum, style.size)
    try:
        block = set_text(text, style, box, fonts, icons=ICONS, lang="en", minimum=minimum)
    except InvalidValueError as error:
        assert error.kind is Kind.FIT  # noqa: PT017 - either outcome is right
        event("does not fit")
        return
    event("set")
    sheet = drawer.page(box.right + MARGIN, box.bottom + MARGIN)
    ink = drawer.ink(drawer.body(block), sheet)
    assume(ink is not None)
    assert box.grown(sheet.pixel).holds(ink)
    assert block.box.grown(sheet.pixel).holds(ink)
    assert ink.grown(2 * sheet.pixel).holds(block.box)
    smallest = style.size if minimum is None else minimum
    assert smallest - 1e-9 <= block.size <= style.size + 1e-9


@settings(try_times(0.6), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts, styles(), boxes)
def test_every_letter_of_a_text_is_set_once(fonts, text, style, box):
    """The runs have the letters of the text, apart from spaces and hyphens."""
    text = text.replace("*", "")
    style = Style(font="Alegreya", size=1.0, align=style.align, hyphenate=style.hyphenate)
    try:
        block = set_text(
            text, style, Rect(0, 0, box.w, 500), fonts, icons=ICONS, lang="en", minimum=None
        )
    except InvalidValueError:
        return

    def letters(string):
        return sorted(string.translate(dict.fromkeys(map(ord, " -\n\u00ad"))))

    set_text_of_block = "".join(run.text for run in block.runs) + "".join(
        f":{icon.name}:" for icon in block.icons
    )
    assert letters(set_text_of_block) == letters(text)
