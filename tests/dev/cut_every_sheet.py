"""Build packs on every paper, with all modes and marks, cut the sheets, and print the losses.

`python -m tests.dev.cut_every_sheet [PACK…]` takes a few minutes for each pack. It exits with 1 if
anything is lost.
"""

import sys
import tempfile
from itertools import product
from pathlib import Path

from click.testing import CliRunner

from generator.cli import main
from generator.pipeline.project import BuildRequest, Project
from tests.tools.cut_sheet import Kind, lost, sheets
from tests.tools.read_pdf import read

MODES = ("long-edge", "short-edge", "single", "two-pass", "glue", "gutterfold")
MARKS = ("crosshair", "crosses", "ticks", "corners")
PAPERS = ("a3", "a4", "a5", "letter", "legal", "tabloid", "a3plus", "sra3", "13x19")


def losses(project: Project, pack: str, args: list[str]) -> tuple[int, list[str]]:
    """Build a pack and return the exit code, and a line for each piece that a hand does not cut out."""
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
            for text in lost(read(path)[page], kinds)
        ]
    return result.exit_code, [line for line in lines if "no piece that is known" not in line]


def cut_all(packs: list[str]) -> int:
    """Print the losses of each pack in every way, and return how many there are."""
    total = 0
    for pack, paper, mode, marks in product(packs, PAPERS, MODES, MARKS):
        args = ["--paper", paper, "--duplex", mode, "--marks", marks]
        code, lines = losses(Project(BuildRequest(pack)), pack, args)
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
