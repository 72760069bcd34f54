"""How rules fall on pages: what keeps together, what lies across, where notes stand."""

import pytest
from stand_ins import figure, picture

from generator.core.fonts import font_set
from generator.core.problems import FitError, Wrong
from generator.core.units import points
from generator.core.words import words_for
from generator.pdf.booklet.book import set_book, set_to_fold
from generator.pdf.booklet.formats import FOLDED, PAGE
from generator.rules.directives import Material
from generator.rules.model import Look
from generator.rules.read import read_rules

FONTS = font_set()
WORDS = "The quick hydra grows another head while nobody looks, and then one more. " * 4


def rules(text, **look):
    figures = {name: figure(name) for name in "abc"} | {"wide": figure("wide", 170, 50, wide=True)}
    seen = Look(FONTS.find("Alegreya SC", 700), "#231a14", "#a3301f", **look)
    return read_rules(f"# T\n\n{text}", Material("rules.md", "en", words_for("en").rules, seen, figures), "Game")


def book(text, form=PAGE, **look):
    return set_book(rules(text, **look), FONTS, form)


def slugs(page):
    return [placed.item.slug for placed in page.placed if placed.item.slug]


def sections(count, each=WORDS):
    return "\n\n".join(f"## Part {number}\n\n{each}" for number in range(count))


@pytest.mark.parametrize("form", [PAGE, FOLDED, PAGE.in_columns(1), FOLDED.in_columns(2)])
def test_a_heading_is_never_alone_at_the_end_of_a_column(form):
    assert not lonely_headings(book(sections(40), form).pages)


@pytest.mark.parametrize("lines", range(16, 24))
def test_a_heading_stays_with_text_whose_picture_is_overleaf(lines):
    """Wherever on the page it begins: there is a place from which room is left for the heading and for no more."""
    before = "\n\n".join(["A line."] * lines)
    text = f"{before}\n\n## Part\n\n{WORDS}\n\n::: figure wide\n:::\n\n{WORDS}"
    assert not lonely_headings(book(text, FOLDED).pages)


def lonely_headings(pages):
    columns = {}
    for number, page in enumerate(pages):
        for placed in page.placed:
            columns.setdefault((number, round(placed.x)), []).append(placed)
    return [column[-1].item.slug for column in columns.values() if column[-1].item.slug]


@pytest.mark.parametrize("words", range(54, 70, 2))
def test_two_headings_and_what_leads_to_a_list_stay_together(words):
    """Wherever the page ends: the upper heading does not stay behind because the list may go overleaf."""
    start = f"{WORDS} " * 4 + "word " * 12 * words
    inside = "### Inside\n\nChoose one:\n\n" + "\n".join(f"- {WORDS}" for _ in range(3))
    for page in book(f"## Before\n\n{start}\n\n## After\n\n{inside}\n", FOLDED).pages:
        assert not page.placed or page.placed[-1].item.slug != "after"


@pytest.mark.parametrize("form", [PAGE, FOLDED])
def test_no_lonely_lines(form):
    """A part of a paragraph has two lines at least."""
    for page in book(sections(40, WORDS * 2), form).pages:
        for placed in page.placed:
            if hasattr(placed.item.flow, "blPara") and not placed.item.slug:
                assert len(placed.item.flow.blPara.lines) >= 2


@pytest.mark.parametrize("form", [PAGE, FOLDED])
def test_nothing_leaves_the_type_area(form):
    text = "\n\n".join(f"{WORDS}\n\n::: figure {name}\n:::" for name in "abcabcabc")
    for page in book(text, form).pages:
        for placed in page.placed:
            assert placed.x >= points(form.side) - 0.01
            assert placed.x + placed.width <= points(form.size.w - form.side) + 0.01
            assert placed.y >= points(form.top) - 0.01
            assert placed.y + placed.height <= points(form.size.h - form.bottom) + 0.01


def test_items_of_a_column_follow_each_other_without_touching():
    for page in book(sections(30)).pages:
        for one, two in zip(page.placed, page.placed[1:], strict=False):
            if one.x == two.x and not two.item.wide:
                assert two.y >= one.y + one.height - 0.01


def test_a_wide_figure_lies_across_and_the_columns_above_it_end_level():
    made = book(f"{WORDS}\n\n{WORDS}\n\n::: figure wide :::\n\n{WORDS}\n\n{WORDS}\n")
    (page,) = made.pages
    wide = max((placed for placed in page.placed if placed.item.wide), key=lambda placed: placed.y)
    above = [placed for placed in page.placed if placed.y < wide.y and placed.width < PAGE.width]
    ends = [max(p.y + p.height for p in above if p.x == x) for x in sorted({p.x for p in above})]
    assert len(ends) == 2
    assert abs(ends[0] - ends[1]) < 2 * 12.8
    assert max(ends) < wide.y


def test_the_last_page_is_balanced():
    page = book(sections(5)).pages[-1]
    body = [placed for placed in page.placed if placed.width < PAGE.width]
    ends = [max(p.y + p.height for p in body if p.x == x) for x in sorted({p.x for p in body})]
    assert len(ends) == 2
    assert abs(ends[0] - ends[1]) < 100


