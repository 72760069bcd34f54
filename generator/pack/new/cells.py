"""The texts in a designer's cells, rewritten in the markup of pnp: bold and italic words, emoji, icons."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from html import unescape

from generator.base.errors import InvalidValueError
from generator.base.symbols import find_symbol, symbol_aliases, symbol_paths
from generator.pack.new.import_notes import Notes
from generator.pack.new.table import TidyTable, iterate_cells
from generator.pack.text_marks import marks_in
from generator.pack.validation import MisdecodedTextError, UnresolvedNameError, find_cell_mistake
from generator.text.markup import parse_markup
from generator.text.style import INLINE_WORDS

CanPrint = Callable[[str], bool]
"""A function that returns True if a font of the pack has a character."""

_ICON = re.compile(r"(?<![\w:]):([A-Za-z]\w*(?:[./-]\w+)*):(?![\w:])")
_DOUBLED = re.compile(r"::([A-Za-z][\w-]*)::")
_BRACKETED = re.compile(r"(?<![${\\])\{([A-Za-z][\w-]{0,19})\}(?!\})|\[([A-Za-z][\w-]{0,19})\]")
_EMOJI = re.compile(
    "(?:[\U0001f1e6-\U0001f1ff]{2}"  # two regional indicators are a flag
    "|[0-9#*]\ufe0f?\u20e3"  # keycaps
    "|(?:[\U0001f000-\U0001faff]|[\u2190-\u2bff\u3030\u303d\u3297\u3299](?=\ufe0f)"
    "|[\u231a\u231b\u23e9-\u23fa"
    "\u2600-\u27bf\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55])"
    "[\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
    "(?:\u200d(?:[\U0001f000-\U0001faff]|[\u2600-\u27bf])\ufe0f?)*)"
)
"""An emoji with its selector and skin tone, or several that are joined (UTS #51)."""
_INVISIBLE = re.compile("[\u200b\u2060\ufeff\ufe0e\ufe0f]")
_TAGS = {
    **dict.fromkeys(("b", "strong"), "**"),
    **dict.fromkeys(("i", "em"), "*"),
    **dict.fromkeys(("br", "p", "div"), "\n"),
}
"""The markup for tags of web pages; `<p>…</p>` becomes two line breaks, which end a paragraph."""
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)\b[^<>]*>")
_TAG_OF_PAGE = re.compile(r"</?[A-Za-z][^<>]*>")
_UNDERLINED = re.compile(r"(?<![\w_])(__?)(?=[^\W_])([^_\n]*?\S)\1(?![\w_])")
_FOREIGN = re.compile(
    r"\](?=\(https?:)|~(?=~[^\s~])|(?<=[^\s~])~(?=~)|\[(?=/\w)|<(?=/?[A-Za-z][^<>]*>)"
    r"|(?<!\\)\$(?=\{)|\{(?=\{[^{}\n]+\}\})|%(?=[A-Za-z_]\w*%)"
)
"""The first sign of foreign markup: a link, struck-out words, a named closing mark, a tag, a template variable."""
_PUNCTUATION = re.compile(r"([\\*:\[\]<&_~{%$])")
_NOT_NAME = re.compile(r"[^\w]+")
_LIST_SEPARATOR = re.compile(r"\s*[,;/|+&\n:]+\s*")


