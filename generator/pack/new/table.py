"""A designer's table in the form that pnp needs: a row of column names, a row for each card, tidy cells."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

from generator.base.errors import InvalidValueError
from generator.pack.expression_functions import FALSE, TRUE, column_letters, number_in
from generator.pack.game_spec import IDENTIFIER
from generator.pack.new.import_notes import Notes
from generator.pack.new.raw_table import RawTable
from generator.pack.validation import COUNT_SYNONYMS

HEAD_ROWS = 20
"""Number of rows from the top that are searched for the names of the columns."""
MAX_HEAD_CHARACTERS = 60
"""Longest name of a column; a longer cell is a text."""
MAX_NAME_CHARACTERS = 40
"""Length to which the names of columns and ids are cut."""

TITLES = (
    *("title", "name", "card name", "card title", "card", "cardname", "titel", "kartenname"),
    *("karte", "kaart", "kaartnaam", "naam", "nom", "titre", "carte", "nombre", "título", "carta"),
    *("nome", "titolo", "nazwa", "название", "имя", "名前", "カード名", "名称", "卡名", "이름"),
)
"""Names of the column with a card's name, the most certain first."""
COUNTS = COUNT_SYNONYMS | {
    *("#", "x", "×", "qty.", "no. of copies", "number", "how many", "nb", "nbr", "quantité"),
    *("menge", "stück", "exemplare", "kopien", "exemplaires", "cantidad", "copias", "quantità"),
    *(
        "copie",
        "number of cards",
        "cards",
        "in deck",
        "ilość",
        "количество",
        "枚数",
        "数量",
        "수량",
    ),
}
TEXTS = frozenset(
    (
        *("text", "rules", "rules text", "rule", "effect", "ability", "abilities", "description"),
        *("flavor", "flavour", "flavor text", "flavour text", "regeltext", "effekt", "tekst"),
        *("beschreibung", "texte", "effet", "texto", "efecto", "testo", "effetto", "テキスト"),
    )
)
ICONS = frozenset(
    (*("icon", "icons", "symbol", "symbols", "symbole", "icone", "icône", "icono", "icoon"),)
)
REMARKS = frozenset(
    (
        *("notes", "note", "comment", "comments", "todo", "to do", "remarks", "designer notes"),
        *("notizen", "kommentar", "bemerkung", "opmerkingen", "notas", "status", "changes"),
    )
)
"""Names of columns that are for the designer and are not printed."""
TOTALS = frozenset(
    (
        *("total", "totals", "sum", "summe", "gesamt", "insgesamt", "totaal", "totale", "somme"),
        *("suma", "soma", "suma total", "total cards", "итого", "合計", "合计", "합계"),
    )
)
"""Words that begin a row below the cards in which a spreadsheet adds them up."""
KNOWN_NAMES = frozenset(
    {"id", "type", "cost", "image", "art", "picture", *TITLES, *COUNTS, *TEXTS}
) | (ICONS | REMARKS)

YES = TRUE | {"y", "x", "✓", "✔", "☑", "✅", "ja", "j", "oui", "si", "sí", "sì", "sim", "да"}
NO = (FALSE - {"0"}) | {"n", "-", "–", "✗", "✘", "☐", "❌", "nein", "nee", "non", "não", "нет"}
PICTURE_FILE = re.compile(r"[^\n]+\.(?:png|jpe?g|webp|svg|gif|bmp|tiff?)", re.IGNORECASE)
MIN_TEXT_CHARACTERS = 30
"""Average number of characters from which a column is a text to read, not a label."""

_COUNT = re.compile(
    r"(?:[x×*]\s*)?(\d{1,4})(?:[.,]0+)?\s*(?:[x×*]|times|mal|cop(?:y|ies)|cards?|pcs?\.?|pieces?"
    r"|stk\.?|stück|karten?|kopien|exemplare?|exemplaires?|copias?|copie|ex\.?|fois|veces"
    r"|枚|張|张|장)?",
    re.IGNORECASE,
)
"""A number of copies as people write it: `2`, `2x`, `×3`, `2 copies`, `3 Stück`."""
_MARKED_COUNT = re.compile(
    r"[x×*]\s*\d{1,4}|\d{1,4}\s*(?:[x×]|copy|copies|pcs|stk|stück)", re.IGNORECASE
)
_DECIMAL_COMMA = re.compile(r"[-+−]?\d+,\d+")
_THOUSANDS = re.compile(
    r"[-+−]?\d{1,3}(?:(?P<sign>[,.' \u00a0\u202f’])\d{3})(?:(?P=sign)\d{3})*(?:[.,]\d+)?"
)


