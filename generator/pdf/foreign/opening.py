"""Open third-party PDFs within limits, and read the geometry of their pages."""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pikepdf

from generator.core.geometry import Affine, Rect, Size
from generator.core.units import MM_PER_PT

# Of a file.
MAX_BYTES = 300_000_000

# Pages read from a file; longer files need `--page`.
MAX_PAGES = 500

# Of a page.
MAX_SIDE_MM = 5000

# Nesting of forms.
MAX_FORM_DEPTH = 12

# Nesting of forms, patterns, fonts and masks; PDF readers give up at about 30.
MAX_NESTING = 100

# Types that can have resources.
HOLDERS = (pikepdf.Dictionary, pikepdf.Stream)

# Files that need a password, that forbid printing, and that cannot be read.
LOCKED = "locked"
SEALED = "sealed"
BROKEN = "broken"


@lru_cache(1)
def opened(path: str) -> pikepdf.Pdf:
    """Open a file, with what is filled into its forms as part of its pages.

    Raise `ValueError` if a drawing of it shows itself, or too many lie in each other.
    """
    pdf = pikepdf.open(path)
    pdf.flatten_annotations("print")
    heights: dict[tuple[int, int], int] = {}
    for page in pdf.pages:
        for drawing in _drawings(page.resources):
            _height(drawing, 1, heights)
    return pdf


def _height(drawing: Any, level: int, heights: dict[tuple[int, int], int]) -> int:
    """Return the nesting depth of a drawing; `heights` caches depths by object number.

    A drawing that contains itself exceeds the limit; writers would never finish it.
    """
    height = heights.get(drawing.objgen, 0)
    if level + height > MAX_NESTING:
        raise ValueError(f"a form or pattern shows itself, or more than {MAX_NESTING} lie in each other")
    if not height:
        inner = [*_drawings(drawing.get("/Resources")), drawing.get("/SMask"), drawing.get("/G")]
        height = 1 + max((_height(each, level + 1, heights) for each in inner if isinstance(each, HOLDERS)), default=0)
        if drawing.is_indirect:
            heights[drawing.objgen] = height
    return height


def _drawings(resources: Any) -> Iterator[Any]:
    """Yield the forms, patterns, fonts and states of graphics among some resources."""
    for kind in ("/XObject", "/Pattern", "/Font", "/ExtGState"):
        things = resources.get(kind) if isinstance(resources, pikepdf.Dictionary) else None
        if isinstance(things, pikepdf.Dictionary):
            yield from (thing for _, thing in things.items() if isinstance(thing, HOLDERS))


def about(path: str) -> bytes:
    """Return the number of pages and the title of a file, or its fault."""
    try:
        with pikepdf.open(path) as pdf:
            allowed = pdf.allow
            if not (allowed.print_lowres or allowed.print_highres):
                return json.dumps({"wrong": SEALED}).encode()
            told = {"pages": len(pdf.pages), "title": _title(pdf), "opening": _opening_pages(pdf)}
            return json.dumps(told).encode()
    except pikepdf.PasswordError:
        return json.dumps({"wrong": LOCKED}).encode()
    except pikepdf.PdfError as error:
        return json.dumps({"wrong": BROKEN, "why": str(error).rpartition(": ")[2]}).encode()


def _opening_pages(pdf: pikepdf.Pdf) -> list[int]:
    """Return the numbers of the how-to-make pages in a file of ours.

    They are labelled i, ii, iii. Their boxes and pictures would look like pieces.
    """
    producer = str(pdf.docinfo.get("/Producer", "")) if "/Info" in pdf.trailer else ""
    if not producer.startswith("pnp ") or "/PageLabels" not in pdf.Root:
        return []
    return [number for number, page in enumerate(pdf.pages, 1) if set(str(page.label)) == {"i"}]


def _title(pdf: pikepdf.Pdf) -> str:
    title = str(pdf.docinfo.get("/Title", "")) if "/Info" in pdf.trailer else ""
    return " ".join(title.split())[:80]


def hidden_layers(pdf: pikepdf.Pdf) -> frozenset[tuple[int, int]]:
    """Return the optional content groups that are hidden by default."""
    layers = pdf.Root.get("/OCProperties", pikepdf.Dictionary())
    usual = layers.get("/D", pikepdf.Dictionary())
    off = {layer.objgen for layer in usual.get("/OFF", [])}
    if usual.get("/BaseState") == "/OFF":
        off |= {layer.objgen for layer in layers.get("/OCGs", [])} - {layer.objgen for layer in usual.get("/ON", [])}
    return frozenset(off)


def lying(page: pikepdf.Page) -> tuple[Size, Affine, Rect | None]:
    """Return a page's visible size, the map from its points to mm, and its trim box."""
    left, bottom, right, top = _shown(page)
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
    whole = Rect(0, 0, *size)
    return size, move, trim.common(whole) if trim and min(trim.common(whole).size) > 0 else None


def _shown(page: pikepdf.Page) -> tuple[float, float, float, float]:
    media = _numbers(_inherited(page, "/MediaBox", [0, 0, 612, 792]))
    crop = _numbers(_inherited(page, "/CropBox", media))
    both = max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3])
    return both if both[2] > both[0] and both[3] > both[1] else media


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
    """Return the bounding box of a box after a map."""
    a, b, c, d, e, f = move
    xs = sorted((a * left, a * right)), sorted((c * bottom, c * top))
    ys = sorted((b * left, b * right)), sorted((d * bottom, d * top))
    return Rect.between(
        xs[0][0] + xs[1][0] + e, ys[0][0] + ys[1][0] + f, xs[0][1] + xs[1][1] + e, ys[0][1] + ys[1][1] + f
    )
