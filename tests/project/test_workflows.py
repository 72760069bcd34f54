"""Test workflows, the action and issue forms: pinned, limited in time, with existing names."""

import re
from pathlib import Path

import pytest
import yaml

from generator.cli import COMMANDS

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FILES = [*WORKFLOWS, ROOT / "action.yml"]
FORMS = [
    path
    for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    if path.stem != "config"
]


def label(path):
    return path.relative_to(ROOT).as_posix()


def steps(path):
    content = yaml.safe_load(path.read_text("utf-8"))
    parts = content["jobs"].values() if "jobs" in content else [content["runs"]]
    return [step for part in parts for step in part["steps"]]


@pytest.mark.parametrize("path", FILES, ids=label)
def test_actions_of_others_are_pinned_by_commit_and_name_their_version(path):
    used = re.findall(r"uses: (.*)", path.read_text("utf-8"))
    assert len(used) == sum("uses" in step for step in steps(path))
    for name in used:
        assert name == "./" or re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", name)


@pytest.mark.parametrize("path", WORKFLOWS, ids=label)
def test_jobs_have_a_time_limit_and_only_the_rights_they_name(path):
    content = yaml.safe_load(path.read_text("utf-8"))
    assert content["permissions"] in ({}, {"contents": "read"})
    assert all(job["timeout-minutes"] <= 90 for job in content["jobs"].values())


@pytest.mark.parametrize("path", FILES, ids=label)
def test_programs_that_steps_run_exist(path):
    for step in steps(path):
        for program in re.findall(r"(?:\.ci|\.github)/[\w./-]+", step.get("run", "")):
            assert (ROOT / program).is_file(), program


@pytest.mark.parametrize("path", FILES, ids=label)
def test_no_step_inserts_outside_values_into_shell_commands(path):
    """Branch names and inputs reach programs as variables: in `run` they could be commands."""
    for step in steps(path):
        assert set(re.findall(r"\$\{\{ *(\w+)", step.get("run", ""))) <= {"matrix"}


def test_readme_is_followed_on_three_systems_with_every_python():
    content = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    matrix = content["jobs"]["readme"]["strategy"]["matrix"]
    assert {name.partition("-")[0] for name in matrix["system"]} == {"ubuntu", "macos", "windows"}
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert matrix["python"] == re.findall(r"Python :: (3\.\d+)", project)


@pytest.mark.parametrize("path", FORMS, ids=label)
def test_issue_forms_ask_for_the_pack_and_the_installed_programs(path):
    fields = yaml.safe_load(path.read_text("utf-8"))["body"]
    labels = {field["id"]: field["attributes"]["label"] for field in fields if "id" in field}
    assert labels["pack"] == "The pack"
    (command,) = re.findall(r"`pnp (\w+)`", labels["doctor"])
    assert command in COMMANDS