@dataclass(frozen=True)
class Columns:
    """The columns of a table, by the role inferred for them."""

    title: str = ""
    number: str = ""
    labels: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    icons: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = {
            "name": self.title,
            "number in the corner": self.number,
            "pictures": ", ".join(self.pictures),
            "icons": ", ".join(self.icons),
            "labels": ", ".join(self.labels),
            "yes or no": ", ".join(self.flags),
            "text": ", ".join(self.texts),
            "not printed": ", ".join(self.remarks),
        }
        return "; ".join(f"{role}: {names}" for role, names in parts.items() if names)


@dataclass(frozen=True)
class TidyTable:
    """The rows of a table with an id each, by names of columns that layouts can use."""

    names: tuple[str, ...]
    rows: tuple[dict[str, str], ...]
    lines: tuple[int, ...]
    columns: Columns


def tidy_table(raw: RawTable, notes: Notes) -> TidyTable:
    """Return a tidy table: find its column names, cards and roles, and note everything left out."""
    at = _find_head(raw.rows)
    names, body = _split_head(raw, at, notes)
    if not body:
        raise InvalidValueError(
            f"{raw.file} has no cards",
            "a row with the names of the columns, and a row for each card",
        )
    written = {
        name: raw.rows[at][1][index] for index, name in names.items() if _has(raw, at, index)
    }
    names = _keep_filled(names, body, notes)
    table = [
        (line, {name: cells[index] if index < len(cells) else "" for index, name in names.items()})
        for line, cells in body
    ]
    cards = [row for _, row in table]
    title = _find_title(list(names.values()), cards)
    new_names = _final_names(list(names.values()), title, _find_counts(list(names.values()), cards))
    for name, new in new_names.items():
        if new != (heading := written.get(name, name)):
            is_second = _clean_name(heading) in new_names and new_names[_clean_name(heading)] != new
            notes.add(
                f"{'another' if is_second else 'the'} column {heading!r} is now called {new!r}"
            )
    rows = [{new_names[name]: cell for name, cell in row.items()} for row in cards]
    lines = tuple(line for line, _ in table)
    if "count" in new_names.values():
        _read_counts(rows, lines, notes)
    _give_ids(rows, notes)
    ordered_names = ("id", *(name for name in rows[0] if name != "id"))
    columns = _sort_columns(
        rows, [name for name in ordered_names if name not in {"id", "count"}], notes
    )
    ordered = tuple({name: row[name] for name in ordered_names} for row in rows)
    return TidyTable(ordered_names, ordered, lines, columns)


def _final_names(names: Sequence[str], title: str, counts: str) -> dict[str, str]:
    """Return the new name of each column: `id`, `title` and `count` for those of that kind."""
    id_column = next((name for name in names if name.lower() == "id"), "")
    fixed = {id_column: "id", title: "title", counts: "count"}
    translatable = {name.casefold(): name for name in names if "@" not in name}
    new_names: dict[str, str] = {}
    used = {"id", "title", "count"}
    for name in names:
        new = fixed.get(name, "")
        if not new:
            base, at, language = name.partition("@")
            if at:  # `name@nl` translates the column `Name`
                base = translatable.get(base.casefold(), base)
            new = ("title" if at and base == title else base) + at + language
            if new.lower() in COUNT_SYNONYMS and not counts:
                new = f"{new} as written"  # the loader asks whether such a column is the count
            new = _unique(new, used)
        used.add(new)
        new_names[name] = new
    return new_names


# --- The row of names ---


def _find_head(rows: Sequence[tuple[int, Sequence[str]]]) -> int:
    """Return the index of the row with the names of the columns; -1 if the first row is a card."""
    filled = [sum(map(bool, cells)) for _, cells in rows]
    above_a_card = range(min(HEAD_ROWS, len(rows) - 1))
    candidates = [at for at in above_a_card if filled[at] * 2 > max(filled)]
    for at in above_a_card:
        cells = rows[at][1]
        known_count = sum(_plain(cell) in KNOWN_NAMES for cell in cells)
        # Notes to the right of a card may make its row twice as long as the names of the columns.
        is_likely = (known_count > 1 and filled[at] * 2 >= max(filled)) or (
            known_count and at in candidates[:1]
        )
        if is_likely and known_count * 3 >= filled[at] and _is_head(cells):
            return at
    if not candidates:
        return 0
    first = rows[candidates[0]][1]
    values = sum(bool(cell) and _is_value(cell) for cell in first)
    is_card = values * 4 > filled[candidates[0]] or not _is_head(first)
    return -1 if is_card else candidates[0]


