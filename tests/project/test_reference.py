"""Test the reference pages of the documentation site against the tables of the program."""

import re
from pathlib import Path

import click
import pytest

from docs.make_reference import EXAMPLES, FOLDER, pages
from generator.board.rules import BoardSection
from generator.cli import COMMANDS, main
from generator.draw.layers import LAYERS
from generator.pack.functions import FUNCTIONS
from generator.pack.game_spec import GameSpec, LookupSpec
from generator.pack.schema import game_schema, key_texts, layout_schema


@pytest.fixture(scope="module")
def reference():
    return pages()


def keys_of(page):
    return set(re.findall(r"^\| \**`([\w-]+)`", page, re.MULTILINE))


def test_reference_has_a_row_for_every_key_of_game_yaml(reference):
    models = game_schema(BoardSection)["$defs"].values()
    expected_keys = {key for model in models for key in model.get("properties", {})}
    expected_keys |= {*GameSpec.model_fields, *BoardSection.model_fields}
    expected_keys |= {field.alias or name for name, field in LookupSpec.model_fields.items()}
    assert expected_keys - keys_of(reference["game"]) == set()


def test_reference_has_a_section_with_keys_and_picture_for_every_layer(reference):
    page = reference["layers"]
    for part in layout_schema(LAYERS)["$defs"]["layer"]["anyOf"]:
        (name,) = part["required"]
        section = page.partition(f"## `{name}:`\n")[2].partition("\n## ")[0]
        assert set(part["properties"]) <= keys_of(section)
        assert ("![" in section) is (name in LAYERS)


def test_reference_explains_every_key(reference):
    empty = [
        row
        for page in ("game", "layers")
        for row in reference[page].splitlines()
        if row.startswith("|") and row.endswith("|  |")
    ]
    assert empty == []
    assert all(text.endswith(".") for texts in key_texts().values() for text in texts.values())


def test_reference_lists_every_option_of_every_command(reference):
    page = reference["commands"]
    context = click.Context(main)
    for name in COMMANDS:
        section = page.partition(f"## pnp {name}\n")[2]
        command = main.get_command(context, name)
        for option in (p for p in command.params if isinstance(p, click.Option) and not p.hidden):
            assert option.opts[-1] in section


def test_reference_lists_every_function(reference):
    names = {name for name in FUNCTIONS if name.isidentifier()} - {
        "or",
        "and",
        "not",
        "empty",
        "in",
        "contains",
    }
    assert names <= keys_of(reference["expressions"])


def test_pictures_and_links_of_the_reference_lead_to_files(reference):
    for page in reference.values():
        for link in re.findall(r"\]\(([^)#\s]+)", page):
            is_own_page = link.removesuffix(".md") in reference
            assert is_own_page or (FOLDER / link).resolve().is_file(), link


def test_example_pack_of_the_reference_has_no_warnings(pnp):
    assert "\n0 warnings\n" in pnp("check", EXAMPLES).output


def test_generated_reference_pages_are_ignored_by_git():
    ignored = (Path(__file__).parents[2] / ".gitignore").read_text("utf-8").splitlines()
    assert "docs/site/reference/" in ignored
