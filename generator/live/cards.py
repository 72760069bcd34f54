"""The cards that the live page and galleries show, and their JSON for the page's scripts."""

from dataclasses import dataclass, field
from typing import Any

from generator.base.errors import Problem
from generator.base.files import display
from generator.base.geometry import Rect
from generator.base.outline import Outline
from generator.draw.draw import DesignSide
from generator.pack.folder import GAME_FILE
from generator.pack.game import Component, Design, Game

JsonObject = dict[str, Any]


@dataclass(frozen=True)
class CardSide:
    """A side of a displayed card, and the key of its picture."""

    side: DesignSide = field(compare=False)
    key: str


@dataclass(frozen=True)
class Card:
    """A displayed design with its problems; `stale` is True if the picture is the last good one."""

    component: Component = field(compare=False)
    design: Design = field(compare=False)
    sides: tuple[CardSide, ...]
    problems: tuple[Problem, ...] = ()
    stale: bool = False

    @property
    def name(self) -> str:
        """The name of the card on the page, `component:design`."""
        return f"{self.component.id}:{self.design.id}"


def game_to_json(game: Game) -> JsonObject:
    """Serialize the game for the head of the page."""
    return {
        "name": game.name,
        "slug": game.slug,
        "path": game.folder.resolve().as_posix(),
        "folder": display(game.folder / GAME_FILE).removesuffix(GAME_FILE),
        "edition": game.edition(),
        "language": game.language,
        "variant": game.variant,
        "palette": dict(game.palette),
        "rules": game.rules is not None,
        "papers": [paper.name for paper in game.print.papers],
    }


def component_to_json(part: Component) -> JsonObject:
    """Serialize a component; lengths in mm."""
    columns = dict.fromkeys(column for design in part.designs for column in design.row)
    return {
        "id": part.id,
        "title": part.title,
        "size": [_round(length) for length in part.outline.size],
        "bleed": part.bleed,
        "safe": part.safe,
        "outline": outline_to_json(part.outline),
        "behind": outline_to_json(part.behind),
        "within": outline_to_json(part.outline.shrunk(part.safe)) if part.safe else None,
        "count": part.count,
        "make": part.make.name,
        "columns": list(columns),
    }


def outline_to_json(outline: Outline | None) -> JsonObject | None:
    """Serialize an outline as a polygon, within 0.005 mm of its curves."""
    if outline is None:
        return None
    return {
        "points": [[_round(x), _round(y)] for x, y in outline.flat],
        "box": box_to_json(outline.box),
    }


def box_to_json(box: Rect) -> list[float]:
    """Serialize a box as left, top, width and height."""
    return [_round(value) for value in box]


def card_to_json(card: Card) -> JsonObject:
    """Serialize a card with its sides, each with the key of its picture."""
    design = card.design
    return {
        "name": card.name,
        "component": card.component.id,
        "id": design.id,
        "title": design.title,
        "count": design.count,
        "where": str(design.where),
        "row": dict(design.row),
        "sides": [_card_side_to_json(card, index) for index in range(len(card.sides))],
        "problems": [problem_to_json(problem) for problem in card.problems],
        "stale": card.stale,
    }


def _card_side_to_json(card: Card, index: int) -> JsonObject:
    card_side = card.sides[index]
    result: JsonObject = {"name": card_side.side.name, "key": card_side.key}
    if card_side.side.component.outline is not card.component.outline:
        result |= {
            "outline": outline_to_json(card_side.side.outline),
            "size": [_round(v) for v in card_side.side.outline.size],
        }
    return result


def problem_to_json(problem: Problem) -> JsonObject:
    """Serialize a problem with its text, file and line."""
    where = problem.where
    return {
        "text": str(problem),
        "file": where.file if where else "",
        "line": where.line if where else 0,
    }


def _round(value: float) -> float:
    return round(value, 3)
