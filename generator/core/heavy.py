"""The rule that decides which pictures a worker renders, because an engine may hang or end its process on them.

The rule reads only what an engine draws: elements, attributes and their numbers. Names, keys of photographs, titles
and the bytes of embedded images decide nothing, so a picture is always treated alike.
"""

import re
from functools import lru_cache

from generator.core.svg import PICTURE_KEY, addresses, opened

MAX_CACHED_ADDRESS = 100_000
"""Letters of the longest art address whose result is cached; a longer one would hold too much memory."""
CACHED_ADDRESSES = 1024
MAX_CACHED_GROUND = 10_000
"""Letters of the longest ground (a face without its texts) whose result is cached."""
CACHED_GROUNDS = 256

# The gate bounds what these may ask for, but not all that they ask for together: such a picture needs a limit of time.
_COSTLY = re.compile(r"<(?:[\w.-]+:)?(?:filter|mask|pattern|marker)\b|mix-blend-mode|stroke-dasharray")

# resvg panics on coordinates far outside the canvas; a second panic while it unwinds aborts the whole process, which
# Python cannot catch. So a number of seven digits, an exponent or a scale of 100 is left to a worker. A false alarm
# costs a process, never a wrong picture.
_SCALED = (
    re.compile(r"scale[XY]?\s*\(\s*-?\d{3}"),
    re.compile(r"matrix\s*\(\s*(?:-?[\d.]+[\s,]+){0,3}-?\d{3}"),
    re.compile(r"viewBox=['\"][^'\">]*?[\s,'\"]-?0*\.0\d"),
)
# translate() turns every digit into 0, so that seven digits are found as plain bytes: half the time of the regular
# expression \d{7} on a path of 20,000 points.
_DIGITS_TO_ZERO = bytes.maketrans(b"123456789E", b"000000000e")
_LONG = re.compile(rb"(?<![0.])0{7}")
_EXPONENT = re.compile(rb"0e[-+]?0")

# Digits and the letter e also stand in embedded images, in the digests that stand for photographs and call what a face
# defines, in colours, and in the file names that art has for titles. None of these is a coordinate.
_NO_COORDINATES = re.compile(
    rf"data:image/[\w.+-]+;base64,[\sA-Za-z0-9+/=]*|{PICTURE_KEY.pattern}"
    r"|#[\w-]+|\b(?:id|class)=(['\"])[\w-]+\1|<title>[^<]*</title>",
    re.IGNORECASE,
)
_RUN = re.compile(r'<text x="-?\d{1,5}(?:\.\d{1,3})?" y="-?\d{1,5}(?:\.\d{1,3})?" ([^<>]*)>[^<]*</text>')
"""A text run at a place on paper: only its style can be costly."""


def may_be_heavy(svg: str) -> bool:
    """Return whether a worker must render a picture: an engine may need too long for it, or end its process."""
    pieces = _RUN.split(svg)
    ground = "".join(pieces[::2])
    styles = dict.fromkeys(pieces[1::2])
    return any(
        _is_heavy_cached(part) if len(part) < MAX_CACHED_GROUND else _is_heavy(part) for part in (ground, *styles)
    )


@lru_cache(CACHED_GROUNDS)
def _is_heavy_cached(svg: str) -> bool:
    return _is_heavy(svg)


def _is_heavy(svg: str) -> bool:
    return _COSTLY.search(svg) is not None or _is_far(svg) or any(map(_shows_heavy, addresses(svg)))


def _is_far(svg: str) -> bool:
    """Return whether a coordinate may lie so far out that an engine panics."""
    numbers = _NO_COORDINATES.sub("", svg)
    digits = numbers.encode(errors="replace").translate(_DIGITS_TO_ZERO)
    is_long = b"0000000" in digits and _LONG.search(digits)
    return bool(is_long or _EXPONENT.search(digits) or any(rule.search(numbers) for rule in _SCALED))


def _shows_heavy(address: str) -> bool:
    if len(address) < MAX_CACHED_ADDRESS:
        return _art_is_heavy_cached(address)
    return may_be_heavy(opened(address))


@lru_cache(CACHED_ADDRESSES)
def _art_is_heavy_cached(address: str) -> bool:
    return may_be_heavy(opened(address))
