"""Makes the pictures of the site: results of its recipes, and layers, patterns and marks for its reference.

`python docs/make_site_pictures.py` from the top of the repository.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner, Result
from PIL import Image, ImageDraw, ImageFont, ImageOps

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from generator.cli import main  # noqa: E402 — after the path to it
from generator.impose.marks import MARK_STYLES  # noqa: E402
from generator.pack.sizes import named_sizes  # noqa: E402
from generator.picture.raster import page_pictures  # noqa: E402
from tests.tools.recipes import COOKBOOK, follow  # noqa: E402

PAGE_DPI = 55
FACE_DPI = 90
EXAMPLE_DPI = 100
EXAMPLES = HERE / "site" / "examples"
MAX_PIXELS = (640, 360)
SPACE = 16
TABLE = "#d8dade"
PIXELS_PER_MM = 1.3
WIDTH_OF_SIZES = 1080
SIZE_FONT = HERE.parent / "fonts" / "alegreya-sans" / "AlegreyaSans-Regular.ttf"

PICTURES: dict[str, tuple[str, tuple[int, ...]]] = {
    "spreadsheet": ("preview/cards-*-front.png", ()),
    "backs": ("*-sheets-a4.pdf", (3, 4)),
    "icons": ("preview/cards-*-front.png", ()),
    "tiles": ("*-sheets-a4.pdf", (3, 4)),
    "hexes": ("*-sheets-a4.pdf", (3,)),
    "tokens": ("*-sheets-a4.pdf", (3,)),
    "dice": ("*-sheets-a4.pdf", (2,)),
    "tuckbox": ("*-sheets-a4.pdf", (1, 6)),
    "standee": ("*-sheets-a4.pdf", (1, 2)),
    "score-track": ("preview/board-*-front.png", ()),
    "translation": ("preview/**/cards-*-front.png", ()),
    "random": ("preview/monsters-*-front.png", ()),
    "patch": ("*-patch-a4.pdf", (1, 2)),
    "print-shop": ("game-crafter/cards-poker/*.png", ()),
}
"""Of each recipe, the files to show in its output, and the pages of a PDF, counted from 1."""


def run(*words: object) -> Result:
    """Run a command in this process; stop if it fails."""
    result = CliRunner().invoke(main, [str(word) for word in words])
    if result.exit_code:
        raise SystemExit(result.output)
    return result


def read_pictures(pattern: str, pages: tuple[int, ...], output: Path) -> Iterator[Image.Image]:
    """Yield the pictures that show a recipe, from the files of its output."""
    for path in sorted(output.glob(pattern)):
        if pages:
            every = list(page_pictures(path.read_bytes(), PAGE_DPI))
            yield from (every[page - 1].convert("RGB") for page in pages)
        else:
            yield ImageOps.contain(Image.open(path).convert("RGB"), MAX_PIXELS)


def put_on_table(pictures: list[Image.Image]) -> Image.Image:
    """Return the pictures side by side on a grey table."""
    shown = [ImageOps.expand(picture, 1, "#888888") for picture in pictures]
    width = sum(picture.width + SPACE for picture in shown) + SPACE
    height = max(picture.height for picture in shown) + 2 * SPACE
    table = Image.new("RGB", (width, height), TABLE)
    left = SPACE
    for picture in shown:
        table.paste(picture, (left, (height - picture.height) // 2))
        left += picture.width + SPACE
    return table


def make_picture(name: str) -> None:
    """Follow a recipe in a temporary folder, and save the picture of its result."""
    pattern, pages = PICTURES[name]
    languages = ((), ("--lang", "nl")) if name == "translation" else ((),)
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder, name)
        pack.mkdir()
        with chdir(pack):
            list(follow((COOKBOOK / f"{name}.md").read_text("utf-8"), pack, run))
            for language in languages if pattern.startswith("preview") else ():
                run("preview", "--what", "faces", "--dpi", FACE_DPI, *language)
        picture = put_on_table(list(read_pictures(pattern, pages, pack / "output" / name)))
    save(picture, name)


def save(picture: Image.Image, name: str) -> None:
    """Save a picture of the site as a small PNG."""
    target = HERE / "site" / "pictures" / f"{name}.png"
    target.parent.mkdir(exist_ok=True)
    picture.quantize(128).save(target, optimize=True)


def make_example_pictures() -> None:
    """Save a picture of each face of the pack of examples, and of a sheet with each style of marks."""
    with tempfile.TemporaryDirectory() as folder:
        run("preview", EXAMPLES, "-o", folder, "--what", "faces", "--dpi", EXAMPLE_DPI)
        for path in sorted(Path(folder).rglob("*-front.png")):
            if path.stem == "marked-marked-front":  # shown on sheets instead
                continue
            face = Image.open(path).convert("RGBA")
            white = Image.new("RGBA", face.size, "white")
            on_white = Image.alpha_composite(white, face).convert("RGB")
            save(on_white, f"examples/{path.stem.removesuffix('-front')}")
    for style in MARK_STYLES:
        with tempfile.TemporaryDirectory() as folder:
            sheet = ("--what", "sheets", "--only", "marked", "--paper", "4x6", "--marks", style)
            run("build", EXAMPLES, "-o", folder, *sheet)
            (path,) = Path(folder).rglob("*.pdf")
            (page, *_) = page_pictures(path.read_bytes(), PAGE_DPI)
            upper = page.crop((0, 0, page.width, round(page.height * 0.72)))
            save(upper.convert("RGB"), f"examples/marks-{style}")


def make_picture_of_sizes() -> None:
    """Save a picture of the named sizes, to one scale."""
    sizes = list(named_sizes().values())
    rows = [sizes[: len(sizes) // 2], sizes[len(sizes) // 2 :]]
    font = ImageFont.truetype(SIZE_FONT, 19)
    heights = [max(row.size[1] for row in part) * PIXELS_PER_MM + 40 for part in rows]
    table = Image.new("RGB", (WIDTH_OF_SIZES, round(sum(heights))), "white")
    draw = ImageDraw.Draw(table)
    bottom = 0.0
    for part, height in zip(rows, heights, strict=True):
        bottom += height
        step = WIDTH_OF_SIZES / len(part)
        for index, row in enumerate(part):
            middle = (index + 0.5) * step
            w, h = (side * PIXELS_PER_MM for side in row.size)
            foot = bottom - 28
            draw.rectangle((middle - w / 2, foot - h, middle + w / 2, foot), TABLE, "#27313a")
            draw.text((middle, bottom - 24), row.name, "#27313a", font, anchor="ma")
    save(table, "sizes")


if __name__ == "__main__":
    for recipe in PICTURES:
        make_picture(recipe)
    make_example_pictures()
    make_picture_of_sizes()
