"""Test the reference pages of the documentation site against the tables of the program."""

import re
from fnmatch import fnmatch
from pathlib import Path

import click
import pytest

from docs.make_option_pictures import draw_block, file_name, options, pictured
from docs.make_reference import (
    EXAMPLES,
    FOLDER,
    GAME_PARTS,
    OPTION_PICTURES,
    PARTS_OF_LAYERS,
    find_example,
    find_option_example,
    pages,
)
from generator.board.rules import BoardSection
from generator.cli import COMMANDS, main
from generator.draw.layers import LAYERS
from generator.pack.expression_functions import FUNCTIONS
from generator.pack.game_spec import GameSpec, LookupSpec
from generator.pack.schema import game_schema, key_texts, layout_schema, model_schema
from generator.rules.directives import DIRECTIVES
from generator.rules.figures.overlays import OVERLAYS
from generator.rules.figures.spec import FigureSpec, HeldSpec, PieceSpec
from generator.rules.figures.things import THINGS


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
        assert "![" in section.partition("| key |")[0] or name not in LAYERS


def test_reference_explains_every_key(reference):
    empty = [
        row
        for page in ("game", "layers", "figures")
        for row in reference[page].splitlines()
        if row.startswith("|") and row.endswith("|  |")
    ]
    assert empty == []
    assert all(text.endswith(".") for texts in key_texts().values() for text in texts.values())


def test_reference_explains_every_block_of_rules_with_example_and_picture(reference):
    for name, kind in DIRECTIVES.items():
        section = reference["blocks"].partition(f"## `{name}`\n")[2].partition("\n## ")[0]
        assert kind.what in section
        assert re.search(rf"^:::+ {name}\b", section, re.MULTILINE), (
            "the example contains the block"
        )
        assert f"]({OPTION_PICTURES}/{file_name(f'block.{name}')})" in section
    assert set(options()["blocks"]) == set(DIRECTIVES)


def test_picture_of_a_block_shows_its_content():
    """Look at the note, whose box has a colour, with white around it."""
    ((caption, picture),) = draw_block(options()["blocks"]["note"])
    assert caption == ""
    assert picture.getpixel((2, 2)) == (255, 255, 255)
    _, most = max(picture.convert("RGB").getcolors(picture.width * picture.height))
    assert most != (255, 255, 255)


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
            # The build of the site draws the pictures of options, and fails if one is missing.
            is_made = link.startswith(f"{OPTION_PICTURES}/")
            assert is_own_page or is_made or (FOLDER / link).resolve().is_file(), link


def test_example_pack_of_the_reference_has_no_warnings(pnp):
    assert "\n0 warnings\n" in pnp("check", EXAMPLES).output


def test_generated_reference_pages_are_ignored_by_git():
    ignored = (Path(__file__).parents[2] / ".gitignore").read_text("utf-8").splitlines()
    assert "docs/site/reference/" in ignored


def visible_options():
    """Return the options of the reference, each with its example, if there is one."""
    layers = layout_schema(LAYERS)["$defs"]
    game = game_schema(BoardSection)
    parts = {part["required"][0]: part for part in layers["layer"]["anyOf"]}
    parts |= {name: layers[name] for name in PARTS_OF_LAYERS}
    parts |= {name: game["$defs"].get(name) or model_schema(LookupSpec) for name in GAME_PARTS}
    parts |= {"GameSpec": game}
    parts |= {model.__name__: model_schema(model) for model in (FigureSpec, PieceSpec, HeldSpec)}
    parts |= {name: model_schema(kind) for name, kind in {**OVERLAYS, **THINGS}.items()}
    examples = {
        f"{owner}.{key}": find_example(owner, key)
        for owner, part in parts.items()
        for key in part["properties"]
        if not (owner == key and owner in LAYERS)  # the picture of the layer itself
    }
    context = click.Context(main)
    for name in COMMANDS:
        for option in main.get_command(context, name).params:
            if isinstance(option, click.Option) and not option.hidden:
                examples[f"{name} {option.opts[0]}"] = find_option_example(name, option.opts[0])
    return examples | {f"block.{name}": f"block.{name}" for name in DIRECTIVES}


def test_every_option_has_a_picture_or_a_reason_for_none():
    patterns = [name for names in options()["unseen"].values() for name in names]

    def is_unseen(option):
        names = (option, option.partition(" ")[2])
        return any(fnmatch(name, pattern) for name in names for pattern in patterns)

    examples = visible_options()
    assert [
        option for option, example in examples.items() if not example and not is_unseen(option)
    ] == []
    assert [option for option, example in examples.items() if example and is_unseen(option)] == []


def test_every_example_shows_an_option_that_exists():
    used = set(visible_options().values())
    examples = pictured() | options()["elsewhere"].keys()
    assert examples - used == set()


def test_options_without_a_picture_exist():
    names = {part for option in visible_options() for part in (option, option.partition(" ")[2])}
    for pattern in (name for group in options()["unseen"].values() for name in group):
        assert any(fnmatch(name, pattern) for name in names), pattern
