"""Break the program in small ways, one at a time, and list the breaks that no test finds.

`python -m tests.dev.mutants FILE TESTS…`

Run it by hand, in a copy of the tree. A comparison is reversed, a sum becomes a difference, `and`
becomes `or`, a number grows by one, a condition becomes constant, a statement is left out. A mutant
that survives is equivalent to the original, or shows that a test is missing.
"""

import argparse
import ast
import copy
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
SECONDS = 600
"""Time limit for the tests of one mutant."""


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the name of each possible break of a node, with the node that replaces it."""
    broken = copy.deepcopy(node)
    match broken:
        case ast.Compare(ops=[first, *_]) if type(first) in SWAPPED:
            broken.ops[0] = SWAPPED[type(first)]()
            yield "another comparison", broken
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in SWAPPED:
            broken.op = SWAPPED[type(op)]()
            yield "another sign", broken
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield "no `not`", inner
        case ast.Constant(value=bool(value)):
            yield "the other truth", ast.copy_location(ast.Constant(not value), node)
        case ast.Constant(value=int(value) | float(value)):
            yield "one more", ast.copy_location(ast.Constant(value + 1), node)
        case ast.If() | ast.IfExp():
            for truth in (True, False):
                variant = copy.deepcopy(broken)
                variant.test = ast.copy_location(ast.Constant(truth), node)
                yield f"always {truth}", variant
        case ast.Expr(value=ast.Call()) | ast.Raise():
            yield "left out", ast.copy_location(ast.Pass(), node)


class Swap(ast.NodeTransformer):
    """Replaces one node by another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old = old
        self.new = new

    def visit(self, node: ast.AST) -> ast.AST:
        """Return the new node for the old node."""
        return self.new if node is self.old else self.generic_visit(node)


def mutants(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the kind of break, and the broken text of the file."""
    tree = ast.parse(text)
    for node in list(ast.walk(tree)):
        for what, new in changes(node):
            other = copy.deepcopy(tree)
            old = next(b for a, b in zip(ast.walk(tree), ast.walk(other), strict=True) if a is node)
            yield (
                getattr(node, "lineno", 0),
                what,
                ast.unparse(ast.fix_missing_locations(Swap(old, new).visit(other))),
            )


def survives(file: Path, text: str, tests: list[str]) -> bool:
    """Return True if the tests pass despite the break; a timeout counts as a failure."""
    file.write_text(text, "utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        *tests,
    ]
    try:
        return (
            subprocess.run(command, capture_output=True, check=False, timeout=SECONDS).returncode
            == 0
        )
    except subprocess.TimeoutExpired:
        return False


def main() -> None:
    """Test a random sample of a file's mutants, and print those that survive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument(
        "--most", type=int, default=10**6, help="number of mutants to try, chosen at random"
    )
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    text = options.file.read_text("utf-8")
    all_mutants = list(mutants(text))
    chosen = random.Random(options.seed).sample(all_mutants, min(options.most, len(all_mutants)))  # noqa: S311 - no secrets
    survivors = 0
    try:
        for line, what, broken in sorted(chosen, key=lambda mutant: mutant[:2]):
            if survives(options.file, broken, options.tests):
                survivors += 1
                sys.stdout.write(
                    f"{options.file}:{line}: {what}: {text.splitlines()[line - 1].strip()}\n"
                )
                sys.stdout.flush()
    finally:
        options.file.write_text(text, "utf-8")
    sys.stdout.write(
        f"{options.file}: {len(chosen)} of {len(all_mutants)} tried, {survivors} survived\n"
    )


if __name__ == "__main__":
    main()
