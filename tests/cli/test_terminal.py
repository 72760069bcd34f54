"""Test output to the terminal, and the exit codes and messages of unexpected errors."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from generator.base.files import Outbox
from generator.cli import main
from generator.cli.output import escape_controls, handle_exit, report_bug
from tests.tools.make_pack import make

ROOT = Path(__file__).parents[2]
EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\x9b1m\x7f"


def run(*args, cwd, **options):
    return run_python("-m", "generator", *args, cwd=cwd, **options)


def run_program(text, *args, cwd):
    return run_python("-c", text, *args, cwd=cwd)


def run_python(*args, cwd, **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
    return subprocess.run(
        [sys.executable, *map(str, args)],
        cwd=cwd,
        env=environment,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
        **options,
    )


def test_control_characters_are_escaped():
    assert (
        escape_controls("a\x1b[2J\n\tb\u202e\x9b\udcff") == "a\\u001b[2J\n\tb\\u202e\\u009b\\udcff"
    )
    assert escape_controls("狐 Fox é 👩‍🚒") == "狐 Fox é 👩‍🚒"


def is_clean(result):
    return not [
        letter
        for letter in EVIL
        if letter in result.stdout + result.stderr and letter.isprintable() is False
    ]


def test_names_in_a_pack_cannot_control_terminal(tmp_path, pnp, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pack = make(
        tmp_path / f"pack{EVIL}", table=f"id,{EVIL}\none,\n", more="variants: {v: {title: 'x'}}"
    )
    for words in (
        *((command, pack) for command in ("check", "build", "preview")),
        *((command, pack, "--from", "1") for command in ("diff", "patch")),
        ("build", pack, "--only", EVIL),
        ("list", EVIL),
    ):
        result = pnp(*words)
        assert is_clean(result), words
        assert "owned" in result.output, f"{words}: the name is not shown"


def test_internal_error_prints_one_line_and_writes_report_file(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(Outbox, "__init__", lambda *_: 1 / 0)
    pack = make(tmp_path / "pack")
    result = CliRunner().invoke(main, ["build", str(pack), "-o", str(tmp_path / "out")])
    assert result.exit_code == 70
    assert "this is a bug in pnp; please report it: ZeroDivisionError" in result.stderr
    assert "Traceback" not in result.stderr
    (report,) = tmp_path.glob("pnp-error-*.txt")
    assert str(report) in result.stderr
    assert "Traceback" in report.read_text("utf-8")
    result = CliRunner().invoke(main, ["--debug", "build", str(pack), "-o", str(tmp_path / "out")])
    assert isinstance(result.exception, ZeroDivisionError)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (OSError(errno.ENOSPC, "No space left"), 5, "No space left"),
        (OSError(errno.ELOOP, "Too many links", "a"), 5, "a: the system says: Too many links"),
        (MemoryError(), 5, "out of memory"),
        (RecursionError("deep"), 70, "a bug in pnp"),
        (type("PanicException", (BaseException,), {})("engine"), 70, "PanicException: engine"),
    ],
)
def test_error_ends_command_with_its_exit_code_and_message(error, code, message, capsys):
    with pytest.raises(SystemExit) as caught, handle_exit(report_bug):
        raise error
    assert caught.value.code == code
    assert message in capsys.readouterr().err


BROKEN = """
import sys
class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {library!r}:
            raise {error}
sys.meta_path.insert(0, Lacking())
import generator.__main__
sys.argv = ["pnp", *sys.argv[1:]]
generator.__main__.main()
"""


@pytest.mark.parametrize("library", ["click", "pydantic", "yaml", "uharfbuzz", "resvg", "typst"])
def test_missing_library_is_named_and_exits_with_5(library, tmp_path):
    make(tmp_path / "pack")
    error = f"ModuleNotFoundError(\"No module named '{library}'\", name={library!r})"
    program = BROKEN.format(library=library, error=error)
    result = run_program(
        program, "preview" if library == "resvg" else "build", "pack", cwd=tmp_path
    )
    message = result.stderr.decode()
    assert result.returncode == 5, message
    assert message.startswith(f"Python cannot load {library}, which pnp needs: No module named")
    assert "pnp docs install" in message
    assert "Traceback" not in message
    assert not list(tmp_path.glob("output/**/*.pdf"))


def test_library_that_system_cannot_load_is_named(tmp_path):
    make(tmp_path / "pack")
    error = "ImportError('DLL load failed while importing typst', name='typst')"
    result = run_program(BROKEN.format(library="typst", error=error), "build", "pack", cwd=tmp_path)
    assert result.returncode == 5
    assert b"Python cannot load typst, which pnp needs: DLL load failed" in result.stderr


def test_missing_module_of_pnp_is_reported_as_bug(capsys):
    with pytest.raises(SystemExit) as caught, handle_exit(report_bug):
        raise ModuleNotFoundError("No module named 'generator.gone'", name="generator.gone")
    assert caught.value.code == 70
    assert "this is a bug in pnp" in capsys.readouterr().err


def test_wrong_usage_is_left_to_click_with_control_characters_escaped():
    with pytest.raises(click.UsageError) as caught, handle_exit(report_bug):
        raise click.UsageError(f"no {EVIL}")
    assert "\x1b" not in caught.value.message


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("args", [["list", "papers"], ["schema", "game"], ["check", "pack"]])
def test_output_to_full_device_exits_with_5(args, tmp_path):
    make(tmp_path / "pack")
    with Path("/dev/full").open("wb") as full:
        result = run(*args, cwd=tmp_path, stdout=full)
    assert result.returncode == 5
    assert result.stderr.decode().startswith("the system says: No space left on device")
    assert b"Traceback" not in result.stderr
    assert b"Exception ignored" not in result.stderr


def test_terminal_without_the_letters_does_not_fail(tmp_path):
    make(tmp_path / "pack", table="id,title\none,狐\n", more="credits: [狐]")
    result = run(
        "check", "pack", cwd=tmp_path, stdout=subprocess.PIPE, env={"PYTHONIOENCODING": "cp437"}
    )
    assert result.returncode == 0, result.stderr
