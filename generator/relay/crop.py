"""Cut windows out of pages: drawings outside a window are dropped, so that hidden text is not copied.

Links, scripts, form fields and attachments are dropped too.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pikepdf

from generator.base.geometry import Affine, Point, Rect
from generator.base.units import fine, points
from generator.pdf.forms import upwards
from generator.relay.page import PieceWindow
from generator.relay.read_pdf import (
    ENDS,
    FILLS,
    MARKED,
    MAX_FORM_DEPTH,
    PATH,
    SHOWS,
    Graphics,
    Instruction,
    Painted,
    Walk,
    hidden_layers,
    inside,
    is_postscript,
    open_pdf,
    page_geometry,
)
from generator.relay.see_page import MAX_LINE_WIDTH_MM

# A line that is nowhere this far inside a trim is a cut line, and is replaced by our marks.
CUT_LINE_TOLERANCE_MM = 0.15

Written = tuple[list[Any], pikepdf.Operator]


@dataclass(frozen=True)
class Drawn:
    """An instruction, with those of the form that it shows."""

    step: Instruction
    below: "tuple[Drawn, ...]" = ()


def tree(walk: Walk, holder: Any, depth: int = 0) -> tuple[Drawn, ...]:
    """Return all instructions of a page or a form as a tree."""
    return tuple(_nodes(walk, holder, depth))


def _nodes(walk: Walk, holder: Any, depth: int) -> Iterator[Drawn]:
    for step in walk.through(holder):
        paints = step.paints
        shown = (
            paints is not None
            and paints.form is not None
            and paints.box
            and min(paints.box.size) > 0
        )
        if paints is not None and shown and depth < MAX_FORM_DEPTH:
            yield Drawn(step, tree(inside(walk, paints), paints.form, depth + 1))
        else:
            yield Drawn(step)


@dataclass
class Sieve:
    """Selects the instructions for one window.

    `left` counts the dropped ones; `forms` are forms of which a part is needed, by their new names.
    """

    trim: Rect
    window: Rect
    out: list[Written] = field(default_factory=list)
    forms: "dict[str, Sieve]" = field(default_factory=dict)
    whole: Any = None
    left: int = 0
    _path: list[Written] = field(default_factory=list)
    _open: list[tuple[int, int]] = field(default_factory=list)
    _painted: int = 0
    _clips: bool = False

    def sift(self, nodes: Sequence[Drawn]) -> "Sieve":
        """Select the instructions that the window needs."""
        for node in nodes:
            self._take(node)
        self.out += [([], pikepdf.Operator("Q")) for _ in self._open]
        return self

    def _take(self, node: Drawn) -> None:
        step = node.step
        if step.name in PATH or step.name in {"W", "W*"}:
            self._path.append((step.operands, step.raw.operator))
            self._clips |= step.name in {"W", "W*"}
        elif step.name in ENDS:
            self._end(step)
        elif step.name in MARKED:
            pass
        elif step.name == "q":
            self._open.append((len(self.out), self._painted))
            self._write(step)
        elif step.name == "Q":
            self._close(step)
        elif step.paints is None:
            self._write(step)
        elif not self._needs(step.paints):
            self._leave(step)
        elif node.below:
            self._part(node)
        else:
            self._paint(step)

    def _write(self, step: Instruction) -> None:
        self.out.append(
            step.raw
            if step.raw is not None and not step.operands
            else (step.operands, step.raw.operator)
        )

    def _paint(self, step: Instruction) -> None:
        self._painted += 1
        self.out.append(step.raw)

    def _needs(self, paints: Painted) -> bool:
        if paints.box is None:
            return True
        both = paints.box.common(self.window)
        return min(paints.box.size) >= 0 and min(both.size) >= 0

    def _end(self, step: Instruction) -> None:
        path = self._path
        self._path = []
        clips = self._clips
        self._clips = False
        paints = step.paints
        if paints is not None and self._needs(paints) and not self._is_cut_line(step, paints):
            self.out += path
            self._paint(step)
            return
        self.left += paints is not None
        if clips:
            self.out += [*path, ([], pikepdf.Operator("n"))]

    def _is_cut_line(self, step: Instruction, paints: Painted) -> bool:
        """Return True if a line runs only along the trim or outside it."""
        if step.name in FILLS:
            return all(
                min(trail.box.size) <= MAX_LINE_WIDTH_MM and not _meets(trail.box, self.trim)
                for trail in paints.trails
            )
        if paints.width > MAX_LINE_WIDTH_MM or any(trail.curved for trail in paints.trails):
            return False
        ends = (
            pair
            for trail in paints.trails
            for pair in pairwise(_round(trail.corners, closed=trail.closed))
        )
        return not any(_meets(_between(a, b), self.trim) for a, b in ends)

    def _leave(self, step: Instruction) -> None:
        self.left += 1
        if step.name not in SHOWS:
            return
        if step.name == '"':
            self.out += [
                ([value], pikepdf.Operator(key))
                for key, value in zip(("Tw", "Tc"), step.operands, strict=False)
            ]
        if step.name in {"'", '"'}:
            self.out.append(([], pikepdf.Operator("T*")))
        instead = step.paints.instead if step.paints else None
        if instead:
            self.out.append(([pikepdf.Array([round(instead, 3)])], pikepdf.Operator("TJ")))

    def _close(self, step: Instruction) -> None:
        if not self._open:
            return
        start, painted = self._open.pop()
        if painted == self._painted:
            del self.out[start:]
        else:
            self._write(step)

    def _part(self, node: Drawn) -> None:
        """Return the needed part of a form; the form itself if all is needed."""
        paints = node.step.paints
        part = Sieve(self.trim, self.window, whole=paints.form if paints else None).sift(node.below)
        if not part.left:
            self._paint(node.step)
        elif part._painted:  # noqa: SLF001 - its own kind
            name = f"/Pnp{len(self.forms)}"
            self.forms[name] = part
            self._painted += 1
            self.out.append(([pikepdf.Name(name)], pikepdf.Operator("Do")))
        self.left += part.left


def _round(corners: list[Point], *, closed: bool) -> list[Point]:
    return [*corners, corners[0]] if closed else corners


def _between(a: Point, b: Point) -> Rect:
    return Rect.between(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))


def _meets(box: Rect, trim: Rect) -> bool:
    """Return True if a line crosses the inside of a trim."""
    both = box.common(trim.grown(-CUT_LINE_TOLERANCE_MM))
    return min(both.size) >= 0


# Bytes of a form's content.
MAX_FORM_BYTES = 60_000_000

# Entries that draw nothing or lead out of the file.
DROPPED_KEYS = (
    "/Metadata",
    "/PieceInfo",
    "/StructParents",
    "/StructParent",
    "/OPI",
    "/Ref",
    "/AF",
    "/Alternates",
    "/F",
)


def cut_windows(path: str, windows: list[PieceWindow]) -> bytes:
    """Return a file with a page for each window, in order."""
    made = pikepdf.new()
    knife = _Knife(open_pdf(path), made)
    for window in windows:
        made.pages.append(pikepdf.Page(made.make_indirect(knife.page(window))))
    _strip(made)
    out = io.BytesIO()
    packed = pikepdf.ObjectStreamMode.generate
    made.save(out, object_stream_mode=packed, compress_streams=True, deterministic_id=True)
    return out.getvalue()


DRAWING: dict[str, tuple[type, ...]] = {
    "/Font": (pikepdf.Dictionary,),
    "/XObject": (pikepdf.Stream,),
    "/ExtGState": (pikepdf.Dictionary,),
    "/ColorSpace": (pikepdf.Name, pikepdf.Array),
    "/Pattern": (pikepdf.Dictionary, pikepdf.Stream),
    "/Shading": (pikepdf.Dictionary, pikepdf.Stream),
    "/Properties": (pikepdf.Dictionary,),
}
"""What drawings draw with, and what each of it is.

