"""Replace the placeholders of a typeset file by faces: each is a form, once, cut to its trim.

Pictures that are shown reduced get lines thick enough for printers.
"""

import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import ceil, exp, log, sqrt
from typing import Any

import pikepdf

from generator.core.paths import curve_data
from generator.core.units import fine, number, points
from generator.pdf.faces import FacePages
from generator.pdf.forms import SCALE_DIGITS, Forms, join_files, operators, share_images, upwards
from generator.pdf.structure import lists_joined
from generator.pdf.typeset.pages import LINED
from generator.picture.face import Face

LINE = "0.54 0.51 0.47 RG 3 w"
"""The line in the face's own size, which is shown at a quarter or so."""


def filled(laid: bytes, faces: Mapping[int, Face], chunks: Iterable[FacePages]) -> bytes:
    """Return the file with its faces; each is one form."""
    with ExitStack() as stack:
        chunks = tuple(chunks)
        pdf, images = stack.enter_context(join_files([laid], chunks))
        forms = Forms(pdf, chunks, stack, images)
        made: dict[int, pikepdf.Object] = {}
        for page in pdf.pages:
            used = page.obj.get("/Resources", pikepdf.Dictionary()).get("/XObject", pikepdf.Dictionary())
            for key, image in list(used.items()):
                index = _index(image)
                if index is None:
                    continue
                if index not in made:
                    face = faces[index % LINED]
                    made[index] = _window(pdf, face, forms.form(face.name, face), LINE if index >= LINED else "")
                used[key] = made[index]
        forms.complete()
        share_images(pdf)
        thickened(pdf)
        lists_joined(pdf)
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return out.getvalue()


def _index(image: pikepdf.Object) -> int | None:
    """Return the number of the face that a placeholder stands for."""
    if image.get("/Subtype") != "/Image" or image.get("/Width") != 1 or image.get("/Height") != 1:
        return None
    red, green, blue = image.read_bytes()[:3]
    return red << 16 | green << 8 | blue


def _window(pdf: pikepdf.Pdf, face: Face, form: pikepdf.Object, line: str) -> pikepdf.Object:
    """Return a form of 1 by 1 unit, like an image, with a face's trim; with `line`, it is outlined."""
    w, h = (points(side) for side in face.size)
    bleed = points(face.bleed)
    edge = f"{operators(curve_data(face.edge.edges), upwards(face.size.h))} S" if line else ""
    code = f"q 1 0 0 1 {number(-bleed)} {number(-bleed)} cm /F Do Q {line} {edge}"
    made = pdf.make_stream(code.encode())
    made.Type = pikepdf.Name.XObject
    made.Subtype = pikepdf.Name.Form
    made.BBox = pikepdf.Array([0, 0, round(w, 3), round(h, 3)])
    made.Matrix = pikepdf.Array([round(1 / w, SCALE_DIGITS), 0, 0, round(1 / h, SCALE_DIGITS), 0, 0])
    made.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary({"/F": form}))
    return pdf.make_indirect(made)


# Printers lose thinner lines.
MIN_LINE_MM = 0.1

# Pictures whose sizes differ by less share their widened lines.
LOG_SIZE_STEP = log(1.2)

SEEN = "q Q cm w Do"
"""The operators that say how large something is shown."""


def thickened(pdf: pikepdf.Pdf) -> None:
    """Replace every form with lines too thin for its size by one with wider lines."""
    lines = _Lines(pdf)
    for page in pdf.pages:
        used = dict(lines.shown(page, page.obj.get("/Resources", pikepdf.Dictionary())))
        if used:
            page.Contents = pdf.make_stream(lines.renamed(page, page.Resources, used))


@dataclass
class _Lines:
    """The forms of one file; `made` are those with wider lines, by form and size.

    `read` caches parsed contents (operator, operands, scale), because forms are shown at many sizes.
    """

    pdf: pikepdf.Pdf
    made: dict[tuple[tuple[int, int], int], Any] = field(default_factory=dict)
    read: dict[tuple[tuple[int, int], str], list[tuple[str, Any, float]]] = field(default_factory=dict)

    def shown(self, holder: Any, resources: Any, scale: float = 1.0) -> Iterator[tuple[tuple[str, int], Any]]:
        """Return the forms in a content that need replacing, by name and size."""
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
                    yield str(operands[0]), ceil(log(max(now * own, 1e-6)) / LOG_SIZE_STEP - 1), form

    def _walk(self, holder: Any, scale: float, only: str = SEEN) -> Iterator[tuple[str, Any, float]]:
        """Yield the operators of a content with the scale of their drawing."""
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
        """Return the form with wider lines, also in nested forms; None if all are wide enough."""
        key = form.objgen, size
        if key not in self.made:
            self.made[key] = None
            scale = exp(size * LOG_SIZE_STEP)
            resources = form.get("/Resources", pikepdf.Dictionary())
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
        """Return the content with the names of replaced forms, and wider lines of its own."""
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
                told = [pikepdf.Object.parse(fine(points(MIN_LINE_MM) / now).encode())]
            written.append((told, pikepdf.Operator(operator)))
        return pikepdf.unparse_content_stream(written)


def _scale(matrix: Iterable[float]) -> float:
    a, b, c, d, *_ = matrix
    return sqrt(abs(a * d - b * c))


def _thin(operands: Any, scale: float) -> bool:
    return 0 < float(operands[0]) * scale < points(MIN_LINE_MM) * 0.99
