"""Calls of resvg: all that a worker needs to load to draw pictures."""

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from resvg import render, usvg

from generator.base.worker import Failed, joined
from generator.picture.svg_table import reaches_out

NOWHERE = f"{os.devnull}/nothing"
"""A folder that cannot be: no path from it leads anywhere."""


def reading(fonts: tuple[str, ...]) -> Any:
    """Return resvg's options: these fonts, and no other files.

    Fonts are passed as bytes, since resvg reads a font known by its path again for every text.
    """
    options = usvg.Options.default()
    options.resources_dir = NOWHERE
    for path in fonts:
        options.load_font_data(Path(path).read_bytes())
    return options


_kept = cache(reading)


def drawn(svg: str, fonts: tuple[str, ...]) -> bytes:
    """Return a picture as a PNG. Workers call this function; it loads the fonts once."""
    return drawn_by(svg, _kept(fonts))


def drawn_all(svgs: Sequence[str], fonts: tuple[str, ...]) -> bytes:
    """Return several pictures as PNGs joined into one; empty bytes for a picture that cannot be drawn."""
    options = _kept(fonts)
    return joined(_drawn_or_nothing(svg, options) for svg in svgs)


def _drawn_or_nothing(svg: str, options: Any) -> bytes:
    try:
        return drawn_by(svg, options)
    except Failed:
        return b""


def drawn_by(svg: str, options: Any) -> bytes:
    """Return a picture as a PNG, drawn with options that hold the fonts."""
    if reaches_out(svg):
        raise Failed("it refers to something that it does not hold")
    try:
        png: bytes = render(usvg.Tree.from_str(svg, options), (1, 0, 0, 0, 1, 0))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        raise Failed(str(error)) from error
    return png
