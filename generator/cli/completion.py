"""What a shell may offer for an option or an argument: games, papers, modes, components, designs, variants, languages.

Click asks while somebody types, so a pack's files are read but its layouts are not, and whatever is wrong is silent.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from generator.core.problems import PnpError, Wrong

if TYPE_CHECKING:
    from generator.pack.folder import PackFolder
    from generator.pack.source import Node

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def offering(names: Callable[[click.Context], Iterable[str]]) -> Completer:
    """Offers those of some names that begin as what is typed; of names with commas between, the last is completed."""

    def complete(ctx: click.Context, _: click.Parameter, typed: str) -> list[CompletionItem]:
        try:
            found = list(names(ctx))
        except (PnpError, Wrong, OSError):
            return []
        before, comma, last = typed.rpartition(",")
        return [CompletionItem(f"{before}{comma}{name}") for name in found if name.startswith(last)]

    return complete


def games(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """The games that come with the program, and folders."""
    from generator.app.packs import packs

    own = [CompletionItem(name) for name in packs() if name.startswith(typed)]
    return [*own, CompletionItem(typed, type="dir")]


def _papers(_: click.Context) -> Iterable[str]:
    from generator.core.paper import papers

    return (paper.name for paper in papers())


def _modes(_: click.Context) -> Iterable[str]:
    from generator.impose.duplex import DUPLEX_MODES

    return DUPLEX_MODES


def _trays(_: click.Context) -> Iterable[str]:
    from generator.impose.duplex import TRAYS

    return TRAYS


def _marks(_: click.Context) -> Iterable[str]:
    from generator.impose.marks.styles import MARK_STYLES

    return MARK_STYLES


def _machines(_: click.Context) -> Iterable[str]:
    from generator.impose.cutfile import REGISTRATIONS

    return REGISTRATIONS


def _printers(_: click.Context) -> Iterable[str]:
    from generator.printer.profile import load_profiles

    return load_profiles()


def _pack(ctx: click.Context) -> tuple["PackFolder", "Node"]:
    """The folder of the game that was typed before, and its main file."""
    from generator.app.packs import find_pack
    from generator.pack.folder import PackFolder
    from generator.pack.load import MAIN
    from generator.pack.source import parse

    game = ctx.params.get("game") or next(iter(ctx.args), "")  # click has not read arguments where an option ends them
    folder = PackFolder(find_pack(game))
    return folder, parse(folder.text(MAIN), MAIN)


def _keys(root: "Node", name: str) -> Iterable[str]:
    found = root.find(name)
    return found.keys if found else ()


def _designs(ctx: click.Context) -> Iterable[str]:
    """Components, and each with its designs: `necks`, `necks:h07`."""
    from generator.core.problems import Reporter
    from generator.pack.tables import read_rows_of

    folder, root = _pack(ctx)
    for component in _keys(root, "components"):
        yield component
        data = root.find("components", component, "data")
        rows = read_rows_of(folder, data, Reporter()).rows if data else ()
        yield from (f"{component}:{row.values['id']}" for row in rows if row.values.get("id"))


def _variants(ctx: click.Context) -> Iterable[str]:
    return _keys(_pack(ctx)[1], "variants")


def _languages(ctx: click.Context) -> Iterable[str]:
    from generator.pack.translations import languages_of

    return languages_of(*_pack(ctx))


papers, modes, trays, marks = offering(_papers), offering(_modes), offering(_trays), offering(_marks)
machines, printers, designs = offering(_machines), offering(_printers), offering(_designs)
variants, languages = offering(_variants), offering(_languages)
