"""Make a deck of any number of designs."""

from pathlib import Path

from PIL import Image

from tests.tools.make_pack import make

LAYOUT = """\
- fill: $tint
"""
BACK = "- fill: blue\n"


def deck(
    folder: Path,
    count: int,
    size: str = "poker",
    component: str = "",
    copies: int = 1,
    more: str = "",
    files: dict[str, str | bytes] | None = None,
) -> Path:
    """Return a pack of designs `c0`, `c1`, …, each in a shade of its own, by default with a blue back.

    `more` are lines of `game.yaml`, `component` lines of its component, `files` further files.
    """
    rows = "".join(f"c{n},{copies},#{n // 256 + 16:02x}{n % 256:02x}80\n" for n in range(count))
    return make(
        folder,
        layout=LAYOUT,
        table="id,count,tint\n" + rows,
        size=size,
        component=component or "back: layouts/back.yaml",
        more=more,
        files={"layouts/back.yaml": BACK, **(files or {})},
    )


def opened(path: Path) -> Image.Image:
    """Return a picture file as an image in memory."""
    with Image.open(path) as image:
        image.load()
        return image.copy()
