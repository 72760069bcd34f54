"""What may be too much for an engine though it is small, and is left to a process that can be stopped."""

import re
from functools import lru_cache

from generator.core.svg import ART, SVG_KIND, addresses, opened

SMALL, REMEMBERED = 100_000, 1024
"""Letters of a picture of which it is remembered whether it is heavy, and how many are."""
GROUND, GROUNDS = 10_000, 256
"""The same of what many faces have alike."""

_HEAVY = re.compile(r"<(?:[\w.-]+:)?(?:filter|mask|pattern|marker)\b|mix-blend-mode|stroke-dasharray")
_SCALED = (
    re.compile(r"scale[XY]?\s*\(\s*-?\d{3}"),
    re.compile(r"matrix\s*\(\s*(?:-?[\d.]+[\s,]+){0,3}-?\d{3}"),
    re.compile(r"viewBox=['\"][^'\">]*?[\s,'\"]-?0*\.0\d"),
)
_FIGURES = bytes.maketrans(b"123456789E", b"000000000e")
_LONG, _POWER = re.compile(rb"(?<![0.])0{7}"), re.compile(rb"0e[-+]?0")
"""Numbers of seven figures, and those with a power, where every figure is a nought."""
_NAMES = re.compile(r"#[\w-]+|\bid=(['\"])[\w-]+\1")
"""Colours, and what is called by a digest: these are no numbers."""
_RUN = re.compile(r'<text x="-?\d{1,5}(?:\.\d{1,3})?" y="-?\d{1,5}(?:\.\d{1,3})?" ([^<>]*)>[^<]*</text>')
"""Letters at a place on paper, of which only their look counts."""


def may_be_heavy(svg: str) -> bool:
    """Whether a picture, or one that it shows, may be too much for an engine: a worker draws it."""
    pieces = _RUN.split(svg)
    ground, looks = "".join(pieces[::2]), dict.fromkeys(pieces[1::2])
    return any(_ground_is_heavy(part) if len(part) < GROUND else _is_heavy(part) for part in (ground, *looks))


@lru_cache(GROUNDS)
def _ground_is_heavy(svg: str) -> bool:
    """What many faces have alike is looked at once."""
    return _is_heavy(svg)


def _is_heavy(svg: str) -> bool:
    return _HEAVY.search(svg) is not None or _is_far(svg) or any(map(_shows_heavy, addresses(svg)))


def _is_far(svg: str) -> bool:
    """Whether something may lie so far out that an engine gives up, and ends the process that it is in."""
    bare = _NAMES.sub("", ART.sub("", svg) if SVG_KIND in svg else svg)
    figures = bare.encode(errors="replace").translate(_FIGURES)
    is_long = b"0000000" in figures and _LONG.search(figures)
    return bool(is_long or _POWER.search(figures) or any(rule.search(bare) for rule in _SCALED))


def _shows_heavy(address: str) -> bool:
    return _small_is_heavy(address) if len(address) < SMALL else may_be_heavy(opened(address))


@lru_cache(REMEMBERED)
def _small_is_heavy(address: str) -> bool:
    """The same picture stands on many faces, and is looked at once."""
    return may_be_heavy(opened(address))
