"""Writes the reference pages of the site from the program itself; Sphinx calls it before it reads the pages.

`python docs/make_reference.py` writes them to `docs/site/reference/`, which is not in the repository.
"""

import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from docs.make_option_pictures import file_name, options, pictured  # noqa: E402 — after the path
from generator.base.shapes import SHAPES  # noqa: E402
from generator.base.units import number  # noqa: E402
from generator.board.rules import BoardSection  # noqa: E402
from generator.cli import COMMANDS, main  # noqa: E402
from generator.cli.commands import GENERAL_GROUP, GroupedOption  # noqa: E402
from generator.draw.layers import LAYERS  # noqa: E402
from generator.draw.links.caps import CAPS  # noqa: E402
from generator.draw.links.patterns import PATTERNS  # noqa: E402
from generator.impose.duplex import DUPLEX_MODES  # noqa: E402
from generator.impose.marks import MARK_STYLES  # noqa: E402
from generator.pack.expression_functions import FUNCTIONS  # noqa: E402
from generator.pack.game_spec import LookupSpec  # noqa: E402
from generator.pack.schema import game_schema, layout_schema, model_schema  # noqa: E402
from generator.rules.directives import DIRECTIVES  # noqa: E402
from generator.rules.figures.overlays import OVERLAYS  # noqa: E402
from generator.rules.figures.spec import FigureSpec, HeldSpec, PieceSpec  # noqa: E402
from generator.rules.figures.things import THINGS  # noqa: E402

FOLDER = HERE / "site" / "reference"
EXAMPLES = HERE / "site" / "examples"
PICTURES = "../pictures/examples"

OPTION_PICTURES = "pictures"

GAME_PARTS: Mapping[str, tuple[str, str]] = {
    "ComponentSpec": ("components:", "An entry of `components:`."),
    "StyleSpec": ("styles:", "An entry of `styles:`."),
    "LinkSpec": ("links:", "An entry of `links:`. See [Tiles](../../tiles.md)."),
    "AreaSpec": ("areas:", "An entry of `areas:`. See [Tiles](../../tiles.md)."),
    "FeatureSpec": ("features:", "An entry of `features:`. See [Tiles](../../tiles.md)."),
    "SidesSpec": ("links: of a component", "The columns, if the sides have links of their own."),
    "LookupSpec": ("lookups:", "An entry of `lookups:`, if it is not just a file or rows."),
    "PrintSpec": ("print:", "The defaults for printing. See [Printing](../../printing.md)."),
    "VariantSpec": ("variants:", "An entry of `variants:`."),
    "RulesSpec": ("rules:", "See [Rules](../../rules.md)."),
    "ThemeSpec": ("theme: of the rules", "Art is an SVG file of the pack."),
    "PressSpec": ("press:", "See [Exports](../../exports.md)."),
    "LotSpec": ("lots:", "An entry of `lots:`. See [Editions and farms](../../farm.md)."),
    "BoardShapeSpec": ("board:", "See [Boards](../../boards.md)."),
    "MatchingSpec": ("matching:", "See [Boards](../../boards.md)."),
    "WithinSpec": ("within: of matching", "The largest size of a board."),
    "ScoreSpec": ("scoring:", "An entry of `scoring:`. See [Boards](../../boards.md)."),
    "RemovalSpec": ("removing:", "An entry of `removing:`."),
    "MovementSpec": ("moving:", "An entry of `moving:`."),
    "RouteSpec": ("routing:", "An entry of `routing:`."),
}
"""The parts of `game.yaml` with keys of their own: the heading, and a sentence below it."""

GROUPS = ("include", "group")
"""Layers that insert others; they share keys."""

FITS: Mapping[str, str] = {
    "contain": "shows all of the picture",
    "cover": "fills the box and crops the picture",
    "stretch": "fills the box and changes the picture's shape",
}
"""The values of `fit:` of an image."""

