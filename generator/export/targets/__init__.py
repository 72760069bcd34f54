"""Exports for print shops, virtual tables and presses: the table of them, and helpers that several share."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.draw.draw import DrawnComponent, DrawnDesign
    from generator.pipeline.project import Project


@dataclass(frozen=True)
class Target:
    """A target: its description, and its own options of `pnp export`.

    `writer` is the function that takes a project and an outbox, as `module.function`; if it is
    empty, `write` of the module with the target's name.
    """

    what: str
    options: tuple[str, ...] = ()
    writer: str = ""


# Every target by name.
TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        "game-crafter": Target(
            "pictures for The Game Crafter, a folder for each component",
            writer="print_shops.write_game_crafter",
        ),
        "make-playing-cards": Target(
            "pictures for MakePlayingCards, with an order file for the public order tool",
            writer="print_shops.write_make_playing_cards",
        ),
        "tabletop-simulator": Target(
            "a saved object of decks, bags, boards and rules, and its pictures", ("url", "setup")
        ),
        "playingcards-io": Target("a room for playingcards.io with a deck for each component"),
        "virtual-table": Target(
            "pictures and sheets for Screentop, Tabletopia and other tables on the web",
            writer="grids.write_virtual_table",
        ),
        "drive-thru-cards": Target(
            "a PDF/X-1a for DriveThruCards, backs before faces",
            ("profile", "black"),
            writer="print_shops.write_drive_thru_cards",
        ),
        "press": Target("a PDF/X-4 for a press, a face a page with bleed", ("profile", "black")),
        "labels": Target("a PDF for pre-cut sheets of cards or labels", ("template", "skip")),
        "shop-page": Target(
            "pictures for a shop's page: a fan, a stack, a table, a turning card, the box"
        ),
    }
)


@dataclass(frozen=True)
class TargetOptions:
    """The options of `pnp export` for targets."""

    url: str = ""
    profile: str = ""
    black: str = "plain"
    template: str = "avery-5371"
    skip: int = 0
    setup: str = ""


def writer_name(target: str) -> str:
    """Return the path of a target's writer, from the package of all outputs."""
    return f"targets.{TARGETS[target].writer or target.replace('-', '_') + '.write'}"


def select_chosen(project: "Project") -> tuple["DrawnComponent", ...]:
    """Return the chosen components with the chosen designs, without designs of no pieces.

    Raise `PnpError` if there are none.
    """
    from generator.pipeline.printing import select_components

    named = select_components(project.components, project.print_options.only)
    components = (
        replace(
            part,
            designs=tuple(
                design
                for design in part.designs
                if design.count and (part.spec.id, design.id) in named
            ),
        )
        for part in project.components
    )
    chosen = tuple(component for component in components if component.designs)
    if not chosen:
        raise project.make_empty_error("export")
    return chosen


def note_first_faces(component: "DrawnComponent") -> tuple[str, ...]:
    """Return a note on dice and boxes, of which a table that knows only fronts and backs shows one face."""
    spec = component.spec
    if not any(design.more for design in component.designs):
        return ()
    return (f"{spec.title}: only the first face of each {spec.make.name} is shown",)


def repeat_pieces(designs: Iterable["DrawnDesign"]) -> Iterator["DrawnDesign"]:
    """Yield every design as often as it has pieces."""
    return (design for design in designs for _ in range(design.count))
