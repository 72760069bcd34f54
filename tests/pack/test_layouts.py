"""Test layouts that share parts: extends, include, boxes, groups."""

import pytest

from tests.tools.make_pack import make, problems, render_design

RED = "#ff0000"
BLUE = "#0000ff"


def test_layers_of_an_extending_layout_lie_above_its_base(tmp_path):
    pack = make(
        tmp_path,
        "extends: layouts/base.yaml\nlayers:\n- shape: {rect: middle, fill: blue}\n",
        files={"layouts/base.yaml": "boxes: {middle: [10, 10, 20, 20]}\nlayers:\n- fill: red\n"},
    )
    picture = render_design(pack)
    assert (picture.at(5, 5), picture.at(20, 20)) == (RED, BLUE)


def test_boxes_of_a_layout_replace_those_of_its_base(tmp_path):
    base = "boxes: {middle: [10, 10, 20, 20]}\nlayers:\n- shape: {rect: middle, fill: red}\n"
    pack = make(
        tmp_path,
        "extends: layouts/base.yaml\nboxes: {middle: [0, 0, 5, 5]}\nlayers: []\n",
        files={"layouts/base.yaml": base},
    )
    assert render_design(pack).box() == (0, 0, 5, 5)


def test_included_layout_uses_its_own_boxes(tmp_path):
    part = "boxes: {corner: [30, 30, 10, 10]}\nlayers:\n- shape: {rect: corner, fill: blue}\n"
    pack = make(
        tmp_path, "- fill: red\n- include: layouts/part.yaml\n", files={"layouts/part.yaml": part}
    )
    picture = render_design(pack)
    assert (picture.at(35, 35), picture.at(25, 25)) == (BLUE, RED)


def test_box_of_an_included_layout_is_unknown_outside(tmp_path):
    part = "boxes: {corner: [30, 30, 10, 10]}\nlayers: []\n"
    pack = make(
        tmp_path,
        "- include: layouts/part.yaml\n- shape: {rect: corner, fill: red}\n",
        files={"layouts/part.yaml": part},
    )
    assert "unknown box 'corner'" in problems(pack)


def test_included_layers_keep_their_place_in_the_order(tmp_path):
    layout = "- include: layouts/part.yaml\n- shape: {rect: [0, 0, 10, 10], fill: blue}\n"
    picture = render_design(make(tmp_path, layout, files={"layouts/part.yaml": "- fill: red\n"}))
    assert (picture.at(5, 5), picture.at(20, 20)) == (BLUE, RED)


CIRCLES = {
    "itself": {"layouts/front.yaml": "- include: layouts/front.yaml\n"},
    "two": {
        "layouts/front.yaml": "- include: layouts/b.yaml\n",
        "layouts/b.yaml": "- include: layouts/front.yaml\n",
    },
    "extends": {"layouts/front.yaml": "extends: layouts/front.yaml\n"},
    "in a group": {"layouts/front.yaml": "- group:\n  - include: layouts/front.yaml\n"},
}


@pytest.mark.parametrize("circle", CIRCLES)
def test_layout_that_includes_itself_is_refused(circle, tmp_path):
    assert "includes itself: layouts/front.yaml → " in problems(
        make(tmp_path, files=CIRCLES[circle])
    )


def test_layout_may_be_included_twice(tmp_path):
    layout = "- include: layouts/part.yaml\n- include: layouts/part.yaml\n"
    pack = make(tmp_path, layout, files={"layouts/part.yaml": "- fill: red\n"})
    assert problems(pack) == ""
    assert render_design(pack).at(20, 20) == "#ff0000"


def test_group_moves_its_layers(tmp_path):
    layout = "- group:\n  - shape: {rect: [0, 0, 10, 4], fill: red}\n  at: [20, 10]\n"
    assert render_design(make(tmp_path, layout)).box() == (20, 10, 30, 14)


def test_group_turns_clockwise_about_its_place(tmp_path):
    layout = "- group:\n  - shape: {rect: [0, 0, 10, 4], fill: red}\n  at: center\n  turn: 90\n"
    assert render_design(make(tmp_path, layout)).box() == pytest.approx((16, 20, 20, 30), abs=0.11)


def test_nested_group_turns_with_the_outer_group(tmp_path):
    inner = "  - group:\n    - shape: {rect: [0, 0, 10, 4], fill: red}\n    at: [5, 0]\n"
    layout = f"- group:\n{inner}  at: center\n  turn: 90\n"
    assert render_design(make(tmp_path, layout)).box() == pytest.approx((16, 25, 20, 35), abs=0.11)


@pytest.mark.parametrize("kind", ["group:\n  - fill: red", "include: layouts/part.yaml"])
@pytest.mark.parametrize(
    ("when", "painted"),
    [
        ("id = one", True),
        ("id = two", False),
        ("id != two", True),
        ("not id", False),
        ("id", True),
        ("[id, id = one, id != two]", True),
        ("[id, id = two]", False),
        ("[]", True),
    ],
)
def test_condition_of_a_group_or_include_holds_for_all_its_layers(kind, when, painted, tmp_path):
    pack = make(
        tmp_path, f"- {kind}\n  when: {when}\n", files={"layouts/part.yaml": "- fill: red\n"}
    )
    assert bool(render_design(pack).at(20, 20)) is painted


SLIPS = {
    "layers: 5\n": "layers: this is not a list",
    "layers: {fill: red}\n": "layers: this is not a list",
    "boxes: [1]\nlayers: []\n": "boxes: this is not a mapping",
    "boxes: {a: [1, 2]}\nlayers: []\n": "boxes.a: 2 numbers",
    "boxes: {a: [1, 2, 0, 4]}\nlayers: []\n": "boxes.a: a box of 0 × 4 mm",
    "layer: []\n": "did you mean 'layers'?",
    "- group: hello\n": "group: this is not a list",
    "- group: []\n  size: 3\n": "unknown key 'size'",
    "- include: layouts/part.yaml\n  box: trim\n": "unknown key 'box'",
    "- include: layouts/non.yaml\n": "no file 'layouts/non.yaml'",
    "- fill: red\n  frame: {inset: 3mm}\n": "one layer of two kinds: fill and frame",
    "- fil: red\n": "did you mean 'fill'?",
    "- fill: red\n  colour: blue\n": "unknown key 'colour'",
    "- hello\n": "a layer is a mapping",
    "- fill: red\n  when: {a: b}\n": "when: a single word belongs here",
    "- fill: red\n  when: [id, [id]]\n": "when: a single word belongs here",
    "- fill: red\n  when: [id, titel]\n": "when: unknown name '$titel'",
    "- fill: red\n  when: [id, id is one]\n": "'id is one' is not a condition",
    "hello\n": "a layout is a list of layers",
}


@pytest.mark.parametrize("layout", SLIPS)
def test_mistake_in_a_layout_is_reported_with_its_file(layout, tmp_path):
    message = problems(make(tmp_path, layout))
    assert message.startswith("layouts/front.yaml:")
    assert SLIPS[layout] in message
