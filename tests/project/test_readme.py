"""Test the README and the guides: the deck builds, the README is short, links have targets."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [
    ROOT / "README.md",
    ROOT / "templates" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
CODE_BLOCK = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"`[^`\n]+`")


def test_deck_in_ten_lines_builds_as_described(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    files = re.findall(r"^```\w+ (\S+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert sum(len(content.splitlines()) for _, content in files) == 10
    assert pnp("new", "potions").exit_code == 0
    for name, content in files:
        assert Path(name).is_file(), "the README replaces a file of the new pack"
        Path(name).write_text(content, "utf-8")
    result = pnp("build", "potions")
    assert result.exit_code == 0, result.output
    assert "9 pieces on 1 sheet" in result.output
    assert "\n0 warnings\n" in pnp("check", "potions").output


def test_readme_has_at_most_900_words_without_code_and_commands():
    prose = re.sub(r"^\| `pnp .*$", "", CODE_BLOCK.sub("", README), flags=re.MULTILINE)
    assert len(prose.split()) <= 900


def test_readme_prints_the_same_game_on_every_system():
    blocks = re.findall(r"^```(sh|powershell)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    posix = next(body for shell, body in blocks if shell == "sh")
    powershell = next(body for shell, body in blocks if shell == "powershell")
    assert len(posix.splitlines()) == len(powershell.splitlines()) == 3
    # Windows PowerShell 5 has no `&&`.
    assert posix.splitlines()[2].split(" && ") == powershell.splitlines()[2].split("; ")


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as code hosts make them."""
    titles = re.findall(r"^#+ (.*)$", CODE_BLOCK.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def file_links(page: Path) -> list[str]:
    """Return the targets of a page's links and pictures, without web addresses and examples in code."""
    prose = CODE_SPAN.sub("", CODE_BLOCK.sub("", page.read_text("utf-8")))
    return [
        link
        for link in re.findall(r"\]\(([^)\s]+)\)", prose)
        if not link.startswith(("http:", "https:"))
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_of_a_page_lead_to_files_and_headings(page):
    for link in file_links(page):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page_has_no_marker_of_a_merge_conflict(page):
    assert not re.search(r"^(<{7}|>{7}) ", page.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_guides_link_only_to_files_in_the_wheel(page):
    """Check that links stay in `templates/` and `docs/`: the wheel has neither the README nor the sources."""
    for link in file_links(page):
        target = (page.parent / link.partition("#")[0]).resolve()
        assert any(target.is_relative_to(ROOT / folder) for folder in ("docs", "templates")), link
