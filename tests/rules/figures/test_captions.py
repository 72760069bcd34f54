"""Test that a caption says no more than the figure's claims."""

import re
import shutil

import pytest

from generator.board.claims import summarise_claims
from generator.pipeline.packs import find_pack
from generator.pipeline.project import BuildRequest, Project

FIGURES = """
good: {board: "straight straight", claims: ["legal: true", "tiles: 2"], caption: There are 2 tiles.}
bad: {board: "straight> straight", claims: ["legal: false because sides"]}
silent: {board: "straight", claims: "tiles: 1"}
three: {board: "straight", caption: 3 tiles.}
none: {board: "straight", claims: ["legal: true", "score mills: 0"]}
some: {board: "mill", claims: ["legal: true", "score mills: 1"]}
"""


@pytest.fixture
def rules(starter, pnp):
    """Return a function that runs `pnp rules` on the tile starter with a text and these figures."""
    pack = starter("tiles")
    (pack / "figures.yaml").write_text(FIGURES, "utf-8")
    with (pack / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("rules: {}\nmatching: {sides: equal}\nscoring: {mills: {count: mill}}\n")

    def make(text):
        (pack / "rules.md").write_text(f"# Rules\n\n{text}\n", "utf-8")
        return pnp("rules", pack)

    return make


@pytest.mark.parametrize(
    "text",
    [
        "::: figure good :::",
        "::: figure good\nTwo tiles, 2 of them.\n:::",
        "::: yes-no\n- yes: good\n- no: bad — Not so.\n:::",
        "::: yes-no\n- yes: some\n- no: none\n:::",
        "::: figure silent\n1 tile at [the end](#end).\n:::\n\n## End",
    ],
)
def test_caption_may_state_the_numbers_and_verdicts_of_its_claims(rules, text):
    assert rules(text).exit_code == 0, rules(text).stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "::: figure good\nThere are 3.\n:::",
            "4: good: the caption says 3, but no claim of the figure does",
        ),
        ("::: figure three :::", "three: the caption says 3, but no claim"),
        (
            "::: yes-no\n- yes: good — 4\n- no: bad\n:::",
            "4: good: the caption says 4, but no claim",
        ),
        ("::: yes-no\n- yes: good\n- yes: bad\n:::", "5: bad: its claims do not say yes"),
        ("::: yes-no\n- no: good\n- no: bad\n:::", "4: good: its claims do not say no"),
        ("::: yes-no\n- no: some\n- no: none\n:::", "4: some: its claims do not say no"),
        (
            "::: yes-no\n- yes: silent\n- no: bad\n:::",
            "4: silent: no claim says whether this is allowed",
        ),
    ],
)
def test_caption_or_panel_beyond_the_claims_is_refused(rules, text, message):
    result = rules(text)
    assert result.exit_code == 3, result.output
    assert re.search(rf"pack/rules.md:\d*:? ?{re.escape(message)}", result.stderr)
    assert not re.search(r"Traceback", result.output)


def test_check_reports_captions_beyond_the_claims(rules, pnp):
    rules("::: figure good :::")
    assert "rules: Rules: 6 figures; all their claims hold" in pnp("check", "pack").output
    rules("::: figure good\nThere are 3.\n:::")
    result = pnp("check", "pack")
    assert result.exit_code == 3
    assert "good: the caption says 3" in result.stderr


def test_numbers_and_verdicts_are_collected_from_claims():
    claims = (
        "legal: true",
        "score A2: 14",
        "links of pe at B3: 2.5",
        "path truck A1 B11 rolling 6 1: steps 5",
        "removing sword at C2: true, drops D1, D2, D3, E12",
        "filling: A1 road, C1 road",
        "filling: nothing",
        "tiles having h07: at most 8",
    )
    assert summarise_claims(claims).numbers == {"14", "2.5", "6", "1", "5", "4", "2", "8"}
    assert summarise_claims(claims).verdicts == {True}
    forbidden = summarise_claims(["placing bend> at B2: false because sides", "tiles: 3"])
    assert forbidden.verdicts == {False}
    separate = summarise_claims(["connected A1 to B1: false"])
    assert (separate.verdicts, separate.marked) == (frozenset(), {False})


PANEL = re.compile(r"^- (yes|no): ", re.MULTILINE)
CAPTION = re.compile(r"(^- (?:yes|no): \S+ — |^::: figure \S+\n)(?!:::)(.*)$", re.MULTILINE)


def reverse_panel(panel):
    return f"- {'no' if panel[1] == 'yes' else 'yes'}: "


def add_unclaimed_number(caption):
    return f"{caption[0]} 777"


@pytest.mark.parametrize("name", ["hydras", "hoses-and-hydrants", "greenways", "buizen-wir-war"])
def test_every_false_panel_and_caption_in_any_game_is_named(name, tmp_path, figures_of):
    pack = find_pack(name)
    text = (pack / "rules.md").read_text("utf-8")
    copy = tmp_path / name
    shutil.copytree(pack, copy)
    read = figures_of(copy)
    assert read(text) is None
    false_lines = []
    for pattern, falsify in ((PANEL, reverse_panel), (CAPTION, add_unclaimed_number)):
        false_text = pattern.sub(falsify, text)
        lines = enumerate(zip(text.splitlines(), false_text.splitlines(), strict=True), 1)
        expected = [number for number, (line, other) in lines if line != other]
        named = re.findall(r"rules\.md:(\d+): ", read(false_text) or "")
        assert sorted(map(int, named)) == expected
        false_lines += expected
    assert len(false_lines) > 2


@pytest.fixture
def figures_of():
    """Return a reader of the rules of a pack with another text, which returns the faults.

    Faces and figures are drawn once.
    """
    from generator.base.errors import PnpError
    from generator.pipeline.rulebook import parse_rules

    def draw_figures(folder):
        game = Project(BuildRequest(str(folder)))
        figures = game.figures

        def read(text):
            (folder / "rules.md").write_text(text, "utf-8")
            try:
                parse_rules(game.game, game.components, figures, tuple)
            except PnpError as error:
                return str(error)
            return None

        return read

    return draw_figures
