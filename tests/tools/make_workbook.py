"""Workbooks for tests: XLSX by openpyxl, and OpenDocument written by hand."""

import io
import zipfile
from datetime import date, datetime, time, timedelta
from xml.sax.saxutils import escape, quoteattr

import openpyxl

NAMESPACES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in (
        ("office",) * 2,
        ("table",) * 2,
        ("text",) * 2,
        ("style",) * 2,
        ("fo", "xsl-fo-compatible"),
    )
)
MIMETYPE = "application/vnd.oasis.opendocument.spreadsheet"
MANIFEST = f"""<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">
<manifest:file-entry manifest:full-path="/" manifest:media-type="{MIMETYPE}"/></manifest:manifest>"""


def zip_parts(parts):
    """Return an archive with these parts, by their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return out.getvalue()


def ods_of(tables, head=""):
    """Return an OpenDocument workbook with some `<table:table>` elements."""
    body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
    content = f"<office:document-content {NAMESPACES}>{head}{body}</office:document-content>"
    return zip_parts(
        {"mimetype": MIMETYPE, "META-INF/manifest.xml": MANIFEST, "content.xml": content}
    )


def ods_cell(value):
    """Return a cell of an OpenDocument workbook, as LibreOffice writes it."""
    if value is None:
        return "<table:table-cell/>"
    # Each kind of value has its attribute (ODF 1.3, part 3, §19.385); a datetime is a date too, and
    # a bool is an int.
    if isinstance(value, str):
        attributes = 'office:value-type="string"'
    elif isinstance(value, bool):
        attributes = f'office:value-type="boolean" office:boolean-value="{str(value).lower()}"'
    elif isinstance(value, date):
        attributes = f'office:value-type="date" office:date-value="{value.isoformat()}"'
    elif isinstance(value, time):
        attributes = f'office:value-type="time" office:time-value="{value:PT%HH%MM%SS}"'
    else:
        attributes = f'office:value-type="float" office:value="{value!r}"'
    words = value if isinstance(value, str) else "as it is displayed"
    paragraphs = "".join(f"<text:p>{escape(line)}</text:p>" for line in words.split("\n"))
    return f"<table:table-cell {attributes}>{paragraphs}</table:table-cell>"


def ods_row(cells):
    """Return a row of an OpenDocument workbook, with values or finished cells."""
    written = (cell if str(cell).startswith("<table:") else ods_cell(cell) for cell in cells)
    return f"<table:table-row>{''.join(written)}</table:table-row>"


def make_ods(**sheets):
    """Return an OpenDocument workbook with some sheets, each a list of rows of values or finished cells."""
    return ods_of(
        "".join(
            f"<table:table table:name={quoteattr(name)}>{''.join(map(ods_row, rows))}</table:table>"
            for name, rows in sheets.items()
        )
    )


def make_book(**sheets):
    """Return openpyxl's workbook with some sheets, each a list of rows of values."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return book


def save_book(book):
    """Return a workbook of openpyxl as an .xlsx file."""
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def make_xlsx(**sheets):
    """Return an .xlsx file with some sheets, each a list of rows of values."""
    return save_book(make_book(**sheets))


def xlsx_of(worksheet, **more):
    """Return an .xlsx file whose only sheet, `Sheet`, has this XML as its content."""
    with zipfile.ZipFile(io.BytesIO(save_book(openpyxl.Workbook()))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    head = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    return zip_parts(
        {**parts, "xl/worksheets/sheet1.xml": f"{head}{worksheet}</worksheet>", **more}
    )


def csv_text(value):
    """Return a value as people write it into a CSV file: dates in ISO 8601, and 3 for 3.0."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}" if value.time() != time() else f"{value:%Y-%m-%d}"
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        hours, seconds = divmod(int(value.total_seconds()), 3600)
        return f"{hours}:{seconds // 60:02}:{seconds % 60:02}"
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)
