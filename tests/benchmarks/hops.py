"""How far a reader must go: `python tests/benchmarks/hops.py [TREE]`.

Counts, for one card from its row to the bytes of the PDF, for a figure with its claim and for a patch, the files of
`generator/` in which a function is called, and the changes of stage: a stage is a folder, the order is that in which
functions are called first, and the leaves (`core/`, and what lies beside the folders) are no stage. With --list, the
files in that order.
"""

import argparse
import importlib
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[2]
WAYS = {
    "a card": ("build", "generator/starters/cards", "--what", "sheets", "--paper", "a4"),
    "a figure": ("rules", "templates/hydras"),
    "a patch": ("patch", "templates/hydras", "--from", "1", "--paper", "a4"),
}
SKIPPED = {"__main__", "bundled", "starters"}


class Tracer:
    """The functions of a package in the order in which they are called first."""

    def __init__(self, package: Path) -> None:
        self.package = f"{package}/"
        self.called: dict[tuple[str, str, int], None] = {}

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(self.package):
            self.called.setdefault((code.co_filename[len(self.package) :], code.co_name, code.co_firstlineno))

    @property
    def files(self) -> list[str]:
        return list(dict.fromkeys(file for file, _, _ in self.called))

    @property
    def changes(self) -> int:
        stages = [stage(file) for file, name, _ in self.called if stage(file) and not name.startswith("<")]
        return sum(a != b for a, b in pairwise(stages))


def stage(file: str) -> str:
    """The folder of a file, or nothing for a leaf."""
    folder, slash, _ = file.partition("/")
    return folder if slash and folder != "core" else ""


def traced(tree: Path, args: tuple[str, ...]) -> Tracer:
    from click.testing import CliRunner

    from generator.cli import main

    tracer = Tracer(tree / "generator")
    command, pack, *options = args
    with tempfile.TemporaryDirectory() as output:
        sys.setprofile(tracer)
        result = CliRunner().invoke(main, [command, str(tree / pack), *options, "-o", output])
        sys.setprofile(None)
    if result.exit_code:
        raise SystemExit(result.output)
    return tracer


def import_all(tree: Path) -> None:
    """What modules do when they are imported is no part of a way."""
    sys.path.insert(0, str(tree))
    for path in sorted((tree / "generator").rglob("*.py")):
        parts = path.relative_to(tree).with_suffix("").parts
        if not SKIPPED & set(parts):
            importlib.import_module(".".join(parts).removesuffix(".__init__"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tree", nargs="?", type=Path, default=ROOT)
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    tree = asked.tree.resolve()
    import_all(tree)
    for name, args in WAYS.items():
        tracer = traced(tree, args)
        print(f"{name}: {len(tracer.files)} files, {tracer.changes} changes of stage")
        if asked.list:
            print("\n".join(f"  {file}" for file in tracer.files))


if __name__ == "__main__":
    main()
