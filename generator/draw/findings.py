"""Faults of faces that are known without rendering.

Too few pixels, thin lines, things near the cut or off the piece, small, pale or overlapping text,
hidden layers, useless art. A build counts them; `pnp check` lists them beside what it finds by
rendering.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType

from generator.base import polygon
from generator.base.colours import Channels
from generator.base.errors import LayerOrigin, Problem, Where
from generator.base.geometry import EPSILON, Point, Rect
from generator.base.outline import Outline
from generator.base.units import number, points
from generator.draw.draw import DrawnComponent, sides_of
from generator.draw.stacking import (
    PictureFacts,
    PlacedItem,
    PlacedLayers,
    colour_at,
    find_hidden_layers,
    find_layer_at_cut,
    find_layers_off_face,
    find_overlapping_texts,
    find_texts,
    group_by_layer,
    is_white,
    measure_contrast,
    place_items,
)
from generator.pack.game import Component
from generator.picture.face import CrampedFeature, Face, KeepInside, resolutions, thinnest_line

MIN_TYPE_PT = 5.0
"""Letters of smaller type fill in on printers at home."""
MIN_CONTRAST = 2.0
"""The contrast (WCAG 2.2) under which text is hard to find; 4.5 is easy to read."""
ITEMS_ALONE = PictureFacts()
"""What a build knows of pictures, which it does not render."""
GROUNDS_OF_PICTURES = frozenset({("fill", "image"), ("fill", "svg")})
"""Kinds of layers of which the first may be covered by the second: a fill in case that a picture has holes."""
MAX_QUOTED_CHARACTERS = 24
"""Characters of a text that a finding quotes."""
MIN_LINE_MM = 0.1
"""Printers lose thinner lines."""
MIN_DPI = 200
"""Photographs with fewer pixels an inch look soft on paper."""
CUT_TOLERANCE_MM = 0.005
"""Rounding of positions in mm; a thing this much closer to the cut than is safe counts as safe."""


@dataclass(frozen=True)
class Finding:
    """A fault of a face, with advice; `unsafe` if a cut may reach something.

    `group` is equal for faults that are corrected in one place; the worst of these has the greatest
    `weight`. `where` is the row of the face's design, and `layer` the layer that has the fault.
    """

    face: str
    text: str
    hint: str
    unsafe: bool = False
    group: str = ""
    weight: float = 0.0
    where: Where | None = None
    layer: LayerOrigin | None = None

    def __str__(self) -> str:
        return f"{self.face}: {self.text}{self.source}\n  {self.hint}"

    @property
    def source(self) -> str:
        """The layer in brackets, such as ` (text in layouts/front.yaml:12)`; empty without one."""
        return f" ({self.layer})" if self.layer else ""

    @property
    def problem(self) -> Problem:
        """The finding as a problem at its row."""
        is_placed = self.face == str(self.where or "")
        found = self.text if is_placed else f"{self.face}: {self.text}"
        return Problem(self.where, found, hint=self.hint, layer=self.layer)


@dataclass(frozen=True)
class CutFace:
    """A face of a component with the outline that it is cut to, the row of its design, and its layers."""

    face: Face
    spec: Component
    outline: Outline
    where: Where
    layers: tuple[LayerOrigin, ...]


def cut_faces(component: DrawnComponent) -> Iterator[CutFace]:
    """Yield each distinct face of a component once, with its outline."""
    spec = component.spec
    sides = {side.label: side for design in spec.designs for side in sides_of(spec, design)}
    backs = {design.back.name for design in component.designs if design.back}
    faces: dict[str, Face] = {}
    for face in component.faces:
        faces.setdefault(face.name, face)
    for face in faces.values():
        side = sides[face.label]
        layers = tuple(at.place for at in side.spec.layers)
        outline = _outline_of(face, spec, backs)
        yield CutFace(face, spec, outline, side.design.where, layers)


def _outline_of(face: Face, spec: Component, backs: set[str]) -> Outline:
    if spec.panels:
        return Outline.of_box(Rect(0, 0, *face.size))
    return spec.behind if face.name in backs else spec.outline


MAX_NAMED_FACES = 3
"""Number of faces that a note names."""
CRAMPED_HINT = "make it smaller, move it, such as @{name}(at 30%), or allow it with crowd: true"


def cramped_notes(
    components: Iterable[DrawnComponent], limit: int = MAX_NAMED_FACES
) -> Iterator[str]:
    """Yield a note for each kind of feature that has too little room on faces of a component, the worst faces first.

    A note names at most `limit` faces; 0 names all.
    """
    for component in components:
        features_by_name: dict[str, dict[str, CrampedFeature]] = {}
        for face in component.faces:
            for feature in sorted(face.cramped, key=lambda entry: entry.room, reverse=True):
                features_by_name.setdefault(feature.name, {})[face.label] = feature
        for name, faces in features_by_name.items():
            worst = sorted(faces.items(), key=lambda entry: entry[1].room / entry[1].size)
            named = [
                _describe_room(label.partition(":")[2], feature)
                for label, feature in worst[: limit or None]
            ]
            others = len(worst) - len(named)
            more = f" and {others} more" if others else ""
            hint = CRAMPED_HINT.format(name=name)
            yield f"{component.spec.id}: feature {name!r} has too little room: {', '.join(named)}{more}\n  {hint}"


def _describe_room(face: str, feature: CrampedFeature) -> str:
    return f"{number(round(feature.room, 1))} of {number(feature.size)} mm on {face}"


def gap_finding(gap: Problem) -> Finding:
    """Return the finding for a gap in the pack's tables or layouts."""
    return Finding(str(gap.where or ""), gap.found, gap.hint, where=gap.where)


