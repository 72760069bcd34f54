"""The files of a new pack of cards: `game.yaml`, the table, and layouts for its columns."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from generator.base.geometry import Size
from generator.base.units import number
from generator.pack.new.table import TidyTable

GAME = """\
# yaml-language-server: $schema=schema/game.json
name: {name}
version: "1"
palette: {{ink: "#20302a", paper: "#fbf7ee", accent: "#7a4b2a"}}
styles:
  title: {{font: {capitals}, weight: bold, size: 13pt, colour: $ink, align: center, valign: middle}}
  number: {{font: {sans}, weight: bold, size: 15pt, colour: $paper, align: center, valign: middle}}
  label: {{font: {sans}, size: 8.5pt, colour: $accent, align: center}}
  icons: {{font: {sans}, size: 22pt, colour: $accent, align: center}}
  body: {{font: {serif}, size: 10pt, colour: $ink}}
  flavour: {{font: {serif}, italic: true, size: 10pt, colour: $ink}}
  back: {{font: {capitals}, weight: bold, size: 20pt, colour: $paper, align: center, valign: middle}}
components:
  cards:
    title: Cards
    size: {size}
    gutter: 0              # all borders look alike, so the cards lie edge to edge
    data: cards.csv
{source}    front: layouts/front.yaml
    back: layouts/back.yaml
"""
SOURCE = """\
    source: {address}
    tidy: true             # pnp pull prepares the sheet as pnp new --from did
"""
MARGIN_MM = 3.5
"""Distance from the cut to the panel on which the texts stand."""
PADDING_MM = 4.0
"""Distance from the edge of the panel to the texts."""
PICTURE_SHARES = (0.38, 0.25)
"""Shares of a card's height that a picture may take; below a quarter, it would be a strip."""
MIN_TITLE_SIZE = "6pt"
MIN_TEXT_SIZE = "6pt"


@dataclass(frozen=True)
class PackPlan:
    """The contents from which a new pack of cards is written."""

    name: str
    table: TidyTable
    size_name: str
    size: Size
    can_print: Callable[[str], bool] = str.isprintable
    """A function that returns True if the fonts of the pack have a character."""
    other_fonts: tuple[str, ...] = ()
    source: str = ""
    picture_share: float = PICTURE_SHARES[0]
    """The share of a card's height that its picture takes."""


def pack_files(plan: PackPlan) -> dict[str, bytes]:
    """Return the text files of a pack by name."""
    families = {
        key: f"[{', '.join((family, *plan.other_fonts))}]" if plan.other_fonts else family
        for key, family in (
            ("capitals", "Alegreya SC"),
            ("sans", "Alegreya Sans"),
            ("serif", "Alegreya"),
        )
    }
    source = SOURCE.format(address=quoted(plan.source)) if plan.source else ""
    texts = {
        "game.yaml": GAME.format(
            name=quoted(plan.name), size=plan.size_name, source=source, **families
        ),
        "cards.csv": csv_of(plan.table),
        "layouts/front.yaml": "\n".join(_front(plan)) + "\n",
        "layouts/back.yaml": "\n".join(_back(plan)) + "\n",
    }
    return {name: text.encode() for name, text in texts.items()}


