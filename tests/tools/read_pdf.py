"""Read a PDF back without our code: the places of faces and lines, in mm from the top left.

Nothing here imports from `generator`, so that this is an independent check.
"""

import io
import math
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
from PIL import Image, ImageChops

MM = 25.4 / 72
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class PlacedForm:
    """A form as placed on a page: its middle, the size of its box, its turn clockwise, and its clip (x, y, w, h).

    `tip` is the middle of its upper side. `matrix` maps the form's points to the page, `box` is the form's own box,
    and `window` has the coordinates of its clipping path; these three are in mm with y upwards.
    """

    form: tuple[int, int]
    x: float
    y: float
    w: float
    h: float
    turn: float
    clip: tuple[float, float, float, float]
    name: str = ""
    tip: tuple[float, float] = (0.0, 0.0)
    matrix: tuple[float, ...] = ()
    box: tuple[float, ...] = ()
    window: tuple[float, ...] = ()


@dataclass(frozen=True)
class Stroke:
    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    dash: tuple[float, ...] = ()

    @property
    def dashed(self) -> bool:
        return bool(self.dash)


@dataclass(frozen=True)
class Page:
    width: float
    height: float
    forms: list[PlacedForm]
    strokes: list[Stroke]
    text: str
    label: str


OPENING = re.compile("[ivx]+")
"""The labels of the how-to-make pages before the sheets: i, ii, iii."""


def read(path: Path) -> list[Page]:
    """Return the pages of a file without those before its sheets."""
    return [page for page in read_all(path) if not OPENING.fullmatch(page.label)]


def read_all(path: Path) -> list[Page]:
    """Return every page of a file; the last files are cached by their content."""
    return list(_read(Path(path), sha256(Path(path).read_bytes()).digest()))


# The sheets, booklets and rules of the five games are 25 files, which many tests read.
@lru_cache(25)
def _read(path: Path, _: bytes) -> tuple[Page, ...]:
    document = pypdfium2.PdfDocument(path)
    with pikepdf.open(path) as pdf:
        labels = [document.get_page_label(index) for index in range(len(document))]
        texts = [page.get_textpage().get_text_bounded() for page in document]
        pages = [_page(page, texts[index], labels[index]) for index, page in enumerate(pdf.pages)]
    document.close()
    return tuple(pages)


PARTS = re.compile(r"/FormXob\.(lines|side)-\d+")
"""The forms on a page that are not faces: lines, and complete sides that several sheets share."""


def _page(page: pikepdf.Page, text: str, label: str) -> Page:
    width, height = (float(side) for side in page.MediaBox[2:])
    reader = _PageReader(height)
    reader.walk(page, page.Resources)
    return Page(width * MM, height * MM, reader.forms, reader.strokes, text, label)


@dataclass(frozen=True)
class _State:
    """The graphics state as far as it is read."""

    matrix: pikepdf.Matrix
    clip: tuple[float, float, float, float] | None = None
    window: tuple[float, ...] = ()
    width: float = 1.0
    dash: tuple[float, ...] = ()


