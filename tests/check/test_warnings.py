"""Test warnings about art that draws something else than meant, and about gaps in tables.

`check` lists them, `build` counts them.
"""

import io
import re
from contextlib import chdir

import pytest
from PIL import Image

from tests.tools.make_pack import make, svg

DOT = '<circle cx="5" cy="5" r="4" fill="#0000ff"/>'
FILL = "- fill: red\n"
ART = FILL + "- svg: art/a.svg\n  box: [5, 5, 30, 30]\n"


def warnings(pnp, pack, *options: str) -> list[str]:
    """Return the warnings of a check, without their layers and hints."""
    with chdir(pack.parent):
        result = pnp("check", pack.name, *options)
    assert result.exit_code == 0, result.output
    return [
        re.sub(r" \(\w+ in [^ ]+:\d+\)$", "", line).removeprefix("warning: ")
        for line in result.output.splitlines()
        if line.startswith("warning: ")
    ]


def last_line_of_build(pnp, pack) -> str:
    """Return the last line of a build."""
    with chdir(pack.parent):
        result = pnp("build", pack.name, "--what", "sheets")
    assert result.exit_code == 0, result.output
    return result.output.splitlines()[-1]


TEXT = "- text: Hamburg\n  box: {box}\n  style: body\n"
LAYOUTS_WITH_ONE_WARNING = {
    "few pixels": FILL + "- image: art/a.png\n  box: [10, 10, 20, 20]\n",
    "a shape off the piece": FILL + "- shape: {rect: [90, 5, 10, 10], fill: blue}\n",
    "an icon off the piece": FILL + "- icon: dot\n  at: [60, 20]\n  size: 6mm\n",
    "text that is cut off": FILL + TEXT.format(box="[30, 10, 12, 6]") + "  align: right\n",
    "a hairline": FILL + "- shape: {circle: center, r: 5mm, stroke: 0.05mm blue}\n",
    "tiny type": TEXT.format(box="[8, 8, 24, 8]") + "  size: 3pt\n",
    "white on white": TEXT.format(box="[8, 8, 24, 8]") + "  colour: white\n",
    "text on text": TEXT.format(box="[8, 8, 24, 8]")
    + TEXT.format(box="[8, 8, 24, 8]").replace("Hamburg", "Bremen"),
    "a hidden text": TEXT.format(box="[8, 8, 24, 8]") + FILL,
    "a box beyond the piece": TEXT.format(box="[8, 8, 24, 60]"),
    "a column that is not read": TEXT.format(box="[8, 8, 24, 8]").replace("Hamburg", "cost"),
    "a column of another notation": TEXT.format(box="[8, 8, 24, 8]").replace(
        "Hamburg", '"Worth [price] points"'
    ),
    "a condition that never holds": FILL + "- fill: white\n  when: cost = 9\n",
}


@pytest.mark.parametrize("fault", LAYOUTS_WITH_ONE_WARNING)
def test_last_line_of_build_counts_warning_that_check_lists(fault, pnp, tmp_path):
    small = io.BytesIO()
    Image.new("RGB", (50, 50), "blue").save(small, "PNG")
    files = {"art/a.png": small.getvalue(), "art/icons/dot.svg": svg(DOT)}
    pack = make(
        tmp_path / "pack", LAYOUTS_WITH_ONE_WARNING[fault], "id,cost,price\none,2,3\n", files=files
    )
    assert len(warnings(pnp, pack)) == 1
    assert last_line_of_build(pnp, pack) == "1 warning: pnp check pack"


