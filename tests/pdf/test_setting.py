"""Test the layout of rules: keeping blocks together, wide figures, and footnotes."""

import io
from functools import cache
from itertools import pairwise

import pypdfium2
import pytest

from generator.base.errors import InvalidValueError, PnpError
from generator.base.fonts import font_set
from generator.base.ui_strings import words_for
from generator.rules.booklet.boxes import SetPicture
from generator.rules.booklet.compose import ANY, FOLDS, BookSetter
from generator.rules.booklet.make import TO_FOLD
from generator.rules.booklet.measure import typesetting
from generator.rules.booklet.pages import FOLDED, FREE_HOLE_MM, READING
from generator.rules.booklet.write import write_book
from generator.rules.directives import Material
from generator.rules.read import read_rules
from generator.rules.theme import BookletStyle
from tests.tools.placeholder_figures import figure, picture

FONTS = font_set()
WORDS = "The quick hydra grows another head while nobody looks, and then one more. " * 4
MM = 25.4 / 72


def rules_of(text, **look):
    figures = {name: figure(name) for name in "abc"} | {"wide": figure("wide", 170, 50, wide=True)}
    theme = BookletStyle(FONTS.find("Alegreya SC", 700), "#231a14", "#a3301f", **look)
    return read_rules(
        f"# T\n\n{text}", Material("rules.md", "en", words_for("en").rules, theme, figures), "Game"
    )


@cache
def book(text, form=READING, sizes=((10.0, 1.0),), fill=ANY):
    return set_book(rules_of(text), form, sizes, fill)


def set_book(content, form=READING, sizes=((10.0, 1.0),), fill=ANY):
    with typesetting(FONTS) as engine:
        return BookSetter(content, FONTS, engine).find_best(
            [form.at(*size) for size in sizes], fill
        )


def pdf_of(text, form=READING):
    content = rules_of(text)
    with typesetting(FONTS) as engine:
        setter = BookSetter(content, FONTS, engine)
        return write_book(setter.find_best([form.at(10.0)], ANY), setter)


def slugs_of(page):
    return [item.slug for *_, item in page.boxes if item.slug]


def sections(count, each=WORDS):
    return "\n\n".join(f"## Part {number}\n\n{each}" for number in range(count))


def columns_of(page):
    """Return the boxes of each column from the top: left edge, top, box, item."""
    boxes_by_edge = {}
    for x, y, box, item in page.boxes:
        boxes_by_edge.setdefault(round(x, 2), []).append((x, y, box, item))
    return [sorted(column, key=lambda row: row[1]) for column in boxes_by_edge.values()]


def lonely_headings(pages):
    """Return the headings that end a column, of pages that have headings."""
    assert any(slugs_of(page) for page in pages)
    return [
        column[-1][3].slug for page in pages for column in columns_of(page) if column[-1][3].slug
    ]


@pytest.mark.parametrize(
    "form", [READING, FOLDED, READING.in_columns(1), READING.in_columns(3)], ids=str
)
def test_heading_is_never_alone_at_the_end_of_a_column(form):
    assert not lonely_headings(book(sections(40), form).pages)


@pytest.mark.parametrize("lines", [16, 19, 22])
def test_heading_stays_with_text_whose_picture_is_on_the_next_page(lines):
    """At some height on the page there is space for the heading only, so several heights are tried."""
    before = "\n\n".join(["A line."] * lines)
    text = f"{before}\n\n## Part\n\n{WORDS}\n\n::: figure wide\n:::\n\n{WORDS}"
    assert not lonely_headings(book(text, FOLDED).pages)


@pytest.mark.parametrize("count", [8, 9, 10, 11])
def test_two_headings_and_the_line_before_a_list_stay_together(count):
    start = f"{WORDS}\n\n" * count
    inside = "### Inside\n\nChoose one:\n\n" + "\n".join(f"- {WORDS}" for _ in range(3))
    pages = book(f"## Before\n\n{start}\n\n## After\n\n{inside}\n", FOLDED).pages
    assert {"after", "inside"} <= {slug for page in pages for slug in slugs_of(page)}
    for page in pages:
        assert page.boxes[-1][3].slug not in {"after", "inside"}


