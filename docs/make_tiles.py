"""Makes the table of `tiles.md`, of the pack with a tile for each line of the notation: `python docs/make_tiles.py`."""

import csv
import tempfile
from collections.abc import Iterator
from pathlib import Path

import yaml
from click.testing import CliRunner
from PIL import Image

from generator.cli import main

HERE = Path(__file__).parent
PACK = HERE.parent / "tests" / "data" / "packs" / "notation"
PAGE = HERE / "tiles.md"
HIGH = 84

FIRST, LAST = "<!-- lines -->\n", "<!-- end of lines -->\n"
"""Between these the page holds the table; all else on it is written by hand."""


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Component, id, notation and meaning of every line."""
    for name, part in yaml.safe_load((PACK / "game.yaml").read_text("utf-8"))["components"].items():
        data = part["data"]
        table = (
            data
            if isinstance(data, list)
            else csv.DictReader((PACK / data).read_text("utf-8").splitlines())
        )
        yield from ((name, row["id"], row["written"], row["says"]) for row in table)


def text() -> str:
    """Return the text of the page with a new table."""
    page = PAGE.read_text("utf-8")
    before, after = page.partition(FIRST)[0], page.partition(LAST)[2]
    lines = (
        f"| ![{key}](pictures/tiles/{key}.png) | `{written}` | {says} |\n"
        for _, key, written, says in rows()
    )
    return "".join(
        (before, FIRST, "\n| | written | what it is |\n|---|---|---|\n", *lines, "\n", LAST, after)
    )


def pictures() -> None:
    """Save a small picture of each tile."""
    (HERE / "pictures" / "tiles").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        result = CliRunner().invoke(main, ["preview", str(PACK), "-o", folder])
        if result.exit_code:
            raise SystemExit(result.output)
        for name, key, _, _ in rows():
            (file,) = Path(folder).rglob(f"{name}-{key}-front.png")
            picture = Image.open(file).convert("RGBA")
            size = (round(HIGH * picture.width / picture.height), HIGH)
            small = picture.resize(size, Image.Resampling.LANCZOS)
            small.quantize(64, Image.Quantize.FASTOCTREE).save(
                HERE / "pictures" / "tiles" / f"{key}.png", optimize=True
            )


if __name__ == "__main__":
    pictures()
    PAGE.write_text(text(), "utf-8")
