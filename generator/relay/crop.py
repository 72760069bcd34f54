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
from generator.base.polygon import box_around
from generator.base.units import fine, points
from generator.pdf.forms import upwards
from generator.relay.page import PieceWindow
from generator.relay.page_shapes import MAX_LINE_WIDTH_MM
from generator.relay.read_pdf import (
    FILL_OPERATORS,
    MARKED_CONTENT_OPERATORS,
    MAX_FORM_DEPTH,
    PATH_END_OPERATORS,
    PATH_OPERATORS,
    TEXT_SHOWING_OPERATORS,
    ContentInterpreter,
    Instruction,
    PaintResult,
    enter_form,
    interpret_page,
    is_postscript,
    open_pdf,
    page_geometry,
)

# A line that is nowhere this far inside a trim is a cut line, and is replaced by our marks. Half the width of usual
# cut lines, which lie on the trim, is less.
CUT_LINE_TOLERANCE_MM = 0.15

WrittenInstruction = tuple[list[Any], pikepdf.Operator]


@dataclass(frozen=True)
class InstructionNode:
    """An instruction, and as its children the instructions of the form that it shows."""

    step: Instruction
    children: "tuple[InstructionNode, ...]" = ()


def instruction_tree(
    interpreter: ContentInterpreter, holder: Any, depth: int = 0
) -> tuple[InstructionNode, ...]:
    """Return all instructions of a page or a form as a tree."""
    return tuple(_nodes(interpreter, holder, depth))


def _nodes(interpreter: ContentInterpreter, holder: Any, depth: int) -> Iterator[InstructionNode]:
    for step in interpreter.instructions(holder):
        paints = step.paints
        is_visible_form = (
            paints is not None
            and paints.form is not None
            and paints.box
            and min(paints.box.size) > 0
        )
        if paints is not None and is_visible_form and depth < MAX_FORM_DEPTH:
            yield InstructionNode(
                step, instruction_tree(enter_form(interpreter, paints), paints.form, depth + 1)
            )
        else:
            yield InstructionNode(step)


@dataclass
class ContentCropper:
    """Selects the instructions of a page or a form that one window needs."""

    trim: Rect
    window: Rect  # the trim with its bleed
    form: Any = None  # the form whose content is selected, None for a page
    kept_instructions: list[WrittenInstruction] = field(default_factory=list)
    # The forms of which only a part is needed, by their new names.
    forms: "dict[str, ContentCropper]" = field(default_factory=dict)
    dropped: int = 0  # instructions that paint and are left out
    painted: int = 0  # instructions that paint and are kept
    # The path that is being built, and whether it also clips.
    _path: list[WrittenInstruction] = field(default_factory=list)
    _is_clipping: bool = False
    # For each saved state (q): the numbers of kept instructions and of painting ones before it.
    _open_states: list[tuple[int, int]] = field(default_factory=list)

    def select(self, nodes: Sequence[InstructionNode]) -> "ContentCropper":
        """Select the instructions that the window needs."""
        for node in nodes:
            self._crop_node(node)
        self.kept_instructions += [([], pikepdf.Operator("Q")) for _ in self._open_states]
        return self

    def _crop_node(self, node: InstructionNode) -> None:
        step = node.step
        if step.name in PATH_OPERATORS or step.name in {"W", "W*"}:
            self._path.append(_as_written(step))
            self._is_clipping |= step.name in {"W", "W*"}
        elif step.name in PATH_END_OPERATORS:
            self._end(step)
        elif step.name in MARKED_CONTENT_OPERATORS:
            pass
        elif step.name == "q":
            self._open_states.append((len(self.kept_instructions), self.painted))
            self._write(step)
        elif step.name == "Q":
            self._close(step)
        elif step.paints is None:
            self._write(step)
        elif not self._needs(step.paints):
            self._drop(step)
        elif node.children:
            self._keep_part(node)
        else:
            self._paint(step)

    def _write(self, step: Instruction) -> None:
        self.kept_instructions.append(_as_written(step))

    def _paint(self, step: Instruction) -> None:
        # The raw instruction, since an image inside the content has more than operands.
        self.painted += 1
        self.kept_instructions.append(step.raw)

    def _needs(self, paints: PaintResult) -> bool:
        """Return True if an instruction may paint in the window."""
        if paints.box is None:
            return True
        visible = paints.box.common(self.window)
        return min(paints.box.size) >= 0 and min(visible.size) >= 0

    def _end(self, step: Instruction) -> None:
        """Keep or drop a path with the instruction that paints it; a clip is kept in any case."""
        path = self._path
        self._path = []
        clips = self._is_clipping
        self._is_clipping = False
        paints = step.paints
        if paints is not None and self._needs(paints) and not self._is_cut_line(step, paints):
            self.kept_instructions += path
            self._paint(step)
            return
        self.dropped += paints is not None
        if clips:
            self.kept_instructions += [*path, ([], pikepdf.Operator("n"))]

    def _is_cut_line(self, step: Instruction, paints: PaintResult) -> bool:
        """Return True if a line runs only along the trim or outside it."""
        if step.name in FILL_OPERATORS:
            return all(
                min(subpath.box.size) <= MAX_LINE_WIDTH_MM and not _meets(subpath.box, self.trim)
                for subpath in paints.subpaths
            )
        if paints.width > MAX_LINE_WIDTH_MM or any(subpath.curved for subpath in paints.subpaths):
            return False
        segments = (
            pair
            for subpath in paints.subpaths
            for pair in pairwise(
                [*subpath.corners, *(subpath.corners[:1] if subpath.closed else ())]
            )
        )
        return not any(_meets(box_around(pair), self.trim) for pair in segments)

    def _drop(self, step: Instruction) -> None:
        """Leave out an instruction; keep the effect of a text on the state and position of the texts after it."""
        self.dropped += 1
        if step.name not in TEXT_SHOWING_OPERATORS:
            return
        if step.name == '"':
            self.kept_instructions += [
                ([value], pikepdf.Operator(key))
                for key, value in zip(("Tw", "Tc"), step.operands, strict=False)
            ]
        if step.name in {"'", '"'}:
            self.kept_instructions.append(([], pikepdf.Operator("T*")))
        tj_offset = step.paints.tj_offset if step.paints else None
        if tj_offset:
            self.kept_instructions.append(
                ([pikepdf.Array([round(tj_offset, 3)])], pikepdf.Operator("TJ"))
            )

    def _close(self, step: Instruction) -> None:
        """Write the end of a saved state, or remove the state if nothing was painted in it."""
        if not self._open_states:
            return
        start, painted = self._open_states.pop()
        if painted == self.painted:
            del self.kept_instructions[start:]
        else:
            self._write(step)

    def _keep_part(self, node: InstructionNode) -> None:
        """Keep the needed part of a form: the form itself if nothing is dropped, else a copy of the remainder."""
        paints = node.step.paints
        part = ContentCropper(self.trim, self.window, paints.form if paints else None).select(
            node.children
        )
        if not part.dropped:
            self._paint(node.step)
        elif part.painted:
            name = f"/Pnp{len(self.forms)}"
            self.forms[name] = part
            self.painted += 1
            self.kept_instructions.append(([pikepdf.Name(name)], pikepdf.Operator("Do")))
        self.dropped += part.dropped


