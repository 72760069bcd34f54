"""Test that packs on pages of the site build and print the output shown."""

import re

import pytest

from tests.tools.recipes import COOKBOOK, follow

RECIPES = sorted(path for path in COOKBOOK.glob("*.md") if path.stem != "index")
TOUR = COOKBOOK.parent / "tour.md"
OTHERS = sorted(
    path for path in (COOKBOOK.parent / "coming-from").glob("*.md") if path.stem != "index"
)


def print_on_a4(pnp):
    """Return the command with one paper instead of two, which halves the time of these tests."""

    def run(command, *words):
        return pnp(command, *words, *(("--paper", "a4") if command in {"build", "patch"} else ()))

    return run


@pytest.mark.parametrize("page", [*RECIPES, TOUR, *OTHERS], ids=lambda path: path.stem)
def test_pack_of_a_page_prints_the_output_shown_and_has_no_warnings(
    page, tmp_path, monkeypatch, pnp
):
    monkeypatch.chdir(tmp_path)
    steps = list(follow(page.read_text("utf-8"), tmp_path, print_on_a4(pnp)))
    for step in steps:
        assert step.exit_code == 0, step.output
        assert all(line in step.output for line in step.promised.splitlines()), step.output
    assert steps[-1].promised, "the page says what its last command prints"
    (game,) = tmp_path.rglob("game.yaml")
    assert "\n0 warnings\n" in pnp("check", game.parent).output


def test_mistake_of_the_tour_gives_its_message(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    tour = TOUR.read_text("utf-8")
    first_build, _, rest = tour.partition("## Make a mistake")
    list(
        follow(
            first_build.replace(",leaf,", ",leef,").replace("pnp build potions", ""), tmp_path, pnp
        )
    )
    assert pnp("build", "potions").stderr in rest


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_recipe_shows_its_result_after_its_last_command(recipe):
    last = recipe.read_text("utf-8").rpartition("```")[2]
    (picture,) = re.findall(r"!\[[^]]+\]\(([^)]+)\)", last)
    assert (recipe.parent / picture).is_file()


def test_list_of_recipes_names_every_recipe():
    listed = re.findall(
        r"^- \[[^]]+\]\((\w[\w-]*)\.md\)", (COOKBOOK / "index.md").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(listed) == [path.stem for path in RECIPES]
    assert len(listed) >= 12
