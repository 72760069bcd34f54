"""How much of the paper is inked: of each sheet by the faces on it."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from generator.check.shares import InkScale
from generator.core.cache import key_of
from generator.core.raster import Rasteriser
from generator.draw.face import Face
from generator.impose.sheet import Job, SheetSide

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
    scale = InkScale(raster)
    found = {name: scale.share(face) for name, face in faces.items() if name not in known}
    for name, share in found.items():
        raster.kept.put(KEPT, keys[name], repr(share).encode())
    return known | found


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
