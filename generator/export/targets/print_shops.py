"""Exports to print shops: their products, read from `print_shops.toml`, and the product that suits a component.

- The Game Crafter: pictures of each component, in a folder named after the shop's product.
- MakePlayingCards: pictures, and orders for the public order tool. An order has at most 612 cards, all of one size; a
  component with more cards is split into several orders.
- DriveThruCards: a PDF/X-1a for each component. The back of each piece precedes its front.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from PIL import Image

from generator.base.errors import InvalidValueError, Kind, Reporter
from generator.base.files import Outbox
from generator.base.geometry import Size
from generator.base.outline import Outline
from generator.base.shapes import RECT
from generator.base.units import MM_PER_INCH, format_count, number
from generator.draw.draw import DrawnComponent
from generator.export import WrittenFile
from generator.export.face_images import WHITE, encode_sized_png, extend_edges
from generator.export.face_names import BACK, FRONT
from generator.export.targets import select_chosen
from generator.export.targets.press import PressPages, order_backs_first, write_pages
from generator.pack.game import Component
from generator.pdf.press.pdfx import STANDARDS
from generator.picture.face import Face
from generator.picture.raster import Rasteriser
from generator.pipeline.project import Project

MAKE_PLAYING_CARDS = "make-playing-cards"
# The card stock of orders, by its name in MakePlayingCards' order tool.
STOCK = "(S30) Standard Smooth"
BLANK = "blank-back.png"

# A piece may be this much smaller or larger than the product: a tarot card of 120 mm is sold as 4¾
# in.
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

    `brackets` are the numbers of cards with a price of their own; the last is the most that an
    order can have.
    """

    name: str
    title: str
    sizes: tuple[ShopSize, ...]
    brackets: tuple[int, ...] = ()

    def size_for(self, component: Component) -> tuple[ShopSize, int]:
        """Return the product for a component, and the turn of fronts: 0 or 90 degrees clockwise.

        Raise `InvalidValueError`, which names the nearest product, if there is none.
        """
        if component.make.name == "piece":
            for row in self.sizes:
                for turn in (0, 90):
                    if _fits(component.outline, row, turn):
                        return row, turn
        raise self._no_product(component)

    def _no_product(self, component: Component) -> InvalidValueError:
        def difference(row: ShopSize) -> float:
            return min(
                _size_difference(component.outline.size, row.trim.turned(turn)) for turn in (0, 90)
            )

        found = f"{component.title}: {self.title} has no {_describe_shape(component)} of {component.outline}"
        return InvalidValueError(
            found,
            f"one of: {', '.join(row.title for row in self.sizes)}; the nearest is {min(self.sizes, key=difference)}",
            "`size:` of the component, or --only with the components that it has a product for",
            Kind.FIT,
        )


def _describe_shape(component: Component) -> str:
    """Return the kind of piece for a message."""
    if component.make.name != "piece":
        return component.make.name
    return (
        "rectangle"
        if component.outline.is_rectangle
        else component.outline.kind or "piece of its outline"
    )


def _fits(outline: Outline, row: ShopSize, turn: int) -> bool:
    """Return True if a product suits an outline, turned by 0 or 90 degrees."""
    has_shape = (
        outline.is_rectangle
        if row.shape == RECT
        else outline.kind == (SHAPE_AFTER_TURN[row.shape] if turn else row.shape)
    )
    return has_shape and _size_difference(outline.size, row.trim.turned(turn)) <= SIZE_TOLERANCE_MM


def _size_difference(one: Size, other: Size) -> float:
    """Return the larger difference of width and height in mm."""
    return max(abs(one.w - other.w), abs(one.h - other.h))


@cache
def load_shops() -> dict[str, PrintShop]:
    """Return all shops by name."""
    table = tomllib.loads((files(__package__) / "print_shops.toml").read_text(encoding="utf-8"))
    return {
        name: PrintShop(name, row["title"], tuple(_read_sizes(row)), tuple(row.get("brackets", ())))
        for name, row in table.items()
    }


