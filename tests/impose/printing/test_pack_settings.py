"""Test a pack's print settings, and that options of the command override them."""

import re
import shutil
from pathlib import Path

import pytest

from generator.base.paper import paper
from generator.impose.setup import Margins
from generator.pipeline.printing import PrintOptions, make_setup
from tests.tools.make_pack import loaded
from tests.tools.read_pdf import read


@pytest.fixture
def build(starter, pnp):
    """Return a builder of the card starter with print settings: `build("{margin: 20mm}", *args)`."""
    pack = starter("cards")
    text = (pack / "game.yaml").read_text("utf-8")
    head = text[: text.index("print:")]

    def make(settings, *args):
        (pack / "game.yaml").write_text(f"{head}print: {settings}\n", "utf-8")
        result = pnp("build", pack, "--what", "sheets", "--paper", "a4", *args)
        assert result.exit_code == 0, result.output
        return read(next(Path("output/pack").glob("*-sheets-a4*.pdf")))

    return make


def margins_of(page):
    """Return the distances of the cut pieces from the paper's edges: top, right, bottom, left."""
    sides = [
        (form.x - 63 / 2, form.y - 88 / 2, form.x + 63 / 2, form.y + 88 / 2) for form in page.forms
    ]
    left, top = (min(side[axis] for side in sides) for axis in (0, 1))
    right, bottom = (max(side[axis] for side in sides) for axis in (2, 3))
    return top, page.width - right, page.height - bottom, left


@pytest.mark.parametrize(
    "margin", ["[5mm, 10mm, 5mm, 60mm]", "5mm 10mm 5mm 60mm", '"5 mm, 10, 5mm, 6cm"']
)
def test_margin_setting_takes_four_lengths(build, margin):
    pages = build(f"{{margin: {margin}}}")
    assert margins_of(pages[0])[3] > 60 - 0.01
    assert margins_of(pages[0])[1] > 10 - 0.01
    assert margins_of(build("{margin: 10mm}")[0])[3] < 60, (
        "without the setting, the cards lie further to the left"
    )


def test_default_margin_is_10_mm(starter):
    setup = make_setup(loaded(starter("cards")), paper("a4"), PrintOptions())
    assert setup.margins == Margins.make_even(10)


def test_margin_setting_takes_one_length_with_a_space(build):
    assert min(margins_of(build("{margin: 2 cm}")[0])) > 20 - 0.01


def test_orientation_setting_turns_the_paper(build):
    page = build("{orientation: landscape}")[0]
    assert (page.width, page.height) == pytest.approx((297, 210), abs=0.01)


def test_options_of_the_command_override_settings_of_the_pack(build):
    page = build("{orientation: landscape, margin: 30mm}", "--portrait", "--margin", "10mm")[0]
    assert page.height > page.width
    assert margins_of(page)[0] < 30


GAME = "buizen-wir-war"


@pytest.fixture(scope="module")
def cache_of_game(tmp_path_factory):
    """Return a cache that several builds of the game share, since they draw the same faces."""
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize(
    ("setting", "option", "sheets"),
    [
        ("", (), 8),
        ("  pack: true\n", (), 4),
        ("  pack: true\n", ("--no-pack",), 8),
        ("", ("--pack",), 4),
    ],
)
def test_setting_and_option_decide_if_components_share_sheets(
    tmp_path, pnp, monkeypatch, cache_of_game, setting, option, sheets
):
    monkeypatch.setenv("PNP_CACHE", str(cache_of_game))
    pack = shutil.copytree(Path(__file__).parents[3] / "templates" / GAME, tmp_path / GAME)
    text = (pack / "game.yaml").read_text("utf-8")
    text = re.sub(r"^ +pack: .*\n", "", text, flags=re.MULTILINE)
    (pack / "game.yaml").write_text(
        re.sub(r"^print:\n", f"print:\n{setting}", text, flags=re.MULTILINE), "utf-8"
    )
    result = pnp(
        "build", pack, "--what", "sheets", "--paper", "a4", "-o", tmp_path / "out", *option
    )
    assert f"96 pieces on {sheets} sheets" in result.output
