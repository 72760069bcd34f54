"""Test that a name or file on the command line that does not exist ends a command with exit code 2."""

from pathlib import Path

import pytest

PACK = ("pack", "-o", "out")
VARIANT = ("--variant", "drak")
LANGUAGE = ("--lang", "nll")
ONLY = ("--only", "cards:fxo")

# The words of a message, and the command lines that end with it.
UNKNOWN_NAMES = {
    "unknown variant 'drak'": [
        ("build", *PACK, *VARIANT),
        ("check", "pack", *VARIANT),
        ("rules", *PACK, *VARIANT),
        ("preview", *PACK, *VARIANT),
        ("diff", "pack", "--from", "1", *VARIANT),
        ("patch", *PACK, "--from", "1", *VARIANT),
        ("export", "press", *PACK, *VARIANT),
    ],
    "unknown language 'nll'": [
        ("build", *PACK, *LANGUAGE),
        ("check", "pack", *LANGUAGE),
        ("rules", *PACK, *LANGUAGE),
        ("preview", *PACK, *LANGUAGE),
        ("diff", "pack", "--from", "1", *LANGUAGE),
        ("patch", *PACK, "--from", "1", *LANGUAGE),
        ("export", "press", *PACK, *LANGUAGE),
    ],
    "unknown design 'fxo'": [
        ("build", *PACK, *ONLY),
        ("check", "pack", *ONLY),
        ("preview", *PACK, *ONLY),
        ("patch", *PACK, "--from", "1", *ONLY),
        ("export", "press", *PACK, *ONLY),
        ("preview", *PACK, "fxo"),
    ],
    "unknown release '9'": [
        ("diff", "pack", "--from", "9"),
        ("diff", "pack", "--from", "1", "--to", "9"),
        ("patch", *PACK, "--from", "9"),
        ("patch", *PACK, "--from", "1", "--to", "9"),
    ],
    "unknown paper 'a9'": [
        ("build", *PACK, "--paper", "a9"),
        ("calibrate", "-o", "out", "--paper", "a9"),
        ("edition", *PACK, "--orders", "pack/cards.csv", "--paper", "a9"),
    ],
    "unknown duplex mode 'wide'": [
        ("build", *PACK, "--duplex", "wide"),
        ("calibrate", "-o", "out", "--duplex", "wide"),
        ("printer", "add", "office", "--offset", "1 0", "--duplex", "wide"),
    ],
    "gutterfold prints no backs": [("calibrate", "-o", "out", "--duplex", "gutterfold")],
    "unknown marks 'x'": [("build", *PACK, "--marks", "x")],
    "unknown tray 'x'": [("build", *PACK, "--tray", "x")],
    "unknown cutter 'x'": [("build", *PACK, "--cutter", "x")],
    "unknown printer 'ofice'": [
        ("build", *PACK, "--printer", "ofice"),
        ("printer", "remove", "ofice"),
    ],
    "unknown profile 'matt'": [("export", "press", *PACK, "--profile", "matt")],
    "unknown template 'avry'": [("export", "labels", *PACK, "--template", "avry")],
    "no file 'avry.toml'": [("export", "labels", *PACK, "--template", "avry.toml")],
    "unknown game 'pck'": [("build", "pck"), ("check", "pck"), ("release", "pck")],
    "unknown guide 'prnting'": [("docs", "prnting")],
    "no file orders.csv": [("edition", *PACK, "--orders", "orders.csv")],
    "no file or folder 'icons.zip'": [("icons", "add", "icons.zip", "--game", "pack")],
    "there is no file 'cards.ods'": [("new", "mine", "--from", "cards.ods")],
    "File 'jobs.yaml' does not exist": [("farm", "jobs.yaml")],
    "game.pdf: the file does not exist": [("relay", "game.pdf", "-o", "out")],
}


@pytest.mark.parametrize(
    ("message", "args"),
    [(message, args) for message, lines in UNKNOWN_NAMES.items() for args in lines],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_unknown_name_is_wrong_usage(message, args, starter, tmp_path, monkeypatch, pnp):
    monkeypatch.setenv("PNP_CONFIG", str(tmp_path / "config"))
    starter("cards")
    if "--from" in args:
        assert pnp("release", "pack").exit_code == 0
    result = pnp(*args)
    assert message in result.output
    assert result.exit_code == 2, result.output
    assert not (tmp_path / "out").exists()


def test_pack_without_releases_is_named(starter, pnp):
    starter("cards")
    result = pnp("diff", "pack", "--from", "1")
    assert "pack has no releases yet" in result.output
    assert result.exit_code == 2


def test_page_that_a_pdf_does_not_have_is_wrong_usage(starter, pnp):
    starter("cards")
    assert pnp("build", "pack", "--what", "sheets", "--paper", "a4", "-o", "out").exit_code == 0
    sheets = next(Path("out").rglob("*.pdf"))
    result = pnp("relay", sheets, "--page", "99", "-o", "again")
    assert "--page names none of them" in result.output
    assert result.exit_code == 2


def test_unknown_variant_in_a_table_of_orders_is_a_mistake_in_its_row(starter, tmp_path, pnp):
    starter("cards")
    (tmp_path / "orders.csv").write_text("id,variant\na,\nb,drak\n", "utf-8")
    result = pnp("edition", "pack", "--orders", "orders.csv", "-o", "out")
    assert "orders.csv:3: unknown variant 'drak'" in result.output
    assert result.exit_code == 3
