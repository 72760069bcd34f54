"""Test alignment, leading, capitals, hyphens, justification, shrinking, icons and directions."""

import unicodedata
from dataclasses import replace
from itertools import pairwise

import pytest
from PIL import ImageChops

from generator.base.errors import InvalidValueError, Kind
from generator.base.geometry import Rect
from generator.base.units import MM_PER_PT, length
from generator.text.shape import can_draw, measure, measure_metrics
from generator.text.style import Align, Caps, Style, VAlign

BOX = (5.0, 5.0, 60.0, 40.0)
PROSE = "When a hydra loses a head, draw two new heads from the pile and put them on any open neck of the beast."


def lines_of(block):
    """Return the text of each line, from the top."""
    by_y = {}
    for run in block.runs:
        by_y.setdefault(round(run.y, 6), []).append(run)
    return [
        "".join(run.text for run in sorted(runs, key=lambda r: r.x))
        for _, runs in sorted(by_y.items())
    ]


def baselines(block):
    return sorted({round(run.y, 6) for run in block.runs})


def test_text_is_aligned_left_centre_or_right(put):
    left, centre, right = (
        put("Hydra", align=a).runs[0] for a in (Align.LEFT, Align.CENTER, Align.RIGHT)
    )
    assert left.x == pytest.approx(5)
    assert centre.x + centre.width / 2 == pytest.approx(35)
    assert right.x + right.width == pytest.approx(65)


def test_justified_lines_are_flush_at_both_edges(put, drawer):
    block = put(PROSE, align=Align.JUSTIFY)
    sheet = drawer.page(80, 50)
    for y in baselines(block)[:-1]:
        runs = sorted((run for run in block.runs if round(run.y, 6) == y), key=lambda run: run.x)
        assert runs[0].x == pytest.approx(5)
        assert runs[-1].x + runs[-1].width == pytest.approx(65)
        gaps = {round(b.x - a.x - a.width, 6) for a, b in pairwise(runs)}
        assert len(gaps) == 1
        assert not any(" " in run.text for run in runs)
        ink = drawer.ink("".join(map(drawer.element, runs)), sheet)
        assert (ink.x, ink.right) == pytest.approx((5, 65), abs=0.3)
    assert lines_of(block)[-1].endswith("beast.")
    assert (
        max(run.x + run.width for run in block.runs if round(run.y, 6) == baselines(block)[-1]) < 60
    )


def test_leading_is_a_multiple_of_the_size(put):
    ys = baselines(put(PROSE, leading=1.5, size=4.0))
    assert [b - a for a, b in pairwise(ys)] == pytest.approx([6.0] * (len(ys) - 1))


def test_blank_line_is_half_as_high_as_a_line(put):
    a, b, c = baselines(put("one\ntwo\n\nthree", leading=1.0, size=4.0))
    assert (b - a, c - b) == pytest.approx((4.0, 6.0))


@pytest.mark.parametrize("family", ["Alegreya", "Alegreya Sans", "Bungee", "Alegreya SC"])
def test_capitals_are_centred_vertically_by_their_height(put, drawer, family):
    block = put("HEH", valign=VAlign.MIDDLE, font=family, size=9.0)
    ink = drawer.ink(drawer.body(block), drawer.page(80, 50))
    assert ink.centre.y == pytest.approx(25, abs=0.1)
    gy = put("Hgy", valign=VAlign.MIDDLE, font=family, size=9.0)
    assert gy.runs[0].y == pytest.approx(block.runs[0].y)


def test_figures_are_centred_vertically(put):
    block = put("0", valign=VAlign.MIDDLE, font="Alegreya", size=9.0)
    assert block.box.centre.y == pytest.approx(25, abs=0.15)


def test_baseline_at_top_or_bottom_does_not_depend_on_the_letters(put, fonts):
    heights = measure_metrics(fonts.find("Alegreya Sans"))
    for text in ("one", "pygmy", "Head"):
        assert put(text).runs[0].y == pytest.approx(5 + heights.ascent * 3.5)
        assert put(text, valign=VAlign.BOTTOM).runs[0].y == pytest.approx(
            45 - heights.descent * 3.5
        )


def test_accents_move_the_first_line_down_into_the_box(put):
    assert put("Ångström É").box.y == pytest.approx(5)
    assert put("Ångström É").runs[0].y > put("Angstrom").runs[0].y


def test_capitals_follow_the_language_and_small_capitals_use_the_font(put):
    assert lines_of(put("straße no. 12", caps=Caps.UPPER)) == ["STRASSE NO. 12"]
    assert lines_of(put("istanbul", caps=Caps.UPPER, lang="tr")) == ["İSTANBUL"]
    small = put("Hydra", caps=Caps.SMALL).runs[0]
    assert small.small_caps
    assert small.text == "Hydra"
    assert small.width == pytest.approx(measure("Hydra", small.font, 3.5, features=("smcp",)))


