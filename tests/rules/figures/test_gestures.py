"""Test that figures show their actions: held pieces on their targets, rings for strikes, arrows for moves."""

import re
from pathlib import Path

import pytest
import yaml

from generator.base.errors import PnpError
from generator.pack.folder import FIGURES
from generator.pipeline.packs import packs
from generator.pipeline.project import BuildRequest, Project
from tests.tools.make_face import svg_of

GAMES = [name for name, folder in packs().items() if (folder / FIGURES).is_file()]


@pytest.fixture
def figure(starter):
    """Return the one figure of a pack of three mills along a river, where a sword strikes and a boat moves."""
    pack = starter("tiles")
    text = re.sub(r"\n(rules|matching): .*", "", (pack / "game.yaml").read_text("utf-8"))
    rules = (
        "rules: {}\nmatching: {sides: equal}\nremoving:\n  sword: {root: mill}\n"
        "moving:\n  boat: {along: [river], stops: [mill]}\n"
    )
    (pack / "game.yaml").write_text(text + rules, "utf-8")
    (pack / "rules.md").write_text("# Rules\n\n::: figure one\n:::\n", "utf-8")

    with (pack / "tiles.csv").open("a", encoding="utf-8") as file:
        file.write("milled,Milled,3,w-e:river@mill\n")

    def draw(written):
        (pack / "figures.yaml").write_text(
            f"one:\n  board: milled milled milled\n{written}", "utf-8"
        )
        return Project(BuildRequest(str(pack))).figures["one"]

    return draw


@pytest.mark.parametrize("at", ["B1", "B1 0.2 -0.3", "B1 -0.3 0.1", "A2"])
def test_held_piece_may_lie_mostly_on_its_target(figure, at):
    assert figure(f"  held: [{{piece: bend, at: {at}}}]\n")


@pytest.mark.parametrize(
    ("at", "elsewhere"),
    [
        ("B1 0.8 0", "C1"),
        ("B1 -0.7 0.1", "A1"),
        ("B1 0.1 -0.8", "the bare table"),
        ("A2 0.1 -0.9", "A1"),
    ],
)
def test_held_piece_mostly_off_its_target_is_refused(figure, at, elsewhere):
    with pytest.raises(PnpError) as error:
        figure(f"  held: [{{piece: bend, at: {at}}}]\n")
    message = str(error.value)
    assert re.search(
        rf"figures.yaml:3: one: the held bend lies \d+% on {elsewhere} and \d+% on {at[:2]}, its target",
        message,
    )


def test_struck_piece_without_a_ring_is_refused(figure):
    claim = '  claims: ["removing sword at B1: true, drops nothing"]\n'
    assert figure(f"  overlays: [{{ring: B1}}]\n{claim}")
    for overlays in ("", "  overlays: [{ring: C1}]\n"):
        with pytest.raises(PnpError, match="one: the piece at B1 is struck but has no ring"):
            figure(overlays + claim)


def test_allowed_move_without_an_arrow_or_path_is_refused(figure):
    claim = '  claims: ["path boat A1 B1: steps 1"]\n'
    assert figure(f"  overlays: [{{path: [A1, B1]}}]\n{claim}")
    assert figure(f"  overlays: [{{arrow: [A1, B1]}}]\n{claim}")
    with pytest.raises(PnpError, match="one: boat moves from A1 to B1 and no arrow shows it"):
        figure(claim)


def test_forbidden_move_needs_no_arrow(figure):
    assert figure('  claims: ["path boat A1 C1: false because not-joined"]\n')


def test_outline_of_the_piece_just_played_enlarges_the_figure(figure):
    plain = figure("  scale: 0.3\n")
    outlined = figure("  scale: 0.3\n  overlays: [{played: B1}]\n")
    assert outlined.face.size.h > plain.face.size.h
    assert "#f0b429" in svg_of(outlined.face)
    assert "#f0b429" not in svg_of(plain.face)


def test_held_piece_has_an_outline(figure):
    assert "#f0b429" in svg_of(figure("  held: [{piece: bend, at: B1}]\n").face)


@pytest.mark.parametrize("name", GAMES)
def test_every_illegal_board_of_the_games_outlines_the_piece_just_played(name):
    """Readers of a No panel learn which piece broke the rule."""
    figures = yaml.safe_load((Path(packs()[name]) / FIGURES).read_text("utf-8"))
    for figure, spec in figures.items():
        claims = [str(claim) for claim in spec.get("claims", ())]
        if any(claim.startswith("legal: false") for claim in claims):
            assert any("played" in overlay for overlay in spec.get("overlays", ())), figure