Whatever else stands beside it, or in its place, stays behind.
"""


def _sift_resources(item: Any) -> None:
    """Drop resources of the wrong type, and PostScript."""
    held = item.Resources
    if not isinstance(held, pikepdf.Dictionary):
        del item["/Resources"]
        return
    for key, things in list(held.items()):
        if key not in DRAWING or not isinstance(things, pikepdf.Dictionary):
            del held[key]
            continue
        for name, thing in list(things.items()):
            if not isinstance(thing, DRAWING[key]) or is_postscript(thing):
                del things[name]


def _strip(pdf: pikepdf.Pdf) -> None:
    for item in pdf.objects:
        if isinstance(item, pikepdf.Dictionary | pikepdf.Stream) and "/Resources" in item:
            _sift_resources(item)
        if isinstance(item, pikepdf.Stream):
            if item.get("/Subtype") == "/Form" and len(item.read_bytes()) > MAX_FORM_BYTES:
                raise ValueError("a drawing is too large")
            for key in (*DROPPED_KEYS, "/OC"):
                if key in item:
                    del item[key]


@dataclass
class _Knife:
    """Cuts windows out of the pages of a file, and reads each page once."""

    source: pikepdf.Pdf
    made: pikepdf.Pdf
    _read: dict[int, tuple[Affine, tuple[Drawn, ...]]] = field(default_factory=dict)
    _taken: dict[int, Any] = field(default_factory=dict)

    def page(self, window: PieceWindow) -> pikepdf.Dictionary:
        """Return a page that shows one window, from the lower left of its bleed."""
        page = self.source.pages[window.number - 1]
        if window.number not in self._read:
            size, move, _ = page_geometry(page)
            walk = Walk(
                page.resources, Graphics(move, Rect(0, 0, *size)), hidden_layers(self.source)
            )
            self._read = {window.number: (move, tree(walk, page))}
        move, nodes = self._read[window.number]
        full = window.full.size
        placed = Affine.moving(window.trim.centre, Point(full.w / 2, full.h / 2), window.turn)
        sieve = Sieve(window.trim, window.trim.grown(window.bleed)).sift(nodes)
        matrix = upwards(full.h) @ placed @ move
        content = b"q %s cm\n%s\nQ" % (
            " ".join(map(fine, matrix)).encode(),
            pikepdf.unparse_content_stream(sieve.out),
        )
        resources = self._with(self._of_page(window.number, page), sieve, page.resources)
        return pikepdf.Dictionary(
            Type=pikepdf.Name.Page,
            MediaBox=pikepdf.Array([0, 0, *(round(points(side), 6) for side in full)]),
            Contents=self.made.make_stream(content),
            Resources=self._with_moved_patterns(resources, sieve.out, matrix),
        )

    def _of_page(self, number: int, page: pikepdf.Page) -> Any:
        """Return the resources of a page, shared by all of its windows."""
        if number not in self._taken:
            self._taken[number] = self.made.make_indirect(self._own(page.resources))
        return self._taken[number]

    def _own(self, thing: Any) -> Any:
        """Return a copy of an object in our file, once."""
        held = thing if thing.is_indirect else self.source.make_indirect(thing)
        return self.made.copy_foreign(held)

    def _with(self, resources: Any, sieve: Sieve, outer: Any) -> Any:
        """Return resources with the reduced forms that a window needs."""
        if not sieve.forms:
            return resources
        shown = dict(resources.get("/XObject", pikepdf.Dictionary()).items())
        shown |= {name: self._part(part, outer) for name, part in sieve.forms.items()}
        return pikepdf.Dictionary(
            {**dict(resources.items()), "/XObject": pikepdf.Dictionary(shown)}
        )

    def _with_moved_patterns(self, resources: Any, content: Sequence[Written], move: Affine) -> Any:
        """Return resources in which the patterns that `content` names have moved with the content.

        A `cm` does not move gradients and tilings: a pattern's /Matrix leads to the space of the
        page or form that holds it (ISO 32000-1, 8.7.3.1). A /Matrix on a form round the content
        would do, too, if each window had its own pattern objects; but PDFium, and so Chromium,
        reads a pattern that several forms share only once, with the /Matrix of the first, and equal
        objects of a finished file are shared. Moved patterns differ.
        """
        named = set()
        for operands, operator in content:
            if (
                str(operator) in {"scn", "SCN"}
                and operands
                and isinstance(operands[-1], pikepdf.Name)
            ):
                named.add(str(operands[-1]))
        patterns = resources.get("/Pattern")
        if not named or not isinstance(patterns, pikepdf.Dictionary):
            return resources
        moved = dict(patterns.items())
        moved |= {name: self._moved(thing, move) for name, thing in moved.items() if name in named}
        return pikepdf.Dictionary(
            {**dict(resources.items()), "/Pattern": pikepdf.Dictionary(moved)}
        )

    def _moved(self, pattern: Any, move: Affine) -> Any:
        """Return a copy of a pattern whose /Matrix is followed by `move`."""
        if not isinstance(pattern, pikepdf.Dictionary | pikepdf.Stream):
            return pattern
        entries = {key: value for key, value in pattern.items() if key != "/Length"}
        matrix = move @ Affine(*map(float, entries.get("/Matrix", [1, 0, 0, 1, 0, 0])))
        entries["/Matrix"] = pikepdf.Array([float(f"{number:.9g}") for number in matrix])
        if isinstance(pattern, pikepdf.Stream):
            return self.made.make_stream(pattern.read_raw_bytes(), entries)
        return self.made.make_indirect(pikepdf.Dictionary(entries))

    def _part(self, sieve: Sieve, outer: Any) -> Any:
        """Return a form with the part of its content that a window needs."""
        inner = sieve.whole.get("/Resources", outer)
        made = self.made.make_stream(pikepdf.unparse_content_stream(sieve.out))
        for key in ("/BBox", "/Matrix", "/Group"):
            if key in sieve.whole:
                value = sieve.whole[key]
                made[key] = (
                    self._own(value)
                    if isinstance(value, pikepdf.Dictionary)
                    else pikepdf.Array([*map(float, value)])
                )
        made.Type = pikepdf.Name.XObject
        made.Subtype = pikepdf.Name.Form
        made.Resources = self._with(self._own(inner), sieve, inner)
        return self.made.make_indirect(made)
