"""`--json`: one JSON object on stdout, however a command ends, as `docs/report.schema.json` describes it."""

import json
from pathlib import Path

import jsonschema
import pytest

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text("utf-8"))
REPORT = jsonschema.Draft202012Validator(SCHEMA)


def answer(result) -> dict:
    """The JSON of a command, valid and with the exit code of the command."""
    said = json.loads(result.stdout)
    REPORT.validate(said)
    assert said["exit_code"] == result.exit_code
    return said


def places(said: dict, severity: str) -> list[tuple]:
    return [
        (one["file"], one["line"], one["column"], one["layer"] and one["layer"]["kind"])
        for one in said["problems"]
        if one["severity"] == severity
    ]


@pytest.fixture
def pack(starter):
    return starter("cards")


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "words",
    [
        ("build", "--what", "sheets"),
        ("preview", "--what", "faces"),
        ("export", "press"),
        ("check",),
    ],
)
def test_a_sound_pack_has_files_and_no_errors(words, pack, pnp):
    target = words[1:] if words[0] == "export" else ()
    rest = () if target else words[1:]
    result = pnp(words[0], *target, pack, *rest, "--json")
    said = answer(result)
    assert said["command"] == words[0]
    assert said["exit_code"] == 0
    assert places(said, "error") == []
    assert result.stderr == ""
    assert bool(said["files"]) is (words[0] != "check")
    assert all(Path(file["path"]).is_file() for file in said["files"])


def test_a_patch_names_its_files(pack, pnp):
    assert pnp("release", pack, "-o", pack / "releases").exit_code == 0
    change(pack / "game.yaml", 'version: "1"', 'version: "2"')
    change(pack / "cards.csv", "Fox", "Vixen")
    said = answer(pnp("patch", pack, "--from", "1", "--json"))
    assert said["exit_code"] == 0, said
    assert [file["path"] for file in said["files"] if file["path"].endswith(".pdf")]


def test_names_are_listed(pnp):
    said = answer(pnp("list", "papers", "--json"))
    assert {"name": "a4", "about": "A4, 210 × 297 mm"} in said["names"]


def test_a_build_that_is_up_to_date_says_the_same(pack, pnp, monkeypatch, tmp_path):
    monkeypatch.setenv("PNP_CACHE", str(tmp_path / "cache"))
    change(pack / "layouts/front.yaml", "style: title", "style: title\n  colour: $paper")
    first = answer(pnp("build", pack, "--what", "sheets", "--json"))
    assert answer(pnp("build", pack, "--what", "sheets", "--json")) == first
    assert places(first, "warning")


WRONG = [
    ("layouts/front.yaml", "style: title", "style: titel", "layouts/front.yaml", "text"),
    ("layouts/front.yaml", "- icon:", "- icno:", "layouts/front.yaml", None),
    ("layouts/front.yaml", "$title", "$titel", "layouts/front.yaml", "text"),
    ("game.yaml", "    title: Cards", "    titel: Cards", "game.yaml", None),
    ("game.yaml", "name:", "\tname:", "game.yaml", None),
]


@pytest.mark.parametrize(("file", "old", "new", "named", "layer"), WRONG)
def test_a_mistake_has_its_place(file, old, new, named, layer, pack, pnp):
    change(pack / file, old, new)
    for command in ("check", "build", "preview"):
        result = pnp(command, pack, "--json")
        said = answer(result)
        assert said["exit_code"] == 3
        found = [
            (path, column, kind)
            for path, line, column, kind in places(said, "error")
            if new.strip() in (pack / named).read_text("utf-8").splitlines()[line - 1]
        ]
        assert {(path, kind) for path, _, kind in found} == {(f"pack/{named}", layer)}
        assert found[0][1] >= 1
        assert result.stderr == ""
        assert said["files"] == []


def test_a_missing_cell_has_its_row(pack, pnp):
    change(pack / "cards.csv", ",star,", ",stra,")
    said = answer(pnp("check", pack, "--json"))
    assert places(said, "error")[0][:2] == ("pack/cards.csv", 2)


def test_a_text_that_does_not_fit_has_its_layer(pack, pnp):
    change(pack / "cards.csv", "Fox", "Fox " * 60)
    said = answer(pnp("build", pack, "--json"))
    assert said["exit_code"] == 4
    assert places(said, "error")[0][3] == "text"


def test_a_warning_has_its_row_and_its_layer(pack, pnp):
    change(pack / "layouts/front.yaml", "style: title", "style: title\n  colour: $paper")
    for command in ("check", "build"):
        said = answer(pnp(command, pack, "--json"))
        warnings = [one for one in said["problems"] if one["severity"] == "warning"]
        assert said["exit_code"] == 0
        assert {one["file"] for one in warnings} == {"pack/cards.csv"}
        assert {one["layer"]["kind"] for one in warnings} == {"text"}
        assert {one["layer"]["file"] for one in warnings} == {"pack/layouts/front.yaml"}
        assert all("contrast" in one["message"] for one in warnings)


@pytest.mark.parametrize("wrong", [("--paper", "a44"), ("--nonsense",), ("--jobs", "x")])
def test_wrong_usage_is_told_as_json_too(wrong, pack, pnp):
    said = answer(pnp("build", pack, *wrong, "--json"))
    assert said["exit_code"] == 2
    assert len(places(said, "error")) == 1


def test_an_unknown_game_is_told_as_json(pnp, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = answer(pnp("check", "hydra", "--json"))
    assert said["exit_code"] == 2
    assert "did you mean 'hydras'" in said["problems"][0]["hint"]


def test_a_draft_tells_its_faults(pack, pnp):
    change(pack / "cards.csv", "Fox", "Fox " * 60)
    said = answer(pnp("build", pack, "--draft", "--json"))
    assert said["exit_code"] == 4
    assert said["files"]
    assert places(said, "error")


def test_strict_turns_warnings_into_an_exit_code(pack, pnp):
    assert pnp("check", pack, "--strict").exit_code == 0
    change(pack / "layouts/front.yaml", "style: title", "style: title\n  colour: $paper")
    assert pnp("check", pack).exit_code == 0
    result = pnp("check", pack, "--strict")
    assert result.exit_code == 3
    assert "contrast" in result.stdout
    assert answer(pnp("check", pack, "--strict", "--json"))["exit_code"] == 3


def test_controls_in_names_are_escaped(pack, pnp):
    change(pack / "cards.csv", ",star,", ",\u2028star\u202e,")
    result = pnp("check", pack, "--json")
    assert not {"\u2028", "\u202e"} & set(result.stdout)
    assert places(answer(result), "error")
