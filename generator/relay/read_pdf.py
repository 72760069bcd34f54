"""Read third-party PDFs: interpret the content of pages, and tell where each instruction paints.

Text is measured by the glyph widths in its fonts, as far as these are given.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import isfinite
from typing import Any

import pikepdf
from reportlab.pdfbase import pdfmetrics

from generator.base.geometry import IDENTITY, Affine, Point, Rect, Size
from generator.base.polygon import box_around
from generator.base.units import MM_PER_PT

# Extent of letters from the baseline, as shares of the font size: more than most fonts need, because
# a box that is too small would drop visible text.
DESCENT_SHARE = -0.5
ASCENT_SHARE = 1.3

# A letter may extend beyond its width by this share of the font size, as swashes of italics do.
OVERHANG_SHARE = 0.4


class GlyphWidths:
    """Widths of a font's glyphs in thousandths of its size.

    `is_known` is False if the file does not state them. `is_two_byte` is True for fonts whose
    character codes have two bytes.
    """

    def __init__(self, font: Any) -> None:
        self.is_two_byte = font.get("/Subtype") == "/Type0"
        self.is_known = True
        try:
            self._widths, self._default_width = (
                _read_composite_widths(font) if self.is_two_byte else _read_simple_widths(font)
            )
        except (KeyError, ValueError, TypeError, AttributeError, IndexError):
            self.is_known = False

    def codes(self, text: bytes) -> Iterator[int]:
        """Return the character codes of a string."""
        if self.is_two_byte:
            yield from (text[at] << 8 | text[at + 1] for at in range(0, len(text) - 1, 2))
        else:
            yield from text

    def width(self, code: int) -> float:
        """Return the width of a glyph."""
        return self._widths.get(code, self._default_width)


def _read_simple_widths(font: Any) -> tuple[dict[int, float], float]:
    scale = 1.0
    if font.Subtype == "/Type3":
        scale = float(font.FontMatrix[0]) * 1000
    if "/Widths" in font:
        first = int(font.FirstChar)
        other = float(font.get("/FontDescriptor", {}).get("/MissingWidth", 0))
        return {
            first + index: float(width) * scale for index, width in enumerate(font.Widths)
        }, other
    standard = pdfmetrics.getFont(str(font.BaseFont).lstrip("/"))
    return dict(enumerate(map(float, standard.widths))), 0.0


def _read_composite_widths(font: Any) -> tuple[dict[int, float], float]:
    if font.Encoding != "/Identity-H":
        raise ValueError(font.Encoding)
    (descendant,) = font.DescendantFonts
    widths: dict[int, float] = {}
    rows = list(descendant.get("/W", []))
    while rows:
        first = int(rows.pop(0))
        second = rows.pop(0)
        if isinstance(second, pikepdf.Array):
            widths |= {first + index: float(width) for index, width in enumerate(second)}
        else:
            width = float(rows.pop(0))
            widths |= dict.fromkeys(range(first, min(int(second), 0xFFFF) + 1), width)
    return widths, float(descendant.get("/DW", 1000))


@dataclass(frozen=True)
class TextState:
    """Text state parameters (ISO 32000-1, 9.3), lengths in user space; `horizontal_scale` is a factor."""

    widths: GlyphWidths | None = None
    size: float = 0.0
    letter_spacing: float = 0.0
    word_spacing: float = 0.0
    horizontal_scale: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    def after(self, name: str, values: list[Any]) -> "TextState":
        """Return the state after an operator."""
        value = float(values[0])
        match name:
            case "Tc":
                return replace(self, letter_spacing=value)
            case "Tw":
                return replace(self, word_spacing=value)
            case "TL":
                return replace(self, leading=value)
            case "Ts":
                return replace(self, rise=value)
            case "Tz":
                return replace(self, horizontal_scale=value / 100)
        return replace(self, mode=int(value))

    def advance(self, parts: list[Any]) -> float | None:
        """Return the advance of a text in user space, or None for unknown widths."""
        if self.widths is None or not self.widths.is_known:
            return None
        total = 0.0
        for part in parts:
            if not isinstance(part, pikepdf.String):
                total -= float(part) / 1000 * self.size
                continue
            for code in self.widths.codes(bytes(part)):
                total += self.widths.width(code) / 1000 * self.size + self.letter_spacing
                total += (
                    self.word_spacing if code == ord(" ") and not self.widths.is_two_byte else 0.0
                )
        return total * self.horizontal_scale


# The initial values of ISO 32000-1, 9.3. Fields of dataclasses may not call a class for their default.
INITIAL_STATE = TextState()


@dataclass
class TextCursor:
    """The position of the next text: text and line matrices.

    `is_lost` is True after a text of unknown width, until the next line starts.
    """

    line: Affine = IDENTITY
    at: Affine = IDENTITY
    is_lost: bool = False

    def begin(self, matrix: Affine) -> None:
        """Start a line at a matrix."""
        self.line = self.at = matrix
        self.is_lost = False

    def move(self, x: float, y: float) -> None:
        """Start a line at an offset from the last one."""
        self.begin(self.line @ Affine(e=x, f=y))

    def show(
        self, state: TextState, parts: list[Any], ctm: Affine
    ) -> tuple[Rect | None, float | None]:
        """Return the box of a text, and the TJ number that replaces it if it is dropped.

        Both are None if a width is unknown.
        """
        advance = state.advance(parts)
        if advance is None or self.is_lost or state.mode >= 4:
            self.is_lost = self.is_lost or advance is None
            return None, None
        size = abs(state.size)
        left = min(0.0, advance) - OVERHANG_SHARE * size
        right = max(0.0, advance) + OVERHANG_SHARE * size
        low = state.rise + DESCENT_SHARE * size
        high = state.rise + ASCENT_SHARE * size
        place = ctm @ self.at
        corners = [place.apply(Point(x, y)) for x in (left, right) for y in (low, high)]
        self.at @= Affine(e=advance)
        scale = state.size * state.horizontal_scale
        return box_around(corners), -advance / scale * 1000 if scale else None


# The largest file that is read.
MAX_BYTES = 300_000_000

# Pages read from a file; longer files need `--page`.
MAX_PAGES = 500

# The longest side of a page; viewers of PDF 1.x show at most 200 inches, 5080 mm
# (ISO 32000-1, annex C).
MAX_SIDE_MM = 5000

# Levels of forms within forms in which shapes are sought; a deeper form counts as one picture.
MAX_FORM_DEPTH = 12

# Nesting of forms, patterns, fonts and masks; PDF readers give up at about 30.
MAX_NESTING = 100

# Only these can have resources, so other values are not followed.
HOLDERS = (pikepdf.Dictionary, pikepdf.Stream)

# The labels of the pages before our sheets, as `roman` writes them; other labels begin with a digit.
_ROMAN = re.compile("[ivx]+")

# The faults of files: a password is needed, printing is forbidden, the file cannot be read.
LOCKED = "locked"
SEALED = "sealed"
BROKEN = "broken"


@lru_cache(1)
def open_pdf(path: str) -> pikepdf.Pdf:
    """Open a file and draw its form fields into its pages.

    Raise `ValueError` if a form or pattern contains itself, or if they are nested too deeply.
    """
    pdf = pikepdf.open(path)
    pdf.flatten_annotations("print")
    depths: dict[tuple[int, int], int] = {}
    for page in pdf.pages:
        for drawing in _drawings(page.resources):
            _nesting_depth(drawing, 1, depths)
    return pdf


def _nesting_depth(drawing: Any, level: int, depths: dict[tuple[int, int], int]) -> int:
    """Return the nesting depth of a drawing; `depths` caches depths by object number.

    A drawing that contains itself exceeds the limit; writers would never finish it.
    """
    depth = depths.get(drawing.objgen, 0)
    if level + depth > MAX_NESTING:
        raise ValueError(
            f"a form or pattern shows itself, or more than {MAX_NESTING} lie in each other"
        )
    if not depth:
        inner = [*_drawings(drawing.get("/Resources")), drawing.get("/SMask"), drawing.get("/G")]
        depth = 1 + max(
            (
                _nesting_depth(item, level + 1, depths)
                for item in inner
                if isinstance(item, HOLDERS)
            ),
            default=0,
        )
        if drawing.is_indirect:
            depths[drawing.objgen] = depth
    return depth


def _drawings(resources: Any) -> Iterator[Any]:
    """Yield the forms, patterns, fonts and states of graphics among some resources."""
    for kind in ("/XObject", "/Pattern", "/Font", "/ExtGState"):
        entries = resources.get(kind) if isinstance(resources, pikepdf.Dictionary) else None
        if isinstance(entries, pikepdf.Dictionary):
            yield from (entry for _, entry in entries.items() if isinstance(entry, HOLDERS))


def read_metadata(path: str) -> bytes:
    """Return as JSON the number of pages of a file and its how-to-make pages, or its fault."""
    try:
        with pikepdf.open(path) as pdf:
            allowed = pdf.allow
            if not (allowed.print_lowres or allowed.print_highres):
                return json.dumps({"wrong": SEALED}).encode()
            metadata = {"pages": len(pdf.pages), "opening": _opening_pages(pdf)}
            return json.dumps(metadata).encode()
    except pikepdf.PasswordError:
        return json.dumps({"wrong": LOCKED}).encode()
    except pikepdf.PdfError as error:
        return json.dumps({"wrong": BROKEN, "why": str(error).rpartition(": ")[2]}).encode()


def _opening_pages(pdf: pikepdf.Pdf) -> list[int]:
    """Return the numbers of the how-to-make pages in a file of ours.

    They are labelled i, ii, iii and so on. Their boxes and pictures would look like pieces.
    """
    producer = str(pdf.docinfo.get("/Producer", "")) if "/Info" in pdf.trailer else ""
    if not producer.startswith("pnp ") or "/PageLabels" not in pdf.Root:
        return []
    return [number for number, page in enumerate(pdf.pages, 1) if _ROMAN.fullmatch(str(page.label))]


def hidden_layers(pdf: pikepdf.Pdf) -> frozenset[tuple[int, int]]:
    """Return the optional content groups that are hidden by default."""
    layers = pdf.Root.get("/OCProperties", pikepdf.Dictionary())
    usual = layers.get("/D", pikepdf.Dictionary())
    off = {layer.objgen for layer in usual.get("/OFF", [])}
    if usual.get("/BaseState") == "/OFF":
        off |= {layer.objgen for layer in layers.get("/OCGs", [])} - {
            layer.objgen for layer in usual.get("/ON", [])
        }
    return frozenset(off)


def page_geometry(page: pikepdf.Page) -> tuple[Size, Affine, Rect | None]:
    """Return a page's visible size in mm, the transform from PDF points to mm, and its trim box in mm."""
    left, bottom, right, top = _visible_box(page)
    unit = float(page.obj.get("/UserUnit", 1)) * MM_PER_PT
    turn = int(_inherited(page, "/Rotate", 0)) % 360
    size = Size((right - left) * unit, (top - bottom) * unit).turned(turn)
    move = {
        0: Affine(unit, 0, 0, -unit, -left * unit, top * unit),
        90: Affine(0, unit, unit, 0, -bottom * unit, -left * unit),
        180: Affine(-unit, 0, 0, unit, right * unit, -bottom * unit),
        270: Affine(0, -unit, -unit, 0, top * unit, right * unit),
    }.get(turn, Affine(unit, 0, 0, -unit, -left * unit, top * unit))
    trim = box_through(move, *_numbers(page.obj["/TrimBox"])) if "/TrimBox" in page.obj else None
    visible = Rect(0, 0, *size)
    return size, move, trim.common(visible) if trim and min(trim.common(visible).size) > 0 else None


