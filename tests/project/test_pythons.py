"""Test that every Python on this machine imposes the same sheets, to the last digit.

Only modules without libraries are tested: other Pythons rarely have any libraries.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
OLDEST = 11
NEWEST = 19

PRINT_LAYOUTS = """
import hashlib, re
from generator.base.paper import paper
from generator.base.shapes import parse_shape
from generator.impose.plotter import write_svg
from generator.impose.duplex import DUPLEX_MODES
from generator.impose.impose import impose, impose_packed
from generator.impose.setup import Setup
from generator.impose.sheet import Piece

def deck(name, size, count, bleed):
    return [Piece(f"{name}{n}", name, parse_shape(size), bleed, f"{name} front", f"{name} back") for n in range(count)]

def micron(found):
    return f"{float(found[0]) + 0.0:.6f}".replace("-0.000000", "0.000000")

decks = [deck("cards", "rect 63 x 88 mm", 20, 3), deck("tiles", "hex 40mm", 10, 2), deck("coins", "circle 22mm", 9, 2)]
decks += [deck("kites", "triangle 40mm", 11, 2), deck("tall", "rect 70 x 120 mm", 30, 3)]
for way in ("long-edge", "gutterfold"):
    setup = Setup(paper("letter"), duplex=DUPLEX_MODES[way], least_margin=6.0)
    together = [piece for each in decks[:3] for piece in each]
    for job in (*(impose(each, setup) for each in decks), impose_packed(together, setup)):
        rounded = re.sub(r"-?[0-9.]+[0-9](?:e-?[0-9]+)?", micron, repr((job.sheets, job.notices)))
        texts = (rounded, *map(write_svg, job.beds))
        print(way, len(job.sheets), *(hashlib.sha256(text.encode()).hexdigest() for text in texts))
"""


def pythons() -> dict[str, str]:
    """Return the Pythons of this machine by version, including this one."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    names = [f"python3.{minor}" for minor in range(OLDEST, NEWEST + 1)]
    places = [
        sys.executable,
        *filter(None, map(shutil.which, names)),
        *map(str, versions.glob("*/bin/python3")),
    ]
    print_version = (
        "import sys; print('.'.join(map(str, sys.version_info[:2])), sys.version_info >= (3, 11))"
    )
    paths: dict[str, str] = {}
    for place in places:
        words = subprocess.run(
            [place, "-c", print_version], capture_output=True, text=True, check=False
        ).stdout.split()
        if words[1:] == ["True"]:
            paths.setdefault(words[0], place)
    return paths


def print_layouts(python: str) -> list[str]:
    """Return the layouts that a Python prints, line by line."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.run(
        [python, "-c", PRINT_LAYOUTS], capture_output=True, text=True, check=False, env=environment
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


def test_every_python_imposes_the_same_sheets():
    ours = print_layouts(sys.executable)
    assert len(ours) == 2 * 6
    for version, python in pythons().items():
        if python == sys.executable:
            continue
        assert print_layouts(python) == ours, version
