"""Tables: a head on a ground, hairlines between rows, columns as wide as their words want."""

from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.platypus import tables

from generator.pdf.booklet.typesetter import QUIET, Typesetter, Voice
from generator.rules.model import Line, Table, plain

PAD = 5.0


def table(setter: Typesetter, block: Table) -> Any:
    """A ReportLab table of paragraphs."""
    rows = [block.head, *block.rows]
    voices = [Voice(setter.text.size, setter.text.leading, bold=not index) for index in range(len(rows))]
    cells = [
        [setter.paragraph(cell, _aligned(voice, block.aligns[n])) for n, cell in enumerate(row)]
        for voice, row in zip(voices, rows, strict=True)
    ]
    made = tables.Table(cells, colWidths=_widths(setter, block), hAlign="LEFT", repeatRows=1)
    made.setStyle(tables.TableStyle(_lines(setter, block)))
    return made


def _aligned(voice: Voice, align: str) -> Voice:
    return Voice(voice.size, voice.leading, bold=voice.bold, align=align)


def _lines(setter: Typesetter, block: Table) -> list[tuple[Any, ...]]:
    font = setter.type.regular
    whole = (0, 0), (-1, -1)
    shaded = [("BACKGROUND", (0, 0), (0, -1), HexColor("#f4ecdc"))] if block.players else []
    return [
        ("FONTNAME", *whole, font),
        ("TOPPADDING", *whole, 2.2),
        ("BOTTOMPADDING", *whole, 3.2),
        ("LEFTPADDING", *whole, PAD),
        ("RIGHTPADDING", *whole, PAD),
        ("VALIGN", *whole, "TOP"),
        *shaded,
        ("BACKGROUND", (0, 0), (-1, 0), HexColor("#efe6d4")),
        ("LINEBELOW", (0, 0), (-1, 0), 0.9, HexColor(setter.rules.look.accent)),
        ("LINEBELOW", (0, 1), (-1, -1), 0.3, HexColor(QUIET)),
    ]


def _widths(setter: Typesetter, block: Table) -> list[float]:
    """What the longest cell of each column wants; when that is too much, the wide columns give way."""
    room = setter.format.column
    rows = [block.head, *block.rows]
    wanted = [max(_wish(setter, row[n]) for row in rows) + 2 * PAD + 1 for n in range(len(block.head))]
    if block.players:
        widest = max(wanted)
        wanted = [min(max(width, widest), room / len(wanted)) for width in wanted]
    narrow = {n for n, width in enumerate(wanted) if width <= room / len(wanted)}
    taken = sum(wanted[n] for n in narrow)
    over = sum(wanted) - taken
    if sum(wanted) <= room:
        return wanted
    return [width if n in narrow else width / over * (room - taken) for n, width in enumerate(wanted)]


def _wish(setter: Typesetter, line: Line) -> float:
    icons = sum(1 for part in line if getattr(part, "icon", ""))
    return setter.width(plain(line), Voice(setter.text.size, 0, bold=True)) + icons * setter.text.size * 1.3
