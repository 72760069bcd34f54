"""`pnp icons`: find icons, and import icon sets."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.base.errors import nearest
from generator.base.files import display
from generator.base.units import format_count
from generator.cli.commands import PnpCommand
from generator.cli.options import folder_option, game_option, json_option
from generator.cli.output import launch, print_names, print_notes, print_result, reporting_errors

if TYPE_CHECKING:
    from generator.pack.folder import Asset

FIND = "find"


class IconsGroup(click.Group):
    """A group whose default command searches: `pnp icons sword` is `pnp icons find sword`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names, or the search for this word."""
        words = args if args and args[0] in self.commands else [FIND, *args]
        return super().resolve_command(ctx, words)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; without any, or with options of the search, search."""
        asks_for_help = bool(args) and args[0] in {"-h", "--help"}
        begins_with_option = not args or args[0].startswith("-")
        words = [FIND, *args] if begins_with_option and not asks_for_help else args
        return super().parse_args(ctx, words)


@click.group("icons", cls=IconsGroup, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """List and search icons, and import icon sets.

    \b
    pnp icons sword            the icons whose names contain a word
    pnp icons --show           a page with pictures of all icons
    pnp icons add SET          import a set into the pack
    """  # noqa: D301 - click keeps the lines of a paragraph after a backspace


@command.command(
    FIND,
    cls=PnpCommand,
    prints_result=True,
    examples=("pnp icons", "pnp icons sword", "pnp icons arrow --show"),
)
@click.argument("word", default="")
@game_option("Pack whose own icons are listed, too.")
@click.option("--show", is_flag=True, help="Open a page with a picture of each icon.")
@folder_option("Folder for the page.")
@json_option
def find(word: str, game: str, output: str, *, show: bool) -> None:
    """List the icons whose names contain WORD: those of the pack and pnp's own symbols.

    Write :name: in a text, or `icon: name` in a layout.
    """
    from generator.base.files import Outbox
    from generator.base.symbols import symbol_aliases, symbol_paths
    from generator.export.catalogues import compose_icon_page
    from generator.pack.folder import Asset

    with reporting_errors():
        pack_icons = _own_icons(game)
        aliases_of: dict[str, list[str]] = {}
        for alias, name in symbol_aliases().items():
            aliases_of.setdefault(name, []).append(alias)
        symbols = {
            name: Asset(name, path)
            for name, path in symbol_paths().items()
            if name not in pack_icons
        }
        rows = [
            *((name, asset, "of this pack") for name, asset in pack_icons.items()),
            *(
                (name, asset, ", ".join(aliases_of.get(name, [])))
                for name, asset in symbols.items()
            ),
        ]
        matches = [row for row in rows if word.lower() in f"{row[0]}, {row[2]}".lower()]
        print_names([(name, about) for name, _, about in matches])
        if not matches:
            close = nearest(word, [*pack_icons, *symbols, *symbol_aliases()])
            suggestion = close or "pnp icons add SET imports more"
            print_notes([f"no icon's name contains {word!r}; {suggestion}"])
        elif show:
            with Outbox(Path(output)) as outbox:
                page = compose_icon_page([(name, asset, about) for name, asset, about in matches])
                path = outbox.write("icons.html", page.encode())
    if show and matches:
        launch(path)


def _own_icons(game: str) -> "Mapping[str, Asset]":
    """Return the icons of a pack by name; none if the current folder is the default and is not a pack."""
    from generator.pack.folder import GAME_FILE
    from generator.pack.load import load
    from generator.pipeline.packs import CURRENT_FOLDER, find_pack
    from generator.pipeline.vocabulary import vocabulary

    if game == CURRENT_FOLDER and not Path(GAME_FILE).is_file():
        return {}
    return load(find_pack(game), vocabulary()).icons


@command.command(
    "add",
    cls=PnpCommand,
    examples=(
        "pnp icons add game-icons.tgz",
        "pnp icons add icons.json --game my-game",
        "pnp icons add ../my-symbols",
    ),
)
@click.argument("source", metavar="FILE|FOLDER|ADDRESS")
@game_option("Pack that gets the icons.")
@click.option(
    "--proxy", is_flag=True, help="Download through the proxy that is set on this machine."
)
def add(source: str, game: str, *, proxy: bool) -> None:
    """Import an icon set into a pack, with its author and licence in the credits.

    A set is an Iconify icons.json, a package of npm (.tgz), or a folder of SVG, PNG or JPEG files.
    `npm pack @iconify-json/game-icons` downloads a package: see the guide on art.
    """
    from generator.base.fetch import SCHEMES, fetch
    from generator.base.files import Outbox
    from generator.pack.folder import GAME_FILE, PackFolder
    from generator.pack.icon_sets import add_to_game, read_icon_set
    from generator.pack.icons import DEFAULT_FOLDER
    from generator.pipeline.packs import find_pack

    with reporting_errors():
        pack = PackFolder(find_pack(game))
        data = fetch(source, proxy=proxy) if source.startswith(SCHEMES) else None
        icons = read_icon_set(source, data)
        text = add_to_game(
            pack.text(GAME_FILE), icons, has_default_folder=pack.is_folder(DEFAULT_FOLDER)
        )
        with Outbox(pack.root) as outbox:
            for name, content in icons.files.items():
                outbox.write(name, content)
            outbox.write(GAME_FILE, text.encode())
    print_result(f"{format_count(icons.count, 'icon')} in {display(pack.root / icons.entry)}")
    if not icons.credit:
        print_notes(
            [f"the set names no author; add one to credits: in {display(pack.root / GAME_FILE)}"]
        )
    print_notes(_note_unusable_files(icons.files))
    print_result(f"To see them: pnp icons --show --game {shlex.quote(display(pack.root))}")


MAX_NAMED_FILES = 5


def _note_unusable_files(files: "Mapping[str, bytes]") -> list[str]:
    """Return a note on the SVG files of a set that pnp cannot draw, if there are any.

    They are imported nevertheless: only a pack that uses one of them is refused.
    """
    from generator.base.errors import InvalidValueError, join_some
    from generator.draw.art.read import read_art

    faults = []
    for name, content in files.items():
        if name.lower().endswith(".svg"):
            try:
                read_art(content, name.rpartition("/")[2])
            except InvalidValueError as fault:
                faults.append(fault.found)
    return [f"cannot be used: {join_some(faults, MAX_NAMED_FILES)}"] if faults else []
