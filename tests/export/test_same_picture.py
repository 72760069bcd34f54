"""Compare each face of `pnp preview` with its place on the printed page, at 150 dpi."""

import csv
import io
import math
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
import yaml
from PIL import Image, ImageFilter

from tests.tools.make_pack import make, svg
from tests.tools.read_pdf import picture, read

DPI = 150
SCALE = DPI / 25.4
TILES = Path(__file__).parents[2] / "templates" / "hoses-and-hydrants"


@lru_cache(1)
def fine_page(file: Path, number: int) -> Image.Image:
    """Return a page at three times the resolution; the pieces of a page are compared one after the other."""
    return picture(file, number, 3 * DPI)


def crop_from_page(file: Path, number: int, form, trim) -> Image.Image:
    """Crop a piece from its page at three times the resolution, then reduce it."""
    scale = 3 * SCALE
    w, h = trim[::-1] if form.turn % 180 else trim
    box = [
        (form.x - w / 2) * scale,
        (form.y - h / 2) * scale,
        (form.x + w / 2) * scale,
        (form.y + h / 2) * scale,
    ]
    around = (*map(math.floor, box[:2]), *map(math.ceil, box[2:]))
    size = tuple(round(side * SCALE) for side in (w, h))
    inside = [edge - around[n % 2] for n, edge in enumerate(box)]
    cut = fine_page(file.resolve(), number).crop(around)
    return cut.resize(size, Image.Resampling.BOX, inside).rotate(form.turn, expand=True)


def open_on_white(path: Path) -> Image.Image:
    with Image.open(path) as screen:
        paper = Image.new("RGBA", screen.size, "white")
        return Image.alpha_composite(paper, screen.convert("RGBA")).convert("RGB")


def difference(a: Image.Image, b: Image.Image) -> np.ndarray:
    """Return the colour differences after softening edges by a pixel and leaving out the border."""
    soft = [
        np.asarray(image.filter(ImageFilter.BoxBlur(1))).astype(int)[2:-2, 2:-2] for image in (a, b)
    ]
    return np.abs(soft[0] - soft[1]).max(axis=2)


def assert_same(folder: Path, preview: Path, names: list[str], trim: tuple[float, float]) -> int:
    """Compare every printed face, at its first place, with its preview; return the count."""
    file = next(folder.glob("*-sheets-a4.pdf"))
    first = {}
    for number, sheet_side in enumerate(read(file)):
        for form in sheet_side.forms:
            first.setdefault((number % 2, form.form), (number, form))
    sides = [[place for (side, _), place in first.items() if side == n] for n in (0, 1)]
    for side, places in zip(("front", "back"), sides, strict=True):
        for name, (number, form) in zip(names, places, strict=True):
            print_ = crop_from_page(file, number, form, trim)
            screen = open_on_white(preview / f"{name}-{side}.png")
            assert abs(print_.width - screen.width) <= 1
            assert abs(print_.height - screen.height) <= 1
            differs = difference(print_.resize(screen.size), screen)
            assert (differs > 64).mean() < 0.002, (name, side)
            assert differs.mean() < 3, (name, side)
            assert np.asarray(screen).std() > 10, "there is a picture to compare"
    return sum(map(len, sides))


def ids(table: Path) -> list[str]:
    return [row["id"] for row in csv.DictReader(table.read_text("utf-8").splitlines())]


@pytest.fixture(scope="module")
def faces(shared, pnp):
    """Return the folder of the previewed faces of the tiles."""

    def fill(folder):
        assert pnp("preview", TILES, "-o", folder, "--what", "faces", "--dpi", DPI).exit_code == 0

    return shared("preview-faces", fill) / TILES.name / "preview"


