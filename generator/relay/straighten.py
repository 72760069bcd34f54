"""Straighten scans: measure the tilt of a page that is one picture, and replace the page by a straight picture.

A matrix before the page's content would keep its pixels. But pdfium, which draws pages here and in Chrome, renders a
slightly turned picture up to 0.3 mm off its place, and at an angle that is up to 0.1 degrees wrong (measured).
"""

import io
import json
from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pikepdf
from PIL import Image

from generator.base.geometry import Size
from generator.base.units import MM_PER_INCH, fine, points
from generator.relay.page_shapes import find_background, render
from generator.relay.read_pdf import (
    open_pdf,
    page_geometry,
)

# A scan that is turned by less stays unchanged: 0.1 degrees move the corner of a card by less than
# 0.1 mm.
MIN_TILT_DEGREES = 0.1

# Scanners and hands turn a page by at most this much. A larger tilt is part of the design.
MAX_TILT_DEGREES = 3.0

# The longer sides of the pictures in which the tilt is sought and then refined. In the second, 0.1
# degrees move a long edge by about one pixel from end to end.
SEARCH_PIXELS = 500
TILT_PIXELS = 1000

# The longer side of A4 has a little more than TILT_PIXELS at this resolution.
MEASURING_DPI = 100

# Straightening must make the edges of a scan steeper by this factor. A tilt of 0.1 degrees does in
# a scan of framed cards (found by trial: 1.16; 0.33 degrees: 5); a picture without long edges has
# no angle that does.
MIN_STEEPNESS_GAIN = 1.12

# Limits of the resolution of straight pictures, and their quality: no loss is seen in print.
MIN_SCAN_DPI = 200.0
MAX_SCAN_DPI = 600.0
JPEG_QUALITY = 95

# Half of the distance in degrees between the three angles through which a parabola is laid.
REFINEMENT_DEGREES = 0.06


def measure_scan(path: str, number: int) -> bytes:
    """Return as JSON the tilt of a scan in degrees clockwise, and the colour of its paper."""
    image, _ = render(path, number, MEASURING_DPI)
    return json.dumps({"tilt": measure_tilt(image), "background": find_background(image)}).encode()


def measure_any_tilt(path: str, number: int) -> bytes:
    """Return as JSON the tilt in degrees clockwise of a page that need not be a scan."""
    image, _ = render(path, number, MEASURING_DPI)
    return json.dumps(measure_tilt(image)).encode()


def measure_tilt(image: Image.Image) -> float:
    """Return the tilt of the long edges of a page in degrees clockwise; 0 if it is not clear.

    Edges along rows or columns of pixels make the steepest profiles of the mean brightness. The
    angle with the steepest is sought in steps of 0.5 degrees, then of 0.1, and refined by a
    parabola through three angles.
    """
    background = image.convert("L").getpixel((0, 0))
    large, small = (_shrink(image, side) for side in (TILT_PIXELS, SEARCH_PIXELS))
    steps = int(MAX_TILT_DEGREES * 2)
    coarse = max(
        (step / 2 for step in range(-steps, steps + 1)),
        key=lambda angle: _steepness(small, angle, background),
    )
    near = max(
        (coarse + step / 10 for step in range(-5, 6)),
        key=lambda angle: _steepness(large, angle, background),
    )
    before, at, after = (
        _steepness(large, near + off, background)
        for off in (-REFINEMENT_DEGREES, 0.0, REFINEMENT_DEGREES)
    )
    curvature = before - 2 * at + after
    tilt = near + (REFINEMENT_DEGREES / 2 * (before - after) / curvature if curvature < 0 else 0.0)
    is_clear = _steepness(large, tilt, background) >= MIN_STEEPNESS_GAIN * _steepness(
        large, 0.0, background
    )
    return tilt if is_clear and abs(tilt) >= MIN_TILT_DEGREES else 0.0


def _shrink(image: Image.Image, side: int) -> Image.Image:
    small = image.convert("L")
    small.thumbnail((side, side), Image.Resampling.BOX)
    return small


def _steepness(image: Image.Image, angle: float, background: Any) -> float:
    """Return the steepness of the profiles of a picture turned by some degrees anticlockwise."""
    turned = image.rotate(angle, Image.Resampling.BICUBIC, fillcolor=background) if angle else image
    # The edges of the turned picture itself are left out.
    inner = turned.crop(
        (turned.width // 20, turned.height // 20, turned.width * 19 // 20, turned.height * 19 // 20)
    )
    profiles = [
        inner.convert("F").resize(size, Image.Resampling.BOX)
        for size in ((inner.width, 1), (1, inner.height))
    ]
    values = [array("f", profile.tobytes()) for profile in profiles]
    return sum((b - a) ** 2 for line in values for a, b in pairwise(line))


def straighten(path: str, scans: Sequence[tuple[int, float, Sequence[int]]]) -> bytes:
    """Return the file with some pages replaced by straight pictures of them.

    Each scan is a page number, its tilt in degrees clockwise, and the colour of its paper, which
    fills the corners.
    """
    pdf = open_pdf(path)
    for number, tilt, background in scans:
        page = pdf.pages[number - 1]
        size, _, _ = page_geometry(page)
        image, _ = render(path, number, _find_resolution(page, size))
        straight = image.rotate(tilt, Image.Resampling.BICUBIC, fillcolor=tuple(background))
        data = io.BytesIO()
        straight.save(data, "JPEG", quality=JPEG_QUALITY, subsampling=0)
        scan = pdf.make_stream(
            data.getvalue(),
            Type=pikepdf.Name.XObject,
            Subtype=pikepdf.Name.Image,
            Width=straight.width,
            Height=straight.height,
            ColorSpace=pikepdf.Name.DeviceRGB,
            BitsPerComponent=8,
            Filter=pikepdf.Name.DCTDecode,
        )
        w = points(size.w)
        h = points(size.h)
        for key in (
            "/Rotate",
            "/CropBox",
            "/TrimBox",
            "/BleedBox",
            "/ArtBox",
            "/UserUnit",
            "/Annots",
        ):
            if key in page.obj:
                del page.obj[key]
        page.obj.Rotate = 0  # A page without the key inherits the turn of its parent.
        page.obj.MediaBox = page.obj.CropBox = pikepdf.Array([0, 0, w, h])
        page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Scan=scan))
        page.obj.Contents = pdf.make_stream(f"q {fine(w)} 0 0 {fine(h)} 0 0 cm /Scan Do Q".encode())
    buffer = io.BytesIO()
    pdf.save(buffer)
    return buffer.getvalue()


def _find_resolution(page: pikepdf.Page, size: Size) -> float:
    """Return the resolution of a scan in pixels an inch, within limits."""
    widths = [int(image.get("/Width", 0)) for image in page.images.values()]
    dpi = max(widths, default=0) / (min(size) / MM_PER_INCH)
    return min(max(dpi, MIN_SCAN_DPI), MAX_SCAN_DPI)
