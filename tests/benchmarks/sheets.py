"""Measure the sheets of the random deck against the baseline: `python -m tests.benchmarks.sheets [DESIGNSxCOPIES…]`.

Each row is one run with an empty cache: the CPU seconds of the process and its children, and the MB of the largest of
them. The last column is the multiple of the baseline of that size. `--gutter-0` lets the cards lie edge to
edge; `--one-cell` also builds again after one changed cell; `--tree FOLDER` measures another copy of the program.
"""

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.random_deck import write_deck

ROOT = Path(__file__).parents[2]
MEASURE = """\
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


def python_of(tree: Path) -> str:
    """Return the Python of a tree's own environment, or this one if it has none."""
    own = tree / ".venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    return str(own) if own.exists() else sys.executable


def environment_of(tree: Path, folder: Path) -> dict[str, str]:
    """Return the environment variables for a tree's program, with cache and compiled modules in `folder`."""
    environment = {
        **os.environ,
        "PYTHONPATH": f"{tree}{os.pathsep}{ROOT}",
        "PNP_CACHE": str(folder / "cache"),
        "PYTHONPYCACHEPREFIX": str(folder.parent / f"compiled-{tree.name}"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def measured(tree: Path, folder: Path, *args: object) -> tuple[float, float]:
    """Run Python and return the CPU seconds of all its processes, and the MB of the largest."""
    environment = environment_of(tree, folder)
    command = [sys.executable, "-c", MEASURE, python_of(tree), *map(str, args)]
    result = subprocess.run(
        command, cwd=folder, env=environment, check=True, capture_output=True, text=True
    )
    code, cpu, memory = result.stdout.split()
    if code != "0":
        raise SystemExit(f"{' '.join(map(str, args))} ended with {code}\n{result.stderr}")
    return float(cpu), float(memory) / (1e6 if sys.platform == "darwin" else 1e3)


def report(label: str, cost: tuple[float, float], base: float | None = None) -> None:
    multiple = f"{cost[0] / base:8.2f} ×" if base else ""
    print(f"{label:<44} {cost[0]:8.2f} s {cost[1]:7.0f} MB {multiple}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sizes", nargs="*", default=["60x9", "600x9"], metavar="DESIGNSxCOPIES")
    parser.add_argument("--gutter-0", action="store_true")
    parser.add_argument("--one-cell", action="store_true")
    parser.add_argument("--tree", type=Path, default=ROOT)
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        warm = Path(temporary) / "warm"
        write_deck(warm, 2, 1, gutter_0=options.gutter_0)
        measured(options.tree, warm, "-m", "generator", "build", warm, "--what", "sheets")
        for size in options.sizes:
            designs, copies = map(int, size.split("x"))
            folder = Path(temporary) / size
            write_deck(folder, designs, copies, gutter_0=options.gutter_0)
            base = measured(
                options.tree,
                folder,
                "-m",
                "tests.benchmarks.baseline",
                designs,
                copies,
                folder / "by-hand",
            )
            report(f"{size}: baseline", base)
            build = ("-m", "generator", "build", folder, "--what", "sheets", "-o", folder / "out")
            report(f"{size}: sheets", measured(options.tree, folder, *build), base[0])
            if options.one_cell:
                table = folder / "cards.csv"
                table.write_text(
                    table.read_text().replace("Card number 7,", "Card number seven,", 1)
                )
                report(
                    f"{size}: sheets after one cell",
                    measured(options.tree, folder, *build),
                    base[0],
                )
    print(
        f"measured by one run each; this process took {resource.getrusage(resource.RUSAGE_SELF).ru_utime:.1f} s"
    )


if __name__ == "__main__":
    main()
