"""What print shops make, the rows of `shops.toml`, and which of it a component is."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from generator.core.geometry import Size
from generator.core.outline import Outline
from generator.core.problems import Kind, Wrong
from generator.core.shapes import RECT
from generator.core.units import MM_PER_INCH, number
from generator.pack.game import Component

NEAR = 1.0
"""mm by which a piece may be smaller or larger than what a shop cuts: a tarot card of 120 mm is its 4¾ in."""

POINTED = {"hex": "hex pointed"}
"""What a shape is called that lies a quarter turn round."""


@dataclass(frozen=True)
class ShopSize:
    """Something that a shop makes: its pictures in pixels, with a bleed on each side, and its shape's row."""

    name: str
    title: str
    pixels: tuple[int, int]
    bleed: float
    dpi: int
    shape: str

    @property
    def full(self) -> Size:
        """The picture in mm."""
        return Size(*(side * MM_PER_INCH / self.dpi for side in self.pixels))

    @property
    def trim(self) -> Size:
        """What is cut, in mm."""
        return Size(*((side - 2 * self.bleed) * MM_PER_INCH / self.dpi for side in self.pixels))

    def __str__(self) -> str:
        return f"{self.title} ({number(self.trim.w)} × {number(self.trim.h)} mm)"


@dataclass(frozen=True)
class PrintShop:
    """A shop, its sizes, and the numbers of cards that it has prices for: the last is all that an order may hold."""

    name: str
    title: str
    sizes: tuple[ShopSize, ...]
    brackets: tuple[int, ...] = ()

    def size_for(self, component: Component) -> tuple[ShopSize, int]:
        """What a component is made as, and how fronts are turned for it: 0, or 90 degrees clockwise."""
        if component.make.name == "piece":
            for row in self.sizes:
                for turn in (0, 90):
                    if _is(component.outline, row, turn):
                        return row, turn
        raise self._refused(component)

    def _refused(self, component: Component) -> Wrong:
        def off(row: ShopSize) -> float:
            return min(_off(component.outline.size, row.trim.turned(turn)) for turn in (0, 90))

        found = f"{component.title}: {self.title} makes no {_called(component)} of {component.outline}"
        return Wrong(
            found,
            f"one of: {', '.join(row.title for row in self.sizes)}; the nearest is {min(self.sizes, key=off)}",
            "`size:` of the component, or --only with the components that it does make",
            Kind.FIT,
        )


def _called(component: Component) -> str:
    if component.make.name != "piece":
        return component.make.name
    return "rectangle" if _rectangle(component.outline) else component.outline.kind or "piece of its outline"


def _rectangle(outline: Outline) -> bool:
    return outline.is_box and not outline.is_circle


def _is(outline: Outline, row: ShopSize, turn: int) -> bool:
    alike = _rectangle(outline) if row.shape == RECT else outline.kind == (POINTED[row.shape] if turn else row.shape)
    return alike and _off(outline.size, row.trim.turned(turn)) <= NEAR


def _off(one: Size, other: Size) -> float:
    return max(abs(one.w - other.w), abs(one.h - other.h))


@cache
def shops() -> dict[str, PrintShop]:
    """All shops of the table, by name."""
    table = tomllib.loads((files(__package__) / "shops.toml").read_text(encoding="utf-8"))
    return {
        name: PrintShop(name, str(row["title"]), tuple(_sizes(row)), tuple(row.get("brackets", ())))
        for name, row in table.items()
    }


def _sizes(shop: dict[str, object]) -> list[ShopSize]:
    rows = shop["sizes"]
    bleed = float(str(shop["bleed"]))
    dpi = int(str(shop["dpi"]))
    if not isinstance(rows, dict):
        raise TypeError("sizes is a table")
    return [
        ShopSize(name, row["title"], (row["pixels"][0], row["pixels"][1]), bleed, dpi, row.get("shape", RECT))
        for name, row in rows.items()
    ]
