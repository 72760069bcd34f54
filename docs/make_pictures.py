"""Makes the pictures of `printing.md` and of the README with the program itself: `python docs/make_pictures.py`.

Each is the pages of a sheet side by side, as they come out of the printer; a game's are the cover of its rules,
a sheet, a piece of it and a page of its rules.
"""

import re
import tempfile
from pathlib import Path

from click.testing import CliRunner
from PIL import Image, ImageOps

from generator.base.symbols import symbol_paths
from generator.cli import main
from generator.picture.raster import Rasteriser, page_pictures
from generator.pipeline.packs import packs
from generator.pipeline.project import BuildRequest, Project

HERE = Path(__file__).parent
PACKS = HERE.parent / "tests" / "data" / "packs"
DPI = 42
SPACE = 14
WIDE = 150
GAME_DPI = 34  # four pictures of a game fit into a column of the README
GAME_COLOURS = 128  # the skies of covers are gradients, which show bands with fewer
FRONT = "hoses-and-hydrants"
EIGHT = ("--only", "cards:a,b,c,d,e,f,g,h")

PICTURES = {
    "long-edge": ("flip", ("--duplex", "long-edge", *EIGHT), 2),
    "short-edge": ("flip", ("--duplex", "short-edge", *EIGHT), 2),
    "landscape": ("flip", ("--duplex", "long-edge", "--landscape", *EIGHT), 2),
    "single": ("flip", ("--duplex", "single", *EIGHT), 1),
    "two-pass": ("flip", ("--duplex", "two-pass", *EIGHT), 2),
    "glue": ("flip", ("--duplex", "glue", *EIGHT), 2),
    "gutterfold": ("flip", ("--duplex", "gutterfold", "--margin", "9mm", *EIGHT), 1),
    "skip": ("flip", ("--duplex", "single", "--only", "cards:a,b,c", "--skip", "5"), 1),
    "pack": ("shapes", ("--pack", "--duplex", "single", "--only", "cards", "--only", "tiles"), 1),
    "hexes": ("shapes", ("--duplex", "single", "--only", "hexes"), 1),
    "tokens": ("shapes", ("--duplex", "single", "--only", "tokens"), 1),
    "folding": ("folding", ("--only", "figures", "--only", "board"), 3),
    "dice": ("folding", ("--only", "dice"), 1),
    "silhouette": ("flip", ("--duplex", "single", "--cutter", "silhouette", *EIGHT), 1),
}
"""Each picture: the pack, what `pnp build` is told, how many pages to show."""


GAMES = {
    "hoses-and-hydrants": (3, "tiles-blue-firefighter-yellow-front", 3),
    "greenways": (3, "tiles-bridge-front", 5),
    "hydras": (3, "labours-l07-front", 3),
    "urban-insanity-fire-engines": (5, "actions-fire-alarm-front", 5),
    "buizen-wir-war": (3, "pipes-p01-front", 4),
}
"""Of each game: a page of its sheets, a picture of a piece, a page of its rules."""


LANGUAGE = "language"
CHAPTERS = {
    "values": ("salamander", "heron"),
    "expressions": ("worked",),
    "conditions": ("dear", "sold", "plain"),
    "repetition": ("track", "map", "clock", "cost"),
    "colours": ("down", "out", "through"),
    "texts": ("looks", "lines", "letters"),
    "elsewhere": ("around", "inside", "along"),
    "blocks": ("short", "long"),
    "tables": ("storm",),
    "data": ("mira", "joon"),
}
"""Of each component of that pack, the designs that its chapter's picture shows."""


def build(pack: str, args: tuple[str, ...], folder: Path) -> list[Path]:
    """Build a pack on A4 and return its files."""
    run(["build", str(PACKS / pack), "-o", str(folder), "--paper", "a4", *args])
    return sorted((folder / pack).glob("*.pdf"))


def run(args: list[str]) -> None:
    """Run a command; raise if it fails."""
    result = CliRunner().invoke(main, args)
    if result.exit_code:
        raise SystemExit(result.output)


def joined(files: list[Path], count: int, dpi: int) -> Image.Image:
    """Return the first pages side by side on a grey background."""
    pages = [page for file in files for page in page_pictures(file.read_bytes(), dpi)]
    return beside(pages[:count])


