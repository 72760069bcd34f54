"""Test common habits of command lines: defaults, verbosity, colours, completion, guides."""

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from generator.cli import COMMANDS, main
from generator.cli.commands import GENERAL_GROUP
from generator.cli.completion import SHELLS, VARIABLE
from generator.export.guide_pages import guides
from tests.tools.make_pack import make

ROOT = Path(__file__).parents[2]
MISTAKE = "- {text: $titel, box: trim, style: body}\n"


@pytest.fixture
def launched(monkeypatch):
    """Return the list of addresses that pnp asks the system to open; nothing is opened."""
    addresses = []
    monkeypatch.setattr(
        click, "launch", lambda url, locate=False: addresses.append((url, locate)) or 0
    )
    return addresses


def test_game_is_the_current_folder_unless_named(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(make(tmp_path / "pack"))
    for words in (
        ("build",),
        ("check",),
        ("release",),
        ("diff", "--from", "1"),
        ("preview", "--only", "cards:one"),
        ("export", "tabletop-simulator", "--url", "https://example.org/"),
    ):
        assert pnp(*words).exit_code == 0, words
    assert Path("output/pack/pack-1-sheets-a4.pdf").is_file()


def test_command_without_game_outside_packs_explains_both_ways(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    result = pnp("build")
    assert result.exit_code == 2
    assert "this folder has no game.yaml" in result.stderr
    assert "name one, such as `pnp build my-game`, or change into its folder" in result.stderr
    assert not list(tmp_path.iterdir())


def test_command_in_a_folder_of_a_pack_names_the_pack(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(make(tmp_path / "pack") / "layouts")
    assert re.search(
        r"this folder is a part of the pack \S*pack$", pnp("check").stderr, re.MULTILINE
    )


def test_version_has_a_short_option(pnp):
    assert pnp("-V").output == pnp("--version").output
    assert re.fullmatch(r"pnp, version \d+\.\d+\.\d+\n", pnp("-V").output)


def test_quiet_prints_warnings_only(tmp_path, monkeypatch, pnp):
    layout = "- {text: $title, box: [1, 1, 38, 9], style: body}\n"
    monkeypatch.chdir(make(tmp_path / "pack", layout, "id,title\none,Fox\n"))
    loud = pnp("build", ".", "--no-cache")
    quiet = pnp("build", ".", "--no-cache", "-q")
    assert "sheets-a4.pdf" in loud.stdout
    assert quiet.stdout == ""
    assert "warning" in loud.stderr
    assert quiet.stderr == loud.stderr.splitlines(keepends=True)[-1]


def test_last_of_quiet_and_verbose_wins(tmp_path, monkeypatch, pnp):
    layout = "- {text: $title, box: [1, 1, 38, 9], style: body}\n"
    monkeypatch.chdir(make(tmp_path / "pack", layout, "id,title\none,Fox\n"))
    assert pnp("build", ".", "--no-cache", "-v", "-q").stdout == ""
    assert "MB at most" in pnp("build", ".", "--no-cache", "-q", "-v").stdout


def test_quiet_prints_problems(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(make(tmp_path / "pack", MISTAKE))
    result = pnp("build", "-q")
    assert result.exit_code == 3
    assert "unknown name '$titel'" in result.stderr


def test_verbose_adds_the_time_of_each_stage(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(make(tmp_path / "pack"))
    stages = re.compile(r"^  draw +\d+\.\d{3} s$", re.MULTILINE)
    assert not stages.search(pnp("build").stdout)
    assert stages.search(pnp("build", "-v").stdout)
    assert stages.search(pnp("build", "-v").stdout)  # also if all files are current


@pytest.mark.parametrize(
    ("environment", "is_coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_problems_are_coloured_as_environment_variables_say(
    tmp_path, monkeypatch, pnp, environment, is_coloured
):
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(make(tmp_path / "pack", MISTAKE, "id,title\none,Fox\n"))
    text = pnp("build").stderr
    assert ("\x1b[1mlayouts/front.yaml:1: \x1b[0m" in text) is is_coloured
    assert ("\x1b[36m  did you mean '$title'?\x1b[0m" in text) is is_coloured
    assert ("\x1b" in text) is is_coloured


def test_help_groups_the_options(pnp):
    text = pnp("build", "--help").output
    headings = re.findall(r"^(\w[\w ]*):$", text, re.MULTILINE)
    assert headings == [
        "Examples",
        GENERAL_GROUP,
        "Paper and layout",
        "Form of the game",
        "Speed and limits",
    ]
    assert (
        max(
            section.count("\n  -") for section in re.split(r"^\w[\w ]*:$", text, flags=re.MULTILINE)
        )
        < 20
    )
    assert text.index("Paper and layout:") < text.index("  --duplex") < text.index("Form of")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no head")
def test_reader_that_stops_early_is_no_error():
    pipeline = f'"{sys.executable}" -m generator list papers | head -1; echo "${{PIPESTATUS[0]}}"'
    result = subprocess.run(
        ["bash", "-c", pipeline],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.splitlines()[-1] == "0"
    assert result.stderr == ""


def complete(shell, *words):
    """Return the completions as pnp gives them to a shell's script."""
    line = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    result = subprocess.run(
        [sys.executable, "-c", "from generator.cli import main; main(prog_name='pnp')"],
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            VARIABLE: f"{shell}_complete",
            **line,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout


def test_shells_get_completions():
    assert "plain,build" in complete("bash", "pnp", "bu")
    assert "build" in complete("zsh", "pnp", "bu")
    powershell = complete("powershell", "pnp", "build", "--duplex", "gut")
    assert powershell.splitlines() == ["plain", "gutterfold", "_"]


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_is_installed_once(tmp_path, monkeypatch, pnp, shell):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".zshrc").write_text("# mine")
    script = pnp("completion", "show", shell).output
    assert VARIABLE in script
    assert pnp("completion", "install", shell).exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert any(script.strip().encode() in data for data in before.values())
    assert pnp("completion", "install", shell).exit_code == 0
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    if shell == "zsh":
        assert re.fullmatch(
            r'# mine\n\. ".+completion\.zsh"  # completion of pnp\n',
            (tmp_path / ".zshrc").read_text(),
        )


def test_completion_keeps_a_profile_in_another_encoding(tmp_path, monkeypatch, pnp):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    profile = tmp_path / ".zshrc"
    profile.write_bytes(b"alias caf\xe9=ls\n")  # Latin-1
    assert pnp("completion", "install", "zsh").exit_code == 0
    assert profile.read_bytes().startswith(b"alias caf\xe9=ls\n. ")


def test_doctor_names_versions_fonts_and_folders(pnp):
    result = pnp("doctor")
    assert result.exit_code == 0
    for word in (
        "Python",
        "typst",
        "resvg",
        "xlsx",
        "Alegreya Sans",
        "writable",
        "Everything works.",
    ):
        assert word in result.output
    assert str(Path.home()) + os.sep not in result.output.replace(str(ROOT), "")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_doctor_reports_a_folder_that_cannot_be_written(tmp_path, monkeypatch, pnp):
    tmp_path.chmod(0o500)
    monkeypatch.setenv("PNP_CACHE", str(tmp_path / "cache"))
    result = pnp("doctor")
    assert result.exit_code == 5
    assert "to repair: the cache folder cannot be written" in result.output


def test_doctor_reports_a_user_without_a_home(monkeypatch, pnp):
    monkeypatch.delenv("PNP_CONFIG", raising=False)
    monkeypatch.setattr(click, "get_app_dir", lambda _: "~/.config/pnp")
    result = pnp("doctor")
    assert result.exit_code == 5
    assert "to repair: settings: this user has no home folder" in result.output


BROKEN_LIBRARIES = {
    "resvg": ("raise ImportError('libresvg.so: cannot open shared object file')", "libresvg.so"),
    "svgwrite": ("raise SystemExit(0)", "SystemExit"),
    "typst": ("import os, signal; os.kill(os.getpid(), signal.SIGABRT)", "it ends Python"),
    "uharfbuzz": ("raise ImportError('no wheel for this processor')", "no wheel for this"),
}


def test_doctor_names_each_library_that_cannot_be_loaded(tmp_path):
    for name, (code, _) in BROKEN_LIBRARIES.items():
        (tmp_path / f"{name}.py").write_text(code)
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    result = subprocess.run(
        [sys.executable, "-m", "generator", "doctor"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 5, result.stderr
    for name, (_, reason) in BROKEN_LIBRARIES.items():
        assert re.search(f"to repair: {name} cannot be loaded: .*{reason}", result.stdout)
        assert f"pip install --force-reinstall --no-deps {name}" in result.stdout
    assert "4 of these must be repaired." in result.stdout
    assert result.stderr == ""


def test_docs_opens_a_guide_whose_links_and_pictures_exist(pnp, launched):
    assert pnp("docs", "printing").exit_code == 0
    folder = Path(launched[0][0]).parent
    assert launched == [(str(folder / "printing.html"), False)]
    pages = {path.stem: path.read_text("utf-8") for path in folder.glob("*.html")}
    assert pages.keys() == guides().keys()
    for name, text in pages.items():
        for address in re.findall(r'(?:href|src)="([^":]*)"', text):
            path, _, anchor = address.partition("#")
            assert not path or (folder / path).exists() or path.startswith("../"), (name, address)
            if anchor and path.endswith(".html"):
                assert f'id="{anchor}"' in pages[Path(path).stem], (name, address)


def test_docs_prints_a_guide_and_lists_all_guides(pnp):
    assert pnp("docs", "printing", "--text").output.startswith("# Printing")
    assert {line.split()[0] for line in pnp("docs", "--list").output.splitlines()} == {*guides()}
    result = pnp("docs", "pritning")
    assert result.exit_code == 2
    assert "did you mean 'printing'?" in result.stderr


def test_open_shows_the_latest_output(tmp_path, monkeypatch, pnp, launched):
    monkeypatch.chdir(tmp_path)
    for age, name in enumerate(["new/sheets-a4.pdf", "new/index.html", "old/rules.pdf"]):
        path = tmp_path / "output" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
        os.utime(path, (0, 1_000_000 - 100 * (age // 2)))
    for words in ((), ("rules",), ("new", "--folder")):
        assert pnp("open", *words).exit_code == 0
    assert launched == [
        ("output/new/sheets-a4.pdf", False),
        ("output/old/rules.pdf", False),
        ("output/new/sheets-a4.pdf", True),
    ]
    assert "no output has 'booklet' in its name" in pnp("open", "booklet").stderr
    assert pnp("open", "-o", "nothing").exit_code == 2


def test_open_reports_a_missing_program(tmp_path, monkeypatch, pnp):
    monkeypatch.setattr(click, "launch", lambda *_, **__: 3)
    (tmp_path / "a.pdf").write_bytes(b"")
    assert "this system has no program that shows it" in pnp("open", str(tmp_path / "a.pdf")).stderr


@pytest.mark.parametrize(
    "name", [name for name in COMMANDS if name not in {"cache", "icons", "printer"}]
)
def test_commands_that_write_files_have_quiet_and_verbose(name):
    command = main.get_command(click.Context(main), name)
    options = {option for param in command.params for option in param.opts}
    prints = {"list", "schema", "check", "diff", "docs", "open", "completion", "doctor"}
    assert ({"-q", "-v"} <= options) is (name not in prints)


def test_command_beside_a_table_says_how_to_begin_a_pack(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    Path("cards.csv").write_text("name\nFox\n", "utf-8")
    assert "to begin a pack with a table: pnp new my-game --from cards.csv" in pnp("build").stderr