PARTS_OF_LAYERS: Mapping[str, str] = {
    "GridSpec": "grid: of a group",
    "HexSpec": "hex: of a group",
    "ArcSpec": "arc: of a group",
    "PathSpec": "path: of a group",
    "BlockSpec": "An item of blocks:",
    "TextArc": "arc: of a text",
    "TextArea": "inside: of a text",
}
"""The parts of layers with keys of their own, and their headings."""


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    return {
        "game": _game_page(),
        "layers": _layers_page(),
        "figures": _figures_page(),
        "blocks": _blocks_page(),
        "expressions": _expressions_page(),
        "commands": _commands_page(),
        "looks": _looks_page(),
    }


def write_pages() -> None:
    """Write the pages that have changed."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        path = FOLDER / f"{name}.md"
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def _page(title: str, *parts: str) -> str:
    return "\n\n".join((f"# {title}", *parts)) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _game_page() -> str:
    schema = game_schema(BoardSection)
    parts = [_keys(schema, schema)]
    for name, (title, sentence) in GAME_PARTS.items():
        part = schema["$defs"].get(name) or model_schema(LookupSpec)
        parts += [f"## `{title}`", sentence, _keys(part, schema, name)]
    return _page(
        "Every key of game.yaml",
        "A number without a unit is a length in millimetres. Units are `mm`, `cm`, `in` and `pt`. "
        "Keys in **bold** must be given. [Making a pack](../../../templates/README.md) explains how they "
        "work together.",
        *parts,
    )


def _layers_page() -> str:
    schema = layout_schema(LAYERS)
    layers = {part["required"][0]: part for part in schema["$defs"]["layer"]["anyOf"]}
    parts = []
    for name, layer in sorted(layers.items(), key=lambda item: item[0] not in LAYERS):
        parts.append(f"## `{name}:`")
        if name in LAYERS:
            parts.append(inspect.cleandoc(layer["description"]).partition("\n")[0])
            example = (EXAMPLES / "layouts" / f"{name}.yaml").read_text("utf-8")
            parts.append(f"![{name}]({PICTURES}/{name}-{name}.png)")
            parts.append(f"```yaml\n{example}```")
        parts.append(_keys(layer, schema, name))
    for name, title in PARTS_OF_LAYERS.items():
        part = schema["$defs"][name]
        parts += [f"## `{title}`" if ":" in title else f"## {title}", _keys(part, schema, name)]
    return _page(
        "Every layer of a layout",
        "A layout is a list of layers, the lowest first. [Layouts](../../layouts.md) explains conditions, "
        "repetition and tables. Keys in **bold** must be given.",
        *parts,
    )


def _figures_page() -> str:
    parts = [
        f"{title}\n\n{_keys(schema := model_schema(model), schema, model.__name__)}"
        for model, title in (
            (FigureSpec, "## A figure"),
            (PieceSpec, "## `pieces:`\n\nAn entry of `pieces:`."),
            (HeldSpec, "## `held:`\n\nAn entry of `held:`."),
        )
    ]
    for title, kinds in (("Overlays", OVERLAYS), ("Things on the table", THINGS)):
        parts.append(f"## {title}")
        for name, kind in kinds.items():
            schema = model_schema(kind, *(("Thing",) if kinds is THINGS else ()))
            sentence = inspect.cleandoc(kind.__doc__ or "").partition("\n")[0]
            parts.append(f"### `{name}:`\n\n{sentence}\n\n{_keys(schema, schema, name)}")
    return _page(
        "Every key of figures.yaml",
        "A figure of the rules is a board. [Boards](../../boards.md) explains its notation, spots and "
        "claims. The main key of an overlay and of a thing is its kind: `overlays: [{tick: B1, size: 5mm}]`, "
        "`table: [[{pile: cards}]]`. Keys in **bold** must be given.",
        *parts,
    )


def _blocks_page() -> str:
    parts = []
    for name, kind in DIRECTIVES.items():
        example = options()["blocks"][name]["text"]
        picture = f"![{name}]({OPTION_PICTURES}/{file_name(f'block.{name}')})"
        parts.append(f"## `{name}`\n\n{kind.what}\n\n```markdown\n{example}```\n\n{picture}")
    return _page(
        "Every block of rules",
        "A block stands between lines of colons. One that contains others starts and ends with one more "
        "colon than they have. [Rules](../../rules.md#add-figures-notes-and-other-blocks) explains what else "
        "is Markdown.",
        *parts,
    )


def _keys(part: Mapping[str, Any], schema: Mapping[str, Any], owner: str = "") -> str:
    """Return the table of an object's keys; `owner` is its model or its layer."""
    required = part.get("required", ())
    rows = []
    for key, field in part["properties"].items():
        name = f"**`{key}`**" if key in required else f"`{key}`"
        meaning = [_description(field), _choices(field, schema), _picture(find_example(owner, key))]
        rows.append((name, _default(field), " ".join(filter(None, meaning))))
    return _table(("key", "default", "what it is"), rows)


