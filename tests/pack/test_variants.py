"""Variants: other colours, layers left out."""

import pytest

from tests.tools.make_pack import drawn, make, problems

LAYOUT = "- fill: $red\n  tag: ground\n- shape: {rect: [10, 10, 20, 20], fill: $blue}\n"
LINE_ART = "variants: {line-art: {palette: {blue: '#ffffff'}, without: [ground]}}"


def test_a_variant_paints_otherwise(tmp_path):
    pack = make(tmp_path, LAYOUT, more=LINE_ART)
    plain = drawn(pack)
    variant = drawn(pack, variant="line-art")
    assert (plain.at(5, 5), plain.at(20, 20)) == ("#ff0000", "#0000ff")
    assert (variant.at(5, 5), variant.at(20, 20)) == ("", "#ffffff")


def test_a_variants_colours_reach_styles_and_links(tmp_path):
    more = "links: {road: {width: 5mm, fill: $red}}\nvariants: {v: {palette: {red: '#00ff00'}}}"
    pack = make(
        tmp_path, "- links: {}\n", "id,paths\none,n-s:road\n", more=more, component="links: paths"
    )
    assert drawn(pack, variant="v").at(20, 5) == "#00ff00"


def test_leaving_out_a_whole_group(tmp_path):
    layout = "- group:\n  - fill: red\n  tag: ground\n- include: layouts/part.yaml\n  tag: ground\n"
    pack = make(
        tmp_path,
        layout,
        more="variants: {v: {without: ground}}",
        files={"layouts/part.yaml": "- fill: blue\n"},
    )
    assert drawn(pack, variant="v").at(20, 20) == ""
    assert drawn(pack).at(20, 20) == "#0000ff"


def test_an_unknown_variant(tmp_path):
    assert "did you mean 'line-art'?" in problems(make(tmp_path, LAYOUT, more=LINE_ART), "lineart")


def test_a_variant_where_there_are_none(tmp_path):
    assert "unknown variant 'x'" in problems(make(tmp_path, LAYOUT), "x")


@pytest.mark.parametrize("variant", ["", "line-art"])
def test_a_slip_in_a_variant_is_told_always(variant, tmp_path):
    more = LINE_ART.replace("blue", "bleu").replace("ground", "gruond")
    said = problems(make(tmp_path, LAYOUT, more=more), variant)
    assert "variants.line-art: unknown colour of the palette 'bleu'" in said
    assert "variants.line-art: unknown tag 'gruond'" in said
    assert "did you mean 'ground'?" in said


WITH = "variants: {v: {with: [lines]}, w: {with: lines, without: [ground]}, x: {without: [ground]}}"
TAGGED = f"{LAYOUT}- shape: {{rect: [0, 0, 5, 5], fill: '#00ff00'}}\n  tag: lines\n"


@pytest.mark.parametrize(
    ("variant", "colours"),
    [
        ("", ("#ff0000", "#ff0000")),
        ("v", ("#00ff00", "#ff0000")),
        ("w", ("#00ff00", "")),
        ("x", ("", "")),
    ],
)
def test_layers_that_only_some_variants_draw(variant, colours, tmp_path):
    picture = drawn(make(tmp_path, TAGGED, more=WITH), variant=variant)
    assert (picture.at(2, 2), picture.at(7, 7)) == colours


def test_an_unknown_tag_under_with(tmp_path):
    said = problems(make(tmp_path, TAGGED, more=WITH.replace("[lines]", "[line]")))
    assert said == (
        "game.yaml:6: variants.v: unknown tag 'line'\n  expected one of: ground, lines\n  did you mean 'lines'?"
    )


def test_a_tag_that_is_left_out_and_drawn(tmp_path):
    said = problems(
        make(tmp_path, TAGGED, more="variants: {v: {with: [lines], without: [ground, lines]}}")
    )
    assert said == (
        "game.yaml:6: variants.v: the tag 'lines' is left out and drawn\n  expected either `with` or `without`"
    )
