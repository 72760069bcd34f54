"""Test warnings about art that is probably not drawn as intended, and about mistakes in tables.

`check` lists them, `build` counts them.
"""

import io
import re
from contextlib import chdir
from pathlib import Path

import pytest
from PIL import Image

from generator.draw.draw import draw_game
from generator.draw.findings import component_findings
from tests.tools.make_pack import loaded, make, svg

ROOT = Path(__file__).parents[2]
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


def test_check_counts_a_single_piece_in_the_singular(pnp, tmp_path):
    assert "1 piece of 1 design, 40 × 40 mm\n" in pnp("check", make(tmp_path, FILL)).output


def last_line_of_build(pnp, pack) -> str:
    """Return the last line of a build."""
    with chdir(pack.parent):
        result = pnp("build", pack.name, "--what", "sheets")
    assert result.exit_code == 0, result.output
    return result.output.splitlines()[-1]


TEXT = "- text: Hamburg\n  box: {box}\n  style: body\n"
GROUND = "- svg: art/ground.svg\n  box: [-3, -3, 46, 46]\n"
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
    "a text under opaque art": TEXT.format(box="[8, 8, 24, 8]") + GROUND,
    "an icon under opaque art": "- icon: dot\n  at: [20, 20]\n  size: 6mm\n" + GROUND,
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
    files["art/ground.svg"] = svg('<rect width="10" height="10" fill="#ffe0a0"/>')
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


def test_arrow_beside_text_and_a_gradient_is_not_taken_for_text_in_its_context(pnp, tmp_path):
    art = svg(
        '<defs><linearGradient id="l"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>'
        '<marker id="m" markerWidth="4" markerHeight="4"><path d="M0 0 4 2 0 4Z" fill="context-stroke"/></marker>'
        "</defs>"
        '<rect width="9" height="4" fill="url(#l)"/><path d="M1 8H5" stroke="#00f" marker-end="url(#m)"/>'
        '<text x="1" y="6" font-size="3">Ag</text>'
    )
    assert warnings(pnp, make(tmp_path / "pack", ART, files={"art/a.svg": art})) == []


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


BESIDE = {
    "a shape": "<rect x='40' width='5' height='5'/>",
    "a path": "<path d='M-9 -9h5v5z'/>",
    "a moved group": f"<g transform='translate(30)'><g>{DOT}</g></g>",
    "a used symbol": f"<symbol id='a'>{DOT}</symbol><use href='#a' y='-20'/>",
    "a line": "<path d='M20 0v9' stroke='red' stroke-width='2'/>",
}
ON_PAGE = {
    "a shape that reaches in": "<rect x='9' width='5' height='5'/>",
    "a wide line": "<path d='M12 0v9' fill='none' stroke='red' stroke-width='6'/>",
    "a path that begins outside": "<path d='M-9 -9L20 30V9z'/>",
    "one of several": f"<rect x='40' width='5' height='5'/>{DOT}",
    "a group moved back": f"<g transform='translate(30)'><g transform='translate(-30)'>{DOT}</g></g>",
}


@pytest.mark.parametrize("kind", BESIDE)
def test_art_beside_its_page_is_counted_by_a_build(kind, tmp_path, pnp):
    pack = make(tmp_path / "pack", ART, files={"art/a.svg": svg(BESIDE[kind])})
    assert warnings(pnp, pack) == ["cards:one front: art/a.svg draws nothing on its page"]
    assert last_line_of_build(pnp, pack) == "1 warning: pnp check pack"


@pytest.mark.parametrize("kind", ON_PAGE)
def test_art_partly_on_its_page_has_no_warning(kind, tmp_path, pnp):
    pack = make(tmp_path / "pack", ART, files={"art/a.svg": svg(ON_PAGE[kind])})
    assert warnings(pnp, pack) == []
    assert "warning" not in last_line_of_build(pnp, pack)


