"""Make small packs, load them, and look at their pictures."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from fontTools.ttLib import TTFont
from PIL import Image

from generator.base.errors import PnpError
from generator.base.geometry import Rect
from generator.draw.draw import draw_game
from generator.pack.folder import Asset
from generator.pack.game import Game
from generator.pack.load import PackForm, load
from generator.picture.raster import Rasteriser
from generator.pipeline.vocabulary import vocabulary

FONTS = Path(__file__).parents[2] / "fonts"
GAME = """\
name: Small
version: "1"
palette: {{ink: "#20302a", red: "#ff0000", blue: "#0000ff"}}
styles:
  body: {{size: 3mm, colour: $ink}}
{more}
components:
  cards:
    title: Cards
    size: {size}
    data: cards.csv
    front: layouts/front.yaml
{component}
"""

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{view}">{body}</svg>'


def no_art(asset: Asset, _box: Rect) -> NoReturn:
    """Fail: links are drawn without picture files."""
    raise AssertionError(f"{asset.name} is drawn")


def svg(body: str, view: str = "0 0 10 10") -> str:
    return SVG.format(body=body, view=view)


def make(
    folder: Path,
    layout: str = "- fill: red\n",
    table: str | bytes = "id\none\n",
    more: str = "",
    component: str = "",
    size: str = "40mm",
    files: dict[str, str | bytes] | None = None,
) -> Path:
    """Write a pack of one component, by default 40 mm square with 3 mm of bleed, and return its folder."""
    below = "".join(f"    {line}\n" for line in component.splitlines())
    texts = {
        "game.yaml": GAME.format(more=more, size=size, component=below),
        "cards.csv": table,
        "layouts/front.yaml": layout,
        **(files or {}),
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def loaded(folder: Path, variant: str = "", language: str = "") -> Game:
    return load(folder, vocabulary(), PackForm(variant, language))


def problems(folder: Path, variant: str = "") -> str:
    """Return all messages of loading and drawing a pack; empty if it has no problems."""
    try:
        draw_game(loaded(folder, variant))
    except PnpError as error:
        return "\n".join(str(problem) for problem in error.problems).replace(
            f"{folder.as_posix()}/", ""
        )
    return ""


def renamed(source: str = "bungee/Bungee-Regular.ttf", family: str = "Pack Font") -> bytes:
    """Return the bytes of a bundled font under another family name."""
    font = TTFont(FONTS / source)
    for record in font["name"].names:
        if record.nameID in {1, 16}:
            font["name"].setName(
                family, record.nameID, record.platformID, record.platEncID, record.langID
            )
        elif record.nameID in {4, 6}:
            font["name"].setName(
                family.replace(" ", "-"),
                record.nameID,
                record.platformID,
                record.platEncID,
                record.langID,
            )
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


@dataclass(frozen=True)
class Picture:
    """A face with its bleed, ten pixels a millimetre."""

    image: Image.Image
    bleed: float

    def at(self, x: float, y: float) -> str:
        """Return the colour at a place in mm from the trim's top left, as `#rrggbb`; empty if it is unpainted."""
        r, g, b, alpha = self.image.getpixel(
            (int((x + self.bleed) * 10), int((y + self.bleed) * 10))
        )
        return f"#{r:02x}{g:02x}{b:02x}" if alpha > 127 else ""

    def box(self) -> tuple[float, float, float, float]:
        """Return the box of the painted part in mm: left, top, right, bottom."""
        return tuple(round(edge / 10 - self.bleed, 2) for edge in self.image.getbbox())


def render_design(folder: Path, side: str = "front", design: int = 0, variant: str = "") -> Picture:
    game = loaded(folder, variant)
    component = draw_game(game)[0]
    face = getattr(component.designs[design], side)
    return Picture(Rasteriser(game.fonts).face(face, 254), face.bleed)
