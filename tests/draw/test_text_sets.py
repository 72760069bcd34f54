"""Test texts that share one size, and the settings of a style that a column gives."""

import pytest
from click.testing import CliRunner

from generator.base.units import MM_PER_PT
from generator.cli import main
from generator.draw.draw import draw_game, share_text_sizes
from generator.picture.items import TextRun, walk
from tests.tools.make_pack import loaded, make, problems

LONG_TEXT = (
    "Until your next turn each of your plants counts twice, and nobody may take one from you."
)
TABLE = f'id,text,font,weight,size\nshort,Draw.,Alegreya,bold,12pt\nlong,"{LONG_TEXT}",,,\n'
LAYOUT_TOGETHER = """\
- {text: $text, box: [3, 3, 34, 16], style: body, size: 12pt, fit: 5pt, together: rules}
- {text: a title, box: [3, 22, 34, 9], style: body, size: 12pt, fit: 5pt}
"""


def sizes_of(game):
    """Return the sizes in pt of the texts of each design, from the bottom layer up."""
    (component,) = draw_game(game)
    return {
        design.id: [round(run.size / MM_PER_PT, 2) for run in dict.fromkeys(texts_of(design.front))]
        for design in component.designs
    }


def texts_of(face):
    return [item for item, _ in walk(face.items) if isinstance(item, TextRun)]


def test_texts_of_a_set_have_the_size_of_the_longest_one(tmp_path):
    pack = make(tmp_path, LAYOUT_TOGETHER, TABLE)
    alone = sizes_of(loaded(pack))
    shared = sizes_of(share_text_sizes(loaded(pack)))
    assert alone["short"][0] == 12
    assert 5 < alone["long"][0] < 12
    assert shared["short"][0] == shared["long"][0] == alone["long"][0]
    assert shared["short"][-1] == shared["long"][-1] == 12  # the title belongs to no set


def test_preview_of_one_card_has_the_size_of_its_set(tmp_path):
    alone = LAYOUT_TOGETHER.replace(", together: rules", "")
    assert preview(tmp_path / "one", LAYOUT_TOGETHER, "short") == preview(
        tmp_path / "all", LAYOUT_TOGETHER
    )
    assert preview(tmp_path / "one", LAYOUT_TOGETHER, "short") != preview(tmp_path / "alone", alone)


def preview(folder, layout, *designs):
    """Return the picture of the card with the short text, from a preview of some or all designs."""
    pack = make(folder / "pack", layout, TABLE)
    result = CliRunner().invoke(main, ["preview", str(pack), *designs, "-o", str(folder)])
    assert result.exit_code == 0, result.output
    (picture,) = folder.rglob("*short*front*.png")
    return picture.read_bytes()


def test_overflowing_text_of_a_set_is_reported_at_its_line(tmp_path):
    table = TABLE + f'longest,"{" ".join([LONG_TEXT] * 9)}",,,\n'
    messages = problems(make(tmp_path, LAYOUT_TOGETHER, table))
    assert "mm too tall for its box at 5 pt" in messages
    assert "layouts/front.yaml:1" in messages


def test_set_of_texts_without_smallest_size_is_refused(tmp_path):
    layout = "- {text: $text, box: trim, style: body, together: rules}\n"
    assert "together: only texts that may shrink share a size" in problems(
        make(tmp_path, layout, TABLE)
    )


@pytest.mark.parametrize(
    "layout",
    [
        "- {blocks: [{text: Draw., style: body, font: $font, weight: $weight, size: $size}], box: trim}\n",
        "- {table: Draw. | a / b | c, box: trim, style: body, font: $font, weight: $weight, size: $size}\n",
    ],
    ids=["blocks", "table"],
)
def test_column_gives_font_weight_and_size(tmp_path, layout):
    table = "id,font,weight,size\none,Alegreya,bold,7pt\n"
    (component,) = draw_game(loaded(make(tmp_path, layout, table)))
    runs = texts_of(component.designs[0].front)
    assert runs
    for run in runs:
        assert (run.font.family, run.font.weight) == ("Alegreya", 700)
        assert run.size == pytest.approx(7 * MM_PER_PT)


def test_head_of_a_table_keeps_its_own_style(tmp_path):
    layout = "- {table: Roll | a / b | c, box: trim, style: body, head: body, size: 7pt}\n"
    (component,) = draw_game(loaded(make(tmp_path, layout)))
    sizes = {
        run.text: round(run.size / MM_PER_PT, 2) for run in texts_of(component.designs[0].front)
    }
    assert sizes["b"] == sizes["c"] == 7
    assert sizes["Roll"] == sizes["a"] != 7