@dataclass
class CellWriter:
    """Rewrites the texts of one table, and collects the icons that they name, with their places."""

    can_print: CanPrint
    notes: Notes
    icon_places: dict[str, list[str]] = field(default_factory=dict)
    pictures: dict[str, list[str]] = field(default_factory=dict)
    """The places of each picture file of the pack that cells name."""

    def write(self, table: TidyTable) -> None:
        """Rewrite all texts of a table in place."""
        self._write_icon_columns(table)
        self._write_picture_columns(table)
        bracketed = self._find_bracketed(table)
        for at, line, name in iterate_cells(table):
            row = table.rows[at]
            place = f"row {line} ({name!r})"
            if row[name]:
                row[name] = self._rewrite(row[name], place, row, bracketed, name)
        for at, line, name in iterate_cells(table):
            row = table.rows[at]
            row[name] = self._escape_if_needed(row[name], f"row {line} ({name!r})", row)

    def _write_icon_columns(self, table: TidyTable) -> None:
        """Write the cells of columns with icons as icons in a line."""
        for name in table.columns.icons:
            cells = _split_icons([row[name] for row in table.rows])
            for row, line in zip(table.rows, table.lines, strict=True):
                parts = list(filter(None, cells[row[name]]))
                icons = list(filter(None, map(name_icon, parts)))
                for part in parts:
                    if not name_icon(part):
                        self.notes.add(f"left out, because {part!r} names no icon", f"row {line}")
                for icon in icons:
                    self._note_icon(icon, f"row {line}")
                row[name] = " ".join(f":{icon}:" for icon in icons)

    def _write_picture_columns(self, table: TidyTable) -> None:
        """Write the names of pictures as files of the pack: `art/fox.png` for `D:/Fox.png`."""
        for name in table.columns.pictures:
            is_drawn = all(row[name].lower().endswith(".svg") for row in table.rows if row[name])
            for row, line in zip(table.rows, table.lines, strict=True):
                place = f"row {line} ({name!r})"
                file_name = re.split(r"[/\\]", row[name])[-1]
                stem, _, suffix = file_name.lower().rpartition(".")
                if not file_name:
                    continue
                if suffix == "svg" and not is_drawn:
                    self.notes.add("left out, because other cells of the column name pixels", place)
                    row[name] = ""
                    continue
                suffix = {"jpeg": "jpg", "jpg": "jpg", "svg": "svg"}.get(suffix, "png")
                row[name] = f"art/{name_icon(stem) or 'picture'}.{suffix}"
                self.pictures.setdefault(row[name], []).append(place)

    def _find_bracketed(self, table: TidyTable) -> Collection[str]:
        """Return the words in brackets that are icons.

        These are all words in braces, symbols, and words in the brackets of several cells.
        """
        rows: Counter[str] = Counter()
        for at, _, name in iterate_cells(table):
            cell = table.rows[at][name]
            rows.update({match[0] for match in _BRACKETED.finditer(cell)})
        return {
            word
            for word, times in rows.items()
            if word[0] == "{" or times > 1 or find_symbol(name_icon(word[1:-1]))
        }

    def _note_icon(self, icon: str, place: str) -> None:
        places = self.icon_places.setdefault(icon, [])
        if place not in places:
            places.append(place)

    def _rewrite(
        self,
        text: str,
        place: str,
        row: Mapping[str, str],
        bracketed: Collection[str],
        column: str,
    ) -> str:
        text = self._without_mistakes(text, place, row)
        if column.partition("@")[0] == "title":
            text = self._plain_name(text, place)
        else:
            text = self._with_icons(self._markup(text, place), place, bracketed)
        return self._printable(text, place).strip()

    def _without_mistakes(self, text: str, place: str, row: Mapping[str, str]) -> str:
        """Return a text with é where a program read Ã©; an empty text for formulas and their errors."""
        mistake = find_cell_mistake(text, row)
        if mistake is None or isinstance(mistake, UnresolvedNameError):
            return text
        if isinstance(mistake, MisdecodedTextError):
            self.notes.add("letters that were read in a wrong encoding are corrected", place)
            return text.encode("cp1252").decode("utf-8")
        self.notes.add(f"left out, because {mistake.found}", place)
        return ""

    def _plain_name(self, text: str, place: str) -> str:
        """Return a card's name without markup and emoji, which galleries would show as written."""
        left_out = [*_TAG_OF_PAGE.findall(text), *_EMOJI.findall(text)]
        text = _EMOJI.sub(" ", _TAG_OF_PAGE.sub(" ", text))
        text = _UNDERLINED.sub(r"\2", text)
        if left_out:
            self.notes.add(f"left out of the card's name: {' '.join(left_out)}", place)
        return " ".join(text.replace("*", " ").split())

    def _with_icons(self, text: str, place: str, bracketed: Collection[str]) -> str:
        """Write icons and emoji as `:name:`."""

        def icon(name: str) -> str:
            self._note_icon(name, place)
            return f":{name}:"

        def in_brackets(match: re.Match[str]) -> str:
            is_mark = "[/" in text and match[2]
            is_icon = match[0] in bracketed and not is_mark
            return icon(name_icon(match[1] or match[2])) if is_icon else match[0]

        def emoji(match: re.Match[str]) -> str:
            is_sign = len(match[0]) == 1 and match[0] < "\U0001f000"
            return match[0] if is_sign and self.can_print(match[0]) else icon(name_emoji(match[0]))

        text = _DOUBLED.sub(r":\1:", text)
        text = _BRACKETED.sub(in_brackets, text)
        text = _ICON.sub(lambda match: icon(name_icon(match[1])), text)
        return _EMOJI.sub(emoji, text)

    def _markup(self, text: str, place: str) -> str:
        """Write bold and italic words of web pages and Markdown in the markup of pnp."""
        before = text
        text = _TAG.sub(lambda match: _TAGS.get(match[1].lower(), match[0]), text)
        text = re.sub(
            r"&(?:amp|lt|gt|quot|apos|nbsp|#\d+);", lambda match: unescape(match[0]), text
        )
        text = _UNDERLINED.sub(
            lambda match: "*" * len(match[1]) + match[2] + "*" * len(match[1]), text
        )
        if text != before:
            self.notes.add(
                "HTML, or underscores round words, are written as **bold** and *italic*", place
            )
        if foreign := [match[0] for match in _FOREIGN.finditer(text)]:
            signs = ", ".join(dict.fromkeys(foreign))
            self.notes.add(f"printed as written, because pnp has nothing like it: {signs}", place)
        return _FOREIGN.sub(r"\\\g<0>", text)

    def _printable(self, text: str, place: str) -> str:
        """Leave out the characters that no font has."""
        unprintable = [
            char for char in dict.fromkeys(text) if not char.isspace() and not self.can_print(char)
        ]
        if visible := [
            char for char in unprintable if not _INVISIBLE.match(char) and char.isprintable()
        ]:
            scripts = dict.fromkeys(
                unicodedata.name(char, "?").split()[0].title() for char in visible
            )
            self.notes.add(
                f"left out, because no font on this computer has these letters "
                f"({', '.join(scripts)}): {''.join(visible)}; install one, and run this again",
                place,
            )
        printable = "".join(char for char in text if char not in unprintable)
        return re.sub(r"[ \t]+", " ", printable).strip() if unprintable else printable

    def _escape_if_needed(self, text: str, place: str, row: Mapping[str, str]) -> str:
        """Return a text that pnp prints as it stands: signs with a meaning in its markup are escaped."""
        text = self._without_mistakes(text, place, row)
        try:
            parse_markup(text, {*self.icon_places, *symbol_paths(), *symbol_aliases()})
            is_known = all(
                mark.strip() and {*mark.split()} <= {*INLINE_WORDS} for mark in marks_in(text)
            )
            if is_known and find_cell_mistake(text, row) is None:
                return text
        except InvalidValueError as wrong:
            self.notes.add(f"printed as written ({wrong.found})", place)
        icons = [f":{name}:" for name in self.icon_places]
        parts = re.split("(" + "|".join(map(re.escape, icons)) + ")", text) if icons else [text]
        return "".join(part if part in icons else _PUNCTUATION.sub(r"\\\1", part) for part in parts)


