"""`title@nl` beside `title`: the one notation for texts in other languages, in YAML as in tables."""

import re
from collections.abc import Collection, Iterator, Mapping

from generator.core.problems import Problem, nearest
from generator.pack.source import Node

TRANSLATED = ("cover", "credits", "name", "title")
"""What of `game.yaml` may stand there in several languages."""

DATA = frozenset({"data"})
"""Tables are left alone: their columns are asked for by row."""

CODE = "[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*"
"""A language such as `nl` or `pt-BR`."""


def in_language(values: Mapping[str, str], name: str, language: str) -> str | None:
    """A column of a row, in the language where that has it."""
    return (values.get(f"{name}@{language}") if language else None) or values.get(name)


def translated(node: Node, language: str, keep: Collection[str] = ()) -> Node:
    """The node with `key@nl` in the place of `key` when Dutch is asked for, and without any other translation.

    What stands under the keys of `keep` stays as it is.
    """
    if isinstance(node.value, list):
        return Node([translated(item, language, keep) for item in node.value], node.where)
    if not isinstance(node.value, dict):
        return node
    chosen = {key.partition("@")[0]: key for key in node.value if "@" not in key}
    chosen |= {
        name: key
        for key, value in node.value.items()
        for name, _, tongue in [key.partition("@")]
        if tongue and tongue == language and value.value is not None and value.value != ""
    }
    values = {
        name: node.value[key] if name in keep else translated(node.value[key], language, keep)
        for name, key in chosen.items()
    }
    return Node(values, node.where, {name: node.keys[key] for name, key in chosen.items() if key in node.keys})


def misplaced(node: Node, allowed: Collection[str] | None = None, keep: Collection[str] = ()) -> Iterator[Problem]:
    """Translations of nothing, into no language, or of what has none; anything in `keep` is passed over."""
    if isinstance(node.value, list):
        for item in node.value:
            yield from misplaced(item, allowed, keep)
    for key, value in node.value.items() if isinstance(node.value, dict) else ():
        if "@" in key:
            yield from _misplaced(key, node, allowed)
        if key not in keep:
            yield from misplaced(value, allowed, keep)


def _misplaced(key: str, node: Node, allowed: Collection[str] | None) -> Iterator[Problem]:
    name, _, tongue = key.partition("@")
    where = node.keys.get(key, node.where)
    if not re.fullmatch(CODE, tongue):
        yield Problem(where, f"{key}: {tongue!r} is no language", "a code after the @, such as nl or pt-BR")
    elif allowed is not None and name not in allowed:
        found = f"{key}: {name!r} is not translated"
        yield Problem(where, found, f"one of: {', '.join(sorted(allowed))}", nearest(name, allowed))
    elif node.find(name) is None:
        others = [other for other in node.keys if "@" not in other]
        yield Problem(
            where, f"{key}: there is no {name!r} that it translates", f"{name} beside it", nearest(name, others)
        )
