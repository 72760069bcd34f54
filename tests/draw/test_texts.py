"""Test styles inside a text, style keys in a layer, and blocks that share a box."""

import re

import pytest

from generator.base.units import MM_PER_PT
from generator.draw.draw import draw_game
from tests.tools.make_face import svg_of
from tests.tools.make_pack import loaded, make, problems, render_design, svg

STYLES = "  title: {size: 14pt, weight: bold, colour: $red, align: center}\n"
SWORD = svg('<rect width="10" height="10" fill="currentColor"/>')


def pack(folder, layout, table="id\none\n"):
    return make(folder, layout, table, more=STYLES, files={"art/icons/sword.svg": SWORD})


def runs(folder, layout, **more):
    """Return each text run of a face with its SVG attributes."""

    face = draw_game(loaded(pack(folder, layout, **more)))[0].designs[0].front
    matches = re.findall(r"<text ([^>]*)>([^<]*)", svg_of(face))
    return [
        (words.strip(), dict(re.findall(r'([\w:-]+)="([^"]*)"', attributes)))
        for attributes, words in matches
    ]


def runs_of_text(folder, text):
    return dict(runs(folder, f"- text: '{text}'\n  box: trim\n  style: body\n"))


def size_in_pt(attributes):
    return float(attributes["font-size"]) / MM_PER_PT


def test_markup_in_text_sets_style_colour_and_size(tmp_path):
    styled_runs = runs_of_text(
        tmp_path,
        "plain [title]as a title[/] [$blue]blue[/] [12pt]large[/] [50%]half[/] [blue big]both[/]",
    )
    assert size_in_pt(styled_runs["as a title"]) == pytest.approx(14, abs=0.01)
    assert (styled_runs["as a title"]["fill"], styled_runs["as a title"]["font-weight"]) == (
        "#ff0000",
        "700",
    )
    assert styled_runs["blue"]["fill"] == styled_runs["both"]["fill"] == "#0000ff"
    assert size_in_pt(styled_runs["large"]) == pytest.approx(12, abs=0.01)
    assert float(styled_runs["half"]["font-size"]) == pytest.approx(1.5)
    assert float(styled_runs["both"]["font-size"]) == pytest.approx(3.75)


def test_markup_in_text_sets_underline_capitals_and_shift(tmp_path):
    styled_runs = runs_of_text(tmp_path, "on [underline]under[/] [caps]caps[/] [+1mm]up[/]")
    assert styled_runs["under"]["text-decoration"] == "underline"
    assert "CAPS" in styled_runs
    assert float(styled_runs["on"]["y"]) - float(styled_runs["up"]["y"]) == pytest.approx(1.0)


def test_larger_words_take_more_width(tmp_path):
    small = runs_of_text(tmp_path, "one two")["one two"]
    large = runs(tmp_path, "- text: 'one [200%]two[/] three'\n  box: trim\n  style: body\n")
    xs = [float(look["x"]) for _, look in large]
    assert xs == sorted(xs)
    assert xs[2] - xs[1] > 2 * (xs[1] - xs[0]) * 0.8
    assert small["x"] == large[0][1]["x"]


def test_markup_in_text_aligns_single_lines(tmp_path):
    styled_runs = runs_of_text(tmp_path, "left\\n[center]middle[/]\\n[right]end[/]")
    assert (
        float(styled_runs["left"]["x"])
        < float(styled_runs["middle"]["x"])
        < float(styled_runs["end"]["x"])
    )


def test_icon_in_text_takes_colour_and_size_of_its_markup(tmp_path):
    layout = "- text: '[300% $red]:sword:[/]'\n  box: [0, 0, 40, 20]\n  style: body\n"
    picture = render_design(pack(tmp_path, layout))
    left, top, right, bottom = picture.box()
    assert picture.at((left + right) / 2, (top + bottom) / 2) == "#ff0000"
    assert 6 < bottom - top < 8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[titel]x[/]", "[titel]: unknown style 'titel'"),
        ("[title]x", "[title] is not ended"),
        ("[titel]x", ""),
    ],
)
def test_unknown_or_unclosed_markup_in_text_is_refused(tmp_path, text, message):
    messages = problems(pack(tmp_path, f"- text: '{text}'\n  box: trim\n  style: body\n"))
    assert message in messages
    assert bool(message) == bool(messages)


