"""Pages to read become sheets to fold: two beside each other, at their own size, on landscape paper."""

import io
from collections.abc import Sequence

import pikepdf

from generator.core.geometry import Size
from generator.core.units import number, points
from generator.impose.signature import FoldedSheet, Pair

MARK = 4.0
"""mm; the length of the marks that show the fold, at the sheet's edges."""

LINE = 0.15


def stitch(book: bytes, sheets: Sequence[FoldedSheet], paper: Size) -> bytes:
    """A PDF of the sheets' sides; `paper` in mm as it lies, wider than high."""
    with pikepdf.open(io.BytesIO(book)) as source, pikepdf.new() as out:
        forms = [out.copy_foreign(page.as_form_xobject()) for page in source.pages]
        for sheet in sheets:
            for pair in (sheet.front, sheet.back):
                _side(out, forms, pair, sheet.shift, paper)
        stream = io.BytesIO()
        out.save(stream, deterministic_id=True)
        return stream.getvalue()


def _side(out: pikepdf.Pdf, forms: Sequence[pikepdf.Object], pair: Pair, shift: float, paper: Size) -> None:
    page = out.add_blank_page(page_size=(points(paper.w), points(paper.h)))
    parts = [_fold_marks(paper)]
    used = pikepdf.Dictionary()
    for half, index in enumerate(pair):
        if index is None:
            continue
        used[f"/P{half}"] = forms[index]
        x, y = _corner(forms[index], half, shift, paper)
        parts.append(f"q 1 0 0 1 {number(x)} {number(y)} cm /P{half} Do Q")
    page.obj.Resources = pikepdf.Dictionary(XObject=used)
    page.obj.Contents = out.make_stream("\n".join(parts).encode())


def _corner(form: pikepdf.Object, half: int, shift: float, paper: Size) -> tuple[float, float]:
    """Where a page's lower left corner lies: its middle in the middle of its half, moved towards the fold."""
    left, bottom, right, top = (float(value) for value in form.BBox)
    middle = points(paper.w) * (0.25 + 0.5 * half) + points(shift if half == 0 else -shift)
    return middle - (left + right) / 2, points(paper.h) / 2 - (bottom + top) / 2


def _fold_marks(paper: Size) -> str:
    """A short dashed line at either end of the fold."""
    x, high = points(paper.w / 2), points(paper.h)
    ends = ((0.0, points(MARK)), (high - points(MARK), high))
    lines = " ".join(f"{number(x)} {number(a)} m {number(x)} {number(b)} l S" for a, b in ends)
    return f"q {number(points(LINE))} w [3 2] 0 d {lines} Q"
