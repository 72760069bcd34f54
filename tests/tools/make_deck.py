"""Make a deck of any number of designs."""

from pathlib import Path

from PIL import Image

from tests.tools.make_pack import make

LAYOUT = """\
- fill: $tint
"""
BACK = "- fill: blue\n"


def deck(
    folder: Path, count: int, size: str = "poker", component: str = "", copies: int = 1
) -> Path:
    """Designs `c0`, `c1`, …, each of its own grey, with a common blue back unless told otherwise."""
    rows = "".join(f"c{n},{copies},#{n // 256 + 16:02x}{n % 256:02x}80\n" for n in range(count))
    return make(
        folder,
        layout=LAYOUT,
        table="id,count,tint\n" + rows,
        size=size,
        component=component or "back: layouts/back.yaml",
        files={"layouts/back.yaml": BACK},
    )


def opened(path: Path) -> Image.Image:
    """A picture, read whole and closed."""
    with Image.open(path) as image:
        image.load()
        return image.copy()
