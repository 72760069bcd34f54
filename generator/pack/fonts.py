"""The fonts that a pack brings: static files, and static files made of variable ones."""

import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from generator.base.errors import InvalidValueError, Reporter, Where
from generator.base.files import MAX_FILE_BYTES, display, read_limited
from generator.base.font_files import BOLD, REGULAR, is_static, static_fonts
from generator.base.fonts import (
    HEAD_BYTES,
    WEIGHTS,
    AxisValues,
    FontFile,
    FontSet,
    VariableFont,
    family_at,
    files_in,
    font_set,
    read_fonts,
)
from generator.pack.folder import PackFolder

MAX_WEIGHTS = 24
"""Different weights in a pack with variable fonts: all hundreds, for a column of weights, and 15 others."""
MAX_PLACES_ON_AXES = 32
"""Different values of axes in a pack: each needs files of every weight, in about a second for a large font."""


def fonts_of(pack: PackFolder, report: Reporter) -> FontSet:
    """Return the program's fonts together with those in the pack's `fonts` folder."""
    extra: dict[str, FontFile] = {}
    # The pack's file of each face: that of a converted font is a temporary one.
    sources: dict[str, Path] = {}
    variable: list[VariableFont] = []
    problems_before = len(report.problems)
    for path in files_in(pack.root / "fonts"):
        with report.at(Where(display(path))):
            if not pack.holds(path):
                raise InvalidValueError(
                    f"{path.name} leads out of the pack's folder",
                    "a file inside the pack's folder",
                )
            if not path.is_file() or path.stat().st_size > MAX_FILE_BYTES:
                raise InvalidValueError(
                    f"{path.name} is not a file, or has more than {MAX_FILE_BYTES // 1_000_000} MB",
                    "a font file",
                )
            weights = _weights_for(path, pack)
            # Engines can read a font without weights as it is.
            fonts, axes = static_fonts(path, weights) if weights else (read_fonts(path), ())
            for font in fonts:
                if font.key in extra:
                    first = sources[font.key]
                    found = f"this is {font.family} {font.style}, and so is {display(first)}"
                    raise InvalidValueError(
                        found,
                        "one file for each face of a family",
                        "remove one of them from the pack",
                    )
                extra[font.key] = font
                sources[font.key] = path
            if axes:
                variable.append(VariableFont(font.family, path, axes, weights))
    is_complete = len(report.problems) == problems_before
    return font_set(extra.values(), variable, is_complete=is_complete)


def pin_axes(
    fonts: FontSet, axis_places: Collection[tuple[str, AxisValues]], report: Reporter
) -> FontSet:
    """Return the fonts with static files for families at values of their axes.

    Raise `InvalidValueError` if the values are too many.
    """
    places = sorted((family, axes) for family, axes in axis_places)
    if len(places) > MAX_PLACES_ON_AXES:
        raise InvalidValueError(
            f"styles and columns set the axes of variable fonts to {len(places)} different values",
            f"at most {MAX_PLACES_ON_AXES}: each makes fonts of its own",
        )
    pinned = []
    for family, axes in places:
        for font in fonts.variable:
            if font.family == family:
                with report.at(Where(display(font.path))):
                    name = family_at(family, axes)
                    pinned += static_fonts(font.path, font.weights, name, axes)[0]
    return replace(fonts, files=tuple(sorted([*fonts.files, *pinned])))


def _weights_for(path: Path, pack: PackFolder) -> tuple[int, ...]:
    """Return the weights that static files are made for; empty for a font that engines can read."""
    with path.open("rb") as file:
        if is_static(file.read(HEAD_BYTES)):
            return ()
    weights = {REGULAR, BOLD, *_weights_in(pack)}
    if len(weights) > MAX_WEIGHTS:
        raise InvalidValueError(
            f"the pack has {len(weights)} weights of variable fonts",
            f"at most {MAX_WEIGHTS}: each makes fonts of its own",
        )
    return tuple(sorted(weights))


_WEIGHT = re.compile(r"\bweight[\"']?\s*:\s*[\"']?([\w$]+)")


def _weights_in(pack: PackFolder) -> set[int]:
    """Return the weights that a pack's files name; all hundreds if a column or a variable gives one.

    The files are searched as text, because fonts are needed before they are read.
    """
    weights: set[int] = set()
    for path in sorted(pack.root.rglob("*.yaml")):
        for word in _WEIGHT.findall(read_limited(path, path.name).decode(errors="replace")):
            if word.isdecimal():
                weights.add(int(word))
            elif word in WEIGHTS:
                weights.add(WEIGHTS[word])
            elif word.startswith("$"):
                weights.update(range(100, 1000, 100))
    return weights
