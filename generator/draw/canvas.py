"""What layers draw on: SVG behind a few words of our own."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType

from generator.core.fonts import FontSet
from generator.core.geometry import Point, Rect
from generator.core.outline import Outline
from generator.core.pixels import Pixels
from generator.core.polygon import round_all
from generator.core.units import number
from generator.draw.art.shelf import ArtShelf, Changes, ShownArt, Widths
from generator.draw.drawings import LayerDrawing, face_of, in_tags, tag
from generator.draw.face import Face, Ink, Resolution
from generator.pack.colours import Gradient, Stroke
from generator.pack.game import Asset, Feature, GroupMove, LinkStyle
from generator.pack.links import Tile
from generator.text import Block, TextRun

FITS = {"contain": "xMidYMid meet", "cover": "xMidYMid slice", "stretch": "none"}
"""How a picture fills its box."""

ALIGNS = {"center": "xMidYMid", "top": "xMidYMin", "bottom": "xMidYMax", "left": "xMinYMid", "right": "xMaxYMid"}
"""Which part of a picture stays when its box has another shape."""


@dataclass(frozen=True)
class Subject:
    """What is being drawn: the shape, its bleed, what runs across it, and the game's ways of drawing."""

    outline: Outline
    bleed: float
    tile: Tile
    links: Mapping[str, LinkStyle]
    features: Mapping[str, Feature]
    fonts: FontSet
    icons: Mapping[str, Asset]
    language: str

    @property
    def full(self) -> Rect:
        """The trim's box with its bleed."""
        return Rect(0, 0, *self.outline.size).grown(self.bleed)


