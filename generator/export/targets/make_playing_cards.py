"""Export to MakePlayingCards: pictures, and orders for the public order tool.

An order has at most 612 cards, all of one size; a component with more cards is split into several
orders.
"""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from generator.base.files import Outbox
from generator.export import Written
from generator.export.pictures import BACK, FRONT
from generator.export.shops import ShopDeck, load_shops, shop_decks
from generator.export.targets import select_chosen
from generator.pipeline.project import Project

SHOP = "make-playing-cards"
STOCK = "(S30) Standard Smooth"
BLANK = "blank-back.png"


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """Write the pictures and orders of each component."""
    decks = shop_decks(load_shops()[SHOP], select_chosen(project))
    with project.watch.stage("pictures", len(decks)) as tick:
        for done, deck in enumerate(decks, 1):
            yield from _deck(project, deck, outbox)
            tick(done)


def _deck(project: Project, deck: ShopDeck, outbox: Outbox) -> Iterator[Written]:
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
    max_cards = load_shops()[SHOP].brackets[-1]
    parts = [cards[at : at + max_cards] for at in range(0, len(cards), max_cards)]
    for number, part in enumerate(parts, 1):
        name = f"order-{number}.xml" if len(parts) > 1 else "order.xml"
        about = f"{deck.component.spec.title}: {deck.size.title}, {len(part)} cards"
        yield Written(outbox.write(f"{deck.folder}/{name}", _order(deck, part)), about, notices)


def _order(deck: ShopDeck, cards: Sequence[int]) -> bytes:
    """Return an order of the designs at these indices, each a card.

    Its pictures are next to the order file.
    """
    order = Element("order")
    details = SubElement(order, "details")
    bracket = next(size for size in load_shops()[SHOP].brackets if size >= len(cards))
    for key, value in (
        ("quantity", len(cards)),
        ("bracket", bracket),
        ("stock", STOCK),
        ("foil", "false"),
    ):
        SubElement(details, key).text = str(value)
    _side(deck, SubElement(order, "fronts"), FRONT, cards)
    common = deck.name(0, BACK) if deck.shared_back else BLANK
    own_backs = [
        index if not deck.shared_back and deck.component.designs[index].back else None
        for index in cards
    ]
    if any(index is not None for index in own_backs):
        _side(deck, SubElement(order, "backs"), BACK, own_backs)
        common = _first_back(deck)
    SubElement(order, "cardback").text = common
    indent(order)
    xml: bytes = tostring(order, "utf-8", xml_declaration=True)
    return xml + b"\n"


def _first_back(deck: ShopDeck) -> str:
    """Return the back of cards that name none: the blank one if there are any."""
    return deck.name(0, BACK) if all(design.back for design in deck.component.designs) else BLANK


def _side(deck: ShopDeck, side: Element, which: str, cards: Sequence[int | None]) -> None:
    for index in dict.fromkeys(index for index in cards if index is not None):
        card = SubElement(side, "card")
        name = deck.name(index, which)
        slots = ",".join(str(slot) for slot, lies in enumerate(cards) if lies == index)
        for key, value in (
            ("id", name),
            ("slots", slots),
            ("name", name),
            ("query", deck.component.designs[index].title),
        ):
            SubElement(card, key).text = value
