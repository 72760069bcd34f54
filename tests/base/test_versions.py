"""Test engines: versions are part of cache keys, and a changed output names its engine."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from generator.base import cache
from generator.base.cache import ENGINES, engine_versions
from tests.dev.engine_samples import RECORD, SAMPLES

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
RECORDED = json.loads(RECORD.read_text("utf-8"))


def test_every_library_that_shapes_output_is_an_engine():
    extras = PROJECT["optional-dependencies"]
    named = [*PROJECT["dependencies"], *extras["cut"], *extras["fonts"], *extras["xlsx"]]
    names = {re.match(r"[\w-]+", item)[0] for item in named}
    assert names - {"click"} == set(ENGINES) == set(SAMPLES) == set(RECORDED)
    assert all(engine_versions().values())


@pytest.mark.parametrize("name", ENGINES)
def test_cache_key_changes_with_engine_version(name, monkeypatch):
    before = cache.key_of("a face")
    other = {**engine_versions(), name: "0.0.1"}
    monkeypatch.setattr(cache, "engine_versions", lambda: other)
    cache.program_digest.cache_clear()
    try:
        assert cache.key_of("a face") != before
    finally:
        cache.program_digest.cache_clear()


def difference(name, digest, version):
    """Return a sentence if an engine's sample is not the recorded one, else nothing."""
    recorded_version, recorded = RECORDED[name]
    if digest == recorded:
        return ""
    if version == recorded_version:
        return f"{name} {version} gives other bytes than recorded, though its version is the same"
    return f"{name} gives other bytes since it changed from {recorded_version} to {version}"


@pytest.fixture(scope="module")
def digests():
    """Return the digests of samples from a new process, free of settings that other tests changed."""
    command = [sys.executable, "-m", "tests.dev.engine_samples"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


@pytest.mark.parametrize("name", ENGINES)
def test_engine_output_matches_recorded_sample(name, digests):
    """Compare digests; record them again (`tests/dev/engine_samples.py`) if prints look right."""
    message = difference(name, digests[name], engine_versions()[name])
    assert not message, message


def test_difference_names_engine_and_both_versions():
    version, recorded = RECORDED["typst"]
    assert (
        difference("typst", "other", "9.9")
        == f"typst gives other bytes since it changed from {version} to 9.9"
    )
    assert "though its version is the same" in difference("typst", "other", version)
    assert not difference("typst", recorded, "9.9")


def release_number(version):
    return tuple(int(part) for part in re.findall(r"\d+", version))


PINS = dict(re.findall(r"(?m)^([\w.-]+)==([\w.]+)", (ROOT / "constraints.txt").read_text("utf-8")))


@pytest.mark.parametrize("dependency", PROJECT["dependencies"])
def test_pinned_version_lies_within_declared_bounds(dependency):
    name, bounds = re.fullmatch(r"([\w-]+)(.+)", dependency).groups()
    pinned = release_number(PINS[name])
    lower, *upper = bounds.split(",")
    assert lower.startswith(">=")
    assert release_number(lower) <= pinned
    assert all(pinned < release_number(bound.removeprefix("<")) for bound in upper)
    assert len(upper) == (name in {"typst", "resvg"})


def test_every_pin_has_hashes_and_no_url():
    text = (ROOT / "constraints.txt").read_text("utf-8")
    assert "://" not in text
    pins = re.split(r"(?m)^(?=[\w.-]+==)", text)[1:]
    assert len(pins) > len(PROJECT["dependencies"])
    assert all("--hash=sha256:" in pin for pin in pins)


@pytest.mark.parametrize("which", ["lowest", "newest"])
def test_lowest_and_newest_versions_have_ci_job_that_calls_script(which):
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "versions.yml").read_text("utf-8"))
    (job,) = workflow["jobs"].values()
    assert which in {item["versions"] for item in job["strategy"]["matrix"]["include"]}
    assert job["steps"][-1]["run"].startswith("bash .ci/versions ")
    script = (ROOT / ".ci" / "versions").read_text("utf-8")
    assert f"\n  {which})\n" in script
    for path in set(re.findall(r"tests/[\w/]+\.py", script)):
        assert (ROOT / path).is_file()
