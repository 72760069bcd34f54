"""Test the structure of the code: imports between packages, and no knowledge of any game."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from generator.board.rules import BoardSection
from generator.cli import COMMANDS
from generator.export import EXPORTS, find_writer
from generator.export.targets import TARGETS, writer_name
from generator.pipeline.packs import packs
from generator.pipeline.vocabulary import BOARD_KEYS

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "generator"
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "bundled" not in path.parts)

LEAVES = {"__version__", "base"}
MAY = {
    "picture": {"picture"},
    "text": {"text", "picture"},
    "pack": {"pack", "text", "picture"},
    "draw": {"draw", "picture", "text", "pack"},
    "impose": {"impose"},
    "pdf": {"pdf", "picture", "impose"},
    "board": {"board", "pack"},
    "rules": {"rules", "picture", "text", "pack", "board", "draw", "impose", "pdf"},
    "release": {"release", "picture", "pack", "draw", "rules"},
    "pipeline": {
        "pipeline",
        "picture",
        "text",
        "pack",
        "draw",
        "impose",
        "pdf",
        "board",
        "rules",
        "release",
    },
    "check": {"check", "picture", "pack", "draw", "impose", "pdf", "pipeline"},
    "relay": {"relay", "picture", "pack", "impose", "pdf", "pipeline"},
}
"""The packages that each stage may import besides the leaf modules."""


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all syntax nodes of a module; many tests visit them."""
    return tuple(ast.walk(tree_of(path)))


@pytest.fixture(scope="module", autouse=True)
def clear_cached_trees():
    """Clear the cached syntax trees after these tests, since they are large."""
    yield
    tree_of.cache_clear()
    nodes_of.cache_clear()


def imported_packages(path: Path) -> set[str]:
    packages = set()
    for node in nodes_of(path):
        if (
            isinstance(node, ast.ImportFrom)
            and node.module
            and node.module.startswith("generator.")
        ):
            packages.add(node.module.split(".")[1])
        elif isinstance(node, ast.ImportFrom) and node.module == "generator":
            packages.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            packages.update(
                alias.name.split(".")[1]
                for alias in node.names
                if alias.name.startswith("generator.")
            )
    return packages


@pytest.mark.parametrize("stage", MAY)
def test_stage_imports_only_its_allowed_packages(stage):
    assert list((PACKAGE / stage).rglob("*.py")), "the package exists"
    for path in (PACKAGE / stage).rglob("*.py"):
        assert imported_packages(path) <= MAY[stage] | LEAVES, path


def test_only_the_outer_packages_import_the_pipeline():
    """An outer package may import itself and the packages before it in the list."""
    above = ("pipeline", "check", "relay", "live", "export", "farm", "cli")
    for path in FILES:
        inside = path.relative_to(PACKAGE).parts[0]
        if path.name != "__main__.py":
            may = set(above[: above.index(inside) + 1]) if inside in above else set()
            assert imported_packages(path) & set(above) <= may, path


def test_export_is_one_function_and_one_row_of_the_table():
    writers = {find_writer(name) for name in EXPORTS}
    assert len(writers) == len(EXPORTS)
    assert {writer.__module__.rpartition(".")[0] for writer in writers} == {"generator.export"}
    assert {export.command for export in EXPORTS.values()} <= set(COMMANDS)
    assert {export.accompanies for export in EXPORTS.values()} - {""} <= set(EXPORTS)


def test_target_is_one_function_one_row_and_one_section_of_the_guide():
    guide = (ROOT / "docs" / "exports.md").read_text("utf-8")
    modules = {path.stem for path in (PACKAGE / "export" / "targets").glob("*.py")} - {"__init__"}
    writers = {find_writer(writer_name(target)) for target in TARGETS}
    assert len(writers) == len(TARGETS)
    assert {f"generator.export.targets.{name}" for name in modules} == {
        writer.__module__ for writer in writers
    }
    assert not [name for name in TARGETS if not re.search(rf"^## .*`{name}`", guide, re.MULTILINE)]


def test_generator_folder_holds_only_packages():
    assert not {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}


def test_base_imports_no_other_package():
    for path in (PACKAGE / "base").rglob("*.py"):
        assert imported_packages(path) <= LEAVES, path


USERS = {
    "svgwrite": {"picture/svg.py"},
    "resvg": {"picture/resvg.py"},
    "reportlab": {"pdf", "relay/read_pdf.py"},  # relay reads the widths of the 14 standard fonts
    "pikepdf": {"pdf", "relay", "rules/booklet"},
    "typst": {"pdf", "rules/booklet"},
}
"""The files and folders that may import a library."""


