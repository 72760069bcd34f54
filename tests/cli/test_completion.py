"""Test the completions that a shell offers, requested as a shell requests them."""

import pytest
from click.shell_completion import ShellComplete

from generator.cli import main


def completions(*words):
    *before, typed = words
    complete = ShellComplete(main, {}, "pnp", "_PNP_COMPLETE")
    return [item.value for item in complete.get_completions(list(before), typed)]


@pytest.fixture
def deck(starter):
    return str(starter("cards"))


def test_completion_offers_commands_and_games():
    assert "build" in completions("bu")
    assert "hydras" in completions("build", "hy")
    assert [item for item in completions("check", "gr") if item != "gr"] == ["greenways"]


@pytest.mark.parametrize(
    ("option", "typed", "expected"),
    [
        ("--paper", "le", ["letter"]),
        ("--duplex", "gu", ["gutterfold"]),
        ("--marks", "c", ["crosshair", "crosses", "corners"]),
        ("--cutter", "sil", ["silhouette"]),
        ("--tray", "face-", ["face-down", "face-up"]),
    ],
)
def test_completion_offers_values_of_options(option, typed, expected):
    assert set(expected) <= set(completions("build", "hydras", option, typed))


def test_completion_offers_components_and_designs():
    assert completions("build", "hydras", "--only", "nec") == [
        "necks",
        *completions("build", "hydras", "--only", "necks:"),
    ]
    designs = completions("build", "hydras", "--only", "labours:l0")
    assert "labours:l07" in designs
    assert completions("build", "hydras", "--only", "necks,labours:l07") == ["necks,labours:l07"]
    assert "labours:l07" in completions("preview", "hydras", "labours:")


def test_completion_offers_variants_and_languages():
    assert "line-art" in completions("build", "hydras", "--variant", "")
    assert completions("build", "buizen-wir-war", "--lang", "")


def test_completion_offers_designs_of_a_pack_in_a_folder(deck):
    first = completions("build", deck, "--only", "")[0]
    assert any(
        name.startswith(f"{first}:") for name in completions("build", deck, "--only", f"{first}:")
    )


def test_completion_is_empty_and_silent_for_unknown_or_broken_packs(tmp_path, deck, capsys):
    assert completions("build", str(tmp_path), "--only", "x") == []
    assert completions("build", "--only", "") == []
    assert completions("build", "no-such-game", "--variant", "") == []
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/game.yaml").write_text("components: [a: 'b\n")
    assert completions("build", str(tmp_path / "broken"), "--only", "") == []
    assert capsys.readouterr() == ("", "")
