"""Call resvg. Workers import this module alone to draw pictures, so it loads little."""

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import resvg

from generator.base.svg_table import reaches_out
from generator.base.worker import WorkError, join_answers

MISSING_FOLDER = f"{os.devnull}/nothing"
"""A folder that cannot be: no path from it leads anywhere."""


def make_options(fonts: tuple[str, ...]) -> Any:
    """Return resvg's options: these fonts, and no other files.

    Fonts are passed as bytes, since resvg reads a font known by its path again for every text.
    """
    options = resvg.usvg.Options.default()
    options.resources_dir = MISSING_FOLDER
    for path in fonts:
        options.load_font_data(Path(path).read_bytes())
    return options


_cached_options = cache(make_options)


def render_png(svg: str, fonts: tuple[str, ...]) -> bytes:
    """Return a picture as a PNG. Workers call this function; it loads the fonts once."""
    return render_with_options(svg, _cached_options(fonts))


def render_pngs(svgs: Sequence[str], fonts: tuple[str, ...]) -> bytes:
    """Return several pictures as PNGs joined into one.

    Empty bytes for a picture that cannot be drawn.
    """
    options = _cached_options(fonts)
    return join_answers(_render_or_nothing(svg, options) for svg in svgs)


def _render_or_nothing(svg: str, options: Any) -> bytes:
    try:
        return render_with_options(svg, options)
    except WorkError:
        return b""


def render_with_options(svg: str, options: Any) -> bytes:
    """Return a picture as a PNG, drawn with options that hold the fonts."""
    try:
        if reaches_out(svg):
            raise WorkError("it refers to something that it does not hold")
        png: bytes = resvg.render(resvg.usvg.Tree.from_str(svg, options), (1, 0, 0, 0, 1, 0))
    except (KeyboardInterrupt, SystemExit):
        raise
    except Exception as error:
        raise WorkError(str(error)) from error
    except BaseException as error:
        # A panic of Rust is a BaseException; its text is an assertion of resvg's source, which
        # tells an author nothing.
        raise WorkError(
            "resvg gave up, as it does over a filter whose region is very much larger than the picture"
        ) from error
    return png
