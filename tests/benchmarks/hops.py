"""Count the files that a card runs through: `python -m tests.benchmarks.hops [TREE]`.

Counts, for one card from its row to the bytes of the PDF, for a figure with its claim and for a
patch, the files of `generator/` in which a function is called, and the changes of stage: a stage is
a folder, the order is that in which functions are called first, and the leaves (`base/`, and what
lies beside the folders) are no stage. What a frozen value is asked that it knows of itself is no
change: it is read, not done. Nothing comes out of a cache.

With --list, the files in that order; with --steps, the functions by stage.
"""

import argparse
import importlib
import os
import sys
import tempfile
from dataclasses import is_dataclass
from itertools import groupby, pairwise
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[2]
WAYS = {
    "a card": ("build", "generator/starters/cards", "--what", "sheets", "--paper", "a4"),
    "a figure": ("rules", "templates/hydras"),
    "a patch": ("patch", "templates/hydras", "--from", "1", "--paper", "a4"),
}
SKIPPED = {"__main__", "bundled", "starters"}


Call = tuple[str, str, int]
"""A function: its file, its name, its first line."""


class Tracer:
    """The functions of a package in the order in which they are called first, and whom each calls."""

    def __init__(self, package: Path) -> None:
        self.package = f"{package}/"
        self.called: dict[Call, None] = {}
        self.calls: dict[Call, set[Call]] = {}
        self.values: dict[Call, bool] = {}
        self.open: list[Call] = []

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event in {"call", "return"} and code.co_filename.startswith(self.package):
            call = (code.co_filename[len(self.package) :], code.co_name, code.co_firstlineno)
            if event == "return":
                self.open and self.open.pop()
            else:
                self._enter(call, frame)

    def _enter(self, call: Call, frame: FrameType) -> None:
        self.called.setdefault(call)
        if self.open:
            self.calls.setdefault(self.open[-1], set()).add(call)
        self.open.append(call)
        self.values[call] = self.values.get(call, True) and is_of_value(frame)

    @property
    def files(self) -> list[str]:
        return list(dict.fromkeys(file for file, _, _ in self.called))

    @property
    def steps(self) -> list[Call]:
        """What is done on the way: not what a value is asked that it knows of itself."""
        return [
            call
            for call in self.called
            if not call[1].startswith("<") and stage(call[0]) and not self.knows(call)
        ]

    @property
    def changes(self) -> int:
        return sum(stage(a) != stage(b) for (a, _, _), (b, _, _) in pairwise(self.steps))

    def knows(self, call: Call) -> bool:
        """Whether it is a method of a frozen value that needs nothing but the value's own file and the leaves."""
        return self.values[call] and all(
            file == call[0] or not stage(file) for file, _, _ in self._below(call)
        )

    def _below(self, call: Call) -> set[Call]:
        found = set[Call]()
        left = [call]
        while left:
            new = self.calls.get(left.pop(), set()) - found
            found |= new
            left += new
        return found


def is_of_value(frame: FrameType) -> bool:
    names = frame.f_code.co_varnames
    owner = frame.f_locals.get("self") if names[:1] == ("self",) else None
    return is_dataclass(owner) and type(owner).__setattr__ is not object.__setattr__


def stage(file: str) -> str:
    """The folder of a file, or nothing for a leaf."""
    folder, slash, _ = file.partition("/")
    return folder if slash and folder not in {"base", "core"} else ""


def traced(tree: Path, args: tuple[str, ...]) -> Tracer:
    from click.testing import CliRunner

    from generator.cli import main

    tracer = Tracer(tree / "generator")
    command, pack, *options = args
    with tempfile.TemporaryDirectory() as output:
        os.environ["PNP_CACHE"] = f"{output}/cache"
        sys.setprofile(tracer)
        result = CliRunner().invoke(main, [command, str(tree / pack), *options, "-o", output])
        sys.setprofile(None)
    if result.exit_code:
        raise SystemExit(result.output)
    return tracer


def import_all(tree: Path) -> None:
    """Import all modules first, so that the work of imports is not counted."""
    sys.path.insert(0, str(tree))
    for path in sorted((tree / "generator").rglob("*.py")):
        parts = path.relative_to(tree).with_suffix("").parts
        if not SKIPPED & set(parts):
            importlib.import_module(".".join(parts).removesuffix(".__init__"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tree", nargs="?", type=Path, default=ROOT)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--steps", action="store_true")
    asked = parser.parse_args()
    tree = asked.tree.resolve()
    import_all(tree)
    for name, args in WAYS.items():
        tracer = traced(tree, args)
        print(f"{name}: {len(tracer.files)} files, {tracer.changes} changes of stage")
        if asked.list:
            print("\n".join(f"  {file}" for file in tracer.files))
        if asked.steps:
            for folder, run in groupby(tracer.steps, key=lambda call: stage(call[0])):
                print(" ", folder, *(f"{file.partition('/')[2]}:{name}" for file, name, _ in run))


if __name__ == "__main__":
    main()
