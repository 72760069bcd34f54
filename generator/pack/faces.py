"""Things with more than two faces: their front is drawn once for every word in a column of the table."""

from collections.abc import Iterator
from dataclasses import replace

from generator.core.geometry import EPSILON
from generator.core.problems import Wrong
from generator.pack.data import Row
from generator.pack.shape import ShapeKind
from generator.pack.spec import ComponentSpec
from generator.pack.template import Scope

FACE = "face"
"""The name by which a layout reads the word of the face that is drawn."""

NO_BACK = "none"


def each_face(row: Row, column: str, count: int, language: str) -> Iterator[Row]:
    """The row once for each face, with its word in a language."""
    text = Scope(row.values, {}, language).value(column)
    words = [word.strip() for word in text.split("|")] if "|" in text else text.replace(",", " ").split()
    if len(words) != count:
        example = " ".join(str(n) for n in range(1, count + 1))
        raise Wrong(f"{text!r} names {len(words)} faces", f"{count}, such as '{example}', or with | between them")
    for word in words:
        yield replace(row, values={**row.values, FACE: word})


def check_faces(spec: ComponentSpec, count: int) -> Iterator[tuple[str, Wrong]]:
    """What cannot be with so many faces (none: with a front and a back), each fault with the key that it is about."""
    if not count:
        if spec.faces is not None:
            yield "faces", Wrong(f"a {spec.make} has a front and a back", "no `faces`, or something else to make")
        return
    if spec.faces is None:
        yield "make", Wrong(f"no column names the {count} faces of a {spec.make}", "`faces: ` and the name of a column")
    if spec.back != NO_BACK:
        yield "back", Wrong(f"a {spec.make} has no back", "none")
    w, h = spec.shape.size
    if spec.shape.kind is not ShapeKind.RECT or abs(w - h) > EPSILON:
        yield "size", Wrong(f"the faces of a {spec.make} are squares", "one length, such as 16mm")
