"""Test the large initials of sections, read back from the file."""

import re
from io import BytesIO

import numpy as np
import pikepdf
import pypdfium2
import pytest

from generator.base.geometry import Size
from generator.export.rules import require_rules, set_rules, set_rules_on_paper
from generator.pack.load import PackForm
from generator.pipeline.project import BuildRequest, Project
from generator.rules.booklet.make import TO_READ
from generator.rules.html import render_html

GAME = """name: T
version: "1"
components: {cards: {title: Cards, size: poker, data: [{id: a}], front: card.yaml}}
rules: {theme: {initial: "#ff0000"}}
"""
WORDS = "and so the players go on round the table until nobody has a card in hand any more"
TEXT = f"Then they begin, {WORDS}, {WORDS}."
LEFT = 48.2
RIGHT = 286.3
"""Left and right edge of the first column, in points."""


def make_project(folder, text, game=GAME, language=""):
    (folder / "game.yaml").write_text(game, "utf-8")
    (folder / "card.yaml").write_text('layers: [{fill: "#ffffff"}]', "utf-8")
    for name in ("rules.md", "rules.he.md"):
        (folder / name).write_text(f"# T\n\n## Section\n\n{text}\n", "utf-8")
    return Project(BuildRequest(folder, PackForm(language=language)))


def rules_pdf(*arguments, **more):
    rules_project = make_project(*arguments, **more)
    written, _ = set_rules(rules_project, require_rules(rules_project), TO_READ)
    return written.pdf


def red_box(pdf):
    """Return the red box of the first page in points from its top left: left, top, right, bottom.

    The list is empty without red.
    """
    with pypdfium2.PdfDocument(BytesIO(pdf)) as document:
        page = np.array(document[0].render(scale=4).to_pil().convert("RGB"))
    rows, columns = np.nonzero((page[:, :, 0] > 200) & (page[:, :, 1] < 60))
    return (
        [float(value) / 4 for value in (columns.min(), rows.min(), columns.max(), rows.max())]
        if len(rows)
        else []
    )


def letters_of(pdf):
    """Return the text of the first page in copying order, and the box of each character in points."""
    with pypdfium2.PdfDocument(BytesIO(pdf)) as document:
        text = document[0].get_textpage()
        high = document[0].get_height()
        boxes = [text.get_charbox(at) for at in range(text.count_chars())]
        characters = [text.get_text_range(at, 1) for at in range(text.count_chars())]
    return "".join(characters), [
        (left, high - top, right, high - bottom) for left, bottom, right, top in boxes
    ]


def lines_of(pdf, first):
    """Return left end, right end and number of letters of the first column's lines from a text on."""
    text, boxes = letters_of(pdf)
    start = text.index(first)
    lines_by_baseline = {}
    for sign, box in zip(text[start:], boxes[start:], strict=True):
        if sign.isalpha() and box[0] < RIGHT:
            near = next((y for y in lines_by_baseline if abs(y - box[3]) < 5), box[3])
            left, right, count = lines_by_baseline.get(near, (box[0], box[2], 0))
            lines_by_baseline[near] = min(left, box[0]), max(right, box[2]), count + 1
    return list(lines_by_baseline.values())


def test_initial_is_two_lines_high_with_both_lines_beside_it(tmp_path):
    pdf = rules_pdf(tmp_path, TEXT)
    left, top, right, bottom = red_box(pdf)
    text, boxes = letters_of(pdf)
    start = text.index("Then they")
    one, two, three, *_ = lines_of(pdf, "hen they")
    assert left == pytest.approx(LEFT, abs=0.6)
    assert top == pytest.approx(boxes[start][1], abs=0.6), "level with a capital of the first line"
    under = [
        box
        for sign, box in zip(text[start:], boxes[start:], strict=True)
        if sign in "anorx" and box[1] > boxes[start][3]
    ]
    assert bottom == pytest.approx(under[0][3], abs=0.8), "on the second line"
    assert one[0] == pytest.approx(two[0], abs=1.0)
    assert right + 1.5 < one[0] < right + 6
    assert three[0] == pytest.approx(LEFT, abs=0.6)
    assert one[1] == pytest.approx(RIGHT, abs=2)
    assert two[1] == pytest.approx(RIGHT, abs=2)


