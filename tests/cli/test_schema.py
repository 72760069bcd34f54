"""Test the JSON Schemas for editors: they accept every pack and refuse mistakes."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from generator.pack.schema import key_texts
from generator.rules.figures.overlays import OVERLAYS
from generator.rules.figures.spec import FigureSpec, HeldSpec, PieceSpec
from generator.rules.figures.things import THINGS

ROOT = Path(__file__).parents[2]
PACKS = sorted(
    path.parent
    for folder in ("templates", "generator/starters", "tests/data/packs")
    for path in (ROOT / folder).glob("*/game.yaml")
)
LAYOUTS = [path for pack in PACKS for path in sorted((pack / "layouts").glob("*.yaml"))]


def label(path):
    return path.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module")
def validators(pnp):
    validators = {}
    for what in ("game", "layout"):
        schema = json.loads(pnp("schema", what).stdout)
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[what] = jsonschema.Draft202012Validator(schema)
    return validators


def read(path):
    return yaml.safe_load(path.read_text("utf-8"))


def test_schema_without_argument_prints_game_schema(pnp):
    assert pnp("schema").stdout == pnp("schema", "game").stdout


@pytest.mark.parametrize("pack", PACKS, ids=label)
def test_schema_accepts_game_file_of_every_pack(pack, validators):
    errors = [error.message for error in validators["game"].iter_errors(read(pack / "game.yaml"))]
    assert errors == []


@pytest.mark.parametrize("path", LAYOUTS, ids=label)
def test_schema_accepts_layout_of_every_pack(path, validators):
    errors = [error.message for error in validators["layout"].iter_errors(read(path))]
    assert errors == []


GAME = "name: A\nversion: 1\ncomponents:\n  cards: {title: Cards, size: poker, data: cards.csv, front: f.yaml}\n"
SOUND = [
    GAME,
    GAME + "print: {paper: a4, margin: 10}\n",
    GAME + "print: {paper: [a4, '210 x 297 mm']}\n",
    GAME + "styles: {a: {size: 3, weight: bold, italic: true, align: center}}\n",
    GAME.replace("cards.csv", "[{id: fox, count: 2}]"),
    GAME + "variants: {v: {palette: {ink: black}, without: [ground]}}\n",
    GAME + "variants: {v: {title: V, title@nl: W, with: lines}, w: {with: [lines, dots]}}\n",
    GAME.replace("title: Cards,", "title: Cards, title@nl: Kaarten, title@pt-BR: Cartas,"),
    GAME
    + "lookups: {kind: {fire: {colour: red, cost: 2}}, element: kinds.csv, sets: {data: [{id: a}], from: set}}\n",
    GAME + "lookups: {abilities: {data: abilities.csv, by: monster, many: true}}\n",
    GAME.replace("front: f.yaml", "front: f.yaml, columns: {total: attack + defence}"),
    GAME + "name@nl: Een\ncredits: [a, b]\ncredits@nl: c\nrules: {cover: a.svg, cover@nl: b.svg}\n",
]
MISTAKES = [
    GAME + "colour: red\n",
    GAME + "print: {papers: a4}\n",
    GAME + "styles: {a: {sise: 3mm}}\n",
    GAME + "lookups: {kind: {data: kinds.csv, form: sort}}\n",
    GAME + "styles: {a: {align: middle}}\n",
    GAME.replace("title: Cards, ", "titel: Cards, "),
    GAME.replace("version: 1\n", ""),
    GAME + "version@nl: 2\n",
    GAME + "name@: Een\n",
    GAME + "name@nederlandse taal: Een\n",
    GAME.replace("title: Cards,", "title: Cards, size@nl: mini,"),
    "name: A\nversion: 1\ncomponents: {}\n",
    "- name: A\n",
]


@pytest.mark.parametrize("text", SOUND)
def test_schema_accepts_valid_game_settings(text, validators):
    assert [error.message for error in validators["game"].iter_errors(yaml.safe_load(text))] == []


@pytest.mark.parametrize("text", MISTAKES)
def test_schema_refuses_mistake_in_game_file(text, validators):
    assert not validators["game"].is_valid(yaml.safe_load(text))


LAYERS = [
    "- fill: red\n",
    "- frame: {inset: 3mm, stroke: 1mm red}\n",
    "- shape: {circle: center, r: 4mm, fill: red}\n  tag: ground\n",
    "- text: $title\n  box: [5, 5, 10, 10]\n  style: body\n  when: title\n",
    "- text: $title\n  box: safe\n  style: body\n",
    "- group:\n  - fill: red\n  at: center\n  turn: 45\n",
    "- include: layouts/part.yaml\n",
    "extends: layouts/base.yaml\nboxes: {a: [1, 2, 3, 4]}\nlayers:\n- fill: red\n",
    "- repeat: dot\n  times: $n\n  at: [1, 2]\n  size: 4\n",
    "- links: {}\n",
    "- text: Draw\n  text@nl: Trek\n  box: safe\n  style: body\n  when: [title, id != fox]\n",
    "- text: {text: Draw, text@nl: Trek}\n  box: safe\n  style: body\n",
    "- group: [{fill: red}]\n  group@nl: []\n- include: a.yaml\n  include@nl: b.yaml\n",
]
BAD_LAYERS = [
    "- fil: red\n",
    "- fill: red\n  colour: blue\n",
    "- frame: {insett: 3mm}\n",
    "- text: x\n  bx: [1, 2, 3, 4]\n  style: body\n",
    "- group:\n  - fil: red\n",
    "layer: []\n",
    "- include: a.yaml\n  box: trim\n",
    "- svg: a.svg\n  fit: fill\n",
    "- text: Draw\n  txet@nl: Trek\n  box: safe\n  style: body\n",
    "- fill: red\n  when: {id: fox}\n",
]


@pytest.mark.parametrize("text", LAYERS)
def test_schema_accepts_valid_layers(text, validators):
    assert [error.message for error in validators["layout"].iter_errors(yaml.safe_load(text))] == []


@pytest.mark.parametrize("text", BAD_LAYERS)
def test_schema_refuses_mistake_in_layout(text, validators):
    assert not validators["layout"].is_valid(yaml.safe_load(text))


def objects(node):
    """Yield each schema inside a schema that lists the keys of an object."""
    if isinstance(node, dict):
        if "properties" in node:
            yield node
        for child in node.values():
            yield from objects(child)
    elif isinstance(node, list):
        for child in node:
            yield from objects(child)


@pytest.mark.parametrize("what", ["game", "layout"])
def test_editors_can_explain_each_key(what, pnp):
    parts = json.loads(pnp("schema", what).stdout)
    models = [parts, *parts["$defs"].values(), *parts["$defs"].get("layer", {}).get("anyOf", [])]
    missing = {
        (model.get("title"), key)
        for model in models
        for key, field in model.get("properties", {}).items()
        if "description" not in json.dumps(field)
    }
    assert missing == set()


def test_texts_of_keys_name_only_keys_that_exist(pnp):
    known = {
        key
        for kind in ("game", "layout")
        for part in objects(json.loads(pnp("schema", kind).stdout))
        for key in part["properties"]
    }
    # The keys of figures.yaml have texts, too, for the reference.
    for model in (FigureSpec, PieceSpec, HeldSpec, *OVERLAYS.values(), *THINGS.values()):
        known |= {field.alias or name for name, field in model.model_fields.items()}
    assert {key for texts in key_texts().values() for key in texts} <= known