def test_layer_overrides_settings_of_its_style(tmp_path):
    more = "  size: 10pt\n  align: right\n  weight: bold\n  font: Alegreya\n  colour: $blue\n"
    ((_, attributes),) = runs(tmp_path, f"- text: words\n  box: trim\n  style: body\n{more}")
    assert (attributes["font-weight"], attributes["fill"]) == ("700", "#0000ff")
    assert "Alegreya" in attributes["font-family"]
    assert size_in_pt(attributes) == pytest.approx(10, abs=0.01)
    assert float(attributes["x"]) > 25


def test_turned_text_stands_upright_in_its_box(tmp_path):
    layout = "- text: HHHHHHHH\n  box: [10, 15, 20, 5]\n  style: body\n  turn: 90\n  align: center\n  valign: middle\n"
    left, top, right, bottom = render_design(pack(tmp_path, layout)).box()
    assert bottom - top > 4 * (right - left)
    assert (left + right) / 2 == pytest.approx(20, abs=0.3)
    assert (top + bottom) / 2 == pytest.approx(17.5, abs=0.3)


def test_outline_and_shadow_enlarge_ink_of_text(tmp_path):
    layout = "- text: HHH\n  box: [5, 5, 30, 20]\n  style: title\n  outline: 0.5mm $blue\n"
    plain = render_design(
        pack(tmp_path, "- text: HHH\n  box: [5, 5, 30, 20]\n  style: title\n")
    ).box()
    lined = render_design(pack(tmp_path, layout)).box()
    assert [round(abs(a - b), 1) for a, b in zip(plain, lined, strict=True)] == pytest.approx(
        [0.5] * 4, abs=0.15
    )
    shadow = render_design(pack(tmp_path, layout.replace("outline: 0.5mm", "shadow: 1mm"))).box()
    assert shadow[2] - plain[2] == pytest.approx(1.0, abs=0.15)
    assert shadow[0] == pytest.approx(plain[0], abs=0.15)


def test_translucent_colour_mixes_with_background(tmp_path):
    picture = render_design(
        pack(tmp_path, '- fill: $red\n- shape: {rect: trim, fill: "#0000ff80"}\n')
    )
    assert picture.at(20, 20) == "#7f0080"


BLOCKS = """- blocks:
    - text: Title
      style: title
    - rule: 0.3mm $ink
    - text: $bonus
      style: title
      when: bonus
    - text: $text
      style: body
  box: [5, 5, 30, {h}]
  fit: 4pt
"""


def test_blocks_stand_below_each_other(tmp_path):
    layout = BLOCKS.format(h=30)
    runs_by_text = dict(runs(tmp_path, layout, table="id,bonus,text\na,+3,Words\n"))
    assert [
        word for word, _ in sorted(runs_by_text.items(), key=lambda one: float(one[1]["y"]))
    ] == [
        "Title",
        "+3",
        "Words",
    ]
    without = dict(runs(tmp_path, layout, table="id,bonus,text\na,,Words\n"))
    assert "+3" not in without
    assert float(without["Words"]["y"]) < float(runs_by_text["Words"]["y"]) - 4


def test_blocks_shrink_together_until_they_fit(tmp_path):
    table = f"id,bonus,text\na,,{'word ' * 60}\n"
    all_runs = runs(tmp_path, BLOCKS.format(h=24), table=table)
    title, body = (float(look["font-size"]) for _, look in (all_runs[0], all_runs[-1]))
    assert body < 3
    assert title / body == pytest.approx(14 * MM_PER_PT / 3, rel=0.01)
    messages = problems(pack(tmp_path, BLOCKS.format(h=8), table))
    assert "mm too tall for their box, their smallest text at" in messages
    assert "(cards.csv:2)" in messages


@pytest.mark.parametrize(("height", "fits"), [(5.3, True), (5.2, False)])
def test_blocks_shrink_to_their_smallest_size_and_no_further(tmp_path, height, fits):
    """Two lines of 2.19 mm and leading 1.2; steps of 2 % alone would stop at 2.22 mm."""
    layout = (
        f"- blocks: [{{text: $text, style: body}}]\n  box: [0, 0, 30, {height}]\n  fit: 2.19mm\n"
    )
    messages = problems(pack(tmp_path, layout, 'id,text\na,"one\ntwo"\n'))
    assert messages == "" if fits else "their smallest text at 6.208 pt" in messages


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("{text: a}", "a text without a style"),
        ("{text: a, style: body, space: 1}", "with no content, or with two kinds"),
        ("{}", "with no content, or with two kinds"),
    ],
)
def test_invalid_block_is_refused(tmp_path, block, message):
    assert message in problems(pack(tmp_path, f"- blocks: [{block}]\n  box: trim\n"))
