"""Test texts set from right to left: order, sides, brackets, icons and lines."""

from dataclasses import replace

import pytest
from PIL import ImageChops

from generator.text.style import Align

HEBREW = {"font": "Pnp Test Hebrew", "size": 6.0}
BOX = (5.0, 5.0, 60.0, 40.0)


def parts(block):
    """Return the texts of the runs from left to right, without codes that nobody sees."""
    ordered = sorted(block.runs, key=lambda run: (run.y, run.x))
    return [run.text.strip(" \u200f\u202c\u202d\u202e") for run in ordered]


def left_and_right(block):
    return min(run.x for run in block.runs), max(run.x + run.width for run in block.runs)


def test_brackets_stand_round_their_content(put):
    block = put("אש (HP) (3 מים)", **HEBREW)
    assert parts(block) == ["מים)", "3", ") (", "HP", "אש ("]


def test_mirrored_brackets_look_like_brackets_set_separately(put, drawer):
    """`(HP)` beside a Hebrew word is rendered like `(HP)` alone."""
    sheet = drawer.page(80, 50)
    full_text = put("אש (HP)", **HEBREW, align=Align.LEFT)
    alone = put("(HP)", **HEBREW, align=Align.LEFT)
    by_hand = "".join(map(drawer.element, alone.runs))
    word = next(run for run in full_text.runs if "אש" in run.text)
    # From the left: (HP), a blank, the word. The run of the word also contains the bracket and the blank
    # at its left, so the word alone is placed at the right end of that run.
    bare = put("אש", **HEBREW, align=Align.LEFT).runs[0]
    by_hand += drawer.element(replace(bare, x=word.x + word.width - bare.width))
    pictures = [drawer.picture(body, sheet) for body in (drawer.body(full_text), by_hand)]
    assert ImageChops.difference(*pictures).getchannel("A").getextrema()[1] < 128


@pytest.mark.parametrize(
    ("text", "lang", "align", "is_right"),
    [
        ("אש", "en", Align.START, True),
        ("אש", "en", Align.END, False),
        ("HP", "en", Align.START, False),
        ("HP", "en", Align.END, True),
        ("HP", "he", Align.START, True),
        ("HP", "he", Align.END, False),
        ("-5", "he", Align.START, True),
        ("HP", "he", Align.LEFT, False),
        ("אש", "he", Align.RIGHT, True),
        ("אש", "he", Align.JUSTIFY, True),
    ],
)
def test_start_and_end_follow_the_direction_of_the_text(put, text, lang, align, is_right):
    left, right = left_and_right(put(text, **HEBREW, lang=lang, align=align))
    assert (right if is_right else left) == pytest.approx(65 if is_right else 5)


def test_texts_are_aligned_to_their_start_by_default(put):
    assert left_and_right(put("אש", **HEBREW))[1] == pytest.approx(65)
    assert left_and_right(put("Hydra"))[0] == pytest.approx(5)


def test_language_decides_the_side_where_a_mixed_text_begins(put):
    assert parts(put("HP: אש", **HEBREW, lang="he")) == [": אש", "HP"]
    assert parts(put("HP: אש", **HEBREW, lang="en")) == ["HP:", "אש"]


@pytest.mark.parametrize("figure", ["-5", "+2", "3–5", "2 × 3"])
def test_figures_alone_keep_their_order_in_a_hebrew_text(put, figure):
    assert parts(put(figure, **HEBREW, lang="he")) == [figure]


def test_icons_and_bold_words_keep_the_order_from_right_to_left(put):
    block = put("אש :sword: (**HP** 3)", **HEBREW)
    (icon,) = block.icons
    by_place = [
        *((run.x, run.text.strip(" \u200f")) for run in block.runs),
        (icon.box.x, ":sword:"),
    ]
    assert [text for _, text in sorted(by_place)] == [")", "HP", "3", "(", ":sword:", "אש"]


def test_each_line_of_a_hebrew_text_begins_at_the_right(put):
    """The brackets open on one line and close on the next."""
    block = put("אש אש אש (HP מים) מים", **HEBREW, box=(5, 5, 36, 40))
    lines = {}
    for run in block.runs:
        lines.setdefault(run.y, []).append(run)
    assert len(lines) == 2
    for runs in lines.values():
        assert max(run.x + run.width for run in runs) == pytest.approx(41)


def test_direction_codes_at_the_end_of_a_line_take_no_space(put):
    plain, coded = (
        left_and_right(put(text, **HEBREW)) for text in ("אש מים", "אש \u2067מים \u2069")
    )
    assert coded == pytest.approx(plain)


def test_overridden_letters_run_backwards(put, drawer):
    sheet = drawer.page(80, 50)
    turned, by_hand = (put(text, **HEBREW, align=Align.LEFT) for text in ("\u202eHPT\u202c", "TPH"))
    inks = [drawer.ink(drawer.body(block), sheet) for block in (turned, by_hand)]
    assert inks[0] == pytest.approx(inks[1], abs=0.1)
    pictures = [drawer.picture(drawer.body(block), sheet) for block in (turned, by_hand)]
    assert ImageChops.difference(*pictures).getchannel("A").getextrema()[1] < 128


def test_direction_codes_alone_make_no_run(put):
    block = put("\u2067אש (HP)\u2069: 3", **HEBREW)
    assert len(block.runs) > 2
    assert all(parts(block))
