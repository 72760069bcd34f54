"""Lines of pictures that are shown smaller than they were drawn: none comes out thinner than a printer can show."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import ceil, exp, log, sqrt
from typing import Any

import pikepdf

from generator.core.units import fine, points

LEAST = 0.1
"""mm; printers lose what is thinner."""

STEP = log(1.2)
"""Pictures whose sizes differ by less share their lines."""

SEEN = "q Q cm w Do"
"""The operators that say how large something is shown."""


def thickened(pdf: pikepdf.Pdf) -> None:
    """Show every form that has lines too thin for its size in one whose lines are as wide as need be."""
    lines = _Lines(pdf)
    for page in pdf.pages:
        used = dict(lines.shown(page, page.obj.get("/Resources", pikepdf.Dictionary())))
        if used:
            page.Contents = pdf.make_stream(lines.renamed(page, page.Resources, used))


@dataclass
class _Lines:
    """The forms of one file; `made` are those with wider lines, by what they were and how large they are shown.

    `read` are contents as they were read, since forms are shown in many sizes: word, operands, by how much it scales.
    """

    pdf: pikepdf.Pdf
    made: dict[tuple[tuple[int, int], int], Any] = field(default_factory=dict)
    read: dict[tuple[tuple[int, int], str], list[tuple[str, Any, float]]] = field(default_factory=dict)

    def shown(self, holder: Any, resources: Any, scale: float = 1.0) -> Iterator[tuple[tuple[str, int], Any]]:
        """The forms in a content that must be others, by their names and sizes."""
        for name, size, form in self._forms(holder, resources, scale):
            wider = self._wider(form, size)
            if wider is not None:
                yield (name, size), wider

    def _forms(self, holder: Any, resources: Any, scale: float) -> Iterator[tuple[str, int, Any]]:
        for operator, operands, now in self._walk(holder, scale):
            if operator == "Do":
                form = resources.get("/XObject", {}).get(str(operands[0]))
                if form is not None and form.get("/Subtype") == "/Form":
                    own = _scale(map(float, form.get("/Matrix", [1, 0, 0, 1, 0, 0])))
                    yield str(operands[0]), ceil(log(max(now * own, 1e-6)) / STEP - 1), form

    def _walk(self, holder: Any, scale: float, only: str = SEEN) -> Iterator[tuple[str, Any, float]]:
        """The operators of a content, with the size at which what they draw is shown."""
        key = holder.objgen, only
        if key not in self.read:
            self.read[key] = [
                (word := str(each.operator), each.operands, _scale(map(float, each.operands)) if word == "cm" else 1.0)
                for each in pikepdf.parse_content_stream(holder, only)
            ]
        outer: list[float] = []
        for word, operands, scaled in self.read[key]:
            if word == "q":
                outer.append(scale)
            elif word == "Q" and outer:
                scale = outer.pop()
            scale *= scaled
            yield word, operands, scale

    def _wider(self, form: Any, size: int) -> Any:
        """The form with wider lines, in forms of its own too; none where all are wide enough."""
        key = form.objgen, size
        if key not in self.made:
            self.made[key] = None
            scale, resources = exp(size * STEP), form.get("/Resources", pikepdf.Dictionary())
            used = dict(self.shown(form, resources, scale))
            thin = any(operator == "w" and _thin(operands, now) for operator, operands, now in self._walk(form, scale))
            if used or thin:
                self.made[key] = self._copied(form, resources, used, scale)
        return self.made[key]

    def _copied(self, form: Any, resources: Any, used: dict[tuple[str, int], Any], scale: float) -> Any:
        kept = {name: value for name, value in form.items() if name not in {"/Length", "/Filter", "/DecodeParms"}}
        own = pikepdf.Dictionary(dict(resources.items()))
        copy = self.pdf.make_stream(b"")
        for name, value in kept.items():
            copy[name] = value
        copy.Resources = own
        copy.write(self.renamed(form, own, used, scale))
        return self.pdf.make_indirect(copy)

    def renamed(self, holder: Any, resources: Any, used: dict[tuple[str, int], Any], scale: float = 1.0) -> bytes:
        """A content that names the forms that take the place of others, with its own lines wide enough."""
        if used:
            forms = dict(resources.XObject.items())
            forms |= {f"{name}.{size}": form for (name, size), form in used.items()}
            resources.XObject = pikepdf.Dictionary(forms)
        sizes = iter(list(self._forms(holder, {"/XObject": dict(resources.get("/XObject", {}).items())}, scale)))
        written = []
        for operator, operands, now in self._walk(holder, scale, ""):
            told = operands
            if operator == "Do":
                form = resources.XObject.get(str(operands[0]))
                if form is not None and form.get("/Subtype") == "/Form":
                    name, size, _ = next(sizes)
                    told = [pikepdf.Name(f"{name}.{size}")] if (name, size) in used else operands
            elif operator == "w" and scale < 1 and _thin(operands, now):
                told = [pikepdf.Object.parse(fine(points(LEAST) / now).encode())]
            written.append((told, pikepdf.Operator(operator)))
        return pikepdf.unparse_content_stream(written)


def _scale(matrix: Iterable[float]) -> float:
    a, b, c, d, *_ = matrix
    return sqrt(abs(a * d - b * c))


def _thin(operands: Any, scale: float) -> bool:
    return 0 < float(operands[0]) * scale < points(LEAST) * 0.99
