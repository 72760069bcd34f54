"""Cut windows out of pages: drawings outside a window are dropped, so that hidden text is not copied.

Links, scripts, form fields and attachments are dropped too.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pikepdf

from generator.core.geometry import Affine, Point, Rect
from generator.core.units import fine, points
from generator.pdf.foreign.opening import hidden_layers, lying, opened
from generator.pdf.foreign.sifting import Drawn, Sieve, Written, tree
from generator.pdf.foreign.walk import Graphics, Walk
from generator.pdf.forms import upwards
from generator.relay.page import PieceWindow

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


def cut_out(path: str, windows: list[PieceWindow]) -> bytes:
    """Return a file with a page for each window, in order."""
    made = pikepdf.new()
    knife = _Knife(opened(path), made)
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
"""What drawings draw with, and what each of it is; whatever else stands beside it, or in its place, stays behind."""


def _sift_resources(item: Any) -> None:
    """Drop resources of the wrong type."""
    held = item.Resources
    if not isinstance(held, pikepdf.Dictionary):
        del item["/Resources"]
        return
    for key, things in list(held.items()):
        if key not in DRAWING or not isinstance(things, pikepdf.Dictionary):
            del held[key]
            continue
        for name in [name for name, thing in things.items() if not isinstance(thing, DRAWING[key])]:
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
            size, move, _ = lying(page)
            walk = Walk(page.resources, Graphics(move, Rect(0, 0, *size)), hidden_layers(self.source))
            self._read = {window.number: (move, tree(walk, page))}
        move, nodes = self._read[window.number]
        full = window.full.size
        placed = Affine.laying(window.trim.centre, Point(full.w / 2, full.h / 2), window.turn)
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
        return pikepdf.Dictionary({**dict(resources.items()), "/XObject": pikepdf.Dictionary(shown)})

    def _with_moved_patterns(self, resources: Any, content: Sequence[Written], move: Affine) -> Any:
        """Return resources in which the patterns that `content` names have moved with the content.

        A `cm` does not move gradients and tilings: a pattern's /Matrix leads to the space of the page or form that
        holds it (ISO 32000-1, 8.7.3.1). A /Matrix on a form round the content would do, too, if each window had its
        own pattern objects; but PDFium, and so Chromium, reads a pattern that several forms share only once, with the
        /Matrix of the first, and equal objects of a finished file are shared. Moved patterns differ.
        """
        named = set()
        for operands, operator in content:
            if str(operator) in {"scn", "SCN"} and operands and isinstance(operands[-1], pikepdf.Name):
                named.add(str(operands[-1]))
        patterns = resources.get("/Pattern")
        if not named or not isinstance(patterns, pikepdf.Dictionary):
            return resources
        moved = dict(patterns.items())
        moved |= {name: self._moved(thing, move) for name, thing in moved.items() if name in named}
        return pikepdf.Dictionary({**dict(resources.items()), "/Pattern": pikepdf.Dictionary(moved)})

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
                    self._own(value) if isinstance(value, pikepdf.Dictionary) else pikepdf.Array([*map(float, value)])
                )
        made.Type = pikepdf.Name.XObject
        made.Subtype = pikepdf.Name.Form
        made.Resources = self._with(self._own(inner), sieve, inner)
        return self.made.make_indirect(made)