def _read_sizes(shop: Mapping[str, Any]) -> Iterator[ShopSize]:
    for name, row in shop["sizes"].items():
        width, height = row["pixels"]
        shape = row.get("shape", RECT)
        yield ShopSize(name, row["title"], (width, height), shop["bleed"], shop["dpi"], shape)


# A bleed or trim may be off by this much without a note.
NOTE_TOLERANCE_MM = 0.5

# Pillow turns anticlockwise; the keys are degrees clockwise.
ROTATIONS = {90: Image.Transpose.ROTATE_270, -90: Image.Transpose.ROTATE_90}


@dataclass(frozen=True)
class ShopDeck:
    """The designs of a component, the shop's product, and the turn of the fronts in degrees clockwise."""

    component: DrawnComponent
    size: ShopSize
    turn: int

    @property
    def folder(self) -> str:
        """The folder of the pictures, such as `cards-poker`."""
        return f"{self.component.spec.id}-{self.size.name}"

    @property
    def count(self) -> int:
        """The number of cards."""
        return sum(design.count for design in self.component.designs)

    @property
    def shared_back(self) -> Face | None:
        """The back, if all designs have the same one."""
        backs = [design.back for design in self.component.designs]
        return backs[0] if len({back and back.name for back in backs}) == 1 else None

    def name(self, index: int, side: str) -> str:
        """Return the file name of a side of the design at `index`."""
        design = self.component.designs[index]
        if side == BACK and self.shared_back:
            return "back.png"
        return f"{index + 1:03}-{design.id}-x{design.count}-{side}.png"

    def files(self, raster: Rasteriser) -> Iterator[tuple[str, bytes]]:
        """Yield every picture once, with its name."""
        for index, design in enumerate(self.component.designs):
            yield self.name(index, FRONT), self._picture(raster, design.front, self.turn)
            if design.back and not (index and self.shared_back):
                yield self.name(index, BACK), self._picture(raster, design.back, -self.turn)

    def blank(self) -> bytes:
        """Return a white back."""
        return encode_sized_png(Image.new("RGB", self.size.pixels, WHITE), self.size.dpi)

    def _picture(self, raster: Rasteriser, face: Face, turn: int) -> bytes:
        w, h = self.size.pixels
        image = extend_edges(raster, face, (h, w) if turn else (w, h), self.size.dpi)
        return encode_sized_png(image.transpose(ROTATIONS[turn]) if turn else image, self.size.dpi)

    @property
    def notices(self) -> tuple[str, ...]:
        """Notes to read before ordering."""
        return tuple(self._notices())

    def _notices(self) -> Iterator[str]:
        spec = self.component.spec
        wanted_bleed = self.size.bleed * MM_PER_INCH / self.size.dpi
        if spec.bleed < wanted_bleed - NOTE_TOLERANCE_MM:
            short = (
                f"a bleed of {number(spec.bleed)} mm where the shop wants {number(wanted_bleed)} mm"
            )
            yield f"{spec.title}: {short}; the outermost pixels are repeated outwards"
        card_size = spec.outline.size.turned(self.turn)
        cut = self.size.trim
        if max(abs(card_size.w - cut.w), abs(card_size.h - cut.h)) > NOTE_TOLERANCE_MM:
            yield f"{spec.title}: drawn for {spec.outline}, cut as {self.size}"
        if self.turn:
            yield f"{spec.title}: the shop's cards are upright: fronts are turned clockwise, backs anticlockwise"


def shop_decks(shop: PrintShop, components: tuple[DrawnComponent, ...]) -> tuple[ShopDeck, ...]:
    """Return all components in the shop's products; raise an error that lists those without one."""
    report = Reporter()
    decks = []
    for component in components:
        with report.at(None):
            decks.append(ShopDeck(component, *shop.size_for(component.spec)))
    report.raise_any()
    return tuple(decks)


