"""Print where dependencies have no wheels, as the table of docs/install.md: `python -m tests.dev.find_wheels`.

Asks the package index with pip for each dependency that is compiled, each platform and each Python.
A wheel counts if it satisfies pyproject.toml. Run it after every change of a bound.
"""

import json
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import product
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def glibc(machine: str) -> list[str]:
    """Return the tags of wheels that run on a Linux with glibc 2.34 or older."""
    return [
        *(f"manylinux_2_{minor}_{machine}" for minor in range(17, 35)),
        f"manylinux2014_{machine}",
    ]


def musl(machine: str) -> list[str]:
    return [f"musllinux_1_{minor}_{machine}" for minor in range(1, 3)]


PLATFORMS = {
    "Windows, x86-64": ["win_amd64"],
    "Windows, ARM": ["win_arm64"],
    "Windows, 32 bits": ["win32"],
    "macOS 15 or newer, Apple silicon": ["macosx_15_0_arm64"],
    "macOS 14, Apple silicon": ["macosx_14_0_arm64"],
    "macOS 13, Apple silicon": ["macosx_13_0_arm64"],
    "macOS 15 or newer, Intel": ["macosx_15_0_x86_64"],
    "macOS 14, Intel": ["macosx_14_0_x86_64"],
    "Linux, x86-64": glibc("x86_64"),
    "Linux, ARM (64 bits)": glibc("aarch64"),
    "Linux, ARM (32 bits)": glibc("armv7l"),
    "Linux, RISC-V": [f"manylinux_2_{minor}_riscv64" for minor in range(17, 40)],
    "Linux with musl (Alpine), x86-64": musl("x86_64"),
    "Linux with musl (Alpine), ARM": musl("aarch64"),
}
"""The platform tags of wheels for each platform."""

COMPILED = (
    *("pikepdf", "pillow", "pydantic-core", "pypdfium2", "python-calamine", "pyyaml"),
    *("resvg", "typst", "uharfbuzz", "lxml"),
)
"""The dependencies with compiled code; pydantic needs pydantic-core, and pikepdf needs lxml."""


@cache
def bounds() -> dict[str, Requirement]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        texts = tomllib.load(file)["project"]["dependencies"]
    return {requirement.name: requirement for requirement in map(Requirement, texts)}


def has_wheel(name: str, tags: list[str], python: str) -> bool:
    """Return True if the index has a wheel of a dependency that satisfies pyproject.toml."""
    words = [sys.executable, "-m", "pip", "index", "versions", name, "--json"]
    words += ["--only-binary=:all:", "--implementation=cp", f"--python-version={python}"]
    words += [f"--platform={tag}" for tag in tags]
    process = subprocess.run(words, capture_output=True, text=True, check=False)
    if process.returncode:
        if "No matching distribution" not in process.stderr:
            raise SystemExit(f"{' '.join(words)}\n{process.stderr}")
        return False
    specifier = bounds().get(name, Requirement(name)).specifier
    return any(specifier.contains(version) for version in json.loads(process.stdout)["versions"])


def missing(tags: list[str]) -> str:
    """Return the dependencies without wheels on a platform; those with some wheels name the Pythons without."""
    pairs = list(product(COMPILED, PYTHONS))
    with ThreadPoolExecutor(4) as pool:
        has_wheels = dict(
            zip(pairs, pool.map(lambda pair: has_wheel(pair[0], tags, pair[1]), pairs), strict=True)
        )
    missing_pythons = {
        name: [python for python in PYTHONS if not has_wheels[name, python]] for name in COMPILED
    }
    texts = [
        name if len(pythons) == len(PYTHONS) else f"{name} (Python {', '.join(pythons)})"
        for name, pythons in missing_pythons.items()
        if pythons
    ]
    return ", ".join(texts) or "none"


if __name__ == "__main__":
    wanted = re.compile(sys.argv[1] if len(sys.argv) > 1 else "")
    print("| platform | without wheels |\n|---|---|")
    for platform, tags in PLATFORMS.items():
        if wanted.search(platform):
            print(f"| {platform} | {missing(tags)} |", flush=True)
