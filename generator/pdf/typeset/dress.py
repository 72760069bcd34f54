"""A theme's dress: art under, over and along the words of a page, and headings that wear it. Lengths in mm."""

from collections.abc import Iterator

from generator.core.geometry import Rect
from generator.core.units import MM_PER_PT
from generator.draw.face import Face
from generator.pdf.typeset.boxes import Box, Maker, SetGround, SetPicture, Thing
from generator.pdf.typeset.form import BookPage
from generator.rules.look import Look, Theme

STRIP = 4.2
"""The height of what is repeated along the head and the foot of a page."""

RULE = 1.5
"""The height of what is repeated under a heading."""

EDGE = 6.0
"""From the page's edge to a strip, past what most printers leave white."""


def strip(face: Face, x: float, y: float, width: float, height: float) -> Iterator[SetPicture]:
    """A picture side by side as often as it fits, widened by what is missing; a wide one once, in its shape."""
    wide = height * face.size.w / face.size.h
    times = max(1, round(width / wide))
    high = height if times > 1 or width >= wide else width * face.size.h / face.size.w
    each = width / times
    for number in range(times):
        yield SetPicture(x + number * each, y + (height - high) / 2, each, high, face, "")


def grounds(theme: Theme, form: BookPage) -> Iterator[Thing]:
    """What lies under the text of a page: its art, and the strips along its head and foot."""
    dress, size = theme.dress, form.size
    if dress.behind:
        yield SetPicture(0, 0, size.w, size.h, dress.behind, "", filling=True)
    if dress.head:
        yield from strip(dress.head, form.side, min(EDGE, form.top - STRIP - 2), form.width, STRIP)
    if dress.foot:
        yield from strip(dress.foot, form.side, size.h - form.bottom + 1.2, form.width, RULE)


def headed(look: Look, words: Maker, text: float) -> Maker:
    """A heading of a section: on its band, with its mark before it, its strip or a line under it; `text` in points."""
    theme, dress = look.theme, look.theme.dress

    def box(width: float) -> Box:
        side = 2.2 if theme.band else 0.0
        pad = 0.9 if theme.band else 0.0
        high = 1.95 * text * MM_PER_PT
        mark = Box(high * dress.mark.size.w / dress.mark.size.h, high) if dress.mark else None
        left = side + (mark.width + 2.0 if mark else 0.0)
        said = words(width - left - side)
        tall = max(said.height, mark.height if mark else 0.0) + 2 * pad
        things: list[Thing] = [SetGround(0, 0, width, tall, fill=theme.band)] if theme.band else []
        if dress.mark and mark:
            things.append(SetPicture(side, (tall - mark.height) / 2, mark.width, mark.height, dress.mark, ""))
        things += said.at(left, (tall - said.height) / 2)
        if dress.rule:
            gap = 0.0 if theme.band else 0.9
            things += strip(dress.rule, 0, tall + gap, width, RULE)
            return Box(width, tall + gap + RULE, tuple(things))
        if theme.band:
            return Box(width, tall, tuple(things))
        things.append(SetGround(0, tall + 1.2, width, 0.3, fill=look.accent))
        return Box(width, tall + 1.5, tuple(things))

    return box


def edges(theme: Theme, room: Rect) -> Iterator[Thing]:
    """What lies along the upper and the lower edge of a cover's picture."""
    if theme.dress.head:
        yield from strip(theme.dress.head, room.x, room.y - STRIP - 1, room.w, STRIP)
        yield from strip(theme.dress.head, room.x, room.bottom + 1, room.w, STRIP)
