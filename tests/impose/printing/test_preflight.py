"""Test the report of `pnp check`, and the messages about impossible options."""

import os
import shutil

import pytest

from generator.base.colours import lightness
from generator.base.geometry import Point, Rect
from generator.base.outline import Outline

FLIP = "tests/data/packs/flip"


def report_lines(output):
    return [line.strip() for line in output.partition("Preflight\n")[2].splitlines()]


def test_report_counts_sheets_pages_and_used_paper(pnp):
    lines = report_lines(pnp("check", FLIP, "--paper", "a4").output)
    share = 16 * 63 * 88 / (2 * 210 * 297)
    assert (
        lines[0]
        == f"a4: 2 sheets, 4 pages, {share:.0%} of the paper is pieces, {1 - share:.0%} is cut away"
    )
    assert lines[1] == "safe area: nothing reaches into it"
    assert len(lines) == 3


def test_report_names_items_outside_the_safe_area_and_colours_alike_in_grey(pnp, tmp_path):
    pack = shutil.copytree(FLIP, tmp_path / "pack")
    game = (pack / "game.yaml").read_text("utf-8")
    game = game.replace(
        "palette: {", 'palette: {one: "#d22f27", two: "#4a7a3a", three: "#fffbe0", ', 1
    )
    (pack / "game.yaml").write_text(game, "utf-8")
    layout = (pack / "layouts" / "front.yaml").read_text("utf-8")
    (pack / "layouts" / "front.yaml").write_text(
        layout + "- text: edge\n  box: [-2, 70, 12, 12]\n  style: word\n", "utf-8"
    )
    lines = report_lines(pnp("check", pack, "--paper", "a4").output)
    assert lines[1].endswith("items reach into it; see the warnings")
    assert "colours one and two (lightness 47 and 47)" in lines[2]


def test_report_of_one_item_and_one_more_pair_is_in_the_singular(pnp, tmp_path):
    pack = shutil.copytree(FLIP, tmp_path / "pack")
    (pack / "cards.csv").write_text("id,letter\na,A\n")
    game = (pack / "game.yaml").read_text("utf-8")
    # Both are like `dot` and `spot`, which are alike, but too near to each other to be meant to differ.
    alike = 'rust: "#a0522d", brick: "#a2562f", '
    (pack / "game.yaml").write_text(game.replace("palette: {", f"palette: {{{alike}", 1), "utf-8")
    layout = (pack / "layouts" / "front.yaml").read_text("utf-8")
    (pack / "layouts" / "front.yaml").write_text(
        layout + "- text: edge\n  box: [-1, 70, 14, 12]\n  style: word\n", "utf-8"
    )
    lines = report_lines(pnp("check", pack, "--paper", "a4").output)
    assert lines[1] == "safe area: 1 item reaches into it; see the warnings"
    assert lines[2].endswith(", and 1 more pair")


def test_lightness_of_greys_agrees_with_cie():
    assert lightness((0, 0, 0)) == pytest.approx(0)
    assert lightness((255, 255, 255)) == pytest.approx(100, abs=0.01)
    assert lightness((119, 119, 119)) == pytest.approx(50, abs=0.1)