def test_a_figure_follows_its_text_directly():
    text = "\n\n".join(f"{WORDS}\n\nLook:\n\n::: figure {name}\n:::" for name in "abcabcabc")
    order = [placed.item.serial for page in book(text).pages for placed in page.placed]
    assert order == sorted(order)


def test_notes_stand_at_the_foot_of_the_column_of_their_mark():
    made = book(f"{WORDS}[^x]\n\n{sections(30)}\n\n[^x]: What one says below.\n")
    page = made.pages[0]
    note = next(placed for placed in page.placed if not placed.item.slug and placed.item.serial == 0 and placed.y > 600)
    assert note.x == pytest.approx(points(PAGE.side))
    assert note.y + note.height <= points(PAGE.size.h - PAGE.bottom) + 0.01
    column = [p for p in page.placed if p.x == note.x and p is not note]
    assert max(p.y + p.height for p in column) < note.y


def test_long_rules_have_a_contents_list_and_true_pages():
    made = book(sections(60), FOLDED)
    assert made.count > 8
    for number, page in enumerate(made.pages, 1):
        for slug in slugs(page):
            assert made.places.first[slug] == number
    assert not slugs(made.pages[0])


def test_short_rules_have_none():
    assert slugs(book(sections(3)).pages[0])[0] == "part-0"


def test_a_range_runs_to_the_end_of_its_section():
    made = book(
        f"[](#long..)\n\n## Long\n\n{sections(0)}### Inside\n\n" + f"{WORDS}\n\n" * 40 + "## After\n\nx\n", FOLDED
    )
    assert made.places.first["long"] == 1
    assert made.places.last["long"] == made.places.last["inside"] > 2
    assert made.places.first["after"] >= made.places.last["long"]


def test_a_page_break_and_a_back_cover():
    made = book("One.\n\n::: page-break :::\n\nTwo.\n\n::: back-cover :::\n\nThree.\n")
    assert len(made.pages) == 3
    assert made.back_cover


def test_a_cover_is_a_page_of_its_own():
    made = book(sections(2), cover=picture("cover"))
    assert (made.covers, made.count, made.places.first["part-0"]) == (1, 2, 2)


def test_five_pages_become_four_where_they_can():
    text = "\n\n".join(f"## P{n}\n\n{WORDS}\n\n::: figure {'abc'[n % 3]}\n:::" for n in range(8))
    wide = set_book(rules(text), FONTS, FOLDED)
    tight = set_to_fold(rules(text), FONTS, FOLDED)
    assert wide.count % 4 in {1, 2}
    assert tight.count == wide.count - wide.count % 4


def test_long_tables_go_on_with_their_head():
    rows = "\n".join(f"| {number} | {'word ' * 6} |" for number in range(120))
    made = book(f"| n | text |\n|---|---|\n{rows}\n")
    assert len(made.pages) > 1


def test_what_is_higher_than_a_page_is_said():
    inside = "\n\n".join([WORDS] * 30)
    with pytest.raises((FitError, Wrong), match="a block is higher than the page"):
        book(f"::: note\n{inside}\n:::\n")


def test_words_in_two_fonts_keep_their_letters(tmp_path):
    """`*word*,` is one word in two fonts; the comma is a comma."""
    from reading import fonts, read

    from generator.pdf.booklet.write import write_book

    text = "So *italics*, **bold**; *one***two**three, (**x**) and *[last](#end)*.\n\n## End\n\nx\n"
    path = tmp_path / "book.pdf"
    path.write_bytes(write_book(book(text)))
    said = read(path)[0].text.replace("\xa0", " ")
    assert "So italics, bold; onetwothree, (x) and last (page 1)." in said
    assert all(fonts(path).values())


def test_a_letter_that_the_font_lacks_is_said():
    with pytest.raises(Wrong, match=r"Alegreya has no '☃' \(U\+2603\), in 'A ☃ here.'"):
        book("A ☃ here.\n")


@pytest.mark.parametrize("form", [PAGE, FOLDED])
def test_a_gallery_of_six_lies_across_one_page(form):
    """Each picture takes its share of the width, however large it is by itself."""
    items = "\n".join(f"- {name}.svg: Set {name} — {WORDS[:150]}" for name in "abcdef")
    look = Look(FONTS.find("Alegreya SC", 700), "#231a14", "#a3301f")
    material = Material("rules.md", "en", words_for("en").rules, look, picture=lambda name: picture(name, 150, 80))
    text = f"# T\n\nText.\n\n::: back-cover :::\n\n## Sets\n\n::: gallery\n{items}\n:::\n"
    page = set_book(read_rules(text, material, "Game"), FONTS, form).pages[-1]
    rows = [placed for placed in page.placed if placed.item.smaller]
    assert len(rows) == 6
    for row in rows:
        assert row.width == pytest.approx(form.width)
        assert row.height >= 0.33 * form.width * 80 / 150
