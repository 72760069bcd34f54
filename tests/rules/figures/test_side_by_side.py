"""Test figures side by side: their captions, and one size of tile for all of them."""

import re

import pytest

from tests.tools.read_pdf import read

FIGURES = """
one: {board: straight, scale: 0.6, claims: "legal: true"}
four: {board: "straight> straight> straight> straight>", scale: 0.5, claims: "legal: true"}
tall: {board: [A1 straight, A2 straight, A3 straight], scale: 0.4, caption: Three., claims: "legal: true"}
"""


@pytest.fixture
def pack(starter):
    folder = starter("tiles")
    (folder / "figures.yaml").write_text(FIGURES, "utf-8")
    with (folder / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("rules: {columns: 1}\nmatching: {sides: equal}\n")
    return folder


@pytest.mark.parametrize(
    "block",
    [
        "::: figures\n- one — The first\n- four\n- tall\n:::",
        "::: yes-no\n- yes: one\n- yes: four\n- yes: tall\n:::",
    ],
)
def test_tiles_are_equally_large_in_all_figures_side_by_side(pack, pnp, block):
    (pack / "rules.md").write_text(f"# Rules\n\n{block}\n", "utf-8")
    assert pnp("rules", pack).exit_code == 0
    sizes = [(form.w, form.h) for form in read("output/pack/pack-1-rules.pdf")[0].forms]
    one, tall, four = sorted(
        sizes, key=lambda size: (size[0] > 1.5 * size[1], size[1] > 1.5 * size[0])
    )
    assert four[0] / one[0] == pytest.approx(4, rel=0.06)
    assert tall[1] / one[1] == pytest.approx(3, rel=0.06)
    assert one[0] > 9
    page = (pack.parent / "output/pack/pack-1-rules.html").read_text("utf-8")
    svg_sizes = re.findall(
        r'<svg class="face" width="([\d.]+)" height="([\d.]+)" (?:style="max-width:([\d.]+)%" )?',
        page,
    )
    # Each figure stands on the page twice: the second time in its large view.
    widths = [(float(w), float(share or 100)) for w, _, share in svg_sizes[-6::2]]
    assert widths[1][0] / widths[0][0] == pytest.approx(4, rel=0.06)
    assert [round(w / widths[1][0] * 100, 1) for w, _ in widths] == [
        round(share, 1) for _, share in widths
    ]


def test_figures_side_by_side_have_captions_and_no_verdict(pack, pnp):
    (pack / "rules.md").write_text(
        "# Rules\n\n::: figures\n- one — The *first*.\n- tall\n:::\n", "utf-8"
    )
    assert pnp("rules", pack).exit_code == 0
    page = (pack.parent / "output/pack/pack-1-rules.html").read_text("utf-8")
    assert "<figcaption>The <em>first</em>.</figcaption>" in page
    assert "<figcaption>Three.</figcaption>" in page
    assert 'class="verdict' not in page


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("::: figures\n- one\n- tal — Tall.\n:::", "rules.md:5: unknown figure 'tal'"),
        ("::: figures\n:::", "rules.md:3: ::: figures is empty"),
        ("::: figures now\n- one\n:::", "rules.md:3: ::: figures now"),
        ("::: figures\n- yes: one\n- two words\n:::", "rules.md:5: 'two words' is not a figure"),
    ],
)
def test_mistake_in_a_block_of_figures_is_reported_with_its_line(pack, pnp, block, message):
    (pack / "rules.md").write_text(f"# Rules\n\n{block}\n", "utf-8")
    result = pnp("rules", pack)
    assert result.exit_code == 3
    assert message in result.stderr
