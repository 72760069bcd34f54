"""Features stand at their size, or the build stops and says where there is no room."""

import pytest

from tests.tools.make_pack import make, problems

MORE = "links: {road: {width: 2mm, fill: red}}\nfeatures: {f: {svg: f.svg, size: %s}}"
ART = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1"/></svg>'


def pack(folder, size, ways, across):
    table = f'id,ways\none,"{ways}"\n'
    return make(folder, "- links: {}\n", table, MORE % across, "links: ways", size, {"f.svg": ART})


@pytest.mark.parametrize("ways", ["n-se:road@f ne-s:road@f", "n,ne,s:road@f(2)", "n-s:road@f(at 20%)"])
def test_there_is_room(ways, tmp_path):
    assert problems(pack(tmp_path, "hex 40mm", ways, "8mm")) == ""


def test_there_is_none(tmp_path):
    said = problems(pack(tmp_path, "hex 40mm", "n-se:road@f ne-s:road@f", "26mm"))
    assert "'f' on a link of kind 'road' has room for" in said
    assert "of 26 mm" in said
    assert "@f(at 30%)" in said


@pytest.mark.parametrize(
    ("size", "ways"),
    [
        ("circle 40mm", ""),
        ("circle 40mm", "0-120:road 240:road@f"),
        ("triangle 40mm", "ne-s:road"),
        ("octagon 40mm", "n-sw:road"),
        ("hex 40mm pointed", "ne-w:road e:road@f"),
    ],
)
def test_links_run_across_tiles_of_any_shape(size, ways, tmp_path):
    assert problems(pack(tmp_path, size, ways, "6mm")) == ""


def test_a_kind_of_area_that_is_not_there(tmp_path):
    assert "unknown area 'city'" in problems(pack(tmp_path, "40mm", "area n: city", "6mm"))