@pytest.mark.parametrize("library", USERS)
def test_library_is_imported_only_by_its_allowed_packages(library):
    imports_it = re.compile(rf"^\s*(import|from) {library}\b", re.MULTILINE)
    users = {path for path in FILES if imports_it.search(path.read_text("utf-8"))}
    assert users
    assert all(
        any(path.is_relative_to(PACKAGE / place) for place in USERS[library]) for path in users
    ), users


def imported_files(path: Path) -> set[Path]:
    """Return the files imported by a file at load time, not in functions or for type checks."""
    files = set()
    for node in tree_of(path).body:
        if (
            isinstance(node, ast.ImportFrom)
            and node.module
            and node.module.split(".")[0] == "generator"
        ):
            folder = ROOT / node.module.replace(".", "/")
            for name in (alias.name for alias in node.names):
                places = (
                    folder / f"{name}.py",
                    folder / name / "__init__.py",
                    folder.with_suffix(".py"),
                    folder / "__init__.py",
                )
                files.add(next(place for place in places if place.is_file()))
    return files - {path}


def test_module_imports_have_no_cycle():
    graph = {path: imported_files(path) for path in FILES}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the modules


def test_pack_knows_the_board_keys_without_importing_boards():
    assert set(BoardSection.model_fields) == BOARD_KEYS


START = """
import sys
from generator.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(*sorted(name.removeprefix("generator.") for name in sys.modules), file=sys.stderr)
"""


LIBRARIES = (
    *("yaml", "pydantic", "pikepdf", "reportlab", "resvg", "PIL", "typst", "svgwrite", "sqlite3"),
    *("uharfbuzz", "pypdfium2", "pyphen", "tinycss2", "cssselect2", "markdown_it"),
)
NOT_OF_PLAIN_CARDS = (
    *("board", "rules", "release", "relay", "live", "farm"),
    *(
        "draw.art.css",
        "rules.booklet",
        "pdf.press",
        "pyphen",
        "tinycss2",
        "cssselect2",
        "markdown_it",
    ),
)
NOT_OF_PREVIEWS = ("pikepdf", "reportlab", "typst", "pypdfium2", "pdf", "impose.impose")


@pytest.mark.parametrize(
    ("command", "without"),
    [
        (("--help",), (*LIBRARIES, "pipeline", "pack")),
        (("list", "papers"), (*LIBRARIES, "pipeline", "pack")),
        (("list", "fonts"), ("pydantic", "sqlite3", "PIL", "pack.game", "draw", "impose")),
        (("build", "pack", "--what", "sheets"), NOT_OF_PLAIN_CARDS),
        (("check", "pack"), NOT_OF_PLAIN_CARDS),
        (("preview", "pack", "fox"), (*NOT_OF_PREVIEWS, *NOT_OF_PLAIN_CARDS)),
    ],
)
def test_command_imports_no_unused_package(starter, command, without):
    starter("cards")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.run(
        [sys.executable, "-c", START, *command],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    modules = set(process.stderr.splitlines()[-1].split())
    assert {"click", "base.errors"} <= modules
    assert not modules & set(without)


def test_generator_names_no_game():
    words = {name.replace("-", " ") for name in packs()} | set(packs())
    assert words
    for path in sorted(PACKAGE.rglob("*")):
        if (
            path.is_file()
            and path.suffix in {".py", ".toml", ".md", ".yaml", ".csv"}
            and "bundled" not in path.parts
        ):
            text = path.read_text("utf-8").lower()
            assert not [word for word in words if re.search(rf"\b{word}\b", text)], path


TAG = re.compile(r"</[a-z]|<!doctype|<[a-z][\w-]*(?:\s+[\w:-]+=|\s*/?>)", re.IGNORECASE)
# Modules with patterns that read elements of art, workbooks, and markup in orders and cells. Two more
# search art of any size: for expensive features, and for art that differs only in words and colours.
READS_ELEMENTS = {
    *("pack/workbooks.py", "pack/orders.py", "pack/new/cells.py"),
    *("picture/workload.py", "pdf/art_pages.py"),
}
# Modules that declare a string to be HTML, and must therefore have checked it.
DECLARES_HTML = {"base/html.py", "base/svg_table.py", "pack/icons.py", "export/guide_pages.py"}


def concatenated_tags(text: str) -> Iterator[str]:
    """Yield the parts with tags of strings that a file builds by f-string, `%`, `+` or `format`."""
    for node in ast.walk(ast.parse(text)):
        parts: list[ast.AST] = []
        if isinstance(node, ast.JoinedStr):
            parts = list(node.values)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.Add):
            parts = [node.left, node.right]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "format"
        ):
            parts = [node.func.value]
        for part in parts:
            if (
                isinstance(part, ast.Constant)
                and isinstance(part.value, str)
                and TAG.search(part.value)
            ):
                yield part.value