def test_text_with_an_initial_copies_as_one_paragraph(tmp_path):
    pdf = rules_pdf(tmp_path, TEXT)
    bare = rules_pdf(tmp_path, TEXT, GAME.replace("initial", "box"))
    assert "".join(letters_of(pdf)[0].split()) == "".join(letters_of(bare)[0].split())
    assert "Then they begin, and so" in letters_of(pdf)[0]
    assert count_paragraphs(pdf) == count_paragraphs(bare)
    assert "A card is" in letters_of(rules_pdf(tmp_path, f"A card is played, {WORDS}, {WORDS}."))[0]


def count_paragraphs(pdf):
    """Count the tagged paragraphs."""
    with pikepdf.open(BytesIO(pdf)) as document:
        return sum(
            isinstance(thing, pikepdf.Dictionary) and thing.get("/S") == pikepdf.Name.P
            for thing in document.objects
        )


def test_quotation_mark_before_an_initial_is_as_large(tmp_path):
    pdf = rules_pdf(tmp_path, TEXT)
    wider = rules_pdf(tmp_path, f"“{TEXT}”")
    assert red_box(wider)[2] > red_box(pdf)[2] + 4
    assert red_box(wider)[3] == pytest.approx(red_box(pdf)[3], abs=0.6)
    assert "“Then they" in letters_of(wider)[0]


def test_initial_with_an_accent_or_a_tail_keeps_to_its_lines(tmp_path):
    plain = red_box(rules_pdf(tmp_path, TEXT))
    for begun in ("Étant", "Quickly", "„Then"):
        _, top, _, bottom = red_box(rules_pdf(tmp_path, TEXT.replace("Then", begun)))
        assert top == pytest.approx(plain[1], abs=0.8), begun
        assert bottom < plain[3] + 5, begun


@pytest.mark.parametrize(
    "text",
    [
        "Short.",
        "12 cards. " + TEXT,
        "[A link](https://example.org) begins " + TEXT,
        "- A list begins. " + TEXT,
    ],
)
def test_short_text_number_link_or_list_has_no_initial(tmp_path, text):
    pdf = rules_pdf(tmp_path, text)
    assert not red_box(pdf)
    assert ("Short." in letters_of(pdf)[0]) == (text == "Short.")


def test_rules_in_hebrew_have_no_initial(tmp_path):
    assert not red_box(rules_pdf(tmp_path, TEXT, language="he"))
    assert red_box(rules_pdf(tmp_path, TEXT, language="en"))


def test_plain_rules_of_a_patch_have_no_initial(tmp_path):
    plain = set_rules_on_paper(make_project(tmp_path, TEXT), Size(210, 297))
    assert not red_box(plain)
    assert "Then they begin" in letters_of(plain)[0]


def test_lines_beside_and_below_an_initial_are_full(tmp_path):
    # The paragraph continues in the next column, so all lines here are full.
    pdf = rules_pdf(tmp_path, " ".join([TEXT] * 18))
    full = lines_of(pdf, "hen they")
    assert red_box(pdf)
    assert len(full) > 9
    assert all(right == pytest.approx(RIGHT, abs=3) for _, right, _ in full)
    assert min(count for *_, count in full) > 0.8 * max(count for *_, count in full), (
        "no line is stretched"
    )
    assert [left for left, *_ in full[2:]] == pytest.approx([LEFT] * len(full[2:]), abs=1.0)


def test_web_page_of_rules_has_the_initial(tmp_path):
    pack = make_project(tmp_path, TEXT)
    page = render_html(pack.rules, pack.game.fonts)
    assert "begun" in main_classes(page)
    assert "--initial:#ff0000" in page
    page_without = render_html(
        make_project(tmp_path, TEXT, GAME.replace("initial", "box")).rules, pack.game.fonts
    )
    assert "begun" not in main_classes(page_without)


def main_classes(page):
    """Return the classes of a page's main element."""
    return re.search('<main class="([^"]*)">', page)[1].split()


def test_one_initial_begins_the_booklet(tmp_path):
    """The next section begins with a plain letter."""
    one = rules_pdf(tmp_path, TEXT)
    two = rules_pdf(tmp_path, f"{TEXT}\n\n## Another\n\n{TEXT}")
    assert "Another" in letters_of(two)[0]
    assert red_box(two) == pytest.approx(red_box(one), abs=0.6)


def test_initial_begins_the_first_paragraph_with_space_for_it(tmp_path):
    pdf = rules_pdf(tmp_path, f"Short.\n\n## Another\n\n{TEXT}")
    text, boxes = letters_of(pdf)
    assert red_box(pdf)[1] > boxes[text.index("Another")][1]
