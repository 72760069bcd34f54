"""Count the files that a card runs through: `python -m tests.benchmarks.hops [TREE]`.

Three commands are traced: one that prints a card, one that sets a figure with its claim, and one
that makes a patch. For each, the program prints the number of files of `generator/` in which a
function is called, and how often the work passes from one package to another. Functions count in
the order of their first calls. `base/` is no package here, because all others use it; nor are
methods by which frozen values describe themselves. The cache is empty, so that every step runs.

`--list` prints the files in order, `--steps` the functions by package.
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
COMMANDS = {
    "a card": ("build", "generator/starters/cards", "--what", "sheets", "--paper", "a4"),
    "a figure": ("rules", "templates/hydras"),
    "a patch": ("patch", "templates/hydras", "--from", "1", "--paper", "a4"),
}
NOT_IMPORTED = {"__main__", "bundled", "starters"}

Function = tuple[str, str, int]
"""A function: its file, its name, its first line."""


class Tracer:
    """The functions of a package in the order of their first calls, and the functions that each calls."""

    def __init__(self, package: Path) -> None:
        self.package = f"{package}/"
        self.functions: dict[Function, None] = {}
        self.callees: dict[Function, set[Function]] = {}
        self.is_of_value: dict[Function, bool] = {}
        self.stack: list[Function] = []

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Record a call or a return; `sys.setprofile` calls this for each."""
        code = frame.f_code
        if event not in {"call", "return"} or not code.co_filename.startswith(self.package):
            return
        if event == "call":
            file = code.co_filename.removeprefix(self.package)
            self._enter((file, code.co_name, code.co_firstlineno), frame)
        elif self.stack:
            self.stack.pop()

    def _enter(self, function: Function, frame: FrameType) -> None:
        self.functions.setdefault(function)
        if self.stack:
            self.callees.setdefault(self.stack[-1], set()).add(function)
        self.stack.append(function)
        self.is_of_value[function] = self.is_of_value.get(function, True) and has_frozen_self(frame)

    @property
    def files(self) -> list[str]:
        """The files in the order of their first calls."""
        return list(dict.fromkeys(file for file, _, _ in self.functions))

    @property
    def steps(self) -> list[Function]:
        """The functions that do work in a package, in the order of their first calls."""
        return [
            function
            for function in self.functions
            if not function[1].startswith("<")
            and package_of(function[0])
            and not self.describes_value(function)
        ]

    @property
    def change_count(self) -> int:
        """The number of steps that stand in another package than the step before."""
        return sum(package_of(a) != package_of(b) for (a, _, _), (b, _, _) in pairwise(self.steps))

    def describes_value(self, function: Function) -> bool:
        """Return True for methods of frozen values that call only their own file and `base/`."""
        return self.is_of_value[function] and all(
            file == function[0] or not package_of(file)
            for file, _, _ in self._all_callees(function)
        )

    def _all_callees(self, function: Function) -> set[Function]:
        """Return the functions that a function calls, also through others."""
        callees = set[Function]()
        pending = [function]
        while pending:
            new = self.callees.get(pending.pop(), set()) - callees
            callees |= new
            pending += new
        return callees


def has_frozen_self(frame: FrameType) -> bool:
    """Return True if the frame is that of a method of a frozen dataclass."""
    names = frame.f_code.co_varnames
    owner = frame.f_locals.get("self") if names[:1] == ("self",) else None
    return is_dataclass(owner) and type(owner).__setattr__ is not object.__setattr__


def package_of(file: str) -> str:
    """Return the package of a file; empty for `base/` and files beside the packages."""
    folder, slash, _ = file.partition("/")
    return folder if slash and folder != "base" else ""


def trace(tree: Path, arguments: tuple[str, ...]) -> Tracer:
    """Run a command of the program in a tree, and return its tracer."""
    from click.testing import CliRunner

    from generator.cli import main

    tracer = Tracer(tree / "generator")
    command, pack, *options = arguments
    with tempfile.TemporaryDirectory() as output:
        os.environ["PNP_CACHE"] = f"{output}/cache"
        sys.setprofile(tracer)
        result = CliRunner().invoke(main, [command, str(tree / pack), *options, "-o", output])
        sys.setprofile(None)
    if result.exit_code:
        raise SystemExit(result.output)
    return tracer


def import_all(tree: Path) -> None:
    """Import all modules, so that functions called by imports are not counted."""
    sys.path.insert(0, str(tree))
    for path in sorted((tree / "generator").rglob("*.py")):
        parts = path.relative_to(tree).with_suffix("").parts
        if not NOT_IMPORTED & set(parts):
            importlib.import_module(".".join(parts).removesuffix(".__init__"))


def main() -> None:
    """Trace the commands and print their figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tree", nargs="?", type=Path, default=ROOT)
    parser.add_argument("--list", action="store_true", help="print the files in order")
    parser.add_argument("--steps", action="store_true", help="print the functions by package")
    options = parser.parse_args()
    tree = options.tree.resolve()
    import_all(tree)
    for name, arguments in COMMANDS.items():
        tracer = trace(tree, arguments)
        print(f"{name}: {len(tracer.files)} files, {tracer.change_count} changes of package")
        if options.list:
            print("\n".join(f"  {file}" for file in tracer.files))
        if options.steps:
            for folder, run in groupby(tracer.steps, key=lambda step: package_of(step[0])):
                print(" ", folder, *(f"{file.partition('/')[2]}:{step}" for file, step, _ in run))


if __name__ == "__main__":
    main()
