"""Select the content of a page that a window needs; drop content outside it, and cut lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pikepdf

from generator.core.geometry import Point, Rect
from generator.pdf.foreign.opening import MAX_FORM_DEPTH
from generator.pdf.foreign.seeing import MAX_LINE_WIDTH_MM
from generator.pdf.foreign.walk import ENDS, FILLS, MARKED, PATH, SHOWS, Instruction, Painted, Walk, inside

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
        shown = paints is not None and paints.form is not None and paints.box and min(paints.box.size) > 0
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
        self.out.append(step.raw if step.raw is not None and not step.operands else (step.operands, step.raw.operator))

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
                min(trail.box.size) <= MAX_LINE_WIDTH_MM and not _meets(trail.box, self.trim) for trail in paints.trails
            )
        if paints.width > MAX_LINE_WIDTH_MM or any(trail.curved for trail in paints.trails):
            return False
        ends = (pair for trail in paints.trails for pair in pairwise(_round(trail.corners, closed=trail.closed)))
        return not any(_meets(_between(a, b), self.trim) for a, b in ends)

    def _leave(self, step: Instruction) -> None:
        self.left += 1
        if step.name not in SHOWS:
            return
        if step.name == '"':
            self.out += [
                ([value], pikepdf.Operator(key)) for key, value in zip(("Tw", "Tc"), step.operands, strict=False)
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