@pytest.mark.parametrize("count", [5, 6, 7, 8])
def test_split_list_leaves_no_single_item_on_a_page(count):
    before = f"{WORDS}\n\n" * count
    text = f"{before}Choose:\n\n" + "\n".join(f"{n}. Step {WORDS}" for n in range(1, 5)) + "\n"
    book_set = book(text, FOLDED, ((9.6, 1.0),), ANY)
    steps = [
        sum("enum(start" in box.things[0].code for _, _, box, _ in page.boxes)
        for page in book_set.pages
    ]
    assert sum(steps) == 4
    assert 1 not in steps


@pytest.mark.parametrize("form", [READING, FOLDED])
def test_blocks_stay_inside_the_type_area(form):
    text = "\n\n".join(f"{WORDS}\n\n::: figure {name}\n:::" for name in "abcabcabc")
    for page in book(text, form).pages:
        for x, y, box, _ in page.boxes:
            assert form.side - 0.01 <= x
            assert x + box.width <= form.size.w - form.side + 0.01
            assert form.top - 0.01 <= y
            assert y + box.height <= form.size.h - form.bottom + 0.01


def test_blocks_of_a_column_do_not_overlap():
    for page in book(sections(30)).pages:
        for column in columns_of(page):
            for (_, top, box, _), (_, below, _, _) in pairwise(column):
                assert below >= top + box.height - 0.01


def test_columns_above_a_wide_figure_end_level():
    book_set = book(f"{WORDS}\n\n{WORDS}\n\n::: figure wide :::\n\n{WORDS}\n\n{WORDS}\n")
    (page,) = book_set.pages
    wide = max((row for row in page.boxes if row[3].across and row[3].name), key=lambda row: row[1])
    assert wide[2].width == pytest.approx(READING.width)
    above = [row for row in page.boxes if row[1] < wide[1] and row[2].width < READING.width - 1]
    ends = [
        max(y + box.height for x, y, box, _ in above if x == left)
        for left in sorted({row[0] for row in above})
    ]
    assert len(ends) == 2
    assert abs(ends[0] - ends[1]) < 10
    assert max(ends) < wide[1]


@pytest.mark.parametrize("form", [READING, FOLDED])
def test_columns_are_full_on_all_pages_but_the_last(form):
    text = "\n\n".join(f"## P{n}\n\n{WORDS}\n\n::: figure {'abc'[n % 3]}\n:::" for n in range(14))
    book_set = book(text, form)
    assert len(book_set.pages) > 1
    for page in book_set.pages[:-1]:
        for column in columns_of(page):
            _, top, box, _ = column[-1]
            assert form.size.h - form.bottom - top - box.height < FREE_HOLE_MM
    assert not book_set.faults


def test_figure_follows_its_text_directly():
    text = "\n\n".join(f"{WORDS}\n\nLook:\n\n::: figure {name}\n:::" for name in "abcabcabc")
    items = [item for page in book(text).pages for *_, item in page.boxes]
    assert [item.name for item in items if item.name] == list("abcabcabc")
    assert not [item for item, after in pairwise(items) if item.name and after.name]


def test_footnote_stands_at_the_foot_of_the_page_of_its_reference():
    document = pypdfium2.PdfDocument(
        pdf_of(f"{WORDS}[^x]\n\n{sections(30)}\n\n[^x]: What one says below.\n")
    )
    page = document[0]
    height = READING.size.h
    text = page.get_textpage()
    match = text.search("What one says below").get_next()
    box = text.get_charbox(match[0])
    assert height - READING.bottom - 8 < height - box[1] * MM < height - READING.bottom
    assert document[1].get_textpage().search("What one says below").get_next() is None
    document.close()


