"""Test the completions that a shell offers, asked as the shell asks."""

import pytest
from click.shell_completion import ShellComplete

from generator.cli import main


def offered(*words):
    *before, typed = words
    complete = ShellComplete(main, {}, "pnp", "_PNP_COMPLETE")
    return [item.value for item in complete.get_completions(list(before), typed)]


@pytest.fixture
def deck(starter):
    return str(starter("cards"))


def test_commands_and_games():
    assert "build" in offered("bu")
    assert "hydras" in offered("build", "hy")
    assert [item for item in offered("check", "gr") if item != "gr"] == ["greenways"]


@pytest.mark.parametrize(
    ("option", "typed", "some"),
    [
        ("--paper", "le", ["letter"]),
        ("--duplex", "gu", ["gutterfold"]),
        ("--marks", "c", ["crosshair", "crosses", "corners"]),
        ("--cutter", "sil", ["silhouette"]),
        ("--tray", "face-", ["face-down", "face-up"]),
    ],
)
def test_papers_and_modes(option, typed, some):
    assert set(some) <= set(offered("build", "hydras", option, typed))


def test_components_and_designs():
    assert offered("build", "hydras", "--only", "nec") == [
        "necks",
        *offered("build", "hydras", "--only", "necks:"),
    ]
    found = offered("build", "hydras", "--only", "labours:l0")
    assert "labours:l07" in found
    assert offered("build", "hydras", "--only", "necks,labours:l07") == ["necks,labours:l07"]
    assert "labours:l07" in offered("preview", "hydras", "labours:")


def test_variants_and_languages():
    assert "line-art" in offered("build", "hydras", "--variant", "")
    assert offered("build", "buizen-wir-war", "--lang", "")


def test_designs_of_a_pack_of_ones_own(deck):
    first = offered("build", deck, "--only", "")[0]
    assert any(
        name.startswith(f"{first}:") for name in offered("build", deck, "--only", f"{first}:")
    )


def test_nothing_is_said_where_nothing_is_found(tmp_path, deck, capsys):
    assert offered("build", str(tmp_path), "--only", "x") == []
    assert offered("build", "--only", "") == []
    assert offered("build", "no-such-game", "--variant", "") == []
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/game.yaml").write_text("components: [a: 'b\n")
    assert offered("build", str(tmp_path / "broken"), "--only", "") == []
    assert capsys.readouterr() == ("", "")
