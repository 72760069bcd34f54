"""A drawn side, what the drawing knows of it that the picture no longer tells, and how it is written."""

import re
from dataclasses import dataclass, field, replace

from generator.core.geometry import IDENTITY, Point, Rect
from generator.core.held import Drawing
from generator.core.outline import Outline
from generator.pack.game import Asset
from generator.picture.model import Picture, PlacedPicture


@dataclass(frozen=True, slots=True)
class Ink:
    """Something that must not be cut: the box round a text or an icon, in mm from the trim's top left.

    `corners` are those of its own box, clockwise from its top left as it is turned; `art` is the picture that fills it.
    So many `letters` stand in it beside each other; none where it is no text, or one of several lines.
    """

    what: str
    box: Rect
    corners: tuple[Point, ...] = ()
    art: Asset | None = None
    letters: int = 0

    def mirrored(self, width: float) -> "Ink":
        """The same on a face that is mirrored."""
        box = Rect(width - self.box.right, self.box.y, self.box.w, self.box.h)
        return Ink(self.what, box, tuple(Point(width - at.x, at.y) for at in self.corners), self.art, self.letters)


@dataclass(frozen=True)
class Resolution:
    """A pixel image as placed: its file's name and its resolution on paper."""

    name: str
    dpi: float


@dataclass(frozen=True, slots=True)
class Facts:
    """What preflight needs to know; `thinnest` is the thinnest line in mm, if there is any.

    `drawn` are texts that pictures have of themselves: where those stand is their author's affair.
    """

    inks: tuple[Ink, ...] = ()
    drawn: tuple[Ink, ...] = ()
    pictures: tuple[Resolution, ...] = ()
    thinnest: float | None = None


_WORDS = re.compile(r"<text\b[^>]*>.*?</text>", re.DOTALL)


@dataclass(frozen=True)
class Face(Picture):
    """One side of a design, drawn, or another picture that is shown whole; `label` says which.

    `drawn_from` is the key of all that went into it, known before it is drawn; of a picture that is no side of a design
    it is empty.
    """

    label: str = ""
    facts: Facts = field(default_factory=Facts)
    drawn_from: str = field(default="", compare=False)

    def cut(self, outline: Outline) -> "Face":
        """The face as it looks when it is cut out, without its bleed; one with sharp right corners is itself."""
        if outline.is_box and not outline.radius:
            return self
        return Face((PlacedPicture(self, IDENTITY, outline),), self.size, 0.0, self.label, self.facts)

    def without_words(self) -> "Face":
        """The face without the texts that we set; those in art stay."""
        plain = (
            replace(part, written=_WORDS.sub("", part.written)) if isinstance(part, Drawing) else part
            for part in self.parts
        )
        return replace(self, parts=tuple(plain))
