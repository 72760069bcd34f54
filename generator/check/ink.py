"""The share of the paper that takes ink, sheet by sheet."""

from collections.abc import Iterator, Mapping

from PIL import Image, ImageChops, ImageStat

from generator.impose.sheet import Job, SheetSide

FULL = 255
"""The level of a pixel that takes all the ink it can."""


def ink_share(picture: Image.Image) -> float:
    """Return the share of a picture that takes ink, from 0 to 1.

    A pixel counts by its darkest channel: full ink is 1, and a tint is the share that it covers.
    Unpainted pixels are paper and count 0.
    """
    red, green, blue, alpha = picture.convert("RGBA").split()
    darkest = ImageChops.darker(ImageChops.darker(red, green), blue)
    levels = ImageChops.multiply(ImageChops.invert(darkest), alpha)
    return ImageStat.Stat(levels).mean[0] / FULL


def ink_table(job: Job, inks: Mapping[str, float]) -> Iterator[str]:
    """Yield the lines of a table: for each sheet, the inked share of its front and its back in per cent.

    `inks` has the inked share of each face by name. A side that is not printed has a dash.
    """
    yield f"{'sheet':>7}{'front':>8}{'back':>8}"
    for number, sheet in enumerate(job.sheets, 1):
        area = sheet.paper.w * sheet.paper.h
        front, back = (
            f"{_inked_area(side, inks) / area:.0%}" if side else "–"
            for side in (sheet.front, sheet.back)
        )
        yield f"{number:>7}{front:>8}{back:>8}"


def _inked_area(side: SheetSide, inks: Mapping[str, float]) -> float:
    """Return the inked area of a side in square mm."""
    areas = ((at.face, at.clip.area if at.clip else at.ink.w * at.ink.h) for at in side.placed)
    return sum(inks[name] * area for name, area in areas)
