"""Sheets of workbooks as rows of texts: Excel's (`excel.py`) and OpenDocument's.

A cell is the text that the spreadsheet shows: dates in their format, 3 for 3.0, TRUE. Words in bold, in italics or in
a colour of their own keep it as markup; what a whole cell looks like is kept beside it.
"""

import io
from collections.abc import Iterator, Mapping
from itertools import islice
from xml.etree import ElementTree as ET
from zipfile import ZipFile

from generator.core.problems import Wrong
from generator.pack.book_sheets import MOST_CELLS, PLAIN, BookSheet, CellLook, check_cells, marked, shown
from generator.pack.excel import excel_sheets

LARGEST = 40_000_000
"""Bytes of a workbook's tables and styles once they are unpacked."""
MOST_MARKS = 1_500_000
"""Beginnings and ends of elements in them; a cell has four or more."""
MOST_BLANKS = 50
"""Blanks side by side in a cell."""
WIDEST = 500
"""Columns, and as many rows of one content, that a workbook may repeat."""


def sheets_of(data: bytes, name: str) -> dict[str, BookSheet]:
    """Every sheet, in order."""
    try:
        content, marks = _content(data, name)
        return excel_sheets(data, name, marks) if content is None else dict(_open_document(content, name))
    except (Wrong, MemoryError):
        raise
    except Exception as error:  # an archive can be damaged in as many ways as it has parts
        said = f" ({error})" if str(error) else ""
        raise Wrong(f"{name} cannot be read as a workbook{said}", "an .xlsx or .ods file, or a CSV") from error


def _content(data: bytes, name: str) -> tuple[bytes | None, int]:
    """What an OpenDocument says (nothing of an Excel workbook), and how many marks there are in all of its parts."""
    with ZipFile(io.BytesIO(data)) as whole:
        texts = [part for part in whole.infolist() if part.filename.endswith((".xml", ".rels", ".vml"))]
        if sum(part.file_size for part in texts) > LARGEST:
            raise Wrong(f"{name} is too large once it is unpacked", f"at most {LARGEST // 1_000_000} MB")
        marks = sum(whole.read(part).count(b"<") for part in texts)
        if marks > MOST_MARKS:
            raise Wrong(f"{name} has too many cells", f"at most {MOST_CELLS}, the empty ones counted too")
        return (whole.read("content.xml") if "content.xml" in whole.namelist() else None), marks


OFFICE, TABLE, TEXT, STYLE, FO = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{part}:1.0}}"
    for part in ("office", "table", "text", "style", "xsl-fo-compatible")
)


def _open_document(content: bytes, name: str) -> Iterator[tuple[str, BookSheet]]:
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise Wrong(f"{name} defines entities", "a workbook as a spreadsheet saves it")
    root = ET.fromstring(content)
    looks = {style.get(f"{STYLE}name", ""): _look(style) for style in root.iter(f"{STYLE}style")}
    for table in root.iter(f"{TABLE}table"):
        title = table.get(f"{TABLE}name", "")
        yield title, _sheet(table, looks, f"{name}: the sheet {title!r}")


def _look(style: ET.Element) -> CellLook:
    properties = style.find(f"{STYLE}text-properties")
    found = {} if properties is None else {key.rpartition("}")[2]: value for key, value in properties.attrib.items()}
    colour = found.get("color", "")
    is_plain = colour == "#000000" or not colour.startswith("#")
    return CellLook(found.get("font-weight") == "bold", found.get("font-style") == "italic", "" if is_plain else colour)


def _sheet(table: ET.Element, looks: Mapping[str, CellLook], label: str) -> BookSheet:
    made, number, count = BookSheet(), 1, 0
    columns = [
        column.get(f"{TABLE}default-cell-style-name", "")
        for column in table.iter(f"{TABLE}table-column")
        for _ in range(min(int(column.get(f"{TABLE}number-columns-repeated", "1")), WIDEST))
    ]
    for row in table.iter(f"{TABLE}table-row"):
        cells = list(islice(_cells(row, looks), MOST_CELLS + 1))
        texts = [text for text, _ in cells]
        styles = [name or (columns[at] if at < len(columns) else "") for at, (_, name) in enumerate(cells)]
        times = int(row.get(f"{TABLE}number-rows-repeated", "1"))
        count += len(cells) * min(times, WIDEST)
        check_cells(count, label)
        for n in range(min(times, WIDEST) if any(texts) else 0):
            made.add(number + n, texts, [looks.get(name, PLAIN) for name in styles])
        number += times
    return made


def _cells(row: ET.Element, looks: Mapping[str, CellLook]) -> Iterator[tuple[str, str]]:
    """Each cell's text, and its style's name."""
    waiting = 0
    for cell in row:
        if cell.tag not in {f"{TABLE}table-cell", f"{TABLE}covered-table-cell"}:
            continue
        text = _open_cell(cell, looks)
        times = int(cell.get(f"{TABLE}number-columns-repeated", "1"))
        if not text:
            waiting += times
            continue
        yield from [("", "")] * min(waiting, WIDEST)
        yield from [(text, cell.get(f"{TABLE}style-name", ""))] * min(times, WIDEST)
        waiting = 0


def _open_cell(cell: ET.Element, looks: Mapping[str, CellLook]) -> str:
    kind, value = cell.get(f"{OFFICE}value-type", ""), cell.get(f"{OFFICE}value", "")
    if kind == "float" and value:
        return shown(float(value))
    if kind == "boolean":
        return cell.get(f"{OFFICE}boolean-value", "").upper()
    return "\n".join("".join(_spans(paragraph, looks)) for paragraph in cell.findall(f"{TEXT}p"))


def _spans(node: ET.Element, looks: Mapping[str, CellLook]) -> Iterator[str]:
    yield node.text or ""
    for part in node:
        tag = part.tag.rpartition("}")[2]
        if tag == "span":
            look = looks.get(part.get(f"{TEXT}style-name", ""), PLAIN)
            yield marked("".join(_spans(part, looks)), bold=look.bold, italic=look.italic, colour=look.colour)
        elif tag in {"s", "tab", "line-break"}:
            yield {"s": " " * min(int(part.get(f"{TEXT}c", "1")), MOST_BLANKS), "tab": "\t"}.get(tag, "\n")
        elif tag != "annotation":
            yield from _spans(part, looks)
        yield part.tail or ""
