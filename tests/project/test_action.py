"""Test the steps of the action on a pack in its own repository, whose cards change."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from tests.tools.read_pdf import read_all

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / ".github" / "action" / "pack.py"
OWN = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main")


def git(folder, *words):
    command = ["git", *OWN, *map(str, words)]
    return subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


def run_step(folder, *words, **variables):
    process = subprocess.run(
        [sys.executable, SCRIPT, *map(str, words)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process


@pytest.fixture
def repository(starter, tmp_path):
    """Return a repository with a deck, committed."""
    starter("cards", "game/deck")
    folder = tmp_path / "game"
    # A module of the repository must not be imported in place of pnp's.
    (folder / "generator.py").write_text("raise SystemExit('imported')\n", "utf-8")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Begin")
    return folder


def replace(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_build_step_attaches_sheets_and_builds_a_site_with_links_to_all_files(repository, tmp_path):
    output_file = tmp_path / "told"
    options = "--options=--paper a4"
    run_step(
        repository,
        "build",
        "deck",
        "--out",
        tmp_path / "out",
        options,
        GITHUB_OUTPUT=str(output_file),
    )
    assert output_file.read_text("utf-8") == "game=deck\n"
    files = sorted(path.name for path in (tmp_path / "out/files/deck").iterdir())
    assert files == ["deck-1-gallery", "deck-1-sheets-a4.pdf", "deck-1.pnprelease"]
    site = tmp_path / "out/site"
    index = (site / "index.html").read_text("utf-8")
    assert "<h1>My Card Game</h1>" in index
    assert "9 pieces on 1 sheet, both sides" in index
    for name in ("deck-1-gallery/index.html", "deck-1-sheets-a4.pdf", "deck-1.pnprelease"):
        assert f'<a href="{name}">' in index
        assert (site / name).is_file()


def test_comment_shows_a_changed_card_before_and_after_and_the_patch_pages(repository, tmp_path):
    replace(repository / "deck/cards.csv", "The Old Oak,2", "The | Elder Oak,3")
    replace(repository / "deck/cards.csv", "brook,The Brook", "river,The River")
    run_step(repository, "compare", "deck", "--base", "HEAD", "--out", tmp_path / "out")
    changes = tmp_path / "out/changes"
    text = (changes / "comment.md").read_text("utf-8")
    assert text.startswith("<!-- pnp: deck -->\n### Cards of `deck`\n\n![Cards before and after]")
    oak = "changed, recounted, renamed, front, 2 × → 3 ×, was “The Old Oak”"
    assert f"| The \\| Elder Oak (`cards:oak`) | {oak} |" in text
    assert "fox" not in text
    patches = sorted((changes / "patch").rglob("*.pdf"))
    assert len(patches) == 2
    for path in patches:
        pages = len(read_all(path))
        assert f"`{path.name}` ({pages} pages)" in text
    with Image.open(changes / "changes.png") as file:
        picture = file.convert("RGB")
    # 63.5 mm are 250 pixels at 100 dpi; two cards and three gaps make a pair.
    pair = 2 * 250 + 3 * 16
    assert abs(picture.width - 2 * pair) <= 4
    before = picture.crop((16, 60, 16 + 250, 60 + 350))
    after = picture.crop((32 + 250, 60, 32 + 500, 60 + 350))
    assert ImageChops.difference(before, after).getbbox()
    assert not git(repository, "worktree", "list").count("\n")


def test_comment_on_an_unchanged_pack_has_no_patch_and_no_picture(repository, tmp_path):
    run_step(repository, "compare", "deck", "--base", "HEAD", "--out", tmp_path / "out")
    text = (tmp_path / "out/changes/comment.md").read_text("utf-8")
    assert "No card changes." in text
    assert "Printed copies are up to date" in text
    assert "![" not in text
    assert not (tmp_path / "out/changes/changes.png").exists()


def test_comment_names_a_new_pack_and_a_base_that_cannot_be_built(repository, starter, tmp_path):
    starter("cards", "game/other")
    run_step(repository, "compare", "other", "--base", "HEAD", "--out", tmp_path / "new")
    assert "This pack is new" in (tmp_path / "new/changes/comment.md").read_text("utf-8")
    sound = (repository / "deck/game.yaml").read_text("utf-8")
    (repository / "deck/game.yaml").write_text("nme: A\n", "utf-8")
    git(repository, "commit", "-q", "-a", "-m", "Break")
    (repository / "deck/game.yaml").write_text(sound, "utf-8")
    run_step(repository, "compare", "deck", "--base", "HEAD", "--out", tmp_path / "old")
    text = (tmp_path / "old/changes/comment.md").read_text("utf-8")
    assert "cannot be built before this change" in text
    assert "\ndeck/game.yaml:1: " in text
    assert "nme" in text


GH = """#!/usr/bin/env python3
import json, os, sys
with open(os.environ["GH_LOG"], "a", encoding="utf-8") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
if os.environ.get("GH_FAILS"):
    sys.exit("HTTP 403: Resource not accessible by integration")
