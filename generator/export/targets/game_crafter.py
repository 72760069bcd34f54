"""Export to The Game Crafter: pictures of each component, in a folder named after the shop's product."""

from collections.abc import Iterator

from generator.base.files import Outbox
from generator.export import Written
from generator.export.shops import load_shops, shop_decks
from generator.export.targets import select_chosen
from generator.pipeline.project import Project


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """Write the pictures; a back that all designs of a component share is written once."""
    decks = shop_decks(load_shops()["game-crafter"], select_chosen(project))
    with project.watch.stage("pictures", len(decks)) as tick:
        for done, deck in enumerate(decks, 1):
            for name, data in deck.files(project.raster):
                outbox.write(f"{deck.folder}/{name}", data)
            tick(done)
            about = f"{deck.component.spec.title}: {deck.size.title}, {deck.count} cards"
            yield Written(outbox.folder / deck.folder, about, deck.notices)
