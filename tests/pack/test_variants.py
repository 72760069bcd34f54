"""Test variants: other colours, and layers left out or added."""

import re

import pytest

from tests.tools.make_pack import loaded, make, problems, render_design

LAYOUT = "- fill: $red\n  tag: ground\n- shape: {rect: [10, 10, 20, 20], fill: $blue}\n"
LINE_ART = "variants: {line-art: {palette: {blue: '#ffffff'}, without: [ground]}}"


def test_variant_replaces_colours_and_leaves_out_layers(tmp_path):
    pack = make(tmp_path, LAYOUT, more=LINE_ART)
    plain = render_design(pack)
    variant = render_design(pack, variant="line-art")
    assert (plain.at(5, 5), plain.at(20, 20)) == ("#ff0000", "#0000ff")
    assert (variant.at(5, 5), variant.at(20, 20)) == ("", "#ffffff")


def test_colours_of_a_variant_apply_to_links(tmp_path):
    more = "links: {road: {width: 5mm, fill: $red}}\nvariants: {v: {palette: {red: '#00ff00'}}}"
    pack = make(
        tmp_path, "- links: {}\n", "id,paths\none,n-s:road\n", more=more, component="links: paths"
    )
    assert render_design(pack, variant="v").at(20, 5) == "#00ff00"


def test_variant_leaves_out_groups_and_includes_by_tag(tmp_path):
    layout = "- group:\n  - fill: red\n  tag: ground\n- include: layouts/part.yaml\n  tag: ground\n"
    pack = make(
        tmp_path,
        layout,
        more="variants: {v: {without: ground}}",
        files={"layouts/part.yaml": "- fill: blue\n"},
    )
    assert render_design(pack, variant="v").at(20, 20) == ""
    assert render_design(pack).at(20, 20) == "#0000ff"


def test_unknown_variant_is_refused_with_the_nearest_name(tmp_path):
    assert "did you mean 'line-art'?" in problems(make(tmp_path, LAYOUT, more=LINE_ART), "lineart")


def test_variant_of_a_pack_without_variants_is_refused(tmp_path):
    assert "unknown variant 'x'" in problems(make(tmp_path, LAYOUT), "x")


@pytest.mark.parametrize("variant", ["", "line-art"])
def test_mistake_in_a_variant_is_reported_in_every_build(variant, tmp_path):
    more = LINE_ART.replace("blue", "bleu").replace("ground", "gruond")
    message = problems(make(tmp_path, LAYOUT, more=more), variant)
    assert "variants.line-art: unknown colour of the palette 'bleu'" in message
    assert "variants.line-art: unknown tag 'gruond'" in message
    assert "did you mean 'ground'?" in message


NAMED = """palette: {red: Crimson, blue: "rgb(0, 0, 200)", ink: black}"""


def test_colours_of_a_variant_and_of_the_palette_may_have_any_notation(tmp_path):
    """Name spot inks: their colours must equal those of the faces, which are `#rrggbb`."""
    more = "press: {spots: {blue: Ink 1, red: Ink 2}}\nvariants: {v: {palette: {red: Teal}}}"
    pack = make(tmp_path, LAYOUT, more=more)
    game_file = pack / "game.yaml"
    game_file.write_text(re.sub("(?m)^palette: .*", NAMED, game_file.read_text("utf-8")), "utf-8")
    assert loaded(pack).spots == (("#0000c8", "Ink 1"), ("#dc143c", "Ink 2"))
    assert loaded(pack, "v").spots == (("#0000c8", "Ink 1"), ("#008080", "Ink 2"))
    assert render_design(pack, variant="v").at(20, 20) == "#0000c8"


@pytest.mark.parametrize("variant", ["", "v"])
def test_invalid_colour_of_a_variant_is_reported_once(variant, tmp_path):
    pack = make(tmp_path, LAYOUT, more="variants: {v: {palette: {red: Tael}}}")
    message = problems(pack, variant)
    assert message.count("unknown colour 'Tael'") == 1
    assert "variants.v.palette.red: " in message
    assert "did you mean 'teal'?" in message


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
def test_layers_with_a_tag_appear_only_in_variants_that_include_it(variant, colours, tmp_path):
    picture = render_design(make(tmp_path, TAGGED, more=WITH), variant=variant)
    assert (picture.at(2, 2), picture.at(7, 7)) == colours


def test_unknown_tag_of_a_variant_is_refused_with_the_nearest_name(tmp_path):
    message = problems(make(tmp_path, TAGGED, more=WITH.replace("[lines]", "[line]")))
    assert message == (
        "game.yaml:6: variants.v: unknown tag 'line'\n  expected one of: ground, lines\n  did you mean 'lines'?"
    )


def test_tag_both_included_and_left_out_is_refused(tmp_path):
    message = problems(
        make(tmp_path, TAGGED, more="variants: {v: {with: [lines], without: [ground, lines]}}")
    )
    assert message == (
        "game.yaml:6: variants.v: the tag 'lines' is left out and drawn\n  expected either `with` or `without`"
    )
