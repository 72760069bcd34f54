"""Test `--json`: one JSON object on stdout that follows `docs/report.schema.json`, always."""

import json
from pathlib import Path

import jsonschema
import pytest

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text("utf-8"))
REPORT = jsonschema.Draft202012Validator(SCHEMA)


def report_of(result) -> dict:
    """Return the JSON of a command, valid and with the exit code of the command."""
    report = json.loads(result.stdout)
    REPORT.validate(report)
    assert report["exit_code"] == result.exit_code
    return report


def problem_places(report: dict, severity: str) -> list[tuple]:
    return [
        (one["file"], one["line"], one["column"], one["layer"] and one["layer"]["kind"])
        for one in report["problems"]
        if one["severity"] == severity
    ]


@pytest.fixture
def pack(starter):
    return starter("cards")


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_schema_of_reports_is_a_valid_json_schema():
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
def test_report_on_sound_pack_lists_files_and_no_errors(words, pack, pnp):
    target = words[1:] if words[0] == "export" else ()
    rest = () if target else words[1:]
    result = pnp(words[0], *target, pack, *rest, "--json")
    report = report_of(result)
    assert report["command"] == words[0]
    assert report["exit_code"] == 0
    assert problem_places(report, "error") == []
    assert result.stderr == ""
    assert bool(report["files"]) is (words[0] != "check")
    assert all(Path(file["path"]).is_file() for file in report["files"])


def test_report_on_patch_lists_its_files(pack, pnp):
    assert pnp("release", pack, "-o", pack / "releases").exit_code == 0
    change(pack / "game.yaml", 'version: "1"', 'version: "2"')
    change(pack / "cards.csv", "Fox", "Vixen")
    report = report_of(pnp("patch", pack, "--from", "1", "--json"))
    assert report["exit_code"] == 0, report
    assert [file["path"] for file in report["files"] if file["path"].endswith(".pdf")]


def test_report_on_list_has_names(pnp):
    report = report_of(pnp("list", "papers", "--json"))
    assert {"name": "a4", "about": "A4, 210 × 297 mm"} in report["names"]


def test_report_of_an_unchanged_build_is_the_same(pack, pnp, monkeypatch, tmp_path):
    monkeypatch.setenv("PNP_CACHE", str(tmp_path / "cache"))
    change(pack / "layouts/front.yaml", "style: title", "style: title\n  colour: $paper")
    first = report_of(pnp("build", pack, "--what", "sheets", "--json"))
    assert report_of(pnp("build", pack, "--what", "sheets", "--json")) == first
    assert problem_places(first, "warning")


WRONG = [
    ("layouts/front.yaml", "style: title", "style: titel", "layouts/front.yaml", "text"),
    ("layouts/front.yaml", "- icon:", "- icno:", "layouts/front.yaml", None),
    ("layouts/front.yaml", "$title", "$titel", "layouts/front.yaml", "text"),
    ("game.yaml", "    title: Cards", "    titel: Cards", "game.yaml", None),
    ("game.yaml", "name:", "\tname:", "game.yaml", None),
]


@pytest.mark.parametrize(("file", "old", "new", "named", "layer"), WRONG)
def test_report_on_mistake_has_its_file_line_and_layer(file, old, new, named, layer, pack, pnp):
    change(pack / file, old, new)
    for command in ("check", "build", "preview"):
        result = pnp(command, pack, "--json")
        report = report_of(result)
        assert report["exit_code"] == 3
        reported = [
            (path, column, kind)
            for path, line, column, kind in problem_places(report, "error")
            if new.strip() in (pack / named).read_text("utf-8").splitlines()[line - 1]
        ]
        assert {(path, kind) for path, _, kind in reported} == {(f"pack/{named}", layer)}
        assert reported[0][1] >= 1
        assert result.stderr == ""
        assert report["files"] == []


def test_report_on_unknown_icon_in_cell_has_its_row(pack, pnp):
    change(pack / "cards.csv", ",star,", ",stra,")
    report = report_of(pnp("check", pack, "--json"))
    assert problem_places(report, "error")[0][:2] == ("pack/cards.csv", 2)


def test_report_on_text_that_does_not_fit_has_its_layer(pack, pnp):
    change(pack / "cards.csv", "Fox", "Fox " * 60)
    report = report_of(pnp("build", pack, "--json"))
    assert report["exit_code"] == 4
    assert problem_places(report, "error")[0][3] == "text"


def test_report_on_warning_has_its_row_and_its_layer(pack, pnp):
    change(pack / "layouts/front.yaml", "style: title", "style: title\n  colour: $paper")
    for command in ("check", "build"):
        report = report_of(pnp(command, pack, "--json"))
        warnings = [one for one in report["problems"] if one["severity"] == "warning"]
        assert report["exit_code"] == 0
        assert {one["file"] for one in warnings} == {"pack/cards.csv"}
        assert {one["layer"]["kind"] for one in warnings} == {"text"}
        assert {one["layer"]["file"] for one in warnings} == {"pack/layouts/front.yaml"}
        assert all("contrast" in one["message"] for one in warnings)


@pytest.mark.parametrize("wrong", [("--paper", "a44"), ("--nonsense",), ("--jobs", "x")])
def test_wrong_usage_is_reported_as_json(wrong, pack, pnp):
    report = report_of(pnp("build", pack, *wrong, "--json"))
    assert report["exit_code"] == 2
    assert len(problem_places(report, "error")) == 1


def test_unknown_game_is_reported_as_json(pnp, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = report_of(pnp("check", "hydra", "--json"))
    assert report["exit_code"] == 2
    assert "did you mean 'hydras'" in report["problems"][0]["hint"]


def test_report_on_draft_has_files_and_errors(pack, pnp):
    change(pack / "cards.csv", "Fox", "Fox " * 60)
    report = report_of(pnp("build", pack, "--draft", "--json"))
    assert report["exit_code"] == 4
    assert report["files"]
    assert problem_places(report, "error")


def test_check_with_strict_exits_with_3_on_warnings(pack, pnp):
    assert pnp("check", pack, "--strict").exit_code == 0
    change(pack / "layouts/front.yaml", "style: title", "style: title\n  colour: $paper")
    assert pnp("check", pack).exit_code == 0
    result = pnp("check", pack, "--strict")
    assert result.exit_code == 3
    assert "contrast" in result.stdout
    assert report_of(pnp("check", pack, "--strict", "--json"))["exit_code"] == 3


def test_control_characters_in_names_are_escaped(pack, pnp):
    change(pack / "cards.csv", ",star,", ",\u2028star\u202e,")
    result = pnp("check", pack, "--json")
    assert not {"\u2028", "\u202e"} & set(result.stdout)
    assert problem_places(report_of(result), "error")
