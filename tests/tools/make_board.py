"""Kits, rules and boards for the tests, written as a pack would write them."""

import textwrap

import yaml

from generator.board.board import BoardDesign, BoardFace, Kit
from generator.board.claims import check_claim
from generator.board.lattice import SQUARE, find_lattice
from generator.board.parse_board import parse_grid
from generator.board.rules import BoardSection, build_rules, find_unknown_words
from generator.pack.tile import parse_tile


def face(text, shape=SQUARE):
    """`n-e:red s=road !mark heads:3` — links, labels, marks and numbers of one side."""
    words = text.split()
    marks = frozenset(word[1:] for word in words if word.startswith("!"))
    numbers = {
        name: float(value)
        for name, _, value in (w[1:].partition("=") for w in words if w.startswith("%"))
    }
    links = " ".join(word for word in words if word[0] not in "!%")
    return BoardFace(parse_tile(links, shape.ports), marks, numbers)


def kit_from(text, shape=SQUARE):
    """A line a design: `id count: front / back`; a token is `id count: token`."""
    stocks = {}
    for line in textwrap.dedent(text).strip().splitlines():
        head, _, sides = line.partition(": ")
        name, count = (*head.split(), "1")[:2]
        front, slash, back = sides.partition(" / ")
        if front == "token":
            stocks[name] = BoardDesign(name, BoardFace(), None, int(count), is_token=True)
        else:
            stocks[name] = BoardDesign(
                name, face(front, shape), face(back, shape) if slash else None, int(count)
            )
    return Kit(stocks)


def specs_from(text):
    """The five parts of `game.yaml`; every scalar stays text, as the pack's loader gives it."""
    parts = yaml.load(textwrap.dedent(text), yaml.BaseLoader) or {}  # noqa: S506
    return BoardSection.model_validate(parts)


def rules_from_text(kit_text, spec_text="", shape="square"):
    specs = specs_from(spec_text)
    kit = kit_from(kit_text, find_lattice(shape))
    assert [(path, wrong.found) for path, wrong in find_unknown_words(kit, specs)] == []
    return build_rules(kit, find_lattice(shape), specs)


def board(rules, text):
    return parse_grid(textwrap.dedent(text), rules.kit, rules.lattice)


def check(rules, text, *claims):
    """Yield every claim with the value that the board shows instead."""
    there = board(rules, text)
    outcomes = [check_claim(claim, there, rules) for claim in claims]
    wrong = [str(outcome) for outcome in outcomes if not outcome.ok]
    assert not wrong, "\n".join(wrong)


def shows(rules, text, claim):
    """Return the value that a board shows instead of a claim."""
    outcome = check_claim(claim, board(rules, text), rules)
    assert not outcome.ok
    return outcome.actual


def codes(rules, text):
    return sorted({verdict.code for verdict in rules.verdicts(rules.analyse(board(rules, text)))})