@pytest.mark.parametrize(
    "code", ["f'<b>{x}'", "'<a href=\"' + x", "'<i>%s</i>' % x", "'</{}>'.format(x)[1:] + '<p>'"]
)
def test_concatenated_tags_are_found_in_code(code):
    assert list(concatenated_tags(code))


def test_html_is_written_only_by_escaping_templates():
    """Labels in typst's code, such as `<lines>`, look like tags."""
    for path in FILES:
        if not path.is_relative_to(PACKAGE / "rules" / "booklet"):
            assert not list(concatenated_tags(path.read_text("utf-8"))), (
                f"{path}: use the templates of base/html.py"
            )


def test_only_listed_modules_read_elements_by_regular_expression():
    """Our own SVG is read as items or by a parser."""
    element = re.compile(r"<[a-z]|<\(|>\[\^<\]|href=|viewBox=", re.IGNORECASE)
    group_names = re.compile(r"\(\?P?<\w+>")
    modules = set()
    for path in FILES:
        for node in nodes_of(path):
            is_pattern = (
                isinstance(node, ast.Call)
                and ast.unparse(node.func).startswith("re.")
                and node.args
            )
            if is_pattern and element.search(group_names.sub("", ast.unparse(node.args[0]))):
                modules.add(path.relative_to(PACKAGE).as_posix())
    assert modules == READS_ELEMENTS


def test_only_listed_modules_declare_a_string_to_be_html():
    modules = {
        path.relative_to(PACKAGE).as_posix()
        for path in FILES
        for node in nodes_of(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Html"
        and node.args
    }
    assert modules == DECLARES_HTML


def test_problems_are_collected_by_a_reporter():
    for path in FILES:
        if path != PACKAGE / "base" / "errors.py":
            text = path.read_text("utf-8")
            assert "list[Problem]" not in text, f"{path}: a Reporter collects problems"
            assert "raise_any([" not in text, (
                f"{path}: `fail` or `placed` ends a stage because of one problem"
            )


def test_class_names_are_unique():
    places: dict[str, list[str]] = {}
    for path in FILES:
        where = path.relative_to(PACKAGE).as_posix()
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(where)
    assert not {
        name: places_of_name for name, places_of_name in places.items() if len(places_of_name) > 1
    }


def test_unit_conversions_are_written_only_in_units_py():
    for path in FILES:
        if path.name != "units.py":
            assert not re.search(r"(?<![\d.])(25\.4|72)(?![\d.])", path.read_text("utf-8")), path


def test_readme_names_every_command():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert not [name for name in COMMANDS if f"`pnp {name}" not in readme]


def test_table_of_outputs_has_a_row_for_every_export():
    page = (ROOT / "docs" / "outputs.md").read_text("utf-8")
    rows = [
        f"| `{name}` | {export.what} | `pnp {export.command}` |" for name, export in EXPORTS.items()
    ]
    assert not [row for row in rows if row not in page]


def test_architecture_page_names_every_stage():
    text = (PACKAGE / "ARCHITECTURE.md").read_text("utf-8")
    stages = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file())
    assert not [stage for stage in stages if f"`{stage}/`" not in text]


def test_architecture_page_names_only_existing_files():
    named = set(
        re.findall(r"`((?:[\w-]+/)*\w+\.py)`", (PACKAGE / "ARCHITECTURE.md").read_text("utf-8"))
    )
    files = [f"/{path.relative_to(ROOT).as_posix()}" for path in (*FILES, Path(__file__))]
    assert len(named) > 40
    assert not [name for name in named if not any(file.endswith(f"/{name}") for file in files)]


def test_reading_paths_of_the_architecture_page_name_existing_code():
    """Each file is named with the function or class that a reader should look for."""
    text = (PACKAGE / "ARCHITECTURE.md").read_text("utf-8")
    paths = text[text.index("## Seven steps") : text.index("## Reasons")]
    named = re.findall(r"`([\w/]+\.py)`,\s+`(\w+)`", paths)
    assert len(named) > 30
    for file, name in named:
        nodes = nodes_of(PACKAGE / file)
        kinds = (ast.FunctionDef, ast.ClassDef)
        assert any(isinstance(node, kinds) and node.name == name for node in nodes), (
            f"{file}: {name}"
        )
