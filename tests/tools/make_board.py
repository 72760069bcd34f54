"""Kits, rules and boards for the tests, written as a pack would write them."""

import textwrap

import yaml

from generator.board.board import BoardDesign, BoardFace, Kit, parse_grid
from generator.board.claims import check_claim
from generator.board.lattice import SQUARE, find_lattice
from generator.board.rules import BoardSection, build_rules, find_unknown_words
from generator.pack.tile import parse_tile


def face(text, shape=SQUARE):
    """Return a side from its links, labels, marks and numbers: `n-e:red s=road !mark %heads=3`."""
    words = text.split()
    marks = frozenset(word[1:] for word in words if word.startswith("!"))
    numbers = {
        name: float(value)
        for name, _, value in (w[1:].partition("=") for w in words if w.startswith("%"))
    }
    links = " ".join(word for word in words if word[0] not in "!%")
    return BoardFace(parse_tile(links, shape.ports), marks, numbers)


def kit_from(text, shape=SQUARE):
    """Return the kit with a design on each line: `id count: front / back`, or `id count: token`."""
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
    """Return the board sections of a `game.yaml`; scalars stay text, as the pack's loader returns them."""
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
    """Assert that all claims are true on a board; the message has the true value of each false claim."""
    shown_board = board(rules, text)
    outcomes = [check_claim(claim, shown_board, rules) for claim in claims]
    failures = [str(outcome) for outcome in outcomes if not outcome.ok]
    assert not failures, "\n".join(failures)


def shows(rules, text, claim):
    """Return the value that a board shows instead of a claim."""
    outcome = check_claim(claim, board(rules, text), rules)
    assert not outcome.ok
    return outcome.actual


def codes(rules, text):
    return sorted({breach.code for breach in rules.breaches(rules.analyse(board(rules, text)))})