def component_findings(
    component: DrawnComponent, facts: PictureFacts = ITEMS_ALONE
) -> Iterator[Finding]:
    """Yield the faults of all faces of a component; `facts` knows the content of pictures."""
    cached_layers: PlacedLayers = {}
    draw_counts: Counter[LayerOrigin] = Counter()
    unseen: dict[LayerOrigin, list[Finding]] = {}
    cuts = _CutColours(component)
    for cut_face in cut_faces(component):
        items = place_items(cut_face.face, cached_layers)
        hidden = dict(find_hidden_layers(items, cut_face.face, facts))
        stack = _Stack(cut_face, items, hidden)
        draw_counts.update(cut_face.layers[layer] for layer in group_by_layer(items))
        for finding in (
            *_own_findings(cut_face),
            *_text_findings(stack, facts),
            *_without_bleed(stack),
            *(() if facts.renders else cuts.look_at(cut_face, items)),
        ):
            yield replace(finding, where=cut_face.where)
        for layer, finding in _unseen_layers(stack):
            if layer in stack.layers_with_words:
                yield finding
            else:
                unseen.setdefault(cut_face.layers[layer], []).append(finding)
    for place, findings in unseen.items():
        # A layer without text and icons may be hidden on some faces: it is the background of the others.
        if len(findings) == draw_counts[place]:
            yield from findings
    yield from cuts.compare()


STEP_ALONG_EDGES_MM = 2.0
"""Distance of the places at which colours are looked up along a cut."""
MIN_BARE_SHARE = 0.1
"""The share of an edge that stops at the cut, from which it is no detail of the art."""