def _visible_box(page: pikepdf.Page) -> tuple[float, float, float, float]:
    media = _numbers(_inherited(page, "/MediaBox", [0, 0, 612, 792]))
    crop = _numbers(_inherited(page, "/CropBox", media))
    overlap = (
        max(media[0], crop[0]),
        max(media[1], crop[1]),
        min(media[2], crop[2]),
        min(media[3], crop[3]),
    )
    return overlap if overlap[2] > overlap[0] and overlap[3] > overlap[1] else media


def _inherited(page: pikepdf.Page, key: str, otherwise: Any) -> Any:
    node: Any = page.obj
    for _ in range(50):
        if key in node:
            return node[key]
        if "/Parent" not in node:
            break
        node = node["/Parent"]
    return otherwise


def _numbers(box: Any) -> tuple[float, float, float, float]:
    a, b, c, d = (float(number) for number in box)
    return min(a, c), min(b, d), max(a, c), max(b, d)


def box_through(move: Affine, left: float, bottom: float, right: float, top: float) -> Rect:
    """Return the bounding box of a transformed box."""
    a, b, c, d, e, f = move
    xs = sorted((a * left, a * right)), sorted((c * bottom, c * top))
    ys = sorted((b * left, b * right)), sorted((d * bottom, d * top))
    return Rect.between(
        xs[0][0] + xs[1][0] + e,
        ys[0][0] + ys[1][0] + f,
        xs[0][1] + xs[1][1] + e,
        ys[0][1] + ys[1][1] + f,
    )


