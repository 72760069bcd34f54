"""The products of print shops, read from `shops.toml`, and the product that suits a component."""

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

# A piece may be this much smaller or larger than the product: a tarot card of 120 mm is sold as 4¾ in.
SIZE_TOLERANCE_MM = 1.0

# The name of a shape after a quarter turn.
SHAPE_AFTER_TURN = {"hex": "hex pointed"}


@dataclass(frozen=True)
class ShopSize:
    """A product of a shop: the size of its pictures in pixels, the bleed on each side in pixels, and its shape."""

    name: str
    title: str
    pixels: tuple[int, int]
    bleed: float
    dpi: int
    shape: str

    @property
    def full(self) -> Size:
        """The size of the picture in mm."""
        return Size(*(side * MM_PER_INCH / self.dpi for side in self.pixels))

    @property
    def trim(self) -> Size:
        """The trim size in mm."""
        return Size(*((side - 2 * self.bleed) * MM_PER_INCH / self.dpi for side in self.pixels))

    def __str__(self) -> str:
        return f"{self.title} ({number(self.trim.w)} × {number(self.trim.h)} mm)"


@dataclass(frozen=True)
class PrintShop:
    """A shop and its products.

    `brackets` are the numbers of cards with a price of their own; the last is the most that an order can have.
    """

    name: str
    title: str
    sizes: tuple[ShopSize, ...]
    brackets: tuple[int, ...] = ()

    def size_for(self, component: Component) -> tuple[ShopSize, int]:
        """Return the product for a component, and the turn of fronts: 0 or 90 degrees clockwise.

        Raise `Wrong`, which names the nearest product, if there is none.
        """
        if component.make.name == "piece":
            for row in self.sizes:
                for turn in (0, 90):
                    if _suits(component.outline, row, turn):
                        return row, turn
        raise self._no_product(component)

    def _no_product(self, component: Component) -> Wrong:
        def off(row: ShopSize) -> float:
            return min(_size_difference(component.outline.size, row.trim.turned(turn)) for turn in (0, 90))

        found = f"{component.title}: {self.title} has no {_describe_shape(component)} of {component.outline}"
        return Wrong(
            found,
            f"one of: {', '.join(row.title for row in self.sizes)}; the nearest is {min(self.sizes, key=off)}",
            "`size:` of the component, or --only with the components that it has a product for",
            Kind.FIT,
        )


def _describe_shape(component: Component) -> str:
    """Return the kind of piece for a message."""
    if component.make.name != "piece":
        return component.make.name
    return "rectangle" if _is_rectangle(component.outline) else component.outline.kind or "piece of its outline"


def _is_rectangle(outline: Outline) -> bool:
    return outline.is_box and not outline.is_circle


def _suits(outline: Outline, row: ShopSize, turn: int) -> bool:
    """Return True if a product suits an outline, turned by 0 or 90 degrees."""
    alike = (
        _is_rectangle(outline)
        if row.shape == RECT
        else outline.kind == (SHAPE_AFTER_TURN[row.shape] if turn else row.shape)
    )
    return alike and _size_difference(outline.size, row.trim.turned(turn)) <= SIZE_TOLERANCE_MM


def _size_difference(one: Size, other: Size) -> float:
    """Return the larger difference of width and height in mm."""
    return max(abs(one.w - other.w), abs(one.h - other.h))


@cache
def shops() -> dict[str, PrintShop]:
    """Return all shops by name."""
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