EMPTY_ART = {
    "no elements": "",
    "definitions alone": f'<defs>{DOT}</defs><symbol id="s">{DOT}</symbol>',
    "hidden": f'<g style="display:none">{DOT}</g><g visibility="hidden">{DOT}</g>',
    "neither fill nor line": '<g fill="none"><rect width="9" height="9"/><path d="M0 0h9v9z" stroke="none"/></g>',
    "no size": '<rect width="0" height="9"/><circle r="0"/><path d=""/><polygon points=""/><rect height="9"/>',
    "opacity 0": f'<g opacity="0">{DOT}</g>',
    "an empty text": '<text x="2" y="5"> <tspan> </tspan></text>',
    "a use of nothing": '<use href="#nowhere"/>',
    "a use of what is hidden": f'<g id="a" display="none">{DOT}</g><use href="#a"/>',
}


@pytest.mark.parametrize("content", EMPTY_ART)
def test_art_that_draws_nothing_is_reported(content, pnp, tmp_path):
    pack = make(tmp_path / "pack", ART, files={"art/a.svg": svg(EMPTY_ART[content])})
    assert warnings(pnp, pack) == ["cards:one front: art/a.svg draws nothing"]
    assert last_line_of_build(pnp, pack) == "1 warning: pnp check pack"


VISIBLE_ART = {
    "a dot": DOT,
    "a line of a group": '<g fill="none" stroke="blue"><rect x="1" y="1" width="8" height="8"/></g>',
    "a child that is visible": f'<g visibility="hidden"><g visibility="visible">{DOT}</g></g>',
    "a text": '<text x="2" y="5" font-size="4">x</text>',
    "a use": f'<defs><g id="a">{DOT}</g></defs><use href="#a"/>',
    "a symbol": f'<symbol id="a" viewBox="0 0 10 10">{DOT}</symbol><use href="#a"/>',
    "a flood": '<filter id="f"><feFlood/></filter><rect width="9" height="9" fill="none" filter="url(#f)"/>',
    "a link": f"<a>{DOT}</a>",
}


@pytest.mark.parametrize("content", VISIBLE_ART)
def test_art_that_draws_something_is_not_reported(content, pnp, tmp_path):
    pack = make(tmp_path / "pack", ART, files={"art/a.svg": svg(VISIBLE_ART[content])})
    assert warnings(pnp, pack) == []


def test_art_with_elements_off_its_page_is_reported_by_check_only(pnp, tmp_path):
    pack = make(
        tmp_path / "pack", ART, files={"art/a.svg": svg(f'<g transform="translate(100)">{DOT}</g>')}
    )
    assert warnings(pnp, pack) == ["cards:one front: art/a.svg draws nothing on its page"]
    assert "warning" not in last_line_of_build(pnp, pack)


COLOURED_LAYERS = {
    "a picture": "- svg: art/{}.svg\n  box: [5, 5, 30, 30]\n  colour: blue\n",
    "an icon": "- icon: {}\n  at: [20, 20]\n  size: 9mm\n  colour: blue\n",
    "a row of icons": "- repeat: {}\n  times: 2\n  at: [15, 20]\n  size: 6mm\n  colour: blue\n",
}


@pytest.mark.parametrize("layer", COLOURED_LAYERS)
def test_colour_on_art_without_current_colour_is_reported(layer, pnp, tmp_path):
    taking = svg('<circle cx="5" cy="5" r="4" fill="currentColor"/>')
    files = {"art/fixed.svg": svg(DOT), "art/taking.svg": taking}
    for name, expected in (
        ("fixed", ["cards:one front: art/fixed.svg takes no `colour:`"]),
        ("taking", []),
    ):
        layout = FILL + COLOURED_LAYERS[layer].format(name)
        pack = make(tmp_path / name, layout, files=files, more="icons: [art]")
        assert warnings(pnp, pack) == expected
        assert ("1 warning" in last_line_of_build(pnp, pack)) == bool(expected)


def test_icon_in_text_need_not_take_text_colour(pnp, tmp_path):
    layout = FILL + '- text: "a :fixed: b"\n  style: body\n  box: [5, 5, 30, 20]\n'
    pack = make(tmp_path / "pack", layout, files={"art/fixed.svg": svg(DOT)}, more="icons: [art]")
    assert warnings(pnp, pack) == []


