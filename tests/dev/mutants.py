"""Break the program in small ways, one at a time, and list the breaks that no test finds.

`python -m tests.dev.mutants FILE TESTS…`

By hand only, in a copy of the tree. A comparison is turned, a sum becomes a difference, `and`
becomes `or`, a number is one more, a condition is always or never so, a statement is left out. What
survives is either an equal way to say the same, or wants a test.
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
"""For the tests of one mutant."""


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Each way in which a node may be broken, with the node that stands for it then."""
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
                made = copy.deepcopy(broken)
                made.test = ast.copy_location(ast.Constant(truth), node)
                yield f"always {truth}", made
        case ast.Expr(value=ast.Call()) | ast.Raise():
            yield "left out", ast.copy_location(ast.Pass(), node)


class Swap(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old = old
        self.new = new

    def visit(self, node: ast.AST) -> ast.AST:
        """The new one for the old one."""
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
    """Try some mutants of a file, by lot, and name those that survive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--most", type=int, default=10**6, help="how many are tried")
    parser.add_argument("--seed", type=int, default=0)
    wish = parser.parse_args()
    text = wish.file.read_text("utf-8")
    every = list(mutants(text))
    chosen = random.Random(wish.seed).sample(every, min(wish.most, len(every)))  # noqa: S311 - no secrets
    lived = 0
    try:
        for line, what, broken in sorted(chosen, key=lambda each: each[:2]):
            if survives(wish.file, broken, wish.tests):
                lived += 1
                sys.stdout.write(
                    f"{wish.file}:{line}: {what}: {text.splitlines()[line - 1].strip()}\n"
                )
                sys.stdout.flush()
    finally:
        wish.file.write_text(text, "utf-8")
    sys.stdout.write(f"{wish.file}: {len(chosen)} of {len(every)} tried, {lived} survived\n")


if __name__ == "__main__":
    main()
