"""What stands in a text besides words: `[title]…[/]`, `[$accent 120%]…[/]`, `[big underline]…[/]`; rows and cells."""

import re
from dataclasses import replace
from functools import reduce
from typing import Annotated

from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema

from generator.core import units
from generator.core.problems import Wrong, unknown
from generator.core.values import Frozen
from generator.pack.colours import colour, colour_names
from generator.pack.fields import Names, names_of, real
from generator.pack.style import INLINE_WORDS, Align, Caps, InlineLook, Style

_MARK = re.compile(r"(?<!\\)\[([^\[\]\n/][^\[\]\n]{0,39})\]")
_END = "[/]"
_PARTED = re.compile(r"([\d.]+)\s+(%|pt|mm|in)(?!\w)")


def with_looks(style: Style, text: str, names: Names) -> Style:
    """The style with what the brackets of a text stand for; raises `Wrong` for words that stand for nothing."""
    if _END not in text:
        for match in _MARK.finditer(text):
            if all(word in names.styles or word in INLINE_WORDS or word in names.palette for word in match[1].split()):
                raise Wrong(f"{match[0]} is not ended", "[/] where its look ends", f"to print it: \\{match[0]}")
        return style
    marks = dict.fromkeys(match[1] for match in _MARK.finditer(text[: text.rindex(_END)]))
    return replace(style, inline=Frozen({mark: _look(mark, names) for mark in marks})) if marks else style


def readable(text: str, info: ValidationInfo) -> str:
    """The check of a layer's `text`, whose brackets stand for something: so a slip is told where the text stands."""
    if "[" in text:
        with_looks(Style(), text, names_of(info))
    return text


def looks_of_text(style: Style | None, info: ValidationInfo) -> Style | None:
    """The check of a layer's `style`: with what the brackets of its `text` stand for."""
    text = info.data.get("text", "")
    return with_looks(style, text, names_of(info)) if style and "[" in text else style


def _look(mark: str, names: Names) -> InlineLook:
    if parted := _PARTED.search(mark):
        meant = _PARTED.sub(r"\1\2", mark)
        raise Wrong(f"[{mark}]: a blank before {parted[2]!r}", f"[{meant}]")
    return reduce(InlineLook.with_inner, (_word(word, names) for word in mark.split()), InlineLook())


def _word(word: str, names: Names) -> InlineLook:
    if word in names.styles:
        return _of_style(names.styles[word])
    if word in INLINE_WORDS:
        return INLINE_WORDS[word]
    if word.startswith(("$", "#")) or word in names.palette or word in colour_names():
        return InlineLook(colour=colour(names.palette.get(word) or names.of_palette(word)))
    if match := re.fullmatch(r"(\d{1,3})%", word):
        return InlineLook(scale=max(int(match[1]), 1) / 100)
    if re.fullmatch(r"[+-][\d.]+(?:mm|pt|in)", word):
        return InlineLook(rise=units.length(word))
    if re.fullmatch(r"[\d.]+(?:mm|pt|in)", word):
        return InlineLook(size=units.length(word))
    wrong = unknown("look", word, [*names.styles, *INLINE_WORDS, *names.palette])
    expected = "a style, a colour, big, small, bold, italic, underline, caps, small-caps, 12pt, 120%, +0.5mm, center"
    hint = f"did you mean [#{word}]?" if re.fullmatch(r"[0-9a-fA-F]{6}", word) else wrong.hint
    raise Wrong(f"[{word}]: {wrong.found}", expected, hint or f"to print the brackets: \\[{word}]")


def _of_style(style: Style) -> InlineLook:
    caps = style.caps if style.caps is not Caps.NORMAL else None
    return InlineLook(
        style.font, style.weight, style.italic, style.size, colour=style.colour, caps=caps, align=style.align
    )


def readable_cells(rows: tuple[tuple[str, ...], ...], info: ValidationInfo) -> tuple[tuple[str, ...], ...]:
    """The check of the texts of a table, as that of one text."""
    with_looks(Style(), "\n".join(cell for row in rows for cell in row), names_of(info))
    return rows


def looks_of_cells(style: Style | None, info: ValidationInfo) -> Style | None:
    """The check of a table's styles, as that of a text's."""
    text = "\n".join(cell for row in info.data.get("table", ()) for cell in row)
    return with_looks(style, text, names_of(info)) if style else None


_RULE = re.compile(r":?-{2,}:?")
"""What a cell below the head is where tables are written in Markdown."""


def _shares(value: object) -> object:
    parts = value if isinstance(value, list) else str(value).split()
    shares = tuple(real(str(part).removesuffix("%")) for part in parts)
    if not shares or min(shares) <= 0:
        raise Wrong(f"{value!r} are no shares", "a number above 0 for each, such as [2, 1]")
    return shares


def _cells(value: object) -> object:
    """Rows of cells, of one text or of a list."""
    if isinstance(value, list):
        rows = [row if isinstance(row, list) else re.split(r"(?<!\\)\|", str(row)) for row in value]
    else:
        lines = [line.strip() for line in re.split(r"(?<![\\\[])[/\n]", str(value)) if line.strip()]
        rows = [re.split(r"(?<!\\)\|", line) for line in lines]
    for row in rows:
        if any(row) and all(_RULE.fullmatch(str(cell).strip()) for cell in row if str(cell).strip()):
            raise Wrong("a row of dashes", "rows alone: the first is the head, and `line: 0.2mm $ink` draws lines")
        if len(row) != len(rows[0]):
            found = f"a row of {len(row)} cells ({' | '.join(map(str, row))}) in a table of {len(rows[0])} columns"
            raise Wrong(found, "as many cells as in the first row, with | between them")
    return tuple(tuple(str(cell).strip() for cell in row) for row in rows)


def _listed(value: object) -> object:
    return value if isinstance(value, list) else str(value).split()


_NUMBERS = {"type": "array", "items": {"type": "number"}}
_CELLS = {"type": ["string", "array"], "items": {"type": ["string", "array"], "items": {"type": ["string", "number"]}}}
Shares = Annotated[tuple[float, ...], BeforeValidator(_shares), WithJsonSchema(_NUMBERS)]
Rows = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_cells), WithJsonSchema(_CELLS)]
Aligns = Annotated[
    tuple[Align, ...],
    BeforeValidator(_listed),
    WithJsonSchema({"type": ["string", "array"], "items": {"enum": [align.value for align in Align]}}),
]