def beside(pages: list[Image.Image]) -> Image.Image:
    """Pages side by side on a grey table."""
    shown = [ImageOps.expand(page.convert("RGB"), 1, "#888888") for page in pages]
    size = (
        sum(page.width + SPACE for page in shown) + SPACE,
        max(page.height for page in shown) + 2 * SPACE,
    )
    table = Image.new("RGB", size, "#d8dade")
    left = SPACE
    for page in shown:
        table.paste(page, (left, (size[1] - page.height) // 2))
        left += page.width + SPACE
    return table


def save(picture: Image.Image, name: str, colours: int = 96) -> None:
    """As a small PNG: sheets have few colours."""
    picture.quantize(colours).save(HERE / "pictures" / f"{name}.png", optimize=True)


def game_pictures() -> None:
    """Save the cover, a sheet, a piece and a page of the rules of each bundled game."""
    for name in packs():
        sheet, piece, page = GAMES[name]
        with tempfile.TemporaryDirectory() as folder:
            run(["build", name, "-o", folder, "--paper", "a4"])
            run(["preview", name, "-o", folder, "--what", "faces", "--dpi", "120"])
            made = Path(folder) / name
            (sheets,), (rules,) = made.glob("*-sheets-a4.pdf"), made.glob("*-rules.pdf")
            (picture,) = made.glob(f"preview/{piece}.png")
            pages = [
                nth(rules, 1),
                nth(sheets, sheet),
                grown(Image.open(picture)),
                nth(rules, page),
            ]
        save(beside(pages), f"game-{name}", GAME_COLOURS)


def nth(file: Path, number: int) -> Image.Image:
    """Return the picture of a page, counted from 1."""
    return list(page_pictures(file.read_bytes(), GAME_DPI))[number - 1]


def grown(piece: Image.Image) -> Image.Image:
    """Return the picture of a piece, at the width of all others."""
    return piece.convert("RGB").resize(
        (WIDE, round(WIDE * piece.height / piece.width)), Image.Resampling.LANCZOS
    )


def front_picture() -> None:
    """Save both sides of the sheet at the head of the README."""
    with tempfile.TemporaryDirectory() as folder:
        # Without --what, the how-to-make pages come first.
        run(["build", FRONT, "-o", folder, "--paper", "a4", "--what", "sheets"])
        (sheets,) = (Path(folder) / FRONT).glob("*-sheets-a4.pdf")
        save(joined([sheets], 2, 60), "sheet")


def deck_picture() -> None:
    """Save the deck of the README, made from the files in its code blocks."""
    readme = (HERE.parent / "README.md").read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        run(["new", f"{folder}/potions"])
        for name, content in re.findall(
            r"^```\w+ (\S+)\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL
        ):
            (Path(folder) / name).write_text(content, "utf-8")
        run(
            [
                "preview",
                f"{folder}/potions",
                "-o",
                f"{folder}/out",
                "--what",
                "faces",
                "--dpi",
                "80",
            ]
        )
        faces = Path(folder) / "out" / "potions" / "preview"
        names = ("healing", "growth", "luck")
        save(beside([Image.open(faces / f"cards-{name}-front.png") for name in names]), "deck")


def chapter_pictures() -> None:
    """Save a picture for each chapter of layouts.md: the pieces of one component side by side."""
    with tempfile.TemporaryDirectory() as folder:
        run(["preview", str(PACKS / LANGUAGE), "-o", folder, "--what", "faces", "--dpi", "108"])
        made = Path(folder) / LANGUAGE / "preview"
        for name, ids in CHAPTERS.items():
            pieces = [Image.open(made / f"{name}-{one}-front.png").convert("RGB") for one in ids]
            save(beside(pieces), f"layouts-{name}", 256)


def first_pictures() -> None:
    """Save pictures of a pack made by `pnp new --from`, and of a draft with a text that does not fit."""
    with tempfile.TemporaryDirectory() as folder:
        mine, made = Path(folder) / "mine", Path(folder) / "out" / "mine"
        run(["new", str(mine), "--from", str(PACKS / "hoard" / "items.csv")])
        run(["preview", str(mine), "-o", str(made.parent), "--what", "faces", "--dpi", "72"])
        save(
            beside([Image.open(path).convert("RGB") for path in sorted(made.rglob("*-front.png"))]),
            "layouts-from",
            256,
        )
        layout = mine / "layouts" / "front.yaml"
        layout.write_text(layout.read_text("utf-8").replace("fit: 5pt", "fit: 9pt"), "utf-8")
        CliRunner().invoke(
            main, ["build", str(mine), "-o", str(made.parent), "--draft", "--paper", "a4"]
        )
        sheet = joined(sorted(made.glob("*-draft-sheets-a4.pdf")), 1, 60)
        save(sheet.crop((0, 0, sheet.width, sheet.height * 11 // 20)), "draft")


SYMBOL_LAYOUT = """\
- fill: "#ffffff"
- each: name in split(all)
  at: [12, 9]
  grid: {columns: 10, step: [22mm, 20mm]}
  group:
    - {icon: $name, at: [0, 0], size: 10mm}
    - {text: $name, box: [-11, 6, 22, 6], style: name}
"""
SYMBOL_GAME = """\
name: Symbols
version: "1"
styles: {name: {font: Alegreya Sans, size: 8pt, align: center}}
components:
  page: {title: Page, size: 222 x %d mm, data: all.csv, front: layout.yaml}
"""


def symbol_picture() -> None:
    """Save a picture of all symbols with their names."""
    names = list(symbol_paths())
    rows = -(-len(names) // 10)
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "symbols"
        pack.mkdir()
        (pack / "game.yaml").write_text(SYMBOL_GAME % (20 * rows + 2), "utf-8")
        (pack / "layout.yaml").write_text(SYMBOL_LAYOUT, "utf-8")
        (pack / "all.csv").write_text(f'id,all\nall,"{" ".join(names)}"\n', "utf-8")
        run(["preview", str(pack), "-o", folder, "--what", "faces", "--dpi", "110"])
        (face,) = Path(folder).rglob("*-front.png")
        save(Image.open(face).convert("RGB"), "symbols", 16)


def table_picture() -> None:
    """Save the figure of a table that `boards.md` explains."""
    project = Project(BuildRequest("hydras"))
    picture = Rasteriser(project.game.fonts).face(project.figures["table-set-up"].face, 110)
    paper = Image.new("RGBA", picture.size, "white")
    save(Image.alpha_composite(paper, picture.convert("RGBA")).convert("RGB"), "table", 128)


def all_pictures() -> None:
    """Make them all anew."""
    (HERE / "pictures").mkdir(exist_ok=True)
    for name, (pack, args, count) in PICTURES.items():
        with tempfile.TemporaryDirectory() as folder:
            save(joined(build(pack, args, Path(folder)), count, DPI), name)
    with tempfile.TemporaryDirectory() as folder:
        run(["calibrate", "--paper", "a4", "-o", folder])
        save(joined(sorted(Path(folder).glob("*.pdf")), 2, 60), "calibration")


if __name__ == "__main__":
    all_pictures()
    game_pictures()
    front_picture()
    deck_picture()
    chapter_pictures()
    first_pictures()
    symbol_picture()
    table_picture()
