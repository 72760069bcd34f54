"""Test commands as people type them: names, exit codes, output and error output."""

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from generator.cli import COMMANDS, main
from generator.cli.commands import PnpCommand
from generator.cli.output import StageProgress
from tests.tools.make_pack import make

ROOT = Path(__file__).parents[2]


def run_pnp(*args, cwd, **env):
    """Run pnp as a person would, in a process of its own, and return the finished process."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **env}
    command = [sys.executable, "-m", "generator", *map(str, args)]
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("args", [(), ("--help",), *((name, "--help") for name in COMMANDS)])
def test_help_begins_with_usage(args, pnp):
    result = pnp(*args)
    assert "Usage: " in result.output
    assert not args or result.exit_code == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_in_help_use_options_that_exist(name, pnp):
    command = main.get_command(click.Context(main), name)
    if not isinstance(command, PnpCommand):
        assert isinstance(command, click.Group)
        return
    options = {
        option for param in command.params for option in (*param.opts, *param.secondary_opts)
    }
    assert command.examples
    for example in command.examples:
        program, subcommand, *words = shlex.split(example)
        assert (program, subcommand) == ("pnp", name)
        assert {word for word in words if word.startswith("-")} <= options
        assert f"  {example}\n" in pnp(name, "--help").output


def test_help_names_every_command(pnp):
    lines = pnp("--help").output.splitlines()
    assert [
        name for name in COMMANDS if not any(line.split()[:1] == [name] for line in lines)
    ] == []


def test_version_option_prints_program_and_version(pnp):
    from generator import __version__

    assert pnp("--version").output == f"pnp, version {__version__}\n"


@pytest.mark.parametrize(
    ("slip", "meant"), [("biuld", "build"), ("previw", "preview"), ("lst", "list")]
)
def test_unknown_command_is_refused_with_nearest_name(slip, meant, pnp):
    result = pnp(slip)
    assert result.exit_code == 2
    assert f"No such command '{slip}'. did you mean '{meant}'?" in result.stderr


USAGE = [
    ("build",),
    ("build", "x", "--nonsense"),
    ("build", "hoses-and-hydrants", "--margin", "5px"),
    ("preview", "x", "--dpi", "5"),
    ("preview", "x", "--format", "gif"),
    ("list", "cats"),
    ("schema", "rules"),
    ("new", "x", "--kind", "meeples"),
]


@pytest.mark.parametrize("args", USAGE, ids=" ".join)
def test_wrong_usage_exits_with_2_and_writes_nothing(args, tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    assert pnp(*args).exit_code == 2
    assert list(tmp_path.iterdir()) == []


LONG_TEXT = "- text: much too long for such a box\n  box: [5, 5, 5, 5]\n  style: body\n"
CODES = {
    "a wrong pack": (3, "- fill: rde\n"),
    "a text that does not fit": (4, LONG_TEXT),
    "a missing file": (5, "- svg: art/none.svg\n"),
    "wrong outranks missing": (3, "- svg: art/none.svg\n- fill: rde\n"),
    "missing outranks what does not fit": (5, f"{LONG_TEXT}- svg: art/none.svg\n"),
}


@pytest.mark.parametrize("mistake", CODES)
@pytest.mark.parametrize("command", ["build", "check", "preview"])
def test_exit_code_is_that_of_the_worst_problem(mistake, command, tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    code, layout = CODES[mistake]
    make(tmp_path / "pack", layout)
    result = pnp(command, "pack")
    assert result.exit_code == code, result.output
    assert result.stderr
    assert result.stdout == ""
    assert not (tmp_path / "output").exists()


def test_piece_larger_than_its_paper_exits_with_4(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack", size="400mm")
    assert pnp("build", "pack").exit_code == 4


def test_internal_error_writes_its_traceback_to_a_report_file(tmp_path):
    make(tmp_path / "pack")
    (tmp_path / "sitecustomize.py").write_text(
        "import generator.pipeline.project\n"
        "def broken(*_): raise RuntimeError('a bug of ours')\n"
        "generator.pipeline.project.draw_game = broken\n"
    )
    result = run_pnp(
        "build", "pack", cwd=tmp_path, PYTHONPATH=f"{tmp_path}:{ROOT}", TMPDIR=str(tmp_path)
    )
    assert result.returncode == 70
    assert "Traceback" not in result.stderr
    assert "this is a bug in pnp; please report it: RuntimeError: a bug of ours" in result.stderr
    (report,) = tmp_path.glob("pnp-error-*.txt")
    assert "Traceback" in report.read_text("utf-8")
    assert not list((tmp_path / "output").rglob("*"))


NAMES = ["pack", "./pack", "pack/", "pack/game.yaml", "deep/../pack"]


@pytest.mark.parametrize("name", NAMES)
def test_pack_is_found_by_its_folder_or_its_game_file(name, tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    make(tmp_path / "pack")
    result = pnp("build", name, "--paper", "a4")
    assert result.stdout.startswith("output/pack/pack-1-sheets-a4.pdf  1 piece on 1 sheet")


def test_pack_in_current_folder_is_named_dot(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(make(tmp_path / "pack"))
    assert pnp("build", ".", "--paper", "a4").stdout.startswith("output/pack/pack-1-sheets-a4.pdf")


def test_pack_is_found_by_its_absolute_path(tmp_path, monkeypatch, pnp):
    make(tmp_path / "elsewhere" / "pack")
    monkeypatch.chdir(tmp_path)
    assert pnp("build", tmp_path / "elsewhere" / "pack", "--paper", "a4").exit_code == 0


def test_folder_takes_precedence_over_shipped_game_of_same_name(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "hoses-and-hydrants")
    assert "1 piece on 1 sheet" in pnp("build", "hoses-and-hydrants", "--paper", "a4").stdout


def test_unknown_game_is_refused_with_nearest_name(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    result = pnp("build", "hoses-and-hydrant")
    assert result.exit_code == 2
    assert "unknown game 'hoses-and-hydrant'" in result.stderr
    assert "did you mean 'hoses-and-hydrants'?" in result.stderr


def test_folder_without_game_file_is_refused(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    result = pnp("build", "empty")
    assert (result.exit_code, result.stderr.splitlines()[0]) == (2, "no game.yaml in empty")


def test_list_prints_games_papers_sizes_and_fonts(pnp):
    from generator.pipeline.packs import packs

    games = pnp("list").stdout
    assert [line.split()[0] for line in games.splitlines()] == sorted(packs())
    assert "hoses-and-hydrants Hoses and Hydrants" in " ".join(games.split())
    assert "210 × 297 mm" in pnp("list", "papers").stdout
    assert "63.5 × 88.9 mm" in pnp("list", "sizes").stdout
    assert "Alegreya Sans " in pnp("list", "fonts").stdout


@pytest.mark.parametrize("kind", ["cards", "tiles"])
def test_new_pack_builds_at_once(kind, tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    output = pnp("new", "my-game", "--kind", kind).stdout
    assert "pnp build my-game" in output
    assert pnp("build", "my-game").exit_code == 0
    assert len(list(Path("output/my-game").glob("*-sheets-*.pdf"))) == 2
    first = (Path("my-game") / "game.yaml").read_text().splitlines()[0]
    assert (Path("my-game") / first.rpartition("=")[2]).is_file()
    for layout in Path("my-game/layouts").iterdir():
        first = layout.read_text().splitlines()[0]
        assert (layout.parent / first.rpartition("=")[2]).resolve().is_file()


def test_new_pack_never_overwrites_another(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert pnp("new", "pack").exit_code == 2
    assert pnp("new", "pack/game.yaml").exit_code == 2
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_new_pack_may_be_made_in_an_empty_current_folder(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    assert pnp("new", ".").exit_code == 0
    assert pnp("check", ".").exit_code == 0


def test_progress_is_silent_if_output_is_no_terminal(tmp_path):
    """Build with progress due at once, which only a terminal displays."""
    make(tmp_path / "pack", table="id\n" + "".join(f"d{n}\n" for n in range(6)))
    (tmp_path / "sitecustomize.py").write_text(
        "import generator.cli.output as output\noutput.BAR_DELAY_SECONDS = -1\n"
    )
    sheets = ("build", "pack", "--what", "sheets")
    result = run_pnp(*sheets, cwd=tmp_path, PYTHONPATH=f"{tmp_path}:{ROOT}")
    assert result.returncode == 0
    assert result.stderr == ""
    lines = [line for line in result.stdout.splitlines() if not line.startswith(" ")]
    assert [line.split("  ")[0].rpartition("/")[2] for line in lines] == [
        "pack-1-sheets-a4.pdf",
        "pack-1-sheets-letter.pdf",
    ]


def test_progress_appears_on_terminals_only(monkeypatch):
    monkeypatch.setattr("generator.cli.output.BAR_DELAY_SECONDS", -1)
    for is_terminal in (True, False):
        stream = io.StringIO()
        stream.isatty = lambda is_terminal=is_terminal: is_terminal
        monkeypatch.setattr("sys.stderr", stream)
        progress = StageProgress()
        progress("draw", 3, 10)
        progress("faces", 5, 5)
        progress.close()
        assert ("draw" in stream.getvalue() and "3/10" in stream.getvalue()) is is_terminal
        assert ("5/5" in stream.getvalue()) is is_terminal


def test_timings_option_names_every_stage(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack")
    output = pnp("build", "pack", "--timings").stdout
    for stage in ("load", "draw", "impose", "faces", "pdf", "all", "memory"):
        assert f"  {stage} " in output


def test_python_m_generator_is_the_same_command(tmp_path):
    result = run_pnp("list", "papers", cwd=tmp_path)
    assert result.returncode == 0
    assert "a4" in result.stdout
    assert run_pnp("biuld", cwd=tmp_path).returncode == 2


def test_help_loads_no_heavy_library():
    code = "import sys, generator.cli as c\ntry: c.main(['--help'])\nexcept SystemExit: pass\nprint(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    heavy = {
        "pydantic",
        "reportlab",
        "pikepdf",
        "typst",
        "PIL",
        "resvg",
        "uharfbuzz",
        "yaml",
        "svgwrite",
        "pypdfium2",
    }
    loaded = result.stdout.splitlines()[-1].split()
    assert "click" in loaded
    assert heavy.isdisjoint(loaded)


def test_no_garbage_is_collected_at_exit():
    """Check that garbage is frozen at exit: collecting it would take a tenth of a small build."""
    exit_report = "atexit.register(lambda: print(gc.get_freeze_count() > 10_000, len(gc.get_objects()) < 1000))"
    code = f"import atexit, gc\n{exit_report}\nfrom generator.__main__ import main\nmain()"
    result = subprocess.run(
        [sys.executable, "-c", code, "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == "True True"


def test_plugins_of_other_packages_are_not_loaded(tmp_path):
    """Install a pydantic plugin that would end the program."""
    (tmp_path / "other-1.dist-info").mkdir()
    (tmp_path / "other-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: other\nVersion: 1\n"
    )
    (tmp_path / "other-1.dist-info" / "entry_points.txt").write_text(
        "[pydantic]\nother = other:plugin\n"
    )
    (tmp_path / "other.py").write_text("raise SystemExit('the plugin of another is run')\n")
    make(tmp_path / "pack")
    result = run_pnp("check", "pack", cwd=tmp_path, PYTHONPATH=f"{ROOT}{os.pathsep}{tmp_path}")
    assert result.returncode == 0, result


def test_every_command_has_its_module_and_its_help():
    folder = ROOT / "generator" / "cli"
    assert set(COMMANDS) <= {path.stem for path in folder.glob("*.py")}
    for name in COMMANDS:
        command = main.get_command(None, name)
        assert command.name == name
        assert command.help
