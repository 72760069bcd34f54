"""Test that values between stages can be sent to another process and name their source."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from generator.base.paper import PaperChoice, paper
from generator.base.values import Frozen
from generator.pack.load import PackForm
from generator.pipeline.printing import PrintOptions
from generator.pipeline.project import BuildRequest, Project
from tests.tools.make_pack import make, svg

ROOT = Path(__file__).parents[2]
PACKS = [
    "tests/data/packs/flip",
    "tests/data/packs/folding",
    "tests/data/packs/shapes",
    "templates/hydras",
    "templates/greenways",
]


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize(
    "step", ["request", "game", "components", "faces", "figures", "rules", "sheets"]
)
def test_value_of_each_step_is_equal_after_pickling(pack, step, projects):
    project = projects(pack)
    value = project.impose(PaperChoice(paper("a4"))) if step == "sheets" else getattr(project, step)
    back = pickle.loads(pickle.dumps(value))  # noqa: S301 - it is our own
    assert back == value
    if step in {"request", "faces", "sheets"}:
        assert hash(_hashable(back)) == hash(_hashable(value))


@pytest.fixture(scope="module")
def projects():
    known = {}

    def of(pack):
        return known.setdefault(
            pack, Project(BuildRequest(str(ROOT / pack), options=(PrintOptions(copies=2),)))
        )

    return of


def _hashable(value):
    return tuple(value.values()) if isinstance(value, dict) else getattr(value, "job", value)


PRINT_KEYS_AND_NAMES = """
import json, sys
from generator.pipeline.project import BuildRequest
from generator.pipeline.project import Project
project = Project(BuildRequest(sys.argv[1]))
print(json.dumps({face.label: (face.source_key, face.name) for face in project.faces.values()}))
"""


def keys_and_names(pack):
    faces = Project(BuildRequest(pack)).faces.values()
    return {face.label: [face.source_key, face.name] for face in faces}


def run_in_process(pack, seed):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": str(seed)}
    process = subprocess.run(
        [sys.executable, "-c", PRINT_KEYS_AND_NAMES, pack],
        env=environment,
        capture_output=True,
        check=True,
    )
    return json.loads(process.stdout)


def test_keys_and_names_of_faces_are_equal_in_every_process():
    pack = str(ROOT / "generator" / "starters" / "tiles")
    assert keys_and_names(pack) == run_in_process(pack, 1) == run_in_process(pack, 2)


LAYOUT = """\
- fill: $colour
- svg: art/$art.svg
- text: $title
  box: [2, 2, 36, 6]
  style: body
"""
TABLE = "id,colour,art,title\nfox,red,round,A fox\nowl,blue,square,An owl with a :star:\n"


@pytest.fixture
def pack(tmp_path):
    files = {
        "art/round.svg": svg('<circle cx="5" cy="5" r="4"/>'),
        "art/square.svg": svg('<rect width="5" height="5"/>'),
        "art/icons/star.svg": svg('<rect width="10" height="10"/>'),
    }
    return make(tmp_path / "deck", LAYOUT, TABLE, files=files)


def keys_of(folder, variant=""):
    faces = [
        design.front
        for design in Project(BuildRequest(str(folder), PackForm(variant))).components[0].designs
    ]
    return {face.label.split()[0].partition(":")[2]: face.source_key for face in faces}


def changed_names(before, after):
    return {name for name in before if before[name] != after[name]}


@pytest.mark.parametrize(
    ("file", "old", "new", "which"),
    [
        ("cards.csv", "A fox", "A vixen", {"fox"}),
        ("cards.csv", "blue", "red", {"owl"}),
        ("art/round.svg", 'r="4"', 'r="3"', {"fox"}),
        ("art/icons/star.svg", 'height="10"', 'height="9"', {"owl"}),
        ("layouts/front.yaml", "36, 6", "36, 7", {"fox", "owl"}),
        ("game.yaml", "size: 3mm", "size: 2mm", {"fox", "owl"}),
        ("game.yaml", "name: Small", "name: Smaller", set()),
    ],
)
def test_change_of_a_file_changes_only_the_keys_of_its_faces(pack, file, old, new, which):
    before = keys_of(pack)
    text = (pack / file).read_text("utf-8")
    assert old in text
    (pack / file).write_text(text.replace(old, new), "utf-8")
    assert changed_names(before, keys_of(pack)) == which


def test_changed_font_file_changes_the_keys_of_texts_in_the_font(pack):
    (own,) = (ROOT / "fonts").glob("*/AlegreyaSans-Regular.ttf")
    (pack / "fonts").mkdir()
    before = keys_of(pack)
    (pack / "fonts" / "own.ttf").write_bytes(own.read_bytes())
    assert keys_of(pack) == before, "a font file with the same bytes counts as the same font"
    (pack / "fonts" / "own.ttf").write_bytes(own.read_bytes() + b"\0")
    assert changed_names(before, keys_of(pack)) == {"fox", "owl"}


def test_keys_do_not_depend_on_the_folder_of_the_pack(pack, tmp_path):
    copy = tmp_path / "elsewhere"
    pack.rename(copy)
    first = keys_of(copy)
    copy.rename(pack)
    assert keys_of(pack) == first, "keys do not contain the path of the pack"


def test_frozen_mapping_is_equal_in_any_order_and_immutable():
    one = Frozen({"a": 1, "b": 2})
    other = Frozen({"b": 2, "a": 1})
    assert one == other == {"a": 1, "b": 2}
    assert hash(one) == hash(other)
    assert not hasattr(one, "__setitem__")