@dataclass(frozen=True)
class _CutColours:
    """Finds the faults along the cuts of a component that the items of its faces show.

    They are those that `pnp check` finds by rendering; a picture shows none here if its edge is not
    a plain colour. `colours` collects those inside the cuts, of fronts and of backs, if pieces share
    cuts.
    """

    component: DrawnComponent
    colours: dict[bool, set[Channels]] = field(default_factory=lambda: {True: set(), False: set()})

    @cached_property
    def backs(self) -> set[str]:
        """The names of the backs' faces."""
        return {design.back.name for design in self.component.designs if design.back}

    def look_at(self, cut_face: CutFace, items: Sequence[PlacedItem]) -> Iterator[Finding]:
        """Yield the fault of a face whose colour stops at the cut."""
        face = cut_face.face
        if shares_cuts(self.component.spec):
            # The middles of edges, and shapes alone: to read all art of a deck takes longer than to draw it.
            edges_of_face = edge_pairs(cut_face.outline, face.bleed, STEP_ALONG_EDGES_MM)
            middles = (places[len(places) // 2][0] for _, places in edges_of_face if places)
            found = {colour_at(items, place, in_pictures=False) for place in middles}
            self.colours[face.name in self.backs] |= {colour for colour in found if colour}
        full = face.full
        if not face.bleed or any(placed.box.grown(EPSILON).holds(full) for placed in items):
            return  # something reaches the end of the bleed all round, as on most faces
        boxes = [placed.box.grown(EPSILON) for placed in items]
        edges = [
            name
            for name, places in edge_pairs(cut_face.outline, face.bleed, STEP_ALONG_EDGES_MM)
            if _stops_at_cut(items, places, boxes)
        ]
        if edges:
            text = f"coloured art stops at the cut: {', '.join(edges)}"
            yield Finding(face.label, text, STOPS_HINT, group=STOPS_AT_CUT)

    def compare(self) -> Iterator[Finding]:
        """Yield the fault of a component whose pieces share cuts and differ in colour there."""
        if not all(map(are_similar, self.colours.values())):
            yield neighbours_differ(self.component.spec)


def _stops_at_cut(
    items: Sequence[PlacedItem], places: Sequence[Pair], boxes: Sequence[Rect]
) -> bool:
    """Return True if an edge is coloured inside the cut and bare outside; `boxes` are those of the items."""
    bare = [
        inner for inner, outer in places if not any(box.holds(Rect(*outer, 0, 0)) for box in boxes)
    ]
    least = MIN_BARE_SHARE * len(places)
    if len(bare) <= least:
        return False
    colours = (colour_at(items, place) for place in bare)
    return sum(colour is not None and not is_white(colour) for colour in colours) > least


STOPS_AT_CUT = "art stops at the cut"
STOPS_HINT = "let the art reach to the end of the bleed"


def neighbours_differ(spec: Component) -> Finding:
    """Return the fault of a component whose pieces share cuts and differ in colour there."""
    text = f"pieces {number(spec.gutter or 0)} mm apart differ at the cut: a cut that is off shows the neighbour"
    return Finding(spec.id, text, "no `gutter:`, or one of twice the bleed")


@dataclass(frozen=True)
class _Stack:
    """A face with its items, and the layers that are hidden, each with the layer that covers it."""

    cut_face: CutFace
    items: Sequence[PlacedItem]
    hidden: Mapping[int, int]

    @property
    def layers_with_words(self) -> set[int]:
        """The layers that draw text, icons or features."""
        return {box.layer for box in self.cut_face.face.keep_inside}

    def finding(self, layer: int, text: str, hint: str, group: str, weight: float = 0) -> Finding:
        """Return a fault of one layer; `group` names the kind of fault, without numbers."""
        place = self.cut_face.layers[layer]
        return Finding(
            self.cut_face.face.label,
            text,
            hint,
            group=group,
            weight=weight,
            where=self.cut_face.where,
            layer=place,
        )


def _own_findings(cut_face: CutFace) -> Iterator[Finding]:
    """Yield the faults of the things on a face, each by itself."""
    face = cut_face.face
    outline = cut_face.outline
    safe = cut_face.spec.safe
    for ink in face.keep_inside:
        if not ink.is_from_author:
            yield from _check_box(cut_face, ink, outline, safe)
    for name, dpi in resolutions(face):
        if dpi < MIN_DPI:
            text = f"{name} has {dpi:.0f} dpi at its printed size"
            hint = f"use a picture of at least {MIN_DPI} dpi, or a smaller box"
            group = f"{name} has too few dots"
            yield Finding(face.label, text, hint, group=group, weight=-dpi)
    thinnest = thinnest_line(face)
    if thinnest is not None and thinnest < MIN_LINE_MM - EPSILON:
        text = f"its thinnest line is {number(thinnest)} mm"
        hint = f"lines under {number(MIN_LINE_MM)} mm may not print"
        yield Finding(face.label, text, hint, group="lines are too thin", weight=-thinnest)
    for advice in face.advice:
        layer = cut_face.layers[advice.layer]
        yield Finding(face.label, advice.text, advice.hint, group=advice.text, layer=layer)


def _text_findings(stack: _Stack, facts: PictureFacts) -> Iterator[Finding]:
    """Yield for each layer of a face its smallest type and its palest text, and texts on each other."""
    face = stack.cut_face.face
    words = find_texts(stack.items)
    hidden = stack.hidden
    sizes: dict[int, tuple[float, str]] = {}
    contrasts: dict[int, tuple[float, str]] = {}
    for face_text in words:
        layer = face_text.placed.layer
        size = points(face_text.run.size * face_text.placed.at.scale)
        sizes[layer] = min(sizes.get(layer, (size, face_text.run.text)), (size, face_text.run.text))
        if layer in hidden or face_text.is_faint:
            continue
        value = measure_contrast(face_text, face, stack.items, facts)
        if value is not None:
            least = value, face_text.run.text
            contrasts[layer] = min(contrasts.get(layer, least), least)
    for layer, (size, text) in sizes.items():
        if size < MIN_TYPE_PT - EPSILON:
            message = f"{_quote(text)} is set in {number(round(size, 1))} pt"
            hint = f"type under {number(MIN_TYPE_PT)} pt may not be legible: a larger `size:` or `fit:`"
            yield stack.finding(layer, message, hint, "type is too small", -size)
    for layer, (value, text) in contrasts.items():
        if value < MIN_CONTRAST:
            message = f"{_quote(text)} has a contrast of {value:.1f} : 1 to what lies below it"
            hint = "a darker or lighter `colour:`, or an `outline:`, makes it legible"
            yield stack.finding(layer, message, hint, "text has too little contrast", -value)
    for one, other in find_overlapping_texts(words):
        if not {one.placed.layer, other.placed.layer} & hidden.keys():
            message = f"{_quote(other.run.text)} lies on {_quote(one.run.text)}"
            hint = "move one of them, or give them boxes that do not overlap"
            yield stack.finding(other.placed.layer, message, hint, "texts overlap")


def _quote(text: str) -> str:
    """Return a text in quotes, shortened."""
    short = text.strip()
    return repr(
        short if len(short) <= MAX_QUOTED_CHARACTERS else f"{short[: MAX_QUOTED_CHARACTERS - 1]}…"
    )


def _unseen_layers(stack: _Stack) -> Iterator[tuple[int, Finding]]:
    """Yield each layer of which nothing is seen on a face, with the fault."""
    places = stack.cut_face.layers
    for layer, cover in stack.hidden.items():
        if (places[layer].kind, places[cover].kind) not in GROUNDS_OF_PICTURES:
            message = f"the {places[layer].kind} is wholly covered by the {places[cover]}"
            hint = "draw it after that one, or leave it out"
            yield layer, stack.finding(layer, message, hint, message)
    for layer in find_layers_off_face(stack.items, stack.cut_face.face.full):
        if layer not in stack.layers_with_words:  # what is cut off is a fault of its own
            message = f"the {places[layer].kind} lies outside the piece"
            hint = "lengths are in mm from the top left corner of the piece"
            yield layer, stack.finding(layer, message, hint, message)


def _without_bleed(stack: _Stack) -> Iterator[Finding]:
    """Yield the fault of a face without bleed that a shape colours to the cut."""
    cut_face = stack.cut_face
    layer = None if cut_face.spec.bleed else find_layer_at_cut(stack.items, cut_face.outline.box)
    if layer is not None:
        yield replace(no_bleed(cut_face), layer=cut_face.layers[layer])


def no_bleed(cut_face: CutFace) -> Finding:
    """Return the fault of a face without bleed whose colour reaches the cut."""
    text = "a colour reaches the cut, and there is no bleed"
    hint = "a cut that is a little off leaves a white edge: `bleed: 3mm`"
    return Finding(cut_face.face.label, text, hint, group=text, where=cut_face.where)


def _check_box(
    cut_face: CutFace, ink: KeepInside, outline: Outline, safe: float
) -> Iterator[Finding]:
    if outline.is_box and outline.box.grown(-max(safe, outline.radius)).holds(ink.box):
        return  # inside the safe area and clear of rounded corners, as most items are
    gap = box_gap(ink.box, outline)
    if gap >= safe or needs_pixels(ink, outline):
        return
    if ink.corners and ink.art is None:
        gap = max(gap, min(outline.depth(corner) for corner in ink.corners))
    yield from cut_finding(cut_face, ink, gap, safe)


def needs_pixels(ink: KeepInside, outline: Outline) -> bool:
    """Return True if only the rendered picture tells how near it comes to the cut."""
    return ink.art is not None and bool(ink.corners) and ink.box.overlaps(outline.box)


def cut_finding(cut_face: CutFace, ink: KeepInside, gap: float, safe: float) -> Iterator[Finding]:
    """Yield the fault of something `gap` mm inside the cut (negative outside), if that is less than `safe`."""
    if gap < safe - CUT_TOLERANCE_MM:
        text = (
            f"{ink.label} is {number(max(gap, 0))} mm from the cut"
            if gap >= 0
            else f"{ink.label} is cut off"
        )
        hint = f"keep it {number(safe)} mm inside"
        group = f"{ink.label} is too close to the cut"
        layer = cut_face.layers[ink.layer]
        yield Finding(
            cut_face.face.label,
            text,
            hint,
            unsafe=True,
            group=group,
            weight=-gap,
            where=cut_face.where,
            layer=layer,
        )


def box_gap(box: Rect, outline: Outline) -> float:
    """Return how far inside an outline the nearest corner of a box lies, in mm.

    Negative if the outline cuts the box: past a corner of the box, or in a bay whose corner lies
    inside the box.
    """
    gap = min(outline.depth(corner) for corner in polygon.box(box))
    if outline.is_convex:
        return gap
    inside = any(box.grown(-EPSILON).holds(Rect(*corner, 0, 0)) for corner in outline.core)
    return min(gap, -EPSILON) if inside else gap


SAMPLE_INSIDE_MM = 0.3
"""Distance inside the trim in mm at which colour is sampled, clear of antialiased pixels at the trim."""

SAMPLE_OUTSIDE_SHARE = 0.6
"""Distance outside the trim at which colour is sampled, as a share of the bleed."""

SIDE_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "n": "top",
        "ne": "top right",
        "e": "right",
        "se": "bottom right",
        "s": "bottom",
        "sw": "bottom left",
        "w": "left",
        "nw": "top left",
    }
)
"""The names of sides in messages, by their names in link notation."""