def _as_written(step: Instruction) -> WrittenInstruction:
    """Return an instruction with its parsed operands: of these, pikepdf writes numbers such as 3e-17 as 0."""
    return step.operands, step.raw.operator


def _meets(box: Rect, trim: Rect) -> bool:
    """Return True if a line crosses the inside of a trim."""
    inside = box.common(trim.grown(-CUT_LINE_TOLERANCE_MM))
    return min(inside.size) >= 0


# The largest content of a form: more would fill the memory of the programs that open the sheets.
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
    output = pikepdf.new()
    cutter = _WindowCutter(open_pdf(path), output)
    for window in windows:
        output.pages.append(pikepdf.Page(output.make_indirect(cutter.page(window))))
    _strip(output)
    buffer = io.BytesIO()
    object_streams = pikepdf.ObjectStreamMode.generate
    output.save(
        buffer, object_stream_mode=object_streams, compress_streams=True, deterministic_id=True
    )
    return buffer.getvalue()


RESOURCE_TYPES: dict[str, tuple[type, ...]] = {
    "/Font": (pikepdf.Dictionary,),
    "/XObject": (pikepdf.Stream,),
    "/ExtGState": (pikepdf.Dictionary,),
    "/ColorSpace": (pikepdf.Name, pikepdf.Array),
    "/Pattern": (pikepdf.Dictionary, pikepdf.Stream),
    "/Shading": (pikepdf.Dictionary, pikepdf.Stream),
    "/Properties": (pikepdf.Dictionary,),
}
"""The kinds of resources that drawings use, and the types of object that each may be.

All other kinds and types are dropped.
"""


def _drop_foreign_resources(item: Any) -> None:
    """Drop resources of the wrong type, and PostScript."""
    resources = item.Resources
    if not isinstance(resources, pikepdf.Dictionary):
        del item["/Resources"]
        return
    for key, things in list(resources.items()):
        if key not in RESOURCE_TYPES or not isinstance(things, pikepdf.Dictionary):
            del resources[key]
            continue
        for name, thing in list(things.items()):
            if not isinstance(thing, RESOURCE_TYPES[key]) or is_postscript(thing):
                del things[name]


def _strip(pdf: pikepdf.Pdf) -> None:
    for item in pdf.objects:
        if isinstance(item, pikepdf.Dictionary | pikepdf.Stream) and "/Resources" in item:
            _drop_foreign_resources(item)
        if isinstance(item, pikepdf.Stream):
            if item.get("/Subtype") == "/Form" and len(item.read_bytes()) > MAX_FORM_BYTES:
                raise ValueError("a drawing is too large")
            for key in (*DROPPED_KEYS, "/OC"):
                if key in item:
                    del item[key]