def _front(plan: PackPlan) -> Iterator[str]:
    """Yield the lines of a layout with a layer for each column that is printed."""
    columns = plan.table.columns
    size = plan.size
    inner = MARGIN_MM + PADDING_MM
    width = size.w - 2 * inner
    yield "# yaml-language-server: $schema=../schema/layout.json"
    yield "- fill: $accent"
    yield f"- frame: {{inset: {MARGIN_MM}mm, radius: 2.5mm, fill: $paper}}"
    left = inner
    if columns.number:
        left = 18.0
        yield from (
            "- group:",
            "    - shape: {circle: [11, 11], r: 5.5mm, fill: $accent}",
            f"    - text: {quoted(hole(columns.number))}",
            "      box: [6.5, 6, 9, 10]",
            "      style: number",
            "      fit: 5pt",
            f"  when: {_is_filled(columns.number)}",
        )
    top = 7.5
    if columns.title:
        yield from (
            f"- text: {quoted(hole(columns.title))}",
            f"  box: {_box(left, 6, size.w - left - (left if not columns.number else inner), 10)}",
            "  style: title",
            f"  fit: {MIN_TITLE_SIZE}",
        )
        top = 18.0
    elif columns.number:
        top = 18.0
    if columns.pictures:
        height = round(size.h * plan.picture_share, 1)
        is_drawn = any(row[columns.pictures[0]].endswith(".svg") for row in plan.table.rows)
        yield from (
            f"- {'svg' if is_drawn else 'image'}: {quoted(hole(columns.pictures[0]))}",
            f"  box: {_box(inner, top, width, height)}",
            f"  when: {_is_filled(columns.pictures[0])}",
        )
        top += height + 1.5
    yield from _blocks(plan, _box(inner, top, width, size.h - inner - top))


def _blocks(plan: PackPlan, box: str) -> Iterator[str]:
    """Yield the lines of the layer with the labels, icons and texts, which shrink together."""
    columns = plan.table.columns
    first_label, *other_labels = (*columns.labels, "")
    blocks = [
        *((hole(column), "label", _is_filled(column)) for column in filter(None, [first_label])),
        *((hole(column), "icons", _is_filled(column)) for column in columns.icons),
        *(
            (f"{_word(column, plan)}: {hole(column)}", "label", _is_filled(column))
            for column in filter(None, other_labels)
        ),
        *((_word(column, plan), "label", quoted("${" + column + "}")) for column in columns.flags),
    ]
    if not blocks and not columns.texts:
        return
    yield "- blocks:"
    for text, style, when in blocks:
        yield from (f"    - text: {quoted(text)}", f"      style: {style}", f"      when: {when}")
    if blocks and columns.texts:
        yield "    - rule: 0.3mm $accent"
    for column in columns.texts:
        yield from (
            f"    - text: {quoted(hole(column))}",
            f"      style: {'flavour' if column.lower().startswith('flavo') else 'body'}",
            f"      when: {_is_filled(column)}",
        )
    yield from (f"  box: {box}", "  gap: 1.5mm", f"  fit: {MIN_TEXT_SIZE}")


def _back(plan: PackPlan) -> Iterator[str]:
    w, h = plan.size
    yield from (
        "# yaml-language-server: $schema=../schema/layout.json",
        "- fill: $accent",
        f"- frame: {{inset: {MARGIN_MM + 1}mm, stroke: 0.6mm $paper, radius: 2.5mm}}",
        f"- text: {quoted(escaped(plan.name))}",
        f"  box: {_box(10, h / 4, w - 20, h / 2)}",
        "  style: back",
        "  fit: 5pt",
    )


def _box(x: float, y: float, w: float, h: float) -> str:
    return f"[{', '.join(number(round(value, 1)) for value in (x, y, w, h))}]"


def hole(column: str) -> str:
    """Return the placeholder of a column in a layout: `$cost`, `${Card type}`."""
    return f"${column}" if re.fullmatch(r"[A-Za-z_]\w*", column) else f"${{{column}}}"


def _word(column: str, plan: PackPlan) -> str:
    """Return a column's name as it is printed; a dot if the fonts have none of its letters."""
    name = column[:1].upper() + column[1:].replace("_", " ").rstrip(" ?")
    return escaped("".join(filter(plan.can_print, name)).strip()) or "•"


def escaped(text: str) -> str:
    """Return a text with all signs of the markup escaped, so that they are printed."""
    return re.sub(r"([\\*:\[\]<&_~{%])", r"\\\1", text).replace("$", "$$")


def _is_filled(column: str) -> str:
    return quoted("${" + column + "} is not empty")


def quoted(text: str) -> str:
    """Return a text as a YAML value."""
    return "'" + text.replace("'", "''") + "'"


def csv_of(table: TidyTable) -> str:
    """Return a table as CSV."""
    return csv_text([table.names, *([row[name] for name in table.names] for row in table.rows)])


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Return rows of cells as CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