def _is_head(cells: Sequence[str]) -> bool:
    """Return True if cells may be names of columns: short and mostly different."""
    filled = [cell for cell in cells if cell]
    return max(map(len, filled)) <= MAX_HEAD_CHARACTERS and len(set(filled)) * 2 > len(filled)


def _is_value(cell: str) -> bool:
    """Return True for a number, a count or a date, which name no column."""
    return number_in(cell) is not None or bool(
        _MARKED_COUNT.fullmatch(cell) or re.fullmatch(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}.*", cell)
    )


def _split_head(
    raw: RawTable, at: int, notes: Notes
) -> tuple[dict[int, str], list[tuple[int, Sequence[str]]]]:
    """Return the names of the columns by their places, and the rows with cards."""
    width = max(len(cells) for _, cells in raw.rows)
    head: Sequence[str] = raw.rows[at][1] if at >= 0 else ()
    if at < 0:
        notes.add("no row names the columns, so they are called after their letters")
    for line, cells in raw.rows[: max(at, 0)]:
        texts = ", ".join(repr(cell) for cell in cells if cell)
        notes.add(
            f"skipped, because it stands above the names of the columns: {texts}", f"row {line}"
        )
    names: dict[int, str] = {}
    for index in range(width):
        written = head[index] if index < len(head) else ""
        name = _clean_name(written) or f"Column {column_letters(index + 1)}"
        names[index] = _unique(name, names.values())
    body: list[tuple[int, Sequence[str]]] = []
    for line, cells in raw.rows[at + 1 :]:
        if at >= 0 and [cell for cell in cells if cell] == [cell for cell in head if cell]:
            notes.add("skipped, because it repeats the names of the columns", f"row {line}")
            continue
        if line == raw.rows[-1][0] and body and _is_total(cells):
            notes.add("skipped, because it adds up the rows above it", f"row {line}")
            continue
        if sum(map(bool, cells)) == 1 and width > 2:
            (only,) = filter(None, cells)
            notes.add(
                f"this row has one cell, {only!r}; delete the card if it is a heading",
                f"row {line}",
            )
        body.append((line, cells))
    _note_blanks_and_merges(raw, [line for line, _ in body], names, notes)
    return names, body


def _is_total(cells: Sequence[str]) -> bool:
    """Return True for a row of nothing but a word such as `Total` and numbers."""
    filled = [cell for cell in cells if cell]
    return (
        len(filled) > 1
        and _plain(filled[0]) in TOTALS
        and all(
            _is_value(cell) or _COUNT.fullmatch(cell) or _DECIMAL_COMMA.fullmatch(cell)
            for cell in filled[1:]
        )
    )


def _has(raw: RawTable, at: int, index: int) -> bool:
    """Return True if the row at index `at` names the column at `index`."""
    return at >= 0 and index < len(raw.rows[at][1]) and bool(raw.rows[at][1][index])


def _note_blanks_and_merges(
    raw: RawTable, lines: Collection[int], names: Mapping[int, str], notes: Notes
) -> None:
    for line in raw.blank:
        notes.add("skipped, because blank", f"row {line}")
    for line, places in raw.merged.items():
        for place in places if line in lines else ():
            notes.add(
                "has the text of the merged cell that it is a part of",
                f"row {line} ({names[place]!r})",
            )


def _keep_filled(
    names: dict[int, str], body: Sequence[tuple[int, Sequence[str]]], notes: Notes
) -> dict[int, str]:
    """Return the columns that have a cell; note the named ones that are empty."""
    filled = {}
    for index, name in names.items():
        if any(index < len(cells) and cells[index] for _, cells in body):
            filled[index] = name
            if name == f"Column {column_letters(index + 1)}":
                notes.add(
                    f"the column {column_letters(index + 1)} has no name, and is called {name!r}"
                )
        elif name != f"Column {column_letters(index + 1)}":
            notes.add(f"the column {name!r} has no cells and was not imported")
    return filled


def _plain(name: str) -> str:
    """Return a name for comparison: small letters, single blanks, nothing in brackets, such as `(EN)`."""
    bare = re.sub(r"\([^()]*\)", "", name) or name
    return " ".join(bare.lower().replace("_", " ").split()).strip(" :*")