def test_font_without_small_capitals_is_refused(put):
    with pytest.raises(InvalidValueError) as caught:
        put("Hydra", caps=Caps.SMALL, font="Bungee")
    assert caught.value.kind is Kind.MISSING
    assert str(caught.value.at(None)) == (
        "the font 'Bungee' (regular) has no small capitals\n"
        "  expected a font with small capitals: Alegreya, Alegreya Sans, Fira Sans Condensed"
    )


def test_bold_and_italic_choose_the_font_file(put):
    looks = {
        r.text.strip(): (r.font.weight, r.font.italic) for r in put("a **b** *c* ***d***").runs
    }
    assert looks == {"a": (400, False), "b": (700, False), "c": (400, True), "d": (700, True)}
    upright = put("a *b*", italic=True).runs
    assert [run.font.italic for run in upright] == [True, False]


def test_runs_of_a_line_follow_each_other_without_gaps(put):
    block = put("one **two** three")
    x = 5.0
    for run in block.runs:
        assert run.x == pytest.approx(x)
        x += run.width


def test_letter_spacing_separates_ligatures(put):
    runs = put("office", spacing=0.5, font="Alegreya").runs
    assert "".join(run.text for run in runs) == "office"
    assert len(runs) > 1
    for a, b in pairwise(runs):
        assert b.x == pytest.approx(a.x + a.width + 0.5)


def test_long_words_are_hyphenated_and_soft_hyphens_used_when_needed(put):
    narrow = (5.0, 5.0, 17.0, 60.0)
    english = lines_of(put("understanding hyphenation", box=narrow, hyphenate=True))
    dutch = lines_of(put("spelregelboekje lettergrepen", box=narrow, hyphenate=True, lang="nl"))
    assert any(line.endswith("-") for line in english)
    assert "".join(dutch).replace("-", "").replace(" ", "") == "spelregelboekjelettergrepen"
    assert lines_of(put("extra\u00adordinary", box=narrow)) == ["extra-", "ordinary"]
    assert lines_of(put("extra\u00adordinary")) == ["extraordinary"]


@pytest.mark.parametrize(
    ("lang", "parts"), [("de", ["Schreib-", "tisch"]), ("en", ["Schreibt-", "isch"])]
)
def test_hyphenation_follows_the_language(put, lang, parts):
    assert (
        lines_of(
            put("Schreibtisch", box=(5.0, 5.0, 12.0, 30.0), size=3.0, hyphenate=True, lang=lang)
        )
        == parts
    )


def test_printable_characters_are_kept_at_the_ends_of_lines(put, fonts):
    """Each character is tried alone, before a break and after a break."""
    font = fonts.find("Alegreya Sans")
    every = [
        c
        for c in map(chr, range(33, 0x2600))
        if unicodedata.category(c)[0] in "LNPS" and can_draw(font, c)
    ]
    assert len(every) > 700
    for character in (unicodedata.normalize("NFC", c) for c in every):
        written = "\\" + character if character in "*:\\" else character
        assert lines_of(put(written)) == [character]
        widths = [
            measure(text, font, Style().size) for text in (f"nn{character}", f"{character}nn")
        ]
        for end, align in ((" ", Align.LEFT), ("\n", Align.JUSTIFY)):
            block = put(
                f"nn{written}{end}{written}nn", box=(5.0, 5.0, max(widths) + 1.0, 30.0), align=align
            )
            assert lines_of(block) == [f"nn{character}", f"{character}nn"]
            assert [run.width for run in block.runs] == pytest.approx(widths)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A-", ["A-"]),
        ("+/-", ["+/-"]),
        ("Gain +/- 2", ["Gain +/-", "2"]),
        ("Clean-up", ["Clean-", "up"]),
        ("**Clean**-*up*", ["Clean-", "up"]),
        ("one—two", ["one—", "two"]),
    ],
)
def test_written_hyphen_is_printed(put, drawer, text, expected):
    block = put(text, box=(5.0, 5.0, 10.0, 30.0), size=3.0)
    assert lines_of(block) == expected
    for run in block.runs:
        ink = drawer.ink(drawer.element(run), drawer.page(80, 50))
        assert ink.right == pytest.approx(run.x + run.width, abs=0.4)


def test_words_that_fit_are_not_hyphenated(put):
    assert lines_of(put("hyphenation of words", hyphenate=True)) == ["hyphenation of words"]


def test_centred_lines_are_balanced(put):
    centred = lines_of(put("The many heads of the hydra", box=(0, 0, 33, 30), align=Align.CENTER))
    assert centred == ["The many heads", "of the hydra"]


def test_no_break_space_keeps_words_on_one_line(put):
    narrow = (5.0, 5.0, 12.0, 40.0)
    assert lines_of(put("to 10\u00a0mm", box=narrow)) == ["to", "10\u00a0mm"]