@dataclass
class Canvas:
    """One face in the making."""

    subject: Subject
    shelf: ArtShelf
    _done: list[LayerDrawing] = field(default_factory=list)
    _new: LayerDrawing = field(default_factory=LayerDrawing)
    _moves: tuple[GroupMove, ...] = ()

    def __post_init__(self) -> None:
        self._group = self._new.drawn

    def rect(self, box: Rect, fill: str | Gradient, stroke: Stroke | None = None, radius: float = 0.0) -> None:
        """A rectangle, perhaps with rounded corners."""
        corner = {"rx": number(radius)} if radius else {}
        box_values = {"x": number(box.x), "y": number(box.y), "width": number(box.w), "height": number(box.h)}
        self._add("rect", {**box_values, **corner, **self._paint(fill, stroke)})

    def circle(self, centre: Point, radius: float, fill: str | Gradient, stroke: Stroke | None = None) -> None:
        """A circle."""
        place = {"cx": number(centre.x), "cy": number(centre.y), "r": number(radius)}
        self._add("circle", {**place, **self._paint(fill, stroke)})

    def polygon(self, points: tuple[Point, ...], fill: str | Gradient, stroke: Stroke | None = None) -> None:
        """A closed outline of straight lines."""
        corners = " ".join(f"{number(point.x)},{number(point.y)}" for point in points)
        self._add("polygon", {"points": corners, **self._paint(fill, stroke)})

    def outlined(self, outline: Outline, fill: str | Gradient, stroke: Stroke | None = None) -> None:
        """The shape of what is cut, or of what lies in it."""
        if outline.is_circle:
            self.circle(outline.centre, outline.size.w / 2, fill, stroke)
        elif outline.curve or outline.radius:
            self.painted_path(outline.d, fill, stroke)
        else:
            self.polygon(outline.corners, fill, stroke)

    def path(self, data: str, attributes: Mapping[str, str]) -> None:
        """A path with its paint as SVG has it."""
        if attributes.get("stroke", "none") != "none":
            self._new.lines.append(float(attributes["stroke-width"]))
        self._add("path", {"d": data, **attributes})

    def painted_path(self, data: str, fill: str | Gradient, stroke: Stroke | None = None) -> None:
        """A path, filled and perhaps with a line round it."""
        self._add("path", {"d": data, **self._paint(fill, stroke)})

    @contextmanager
    def moved(self, moves: Sequence[GroupMove]) -> Iterator[None]:
        """Whatever is drawn meanwhile is shifted and turned, by the last movement first."""
        if not moves:
            yield
            return
        steps = (f"translate({number(m.at.x)} {number(m.at.y)}) rotate({number(m.turn)})" for m in moves)
        outer, self._moves = self._moves, (*self._moves, *moves)
        try:
            with self._in_group({"transform": " ".join(steps)}):
                yield
        finally:
            self._moves = outer

    @contextmanager
    def clipped(self, data: str) -> Iterator[None]:
        """Whatever is drawn meanwhile shows only inside a path (even-odd)."""
        name = "c" + sha256(data.encode()).hexdigest()[:8]
        self._new.defined[name] = tag("clipPath", {"id": name}, tag("path", {"d": data, "clip-rule": "evenodd"}))
        with self._in_group({"clip-path": f"url(#{name})"}):
            yield

    @contextmanager
    def turned(self, centre: Point, turn: float) -> Iterator[None]:
        """Whatever is drawn meanwhile is turned about a place, clockwise."""
        with self.moved((GroupMove(centre, turn), GroupMove(centre.scaled(-1), 0.0)) if turn else ()):
            yield

    def block(self, block: Block, outline: Stroke | None = None, shadow: Stroke | None = None) -> None:
        """A text that is set: its runs and its icons, perhaps with a line round each letter and a shadow below it."""
        if shadow:
            for run in block.runs:
                self._run(replace(run, x=run.x + shadow.width, y=run.y + shadow.width, colour=shadow.colour))
        if outline:
            line = {"stroke": outline.colour, "stroke-width": number(2 * outline.width), "stroke-linejoin": "round"}
            for run in block.runs:
                self._run(replace(run, colour=outline.colour), line)
        for run in block.runs:
            self._run(run)
        for icon in block.icons:
            self.art(self.subject.icons[icon.name], icon.box, colour=icon.colour)

    def icon_widths(self) -> Mapping[str, float]:
        """How wide each icon of the pack is, as a multiple of its height."""
        return Widths(self.subject.icons, self.shelf)

    def art(
        self,
        asset: Asset,
        box: Rect,
        fit: str = "contain",
        colour: str | None = None,
        turn: float = 0.0,
        *,
        changes: Changes = (),
    ) -> None:
        """A picture from the pack in a box; `colour` is what it takes for currentColor, `turn` is clockwise."""
        if not asset.is_svg:
            with self.moved((GroupMove(box.centre, turn),)):
                around = Rect(-box.w / 2, -box.h / 2, box.w, box.h)
                self.pixels(self.shelf.pixels(asset), around, fit, "center")
            return
        shown = self.shelf.shown(asset, FITS[fit], self.subject.fonts, changes, colour)
        name, self._new.symbols[shown.name] = shown.name, shown.written
        self._new.lines.extend(shown.thinnest(box))
        whole = fitted(shown.art.view, box, fit)
        self._note(shown, whole, box, turn)
        place = dict(zip(("x", "y", "width", "height"), map(number, whole if fit == "contain" else box), strict=True))
        attributes = {"xlink:href": f"#{name}", **place}
        if turn:
            attributes["transform"] = f"rotate({number(turn)} {number(box.centre.x)} {number(box.centre.y)})"
        self._add("use", attributes)

    def _note(self, shown: ShownArt, into: Rect, box: Rect, turn: float) -> None:
        """Keep where the texts of a picture stand, and how many dots its images have; `into` is where its view goes."""
        view = shown.art.view
        across, down = into.w / view.w, into.h / view.h
        for text in shown.texts:
            places = [Point(into.x + (at.x - view.x) * across, into.y + (at.y - view.y) * down) for at in text.corners]
            turned = [(place - box.centre).turned(turn) + box.centre for place in places]
            moved, letters = tuple(_moved(turned, self._moves)), len(text.text)
            if text.is_filled:
                self._new.inks.append(Ink("text", round_all(moved), moved, letters=letters))
            else:
                self._new.texts.append(Ink(f"text {text.text!r}", round_all(moved), moved, letters=letters))
        for raster in shown.rasters:
            size = self.shelf.size(raster, shown.art.name)
            self.note_picture(shown.called(raster), raster.dpi(size, across, down))

    def pixels(self, picture: Pixels, box: Rect, fit: str, position: str) -> None:
        """A picture of pixels in a box; `position` is the part of it that counts where it is cut."""
        place = {"x": number(box.x), "y": number(box.y), "width": number(box.w), "height": number(box.h)}
        ratio = FITS[fit] if fit == "stretch" else f"{ALIGNS[position]} {FITS[fit].split()[1]}"
        self._add("image", {**place, "preserveAspectRatio": ratio, "xlink:href": picture.key})
        self._new.shown.update({picture.key: picture.held} if picture.is_apart else {})

    def keep_safe(self, what: str, box: Rect, turn: float = 0, art: Asset | None = None, letters: int = 0) -> None:
        """Note that something important stands here, which a cut must not reach; `art` or `letters` fill its box."""
        self._new.inks.append(Ink(what, *_ends(box, turn, self._moves), art, letters))

    def note_picture(self, name: str, dpi: float) -> None:
        """Note a pixel image's resolution on paper."""
        self._new.pictures.append(Resolution(name, dpi))

    def drawing(self) -> LayerDrawing:
        """What was drawn since this was last asked."""
        made, self._new = self._new, LayerDrawing()
        self._group = self._new.drawn
        self._done += (made,) if made else ()
        return made

    def put(self, drawing: LayerDrawing) -> None:
        """What was drawn on another canvas of the same subject."""
        if self._new:
            self.drawing()
        self._done.append(drawing)

    def face(self, label: str = "", *, mirrored: bool) -> Face:
        """The finished face."""
        self.drawing()
        return face_of(self._done, self.subject.outline.size, self.subject.bleed, label, mirrored=mirrored)

    def _paint(self, fill: str | Gradient, stroke: Stroke | None) -> dict[str, str]:
        shown = self._gradient(fill) if isinstance(fill, Gradient) else fill
        if stroke is None:
            return {"fill": shown}
        self._new.lines.append(stroke.width)
        return {"fill": shown, "stroke": stroke.colour, "stroke-width": number(stroke.width)}

    def _gradient(self, gradient: Gradient) -> str:
        """Define a gradient over the box of what it fills; gives what refers to it."""
        name = "g" + sha256(repr(gradient).encode()).hexdigest()[:8]
        across, down = gradient.across / 2, gradient.down / 2
        ends = {"x1": 0.5 - across, "y1": 0.5 - down, "x2": 0.5 + across, "y2": 0.5 + down}
        stops = (tag("stop", {"offset": number(place), "stop-color": colour}) for place, colour in gradient.stops)
        kind, said = "linearGradient", {key: number(value) for key, value in ends.items()}
        if not across and not down:
            kind, said = "radialGradient", {"cx": "0.5", "cy": "0.5", "r": "0.5"}
        self._new.defined[name] = tag(kind, {"id": name, **said}, "".join(stops))
        return f"url(#{name})"

    @contextmanager
    def faded(self, opacity: float) -> Iterator[None]:
        """Whatever is drawn meanwhile is seen through, as one."""
        if opacity == 1.0:
            yield
            return
        with self._in_group({"opacity": number(opacity)}):
            yield

    @contextmanager
    def _in_group(self, said: Mapping[str, str]) -> Iterator[None]:
        outer, self._group = self._group, []
        try:
            yield
        finally:
            outer.append(tag("g", said, "".join(self._group)))
            self._group = outer

    def _run(self, run: TextRun, more: Mapping[str, str] = MappingProxyType({})) -> None:
        self._group.append(tag("text", {**run.said, **more}, in_tags(run.text)))

    def _add(self, name: str, said: Mapping[str, str]) -> None:
        self._group.append(tag(name, said))