PANEL = "<rect width='10' height='10' fill='{}'/>"
TRIM = "  box: trim\n  fit: stretch\n"
STOPPING = {
    "a shape": "- shape: {rect: [0, 0, 40, 40], fill: red}\n",
    "a shape a little larger": "- shape: {rect: [-0.5, -0.5, 41, 41], fill: red}\n",
    "a circle on a round token": "- shape: {circle: [20, 20], r: 20mm, fill: red}\n",
    "art": "- svg: art/red.svg\n" + TRIM,
    "an image": "- image: art/red.png\n  box: trim\n",
    "a shape in a group": "- group:\n  - shape: {rect: [0, 0, 40, 40], fill: red}\n  at: [0, 0]\n",
}
NOT_STOPPING = {
    "a fill": "- fill: red\n",
    "a shape over the bleed": "- shape: {rect: [-3, -3, 46, 46], fill: red}\n",
    "a white shape": "- shape: {rect: [0, 0, 40, 40], fill: white}\n",
    "a white shape on a red one": (
        "- shape: {rect: [0, 0, 40, 40], fill: red}\n- shape: {rect: [0, 0, 40, 40], fill: white}\n"
    ),
    "white art": "- svg: art/white.svg\n" + TRIM,
    "a panel inside": "- shape: {rect: [3, 3, 34, 34], fill: red}\n",
}
EDGES = {
    "art/red.svg": svg(PANEL.format("red") + DOT),
    "art/white.svg": svg(PANEL.format("#fff") + DOT),
}


def stops_in_build(pack):
    """Return the warnings of a build about colour that stops at the cut."""
    (component,) = draw_game(loaded(pack))
    return [fault for fault in map(str, component_findings(component)) if "stops" in fault]


@pytest.mark.parametrize("kind", STOPPING)
def test_colour_that_stops_at_the_cut_is_counted_by_a_build(kind, tmp_path, pnp):
    data = io.BytesIO()
    Image.new("RGB", (600, 600), "red").save(data, "PNG")
    size = "circle 40mm" if "round" in kind else "40mm"
    files = {**EDGES, "art/red.png": data.getvalue()}
    pack = make(tmp_path / "pack", STOPPING[kind], size=size, files=files)
    assert sum("stops at the cut" in line for line in warnings(pnp, pack)) == 1
    assert len(stops_in_build(pack)) == 1


JOINT = "- shape: {{rect: [{}, -0.2, 12, 0.6], fill: black}}\n"
LINES_ON_CUT = {
    "joints of bricks": (JOINT.format(4) + JOINT.format(22), 0),
    "a border": ("- shape: {rect: [0, 0, 40, 40], stroke: 0.8mm black}\n", 1),
    "a stripe that ends": ("- shape: {rect: [4, 0, 30, 4], fill: black}\n", 1),
}


@pytest.mark.parametrize("kind", LINES_ON_CUT)
def test_joints_along_the_cut_are_no_art_that_stops(kind, tmp_path, pnp):
    """Draw lines on a white ground that reaches into the bleed: only a border all along is a fault."""
    layers, count = LINES_ON_CUT[kind]
    pack = make(tmp_path / "pack", "- fill: white\n" + layers, size="40mm", files={})
    assert sum("stops at the cut" in line for line in warnings(pnp, pack)) == count


@pytest.mark.parametrize("kind", NOT_STOPPING)
def test_colour_that_may_end_at_the_cut_is_not_counted_by_a_build(kind, tmp_path):
    pack = make(tmp_path / "pack", NOT_STOPPING[kind], files=EDGES)
    assert stops_in_build(pack) == []


PACKS = [
    *sorted((ROOT / "tests" / "data" / "packs").iterdir()),
    *sorted((ROOT / "generator" / "starters").iterdir()),
    ROOT / "docs" / "site" / "examples",
]


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_packs_of_the_project_have_no_warning_about_cuts_and_art(pack):
    faults = [
        str(fault)
        for component in draw_game(loaded(pack))
        for fault in component_findings(component)
        if any(words in fault.text for words in ("at the cut", "by the svg", "on its page"))
    ]
    assert faults == []