def write_game_crafter(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write the pictures; a back that all designs of a component share is written once."""
    decks = shop_decks(load_shops()["game-crafter"], select_chosen(project))
    for deck in project.watch.stage_of("pictures", decks):
        for name, data in deck.files(project.raster):
            outbox.write(f"{deck.folder}/{name}", data)
        about = (
            f"{deck.component.spec.title}: {deck.size.title}, {format_count(deck.count, 'card')}"
        )
        yield WrittenFile(outbox.folder / deck.folder, about, deck.notices)


def write_drive_thru_cards(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write a file for each component; a piece without a back gets a blank page."""
    for deck in shop_decks(load_shops()["drive-thru-cards"], select_chosen(project)):
        bleed = deck.size.bleed * MM_PER_INCH / deck.size.dpi
        sides = order_backs_first(deck.component.designs)
        trim = deck.size.trim.turned(deck.turn)
        yield from write_pages(
            project, outbox, PressPages(deck.component, trim, bleed, sides), STANDARDS["x-1a"]
        )


def write_make_playing_cards(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write the pictures and orders of each component."""
    decks = shop_decks(load_shops()[MAKE_PLAYING_CARDS], select_chosen(project))
    for deck in project.watch.stage_of("pictures", decks):
        yield from _write_orders(project, deck, outbox)


def _write_orders(project: Project, deck: ShopDeck, outbox: Outbox) -> Iterator[WrittenFile]:
    for name, data in deck.files(project.raster):
        outbox.write(f"{deck.folder}/{name}", data)
    designs = deck.component.designs
    notices = deck.notices
    if not all(design.back for design in designs):
        outbox.write(f"{deck.folder}/{BLANK}", deck.blank())
        notices += (
            f"{deck.component.spec.title}: the shop prints both sides, so pieces without a back get a white one",
        )
    cards = [index for index, design in enumerate(designs) for _ in range(design.count)]
    max_cards = load_shops()[MAKE_PLAYING_CARDS].brackets[-1]
    parts = [cards[at : at + max_cards] for at in range(0, len(cards), max_cards)]
    for index, part in enumerate(parts, 1):
        name = f"order-{index}.xml" if len(parts) > 1 else "order.xml"
        about = f"{deck.component.spec.title}: {deck.size.title}, {format_count(len(part), 'card')}"
        yield WrittenFile(
            outbox.write(f"{deck.folder}/{name}", _write_order(deck, part)), about, notices
        )


def _write_order(deck: ShopDeck, cards: Sequence[int]) -> bytes:
    """Return an order of the designs at these indices, each a card.

    Its pictures are next to the order file.
    """
    order = Element("order")
    details = SubElement(order, "details")
    bracket = next(size for size in load_shops()[MAKE_PLAYING_CARDS].brackets if size >= len(cards))
    for key, value in (
        ("quantity", len(cards)),
        ("bracket", bracket),
        ("stock", STOCK),
        ("foil", "false"),
    ):
        SubElement(details, key).text = str(value)
    _add_cards(deck, SubElement(order, "fronts"), FRONT, cards)
    common = deck.name(0, BACK) if deck.shared_back else BLANK
    own_backs = [
        index if not deck.shared_back and deck.component.designs[index].back else None
        for index in cards
    ]
    if any(index is not None for index in own_backs):
        _add_cards(deck, SubElement(order, "backs"), BACK, own_backs)
        common = _first_back(deck)
    SubElement(order, "cardback").text = common
    indent(order)
    xml: bytes = tostring(order, "utf-8", xml_declaration=True)
    return xml + b"\n"


def _first_back(deck: ShopDeck) -> str:
    """Return the back of cards that name none: the blank one if there are any."""
    return deck.name(0, BACK) if all(design.back for design in deck.component.designs) else BLANK


def _add_cards(deck: ShopDeck, side: Element, which: str, cards: Sequence[int | None]) -> None:
    for index in dict.fromkeys(index for index in cards if index is not None):
        card = SubElement(side, "card")
        name = deck.name(index, which)
        slots = ",".join(str(slot) for slot, card_index in enumerate(cards) if card_index == index)
        for key, value in (
            ("id", name),
            ("slots", slots),
            ("name", name),
            ("query", deck.component.designs[index].title),
        ):
            SubElement(card, key).text = value