def test_icon_is_centred_on_the_capitals_and_takes_its_width(put, fonts):
    block = put("a :banner: b")
    (icon,) = block.icons
    cap = measure_metrics(fonts.find("Alegreya Sans")).cap * 3.5
    assert icon.box.h == pytest.approx(1.2 * cap)
    assert icon.box.w == pytest.approx(2 * icon.box.h)
    assert icon.box.centre.y == pytest.approx(block.runs[0].y - cap / 2)
    a, b = block.runs
    assert a.x + a.width < icon.box.x < icon.box.right < b.x
    assert block.lines == 1


@pytest.mark.parametrize("gain", ["9 :sword:", ":sword: 9", "**9** :sword:", "9\u00a0:sword:"])
@pytest.mark.parametrize("width", range(16, 44, 2))
def test_number_stays_beside_its_icon_and_no_line_begins_with_a_dash(put, gain, width):
    block = put(f"You gain {gain} – or lose it", (0, 0, width, 60))
    (icon,) = block.icons
    number = next(run for run in block.runs if "9" in run.text)
    assert number.y - 5 < icon.box.y < number.y
    assert not [run for run in block.runs if run.text.lstrip().startswith("–") and run.x < 0.1]


def test_text_shrinks_in_quarter_points_only_as_far_as_needed(put):
    box = (5.0, 5.0, 40.0, 11.0)
    block = put(PROSE, box=box, size=length("12pt"), minimum=length("6pt"))
    steps = (length("12pt") - block.size) / (0.25 * MM_PER_PT)
    assert steps == pytest.approx(round(steps))
    with pytest.raises(InvalidValueError):
        put(PROSE, box=box, size=block.size + 0.25 * MM_PER_PT)
    ys = baselines(block)
    assert ys[1] - ys[0] == pytest.approx(1.2 * block.size)


def test_text_that_fits_is_not_shrunk(put):
    assert put("Hydra", minimum=1.0).size == 3.5


def test_minimum_size_above_the_size_is_refused(put):
    assert put("Hydra", size=4.0, minimum=4.0).size == 4.0
    with pytest.raises(
        InvalidValueError, match=r"it may shrink to 14\.173 pt, which is larger than its 11\.339 pt"
    ):
        put("Hydra", size=4.0, minimum=5.0)


def test_overflow_is_reported_with_its_height_and_remedies(put):
    with pytest.raises(InvalidValueError) as caught:
        put(PROSE, box=(5, 5, 30, 8), size=length("10pt"))
    assert caught.value.kind is Kind.FIT
    assert str(caught.value.at(None)) == (
        "the text is 15.69 mm too tall for its box at 10 pt\n"
        "  expected at most 30 × 8 mm\n"
        "  shorten the text, enlarge the box, or allow a smaller size with `fit:`"
    )
    grown = put(PROSE, box=(5, 5, 30, 8 + 15.69), size=length("10pt"))
    assert grown.box.bottom <= 5 + 8 + 15.69


def test_overflow_of_a_long_word_is_reported_with_the_widest_line(put):
    with pytest.raises(InvalidValueError) as caught:
        put(
            "a Donaudampfschiff sails",
            box=(5, 5, 20, 20),
            size=length("10pt"),
            minimum=length("9pt"),
        )
    assert str(caught.value.at(None)) == (
        "the text is 3.03 mm too wide for its box at 9 pt; its widest line is 'Donaudampfschiff'\n"
        "  expected at most 20 × 20 mm\n"
        "  shorten the text, enlarge the box, or let `fit:` go lower"
    )


def test_character_missing_from_all_fonts_is_reported(put):
    with pytest.raises(InvalidValueError) as caught:
        put("gain ᚠ", font="Bungee")
    assert caught.value.kind is Kind.MISSING
    assert str(caught.value.at(None)) == (
        "the font 'Bungee' (regular) has no 'ᚠ' (U+16A0 RUNIC LETTER FEHU FEOH FE F)\n"
        "  expected a font with it; there is none\n"
        "  put a font that has it into the pack's fonts/ folder"
    )


def test_character_missing_from_its_font_is_reported_with_a_suitable_font(put):
    with pytest.raises(InvalidValueError) as caught:
        put("سلام")
    assert str(caught.value.at(None)).splitlines()[:2] == [
        "the font 'Alegreya Sans' (regular) has no 'س' (U+0633 ARABIC LETTER SEEN)",
        "  expected a font with it: Pnp Test Arabic",
    ]


def test_blank_text_gives_an_empty_block(put):
    for text in ("", "  \n\n ", "\u200b"):
        block = put(text)
        assert (block.runs, block.icons, block.lines) == ((), (), 0)
        assert block.box == Rect(5, 5, 0, 0)