@dataclass
class _WindowCutter:
    """Cuts windows out of the pages of a file, and reads each page once."""

    source: pikepdf.Pdf
    target: pikepdf.Pdf
    _read_pages: dict[int, tuple[Affine, tuple[InstructionNode, ...]]] = field(default_factory=dict)
    _page_resources: dict[int, Any] = field(default_factory=dict)

    def page(self, window: PieceWindow) -> pikepdf.Dictionary:
        """Return a page that shows one window, from the lower left of its bleed."""
        page = self.source.pages[window.number - 1]
        if window.number not in self._read_pages:
            _, move, _ = page_geometry(page)
            nodes = instruction_tree(interpret_page(self.source, page), page)
            self._read_pages = {window.number: (move, nodes)}
        move, nodes = self._read_pages[window.number]
        full = window.full.size
        placed = Affine.moving(window.trim.centre, Point(full.w / 2, full.h / 2), window.turn)
        cropper = ContentCropper(window.trim, window.trim.grown(window.bleed)).select(nodes)
        matrix = upwards(full.h) @ placed @ move
        content = b"q %s cm\n%s\nQ" % (
            " ".join(map(fine, matrix)).encode(),
            pikepdf.unparse_content_stream(cropper.kept_instructions),
        )
        resources = self._add_forms(
            self._resources_of_page(window.number, page), cropper, page.resources
        )
        return pikepdf.Dictionary(
            Type=pikepdf.Name.Page,
            MediaBox=pikepdf.Array([0, 0, *(round(points(side), 6) for side in full)]),
            Contents=self.target.make_stream(content),
            Resources=self._move_patterns(resources, cropper.kept_instructions, matrix),
        )

    def _resources_of_page(self, number: int, page: pikepdf.Page) -> Any:
        """Return the resources of a page, shared by all of its windows."""
        if number not in self._page_resources:
            self._page_resources[number] = self.target.make_indirect(
                self._copy_object(page.resources)
            )
        return self._page_resources[number]

    def _copy_object(self, thing: Any) -> Any:
        """Return the copy of an object in our file; the same object is copied once."""
        source_object = thing if thing.is_indirect else self.source.make_indirect(thing)
        return self.target.copy_foreign(source_object)

    def _add_forms(self, resources: Any, cropper: ContentCropper, outer: Any) -> Any:
        """Return resources with the reduced forms that a window needs."""
        if not cropper.forms:
            return resources
        xobjects = dict(resources.get("/XObject", pikepdf.Dictionary()).items())
        xobjects |= {name: self._build_form(part, outer) for name, part in cropper.forms.items()}
        return pikepdf.Dictionary(
            {**dict(resources.items()), "/XObject": pikepdf.Dictionary(xobjects)}
        )

    def _move_patterns(
        self, resources: Any, content: Sequence[WrittenInstruction], move: Affine
    ) -> Any:
        """Return resources in which the patterns that `content` names have moved with the content.

        A `cm` does not move gradients and tilings: a pattern's /Matrix maps to the space of the page or
        form that holds it (ISO 32000-1, 8.7.3.1). A form with a /Matrix around the content would
        move them, but PDFium, and so Chromium, reads a pattern that several forms share only once,
        with the /Matrix of the first; and equal objects of a finished file are shared. Moved
        patterns differ, so they are not shared.
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
        moved |= {
            name: self._move_pattern(thing, move) for name, thing in moved.items() if name in named
        }
        return pikepdf.Dictionary(
            {**dict(resources.items()), "/Pattern": pikepdf.Dictionary(moved)}
        )

    def _move_pattern(self, pattern: Any, move: Affine) -> Any:
        """Return a copy of a pattern whose /Matrix is followed by `move`."""
        if not isinstance(pattern, pikepdf.Dictionary | pikepdf.Stream):
            return pattern
        entries = {key: value for key, value in pattern.items() if key != "/Length"}
        matrix = move @ Affine(*map(float, entries.get("/Matrix", [1, 0, 0, 1, 0, 0])))
        entries["/Matrix"] = pikepdf.Array([float(f"{number:.9g}") for number in matrix])
        if isinstance(pattern, pikepdf.Stream):
            return self.target.make_stream(pattern.read_raw_bytes(), entries)
        return self.target.make_indirect(pikepdf.Dictionary(entries))

    def _build_form(self, cropper: ContentCropper, outer: Any) -> Any:
        """Return a form with the part of its content that a window needs."""
        inner = cropper.form.get("/Resources", outer)
        form = self.target.make_stream(pikepdf.unparse_content_stream(cropper.kept_instructions))
        for key in ("/BBox", "/Matrix", "/Group"):
            if key in cropper.form:
                value = cropper.form[key]
                form[key] = (
                    self._copy_object(value)
                    if isinstance(value, pikepdf.Dictionary)
                    else pikepdf.Array([*map(float, value)])
                )
        form.Type = pikepdf.Name.XObject
        form.Subtype = pikepdf.Name.Form
        form.Resources = self._add_forms(self._copy_object(inner), cropper, inner)
        return self.target.make_indirect(form)
