"""How much of the paper is inked: of each face by its pixels, of each sheet by the faces on it.

A place that is full of any ink counts whole, one with a tint by as much as the tint covers.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from html import unescape
from itertools import groupby
from typing import Any, NamedTuple

import uharfbuzz as hb
from PIL import Image, ImageChops

from generator.core.cache import key_of
from generator.core.fonts import FontFile, FontSet
from generator.core.raster import Rasteriser
from generator.core.units import number
from generator.draw.face import Face
from generator.impose.sheet import Job, SheetSide

DPI = 15
"""Coarse: what is averaged anyway."""

STEP = 5
"""Of a hundred: sheets whose shares differ by less are told together."""

Inks = Mapping[str, float]
"""The inked share of each face, with its bleed, by its name."""


KEPT = "inks"
"""What they are among what is kept from one run to the next."""


def face_inks(faces: Mapping[str, Face], raster: Rasteriser) -> dict[str, float]:
    """The inked share of every face."""
    keys = {name: key_of(KEPT, raster.fonts.digest, name) for name in faces}
    kept = {name: raster.kept.get(KEPT, key) for name, key in keys.items()}
    known = {name: float(share) for name, share in kept.items() if share}
    found = {
        name: inked(raster.seen(greeked(face, raster.fonts), DPI)) for name, face in faces.items() if name not in known
    }
    for name, share in found.items():
        raster.kept.put(KEPT, keys[name], repr(share).encode())
    return known | found


def greeked(face: Face, fonts: FontSet) -> Face:
    """The face with a tint in the place of each plain run of letters, as dark as they are together.

    So coarse, nobody tells the two apart; an engine that sets letters takes ten times as long.
    """
    drawn = face.drawn
    if "<text " not in drawn.written:
        return face
    written = _TEXT.sub(lambda match: _tint(match, fonts), drawn.written)
    return Face((replace(drawn, written=written),), face.size, face.bleed, face.label)


_TEXT = re.compile(r"<text ([^<>]*)>([^<]*)</text>")
_VALUE = re.compile(r'([\w:-]+)="([^"]*)"')
_RUN = {"x", "y", "fill", "xml:space", "font-family", "font-size", "font-weight", "font-style", "font-variant"}
_RUN |= {"letter-spacing", "text-decoration"}
"""What a run of letters may say of itself; one with a line round its letters stays as it is."""
HIGH = 0.7
"""em; about as high as letters are."""


def _tint(match: re.Match[str], fonts: FontSet) -> str:
    said, text = dict(_VALUE.findall(match[1])), unescape(match[2])
    family = said.get("font-family", "").split(",")[0].strip("' ")
    if said.keys() - _RUN or not said.keys() >= {"x", "y", "fill", "font-size", "font-weight"}:
        return match[0]
    font = fonts.find(family, int(said["font-weight"]), italic="font-style" in said)
    weight = weights(font, SMALL_CAPS if "font-variant" in said else ())
    size, spacing = float(said["font-size"]), float(said.get("letter-spacing", 0))
    advances, areas = zip(*map(weight, text), strict=True) if text else ((), ())
    wide = size * sum(advances) + spacing * len(text)
    dark = size * size * sum(areas)
    if wide <= 0:
        return match[0]
    place = f'x="{said["x"]}" y="{number(float(said["y"]) - HIGH * size)}"'
    box = f'{place} width="{number(wide)}" height="{number(HIGH * size)}"'
    return f'<rect {box} fill="{said["fill"]}" fill-opacity="{number(min(1.0, dark / (wide * HIGH * size)))}"/>'


def inked(picture: Image.Image) -> float:
    """The share of a picture that takes ink, from 0 to 1; where nothing is painted there is paper."""
    red, green, blue, alpha = (picture if picture.mode == "RGBA" else picture.convert("RGBA")).split()
    darkest = ImageChops.darker(ImageChops.darker(red, green), blue)
    levels = ImageChops.multiply(ImageChops.invert(darkest), alpha).histogram()
    return sum(level * count for level, count in enumerate(levels)) / (255 * sum(levels))


def sheet_inks(job: Job, inks: Inks) -> list[tuple[float, ...]]:
    """The inked share of the paper, of each sheet the front and, where it is printed, the back."""
    sides = ((sheet, tuple(filter(None, (sheet.front, sheet.back)))) for sheet in job.sheets)
    return [tuple(_covered(side, inks) / (sheet.paper.w * sheet.paper.h) for side in both) for sheet, both in sides]


def _covered(side: SheetSide, inks: Inks) -> float:
    """So many square mm of a side are inked."""
    areas = ((at.face, at.clip.area if at.clip else at.ink.w * at.ink.h) for at in side.placed)
    return sum(inks[name] * area for name, area in areas)


def told(job: Job, inks: Inks) -> str:
    """`ink on 41 % of the paper: sheets 1–4 about 60 % and 85 % of front and back, sheet 5 15 % and 20 %`."""
    shares = sheet_inks(job, inks)
    sides = [share for sheet in shares for share in sheet]
    if not sides:
        return ""
    return f"ink on {sum(sides) / len(sides):.0%} of the paper: {', '.join(_groups(shares))}"


def _groups(shares: list[tuple[float, ...]]) -> Iterator[str]:
    """Sheets that follow each other and take about as much ink."""
    rounded = [tuple(_about(share * 100) for share in sheet) for sheet in shares]
    for about, group in groupby(enumerate(rounded, 1), key=lambda pair: pair[1]):
        numbers = [number for number, _ in group]
        sheets = f"sheet {numbers[0]}" if len(numbers) == 1 else f"sheets {numbers[0]}–{numbers[-1]}"
        first = " (front and back)" if numbers[0] == 1 and len(about) > 1 else ""
        yield f"{sheets} {' and '.join(f'{share}%' for share in about)}{first}"


def _about(share: float) -> int:
    return STEP * round(share / STEP) if share > 2 * STEP else round(share)


SMALL_CAPS = ("smcp",)
"""What draws small letters as small capitals."""

Step = tuple[str, tuple[float, ...]]
"""A line or a curve of an outline, called as SVG calls it, and the numbers of its places."""


class Weight(NamedTuple):
    """How far a letter goes along its line (em), and the area that it inks (square em)."""

    advance: float
    area: float


@cache
def weights(font: FontFile, features: tuple[str, ...] = ()) -> Callable[[str], Weight]:
    """What the letters of a font weigh, each found once."""
    face = hb.Font(hb.Face(hb.Blob.from_file_path(str(font.path))))
    upem: int = face.face.upem
    wish = dict.fromkeys(features, True)

    @cache
    def area(glyph: int) -> float:
        return abs(_area(_outline(face, glyph))) / (upem * upem)

    @cache
    def weight(letter: str) -> Weight:
        buffer = hb.Buffer()
        buffer.add_str(letter)
        buffer.guess_segment_properties()
        hb.shape(face, buffer, wish)
        along = sum(position.x_advance for position in buffer.glyph_positions)
        return Weight(along / upem, sum(area(info.codepoint) for info in buffer.glyph_infos))

    return weight


def _outline(face: Any, glyph: int) -> list[Step]:
    steps, draw = list[Step](), hb.DrawFuncs()
    listeners = {
        "M": draw.set_move_to_func,
        "L": draw.set_line_to_func,
        "Q": draw.set_quadratic_to_func,
        "C": draw.set_cubic_to_func,
        "Z": draw.set_close_path_func,
    }
    for letter, listen in listeners.items():
        listen(lambda *values, letter=letter: steps.append((letter, values[:-1])))
    face.draw_glyph(glyph, draw, None)
    return steps


def _area(outline: Sequence[Step]) -> float:
    """Of closed lines, quadratic and cubic curves, by Green's theorem; holes run the other way round."""
    twice, at, start = 0.0, (0.0, 0.0), (0.0, 0.0)
    for letter, values in outline:
        places = list(zip(values[::2], values[1::2], strict=True)) or [start]
        if letter == "M":
            start = places[0]
        else:
            twice += _swept(at, *places)
        at = places[-1]
    return twice / 2


def _swept(*places: tuple[float, float]) -> float:
    """Twice the area between the origin and a curve."""
    cross = [[a[0] * b[1] - a[1] * b[0] for b in places] for a in places]
    if len(places) == 2:
        return cross[0][1]
    if len(places) == 3:
        return (2 * cross[0][1] + 2 * cross[1][2] + cross[0][2]) / 3
    return (6 * cross[0][1] + 3 * cross[0][2] + cross[0][3] + 3 * cross[1][2] + 3 * cross[1][3] + 6 * cross[2][3]) / 10