def test_area_of_an_outline_respects_corners_and_radius():
    assert Outline.of_box(Rect(0, 0, 20, 10)).area == 200
    assert Outline.of_box(Rect(0, 0, 22, 22), 11).area == pytest.approx(380.13, abs=0.01)
    assert Outline((Point(5, 0), Point(10, 5), Point(5, 10), Point(0, 5))).area == 50


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("--paper", "leter"), 2, ("unknown paper 'leter'\n"
                                   "  expected one of: 13x19, 4x6, a3, a3plus, a4, a5, legal, letter, sra3, tabloid, "
                                   "or a size such as 210 x 297 mm\n"
                                   "  did you mean 'letter'?")),
        (("--paper", "60 x 60 mm", "--margin", "5"), 4, ("Cards: a piece of 63 x 88 mm does not fit on 60 × 60 mm\n"
                                   "  expected at most 50 x 50 mm, which is what the margins leave\n"
                                   "  paper that would do: A3, A4, A5, Letter, Legal, Tabloid")),
        (("--duplex", "long"), 2, "unknown duplex mode 'long'"),
        (("--duplex", "two-pass", "--tray", "facedown"), 2, "did you mean 'face-down'?"),
        (("--marks", "plus"), 2, "unknown marks 'plus'"),
        (("--cutter", "silouette"), 2, "did you mean 'silhouette'?"),
        (("--copies", "0"), 2, "0 is not in the range x>=1"),
        (("--copies", "1001"), 3, "--copies 1001 is too many\n  expected 1 to 1000"),
        (("--skip", "-1"), 2, "-1 is not in the range x>=0"),
        (("--skip", "9"), 3, "--skip 9 leaves no slot: the first sheet, of Cards, has 8\n  expected 0 to 7"),
        (("--margin", "2mm"), 3, "a top margin of 2 mm is less than the 4.2 mm that the printer leaves blank"),
        (("--only", "card"), 2, "did you mean 'cards'?"),
        (("--only", "card"), 2, "--only card: unknown component or design 'card'"),
        (("--only", "cards:zz"), 2, "--only cards:zz: unknown design 'zz'"),
        (("--only", "crads:a"), 2, "did you mean 'cards'?"),
        (("--margin", "1 2"), 2, "'1 2' has 2 lengths; expected one for all sides, or four: top, right,"),
        (("--margin", "10mm", "--card-stock"), 2, "--card-stock sets --margin 0.5in: give only one of the two."),
        (("--pack", "--skip", "1"), 3, "slots cannot be skipped on packed sheets, which have no grid"),
    ],
)  # fmt: skip
def test_impossible_option_is_refused_with_its_remedy(pnp, tmp_path, args, code, words):
    paper = () if "--paper" in args else ("--paper", "a4")
    result = pnp("build", FLIP, "-o", tmp_path, *paper, *args)
    assert words in result.stderr
    assert result.exit_code == code
    assert not list(tmp_path.rglob("*.pdf"))


def test_negative_bleed_in_a_pack_is_refused(pnp, tmp_path):
    pack = shutil.copytree(FLIP, tmp_path / "pack")
    game = (pack / "game.yaml").read_text("utf-8")
    (pack / "game.yaml").write_text(game.replace("bleed: 3mm", "bleed: -1mm", 1), "utf-8")
    result = pnp("check", pack)
    assert result.exit_code == 3
    assert "bleed: this cannot be -1 mm\n  expected 0 mm to 10 mm" in result.stderr


@pytest.mark.parametrize(
    ("args", "pieces"),
    [
        (("--only", "cards:a,c"), 2),
        (("--only", "a", "--only", "cards:b"), 2),
        (("--only", "cards"), 16),
        (("--only", "cards,p"), 16),
        (("--copies", "3"), 48),
        (("--only", "p", "--copies", "2", "--skip", "7"), 2),
    ],
)
def test_only_copies_and_skip_decide_the_number_of_pieces(pnp, tmp_path, args, pieces):
    result = pnp("build", FLIP, "--what", "sheets", "-o", tmp_path, "--paper", "a4", *args)
    assert f"{pieces} pieces on" in result.output


def test_file_names_contain_mode_paper_and_orientation(pnp, tmp_path):
    for args in (
        ("--landscape",),
        ("--duplex", "two-pass"),
        ("--paper", "100 x 150 mm"),
        ("--cut-plan",),
    ):
        paper = () if "--paper" in args else ("--paper", "a4")
        assert pnp("build", FLIP, "-o", tmp_path, *paper, *args).exit_code == 0
    assert (
        pnp("build", FLIP, "-o", tmp_path, "--paper", "a4", "--cutter", "silhouette").exit_code == 0
    )
    assert sorted(path.name for path in (tmp_path / "flip").glob("*-[sc]*")) == [
        "flip-1-cuts-a4-sheet-1-to-2.dxf",
        "flip-1-cuts-a4-sheet-1-to-2.svg",
        "flip-1-cuts-a4.pdf",
        "flip-1-cuts-a4.txt",
        "flip-1-sheets-100x150mm.pdf",
        "flip-1-sheets-a4-landscape.pdf",
        "flip-1-sheets-a4-two-pass-1-fronts.pdf",
        "flip-1-sheets-a4-two-pass-2-backs.pdf",
        "flip-1-sheets-a4.pdf",
    ]


