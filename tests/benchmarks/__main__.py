"""Measure the CPU seconds of sheets, next to a hand-written script and similar programs: `python -m tests.benchmarks`.

Everything is measured in one run on one machine: compare the ratios, not the seconds. Peers are installed into
environments of their own below `--peers FOLDER`. A peer that cannot be installed is left out and reported.
"""

import argparse
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from itertools import pairwise
from math import log10
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.test_benchmarks import Cost, deck, run

HERE = Path(__file__).parent
PEERS = ("cardimpose", "pdfimpose")
"""Programs that impose finished cards."""

SMALL = ("--margin", "3mm", "--crop-mark-length", "2mm", "--crop-mark-distance", "1mm")
"""Margins for cardimpose: with its own, nine poker cards do not fit on A4."""


@dataclass
class Table:
    """The costs by task and size, each the lowest of `times` runs."""

    place: Path
    times: int
    rows: dict[tuple[str, str], Cost] = field(default_factory=dict)

    def take(self, task: str, size: str, *call: object, prepare=lambda: None) -> Cost:
        """Measure a call and print its cost."""
        costs = []
        for _ in range(self.times):
            prepare()
            costs.append(run(*call, cwd=self.place))
        least = Cost(min(cost.cpu for cost in costs), min(cost.memory for cost in costs))
        self.rows[task, size] = least
        base = self.rows.get(("floor", size))
        ratio = f"{least.cpu / base.cpu:8.1f} ×" if base else ""
        print(
            f"{task:<34} {size:<16} {least.cpu:8.2f} s {least.memory:7.0f} MB {ratio}", flush=True
        )
        return least

    def grows(self, task: str, *sizes: str) -> None:
        """Print the exponent with which the time grows with the size; each size is ten times the previous one."""
        for smaller, larger in pairwise(sizes):
            if (task, smaller) in self.rows and (task, larger) in self.rows:
                power = log10(self.rows[task, larger].cpu / self.rows[task, smaller].cpu)
                print(f"{task}: from {smaller} to {larger} with the power {power:.2f}")


def peer(folder: Path, name: str) -> Path | None:
    """Install a peer into an environment of its own and return its program; None if that fails."""
    home = folder / name
    program = home / ("Scripts" if os.name == "nt" else "bin") / name
    if not program.exists():
        for call in (
            [sys.executable, "-m", "venv", str(home)],
            [str(program.parent / "pip"), "install", "-q", name],
        ):
            subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if not program.exists():
        print(f"{name}: cannot be installed here, left out")
        return None
    return program


def imposed(table: Table, peers: Path, designs: int, size: str) -> None:
    """Measure the time that similar programs take to impose the same cards."""
    cards = table.place / f"cards{designs}.pdf"
    run(HERE / "floor.py", "cards", designs, 9, cards)
    calls = {
        "cardimpose": (
            "--nup",
            "3x3",
            "--backside",
            "alternating",
            "--mode",
            "singles",
            *SMALL,
            "-o",
            "c.pdf",
            cards,
        ),
        "pdfimpose": ("cards", "--format", "A4", "--mark", "crop", "-o", "p.pdf", cards),
    }
    for name in PEERS:
        if program := peer(peers, name):
            python = program.parent / "python"
            start = "import os, sys; os.execv(sys.argv[1], sys.argv[1:])"
            try:
                table.take(
                    f"{name} (imposes only)",
                    size,
                    "-c",
                    start,
                    python,
                    "-W",
                    "ignore",
                    program,
                    *calls[name],
                )
            except AssertionError:
                print(f"{name}: failed, left out")


def ours(table: Table, designs: int, copies: int, size: str, *, with_whole_build: bool) -> None:
    """Measure sheets; with `with_whole_build` also builds with an empty cache, one changed cell, and no change."""
    pack = deck(table.place / f"deck{designs}x{copies}", designs)
    rows = pack / "cards.csv"
    rows.write_text(rows.read_text().replace(",9,", f",{copies},"))
    build = ("-m", "generator", "build", pack.name)
    table.take("sheets", size, *build, "--what", "sheets", "--no-cache")
    if not with_whole_build:
        return
    table.take("whole build", size, *build, "--no-cache")
    run(*build, cwd=table.place)
    numbers = iter(range(1000))

    def one_cell() -> None:
        rows.write_text(rows.read_text().replace("d7,", f"d7,{next(numbers)}", 1))

    table.take("whole build after one cell", size, *build, prepare=one_cell)
    table.take("whole build, unchanged", size, *build)
    table.take("check", size, "-m", "generator", "check", pack.name, "--no-cache")
    table.take(
        "preview of one card", size, "-m", "generator", "preview", pack.name, "d9", "--no-cache"
    )


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "--times", type=int, default=1, help="number of runs, of which the least counts"
    )
    parser.add_argument(
        "--peers", type=Path, default=HERE.parents[1] / ".peers", help="where peers are installed"
    )
    parser.add_argument(
        "--large", action="store_true", help="also 54,000 cards, of 6,000 and of 60 designs"
    )
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        os.environ["PNP_CACHE"] = str(Path(temporary) / "cache")
        table = Table(Path(temporary), options.times)
        run(
            "-m",
            "generator",
            "build",
            deck(table.place / "first", 1),
            "--no-cache",
            cwd=table.place,
        )
        table.take("a bare Python", "", "-c", "pass")
        table.take("pnp --help", "", "-m", "generator", "--help")
        sizes = {
            60: "540 of 60",
            600: "5,400 of 600",
            **({6000: "54,000 of 6,000"} if options.large else {}),
        }
        for designs, size in sizes.items():
            table.take("floor", size, HERE / "floor.py", "sheets", designs, 9, "floor.pdf")
            ours(table, designs, 9, size, with_whole_build=designs < 6000)
            if designs < 6000:
                imposed(table, options.peers, designs, size)
        copies = {90: "5,400 of 60", **({900: "54,000 of 60"} if options.large else {})}
        for item, size in copies.items():
            table.take("floor", size, HERE / "floor.py", "sheets", 60, item, "floor.pdf")
            ours(table, 60, item, size, with_whole_build=False)
        table.grows("sheets", *sizes.values())
        table.grows("sheets", "540 of 60", *copies.values())
        shutil.rmtree(Path(temporary) / "cache", ignore_errors=True)


if __name__ == "__main__":
    main()
