"""Advice on the files of other programs that `pnp new --from` cannot read."""

import re
from pathlib import Path

from generator.base.errors import InvalidValueError, Kind
from generator.base.files import read_limited

MAX_SCRIPT_BYTES = 5_000_000
_AS_XLSX = "save or export it as .xlsx or .csv, then give that file to --from"
_NO_TABLE = "the table with your cards: .csv, .xlsx or .ods"

ADVICE = {
    ".xls": ("an old Excel workbook", _AS_XLSX),
    ".xlsb": ("a binary Excel workbook", _AS_XLSX),
    ".numbers": (
        "a Numbers document",
        "export it: File > Export To > Excel, then give that file to --from",
    ),
    ".gsheet": (
        "only a link to a Google Sheet",
        "open it, and give the address in your browser to --from",
    ),
    ".url": ("only a link", "give the address itself to --from"),
    ".webloc": ("only a link", "give the address itself to --from"),
    ".pdf": ("a PDF", "to print its cards on your paper: pnp relay FILE.pdf"),
    ".mse-set": (
        "a set of Magic Set Editor",
        "export the cards as pictures, then give their folder to --from",
    ),
    ".eon": (
        "a component of Strange Eons",
        "export the cards as pictures, then give their folder to --from",
    ),
    ".cpz": (
        "a project of Card Creator",
        "export the cards as pictures, then give their folder to --from",
    ),
    ".psd": ("a Photoshop document", "export the cards as PNG, then give their folder to --from"),
    ".indd": (
        "an InDesign document",
        "give the CSV of its data merge to --from, or a folder with exported PNGs",
    ),
    ".afpub": (
        "an Affinity document",
        "give the table of its data merge to --from, or a folder with exported PNGs",
    ),
    ".docx": (
        "a text document",
        "copy its table into a spreadsheet, and save that as .xlsx or .csv",
    ),
    ".odt": ("a text document", "copy its table into a spreadsheet, and save that as .ods or .csv"),
    ".zip": (
        "an archive",
        "unpack it, and give the table or the folder of pictures in it to --from",
    ),
    **dict.fromkeys(
        (".png", ".jpg", ".jpeg", ".webp", ".svg", ".gif"),
        ("one picture", "give the folder with the pictures of all cards to --from"),
    ),
}
"""The description and the advice for each suffix of a file that is not a table."""

_NANDECK = re.compile(
    r"^\s*(?:CARDSIZE|PAGE|LINK|LINKMULTI|FONT|TEXT|TEXTFONT|RECTANGLE|IMAGE|ICON|BORDER|DPI|VISUAL"
    r"|LAYER)\s*=",
    re.IGNORECASE | re.MULTILINE,
)
MIN_NANDECK_LINES = 2
_NANDECK_TABLE = re.compile(r"^\s*LINK\s*=\s*\"?([^\"\n,]+)", re.IGNORECASE | re.MULTILINE)
_SQUIB_TABLE = re.compile(r"(?:Squib\.)?(?:csv|xlsx)[ (]+(?:file:\s*)?['\"]([^'\"]+)['\"]")
_TABLE_IN_CODE = re.compile(r"['\"]([^'\"\n]+\.(?:csv|tsv|xlsx|ods))['\"]")


def check_is_table(path: Path) -> None:
    """Raise `InvalidValueError` with advice for a file of another program."""
    suffix = path.suffix.lower()
    if suffix in ADVICE:
        kind, advice = ADVICE[suffix]
        raise InvalidValueError(f"{path.name} is {kind}", _NO_TABLE, advice, Kind.USAGE)
    if suffix == ".txt":
        text = _text_of(path)
        if len(_NANDECK.findall(text)) >= MIN_NANDECK_LINES:
            raise _script_error(path, "a script of nanDECK", _NANDECK_TABLE.search(text))
    elif suffix in {".rb", ".py", ".js", ".lua"}:
        text = _text_of(path)
        is_squib = "squib" in text.lower()
        table = _SQUIB_TABLE.search(text) or _TABLE_IN_CODE.search(text)
        raise _script_error(path, "a script of Squib" if is_squib else "a program", table)


def _text_of(path: Path) -> str:
    return read_limited(path, path.name, MAX_SCRIPT_BYTES).decode("utf-8", "replace")


def _script_error(path: Path, kind: str, table: re.Match[str] | None) -> InvalidValueError:
    """Return the error for a script, which names the table that it reads if it is known."""
    advice = (
        f"it reads {table[1].strip()!r}: give that table to --from, "
        "and then arrange the cards in layouts/front.yaml"
        if table
        else "give the table that it reads to --from; "
        "without one, make a table with a row for each card"
    )
    return InvalidValueError(
        f"{path.name} is {kind}, which pnp does not run", _NO_TABLE, advice, Kind.USAGE
    )