# Instructions on a page; those of a form count each time it is shown.
MAX_INSTRUCTIONS = 400_000

# Hidden content gets this box, which has a negative size and thus meets no other box.
NOWHERE = Rect(0, 0, -1, -1)

PATH_OPERATORS = frozenset(("m", "l", "c", "v", "y", "h", "re"))
STROKE_OPERATORS = frozenset(("S", "s", "B", "B*", "b", "b*"))
FILL_OPERATORS = frozenset(("f", "F", "f*", "B", "B*", "b", "b*"))
CLOSING_OPERATORS = frozenset(("s", "b", "b*"))
PATH_END_OPERATORS = STROKE_OPERATORS | FILL_OPERATORS | {"n"}
TEXT_STATE_OPERATORS = frozenset(("Tc", "Tw", "Tz", "TL", "Ts", "Tr"))
TEXT_SHOWING_OPERATORS = frozenset(("Tj", "TJ", "'", '"'))
MARKED_CONTENT_OPERATORS = frozenset(("BMC", "BDC", "EMC", "MP", "DP"))
# pikepdf's name for an image inside the content, from BI to EI.
IMAGE = "INLINE IMAGE"
XOBJECT_OPERATORS = frozenset(("Do", "sh", IMAGE))
PAINTING_OPERATORS = PATH_END_OPERATORS | TEXT_SHOWING_OPERATORS | XOBJECT_OPERATORS


