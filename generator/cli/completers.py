"""Shell completion of games, papers, modes, components, designs, variants and languages.

Click calls this while the user types, so layouts are not read, and every error yields no
suggestions.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from generator.base.errors import InvalidValueError, PnpError

if TYPE_CHECKING:
    from generator.pack.folder import PackFolder
    from generator.pack.yaml_nodes import Node

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def complete_from(names: Callable[[click.Context], Iterable[str]]) -> Completer:
    """Return a completer for names; in a list with commas, the last name is completed."""

    def complete(ctx: click.Context, _: click.Parameter, typed: str) -> list[CompletionItem]:
        try:
            choices = list(names(ctx))
        except (PnpError, InvalidValueError, OSError):
            return []
        before, comma, last = typed.rpartition(",")
        return [
            CompletionItem(f"{before}{comma}{name}") for name in choices if name.startswith(last)
        ]

    return complete


def games(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the matching bundled games, and a request to complete folders."""
    from generator.pipeline.packs import packs

    bundled = [CompletionItem(name) for name in packs() if name.startswith(typed)]
    return [*bundled, CompletionItem(typed, type="dir")]


@complete_from
def papers(_: click.Context) -> Iterable[str]:
    """Return the names of papers."""
    from generator.base import paper

    return (row.name for row in paper.papers())


@complete_from
def modes(_: click.Context) -> Iterable[str]:
    """Return the names of duplex modes."""
    from generator.impose.duplex import DUPLEX_MODES

    return DUPLEX_MODES


@complete_from
def trays(_: click.Context) -> Iterable[str]:
    """Return the names of trays."""
    from generator.impose.duplex import TRAYS

    return TRAYS


@complete_from
def marks(_: click.Context) -> Iterable[str]:
    """Return the names of styles of marks."""
    from generator.impose.marks import MARK_STYLES

    return MARK_STYLES


@complete_from
def machines(_: click.Context) -> Iterable[str]:
    """Return the names of cutting machines."""
    from generator.impose.plotter import REGISTRATIONS

    return REGISTRATIONS


@complete_from
def printers(_: click.Context) -> Iterable[str]:
    """Return the names of measured printers."""
    from generator.impose.printer import load_profiles

    return load_profiles()


def _find_pack(ctx: click.Context) -> tuple["PackFolder", "Node"]:
    """Return the folder and the main file of the game typed earlier."""
    from generator.pack.folder import GAME_FILE, PackFolder
    from generator.pack.yaml_nodes import parse_yaml
    from generator.pipeline.packs import CURRENT_FOLDER, find_pack

    game = ctx.params.get("game", CURRENT_FOLDER)
    if game == CURRENT_FOLDER and ctx.args:  # click reads arguments only after an unfinished option
        game = ctx.args[0]
    folder = PackFolder(find_pack(game))
    return folder, parse_yaml(folder.text(GAME_FILE), GAME_FILE)


def _list_keys(root: "Node", name: str) -> Iterable[str]:
    node = root.find(name)
    return node.keys if node else ()


@complete_from
def designs(ctx: click.Context) -> Iterable[str]:
    """Yield components, and each of their designs: `necks`, `necks:h07`."""
    from generator.base.errors import Reporter
    from generator.pack.tables import read_rows_of

    folder, root = _find_pack(ctx)
    for component in _list_keys(root, "components"):
        yield component
        data = root.find("components", component, "data")
        rows = read_rows_of(folder, data, Reporter()).rows if data else ()
        yield from (f"{component}:{row.values['id']}" for row in rows if row.values.get("id"))


@complete_from
def variants(ctx: click.Context) -> Iterable[str]:
    """Return the variants of the game typed earlier."""
    return _list_keys(_find_pack(ctx)[1], "variants")


@complete_from
def languages(ctx: click.Context) -> Iterable[str]:
    """Return the languages of the game typed earlier."""
    from generator.pack.translations import languages_of

    return languages_of(*_find_pack(ctx))