SIMILAR_LEVELS = 48
"""Levels of 255 by which a channel of two colours may differ, and a sliver still passes for the neighbour's.

A judgement: a higher value misses slivers of a visibly different colour.
"""
GUIDED_CUT_MM = 1.0
"""Distance in mm by which a blade along a ruler may stray from its line, as a judgement."""

Pair = tuple[Point, Point]
"""A place inside the trim and the place opposite in the bleed, in mm from the trim's top left."""


def edge_pairs(outline: Outline, bleed: float, step: float) -> Iterator[tuple[str, list[Pair]]]:
    """Yield the name of each edge with the places to compare, `step` mm apart."""
    for side in outline.sides:
        yield (
            SIDE_NAMES.get(side.port, side.port),
            list(_straight_places(side.start, side.end, bleed, step)),
        )
    if not outline.sides:
        yield "all round", list(_curve_places(outline, bleed, step))


def _straight_places(a: Point, b: Point, bleed: float, step: float) -> Iterator[Pair]:
    along = (b - a).unit()
    inwards = along.turned(90)
    for count in range(int(((b - a).length() - 2 * SAMPLE_INSIDE_MM) / step)):
        place = a + along.scaled(SAMPLE_INSIDE_MM + count * step)
        yield (
            place + inwards.scaled(SAMPLE_INSIDE_MM),
            place - inwards.scaled(SAMPLE_OUTSIDE_SHARE * bleed),
        )


def _curve_places(outline: Outline, bleed: float, step: float) -> Iterator[Pair]:
    """Yield the places to sample along a curve, whose pieces between two points are nearly straight."""
    for a, b in pairwise((*outline.flat, outline.flat[0])):
        along = (b - a).unit()
        inwards = along.turned(90)
        for count in range(max(1, round((b - a).length() / step))):
            place = a + along.scaled(count * step)
            yield (
                place + inwards.scaled(SAMPLE_INSIDE_MM),
                place - inwards.scaled(SAMPLE_OUTSIDE_SHARE * bleed),
            )


def shares_cuts(spec: Component) -> bool:
    """Return True if pieces lie so close together that a slightly misplaced cut reaches a neighbour."""
    return spec.gutter is not None and spec.gutter < min(GUIDED_CUT_MM, 2 * spec.bleed)


def are_similar(colours: Iterable[Sequence[float]]) -> bool:
    """Return True if colours, each with its channels from 0 to 255, look equal next to a cut."""
    return all(
        max(channel) - min(channel) <= SIMILAR_LEVELS for channel in zip(*colours, strict=True)
    )