@pytest.mark.parametrize(
    ("args", "name"),
    [
        ((), "flip-1-sheets-a4"),
        (("--duplex", "long-edge"), "flip-1-sheets-a4"),
        (("--low-ink",), "flip-1-sheets-a4-low-ink"),
        (("--colour", "cmyk"), "flip-1-sheets-a4-cmyk"),
        (
            ("--colour", "cmyk", "--low-ink", "--duplex", "gutterfold"),
            "flip-1-sheets-a4-gutterfold-low-ink-cmyk",
        ),
        (("--duplex", "single", "--landscape"), "flip-1-sheets-a4-landscape-single"),
    ],
)
def test_file_name_of_sheets_contains_only_unusual_options(pnp, tmp_path, args, name):
    assert (
        pnp("build", FLIP, "-o", tmp_path, "--what", "sheets", "--paper", "a4", *args).exit_code
        == 0
    )
    assert [path.stem for path in (tmp_path / "flip").iterdir()] == [name]


def test_duplex_mode_of_the_pack_is_left_out_of_file_names(pnp, tmp_path):
    pack = tmp_path / "flip"
    shutil.copytree(FLIP, pack)
    text = (pack / "game.yaml").read_text("utf-8")
    (pack / "game.yaml").write_text(
        text.replace("duplex: long-edge", "duplex: gutterfold"), "utf-8"
    )
    for args in ((), ("--duplex", "gutterfold"), ("--duplex", "long-edge", "--cut-plan")):
        assert (
            pnp(
                "build", pack, "-o", tmp_path / "out", "--what", "sheets", "--paper", "a4", *args
            ).exit_code
            == 0
        )
    assert sorted(path.name for path in (tmp_path / "out/flip").iterdir()) == [
        "flip-1-cuts-a4-long-edge.pdf",
        "flip-1-cuts-a4-long-edge.txt",
        "flip-1-sheets-a4-long-edge.pdf",
        "flip-1-sheets-a4.pdf",
    ]


def test_one_older_file_is_reported_in_the_singular(pnp, tmp_path):
    pack = tmp_path / "flip"
    shutil.copytree(FLIP, pack)
    build = ("build", pack, "-o", tmp_path / "out", "--what", "sheets", "--paper", "a4")
    assert pnp(*build, "--low-ink").exit_code == 0
    os.utime(tmp_path / "out/flip/flip-1-sheets-a4-low-ink.pdf", (1, 1))
    old = "is 1 file of an earlier build that is older than the pack: flip-1-sheets-a4-low-ink.pdf"
    assert old in pnp(*build).output


def test_older_sheets_in_another_mode_or_ink_are_reported(pnp, tmp_path):
    pack = tmp_path / "flip"
    shutil.copytree(FLIP, pack)
    build = ("build", pack, "-o", tmp_path / "out", "--what", "sheets", "--paper", "a4")
    for args in (("--low-ink",), ("--duplex", "two-pass")):
        assert pnp(*build, *args).exit_code == 0
    for path in (tmp_path / "out/flip").iterdir():
        os.utime(path, (1, 1))
    built = pnp(*build)
    old = "flip-1-sheets-a4-low-ink.pdf, flip-1-sheets-a4-two-pass-1-fronts.pdf, flip-1-sheets-a4-two-pass-2-backs.pdf"
    assert f"are 3 files of an earlier build that are older than the pack: {old}" in built.output


def test_margin_option_takes_four_sides_and_card_stock_half_an_inch(pnp, tmp_path):
    from tests.tools.read_pdf import read

    def build(*more):
        words = ("build", FLIP, "--what", "sheets", "-o", tmp_path, "--paper", "a4", *more)
        assert pnp(*words).exit_code == 0
        return read(tmp_path / "flip" / "flip-1-sheets-a4.pdf")

    (page, *_) = build("--margin", "30mm 10mm 5mm 10mm")
    assert (
        min(form.y - (form.w if form.turn % 180 else form.h) / 2 + 3 for form in page.forms)
        >= 30 - 0.01
    )
    for page in build("--card-stock"):
        assert (
            min(form.x - (form.h if form.turn % 180 else form.w) / 2 + 3 for form in page.forms)
            >= 12.7 - 0.01
        )


def test_report_names_components_whose_links_no_layer_draws(starter, pnp):
    pack = starter("tiles")
    assert "links:" not in pnp("check", pack).output
    layout = pack / "layouts/tile.yaml"
    layout.write_text(
        "".join(row for row in layout.read_text("utf-8").splitlines(True) if "links" not in row),
        "utf-8",
    )
    lines = report_lines(pnp("check", pack).output)
    assert (
        "links: no layer draws those of Tiles; see that the art shows what the data says" in lines
    )