def find_example(owner: str, key: str) -> str:
    """Return the name of the example that shows a key of a model or a layer; empty if there is none."""
    names = [owner]
    if owner in GROUPS:
        names.append("group")
    if owner in {*LAYERS, *GROUPS}:
        names.append("layer")
    if owner in THINGS:
        names.append("thing")
    examples = pictured() | options()["elsewhere"].keys()
    return next((f"{name}.{key}" for name in names if f"{name}.{key}" in examples), "")


def find_option_example(command: str, option: str) -> str:
    """Return the name of the example that shows an option of a command; empty if there is none."""
    examples = pictured() | options()["elsewhere"].keys()
    return next((name for name in (f"{command} {option}", option) if name in examples), "")


def _picture(name: str) -> str:
    """Return the picture of an example, or a link to pictures elsewhere; a line of its own in a cell."""
    if not name:
        return ""
    if name in options()["elsewhere"]:
        return f"[Pictures]({options()['elsewhere'][name]})."
    return f"<br>![{name.rpartition('.')[2]}]({OPTION_PICTURES}/{file_name(name)})"


def _description(field: Mapping[str, Any]) -> str:
    """Return the text of a key; that of a layer's main key is inside its first form."""
    inner = field.get("anyOf", ({},))[0]
    return str(field.get("description") or inner.get("description", ""))


