"""What pages that were taken from other files leave behind is put right: marks of structure, and blending."""

import io
import re
from collections.abc import Iterator
from typing import Any
from zlib import compress

import pikepdf

_NUMBERED = re.compile(rb"(/[A-Za-z]\w*)\s*<<\s*/MCID\s+\d+\s*>>\s*BDC\b")
"""Content that says which part of a structure it is."""


def tidy(pdf: pikepdf.Pdf) -> None:
    """No number of a structure where there is none, and a colour space for blending on pages that blend."""
    for item in pdf.objects:
        if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form" and "/StructParents" not in item:
            _unnumber(item)
    known: dict[tuple[int, int], bool] = {}
    for page in pdf.pages:
        if "/Group" not in page and _blends(page.obj, known):
            page.Group = pikepdf.Dictionary(S=pikepdf.Name.Transparency, CS=pikepdf.Name.DeviceRGB)


def _unnumber(form: pikepdf.Stream) -> None:
    """A form that belongs to no structure keeps its marks without their numbers."""
    data = form.read_bytes()
    plain = _NUMBERED.sub(rb"\1 BMC", data)
    if plain != data:
        form.write(compress(plain), filter=pikepdf.Name.FlateDecode)  # as it is, it would stay in memory unpacked


def _blends(holder: Any, known: dict[tuple[int, int], bool]) -> bool:
    """Whether something on a page or in a form lets show what is below it."""
    resources = holder.get("/Resources", pikepdf.Dictionary())
    if resources.objgen not in known or resources.objgen == (0, 0):
        known[resources.objgen] = False
        known[resources.objgen] = any(_see_through(thing, known) for thing in _things(resources))
    return known[resources.objgen]


def _things(resources: Any) -> Iterator[Any]:
    for kind in ("/ExtGState", "/XObject", "/Pattern"):
        yield from (thing for _, thing in resources.get(kind, pikepdf.Dictionary()).items())


def _see_through(thing: Any, known: dict[tuple[int, int], bool]) -> bool:
    if any(float(thing.get(key, 1)) < 1 for key in ("/ca", "/CA")):
        return True
    if thing.get("/SMask", pikepdf.Name("/None")) != pikepdf.Name("/None") or "/Group" in thing:
        return True
    blend = thing.get("/BM", pikepdf.Name.Normal)
    return blend != pikepdf.Name.Normal or ("/Resources" in thing and _blends(thing, known))


def pages_in(data: bytes) -> int:
    """How many pages a file has."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return len(pdf.pages)
