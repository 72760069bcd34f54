"""What is wrong with the head of a table and with its cells, whatever they are for."""

import re
from collections.abc import Collection, Sequence

from generator.core.problems import Reporter, Where, Wrong

COUNTS = frozenset({"count", "counts", "qty", "quantity", "copies", "amount", "anzahl", "aantal", "number of copies"})
"""What people call the column that is called `count`."""
_FAULT = re.compile(r"#(?:REF!|N/A|NAME\?|VALUE!|DIV/0!|NUM!|NULL!|SPILL!|CALC!|ERROR!)|Err:\d{3}")
_NAMED = re.compile(r"(?<![\\$])\$([A-Za-z_]\w*)")
_MISREAD = re.compile("[\u00c2\u00c3\u00e2][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u2122\u20ac]")
"""How what is not of the Latin alphabet's first half looks when UTF-8 is read as something else."""


def check_head(where: Where, columns: Sequence[str], report: Reporter) -> None:
    """The column of counts is called so; under another name, every piece would be made once."""
    for column in columns:
        if column != "count" and column.lower() in COUNTS and "count" not in columns:
            hint = "if it says something else, call it otherwise, such as `stock`"
            report.tell(where, f"the column {column!r} does not say how many pieces are made", "the name `count`", hint)


def slip_of(cell: str, columns: Collection[str]) -> Wrong | None:
    """What would be printed by mistake."""
    if ("#" in cell or cell.startswith("Err")) and _FAULT.fullmatch(cell.strip()):
        return Wrong(f"{cell!r} is a fault of the spreadsheet", "what the formula should give")
    if "$" in cell:
        named = [match[0] for match in _NAMED.finditer(cell) if match[1] in columns and match[0] != cell.strip()]
        if named:
            hint = f"`columns:` of the component works out texts of others; to print it: \\{named[0]}"
            return Wrong(f"{named[0]!r} in a cell is printed as it stands", "what stands there", hint)
    return None if cell.isascii() else _misread(cell)


def _misread(cell: str) -> Wrong | None:
    """Text that was saved as UTF-8 and read as something else on its way here, as spreadsheets do with a CSV."""
    if not _MISREAD.search(cell):
        return None
    try:
        meant = cell.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return None
    return Wrong(
        f"{cell!r} was read in a wrong encoding", repr(meant), "import the table into the spreadsheet as UTF-8"
    )
