"""Export to DriveThruCards: a PDF/X-1a for each component.

The back of each piece precedes its front.
"""

from collections.abc import Iterator

from generator.base.files import Outbox
from generator.base.units import MM_PER_INCH
from generator.export import Written
from generator.export.shops import load_shops, shop_decks
from generator.export.targets import select_chosen
from generator.export.targets.press import PressPages, order_backs_first, write_pages
from generator.pdf.press.pdfx import STANDARDS
from generator.pipeline.project import Project


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """Write a file for each component; a piece without a back gets a blank page."""
    for deck in shop_decks(load_shops()["drive-thru-cards"], select_chosen(project)):
        bleed = deck.size.bleed * MM_PER_INCH / deck.size.dpi
        sides = order_backs_first(deck.component.designs)
        trim = deck.size.trim.turned(deck.turn)
        yield from write_pages(
            project, outbox, PressPages(deck.component, trim, bleed, sides), STANDARDS["x-1a"]
        )