def test_mixed_arabic_line_is_ordered_from_right_to_left_inside_its_box(put, drawer):
    block = put("سلام abc 12 (كلب)!", font="Pnp Test Arabic", align=Align.RIGHT, size=6.0)
    by_place = [
        run.text.replace("\u200f", "").strip() for run in sorted(block.runs, key=lambda run: run.x)
    ]
    assert by_place == ["(كلب)!", "abc 12", "سلام"]
    sheet = drawer.page(80, 50)
    for run in block.runs:
        ink = drawer.ink(drawer.element(run), sheet)
        assert run.x - 0.5 < ink.x
        assert ink.right < run.x + run.width + 0.5
    assert Rect(*BOX).grown(sheet.pixel).holds(drawer.ink(drawer.body(block), sheet))


@pytest.mark.parametrize("prose", ["سلام كلب " * 12, "سلام abc cab كلب 12 " * 5])
def test_justified_arabic_lines_are_flush_with_even_gaps(put, prose):
    block = put(prose, font="Pnp Test Arabic", align=Align.JUSTIFY, size=5.0)
    assert len(baselines(block)) > 2
    for y in baselines(block)[:-1]:
        runs = sorted((run for run in block.runs if round(run.y, 6) == y), key=lambda run: run.x)
        assert (runs[0].x, runs[-1].x + runs[-1].width) == pytest.approx((5, 65))
        assert len({round(b.x - a.x - a.width, 6) for a, b in pairwise(runs)}) == 1


def test_exclamation_mark_after_arabic_stands_on_its_left(put, drawer):
    """The run is rendered like the word and the mark placed separately."""
    sheet = drawer.page(80, 50)
    full_text = put("سلام!", font="Pnp Test Arabic", size=8.0, align=Align.LEFT).runs[0]
    word = put("سلام", font="Pnp Test Arabic", size=8.0, align=Align.LEFT).runs[0]
    by_hand = [replace(word, x=word.x + full_text.width - word.width), replace(word, text="!")]
    bodies = drawer.element(full_text), "".join(map(drawer.element, by_hand))
    pictures = [drawer.picture(body, sheet) for body in bodies]
    assert ImageChops.difference(*pictures).getchannel("A").getextrema()[1] < 128
    assert drawer.printed_ink(bodies[0], sheet) == pytest.approx(
        drawer.printed_ink(bodies[1], sheet), abs=0.15
    )


def test_letter_spacing_that_hides_letters_is_refused(put):
    with pytest.raises(InvalidValueError, match="so tight that 'r' would vanish"):
        put("Hydri", spacing=-1.2)


def test_box_without_area_is_refused(put):
    for box in ((5, 5, 0, 10), (5, 5, 10, 0), (5, 5, 0, 0)):
        with pytest.raises(InvalidValueError) as caught:
            put("Hydra :sword:", box=box, minimum=1.0)
        assert caught.value.kind is Kind.FIT


def test_arabic_letters_are_joined(fonts):
    font = next(file for file in fonts.files if file.family == "Pnp Test Arabic")
    assert measure("سلام", font, 8.0) < 0.9 * sum(measure(letter, font, 8.0) for letter in "سلام")


def test_devanagari_syllables_do_not_overlap(put, drawer):
    """Renderers advance too little after a syllable of several glyphs, so a run ends there."""
    block = put("दुनिया", font="Pnp Test Devanagari", size=8.0)
    assert len(block.runs) == 2
    assert block.runs[1].x == pytest.approx(block.runs[0].x + block.runs[0].width)
    sheet = drawer.page(80, 50)
    for ink in (
        drawer.ink(drawer.body(block), sheet),
        drawer.printed_ink(drawer.body(block), sheet),
    ):
        assert (ink.x, ink.right) == pytest.approx((block.box.x, block.box.right), abs=0.15)


def test_repeated_spaces_count_as_one_unless_the_style_keeps_them(put):
    text = "  a    b  "
    assert [run.text for run in put(text).runs] == ["a b"]
    (spaced,) = put(text, keep_spaces=True).runs
    assert spaced.text.rstrip() == "  a    b"


def test_preserved_spaces_widen_the_printed_line(put, drawer):
    sheet = drawer.page(80, 50)
    joined, spaced = (put("l    l", keep_spaces=keeps) for keeps in (False, True))
    widths = [
        drawer.ink("".join(map(drawer.element, block.runs)), sheet).w for block in (joined, spaced)
    ]
    (run,) = spaced.runs
    blank = measure("l l", run.font, run.size) - measure("ll", run.font, run.size)
    assert widths[1] - widths[0] == pytest.approx(3 * blank, abs=0.3)


def test_line_breaks_between_preserved_spaces(put):
    block = put("many words      " * 4, keep_spaces=True)
    assert len(lines_of(block)) > 1
    assert all(run.x + run.width <= 65.01 for run in block.runs)
