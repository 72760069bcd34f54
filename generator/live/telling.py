"""The JSON for the page: plain data, never markup."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from generator.core.files import display
from generator.core.geometry import Rect
from generator.core.outline import Outline
from generator.core.problems import Problem
from generator.core.words import words_for
from generator.live.easel import LayerExtent
from generator.live.session import Card, News, Shown
from generator.pack.game import Component, Game
from generator.pack.load import MAIN

Told = dict[str, Any]


def told_state(shown: Shown) -> Told:
    """Serialize a state."""
    return {
        "number": shown.number,
        "game": told_game(shown.game) if shown.game else None,
        "components": [told_component(part) for part in shown.game.components] if shown.game else [],
        "cards": [told_card(card) for card in shown.cards.values()],
        "problems": [told_problem(problem) for problem in shown.problems],
        "notes": list(shown.notes),
        "pulled": dict(shown.pulled),
    }


def told_gallery(game: Game, cards: Sequence[Card], columns: Collection[str]) -> Told:
    """Serialize a gallery page without a server: cards with the given columns, for players.

    Its pictures are in the page and have no bleed. Nothing of the machine that built it is included.
    """
    shown = told_state(Shown(1, game, {card.name: card for card in cards}))
    for card in shown["cards"]:
        card |= {"where": "", "row": {name: text for name, text in card["row"].items() if name in columns}}
    for part in shown["components"]:
        part |= {"bleed": 0, "columns": [name for name in part["columns"] if name in columns]}
    shown["game"] |= {"path": "", "folder": ""}
    return {**shown, "words": dict(words_for(game.language).page)}


def told_news(news: News) -> Told:
    """Serialize the difference between two states; changed cards in full, the order only if it changed."""
    before = news.before
    now = news.now
    told: Told = {"number": now.number, "problems": [told_problem(problem) for problem in now.problems]}
    cards = [card for name, card in now.cards.items() if _differs(before.cards.get(name), card)]
    gone = [name for name in before.cards if name not in now.cards]
    told["cards"], told["gone"] = [told_card(card) for card in cards], gone
    if before.pulled != now.pulled:
        told["pulled"] = dict(now.pulled)
    if list(before.cards) != list(now.cards):
        told["order"] = list(now.cards)
    if before.game is not now.game and now.game:
        told |= {"game": told_game(now.game), "notes": list(now.notes)}
        told["components"] = [told_component(part) for part in now.game.components]
    return told


def _differs(before: Card | None, now: Card) -> bool:
    if before is None or before != now:
        return True
    a = before.design
    b = now.design
    return a is not b and (a.where, a.title, a.count, a.row) != (b.where, b.title, b.count, b.row)


def told_game(game: Game) -> Told:
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


def told_component(part: Component) -> Told:
    """Serialize a component; lengths in mm."""
    columns = dict.fromkeys(column for design in part.designs for column in design.row)
    return {
        "id": part.id,
        "title": part.title,
        "size": [_round(length) for length in part.outline.size],
        "bleed": part.bleed,
        "safe": part.safe,
        "outline": told_outline(part.outline),
        "behind": told_outline(part.behind),
        "within": told_outline(part.outline.shrunk(part.safe)) if part.safe else None,
        "count": part.count,
        "make": part.make.name,
        "columns": list(columns),
    }


def told_outline(outline: Outline | None) -> Told | None:
    """Serialize an outline as a polygon, within 0.005 mm of its curves."""
    if outline is None:
        return None
    return {"points": [[_round(x), _round(y)] for x, y in outline.flat], "box": told_box(outline.box)}


def told_box(box: Rect) -> list[float]:
    """Serialize a box as left, top, width and height."""
    return [_round(value) for value in box]


def told_card(card: Card) -> Told:
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
        "sides": [_told_side(card, nth) for nth in range(len(card.sides))],
        "problems": [told_problem(problem) for problem in card.problems],
        "stale": card.stale,
    }


def _told_side(card: Card, nth: int) -> Told:
    each = card.sides[nth]
    told: Told = {"name": each.side.name, "key": each.key}
    if each.side.component.outline is not card.component.outline:
        told |= {"outline": told_outline(each.side.outline), "size": [_round(v) for v in each.side.outline.size]}
    return told


def told_problem(problem: Problem) -> Told:
    """Serialize a problem with its text, file and line."""
    where = problem.where
    return {"text": str(problem), "file": where.file if where else "", "line": where.line if where else 0}


def told_layers(layers: Iterator[LayerExtent], kinds: Mapping[type, str]) -> list[Told]:
    """Serialize the layers of a side, lowest first: kind, source and extent."""
    return [
        {
            "kind": kinds.get(type(each.at.layer), "layer"),
            "where": str(each.at.where),
            "ink": told_box(each.ink) if each.ink else None,
        }
        for each in layers
    ]


def _round(value: float) -> float:
    return round(value, 3)