def test_long_rules_have_a_contents_list_with_the_right_pages():
    book_set = book(sections(100), READING)
    assert book_set.count > 8
    for page in book_set.pages:
        for slug in slugs_of(page):
            assert book_set.coder.places.first[slug] == page.number
    assert not slugs_of(book_set.pages[0])


def test_short_rules_have_no_contents_list():
    assert slugs_of(book(sections(3)).pages[0])[0] == "part-0"


def test_range_of_pages_runs_to_the_end_of_its_section():
    book_set = book(
        f"[](#long..)\n\n## Long\n\n{sections(0)}### Inside\n\n"
        + f"{WORDS}\n\n" * 40
        + "## After\n\nx\n",
        FOLDED,
    )
    places = book_set.coder.places
    assert places.first["long"] == 1
    assert places.last["long"] == places.last["inside"] > 2
    assert places.first["after"] >= places.last["long"]


def test_page_break_and_back_cover_begin_new_pages():
    book_set = book("One.\n\n::: page-break :::\n\nTwo.\n\n::: back-cover :::\n\nThree.\n")
    assert len(book_set.pages) == 3
    assert book_set.back_cover


def test_cover_is_a_separate_page():
    book_set = set_book(rules_of(sections(2), cover=picture("cover")))
    assert (book_set.covers, book_set.count, book_set.coder.places.first["part-0"]) == (1, 2, 2)


@pytest.mark.parametrize("count", [7, 8, 9, 11])
def test_rules_for_a_booklet_fill_a_multiple_of_four_pages(count):
    text = "\n\n".join(
        f"## P{n}\n\n{WORDS}\n\n::: figure {'abc'[n % 3]}\n:::" for n in range(count)
    )
    assert book(text, FOLDED, TO_FOLD.sizes, FOLDS).count % 4 == 0


def test_long_table_repeats_its_head_on_the_next_page():
    rows = "\n".join(f"| {number} | {'word ' * 6} |" for number in range(120))
    document = pypdfium2.PdfDocument(pdf_of(f"| nth | text |\n|---|---|\n{rows}\n"))
    texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    assert len(texts) > 1
    assert all("nth" in text for text in texts)


@pytest.mark.parametrize("form", [READING, FOLDED])
def test_long_paragraph_continues_on_the_next_page_without_loss(form):
    words = [f"word{number}" for number in range(1200)]
    document = pypdfium2.PdfDocument(pdf_of(" ".join(words), form))
    text_read = " ".join(page.get_textpage().get_text_range() for page in document).split()
    document.close()
    assert [word for word in text_read if word.startswith("word")] == words


def test_block_higher_than_a_page_is_refused():
    inside = "\n\n".join([WORDS] * 30)
    with pytest.raises((PnpError, InvalidValueError), match="a block is higher than the page"):
        book(f"::: note\n{inside}\n:::\n", FOLDED)


def test_back_cover_with_a_block_higher_than_the_page_is_refused():
    inside = "\n\n".join([WORDS] * 30)
    fits = book("One.\n\n::: back-cover :::\n\n::: note\nTwo.\n:::\n", FOLDED)
    assert fits.pages[-1].back
    with pytest.raises((PnpError, InvalidValueError), match="a block is higher than the page"):
        book(f"One.\n\n::: back-cover :::\n\n::: note\n{inside}\n:::\n", FOLDED)


def test_typst_code_in_rules_is_printed_as_text():
    """Characters with a meaning in typst are printed literally."""
    text = 'So #read("/etc/passwd"), \\*stars\\*, `a`, $x$, @here, "quotes" and \\\\backslash#.\n'
    document = pypdfium2.PdfDocument(pdf_of(text))
    text_read = document[0].get_textpage().get_text_range()
    document.close()
    for piece in ("#read(", "/etc/passwd", "*stars*", "$x$", "@here", "\\backslash#."):
        assert piece in text_read


