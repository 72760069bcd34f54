"""`pnp list`: print the names that packs and options can use."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from generator.cli.commands import PnpCommand
from generator.cli.options import game_option, json_option
from generator.cli.output import launch, print_names, reporting_errors

if TYPE_CHECKING:
    from generator.base.fonts import FontSet


def _games() -> list[tuple[str, str]]:
    from generator.pack.folder import GAME_FILE
    from generator.pack.yaml_nodes import parse_yaml
    from generator.pipeline.packs import packs

    rows = []
    for name, folder in packs().items():
        title = parse_yaml((folder / GAME_FILE).read_text("utf-8"), GAME_FILE).find("name")
        rows.append((name, str(title.value) if title else ""))
    return rows


def _papers() -> list[tuple[str, str]]:
    from generator.base.paper import papers
    from generator.base.units import number

    return [
        (row.name, f"{row.title}, {number(row.size.w)} × {number(row.size.h)} mm")
        for row in papers()
    ]


def _sizes() -> list[tuple[str, str]]:
    from generator.base.shapes import SHAPES
    from generator.base.units import number
    from generator.pack.sizes import named_sizes

    return [
        *(
            (row.name, f"{row.title}, {number(row.size.w)} × {number(row.size.h)} mm")
            for row in named_sizes().values()
        ),
        *((f"{name} 40mm", shape.what) for name, shape in SHAPES.items()),
    ]


def _sleeves() -> list[tuple[str, str]]:
    from generator.base.units import number
    from generator.pack.decks import sleeves

    sizes = {
        row.name: f"{number(row.size.w)} × {number(row.size.h)} mm" for row in sleeves().values()
    }
    return [(row.name, f"{row.title}: cards of {sizes[row.name]}") for row in sleeves().values()]


def _stocks() -> list[tuple[str, str]]:
    from generator.base.units import number
    from generator.pack.decks import stocks

    return [(row.name, f"{row.title}, {number(row.thickness)} mm") for row in stocks().values()]


def _describe_fonts(fonts: "FontSet") -> list[tuple[str, str]]:
    """Return each family with its styles, and the axes of a variable font."""
    rows = []
    for family in fonts.families:
        styles = ", ".join(file.style for file in fonts.files if file.family == family)
        axes = ", ".join(map(str, fonts.axes_of(family)))
        rows.append((family, f"{styles}; axes: {axes}" if axes else styles))
    return rows


def _outputs() -> list[tuple[str, str]]:
    from generator.export import EXPORTS

    return [(name, f"{export.what} (pnp {export.command})") for name, export in EXPORTS.items()]


def _targets() -> list[tuple[str, str]]:
    from generator.export.targets import TARGETS

    return [(name, target.what) for name, target in TARGETS.items()]


def _profiles() -> list[tuple[str, str]]:
    from generator.pdf.press.profile import PROFILES

    return list(PROFILES.items())


def _templates() -> list[tuple[str, str]]:
    from generator.impose.precut import load_precut_sheets

    return [(name, f"{row.title}, {row.paper.title}") for name, row in load_precut_sheets().items()]


def _claims() -> list[tuple[str, str]]:
    from generator.board.claims import CLAIMS

    return [(name, kind.example) for name, kind in CLAIMS.items()]


def _counts() -> list[tuple[str, str]]:
    from generator.board.counting import COUNTS

    return [(name, kind.meaning) for name, kind in COUNTS.items()]


def _matching() -> list[tuple[str, str]]:
    from generator.board.matching_rules import RULES

    return [(name, kind.meaning) for name, kind in RULES.items()]


def _patterns() -> list[tuple[str, str]]:
    from generator.draw.links.areas import AREA_PATTERNS
    from generator.draw.links.patterns import PATTERNS

    areas = [(name, f"{row.description} (areas)") for name, row in AREA_PATTERNS.items()]
    return [*((name, row.description) for name, row in PATTERNS.items()), *areas]


# All lists but that of fonts, which has options of its own.
LISTS = {
    "games": _games,
    "papers": _papers,
    "sizes": _sizes,
    "sleeves": _sleeves,
    "stocks": _stocks,
    "outputs": _outputs,
    "targets": _targets,
    "templates": _templates,
    "profiles": _profiles,
    "patterns": _patterns,
    "matching": _matching,
    "counts": _counts,
    "claims": _claims,
}

FONTS = "fonts"


@click.command(
    "list",
    cls=PnpCommand,
    prints_result=True,
    examples=(
        "pnp list",
        "pnp list papers",
        "pnp list fonts --show",
        "pnp list fonts --game my-game",
        "pnp list targets --json",
    ),
)
@json_option
@click.option("--show", is_flag=True, help="Open a page that shows each font in its own letters.")
@game_option("Pack whose own fonts are listed, too.")
@click.argument("what", type=click.Choice([*LISTS, FONTS]), default="games")
def command(what: str, game: str, *, show: bool) -> None:
    """List the bundled games, or names of another kind, each with a description."""
    if what != FONTS:
        context = click.get_current_context()
        for option in ("--show", "--game"):
            if context.get_parameter_source(option.strip("-")) is ParameterSource.COMMANDLINE:
                raise click.UsageError(f"{option} applies to fonts: pnp list fonts {option}")
        print_names(LISTS[what]())
        return
    with reporting_errors():
        fonts = _fonts_with_pack(game)
    print_names(_describe_fonts(fonts))
    if show:
        _show_fonts(fonts)


def _fonts_with_pack(game: str) -> "FontSet":
    """Return our fonts and those of a pack; ours alone if the current folder, the default, is no pack."""
    from generator.base.errors import Reporter
    from generator.base.fonts import font_set
    from generator.pack.folder import GAME_FILE, PackFolder
    from generator.pipeline.packs import CURRENT_FOLDER, find_pack

    if game == CURRENT_FOLDER and not Path(GAME_FILE).is_file():
        return font_set()
    from generator.pack.fonts import fonts_of

    report = Reporter()
    fonts = fonts_of(PackFolder(find_pack(game)), report)
    report.raise_any()
    return fonts


def _show_fonts(fonts: "FontSet") -> None:
    from generator.base.files import OUTPUT, Outbox
    from generator.export.catalogues import compose_font_page

    with reporting_errors(), Outbox(Path(OUTPUT)) as outbox:
        page = outbox.write("fonts.html", compose_font_page(fonts).encode())
    launch(page)
