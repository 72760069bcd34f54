"""Settings of editors: merged with those that exist, and understood by a real YAML language server."""

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


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_three_editors_get_settings_and_the_schemas_beside_them(tmp_path, pnp):
    result = pnp("schema", "--install", tmp_path)
    assert result.exit_code == 0, result.output
    found = contents(tmp_path)
    assert set(found) == {
        ".vscode/settings.json",
        ".zed/settings.json",
        ".nvim.lua",
        "schema/game.json",
        "schema/layout.json",
    }
    code = json.loads(found[".vscode/settings.json"])["yaml.schemas"]
    zed = json.loads(found[".zed/settings.json"])["lsp"]["yaml-language-server"]["settings"]
    assert code == zed["yaml"]["schemas"]
    assert all((tmp_path / schema).is_file() for schema in code)
    assert found["schema/game.json"].decode() == pnp("schema").stdout
    assert found["schema/layout.json"].decode() == pnp("schema", "layout").stdout
    lua = found[".nvim.lua"].decode()
    assert all(f'["{schema}"] = "{files}"' in lua for schema, files in code.items())


def test_settings_go_into_the_current_folder_without_a_name(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    assert pnp("schema", "--install").exit_code == 0
    assert Path(".vscode/settings.json").is_file()


def test_other_settings_stay_and_a_second_run_changes_nothing(tmp_path, pnp):
    (tmp_path / ".vscode").mkdir()
    own = {"editor.rulers": [100], "yaml.schemas": {"./mine.json": "*.yml"}}
    (tmp_path / ".vscode/settings.json").write_text(json.dumps(own), "utf-8")
    (tmp_path / ".nvim.lua").write_text("vim.o.textwidth = 100\n", "utf-8")
    assert pnp("schema", "--install", tmp_path).exit_code == 0
    first = contents(tmp_path)
    settings = json.loads(first[".vscode/settings.json"])
    assert settings["editor.rulers"] == [100]
    assert settings["yaml.schemas"].items() >= {**GAME, "./mine.json": "*.yml"}.items()
    assert first[".nvim.lua"].startswith(b"vim.o.textwidth = 100\n\n-- Schemas of packs")
    assert pnp("schema", "--install", tmp_path).exit_code == 0
    assert contents(tmp_path) == first


def test_old_entries_for_packs_are_replaced_where_they_are(tmp_path, pnp):
    assert pnp("schema", "--install", tmp_path).exit_code == 0
    path = tmp_path / ".nvim.lua"
    new = path.read_text("utf-8")
    path.write_text(new.replace("**/game.yaml", "old.yaml") + "vim.o.wrap = false\n", "utf-8")
    assert pnp("schema", "--install", tmp_path).exit_code == 0
    assert path.read_text("utf-8") == new + "vim.o.wrap = false\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{\n  // mine\n  "a": 1\n}\n', "settings.json:2: is not plain JSON"),
        ("[]", "settings.json: has another kind of value where schemas are set"),
        ('{"yaml.schemas": []}', "settings.json: has another kind of value where schemas are set"),
    ],
)
def test_settings_that_cannot_be_merged_stay_as_they_are(text, said, tmp_path, pnp):
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode/settings.json").write_text(text, "utf-8")
    before = contents(tmp_path)
    result = pnp("schema", "--install", tmp_path)
    assert result.exit_code == 5
    assert said in result.stderr
    assert 'add these entries yourself: {"yaml.schemas": {"./schema/game.json"' in result.stderr
    assert contents(tmp_path) == before


def test_folder_that_does_not_exist_is_wrong_usage(tmp_path, pnp):
    assert pnp("schema", "--install", tmp_path / "none").exit_code == 2


@pytest.mark.editor
def test_language_server_finds_no_fault_in_any_pack_and_faults_in_a_bad_one(tmp_path, pnp):
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
        found = {path: messages for path, messages in server.check(files).items() if messages}
    assert set(found) == {bad / "game.yaml", bad / "layouts" / "front.yaml"}, found
    assert "Property colour is not allowed." in found[bad / "game.yaml"]
    assert "Property fil is not allowed." in found[bad / "layouts" / "front.yaml"]
