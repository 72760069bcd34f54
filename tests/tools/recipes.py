"""Follow the pages of the documentation site: write their files and run their commands."""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
COOKBOOK = ROOT / "docs" / "site" / "cookbook"
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Step(NamedTuple):
    """A command on a page, its exit code and output, and the output that the page shows for it."""

    command: str
    exit_code: int
    output: str
    promised: str


def follow(page: str, folder: Path, pnp: Callable[..., object]) -> Iterator[Step]:
    """Write the files of a page to a folder and run its commands there, in the page's order."""
    blocks = BLOCK.findall(page)
    for index, (kind, name, body) in enumerate(blocks):
        if name:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, "utf-8")
        elif kind == "sh":
            after = blocks[index + 1] if index + 1 < len(blocks) else ("", "", "")
            commands = body.splitlines()
            for number, command in enumerate(commands, 1):
                result = pnp(*shlex.split(command)[1:])
                is_last = number == len(commands)
                promised = after[2] if is_last and after[0] == "text" else ""
                yield Step(command, result.exit_code, result.output, promised)
