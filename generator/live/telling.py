"""The JSON for the page: plain data, never markup."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from generator.core.files import display
from generator.core.geometry import Rect
from generator.core.outline import Outline
from generator.core.problems import Problem
from generator.core.words import words_for
from generator.live.easel import LayerExtent
from generator.live.session import Card, LiveState, News
from generator.pack.game import Component, Game
from generator.pack.load import MAIN

JsonObject = dict[str, Any]


def state_to_json(state: LiveState) -> JsonObject:
    """Serialize a state."""
    return {
        "number": state.number,
        "game": game_to_json(state.game) if state.game else None,
        "components": [component_to_json(part) for part in state.game.components] if state.game else [],
        "cards": [card_to_json(card) for card in state.cards.values()],
        "problems": [problem_to_json(problem) for problem in state.problems],
        "notes": list(state.notes),
        "pulled": dict(state.pulled),
    }


def gallery_to_json(game: Game, cards: Sequence[Card], columns: Collection[str]) -> JsonObject:
    """Serialize a gallery page without a server: cards with the given columns, for players.

    Its pictures are in the page and have no bleed. Nothing of the machine that built it is included.
    """
    result = state_to_json(LiveState(1, game, {card.name: card for card in cards}))
    for card in result["cards"]:
        card |= {"where": "", "row": {name: text for name, text in card["row"].items() if name in columns}}
    for part in result["components"]:
        part |= {"bleed": 0, "columns": [name for name in part["columns"] if name in columns]}
    result["game"] |= {"path": "", "folder": ""}
    return {**result, "words": dict(words_for(game.language).page)}


def news_to_json(news: News) -> JsonObject:
    """Serialize the difference between two states; changed cards in full, the order only if it changed."""
    before = news.before
    now = news.now
    result: JsonObject = {"number": now.number, "problems": [problem_to_json(problem) for problem in now.problems]}
    cards = [card for name, card in now.cards.items() if _differs(before.cards.get(name), card)]
    gone = [name for name in before.cards if name not in now.cards]
    result["cards"], result["gone"] = [card_to_json(card) for card in cards], gone
    if before.pulled != now.pulled:
        result["pulled"] = dict(now.pulled)
    if list(before.cards) != list(now.cards):
        result["order"] = list(now.cards)
    if before.game is not now.game and now.game:
        result |= {"game": game_to_json(now.game), "notes": list(now.notes)}
        result["components"] = [component_to_json(part) for part in now.game.components]
    return result


def _differs(before: Card | None, now: Card) -> bool:
    if before is None or before != now:
        return True
    a = before.design
    b = now.design
    return a is not b and (a.where, a.title, a.count, a.row) != (b.where, b.title, b.count, b.row)


def game_to_json(game: Game) -> JsonObject:
    """Serialize the game for the head of the page."""
    return {
        "name": game.name,
        "slug": game.slug,
        "path": game.folder.resolve().as_posix(),
        "folder": display(game.folder / MAIN).removesuffix(MAIN),
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
    return {"points": [[_round(x), _round(y)] for x, y in outline.flat], "box": box_to_json(outline.box)}


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
        "sides": [_side_to_json(card, nth) for nth in range(len(card.sides))],
        "problems": [problem_to_json(problem) for problem in card.problems],
        "stale": card.stale,
    }


def _side_to_json(card: Card, nth: int) -> JsonObject:
    each = card.sides[nth]
    result: JsonObject = {"name": each.side.name, "key": each.key}
    if each.side.component.outline is not card.component.outline:
        result |= {"outline": outline_to_json(each.side.outline), "size": [_round(v) for v in each.side.outline.size]}
    return result


def problem_to_json(problem: Problem) -> JsonObject:
    """Serialize a problem with its text, file and line."""
    where = problem.where
    return {"text": str(problem), "file": where.file if where else "", "line": where.line if where else 0}


def layers_to_json(layers: Iterator[LayerExtent], kinds: Mapping[type, str]) -> list[JsonObject]:
    """Serialize the layers of a side, lowest first: kind, source and extent."""
    return [
        {
            "kind": kinds.get(type(each.at.layer), "layer"),
            "where": str(each.at.where),
            "ink": box_to_json(each.ink) if each.ink else None,
        }
        for each in layers
    ]


def _round(value: float) -> float:
    return round(value, 3)
