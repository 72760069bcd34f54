"""Run typst for rules: measure texts, and write composed pages with placeholders for faces.

typst would write an SVG as often as it is placed, so each picture is a pixel of its own colour: an
image that is in the file once, and is replaced by the face's form afterwards.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import typst

from generator.base.errors import PnpError, Problem
from generator.base.fonts import FontSet
from generator.base.units import number
from generator.base.worker import WorkError
from generator.pdf.typst import Sandbox, open_sandbox, panics_as_failures, typst_string
from generator.rules.booklet.boxes import (
    Heights,
    SetPicture,
    SetPolygon,
    SetRectangle,
    SetText,
    Thing,
)
from generator.rules.booklet.pages import LINED
from generator.rules.booklet.typst_code import BOTTOM_EDGE_EM, TOP_EDGE_EM, RuleCoder
from generator.text.bidi import LTR, RTL, is_rtl_language

# Functions for all texts: the drawings of verdicts, `level` (the narrowest block with as many lines:
# lines of about equal length), and `verdict` (a sign in a disc, and its word).
PRELUDE = """
#let tick = ((-0.45, 0), (-0.1, 0.38), (0.5, -0.4))
#let cross = ((-0.38, -0.38), (0.38, 0.38), none, (-0.38, 0.38), (0.38, -0.38))
#let level(body) = layout(area => {
  let height-at(width) = measure(block(width: width, body)).height
  let (least, most) = (0.4 * area.width, area.width)
  for _ in range(7) {
    let middle = (least + most) / 2
    if height-at(middle) > height-at(area.width) { least = middle } else { most = middle }
  }
  block(width: most, body)
})
#let verdict(sign, word, colour) = {
  let half = 1.95mm
  let at(p) = (half + p.at(0) * half, half + p.at(1) * half)
  box(baseline: 0.75mm, width: 2 * half, height: 2 * half, pdf.artifact({
    place(circle(radius: half, fill: colour))
    let parts = ()
    let lift = true
    for p in sign {
      if p == none { lift = true; continue }
      parts.push(if lift { curve.move(at(p)) } else { curve.line(at(p)) })
      lift = false
    }
    place(curve(stroke: (paint: white, thickness: 1.5pt, cap: "round"), ..parts))
  }))
  h(1.4mm)
  text(weight: 700, fill: colour, word)
}
"""

# Links and their targets, which are left out while texts are measured.
MEASURING = """
#let go(target, body) = body
#let here(slug) = none
"""

WRITING = """
#let here(slug) = label(slug)
#let go(target, body) = if target.starts-with("#") { link(label(target.slice(1)), body) } else { link(target, body) }
"""


@dataclass(frozen=True)
class SetPage:
    """A page to write: its content in reading order, and its background, which is not read."""

    things: tuple[Thing, ...]
    artifacts: tuple[Thing, ...] = ()
    fill: str = ""


@contextmanager
def typesetting(fonts: FontSet) -> Iterator["Engine"]:
    """Provide typst with the fonts of a game."""
    with open_sandbox(fonts) as sandbox:
        yield Engine(sandbox)


@dataclass(frozen=True)
class Engine:
    """typst with a font set and no access to other files."""

    sandbox: Sandbox

    def measure(self, heights: Heights, coder: RuleCoder) -> None:
        """Measure all texts that are wanted, in one compilation."""
        self._break(heights, coder)
        if not heights.unmeasured:
            return
        texts = list(heights.unmeasured)
        rows = ", ".join(
            f"measure(block(width: {number(width)}mm, {code})).height / 1mm"
            for code, width in texts
        )
        main = f"{_write_preamble(coder)}{MEASURING}#context [#metadata(({rows},))<heights>]"
        measured = json.loads(self._query(main, "<heights>"))
        heights.measured.update(zip(texts, measured, strict=True))
        heights.unmeasured.clear()

    def _break(self, heights: Heights, coder: RuleCoder) -> None:
        """Find the line breaks of paragraphs: each word has a mark, and a new line begins where marks move down."""
        if not heights.unbroken:
            return
        paragraphs = list(heights.unbroken)
        pages = "".join(
            f"#page(width: {number(w)}mm, height: auto, margin: 0pt)[#block({code})]\n"
            for code, w in paragraphs
        )
        query = (
            "#context [#metadata(query(<w>).map(m => (m.location().page(), "
            "m.location().position().y / 1mm)))<lines>]"
        )
        starts: list[list[int]] = [[] for _ in paragraphs]
        last = (0, -1.0)
        word_index = 0
        for page, y in json.loads(
            self._query(_write_preamble(coder) + MEASURING + pages + query, "<lines>")
        ):
            word_index = 0 if page != last[0] else word_index + 1
            if page != last[0] or y > last[1] + 0.5:
                starts[page - 1].append(word_index)
            last = page, y
        heights.lines.update(
            (key, tuple(line_starts)) for key, line_starts in zip(paragraphs, starts, strict=True)
        )
        heights.unbroken.clear()

    def write(self, pages: Iterable[SetPage], coder: RuleCoder) -> bytes:
        """Return the PDF of the pages."""
        form = coder.form
        title = f"#set document(title: {typst_string(coder.rules.title)}, date: none)\n"
        size = f"width: {number(form.size.w)}mm, height: {number(form.size.h)}mm"
        body = "\n".join(
            f"#page({size}, margin: 0pt, fill: {_write_colour(page.fill)})[{_write_page(page, coder)}]"
            for page in pages
        )
        try:
            return self.sandbox.typeset(
                {"main": (title + _write_preamble(coder) + WRITING + body).encode()}
            )
        except (typst.TypstError, WorkError) as error:
            raise _make_error(error) from error

    def _query(self, main: str, label: str) -> str:
        sources: Any = {"main": main.encode()}  # the stubs lack dict, which typst-py accepts
        try:
            with panics_as_failures():
                return typst.query(
                    sources,
                    label,
                    field="value",
                    one=True,
                    font_paths=self.sandbox.fonts,
                    root=self.sandbox.empty_folder,
                    ignore_system_fonts=True,
                )
        except (typst.TypstError, WorkError) as error:
            raise _make_error(error) from error


def _make_error(error: Exception) -> PnpError:
    """Return the error for rules that typst cannot set."""
    return PnpError([Problem(None, f"the rules cannot be set: {getattr(error, 'message', error)}")])


def _write_preamble(coder: RuleCoder) -> str:
    language, _, region = coder.rules.language.partition("-")
    where = f', region: "{region}"' if len(region) == 2 else ""
    direction = RTL if is_rtl_language(coder.rules.language) else LTR
    return (
        f'#set text(lang: "{language}"{where}, dir: {direction}, number-type: "lining", hyphenate: true, '
        f"top-edge: {TOP_EDGE_EM}em, bottom-edge: -{BOTTOM_EDGE_EM}em)\n"
        "#set par(spacing: 0.7em)\n#show heading: it => par(it.body)\n#show strong: set text(weight: 700)\n"
        "#set enum(indent: 0pt, number-align: start)\n#set list(indent: 0pt)\n" + PRELUDE
    )


def _write_colour(colour: str) -> str:
    return f'rgb("{colour}")' if colour else "none"


def _write_page(page: SetPage, coder: RuleCoder) -> str:
    under = "".join(f"#pdf.artifact({_place_thing(thing, coder)})" for thing in page.artifacts)
    return under + "".join(f"#{_place_thing(thing, coder)}" for thing in page.things)


def _place_thing(thing: Thing, coder: RuleCoder) -> str:
    return f"place(top + left, dx: {number(thing.x)}mm, dy: {number(thing.y)}mm, {_typst_code(thing, coder)})"


def _typst_code(thing: Thing, coder: RuleCoder) -> str:
    match thing:
        case SetText(_, _, width, code):
            return f"block(width: {number(width)}mm, {code})"
        case SetPicture(_, _, width, height, face, alt, _, filling) if filling:
            scale = max(width / face.size.w, height / face.size.h)
            picture_code = coder.picture(face, scale * face.size.w, scale * face.size.h, alt)
            size = f"width: {number(width)}mm, height: {number(height)}mm, clip: true"
            return f"box({size}, place(center + {filling}, {picture_code}))"
        case SetPicture(_, _, width, height, face, alt, turned=True):
            return f"rotate(-90deg, reflow: true, {coder.picture(face, height, width, alt)})"
        case SetPicture(_, _, width, height, face, alt, lined):
            return coder.picture(face, width, height, alt, LINED if lined else 0)
        case SetPolygon(_, _, _, _, corners, fill):
            points = ", ".join(f"({number(x)}mm, {number(y)}mm)" for x, y in corners)
            return f"pdf.artifact(polygon(fill: {_write_colour(fill)}, {points}))"
        case SetRectangle():
            stroke = (
                f'{number(thing.thickness)}mm + rgb("{thing.stroke}")' if thing.stroke else "none"
            )
            shape = (
                f"width: {number(thing.width)}mm, height: {number(thing.height)}mm, radius: "
                f"{number(thing.radius)}mm"
            )
            return (
                f"pdf.artifact(rect({shape}, fill: {_write_colour(thing.fill)}, stroke: {stroke}))"
            )
