"""Measure the CPU seconds of sheets, beside a hand-written script and similar programs: `python -m tests.benchmarks`.

Everything is measured in one run on one machine, so that the ratios count and not the seconds. Peers are installed into
environments of their own below `--peers FOLDER`; one that cannot be had is left out, and that is said.
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
"""They impose cards that are drawn already."""

SMALL = ("--margin", "3mm", "--crop-mark-length", "2mm", "--crop-mark-distance", "1mm")
"""With its own margins cardimpose finds no room for nine poker cards on A4."""


@dataclass
class Table:
    """Costs by task and size; the least of `times` runs counts."""

    place: Path
    times: int
    rows: dict[tuple[str, str], Cost] = field(default_factory=dict)

    def take(self, what: str, much: str, *call: object, before=lambda: None) -> Cost:
        """Measure a call and print its cost."""
        costs = []
        for _ in range(self.times):
            before()
            costs.append(run(*call, cwd=self.place))
        least = Cost(min(cost.cpu for cost in costs), min(cost.memory for cost in costs))
        self.rows[what, much] = least
        base = self.rows.get(("floor", much))
        ratio = f"{least.cpu / base.cpu:8.1f} ×" if base else ""
        print(
            f"{what:<34} {much:<16} {least.cpu:8.2f} s {least.memory:7.0f} MB {ratio}", flush=True
        )
        return least

    def grows(self, what: str, *much: str) -> None:
        """Say how the time grows from one size to the next, each ten times the one before."""
        for less, more in pairwise(much):
            if (what, less) in self.rows and (what, more) in self.rows:
                power = log10(self.rows[what, more].cpu / self.rows[what, less].cpu)
                print(f"{what}: from {less} to {more} with the power {power:.2f}")


def peer(folder: Path, name: str) -> Path | None:
    """The program of a peer, in an environment of its own."""
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


def imposed(table: Table, peers: Path, designs: int, much: str) -> None:
    """Measure how long similar programs take to impose the same cards."""
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
                    much,
                    "-c",
                    start,
                    python,
                    "-W",
                    "ignore",
                    program,
                    *calls[name],
                )
            except AssertionError:
                print(f"{name}: ended badly, left out")


def ours(table: Table, designs: int, copies: int, much: str, *, whole: bool) -> None:
    """Sheets, and the whole build cold, after one cell, and again."""
    pack = deck(table.place / f"deck{designs}x{copies}", designs)
    rows = pack / "cards.csv"
    rows.write_text(rows.read_text().replace(",9,", f",{copies},"))
    build = ("-m", "generator", "build", pack.name)
    table.take("sheets", much, *build, "--what", "sheets", "--no-cache")
    if not whole:
        return
    table.take("whole build", much, *build, "--no-cache")
    run(*build, cwd=table.place)
    turn = iter(range(1000))

    def one_cell() -> None:
        rows.write_text(rows.read_text().replace("d7,", f"d7,{next(turn)}", 1))

    table.take("whole build after one cell", much, *build, before=one_cell)
    table.take("whole build, unchanged", much, *build)
    table.take("check", much, "-m", "generator", "check", pack.name, "--no-cache")
    table.take(
        "preview of one card", much, "-m", "generator", "preview", pack.name, "d9", "--no-cache"
    )


def main() -> None:
    """Measure, and print."""
    asked = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    asked.add_argument("--times", type=int, default=1, help="of so many runs the least counts")
    asked.add_argument(
        "--peers", type=Path, default=HERE.parents[1] / ".peers", help="where peers are installed"
    )
    asked.add_argument(
        "--large", action="store_true", help="also 54,000 cards, of 6,000 and of 60 designs"
    )
    said = asked.parse_args()
    with TemporaryDirectory() as made:
        os.environ["PNP_CACHE"] = str(Path(made) / "cache")
        table = Table(Path(made), said.times)
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
            **({6000: "54,000 of 6,000"} if said.large else {}),
        }
        for designs, much in sizes.items():
            table.take("floor", much, HERE / "floor.py", "sheets", designs, 9, "floor.pdf")
            ours(table, designs, 9, much, whole=designs < 6000)
            if designs < 6000:
                imposed(table, said.peers, designs, much)
        copies = {90: "5,400 of 60", **({900: "54,000 of 60"} if said.large else {})}
        for item, much in copies.items():
            table.take("floor", much, HERE / "floor.py", "sheets", 60, item, "floor.pdf")
            ours(table, 60, item, much, whole=False)
        table.grows("sheets", *sizes.values())
        table.grows("sheets", "540 of 60", *copies.values())
        shutil.rmtree(Path(made) / "cache", ignore_errors=True)


if __name__ == "__main__":
    main()
