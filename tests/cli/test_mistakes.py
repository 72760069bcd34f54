"""Test beginners' mistakes: `pnp check` names each, `pnp build` each that spoils a print.

`tests/data/mistakes.yaml` lists them as small changes to the starter packs.
"""

import json
from pathlib import Path

import pytest
import yaml
from PIL import Image

DATA = Path(__file__).parents[1] / "data" / "mistakes.yaml"
MISTAKES = yaml.safe_load(DATA.read_text("utf-8"))
SEVERITIES = ("error", "warning", "note")
INVALID_PACK = 3


def make_mistake(pack: Path, row: dict) -> None:
    """Apply the changes of a row to a pack without mistakes."""
    for name, text in row.get("write", {}).items():
        (pack / name).parent.mkdir(parents=True, exist_ok=True)
        (pack / name).write_text(text, row.get("encoding", "utf-8"))
    for name, size in row.get("picture", {}).items():
        Image.new("RGB", size, "#c0ffee").save(pack / name)
    for name, changes in row.get("change", {}).items():
        text = (pack / name).read_text("utf-8")
        for old, new in changes.items():
            assert old in text, "the starter has changed"
            text = text.replace(old, new, 1)
        (pack / name).write_text(text, "utf-8")


def problems_of(result) -> set[tuple[str, str]]:
    """Return the severity and the text of each problem, with its place."""
    return {
        (one["severity"], ": ".join(filter(None, (place_of(one), one["message"]))))
        for one in json.loads(result.stdout)["problems"]
    }


def warnings_without_hint(result) -> list[str]:
    """Return the warnings without a hint."""
    problems = json.loads(result.stdout)["problems"]
    return [one["message"] for one in problems if one["severity"] == "warning" and not one["hint"]]


def place_of(problem: dict) -> str:
    return f"{problem['file']}:{problem['line']}" if problem["line"] else problem["file"]


def test_no_two_listed_mistakes_are_the_same():
    assert len({row["mistake"] for row in MISTAKES}) == len(MISTAKES) >= 93


@pytest.mark.parametrize("row", MISTAKES, ids=lambda row: row["mistake"].replace(" ", "-"))
def test_every_listed_mistake_is_reported(row, starter, pnp):
    pack = starter(row.get("starter", "cards"))
    make_mistake(pack, row)
    (expected,) = [(severity, row[severity]) for severity in SEVERITIES if severity in row]
    checked = pnp("check", pack, "--json")
    built = pnp("build", pack, "--what", "sheets", "--paper", "a4", "--json")
    code = row.get("exit", INVALID_PACK) if "error" in row else 0
    assert expected in problems_of(checked)
    assert checked.exit_code == built.exit_code == code
    assert not warnings_without_hint(checked)
    if row.get("build") == "silent":
        assert expected not in problems_of(built)
    else:
        severity, message = expected
        assert (severity, row.get("build", message)) in problems_of(built)
    assert Path("output").exists() is (code == 0)


@pytest.mark.parametrize("kind", ["cards", "tiles"])
def test_starter_without_a_mistake_has_notes_only(kind, starter, pnp):
    pack = starter(kind)
    for command in ("check", "build"):
        assert {severity for severity, _ in problems_of(pnp(command, pack, "--json"))} <= {"note"}