class _PageReader:
    """Reads the content of a page, and of the forms on it that are parts of the sheet."""

    def __init__(self, height: float) -> None:
        self.height = height
        self.forms: list[PlacedForm] = []
        self.strokes: list[Stroke] = []
        self.state = _State(pikepdf.Matrix())
        self.stack = []
        self.start = (0.0, 0.0)
        self.rect = None
        self.path = []

    def walk(self, holder, resources) -> None:
        for operands, operator in pikepdf.parse_content_stream(holder):
            name = str(operator)
            if name == "q":
                self.stack.append(self.state)
            elif name == "Q":
                self.state = self.stack.pop()
            elif name == "Do":
                self._show_form(str(operands[0]), resources)
            elif name in {"cm", "w", "d"}:
                self._set(name, operands)
            elif name in {"m", "l", "c", "re"}:
                self._go(name, [float(n) for n in operands])
            elif name in {"W", "W*"}:
                self._cut()
            elif name in {"n", "S", "f", "f*"}:
                self.path = []

    def _set(self, name: str, operands) -> None:
        if name == "cm":
            self.state = replace(
                self.state, matrix=pikepdf.Matrix(*map(float, operands)) @ self.state.matrix
            )
        elif name == "w":
            self.state = replace(self.state, width=float(operands[0]) * MM)
        else:
            self.state = replace(self.state, dash=tuple(float(part) * MM for part in operands[0]))

    def _go(self, name: str, numbers: list[float]) -> None:
        matrix = self.state.matrix
        if name == "re":
            self.rect = numbers
            x, y, w, h = numbers
            numbers = [x, y, x + w, y + h]
        places = [matrix.transform(pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
        self.path += [n for place in places for n in place]
        end = places[-1]
        if name == "l":
            ends = (
                self.start[0] * MM,
                (self.height - self.start[1]) * MM,
                end[0] * MM,
                (self.height - end[1]) * MM,
            )
            self.strokes.append(Stroke(*ends, self.state.width, self.state.dash))
        if name in {"m", "l"}:
            self.start = end

    def _cut(self) -> None:
        self.state = replace(self.state, window=tuple(n * MM for n in self.path))
        if self.rect:
            x, y, w, h = self.rect
            x, y = self.state.matrix.transform((x, y))
            self.state = replace(
                self.state, clip=(x * MM, (self.height - y - h) * MM, w * MM, h * MM)
            )

    def _show_form(self, name: str, resources) -> None:
        form = resources.XObject[name]
        if PARTS.fullmatch(name):
            outer = self.state
            self.walk(form, form.get("/Resources", {}))
            self.state = outer
        else:
            placed = _place_form(form, self.state.matrix, self.height, self.state.clip)
            self.forms.append(
                replace(placed, name=name.rpartition(".")[2], window=self.state.window)
            )


def _place_form(
    form: pikepdf.Object,
    matrix: pikepdf.Matrix,
    height: float,
    clip: tuple[float, float, float, float],
) -> PlacedForm:
    left, bottom, right, top = (float(n) for n in form.BBox)
    full_matrix = (
        pikepdf.Matrix(*(float(n) for n in form.get("/Matrix", [1, 0, 0, 1, 0, 0]))) @ matrix
    )
    x, y = full_matrix.transform(((left + right) / 2, (bottom + top) / 2))
    turn = -math.degrees(math.atan2(full_matrix.b, full_matrix.a)) % 360
    tip = full_matrix.transform(((left + right) / 2, top))
    x_scale = math.hypot(full_matrix.a, full_matrix.b) * MM
    y_scale = math.hypot(full_matrix.c, full_matrix.d) * MM
    place = (x * MM, (height - y) * MM)
    size = ((right - left) * x_scale, (top - bottom) * y_scale)
    return PlacedForm(
        form.objgen,
        *place,
        *size,
        turn,
        clip,
        tip=(tip[0] * MM, (height - tip[1]) * MM),
        matrix=(
            full_matrix.a,
            full_matrix.b,
            full_matrix.c,
            full_matrix.d,
            full_matrix.e * MM,
            full_matrix.f * MM,
        ),
        box=tuple(edge * MM for edge in (left, bottom, right, top)),
    )


def assert_marks_clear(page: Page) -> None:
    """Assert that a page has marks, and that all of them lie outside the ink of all pieces."""
    assert page.strokes
    for stroke in page.strokes:
        half = stroke.width / 2
        left = min(stroke.x1, stroke.x2) - half
        right = max(stroke.x1, stroke.x2) + half
        top = min(stroke.y1, stroke.y2) - half
        bottom = max(stroke.y1, stroke.y2) + half
        for x, y, w, h in (form.clip for form in page.forms):
            assert right <= x or left >= x + w or bottom <= y or top >= y + h


def picture(path: Path, page: int, dpi: float, box: Box | None = None) -> Image.Image:
    """Return a page as a picture, or the part in a box of whole pixels: left, upper, right, lower.

    `page` counts the pages that `read` returns, from 0.
    """
    document = pypdfium2.PdfDocument(path)
    before = sum(
        bool(OPENING.fullmatch(document.get_page_label(index))) for index in range(len(document))
    )
    sheet = document[page + before % len(document)]
    scale = dpi / 72
    left, upper, right, lower = box or (
        0,
        0,
        *(math.ceil(side * scale) for side in sheet.get_size()),
    )
    width, height = (math.ceil(side * scale) for side in sheet.get_size())
    outside = [
        max(0, pixels - 0.5) / scale for pixels in (left, height - lower, width - right, upper)
    ]
    # In this byte order, Pillow copies the pixels once instead of twice.
    bitmap = sheet.render(scale=scale, crop=tuple(outside), rev_byteorder=True)
    image = bitmap.to_pil().convert("RGB")
    document.close()
    return image


def face(path: Path, dpi: float) -> Image.Image:
    """Return the first piece on the first sheet with its bleed, rendered so that its corner is a pixel's."""
    form = read(path)[0].forms[0]
    with pikepdf.open(path) as pdf:
        index = len(read_all(path)) - len(read(path))
        single = pikepdf.new()
        single.pages.append(pdf.pages[index])
        a, b, c, d, e, f = form.matrix
        assert (a, b, c, d) == (1, 0, 0, 1), "the piece is turned or scaled"
        left, bottom, right, top = form.box
        box = [(left + e) / MM, (bottom + f) / MM, (right + e) / MM, (top + f) / MM]
        # slightly smaller, since PDFium rounds the size in pixels up
        box[2] -= 1e-4
        box[3] -= 1e-4
        single.pages[0].MediaBox = single.pages[0].CropBox = pikepdf.Array(box)
        content = io.BytesIO()
        single.save(content)
    with pypdfium2.PdfDocument(content.getvalue()) as document:
        return document[0].render(scale=dpi / 72).to_pil().convert("RGB")


def render(path: Path, page: int, dpi: float) -> np.ndarray:
    """Return a page as an array of RGB pixels, signed so that pages can be subtracted."""
    return np.asarray(picture(path, page, dpi)).astype(np.int16)


def darkest(path: Path, page: int, dpi: float) -> Image.Image:
    """Return a page with the darkest of the three colours of each pixel."""
    red, green, blue = picture(path, page, dpi).split()
    return ImageChops.darker(ImageChops.darker(red, green), blue)


def fonts(path: Path) -> dict[str, bool]:
    """Return True for each embedded font of a file and False for the others, by name."""
    embedding: dict[str, bool] = {}
    with pikepdf.open(path) as pdf:
        for item in pdf.objects:
            if not isinstance(item, pikepdf.Dictionary) or item.get("/Type") != "/Font":
                continue
            holder = item.DescendantFonts[0] if item.Subtype == "/Type0" else item
            embedded = any(
                key in holder.get("/FontDescriptor", {})
                for key in ("/FontFile", "/FontFile2", "/FontFile3")
            )
            embedding[str(item.BaseFont)] = embedded
    return embedding


def clean_save(path: Path) -> bytes:
    """Return a file as pikepdf saves it; assert that its syntax is valid."""
    out = io.BytesIO()
    with pikepdf.open(path) as pdf:
        assert not pdf.check_pdf_syntax()
        pdf.save(out)
    return out.getvalue()
