"""The pixels that stand for faces in a typeset file become the faces: each a form, once, cut to its trim."""

import io
from collections.abc import Iterable, Mapping
from contextlib import ExitStack

import pikepdf

from generator.core.paths import curve_data
from generator.core.units import number, points
from generator.draw.face import Face
from generator.pdf.faces import FacePages
from generator.pdf.forms import FINE, Forms, operators, upwards
from generator.pdf.typeset.lines import thickened

LINED = 1 << 20
"""What the number of a pixel is larger by, when a thin line is to be drawn round its face."""

LINE = "0.54 0.51 0.47 RG 3 w"
"""The line in the face's own size, which is shown at a quarter or so."""


def filled(laid: bytes, faces: Mapping[int, Face], chunks: Iterable[FacePages]) -> bytes:
    """The file with its faces; each is one form however often it is shown."""
    with ExitStack() as stack:
        pdf = stack.enter_context(pikepdf.open(io.BytesIO(laid)))
        forms = Forms(pdf, chunks, stack)
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
        thickened(pdf)
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return out.getvalue()


def _index(image: pikepdf.Object) -> int | None:
    """Which face a pixel stands for."""
    if image.get("/Subtype") != "/Image" or image.get("/Width") != 1 or image.get("/Height") != 1:
        return None
    red, green, blue = image.read_bytes()[:3]
    return red << 16 | green << 8 | blue


def _window(pdf: pikepdf.Pdf, face: Face, form: pikepdf.Object, line: str) -> pikepdf.Object:
    """A form as large as an image is, one by one, that shows a face's trim; `line` is drawn round what is cut out."""
    w, h = (points(side) for side in face.size)
    bleed = points(face.bleed)
    edge = f"{operators(curve_data(face.edge.edges), upwards(face.size.h))} S" if line else ""
    code = f"q 1 0 0 1 {number(-bleed)} {number(-bleed)} cm /F Do Q {line} {edge}"
    made = pdf.make_stream(code.encode())
    made.Type, made.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
    made.BBox = pikepdf.Array([0, 0, round(w, 3), round(h, 3)])
    made.Matrix = pikepdf.Array([round(1 / w, FINE), 0, 0, round(1 / h, FINE), 0, 0])
    made.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary({"/F": form}))
    return pdf.make_indirect(made)