def _split_icons(cells: Collection[str]) -> dict[str, list[str]]:
    """Return the names in each cell of a column of icons.

    A blank separates them only if no cell has a comma or the like: `Crossed Swords` may be one.
    """
    texts = {
        cell: _EMOJI.sub(lambda match: f",{name_emoji(match[0])},", cell).strip(" :,")
        for cell in cells
    }
    has_signs = any(_LIST_SEPARATOR.search(text) for text in texts.values())
    separator = _LIST_SEPARATOR if has_signs else re.compile(r"\s+")
    return {cell: separator.split(text) for cell, text in texts.items()}


def letters_to_print(table: TidyTable) -> str:
    """Return the characters of a table that fonts should have: all but emoji, which become icons."""
    cells = [table.rows[at][name] for at, _, name in iterate_cells(table)]
    return "".join(
        char
        for char in dict.fromkeys("".join(cells + list(table.names)))
        if char < "\U0001f000" and char.isprintable()
    )


def name_icon(written: str) -> str:
    """Return the file name of an icon: `crossed-swords` for `Crossed Swords`.

    Empty for a text without letters and digits.
    """
    stem = re.sub(r"\.(?:svg|png|jpe?g|webp)$", "", written.strip().lower())
    name = _NOT_NAME.sub("-", stem).strip("-_")
    return name if re.match(r"[^\W_]", name) else ""


def name_emoji(emoji: str) -> str:
    """Return the name of an emoji, by the Unicode name of its first character: `crossed-swords`."""
    if emoji[0] in "0123456789#*":
        return {"#": "number-sign", "*": "asterisk"}.get(emoji[0], f"keycap-{emoji[0]}")
    if len(emoji) > 1 and all("\U0001f1e6" <= char <= "\U0001f1ff" for char in emoji):
        letters = "".join(chr(ord(char) - 0x1F1E6 + ord("a")) for char in emoji)
        return f"flag-{letters}"
    return name_icon(unicodedata.name(emoji[0], "sign").lower()) or "sign"
