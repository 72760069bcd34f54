"""MakePlayingCards: pictures of each component, and orders in the form that the public order tool reads.

An order holds at most 612 cards, all of one size; a component with more of them becomes several orders.
"""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from generator.app.project import Project
from generator.core.files import Outbox
from generator.export import Written
from generator.export.targets import wanted
from generator.preview.decks import ShopDeck, shop_decks
from generator.preview.gallery import BACK, FRONT
from generator.preview.shops import shops

SHOP = "make-playing-cards"
STOCK = "(S30) Standard Smooth"
BLANK = "blank-back.png"


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """The pictures and the orders of each component."""
    decks = shop_decks(shops()[SHOP], wanted(project))
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
        notices += (f"{deck.component.spec.title}: the shop prints both sides, so what has no back gets a white one",)
    cards = [nth for nth, design in enumerate(designs) for _ in range(design.count)]
    most = shops()[SHOP].brackets[-1]
    parts = [cards[at : at + most] for at in range(0, len(cards), most)]
    for number, part in enumerate(parts, 1):
        name = f"order-{number}.xml" if len(parts) > 1 else "order.xml"
        about = f"{deck.component.spec.title}: {deck.size.title}, {len(part)} cards"
        yield Written(outbox.write(f"{deck.folder}/{name}", _order(deck, part)), about, notices)


def _order(deck: ShopDeck, cards: Sequence[int]) -> bytes:
    """An order of the designs of these numbers, each a card; files are named as they lie beside it."""
    order = Element("order")
    details = SubElement(order, "details")
    bracket = next(size for size in shops()[SHOP].brackets if size >= len(cards))
    for key, value in (("quantity", len(cards)), ("bracket", bracket), ("stock", STOCK), ("foil", "false")):
        SubElement(details, key).text = str(value)
    _side(deck, SubElement(order, "fronts"), FRONT, cards)
    common = deck.name(0, BACK) if deck.shared_back else BLANK
    own = [nth if not deck.shared_back and deck.component.designs[nth].back else None for nth in cards]
    if any(nth is not None for nth in own):
        _side(deck, SubElement(order, "backs"), BACK, own)
        common = _first_back(deck)
    SubElement(order, "cardback").text = common
    indent(order)
    made: bytes = tostring(order, "utf-8", xml_declaration=True)
    return made + b"\n"


def _first_back(deck: ShopDeck) -> str:
    """What lies behind cards that name no back: the blank one where there are such."""
    return deck.name(0, BACK) if all(design.back for design in deck.component.designs) else BLANK


def _side(deck: ShopDeck, side: Element, which: str, cards: Sequence[int | None]) -> None:
    for nth in dict.fromkeys(nth for nth in cards if nth is not None):
        card = SubElement(side, "card")
        name = deck.name(nth, which)
        slots = ",".join(str(slot) for slot, lies in enumerate(cards) if lies == nth)
        for key, value in (
            ("id", name),
            ("slots", slots),
            ("name", name),
            ("query", deck.component.designs[nth].title),
        ):
            SubElement(card, key).text = value
