"""Test packs that are made to do harm; each ends with a message."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from generator.pack import row_filler
from tests.tools.make_pack import make
from tests.tools.read_pdf import read

ART = "- svg: a.svg\n  box: [0, 0, 9, 9]\n"
EACH = "{0}- each: 1 to 2000\n{0}  step: [0.1, 0]\n"
ROWS = "id,count\n" + "".join(f"a{n},900000\n" for n in range(3))


def make_sparse_file(path, size=6_000_000_000):
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        file.truncate(size)


def pack_with_rules(text):
    return {"more": "rules: {file: rules.md}", "files": {"rules.md": f"# A\n\n{text}"}}


PACKS = {
    "layouts-of-layouts": (
        {
            "layout": "- include: layouts/l0.yaml\n",
            "files": {
                f"layouts/l{n}.yaml": f"- include: layouts/l{n + 1}.yaml\n" * 10 for n in range(9)
            }
            | {"layouts/l9.yaml": "- fill: red\n"},
        },
        "more than 1000 layouts are included",
    ),
    "repetitions-in-repetitions": (
        {
            "layout": f"{EACH.format('')}  group:\n{EACH.format('    ')}      group:\n        - fill: red\n"
        },
        "groups are drawn more than 20000 times",
    ),
    "deep-json": ({"more": "icons: a.json", "files": {"a.json": "[" * 100_000}}, "is not JSON"),
    "long-number": ({"more": "icons: a.json", "files": {"a.json": "9" * 6000}}, "is not JSON"),
    "many-pieces": ({"table": ROWS}, "2700000 pieces"),
    "variant-path": ({"more": 'variants: {"../../evil": {title: x}}'}, "is not a name"),
    "many-rows": (
        {"table": "id\n" + "".join(f"a{n}\n" for n in range(20_001))},
        "a table of 20001 rows",
    ),
    "many-keys": ({"more": f"variants: [{'a,' * 200_000}a]"}, "more than 100000 values and keys"),
    "a-word-of-rules": (
        pack_with_rules("<" * 100_000),
        "a word",
    ),
    "links-in-rules": (
        pack_with_rules("[a](" * 25_000),
        "a word",
    ),
    "stars-in-rules": (
        pack_with_rules("**a " * 25_000),
        "a stretch of text",
    ),
    "a-paper-twice": (
        {"more": "print: {paper: [a4, letter, a4]}"},
        "print.paper: 'a4' is given 2 times",
    ),
    "no-paper": ({"more": "print: {paper: []}"}, "print.paper: no paper is given"),
    "figures-of-bytes": (
        {
            "more": "rules: {file: rules.md}",
            "files": {"rules.md": "# A\n", "figures.yaml": b"\xff\xfa"},
        },
        "is not UTF-8",
    ),
}


@pytest.mark.parametrize("name", PACKS)
def test_harmful_pack_is_refused(name, tmp_path, pnp):
    parts, message = PACKS[name]
    result = pnp("build", make(tmp_path / "pack", **parts), "-o", tmp_path / "out")
    assert result.exit_code == 3
    assert message in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no such files there")
def test_pipes_and_circular_links_in_a_pack_are_refused(tmp_path, pnp):
    pack = make(tmp_path / "pack", ART)
    (pack / "fonts").mkdir()
    os.mkfifo(pack / "fonts" / "a.ttf")
    os.mkfifo(pack / "a.svg")
    result = pnp("build", pack, "-o", tmp_path / "out")
    assert result.exit_code == 3
    assert "a.ttf is not a file" in result.stderr
    (pack / "fonts" / "a.ttf").unlink()
    (pack / "a.svg").unlink()
    (pack / "a.svg").symlink_to("a.svg")
    (pack / "around").symlink_to(".")
    assert pnp("build", pack, "-o", tmp_path / "out").exit_code == 5


@pytest.mark.parametrize("name", ["a.svg", "fonts/a.ttf", "releases/1.pnprelease"])
def test_file_of_several_gigabytes_is_refused(name, tmp_path, pnp):
    pack = make(
        tmp_path / "pack",
        ART,
        files={"a.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'},
    )
    make_sparse_file(pack / name)
    command = (
        ["diff", pack, "--from", "1"]
        if name.endswith(".pnprelease")
        else ["build", pack, "-o", tmp_path / "out"]
    )
    result = pnp(*command)
    assert result.exit_code == 3
    assert "00 MB" in result.stderr


def test_language_that_is_a_path_is_refused(tmp_path, pnp):
    pack = make(tmp_path / "pack", table="id,title@../../evil\none,x\n")
    result = pnp("build", pack, "--lang", "../../evil", "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "unknown language" in result.stderr


def test_build_ignores_source_date_epoch(tmp_path, pnp, monkeypatch):
    pack = make(tmp_path / "pack")
    trees = []
    for clock in ("", "1", "junk"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", clock)
        assert pnp("build", pack, "--what", "sheets", "-o", tmp_path / f"out{clock}").exit_code == 0
        trees.append(
            [path.read_bytes() for path in sorted((tmp_path / f"out{clock}").rglob("*.pdf"))]
        )
    assert trees[0]
    assert trees[0] == trees[1] == trees[2]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse the name")
def test_pack_in_a_folder_without_valid_unicode_builds(tmp_path, pnp):
    pack = Path(os.fsdecode(os.fsencode(tmp_path) + b"/p\xff\xe9ck"))
    result = pnp("build", make(pack), "--what", "sheets", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["p--ck"]


def test_letters_that_footer_font_lacks_are_named(tmp_path, pnp):
    pack = make(tmp_path / "pack")
    file = pack / "game.yaml"
    file.write_text(file.read_text("utf-8").replace("name: Small", "name: 狐 Fox"), "utf-8")
    for command in (["build", "--what", "sheets", "-o", tmp_path / "out"], ["check"]):
        result = pnp(command[0], pack, *command[1:])
        assert result.exit_code == 0, result.stderr
        (note,) = [line for line in result.output.splitlines() if "has no '狐' (U+72D0)" in line]
        assert "leave it out of '狐 Fox'" in note
    file.write_text(file.read_text("utf-8").replace("狐 Fox", "Лиса Ĝé œ"), "utf-8")
    assert "leave it out" not in pnp("check", pack).output


def test_letter_without_a_font_stops_neither_build_nor_patch(tmp_path, pnp):
    pack = make(tmp_path / "pack")
    file = pack / "game.yaml"
    file.write_text(file.read_text("utf-8").replace("name: Small", "name: 狐 Fox"), "utf-8")
    built = pnp("build", pack, "--paper", "a4", "-o", tmp_path / "out")
    assert built.exit_code == 0, built.stderr
    assert "has no '狐' (U+72D0)" in built.output
    assert pnp("release", pack).exit_code == 0
    rows = (pack / "cards.csv").read_text("utf-8").splitlines()
    (pack / "cards.csv").write_text("\n".join(rows[:-1]) + "\n", "utf-8")
    file.write_text(file.read_text("utf-8").replace('version: "1"', 'version: "2"'), "utf-8")
    patch = pnp("patch", pack, "--from", "1", "--paper", "a4", "-o", tmp_path / "patch")
    assert patch.exit_code == 0, patch.stderr
    (path,) = (tmp_path / "patch").rglob("*.pdf")
    text = " ".join(read(path)[0].text.split())
    assert "Fox: patch from 1 to 2" in text
    assert "狐" not in text


def test_build_ignores_files_in_home_folder(tmp_path):
    """Build with modules in the home folder that ReportLab would run."""
    pack = make(tmp_path / "pack")
    home = tmp_path / "home"
    out = tmp_path / "out"
    home.mkdir()
    for name in (".reportlab_mods", ".reportlab_settings"):
        (home / name).write_text(f"open({str(home / 'run')!r}, 'w').close()\n")
    env = {**os.environ, "HOME": str(home), "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [
        sys.executable,
        "-m",
        "generator",
        "build",
        str(pack),
        "--what",
        "sheets",
        "-o",
        str(out),
    ]
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert list(out.rglob("*.pdf"))
    assert not (home / "run").exists()


def test_links_on_a_circle_without_tiles_are_refused(tmp_path, pnp):
    result = pnp(
        "build",
        make(tmp_path / "pack", component="links: {}", size="circle 40mm"),
        "-o",
        tmp_path / "out",
    )
    assert result.exit_code == 3
    assert "components.cards.links" in result.stderr
    assert "Traceback" not in result.stderr


def test_message_about_a_very_long_word_is_shortened(tmp_path, pnp):
    table = f"id,x\none,{'w' * 100_000}\n"
    pack = make(tmp_path / "pack", "- text: $x\n  box: [2, 2, 36, 36]\n  style: body\n", table)
    result = pnp("check", pack)
    assert result.exit_code == 4
    assert "too wide for its box" in result.stderr
    assert max(map(len, result.stderr.splitlines())) < 2000


def test_repetitions_count_across_designs_of_a_component(tmp_path, pnp, monkeypatch):
    monkeypatch.setattr(row_filler, "MAX_GROUPS_PER_COMPONENT", 50)
    table = "id\n" + "".join(f"a{n}\n" for n in range(6))
    layout = "- each: 1 to {}\n  step: [1, 0]\n  group:\n    - fill: red\n"
    assert pnp("check", make(tmp_path / "few", layout.format(8), table)).exit_code == 0
    result = pnp("check", make(tmp_path / "many", layout.format(9), table))
    assert result.exit_code == 3
    assert "groups are drawn more than 50 times on all designs together" in result.stderr
