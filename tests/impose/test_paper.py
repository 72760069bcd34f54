"""Test the table of papers, and papers given by their size."""

import pytest

from generator.base.errors import InvalidValueError
from generator.base.paper import paper, papers
from generator.base.units import MM_PER_INCH


def test_paper_table_has_common_papers_in_exact_mm():
    sizes = {row.name: tuple(row.size) for row in papers()}
    assert sizes == {
        "a3": (297, 420),
        "a4": (210, 297),
        "a5": (148, 210),
        "letter": (pytest.approx(8.5 * MM_PER_INCH), pytest.approx(11 * MM_PER_INCH)),
        "legal": (pytest.approx(8.5 * MM_PER_INCH), pytest.approx(14 * MM_PER_INCH)),
        "tabloid": (pytest.approx(11 * MM_PER_INCH), pytest.approx(17 * MM_PER_INCH)),
        "a3plus": (329, 483),
        "sra3": (320, 450),
        "13x19": (pytest.approx(13 * MM_PER_INCH), pytest.approx(19 * MM_PER_INCH)),
        "4x6": (pytest.approx(4 * MM_PER_INCH), pytest.approx(6 * MM_PER_INCH)),
    }


@pytest.mark.parametrize("name", ["a4", "A4", " a4 "])
def test_paper_is_found_by_name_in_any_case(name):
    assert paper(name).title == "A4"


@pytest.mark.parametrize(
    ("text", "name", "title", "size"),
    [
        ("210 x 297 mm", "210x297mm", "210 × 297 mm", (210, 297)),
        ("8.5 × 11 in", "215.9x279.4mm", "215.9 × 279.4 mm", (215.9, 279.4)),
        ("330x480", "330x480mm", "330 × 480 mm", (330, 480)),
    ],
)
def test_paper_may_be_given_by_its_size(text, name, title, size):
    custom = paper(text)
    assert (custom.name, custom.title) == (name, title)
    assert custom.size == pytest.approx(size)


def test_unknown_paper_is_refused_with_the_nearest_name():
    with pytest.raises(InvalidValueError) as caught:
        paper("leter")
    assert str(caught.value.at(None)) == (
        "unknown paper 'leter'\n"
        "  expected one of: 13x19, 4x6, a3, a3plus, a4, a5, legal, letter, sra3, tabloid, "
        "or a size such as 210 x 297 mm\n"
        "  did you mean 'letter'?"
    )


@pytest.mark.parametrize("text", ["210 mm", "210 x 0 mm", "1 x 2 x 3"])
def test_malformed_paper_size_is_refused(text):
    with pytest.raises(InvalidValueError) as caught:
        paper(text)
    assert caught.value.expected == "a width and a height, such as 210 x 297 mm"
