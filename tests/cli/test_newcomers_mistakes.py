"""Test mistakes of newcomers: the command, its message, and its exit code."""

import string
import sys

import pytest

from generator.draw.draw import draw_game
from generator.picture.items import words_of
from tests.tools.make_pack import loaded, make, problems, svg
from tests.tools.make_workbook import make_xlsx
from tests.tools.read_pdf import read

STAR = svg("<path d='M1 1h8v8z'/>")
BOOK = make_xlsx(A=[["id", "text"], ["a", "fire"]])
TEXT = "- text: $text\n  box: trim\n  style: body\n"


@pytest.fixture
def starter_pack(starter):
    """Copy the starter of cards into the current folder and return its path."""
    return starter("cards")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("hoses",), 2, "did you mean 'hoses-and-hydrants'?"),
        (("hydra",), 2, "did you mean 'hydras'?"),
        (
            ("pack/cards.csv",),
            2,
            "pack/cards.csv is a part of a pack\n  expected the pack's folder: pack",
        ),
        (("pack", "-o", "/proc/foo"), 5, "/proc/foo: the system says"),
        (("pack", "--papr", "a4"), 2, "--paper"),
        (("pack", "--paper", "a44"), 2, "did you mean 'a4'?"),
        (("pack", "--only", "cards:fxo"), 2, "did you mean 'fox'?"),
    ],
)
def test_mistyped_argument_is_refused_with_advice(starter_pack, pnp, arguments, code, message):
    result = pnp("build", *arguments)
    assert message in result.stderr
    assert result.exit_code == code
    assert "Traceback" not in result.stderr


def test_cell_formats_without_openpyxl_are_refused_with_install_command(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    pack = make(tmp_path, TEXT, files={"cards.xlsx": BOOK})
    game = pack / "game.yaml"
    plain = game.read_text().replace("cards.csv", "cards.xlsx")
    game.write_text(plain)
    assert problems(pack) == ""
    game.write_text(plain.replace("    size:", "    formatted: [text]\n    size:", 1))
    messages = problems(pack)
    assert "game.yaml:10: formatted: cell formats need the library openpyxl" in messages
    assert 'pip install "pnp-generator[xlsx]"' in messages


@pytest.mark.parametrize("value", ["2", "2.0", " 2", "5", "5.00"])
@pytest.mark.parametrize(
    "when", ["value == 2 or value == 5", "value = 2 or value = 5", "value in (2, 5)"]
)
def test_numbers_in_conditions_are_compared_as_numbers(tmp_path, value, when):
    layout = f"- text: $id\n  box: trim\n  style: body\n  when: {when}\n"
    for layer_count, cell in ((1, value), (0, "3"), (0, "")):
        game = loaded(make(tmp_path, layout, f"id,value\na,{cell}\n"))
        assert len(game.components[0].designs[0].front.layers) == layer_count


@pytest.mark.parametrize("cell", ["FALSE", "no", "0", "Falsch", "", "off"])
def test_condition_on_falsy_cell_hides_layer(tmp_path, cell):
    layout = "- text: $id\n  box: trim\n  style: body\n  when: done\n"
    game = loaded(make(tmp_path, layout, f"id,done\na,{cell}\nb,yes\n"))
    assert [len(design.front.layers) for design in game.components[0].designs] == [0, 1]


MARKUP_MISTAKES = [
    ("**bold", "two stars begin bold text that has no end"),
    ("<b>bold</b>", "'<b>' is HTML"),
    ("#REF!", "is an error of the spreadsheet"),
    ("[ink]words", "is not ended"),
    ("words[/]", "[/] ends nothing"),
    (":swrod:", "unknown icon 'swrod'"),
    ("[bug]words[/]", "unknown style 'bug'"),
    ("Fish &amp; chips", "'&amp;': this is an HTML entity"),
    ("one __bold__ word", "underscores do not make words bold"),
    ("[rules](http://a.b)", "links do not work on paper"),
    (
        "Hello {{name}}",
        "braces do not insert a column\n  expected $text, or ${Card name}, in a layout",
    ),
    ("Hello %name%", "'%name%': braces do not insert a column"),
    ("gain {star}", "'{star}' is an icon in other programs\n  expected :star:"),
]
PLAIN_CELLS = [
    "____",
    "a_b__c",
    "R&D; {stars}",
    "f(x) [1] (2)",
    "&c.",
    "snake__case",
    "{}",
    "50% of 20%",
    "100%",
]


@pytest.mark.parametrize(("cell", "message"), MARKUP_MISTAKES)
def test_foreign_markup_in_cell_is_reported_with_its_line(tmp_path, cell, message):
    messages = problems(
        make(tmp_path, TEXT, f"id,text\na,{cell}\n", files={"art/icons/star.svg": STAR})
    )
    assert message in messages
    assert "cards.csv:2" in messages


@pytest.mark.parametrize("cell", PLAIN_CELLS)
def test_ordinary_text_in_cell_is_printed_without_complaint(tmp_path, cell):
    pack = make(tmp_path, TEXT, f"id,text\na,{cell}\n", files={"art/icons/star.svg": STAR})
    assert problems(pack) == ""
    assert " ".join(words_of(draw_game(loaded(pack))[0].designs[0].front)) == cell


FIRE = "lookups: {kind: {fire: {colour: red}}}"


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        ("- fill: rgb(255, 0)\n", "three values such as rgb(20, 30, 40)"),
        ("- fill: linear-gradient(red, blue)\n", "`red to blue right`"),
        ("- shape: {rect: trim, stroke: 1mm red to blue}\n", "only where an area is filled"),
        ("- fill: ${kind.colour}\n", "no colour is given"),
        ("- fill: ${kind.colour}\n", "`${kind.colour | white}` is white if the cell is empty"),
        (
            "- fill: \"${cost > 2 ? 'red' : 'blue'}\"\n",
            "to choose: `if(cost > 2, 'dear', 'cheap')`",
        ),
        ("- fill: ${if(cost > 2; 'red'; 'blue')}\n", "put commas between values in brackets"),
        ("- fill: red\n  when: '!kind'\n", "`not sold`"),
        ("- each: 1..3\n  step: [1, 1]\n  group: [{fill: red}]\n", "a range is `1 to 3`"),
        ("- each: A to F\n  step: [1, 1]\n  group: [{fill: red}]\n", "${letter(n)} for its letter"),
        ("- fill: red\n  each: 1 to 3\n", "front.yaml:2: each: a layer alone is not repeated"),
        (
            "- blocks:\n    - text: $cost\n  box: trim\n",
            "front.yaml:2: blocks: a text without a style",
        ),
        ("- text: ${id + kind}\n  box: trim\n  style: body\n", "`&` joins two texts"),
    ],
)
def test_mistake_in_layout_is_reported_with_advice(tmp_path, layout, message):
    assert message in problems(make(tmp_path, layout, "id,kind,cost\na,,3\n", more=FIRE))


