"""Inline marks of texts, such as `[title]…[/]`, `[$accent 120%]…[/]`, `[big underline]…[/]`, and table cells."""

import re
from dataclasses import replace
from functools import reduce
from typing import Annotated

from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema

from generator.base import units
from generator.base.errors import InvalidValueError, unknown
from generator.base.values import Frozen
from generator.pack.colours import colour_names, parse_colour
from generator.pack.fields import Names, names_of, parse_real
from generator.pack.validation import respelled
from generator.text.style import INLINE_WORDS, Align, Caps, InlineStyle, Style

_MARK = re.compile(r"(?<!\\)\[([^\[\]\n/][^\[\]\n]{0,39})\]")
_END = "[/]"
_SPLIT_MEASURE = re.compile(r"([\d.]+)\s+(%|pt|mm|in)(?!\w)")


def with_inline_marks(style: Style, text: str, names: Names) -> Style:
    """Return the style with the meaning of every mark in a text.

    Raise `InvalidValueError` for unknown words.
    """
    if _END not in text:
        for match in _MARK.finditer(text):
            if all(
                word in names.styles or word in INLINE_WORDS or word in names.palette
                for word in match[1].split()
            ):
                raise InvalidValueError(
                    f"{match[0]} is not ended", "[/] at its end", f"to print it: \\{match[0]}"
                )
        return style
    marks = marks_in(text)
    return (
        replace(style, inline=Frozen({mark: _parse_mark(mark, names) for mark in marks}))
        if marks
        else style
    )


def marks_in(text: str) -> list[str]:
    """Return the words of the marks in a text, such as `title` for `[title]`, each once."""
    before_end = text.rpartition(_END)[0]
    return list(dict.fromkeys(match[1] for match in _MARK.finditer(before_end)))


def check_marks(text: str, info: ValidationInfo) -> str:
    """Validate the marks of a layer's `text`, so that an error is reported at the text."""
    if "[" in text:
        with_inline_marks(Style(), text, names_of(info))
    return text


def style_with_text_marks(style: Style | None, info: ValidationInfo) -> Style | None:
    """Validate a layer's `style`: add the meaning of the marks in its `text`."""
    text = info.data.get("text", "")
    return with_inline_marks(style, text, names_of(info)) if style and "[" in text else style


def _parse_mark(mark: str, names: Names) -> InlineStyle:
    if measure := _SPLIT_MEASURE.search(mark):
        joined = _SPLIT_MEASURE.sub(r"\1\2", mark)
        raise InvalidValueError(f"[{mark}]: a blank before {measure[2]!r}", f"[{joined}]")
    return reduce(
        InlineStyle.with_inner, (_parse_word(word, names) for word in mark.split()), InlineStyle()
    )


def _parse_word(word: str, names: Names) -> InlineStyle:
    if word in names.styles:
        return _inline_style(names.styles[word])
    if (corrected := respelled(word, INLINE_WORDS)) in INLINE_WORDS:
        return INLINE_WORDS[corrected]
    if word.startswith(("$", "#")) or word in names.palette or word in colour_names():
        return InlineStyle(colour=parse_colour(names.palette.get(word) or names.of_palette(word)))
    if match := re.fullmatch(r"(\d{1,3})%", word):
        return InlineStyle(scale=max(int(match[1]), 1) / 100)
    if re.fullmatch(r"[+-][\d.]+(?:mm|pt|in)", word):
        return InlineStyle(rise=units.length(word))
    if re.fullmatch(r"[\d.]+(?:mm|pt|in)", word):
        return InlineStyle(size=units.length(word))
    wrong = unknown("style", word, [*names.styles, *INLINE_WORDS, *names.palette])
    expected = "a style, a colour, big, small, bold, italic, underline, caps, small-caps, 12pt, 120%, +0.5mm, center"
    hint = f"did you mean [#{word}]?" if re.fullmatch(r"[0-9a-fA-F]{6}", word) else wrong.hint
    raise InvalidValueError(
        f"[{word}]: {wrong.found}", expected, hint or f"to print the brackets: \\[{word}]"
    )


def _inline_style(style: Style) -> InlineStyle:
    caps = style.caps if style.caps is not Caps.NORMAL else None
    return InlineStyle(
        style.family,
        style.weight,
        style.italic,
        style.size,
        colour=style.colour,
        caps=caps,
        align=style.align,
    )


def check_cell_marks(
    rows: tuple[tuple[str, ...], ...], info: ValidationInfo
) -> tuple[tuple[str, ...], ...]:
    """Validate the marks in the texts of a table."""
    with_inline_marks(Style(), "\n".join(cell for row in rows for cell in row), names_of(info))
    return rows


def style_with_cell_marks(style: Style | None, info: ValidationInfo) -> Style | None:
    """Validate a table's style: add the meaning of the marks in its cells."""
    text = "\n".join(cell for row in info.data.get("table", ()) for cell in row)
    return with_inline_marks(style, text, names_of(info)) if style else None


_RULE = re.compile(r":?-{2,}:?")
"""A cell of the rule below the head of a Markdown table."""


def _read_shares(value: object) -> object:
    parts = value if isinstance(value, list) else str(value).split()
    shares = tuple(parse_real(str(part).removesuffix("%")) for part in parts)
    if not shares or min(shares) <= 0:
        raise InvalidValueError(
            f"{value!r} are not shares", "a number above 0 for each, such as [2, 1]"
        )
    return shares


def _read_cells(value: object) -> object:
    """Parse the rows of a table: one text with `/` or newlines and `|`, or a list of rows."""
    if isinstance(value, list):
        rows = [row if isinstance(row, list) else re.split(r"(?<!\\)\|", str(row)) for row in value]
    else:
        lines = [line.strip() for line in re.split(r"(?<![\\\[])[/\n]", str(value)) if line.strip()]
        rows = [re.split(r"(?<!\\)\|", line) for line in lines]
    for row in rows:
        if any(row) and all(
            _RULE.fullmatch(str(cell).strip()) for cell in row if str(cell).strip()
        ):
            raise InvalidValueError(
                "a row of dashes",
                "rows alone: the first is the head, and `line: 0.2mm $ink` draws lines",
            )
        if len(row) != len(rows[0]):
            found = f"a row of {len(row)} cells ({' | '.join(map(str, row))}) in a table of {len(rows[0])} columns"
            raise InvalidValueError(found, "as many cells as in the first row, with | between them")
    return tuple(tuple(str(cell).strip() for cell in row) for row in rows)


def _read_list(value: object) -> object:
    return value if isinstance(value, list) else str(value).split()


_NUMBERS = {"type": "array", "items": {"type": "number"}}
_CELLS = {
    "type": ["string", "array"],
    "items": {"type": ["string", "array"], "items": {"type": ["string", "number"]}},
}
Shares = Annotated[tuple[float, ...], BeforeValidator(_read_shares), WithJsonSchema(_NUMBERS)]
Rows = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_read_cells), WithJsonSchema(_CELLS)]
Aligns = Annotated[
    tuple[Align, ...],
    BeforeValidator(_read_list),
    WithJsonSchema(
        {"type": ["string", "array"], "items": {"enum": [align.value for align in Align]}}
    ),
]