def test_every_tile_prints_as_previewed(hoses, faces):
    game = yaml.safe_load((TILES / "game.yaml").read_text("utf-8"))
    order = game["components"]["tiles"]["order"]
    names = [f"tiles-{name}" for name in dict.fromkeys(order)]
    assert set(order) == set(ids(TILES / "tiles.csv"))
    assert assert_same(hoses, faces, names, (36, 36)) == 2 * len(names)


def build_and_preview(pack: Path, pnp) -> tuple[Path, Path]:
    for command, *options in (
        ("build", "--what", "sheets", "--paper", "a4"),
        ("preview", "--what", "faces"),
    ):
        result = pnp(command, pack, *options)
        assert result.exit_code == 0, result.output
    return Path("output") / pack.name, Path("output") / pack.name / "preview"


def test_starter_card_prints_as_previewed(starter, pnp):
    """Compare the first card only, since all backs are one picture."""
    pack = starter("cards")
    table = pack / "cards.csv"
    head, first, *_ = table.read_text().splitlines()
    table.write_text(f"{head}\n{first}\n")
    folder, preview = build_and_preview(pack, pnp)
    assert assert_same(folder, preview, ["cards-fox"], (63.5, 88.9)) == 2


def photo() -> bytes:
    out = io.BytesIO()
    wave = [
        (int(127 + 120 * math.sin(x / 9)), int(127 + 120 * math.sin(y / 7)), 90)
        for y in range(300)
        for x in range(300)
    ]
    image = Image.new("RGB", (300, 300))
    image.putdata(wave)
    image.save(out, "JPEG", quality=90)
    return out.getvalue()


DEMANDING_LAYOUTS = {
    "a photo grown by its mirror image": "- image: art/photo.jpg\n  extend: mirror\n",
    "turned groups": "- fill: red\n- group:\n  - svg: art/a.svg\n    box: [-8, -8, 16, 16]\n  at: center\n  turn: 30\n",
    "text in art": "- svg: art/text.svg\n  box: trim\n",
    "gradients, clips, opacity": "- svg: art/a.svg\n  fit: cover\n",
    "text of all weights": "- text: Aa **Bb** *Cc* ***Dd***\n  box: safe\n  style: body\n",
    "small capitals": "- text: Small Capitals\n  box: safe\n  style: small\n",
}
ART = svg(
    "<defs><linearGradient id='g'><stop stop-color='#fc0'/><stop offset='1' stop-color='#06c'/></linearGradient>"
    "<clipPath id='c'><circle cx='5' cy='5' r='4'/></clipPath></defs>"
    "<rect width='10' height='10' fill='url(#g)'/><g clip-path='url(#c)' opacity='.6'><path d='M0 0L10 10H0z'/></g>"
)
TEXT = svg("<text x='1' y='6' font-family='Bungee' font-size='3'>Hey</text>")


@pytest.mark.parametrize("layout", DEMANDING_LAYOUTS)
def test_demanding_layout_prints_as_previewed(layout, tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    styles = (
        "  body: {font: Alegreya, size: 5mm}\n  small: {font: Alegreya, size: 5mm, caps: small}\n"
    )
    files = {"art/photo.jpg": photo(), "art/a.svg": ART, "art/text.svg": TEXT}
    pack = make(
        tmp_path / "pack",
        DEMANDING_LAYOUTS[layout],
        more=styles,
        component="back: mirror",
        files=files,
    )
    text = (pack / "game.yaml").read_text().replace("  body: {size: 3mm, colour: $ink}\n", "")
    (pack / "game.yaml").write_text(text)
    folder, preview = build_and_preview(pack.relative_to(tmp_path), pnp)
    assert assert_same(folder, preview, ["cards-one"], (40, 40)) == 2


def test_comparison_fails_for_different_faces(hoses, faces):
    """Make sure that the tests above can fail."""
    names = [f"tiles-{name}" for name in ids(TILES / "tiles.csv")]
    names[0], names[1] = names[1], names[0]
    with pytest.raises(AssertionError):
        assert_same(hoses, faces, names, (36, 36))
