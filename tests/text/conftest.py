"""Fixtures that render a block of text and find its ink, by resvg, or by typst and PDFium."""

import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
import typst
from PIL import Image
from resvg import render, usvg

from generator.base.fonts import FontSet, font_set, read_font
from generator.base.geometry import Rect
from generator.picture.items import TextRun
from generator.text import Block, set_text
from generator.text.style import Style

FONTS = Path(__file__).parents[1] / "data" / "fonts"
DPI = 300
FAINT = 16
"""The level of 255 above which a pixel counts as ink: a sixteenth of it is covered."""


def text_element(run: TextRun) -> str:
    """Return a run as one SVG element.

    The family is quoted because `Baloo 2` is not a valid name in CSS otherwise.
    """
    font = run.font
    return (
        f'<text x="{run.x:.4f}" y="{run.y:.4f}" font-family="\'{font.family}\'" font-size="{run.size:.4f}"'
        f' font-weight="{font.weight}" font-style="{"italic" if font.italic else "normal"}" fill="{run.colour}"'
        + (f' letter-spacing="{run.spacing:.4f}"' if run.spacing else "")
        + (' font-variant="small-caps"' if run.small_caps else "")
        + f' xml:space="preserve">{escape(run.text)}</text>'
    )


@dataclass(frozen=True)
class Page:
    """A page in mm whose width and height are whole numbers of pixels."""

    width: int
    height: int
    dpi: int = DPI

    @property
    def pixel(self) -> float:
        return 25.4 / self.dpi

    def svg(self, body: str) -> str:
        view = f"0 0 {self.width * self.pixel:.6f} {self.height * self.pixel:.6f}"
        size = f'width="{self.width}" height="{self.height}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{view}">{body}</svg>'

    def ink(self, alpha: np.ndarray) -> Rect | None:
        inked = alpha > FAINT
        rows, columns = (np.flatnonzero(inked.any(axis=axis)) for axis in (1, 0))
        if not len(rows):
            return None
        edges = (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)
        return Rect.between(*(float(edge) * self.pixel for edge in edges))


def page_of(w: float, h: float, dpi: int = DPI) -> Page:
    return Page(round(w * dpi / 25.4), round(h * dpi / 25.4), dpi)


def body_of(block: Block) -> str:
    icons = "".join(
        f'<rect x="{i.box.x:.4f}" y="{i.box.y:.4f}" width="{i.box.w:.4f}" height="{i.box.h:.4f}" fill="{i.colour}"/>'
        for i in block.icons
    )
    return icons + "".join(map(text_element, block.runs))


@dataclass(frozen=True)
class Drawer:
    """A renderer of SVG bodies that finds their ink."""

    fonts: FontSet
    options: usvg.Options

    page = staticmethod(page_of)
    element = staticmethod(text_element)
    body = staticmethod(body_of)

    def picture(self, body: str, page: Page) -> Image.Image:
        png = render(usvg.Tree.from_str(page.svg(body), self.options), (1, 0, 0, 0, 1, 0))
        return Image.open(io.BytesIO(bytes(png))).convert("RGBA")

    def ink(self, body: str, page: Page) -> Rect | None:
        return page.ink(np.array(self.picture(body, page))[..., 3])

    def printed_ink(self, body: str, page: Page) -> Rect | None:
        w = page.width * page.pixel
        h = page.height * page.pixel
        main = f'#set page(width: {w}mm, height: {h}mm, margin: 0mm)\n#image("f.svg", width: {w}mm, height: {h}mm)'
        pdf = typst.compile(
            {"main": main.encode(), "f.svg": page.svg(body).encode()},
            font_paths=[str(folder) for folder in self.fonts.folders],
            ignore_system_fonts=True,
            format="pdf",
        )
        document = pypdfium2.PdfDocument(pdf)
        grey = document[0].render(scale=page.dpi / 72).to_pil().convert("L")
        document.close()
        return page.ink(255 - np.array(grey))


@pytest.fixture(scope="session")
def fonts() -> FontSet:
    return font_set([read_font(path) for path in sorted(FONTS.glob("*.ttf"))])


@pytest.fixture(scope="session")
def drawer(fonts: FontSet) -> Drawer:
    options = usvg.Options.default()
    for folder in fonts.folders:
        options.load_fonts_dir(str(folder))
    return Drawer(fonts, options)


@pytest.fixture(scope="session")
def put(fonts: FontSet) -> Callable[..., Block]:
    """Return a function that sets a text, with defaults for all settings."""

    def setter(
        text: str, box: tuple[float, float, float, float] = (5, 5, 60, 40), **settings: object
    ) -> Block:
        lang = str(settings.pop("lang", "en"))
        minimum = settings.pop("minimum", None)
        icons = settings.pop("icons", {"sword": 1.0, "shield": 0.8, "banner": 2.0})
        style = replace(Style(), **settings)  # type: ignore[arg-type]
        return set_text(text, style, Rect(*box), fonts, icons=icons, lang=lang, minimum=minimum)  # type: ignore[arg-type]

    return setter
