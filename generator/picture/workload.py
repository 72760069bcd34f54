"""Decide which pictures an engine must render in a worker process.

The rule reads only what an engine draws: elements, attributes and their numbers. Names, titles and
the bytes of embedded images decide nothing, so a picture is always treated alike.
"""

import re
from functools import lru_cache
from xml.etree import ElementTree as ET

from generator.base.svg_table import SVG_KIND, pictures_in
from generator.picture.items import Path, Picture, PlacedArt, Shape, walk

# The gate bounds what each of these may ask for, but not all of them together: such a picture needs
# a time limit.
_COSTLY = re.compile(
    r"<(?:[\w.-]+:)?(?:filter|mask|pattern|marker)\b|mix-blend-mode|stroke-dasharray"
)

# resvg panics on coordinates far outside the canvas; a second panic while it unwinds aborts the
# whole process, which Python cannot catch. So a number of seven digits, an exponent or a scale of
# 100 is left to a worker. A false alarm costs a process, never a wrong picture.
_SCALED = (
    re.compile(r"scale[XY]?\s*\(\s*-?\d{3}"),
    re.compile(r"matrix\s*\(\s*(?:-?[\d.]+[\s,]+){0,3}-?\d{3}"),
    re.compile(r"viewBox=['\"][^'\">]*?[\s,'\"]-?0*\.0\d"),
)
# translate() turns every digit into 0, so that seven digits are found as plain bytes: half the time
# of the regular expression \d{7} on a path of 20,000 points.
_DIGITS_TO_ZERO = bytes.maketrans(b"123456789E", b"000000000e")
_MANY_ZEROS = re.compile(rb"(?<![0.])0{7}")
_EXPONENT = re.compile(rb"0e[-+]?0")

# Digits and the letter e also stand in embedded images, in ids, in colours, and in the file names
# that art has for titles. None of these is a coordinate.
_NO_COORDINATES = re.compile(
    r"data:image/[\w.+-]+;base64,[\sA-Za-z0-9+/=]*|#[\w-]+|\b(?:id|class)=(['\"])[\w-]+\1|<title>[^<]*</title>",
    re.IGNORECASE,
)


def needs_worker(content: Picture | str) -> bool:
    """Return True if an engine may need too long for a picture or an SVG, or end its process on it."""
    if isinstance(content, str):
        return _svg_needs_worker(content)
    for item, _ in walk(content.items):
        if isinstance(item, PlacedArt) and _svg_needs_worker(item.art.svg):
            return True
        if isinstance(item, Shape):
            if item.stroke and item.stroke.dash:
                return True
            if isinstance(item.geometry, Path) and _is_far(item.geometry.d):
                return True
    return False


@lru_cache(1024)  # the same art stands on many faces
def _svg_needs_worker(svg: str) -> bool:
    inner = pictures_in(ET.fromstring(svg)) if SVG_KIND in svg else ()
    return _COSTLY.search(svg) is not None or _is_far(svg) or any(map(_svg_needs_worker, inner))


def _is_far(text: str) -> bool:
    """Return True if a coordinate may lie so far out that an engine panics."""
    numbers = _NO_COORDINATES.sub("", text)
    digits = numbers.encode(errors="replace").translate(_DIGITS_TO_ZERO)
    is_long = b"0000000" in digits and _MANY_ZEROS.search(digits)
    return bool(
        is_long or _EXPONENT.search(digits) or any(rule.search(numbers) for rule in _SCALED)
    )