_TRANSLATION = re.compile(r"([^@]+)@([a-z]{2,3}(?:-[A-Za-z]{2,4})?)")


def _clean_name(written: str) -> str:
    """Return a column's name without line breaks, quotes and other signs of YAML and layouts."""
    # a word divided at the end of a line, such as `Karten-` and `name`
    whole_words = re.sub(r"(?<=\w)-[ \t]*\n\s*(?=[^\W\d_])", "", written)
    text = " ".join(unicodedata.normalize("NFC", whole_words).split())
    translated = _TRANSLATION.fullmatch(text)
    base = translated[1] if translated else text
    base = re.sub(r"[${}|\"'`´‘’“”„«»@\\<>\[\]]", "", base)
    base = " ".join(re.sub(r"\.+", " ", base).split()).strip(" :;,")
    base = "".join(char for char in base if char.isprintable())[:MAX_NAME_CHARACTERS].strip()
    if number_in(base) is not None:
        base = f"Column {base}"
    return f"{base}@{translated[2]}" if translated and base else base


def _unique(name: str, used: Collection[str]) -> str:
    """Return a name that no other column has."""
    others = (f"{name} {n}" for n in count(2))
    return next(item for item in chain([name], others) if item not in used)


# --- What the columns hold ---


def _find_title(names: Sequence[str], rows: Sequence[Mapping[str, str]]) -> str:
    """Return the column with the names of the cards; empty if there is none.

    It has a usual name, or is the first column of short and mostly different words.
    """
    by_plain_name = {_plain(name): name for name in reversed(names)}
    usual = [by_plain_name[name] for name in TITLES if name in by_plain_name]
    for least in (len(rows) // 2, 0):  # a column that is mostly empty only if there is no other
        for name in usual:
            if sum(bool(row[name]) for row in rows) > least:
                return name
    for name in names:
        cells = [row[name] for row in rows if row[name]]
        is_wordy = not all(_is_value(cell) or cell.lower() in YES | NO for cell in cells)
        is_short = sum(map(len, cells)) < MIN_TEXT_CHARACTERS * len(cells)
        if (
            is_wordy
            and is_short
            and _plain(name) not in KNOWN_NAMES
            and len(set(cells)) * 2 > len(rows)
        ):
            return name
    return ""


def _find_counts(names: Sequence[str], rows: Sequence[Mapping[str, str]]) -> str:
    """Return the column with the numbers of copies, by its name or by cells such as `2x`."""
    for name in names:
        cells = [row[name] for row in rows if row[name]]
        readable = sum(bool(_COUNT.fullmatch(cell)) for cell in cells)
        is_numbering = len(cells) > 1 and cells == [str(n) for n in range(1, len(cells) + 1)]
        if _plain(name) in COUNTS and readable * 2 >= len(cells) and not is_numbering:
            return name
    for name in names:
        cells = [row[name] for row in rows if row[name]]
        if cells and all(_MARKED_COUNT.fullmatch(cell) for cell in cells):
            return name
    return ""


def _read_counts(rows: Sequence[dict[str, str]], lines: Sequence[int], notes: Notes) -> None:
    """Write the numbers of copies as numbers."""
    for row, line in zip(rows, lines, strict=True):
        written = row["count"]
        match = _COUNT.fullmatch(written)
        row["count"] = str(int(match[1])) if match else "1"
        if not match:
            found = f"the count {written!r} is not a number" if written else "there is no count"
            notes.add(f"{found}; one copy is printed", f"row {line}")


def _sort_columns(rows: Sequence[dict[str, str]], names: Sequence[str], notes: Notes) -> Columns:
    """Return the role of each column, and write booleans and numbers as pnp reads them."""
    names_by_role: dict[str, list[str]] = {}
    for name in names:
        cells = [row[name] for row in rows if row[name]]
        role = "title" if name == "title" else _role(name, cells)
        if "@" in name:  # a translation is printed in place of its column
            continue
        if role == "flags":
            notes.add(f"the cells of the column {name!r} are written as TRUE and FALSE")
            for row in rows:
                row[name] = "TRUE" if row[name].lower() in YES else "FALSE"
        elif role == "numbers":
            _write_numbers(name, rows, notes)
        names_by_role.setdefault(role, []).append(name)
    numbers = sorted(
        names_by_role.get("numbers", []),
        key=lambda name: ("cost" not in _plain(name), _counts_rows(row[name] for row in rows)),
    )
    return Columns(
        title="title" if "title" in names else "",
        number=numbers[0] if numbers else "",
        labels=(*names_by_role.get("labels", ()), *numbers[1:]),
        **{
            role: tuple(names_by_role.get(role, ()))
            for role in ("flags", "icons", "pictures", "texts", "remarks")
        },
    )


def _counts_rows(cells: Iterable[str]) -> bool:
    """Return True for numbers that only count the rows from 1."""
    return all(cell == str(index) for index, cell in enumerate(cells, 1))


def _role(name: str, cells: Sequence[str]) -> str:
    plain = _plain(name)
    if plain in REMARKS:
        return "remarks"
    if all(map(PICTURE_FILE.fullmatch, cells)):
        return "pictures"
    if plain in ICONS and max(map(len, cells)) <= MAX_HEAD_CHARACTERS:
        return "icons"
    words = {cell.lower() for cell in cells}
    if words <= YES | NO and words & YES:
        return "flags"
    if all(number_in(_plain_number(cell, cells)) is not None for cell in cells):
        return "numbers"
    is_long = sum(map(len, cells)) >= MIN_TEXT_CHARACTERS * len(cells)
    return "texts" if is_long or plain in TEXTS else "labels"


def _write_numbers(name: str, rows: Sequence[dict[str, str]], notes: Notes) -> None:
    """Write the numbers of a column with a decimal point, without signs between thousands."""
    cells = [row[name] for row in rows if row[name]]
    plain = {cell: _plain_number(cell, cells) for cell in cells}
    changed = [cell for cell in cells if plain[cell] != cell]
    if changed:
        notes.add(
            f"the numbers of the column {name!r} are written as pnp reads them, "
            f"such as {plain[changed[0]]} for {changed[0]!r}"
        )
    for row in rows:
        row[name] = plain.get(row[name], "")


def _plain_number(cell: str, column: Sequence[str]) -> str:
    """Return a number as pnp reads it: `1.5` for `1,5`, `1000` for `1,000` or `1.000`.

    A comma before three digits separates thousands, unless other cells of the column have a comma
    before one or two.
    """
    if number_in(cell) is not None:
        return cell
    has_decimals = any(re.fullmatch(r".*,(?:\d{1,2}|\d{4,})", other) for other in column)
    thousands = _THOUSANDS.fullmatch(cell)
    if thousands and not (has_decimals and thousands["sign"] == ","):
        return cell.replace(thousands["sign"], "").replace(",", ".")
    return cell.replace(",", ".") if _DECIMAL_COMMA.fullmatch(cell) else cell


# --- Ids ---


def _give_ids(rows: Sequence[dict[str, str]], notes: Notes) -> None:
    """Give each row an id: its own if all ids are valid and different, else one made of its title."""
    written = [row.get("id", "") for row in rows]
    if all(map(IDENTIFIER.fullmatch, written)) and len({item.lower() for item in written}) == len(
        rows
    ):
        return
    if any(written):
        notes.add(
            "the ids are not different names, so new ones are made of the titles; "
            "the column 'old id' has yours"
        )
        for row in rows:
            row["old id"] = row.get("id", "")
    used: Counter[str] = Counter()
    for index, row in enumerate(rows, 1):
        row["id"] = make_id(row.get("title", ""), index, used)


def make_id(title: str, index: int, used: Counter[str]) -> str:
    """Return an id made of a title: `fire-drake`, `fire-drake-2`; `card-7` without letters."""
    plain = re.sub(r"<[^<>]*>", "", title.lower())
    without_accents = "".join(map(_without_accent, unicodedata.normalize("NFC", plain)))
    name = re.sub(r"[\W_]+", "-", without_accents).strip("-")[:MAX_NAME_CHARACTERS].strip("-")
    if not name:
        name = f"card-{index}"
    elif not name[0].isascii():
        name = f"card-{name}"
    while used[name]:
        used[name] += 1
        name = f"{name}-{used[name]}"
    used[name] += 1
    return name


def _without_accent(letter: str) -> str:
    """Return a Latin letter without its accent; other letters as they are."""
    base = unicodedata.normalize("NFKD", letter)[0]
    return base if base.isascii() else letter


def iterate_cells(table: TidyTable) -> Iterator[tuple[int, int, str]]:
    """Yield the index and line of each row with the name of each column that contains texts."""
    columns = table.columns
    others = {"id", "count", *columns.flags, *columns.icons, *columns.pictures}
    names = [name for name in table.names if name not in others]
    for at, line in enumerate(table.lines):
        yield from ((at, line, name) for name in names)