class TooManyStepsError(Exception):
    """Raised for a page with more than `MAX_INSTRUCTIONS` instructions."""


@dataclass
class Subpath:
    """A subpath on the page: its corners, whether it has curves, and whether it is closed."""

    corners: list[Point]
    curved: bool = False
    closed: bool = False

    @property
    def box(self) -> Rect:
        """The bounding box."""
        return box_around(self.corners)


@dataclass(frozen=True)
class PaintResult:
    """The result of an instruction: its box within the clip, and its path, form or image.

    A `box` of None is unknown. `tj_offset` is the TJ number that replaces a dropped text. For a form,
    `ctm` is the transform of its content.
    """

    box: Rect | None
    subpaths: tuple[Subpath, ...] = ()
    stroked: bool = False
    dashed: bool = False
    width: float = 0.0
    tj_offset: float | None = None
    form: Any = None
    ctm: Affine = IDENTITY
    clip: Rect | None = None
    is_image: bool = False


@dataclass(frozen=True)
class Instruction:
    """An instruction of a content stream, and the result if it paints."""

    raw: Any  # pikepdf's object
    operands: list[Any]
    name: str  # of its operator
    paints: PaintResult | None


@dataclass(frozen=True)
class Graphics:
    """The graphics state."""

    ctm: Affine  # from user space to mm from the page's top left
    clip: Rect  # in mm on the page
    width: float = 1.0  # of lines, in user space
    dashed: bool = False
    text: TextState = INITIAL_STATE