def test_name_with_a_blank_is_refused_with_braces_suggested(tmp_path):
    pack = make(tmp_path, TEXT.replace("$text", "$Card"), "id,Card name\na,b\n")
    assert "unknown name '$Card'" in problems(pack)
    assert "did you mean '${Card name}'?" in problems(pack)


def test_lenient_forms_of_boxes_shares_and_alignment_are_accepted(tmp_path):
    """Give a box for a shape, column widths in per cent, and one alignment for all columns."""
    layout = (
        TEXT.replace("box: trim", "box: trim\n  around: [1, 1, 5, 5]")
        + "- text: a\n  inside: trim\n  style: body\n"
    )
    layout += "- table: a|b\n  box: trim\n  style: body\n  columns: 30% 70%\n  align: center\n"
    assert problems(make(tmp_path, layout, "id,text\na,b\n")) == ""


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (
            "- text: $id\n  size:24mm\n  box: trim\n",
            "front.yaml:2: there is no space after the colon of 'size'",
        ),
        ("- text: $id\n box: trim\n", "front.yaml:2: this is not YAML: this line is not indented"),
        ("- text: $id\n\tbox: trim\n", "front.yaml:2: this is not YAML: there is a tab"),
        (
            '- text: "$id\n  box: trim\n',
            "front.yaml:1: this is not YAML: a quote that is opened here is not closed",
        ),
        (
            "- text: [$id\n  box: trim\n",
            "front.yaml:1: this is not YAML: a bracket that is opened here is not closed",
        ),
        ("- text: $id\n  box: trim\n  style: body\n  fit: 22.7\n", "22.7 of what?"),
        (
            "text: $id\n",
            "front.yaml:1: the layer 'text' has no dash before it\n  expected a list of layers: `- text: …`",
        ),
    ],
)
def test_yaml_mistake_is_explained_in_plain_words(tmp_path, layout, message):
    assert message in problems(make(tmp_path, layout))


def test_style_and_size_may_be_looked_up(tmp_path):
    more = "lookups: {kind: {fire: {style: body, size: 2mm}}}"
    layout = "- text: $id\n  box: trim\n  style: ${kind.style}\n  size: ${kind.size}\n"
    game = loaded(make(tmp_path, layout, "id,kind\na,fire\n", more=more))
    assert game.components[0].designs[0].front.layers[0].layer.styled.size == pytest.approx(2)
    wrong = make(
        tmp_path, layout, "id,kind\na,fire\n", more=more.replace("style: body", "style: bdy")
    )
    assert "unknown style 'bdy'" in problems(wrong)
    assert "it is ${kind.style} of 'a'" in problems(wrong)


PRINTABLE_SIGNS = [sign for sign in string.punctuation + "–—…«»“”’•·×÷±°" if sign not in "*[]\\<"]


@pytest.mark.parametrize("place", ["end", "beginning", "alone"])
def test_every_sign_is_printed_at_line_start_and_line_end(tmp_path, pnp, place):
    form = {"end": "word{0} next{0}", "beginning": "{0}word {0}next", "alone": "{0}"}[place]
    rows = "".join(
        f'c{n},"{form.format(sign).replace(chr(34), chr(34) * 2)}"\n'
        for n, sign in enumerate(PRINTABLE_SIGNS)
    )
    layout = "- text: $text\n  box: [2, 2, 9, 18]\n  style: body\n"
    pack = make(tmp_path / "signs", layout, f"id,text\n{rows}", size="20mm")
    result = pnp("build", pack, "-o", tmp_path / "out", "--what", "sheets", "--paper", "a4")
    assert result.exit_code == 0, result.stderr
    (file,) = (tmp_path / "out").rglob("*.pdf")
    # PDFium returns a hyphen at a line's end as one of these characters.
    text = "".join(page.text for page in read(file)).replace("\ufffe", "-").replace("\x02", "-")
    times = {"end": 2, "beginning": 2, "alone": 1}[place]
    for sign in PRINTABLE_SIGNS:
        assert text.count(sign) >= times, sign