def _choices(field: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Return the values that a key takes, if they are few."""
    for form in (field, *field.get("anyOf", ())):
        target = form.get("$ref", "").rpartition("/")[2]
        values = form.get("enum") or schema.get("$defs", {}).get(target, {}).get("enum")
        if values:
            return f"One of {', '.join(f'`{value}`' for value in values)}."
    return ""


def _default(field: Mapping[str, Any]) -> str:
    value = field.get("default")
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, float):
        return f"`{number(value)}`"
    if isinstance(value, list):
        return ", ".join(_default({"default": item}) for item in value)
    return f"`{value}`" if isinstance(value, str | int) and value != "" else ""


def _expressions_page() -> str:
    rows = [
        (
            f"`{name}`",
            ", ".join(kind.value for kind in row.argument_kinds)
            + (" …" if row.is_variadic else ""),
            row.result_kind.value,
            f"`{row.example}`",
        )
        for name, row in FUNCTIONS.items()
        if name.isidentifier() and row.example
    ]
    return _page(
        "Every function of expressions",
        "`columns:`, `when:` and the braces of `${…}` contain expressions. "
        "[Layouts](../../layouts.md#write-expressions) lists operators, too. "
        "The last values that a function takes may often be left out.",
        _table(("function", "takes", "gives", "example"), rows),
    )


def _commands_page() -> str:
    return _page(
        "Every command and option",
        "`pnp COMMAND --help` prints the same in your terminal. [Commands](../../commands.md) explains "
        "exit codes, editors and the cache.",
        *_describe_all(main, click.Context(main, info_name="pnp"), COMMANDS, {}),
    )


def _describe_all(
    group: click.Group, context: click.Context, names: Iterable[str], shown: dict[str, str]
) -> Iterator[str]:
    """Yield the descriptions of commands; `shown` has the command below which an example stands."""
    for name in names:
        command = group.get_command(context, name)
        if command is None:
            continue
        own = click.Context(command, info_name=name, parent=context)
        yield from _describe(command, own, shown)
        if isinstance(command, click.Group):
            yield from _describe_all(command, own, command.list_commands(own), shown)


def _describe(
    command: click.Command, context: click.Context, shown: dict[str, str]
) -> Iterator[str]:
    depth = "##" if context.parent and context.parent.parent is None else "###"
    yield f"{depth} {context.command_path}"
    yield f"```text\n{' '.join((context.command_path, *command.collect_usage_pieces(context)))}\n```"
    yield _escape(inspect.cleandoc(command.help or ""))
    examples = getattr(command, "examples", ())
    if examples:
        yield "```sh\n{}\n```".format("\n".join(examples))
    groups: dict[str, list[tuple[str, str]]] = {}
    for option in (item for item in command.params if isinstance(item, click.Option)):
        record = option.get_help_record(context)
        if record:
            title = option.group if isinstance(option, GroupedOption) else GENERAL_GROUP
            name = record[0].replace("|", "\\|")  # a bar would end the cell, even in code
            example = find_option_example(command.name or "", option.opts[0])
            own = shown.setdefault(example, context.command_path) == context.command_path
            there = f"[Pictures](#{shown[example].replace(' ', '-')})."
            is_far = example in pictured() and not own
            meaning = f"{_escape(record[1])} {there if is_far else _picture(example)}".strip()
            groups.setdefault(title, []).append((f"`{name}`", meaning))
    for title, rows in groups.items():
        yield _table((title.lower(), ""), rows)


def _escape(text: str) -> str:
    """Escape what Markdown would read as markup in a text for terminals."""
    return "".join(f"\\{sign}" if sign in "*_[]<>|`" else sign for sign in text)


def _looks_page() -> str:
    def picture(kind: str, name: str) -> str:
        return f"![{name}]({PICTURES}/{kind}-{name}.png)"

    return _page(
        "Names in pictures",
        "[Names](../../names.md) lists all names. Some say more as a picture.",
        "## Sizes",
        "The named sizes of components, to one scale:",
        "![The named sizes side by side](../pictures/sizes.png)",
        "## Shapes",
        _table(
            ("", "`size:`", "what it is"),
            (
                (picture(name.replace(" ", "-"), name.replace(" ", "-")), f"`{name}`", row.what)
                for name, row in SHAPES.items()
            ),
        ),
        "## Pictures in their boxes",
        "The same picture in a box of another shape.",
        _table(
            ("", "`fit:`", "what it does"),
            ((picture("fits", name), f"`{name}`", text) for name, text in FITS.items()),
        ),
        "## Patterns of links",
        _table(
            ("", "`pattern:`", "what it is"),
            (
                (picture("patterns", name), f"`{name}`", row.description)
                for name, row in PATTERNS.items()
            ),
        ),
        "## Ends of links",
        _table(
            ("", "`cap:`"),
            ((picture("caps", name), f"`{name}`") for name in CAPS),
        ),
        "## Cut marks",
        "The six pieces of this sheet touch (`gutter: 0mm`).",
        _table(
            ("", "`marks:`", "what it is"),
            (
                (picture("marks", name), f"`{name}`", row.summary)
                for name, row in MARK_STYLES.items()
            ),
        ),
        "## Duplex modes",
        *(
            f"`{name}`: {row.summary}.\n\n![{name}](../../pictures/{name}.png)"
            for name, row in DUPLEX_MODES.items()
        ),
    )


if __name__ == "__main__":
    write_pages()