@dataclass
class ContentInterpreter:
    """An interpreter for the content of a page or a form."""

    resources: Any
    graphics: Graphics
    hidden: frozenset[tuple[int, int]]  # optional content groups, by object number
    # One number: the instructions of the page so far. The interpreters of its forms share the list.
    steps: list[int] = field(default_factory=lambda: [0])
    _stack: list[Graphics] = field(default_factory=list)
    _subpaths: list[Subpath] = field(default_factory=list)
    _is_clipping: bool = False
    _cursor: TextCursor = field(default_factory=TextCursor)
    _marked: list[bool] = field(default_factory=list)
    _fonts: dict[str, GlyphWidths] = field(default_factory=dict)

    def instructions(self, holder: Any) -> Iterator[Instruction]:
        """Yield each instruction of a page or a form."""
        for raw in pikepdf.parse_content_stream(holder):
            self.steps[0] += 1
            if self.steps[0] > MAX_INSTRUCTIONS:
                raise TooManyStepsError
            name = str(raw.operator)
            operands = list(raw.operands)
            try:
                paints = self._execute(name, operands)
            except (TypeError, ValueError, IndexError, KeyError, AttributeError, OverflowError):
                # Wrong operands or missing resources: viewers skip such an instruction, or paint anyhow, at a place
                # that is not known here.
                paints = PaintResult(None) if name in PAINTING_OPERATORS else None
            yield Instruction(raw, operands, name, paints)

    def _execute(self, name: str, operands: list[Any]) -> PaintResult | None:
        if name in PATH_OPERATORS:
            self._extend_path(name, [float(number) for number in operands])
        elif name in PATH_END_OPERATORS:
            return self._paint_path(name)
        elif name in {"W", "W*"}:
            self._is_clipping = True
        elif name in XOBJECT_OPERATORS:
            return self._paint_xobject(name, operands)
        elif name in TEXT_SHOWING_OPERATORS:
            return self._show_text(name, operands)
        elif name in MARKED_CONTENT_OPERATORS:
            self._mark_content(name, operands)
        else:
            self._set_state(name, operands)
        return None

    def _set_state(self, name: str, operands: list[Any]) -> None:
        state = self.graphics
        if name == "q":
            self._stack.append(state)
        elif name == "Q":
            self.graphics = self._stack.pop() if self._stack else state
        elif name == "cm":
            self.graphics = replace(state, ctm=state.ctm @ Affine(*map(float, operands)))
        elif name == "w":
            self.graphics = replace(state, width=float(operands[0]))
        elif name == "d":
            self.graphics = replace(state, dashed=len(operands[0]) > 0)
        elif name in TEXT_STATE_OPERATORS:
            self.graphics = replace(state, text=state.text.after(name, operands))
        elif name in {"Tf", "gs"}:
            self._set_font(name, operands)
        elif name in {"BT", "Td", "TD", "Tm", "T*"}:
            self._move_text(name, [float(number) for number in operands])

    def _set_font(self, name: str, operands: list[Any]) -> None:
        if name == "gs":
            parameters = self.resources.ExtGState[str(operands[0])]
            if "/LW" in parameters:
                self.graphics = replace(self.graphics, width=float(parameters.LW))
            if "/Font" in parameters:
                self.graphics = replace(
                    self.graphics, text=replace(self.graphics.text, widths=None)
                )
            return
        key = str(operands[0])
        if key not in self._fonts:
            self._fonts[key] = GlyphWidths(self.resources.Font[key])
        text = replace(self.graphics.text, widths=self._fonts[key], size=float(operands[1]))
        self.graphics = replace(self.graphics, text=text)

    def _move_text(self, name: str, numbers: list[float]) -> None:
        if name == "BT":
            self._cursor.begin(Affine())
        elif name == "Tm":
            self._cursor.begin(Affine(*numbers))
        elif name == "T*":
            self._cursor.move(0, -self.graphics.text.leading)
        else:
            if name == "TD":
                self.graphics = replace(
                    self.graphics, text=replace(self.graphics.text, leading=-numbers[1])
                )
            self._cursor.move(*numbers)

    def _show_text(self, name: str, operands: list[Any]) -> PaintResult:
        if name == '"':
            for key, value in zip(("Tw", "Tc"), operands, strict=False):
                self._set_state(key, [value])
        if name in {"'", '"'}:
            self._move_text("T*", [])
        parts = list(operands[-1]) if name == "TJ" else operands[-1:]
        box, tj_offset = self._cursor.show(self.graphics.text, parts, self.graphics.ctm)
        return PaintResult(self._visible_part(box), tj_offset=tj_offset)

    def _mark_content(self, name: str, operands: list[Any]) -> None:
        if name == "EMC":
            self._marked = self._marked[:-1]
        elif name in {"BMC", "BDC"}:
            is_layer = name == "BDC" and str(operands[0]) == "/OC"
            self._marked.append(
                is_layer and self._is_hidden(self.resources.Properties[str(operands[1])])
            )

    def _is_hidden(self, layer: Any) -> bool:
        if layer.get("/Type") == "/OCMD":
            groups = layer.get("/OCGs", [])
            members = [groups] if isinstance(groups, pikepdf.Dictionary) else list(groups)
            return bool(members) and all(item.objgen in self.hidden for item in members)
        return layer.objgen in self.hidden

    def _visible_part(self, box: Rect | None) -> Rect | None:
        """Return the visible part of a box: inside the clip, and not in a hidden layer."""
        if any(self._marked):
            return NOWHERE
        return (
            box.common(self.graphics.clip)
            if box and all(map(isfinite, box))
            else self.graphics.clip
        )

    def _extend_path(self, name: str, numbers: list[float]) -> None:
        if name == "h":
            if self._subpaths:
                self._subpaths[-1].closed = True
            return
        pairs = [
            self.graphics.ctm.apply(Point(*numbers[at : at + 2]))
            for at in range(0, len(numbers) - 1, 2)
        ]
        if name == "re":
            x, y, w, h = numbers
            places = ((x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y))
            corners = [self.graphics.ctm.apply(Point(*place)) for place in places]
            self._subpaths.append(Subpath(corners, closed=True))
        elif name == "m" or not self._subpaths:
            self._subpaths.append(Subpath(pairs[-1:]))
        else:
            self._subpaths[-1].curved |= name != "l"
            self._subpaths[-1].corners += pairs

    def _paint_path(self, name: str) -> PaintResult | None:
        subpaths = tuple(self._subpaths)
        self._subpaths = []
        box = Rect.around([subpath.box for subpath in subpaths]) if subpaths else NOWHERE
        is_stroked = name in STROKE_OPERATORS
        if name in CLOSING_OPERATORS and subpaths:
            subpaths[-1].closed = True
        width = self.graphics.width * self.graphics.ctm.scale
        painted = PaintResult(
            self._visible_part(box.grown(width) if is_stroked else box),
            subpaths,
            is_stroked,
            self.graphics.dashed,
            width,
        )
        if self._is_clipping:
            self.graphics = replace(self.graphics, clip=self.graphics.clip.common(box))
            self._is_clipping = False
        return None if name == "n" else painted

    def _paint_xobject(self, name: str, operands: list[Any]) -> PaintResult:
        unit = box_through(self.graphics.ctm, 0, 0, 1, 1)
        if name == "sh":
            return PaintResult(self._visible_part(None))
        if name == IMAGE:
            return PaintResult(self._visible_part(unit), is_image=True)
        xobject = self.resources.XObject[str(operands[0])]
        if is_postscript(xobject) or ("/OC" in xobject and self._is_hidden(xobject.OC)):
            return PaintResult(NOWHERE)
        if xobject.Subtype != "/Form":
            return PaintResult(self._visible_part(unit), is_image=True)
        ctm = self.graphics.ctm @ Affine(*map(float, xobject.get("/Matrix", [1, 0, 0, 1, 0, 0])))
        left, bottom, right, top = (float(number) for number in xobject.BBox)
        box = self._visible_part(box_through(ctm, left, bottom, right, top))
        return PaintResult(box, form=xobject, ctm=ctm, clip=box)


def interpret_page(pdf: pikepdf.Pdf, page: pikepdf.Page) -> ContentInterpreter:
    """Return an interpreter for the content of a page."""
    size, move, _ = page_geometry(page)
    graphics = Graphics(move, Rect(0, 0, *size))
    return ContentInterpreter(page.resources, graphics, hidden_layers(pdf))


def is_postscript(xobject: Any) -> bool:
    """Return True for a PostScript XObject: a program that printers may run, and viewers do not show.

    Its /Subtype is /PS; or it is /Form, with a /Subtype2 of /PS (ISO 32000-1, table 88).
    """
    return isinstance(xobject, pikepdf.Stream) and "/PS" in {
        str(xobject.get(key)) for key in ("/Subtype", "/Subtype2")
    }


def enter_form(interpreter: ContentInterpreter, painted: PaintResult) -> ContentInterpreter:
    """Return an interpreter for a form that a page or another form shows."""
    resources = painted.form.get("/Resources", interpreter.resources)
    graphics = replace(interpreter.graphics, ctm=painted.ctm, clip=painted.clip or NOWHERE)
    return ContentInterpreter(resources, graphics, interpreter.hidden, interpreter.steps)