def fitted(view: Rect, box: Rect, fit: str) -> Rect:
    """Where the whole of a view lies when it fills a box in one of the ways of `FITS`."""
    if fit == "stretch":
        return box
    shares = box.w / view.w, box.h / view.h
    scale = min(shares) if fit == "contain" else max(shares)
    w, h = view.w * scale, view.h * scale
    return Rect(box.centre.x - w / 2, box.centre.y - h / 2, w, h)


@lru_cache(1000)
def _ends(box: Rect, turn: float, moves: tuple[GroupMove, ...]) -> tuple[Rect, tuple[Point, ...]]:
    """The upright box round one that is turned and moved, and its corners; many faces have theirs in the same place."""
    x, y, right, bottom = box.x, box.y, box.right, box.bottom
    corners: Sequence[Point] = (Point(x, y), Point(right, y), Point(right, bottom), Point(x, bottom))
    if turn:
        corners = [(corner - box.centre).turned(turn) + box.centre for corner in corners]
    moved = tuple(_moved(corners, moves))
    return round_all(moved), moved


def _moved(corners: Sequence[Point], moves: Sequence[GroupMove]) -> Sequence[Point]:
    """Places as their groups move them."""
    for move in reversed(moves):
        corners = [corner.turned(move.turn) + move.at for corner in corners]
    return corners
