"""Detect transparency in forms, and replace transparent forms by pixels."""

from typing import Any

import pikepdf
from pikepdf import Dictionary, Name
from PIL import Image

OPAQUE = {"/Normal", "/Compatible"}


def is_transparent(holder: Any, resources: Any) -> bool:
    """Return True if any resource used is not opaque or has a blend mode."""
    instructions = pikepdf.parse_content_stream(holder)
    names = {
        str(part)
        for instruction in instructions
        for part in instruction.operands
        if isinstance(part, Name)
    }
    used = [
        thing
        for kind in ("/ExtGState", "/XObject", "/Pattern")
        for thing in _named(resources, kind, names)
    ]
    return any(_lets_through(thing) for thing in used)


def _named(resources: Any, kind: str, names: set[str]) -> list[Any]:
    return [thing for name, thing in resources.get(kind, Dictionary()).items() if name in names]


def _lets_through(thing: Any) -> bool:
    mask = thing.get("/SMask")
    if mask is not None and mask != Name("/None"):
        return True
    if (
        min(float(thing.get("/ca", 1)), float(thing.get("/CA", 1))) < 1
        or str(thing.get("/BM", "/Normal")) not in OPAQUE
    ):
        return True
    inner = thing.get("/Subtype") == Name.Form or thing.get("/PaintType") is not None
    return inner and is_transparent(thing, thing.get("/Resources", Dictionary()))


def flatten(pdf: pikepdf.Pdf, form: Any, picture: Image.Image) -> Any:
    """Return a form with the same box that shows a picture in RGB."""
    image = pdf.make_stream(picture.convert("RGB").tobytes())
    image.Type = Name.XObject
    image.Subtype = Name.Image
    image.Width, image.Height = picture.size
    image.ColorSpace = Name.DeviceRGB
    image.BitsPerComponent = 8
    left, bottom, right, top = (float(edge) for edge in form.BBox)
    made = pdf.make_stream(
        f"q {right - left:f} 0 0 {top - bottom:f} {left:f} {bottom:f} cm /Face Do Q".encode()
    )
    made.Type = Name.XObject
    made.Subtype = Name.Form
    made.BBox = form.BBox
    made.Resources = Dictionary(XObject=Dictionary(Face=image))
    return pdf.make_indirect(made)
