"""Test settings of editors: merged with existing ones and understood by a YAML language server."""

import json
import shutil
from pathlib import Path

import pytest

from tests.tools.yaml_server import open_folder

ROOT = Path(__file__).parents[2]
PACKS = sorted(
    path.parent
    for folder in ("templates", "generator/starters", "tests/data/packs")
    for path in (ROOT / folder).glob("*/game.yaml")
)
GAME = {"./schema/game.json": "**/game.yaml"}


def file_contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_schema_install_writes_settings_of_three_editors_and_schemas(tmp_path, pnp):
    result = pnp("schema", "--install", tmp_path)
    assert result.exit_code == 0, result.output
    contents = file_contents(tmp_path)
    assert set(contents) == {
        ".vscode/settings.json",
        ".zed/settings.json",
        ".nvim.lua",
        "schema/game.json",
        "schema/layout.json",
    }
    code = json.loads(contents[".vscode/settings.json"])["yaml.schemas"]
    zed = json.loads(contents[".zed/settings.json"])["lsp"]["yaml-language-server"]["settings"]
    assert code == zed["yaml"]["schemas"]
    assert all((tmp_path / schema).is_file() for schema in code)
    assert contents["schema/game.json"].decode() == pnp("schema").stdout
    assert contents["schema/layout.json"].decode() == pnp("schema", "layout").stdout
    lua = contents[".nvim.lua"].decode()
    assert all(f'["{schema}"] = "{files}"' in lua for schema, files in code.items())


def test_schema_install_without_folder_writes_to_current_folder(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    assert pnp("schema", "--install").exit_code == 0
    assert Path(".vscode/settings.json").is_file()


def test_schema_install_keeps_other_settings_and_runs_twice_without_change(tmp_path, pnp):
    (tmp_path / ".vscode").mkdir()
    own = {"editor.rulers": [100], "yaml.schemas": {"./mine.json": "*.yml"}}
    (tmp_path / ".vscode/settings.json").write_text(json.dumps(own), "utf-8")
    (tmp_path / ".nvim.lua").write_text("vim.o.textwidth = 100\n", "utf-8")
    assert pnp("schema", "--install", tmp_path).exit_code == 0
    first = file_contents(tmp_path)
    settings = json.loads(first[".vscode/settings.json"])
    assert settings["editor.rulers"] == [100]
    assert settings["yaml.schemas"].items() >= {**GAME, "./mine.json": "*.yml"}.items()
    assert first[".nvim.lua"].startswith(b"vim.o.textwidth = 100\n\n-- Schemas of packs")
    assert pnp("schema", "--install", tmp_path).exit_code == 0
    assert file_contents(tmp_path) == first


def test_schema_install_replaces_its_old_entries_in_place(tmp_path, pnp):
    assert pnp("schema", "--install", tmp_path).exit_code == 0
    path = tmp_path / ".nvim.lua"
    new = path.read_text("utf-8")
    path.write_text(new.replace("**/game.yaml", "old.yaml") + "vim.o.wrap = false\n", "utf-8")
    assert pnp("schema", "--install", tmp_path).exit_code == 0
    assert path.read_text("utf-8") == new + "vim.o.wrap = false\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n  // mine\n  "a": 1\n}\n', "settings.json:2: is not plain JSON"),
        ("[]", "settings.json: has another kind of value where schemas are set"),
        ('{"yaml.schemas": []}', "settings.json: has another kind of value where schemas are set"),
    ],
)
def test_settings_that_cannot_be_merged_are_reported_and_unchanged(text, message, tmp_path, pnp):
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode/settings.json").write_text(text, "utf-8")
    before = file_contents(tmp_path)
    result = pnp("schema", "--install", tmp_path)
    assert result.exit_code == 5
    assert message in result.stderr
    assert 'add these entries yourself: {"yaml.schemas": {"./schema/game.json"' in result.stderr
    assert file_contents(tmp_path) == before


def test_schema_install_into_missing_folder_is_wrong_usage(tmp_path, pnp):
    assert pnp("schema", "--install", tmp_path / "none").exit_code == 2


@pytest.mark.editor
def test_language_server_accepts_every_pack_and_reports_a_bad_one(tmp_path, pnp):
    for pack in PACKS:
        copy = Path(shutil.copytree(pack, tmp_path / pack.name))
        # Packs that were made with `pnp new` name the schema in their own folder.
        assert pnp("schema", "--install", copy).exit_code == 0
    bad = tmp_path / "bad"
    (bad / "layouts").mkdir(parents=True)
    (bad / "game.yaml").write_text("name: A\nversion: 1\ncolour: red\ncomponents: {}\n", "utf-8")
    (bad / "layouts" / "front.yaml").write_text("- fil: red\n", "utf-8")
    assert pnp("schema", "--install", tmp_path).exit_code == 0
    settings = json.loads((tmp_path / ".vscode/settings.json").read_text("utf-8"))
    files = [*tmp_path.glob("*/game.yaml"), *tmp_path.glob("*/layouts/*.yaml")]
    assert len(files) > 2 * len(PACKS)
    with open_folder(tmp_path, settings["yaml.schemas"]) as server:
        problems = {path: messages for path, messages in server.check(files).items() if messages}
    assert set(problems) == {bad / "game.yaml", bad / "layouts" / "front.yaml"}, problems
    assert "Property colour is not allowed." in problems[bad / "game.yaml"]
    assert "Property fil is not allowed." in problems[bad / "layouts" / "front.yaml"]
