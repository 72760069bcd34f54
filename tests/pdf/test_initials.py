"""The large letters that sections begin with, read back from the file."""

from io import BytesIO

import numpy as np
import pikepdf
import pypdfium2
import pytest

from generator.base.geometry import Size
from generator.export.rules import on_paper, require_rules, set_rules
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
"""Of the first column, in points."""


def project(folder, text, game=GAME, language=""):
    (folder / "game.yaml").write_text(game, "utf-8")
    (folder / "card.yaml").write_text('layers: [{fill: "#ffffff"}]', "utf-8")
    for name in ("rules.md", "rules.he.md"):
        (folder / name).write_text(f"# T\n\n## Section\n\n{text}\n", "utf-8")
    return Project(BuildRequest(folder, PackForm(language=language)))


def rules_pdf(*told, **more):
    asked = project(*told, **more)
    written, _ = set_rules(asked, require_rules(asked), TO_READ)
    return written.pdf


def red(pdf):
    """Return the red box of the first page in points from its top left: left, top, right, bottom.

    None without red.
    """
    with pypdfium2.PdfDocument(BytesIO(pdf)) as document:
        page = np.array(document[0].render(scale=4).to_pil().convert("RGB"))
    rows, columns = np.nonzero((page[:, :, 0] > 200) & (page[:, :, 1] < 60))
    return (
        [float(value) / 4 for value in (columns.min(), rows.min(), columns.max(), rows.max())]
        if len(rows)
        else []
    )


def letters(pdf):
    """The letters of the first page in the order in which they copy, and where they stand, as `red`."""
    with pypdfium2.PdfDocument(BytesIO(pdf)) as document:
        text = document[0].get_textpage()
        high = document[0].get_height()
        boxes = [text.get_charbox(at) for at in range(text.count_chars())]
        told = [text.get_text_range(at, 1) for at in range(text.count_chars())]
    return "".join(told), [
        (left, high - top, right, high - bottom) for left, bottom, right, top in boxes
    ]


def lines(pdf, first):
    """Of the lines in the first column, from a text on: their left and right ends, and how many letters each has."""
    text, boxes = letters(pdf)
    start = text.index(first)
    found = {}
    for sign, box in zip(text[start:], boxes[start:], strict=True):
        if sign.isalpha() and box[0] < RIGHT:
            near = next((y for y in found if abs(y - box[3]) < 5), box[3])
            left, right, count = found.get(near, (box[0], box[2], 0))
            found[near] = min(left, box[0]), max(right, box[2]), count + 1
    return list(found.values())


def test_a_letter_stands_two_lines_high_with_the_lines_beside_it(tmp_path):
    pdf = rules_pdf(tmp_path, TEXT)
    left, top, right, bottom = red(pdf)
    text, boxes = letters(pdf)
    start = text.index("Then they")
    one, two, three, *_ = lines(pdf, "hen they")
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


def test_words_copy_with_their_letter_and_stay_one_paragraph(tmp_path):
    pdf = rules_pdf(tmp_path, TEXT)
    bare = rules_pdf(tmp_path, TEXT, GAME.replace("initial", "box"))
    assert "".join(letters(pdf)[0].split()) == "".join(letters(bare)[0].split())
    assert "Then they begin, and so" in letters(pdf)[0]
    assert paragraphs(pdf) == paragraphs(bare)
    assert "A card is" in letters(rules_pdf(tmp_path, f"A card is played, {WORDS}, {WORDS}."))[0]


def paragraphs(pdf):
    """Count the tagged paragraphs."""
    with pikepdf.open(BytesIO(pdf)) as document:
        return sum(
            isinstance(thing, pikepdf.Dictionary) and thing.get("/S") == pikepdf.Name.P
            for thing in document.objects
        )


def test_quotes_before_a_letter_are_as_large(tmp_path):
    pdf = rules_pdf(tmp_path, TEXT)
    wider = rules_pdf(tmp_path, f"“{TEXT}”")
    assert red(wider)[2] > red(pdf)[2] + 4
    assert red(wider)[3] == pytest.approx(red(pdf)[3], abs=0.6)
    assert "“Then they" in letters(wider)[0]


def test_a_letter_with_an_accent_or_a_tail_keeps_to_its_lines(tmp_path):
    plain = red(rules_pdf(tmp_path, TEXT))
    for begun in ("Étant", "Quickly", "„Then"):
        _, top, _, bottom = red(rules_pdf(tmp_path, TEXT.replace("Then", begun)))
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
def test_what_has_no_place_for_a_letter_has_none(tmp_path, text):
    pdf = rules_pdf(tmp_path, text)
    assert not red(pdf)
    assert ("Short." in letters(pdf)[0]) == (text == "Short.")


def test_a_language_from_right_to_left_has_no_letter(tmp_path):
    assert not red(rules_pdf(tmp_path, TEXT, language="he"))
    assert red(rules_pdf(tmp_path, TEXT, language="en"))


def test_the_plain_rules_of_a_patch_have_no_letter(tmp_path):
    plain = on_paper(project(tmp_path, TEXT), Size(210, 297))
    assert not red(plain)
    assert "Then they begin" in letters(plain)[0]


def test_lines_of_a_long_paragraph_beside_and_under_its_letter_are_full(tmp_path):
    pdf = rules_pdf(tmp_path, " ".join([TEXT] * 12))
    full = lines(pdf, "hen they")
    assert red(pdf)
    assert len(full) > 9
    assert all(right == pytest.approx(RIGHT, abs=3) for _, right, _ in full)
    assert min(count for *_, count in full) > 0.8 * max(count for *_, count in full), (
        "no line is set wide"
    )
    assert [left for left, *_ in full[2:]] == pytest.approx([LEFT] * len(full[2:]), abs=1.0)


def test_the_web_page_has_the_letter_too(tmp_path):
    pack = project(tmp_path, TEXT)
    page = render_html(pack.rules, pack.game.fonts)
    assert '<main class="begun">' in page
    assert "--initial:#ff0000" in page
    bare = render_html(
        project(tmp_path, TEXT, GAME.replace("initial", "box")).rules, pack.game.fonts
    )
    assert '<main class="begun">' not in bare
