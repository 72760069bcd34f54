"""Build packs on every paper, with all modes and marks, and print the edges that nobody can find to cut.

`python -m tests.dev.cut_every_sheet [PACK…]` takes a few minutes for each pack. It exits with 1 if
an edge has no marks.
"""

import sys
import tempfile
from itertools import product
from pathlib import Path

from click.testing import CliRunner

from generator.cli import main
from generator.pipeline.project import BuildRequest, Project
from tests.tools.cut_sheet import UNKNOWN, Kind, find_unmarked_edges, sheets
from tests.tools.read_pdf import read

MODES = ("long-edge", "short-edge", "single", "two-pass", "glue", "gutterfold")
MARKS = ("crosshair", "crosses", "ticks", "corners")
PAPERS = ("a3", "a4", "a5", "letter", "legal", "tabloid", "a3plus", "sra3", "13x19")


def build_and_check(project: Project, pack: str, args: list[str]) -> tuple[int, list[str]]:
    """Build a pack and return the exit code, and a line for each edge that is not shown."""
    kinds = [
        Kind(
            "circle" if part.outline.is_circle else part.outline.kind or "free",
            *part.outline.size,
            part.bleed,
            tuple((at - part.outline.box.centre)[:2] for at in part.outline.corners),
        )
        for part in project.game.components
        if part.make.name == "piece" and not part.outline.curve
    ]
    with tempfile.TemporaryDirectory() as folder:
        result = CliRunner().invoke(main, ["build", pack, *args, "--what", "sheets", "-o", folder])
        pages = list(sheets(Path(folder))) if result.exit_code == 0 else []
        lines = [
            f"{path.name} {page + 1}: {text}"
            for path, page in pages
            for text in find_unmarked_edges(read(path)[page], kinds)
        ]
    return result.exit_code, [line for line in lines if UNKNOWN not in line]


def cut_all(packs: list[str]) -> int:
    """Print the edges that are not shown, for every pack and print option, and return their number."""
    total = 0
    for pack, paper, mode, marks in product(packs, PAPERS, MODES, MARKS):
        args = ["--paper", paper, "--duplex", mode, "--marks", marks]
        code, lines = build_and_check(Project(BuildRequest(pack)), pack, args)
        total += len(lines)
        print(pack, paper, mode, marks, f"exit {code}", len(lines), *lines[:2], sep=" | ")
    return total


if __name__ == "__main__":
    every_pack = [
        path.parent
        for place in ("templates", "tests/data/packs")
        for path in Path(place).glob("*/game.yaml")
    ]
    sys.exit(1 if cut_all(sys.argv[1:] or sorted(map(str, every_pack))) else 0)
