"""Exports for print shops, virtual tables and presses: one module for each target, and the table of them.

Each module has a `write` that takes a project and an outbox, as every output has.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.draw.draw import DrawnComponent, DrawnDesign
    from generator.pipeline.project import Project


@dataclass(frozen=True)
class Target:
    """A target: its description, and its own options of `pnp export`."""

    what: str
    options: tuple[str, ...] = ()


# Every target by name; with underscores, the name is that of its module here.
TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        "game-crafter": Target("pictures for The Game Crafter, a folder for each component"),
        "make-playing-cards": Target(
            "pictures for MakePlayingCards, with an order file for the public order tool"
        ),
        "tabletop-simulator": Target(
            "a saved object of decks, bags, boards and rules, and its pictures", ("url", "setup")
        ),
        "playingcards-io": Target("a room for playingcards.io with a deck for each component"),
        "virtual-table": Target(
            "pictures and sheets for Screentop, Tabletopia and other tables on the web"
        ),
        "drive-thru-cards": Target(
            "a PDF/X-1a for DriveThruCards, backs before faces", ("profile", "black")
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


def module_name(target: str) -> str:
    """Return the name of a target's module, relative to the outputs."""
    return f"targets.{target.replace('-', '_')}"


def select_chosen(project: "Project") -> tuple["DrawnComponent", ...]:
    """Return the chosen components with the chosen designs, without designs of no pieces."""
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
    return tuple(component for component in components if component.designs)


def repeat_pieces(designs: Iterable["DrawnDesign"]) -> Iterator["DrawnDesign"]:
    """Yield every design as often as it has pieces."""
    return (design for design in designs for _ in range(design.count))