def test_words_in_two_fonts_keep_their_letters_and_punctuation(tmp_path):
    """`*word*,` is one word in two fonts; the comma is a comma."""
    from tests.tools.read_pdf import fonts, read

    text = "So *italics*, **bold**; *one***two**three, (**x**) and *[last](#end)*.\n\n## End\n\nx\n"
    path = tmp_path / "book.pdf"
    path.write_bytes(pdf_of(text))
    text_read = " ".join(read(path)[0].text.replace("\xa0", " ").split())
    assert "So italics, bold; onetwothree, (x) and last (page 1)." in text_read
    assert all(fonts(path).values())


def test_character_missing_from_the_font_of_rules_is_reported():
    with pytest.raises(InvalidValueError, match=r"Alegreya has no 'ᚠ' \(U\+16A0\), in 'A ᚠ here.'"):
        book("A ᚠ here.\n")


def test_rules_are_tagged_with_language_headings_lists_and_alternative_text():
    """Screen readers use these tags."""
    import pikepdf

    with pikepdf.open(io.BytesIO(pdf_of("## One\n\n::: figure a\n:::\n\n- x\n- y\n"))) as pdf:
        assert pdf.Root.MarkInfo.Marked
        kinds = set()
        alts = set()
        for element in pdf.objects:
            if isinstance(element, pikepdf.Dictionary) and element.get("/Type") == "/StructElem":
                kinds.add(str(element.S))
                alts |= {str(element.Alt)} if "/Alt" in element else set()
        assert {"/H1", "/H2", "/Figure", "/L", "/LI"} <= kinds
        assert str(pdf.Root.Lang) == "en"
    assert alts == {figure("a").alt or "a"}


@pytest.mark.parametrize("form", [READING, FOLDED])
def test_gallery_of_six_fills_rows_as_wide_as_one_page(form):
    """A row has as many pictures as the page has columns, and each takes an equal share."""
    items = "\n".join(f"- {name}.svg: Set {name} — {WORDS[:150]}" for name in "abcdef")
    look = BookletStyle(FONTS.find("Alegreya SC", 700), "#231a14", "#a3301f")
    material = Material(
        "rules.md", "en", words_for("en").rules, look, picture=lambda name: picture(name, 150, 80)
    )
    text = f"# T\n\nText.\n\n::: back-cover :::\n\n## Sets\n\n::: gallery\n{items}\n:::\n"
    page = set_book(read_rules(text, material, "Game"), form).pages[-1]
    rows = [box for *_, box, item in page.boxes if item.across and not item.slug]
    assert len(rows) == 6 / form.columns
    assert [sum(isinstance(thing, SetPicture) for thing in row.things) for row in rows] == [
        form.columns
    ] * len(rows)
    for row in rows:
        assert row.width == pytest.approx(form.width)


@pytest.mark.parametrize("before", range(20, 60, 4))
def test_short_sum_stays_on_one_line(before):
    """Different texts before the sum place it everywhere in a line."""
    with pypdfium2.PdfDocument(
        pdf_of(f"{'o ' * before}you get 3 + 2 + 2 = 7 points and more of them.\n")
    ) as document:
        lines = document[0].get_textpage().get_text_range().replace("\xa0", " ").splitlines()
    assert any("3 + 2 + 2 = 7" in line for line in lines)


def right_ends(pdf):
    """Return the right end in mm of each line of text in the first column of the first page."""
    with pypdfium2.PdfDocument(pdf) as document:
        text = document[0].get_textpage()
        boxes = [text.get_rect(number) for number in range(text.count_rects())]
    first = min(left for left, *_ in boxes)
    return [
        right * MM for left, _, right, _ in boxes if left < first + 1 and right - left > 20 / MM
    ]


@pytest.mark.parametrize(("columns", "is_justified"), [(2, True), (3, False)])
def test_wide_columns_are_justified_and_narrow_ones_ragged_right(columns, is_justified):
    """Measure two columns of 84 mm, which hold some 55 letters, and three of 53 mm with 35."""
    ends = right_ends(pdf_of(WORDS * 6, READING.in_columns(columns)))
    assert len(ends) > 15
    if is_justified:
        assert max(ends) - min(ends) < 2, "only hanging punctuation differs"
    else:
        assert max(ends) - min(ends) > 5