if "--paginate" in sys.argv:
    print(os.environ.get("GH_FOUND", ""))
"""


@pytest.fixture
def hub_variables(repository, tmp_path):
    """Return the variables of a run, with a program in place of `gh` and a bare `origin`."""
    origin = tmp_path / "origin.git"
    git(tmp_path, "init", "-q", "--bare", origin)
    git(repository, "remote", "add", "origin", origin)
    git(repository, "push", "-q", "origin", "HEAD:main")
    gh = tmp_path / "bin" / "gh"
    gh.parent.mkdir()
    gh.write_text(GH, "utf-8")
    gh.chmod(0o755)
    changes = tmp_path / "out/changes"
    changes.mkdir(parents=True)
    text = "<!-- pnp: deck -->\n\n![Cards before and after]({picture})\n"
    (changes / "comment.md").write_text(text, "utf-8")
    Image.new("RGB", (8, 8), "red").save(changes / "changes.png")
    return {
        "PATH": f"{gh.parent}{os.pathsep}{os.environ['PATH']}",
        "GH_LOG": str(tmp_path / "log"),
        "GITHUB_REPOSITORY": "someone/games",
        "GITHUB_SERVER_URL": "https://example.com",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }


def gh_calls(hub_variables):
    return [
        json.loads(line) for line in Path(hub_variables["GH_LOG"]).read_text("utf-8").splitlines()
    ]


def test_comment_links_a_picture_pushed_to_a_separate_branch(repository, hub_variables, tmp_path):
    for _ in range(2):
        run_step(repository, "comment", "--out", tmp_path / "out", "--number", "7", **hub_variables)
    commit = git(repository, "ls-remote", "origin", "pnp-pictures").split()[0]
    git(repository, "fetch", "-q", "origin", "pnp-pictures")
    assert git(repository, "ls-tree", "--name-only", commit) == "7.png"
    assert git(repository, "rev-list", "--count", commit) == "2"
    words = gh_calls(hub_variables)[-1]
    assert words[1:4] == ["repos/someone/games/issues/7/comments", "-X", "POST"]
    assert f"(https://example.com/someone/games/raw/{commit}/7.png)" in words[5]
    assert git(repository, "status", "--porcelain") == ""


def test_second_comment_replaces_the_first(repository, hub_variables, tmp_path):
    run_step(
        repository,
        "comment",
        "--out",
        tmp_path / "out",
        "--number",
        "7",
        GH_FOUND="99",
        **hub_variables,
    )
    assert gh_calls(hub_variables)[-1][1:4] == [
        "repos/someone/games/issues/comments/99",
        "-X",
        "PATCH",
    ]


def test_run_without_the_right_to_comment_succeeds_with_a_summary(
    repository, hub_variables, tmp_path
):
    process = run_step(
        repository,
        "comment",
        "--out",
        tmp_path / "out",
        "--number",
        "7",
        GH_FAILS="1",
        **hub_variables,
    )
    assert "::warning::The comment could not be written: HTTP 403" in process.stdout
    assert "<!-- pnp: deck -->" in Path(hub_variables["GITHUB_STEP_SUMMARY"]).read_text("utf-8")