def test_part_set_to_current_colour_takes_colour(pnp, tmp_path):
    layout = ART + "  colour: blue\n  set: {dot: {fill: currentColor}}\n"
    art = svg(DOT.replace("<circle", '<circle id="dot"'))
    assert warnings(pnp, make(tmp_path / "pack", layout, files={"art/a.svg": art})) == []


def test_press_colours_in_art_are_reported_as_not_used(pnp, tmp_path):
    art = svg('<rect width="9" height="9" fill="#080 icc-color(acme, 0.1, 0.4, 0.8, 0)"/>')
    pack = make(tmp_path / "pack", ART, files={"art/a.svg": art})
    expected = "cards:one front: art/a.svg has press colours (icc-color), which are not used"
    assert warnings(pnp, pack) == [expected]
    assert last_line_of_build(pnp, pack) == "1 warning: pnp check pack"


@pytest.mark.parametrize(("fill", "is_wrong"), [("url(#l)", True), ("blue", False)])
def test_art_text_filled_with_gradient_from_context_is_reported(fill, is_wrong, pnp, tmp_path):
    text = '<text id="t" x="1" y="6" font-size="5" fill="context-fill">Ag</text>'
    gradient = '<linearGradient id="l"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>'
    art = svg(f'<defs>{gradient}{text}</defs><use href="#t" fill="{fill}"/>')
    lines = warnings(pnp, make(tmp_path / "pack", ART, files={"art/a.svg": art}))
    assert ["painted with context-fill" in line for line in lines] == ([True] if is_wrong else [])


EACH = (
    FILL
    + "- each: {each}\n  at: [5, 5]\n  step: [3, 0]\n  group:\n  - shape: {{circle: [0, 0], r: 1mm, fill: blue}}\n"
)
TABLE = "id,cost\none,{cost}\ntwo,\n"


@pytest.mark.parametrize(
    ("each", "cost", "is_empty"),
    [
        ("split(cost)", "", True),
        ("split(cost)", "a b", False),
        ("n in 1 to cost", "0", True),
        ("n in 1 to cost", "2", False),
    ],
)
def test_repetition_over_nothing_in_every_row_is_reported(each, cost, is_empty, pnp, tmp_path):
    table = TABLE.format(cost=cost).replace("two,", "two,0" if "to" in each else "two,")
    pack = make(tmp_path / "pack", EACH.format(each=each), table)
    expected = (
        [f"pack/layouts/front.yaml:2: `each: {each}` goes over nothing in every row"]
        if is_empty
        else []
    )
    assert [line for line in warnings(pnp, pack) if "each" in line] == expected
    assert ("1 warning" in last_line_of_build(pnp, pack)) == is_empty


@pytest.mark.parametrize(
    ("monster", "hint"), [("goblin", ""), ("gobiln", "did you mean 'goblin'?")]
)
def test_lookup_row_for_missing_id_is_reported_with_hint(monster, hint, pnp, tmp_path):
    layout = FILL + (
        "- each: ability in abilities\n  at: [5, 5]\n  step: [0, 5]\n  group:\n"
        "  - text: ${{ability.text}}\n    style: body\n    box: [0, 0, 30, 5]\n"
    ).replace("{{", "{").replace("}}", "}")
    abilities = f"monster,text\ngoblin,bites\n{monster},runs\n"
    more = "lookups:\n  abilities: {data: abilities.csv, by: monster, many: true}"
    pack = make(
        tmp_path / "pack", layout, "id\ngoblin\n", more=more, files={"abilities.csv": abilities}
    )
    lines = [line for line in warnings(pnp, pack) if "abilities" in line]
    expected = "pack/game.yaml:7: the table abilities has rows for 'gobiln', but no row has the id 'gobiln'"
    assert lines == ([expected] if hint else [])
    with chdir(tmp_path):
        assert hint in pnp("check", "pack").output
    assert last_line_of_build(pnp, pack).startswith("1 warning") == bool(hint)
