"""Write composed pages to a file: footers, a cover, footnotes, and everything in its place."""

import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from math import ceil, exp, log, sqrt
from typing import Any

import pikepdf

from generator.base.geometry import Rect
from generator.base.units import fine, number, points
from generator.pdf.faces import FacePages
from generator.pdf.forms import (
    SCALE_DIGITS,
    Forms,
    join_files,
    path_operators,
    share_images,
    upwards,
)
from generator.pdf.tags import join_lists
from generator.pdf.typst import typst_string
from generator.picture.face import Face
from generator.rules.booklet.boxes import (
    STRIP_MM,
    SetPicture,
    SetRectangle,
    SetText,
    Thing,
    edges,
    filler_holes,
    page_art,
)
from generator.rules.booklet.compose import Book, BookPageLayout, BookSetter
from generator.rules.booklet.measure import SetPage
from generator.rules.booklet.pages import LINED, MIN_TYPE_PT, BookPage
from generator.rules.booklet.typst_code import QUIET, TYPST_HEADING_SCALES, TextStyle
from generator.rules.theme import WHITE

# From the page's lower edge to the top of the footer.
FOOTER_MM = 12.0

MAX_TITLE_PT = 46.0

INVISIBLE = "#00000000"

# A tail is the empty foot of a page. One of this height shows a part of the cover on a back cover;
# the gap is between the text and the picture.
MIN_COVER_TAIL_MM = 31.0
TAIL_GAP_MM = 6.0

# Padding around the text of a back cover on its picture.
MAT_MM = 3.0

# The least height of a picture at the foot of a guide's page, as a share of its width.
# Found by trial on the bundled games: a flatter part of their upright art cuts the heads off people.
MIN_GUIDE_PICTURE_SHARE = 0.53

# From the page's side to a cover picture below the title.
COVER_SIDE_MM = 9.0


def write_book(book: Book, setter: BookSetter) -> bytes:
    """Return the file, with numbered placeholders for pictures."""
    pages = [_set_page(book, page, setter) for page in book.pages]
    cover = [_set_cover(book, setter)] if book.covers else []
    return setter.engine.write([*cover, *pages], book.coder)


def _set_page(book: Book, page: BookPageLayout, setter: BookSetter) -> SetPage:
    things = [thing for x, y, box, _ in page.boxes for thing in box.at(x, y)]
    theme = book.rules.style.theme
    if (
        page.back
        and theme.pictures.back
        and (under := tuple(_set_back_cover(book, page, theme.pictures.back)))
    ):
        lower = MAT_MM + _mat_inset(book)
        return SetPage(
            tuple(replace(thing, y=thing.y + lower) for thing in things), under, theme.page
        )
    under = (*page_art(theme, book.form), *_set_footer(book, page.number), *set_tail(book, page))
    return SetPage((*things, *_set_notes(book, page, setter)), under, theme.page)


def _set_back_cover(book: Book, page: BookPageLayout, art: Face) -> Iterator[Thing]:
    """Return a theme's art around the text of a back cover, which is on a mat.

    Nothing if it does not fit.

    The art is in the place of the cover's picture on the front, and keeps its foot.
    """
    form = book.form
    theme = book.rules.style.theme
    inset = _mat_inset(book)
    picture_box = _fit_cover(book)
    words = max(y + box.height for _, y, box, _ in page.boxes) - form.top + 2 * MAT_MM
    if picture_box.h - words - inset < MIN_COVER_TAIL_MM or any(
        item.notes for *_, item in page.boxes
    ):
        return
    yield SetPicture(*picture_box, art, "", filling="bottom")
    yield from edges(theme, picture_box)
    side = MAT_MM if inset else form.side - picture_box.x
    mat = SetRectangle(
        form.side - side, form.top + inset, form.width + 2 * side, words, fill=theme.page or WHITE
    )
    yield replace(mat, radius=1.2 if inset else 0.0)
    foot = TextStyle(MIN_TYPE_PT + 1, 1.2, QUIET, align="center")
    words_of = "{ " + book.coder.plain(book.rules.footer, foot) + " }"
    yield SetText(form.side, form.size.h - FOOTER_MM - 2, form.width, words_of)


def _mat_inset(book: Book) -> float:
    """Return how far a mat is inside its picture; on a narrow page it is full width."""
    return MAT_MM if book.form.side - COVER_SIDE_MM > 2 * MAT_MM else 0.0


def _fit_cover(book: Book) -> Rect:
    """Return the box of a cover's picture that fills the page."""
    form = book.form
    low = form.size.h - FOOTER_MM - 4 - STRIP_MM * bool(book.rules.style.theme.pictures.head)
    return Rect(COVER_SIDE_MM, form.top, form.size.w - 2 * COVER_SIDE_MM, low - form.top)


def set_tail(book: Book, page: BookPageLayout) -> Iterator[Thing]:
    """Return a theme's art at the end of a short page.

    On a back cover it is a part of the cover. At the foot of another page it is the banner or one of
    the theme's fillers, which take turns; without fillers, a part of the art of the back cover. The
    first page of a guide stays white, since the next may show the same art.
    """
    form = book.form
    style = book.rules.style
    pictures = style.theme.pictures
    end = max((y + box.height for _, y, box, _ in page.boxes), default=form.top)
    height = form.size.h - form.bottom - end - TAIL_GAP_MM
    if (
        page.back
        and style.cover
        and style.theme.fills_cover
        and not pictures.back
        and height > MIN_COVER_TAIL_MM
    ):
        yield SetPicture(
            form.side, end + TAIL_GAP_MM, form.width, height, style.cover, "", filling="horizon"
        )
        return
    filler_height, is_banner = _filler_height(book, page)
    if is_banner:
        art = pictures.first
    else:
        earlier = (_filler_height(book, other) for other in book.pages[: book.pages.index(page)])
        turn = sum(height > 0 and not banner for height, banner in earlier)
        art = pictures.tails[turn % len(pictures.tails)] if pictures.tails else None
    if filler_height and art:
        filler_width = form.width
        if book.rules.is_generated and not is_banner:
            filler_width = min(filler_width, filler_height / MIN_GUIDE_PICTURE_SHARE)
        left = form.side + (form.width - filler_width) / 2
        top = form.size.h - form.bottom - filler_height
        yield SetPicture(left, top, filler_width, filler_height, art, "", filling="bottom")


def _filler_height(book: Book, page: BookPageLayout) -> tuple[float, bool]:
    """Return the height of the art at the foot of a page, 0 for none, and whether it is the banner."""
    if page.back or any(item.notes for *_, item in page.boxes):
        return 0.0, False
    filler = filler_holes(book.rules.style.theme, book.form, is_guide=book.rules.is_generated)
    if page is book.pages[0]:
        filler = filler.on_first_page()
    height = filler.art_height(_find_holes(book.form, page))
    return height, height == filler.banner


def _find_holes(form: BookPage, page: BookPageLayout) -> list[float]:
    """Return the empty heights at the feet of a page's columns."""
    ends = [form.top] * form.columns
    for x, y, box, item in page.boxes:
        spans = (
            range(form.columns)
            if item.across
            else [round((x - form.side) / (form.column + form.gap))]
        )
        for column in spans:
            ends[column] = max(ends[column], y + box.height)
    return [form.size.h - form.bottom - end for end in ends]


def _set_notes(book: Book, page: BookPageLayout, setter: BookSetter) -> list[Thing]:
    form = book.form
    notes = [note for *_, item in page.boxes for note in item.notes]
    y = form.size.h - form.bottom - sum(setter.heights.of(note, form.width) for note in notes)
    things: list[Thing] = []
    for note in notes:
        things.append(SetText(form.side, y, form.width, note))
        y += setter.heights.of(note, form.width)
    return things


def _set_footer(book: Book, page: int) -> list[Thing]:
    """Return the game's name, and the page number at the outer edge."""
    form = book.form
    coder = book.coder
    left = form.mirrored and page % 2 == 0
    name = replace(coder.small, size=MIN_TYPE_PT, align="right" if left else "left")
    digits = TextStyle(MIN_TYPE_PT + 1, 1.2, QUIET, bold=True, align="left" if left else "right")
    y = form.size.h - FOOTER_MM
    return [
        SetText(form.side, y, form.width, "{ " + coder.plain(book.rules.footer, name) + " }"),
        SetText(form.side, y, form.width, "{ " + coder.plain(str(page), digits) + " }"),
    ]


def _set_cover(book: Book, setter: BookSetter) -> SetPage:
    """Return the cover: title, picture, game and version."""
    form = book.form
    coder = book.coder
    style = book.rules.style
    title = _set_title(book, setter)
    y = form.top + 0.05 * form.height
    head = SetText(form.side, y, form.width, title)
    y += setter.heights.of(title, form.width)
    quiet = TextStyle(MIN_TYPE_PT + 1, 1.2, QUIET, align="center")
    foot = SetText(
        form.side,
        form.size.h - FOOTER_MM - 2,
        form.width,
        "{ " + coder.plain(book.rules.footer, quiet) + " }",
    )
    if style.cover is None:
        return SetPage((head, foot))
    if style.theme.fills_cover:
        picture_box = _fit_cover(book)
        under = (
            SetPicture(*picture_box, style.cover, "", filling="horizon"),
            *edges(style.theme, picture_box),
        )
        return SetPage((head, foot), under, style.theme.page)
    left = foot.y - y - 12
    scale = min(form.width / style.cover.size.w, left / style.cover.size.h)
    w = scale * style.cover.size.w
    h = scale * style.cover.size.h
    picture = SetPicture(
        (form.size.w - w) / 2, y + 6 + (left - h) / 2, w, h, style.cover, book.rules.title
    )
    return SetPage((head, picture, foot))


def _set_title(book: Book, setter: BookSetter) -> str:
    """Return the title as large as it fits on a line.

    On a lettered cover it is invisible: readers' programs need a heading, for outlines and speech.
    """
    coder = book.coder
    sizes = [MAX_TITLE_PT * share / 20 for share in range(20, 4, -1)]
    theme = book.rules.style.theme
    colour = INVISIBLE if theme.lettered else theme.title or coder.heading(1).colour
    style = replace(coder.heading(1), align="center", colour=colour)
    codes = {
        size: (
            f"{{ {coder.set_rules(replace(style, size=size / TYPST_HEADING_SCALES[1]))} "
            f"heading(level: 1, {typst_string(book.rules.title)}) }}"
        )
        for size in sizes
    }
    for code in codes.values():
        setter.heights.of(code, book.form.width)
    setter.engine.measure(setter.heights, coder)
    lines = {
        size: points(setter.heights.of(code, book.form.width)) / size
        for size, code in codes.items()
    }
    return next((codes[size] for size, height in lines.items() if height < 1.5), codes[sizes[-1]])


# Operators of the line around a lined face: a brown grey, 3 pt at the face's own size, of which pages
# show a quarter or so.
OUTLINE = "0.54 0.51 0.47 RG 3 w"


def fill_forms(pdf_data: bytes, faces: Mapping[int, Face], chunks: Iterable[FacePages]) -> bytes:
    """Return the file with its faces; each is one form."""
    with ExitStack() as stack:
        chunks = tuple(chunks)
        pdf, images = stack.enter_context(join_files([pdf_data], chunks))
        forms = Forms(pdf, chunks, images)
        windows: dict[int, pikepdf.Object] = {}
        for page in pdf.pages:
            used = page.obj.get("/Resources", pikepdf.Dictionary()).get(
                "/XObject", pikepdf.Dictionary()
            )
            for key, image in list(used.items()):
                index = _face_number(image)
                if index is None:
                    continue
                if index not in windows:
                    face = faces[index % LINED]
                    windows[index] = _make_window(
                        pdf, face, forms.form(face.name, face), OUTLINE if index >= LINED else ""
                    )
                used[key] = windows[index]
        forms.replace_markers()
        share_images(pdf)
        thicken_lines(pdf)
        join_lists(pdf)
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return out.getvalue()


def _face_number(image: pikepdf.Object) -> int | None:
    """Return the number of the face that a placeholder stands for."""
    if image.get("/Subtype") != "/Image" or image.get("/Width") != 1 or image.get("/Height") != 1:
        return None
    red, green, blue = image.read_bytes()[:3]
    return red << 16 | green << 8 | blue


def _make_window(pdf: pikepdf.Pdf, face: Face, form: pikepdf.Object, line: str) -> pikepdf.Object:
    """Return a form of 1 by 1 unit, like an image, with a face's trim.

    With `line`, it is outlined.
    """
    w, h = (points(side) for side in face.size)
    bleed = points(face.bleed)
    edge = f"{path_operators(face.edge.edges, upwards(face.size.h))} S" if line else ""
    code = f"q 1 0 0 1 {number(-bleed)} {number(-bleed)} cm /F Do Q {line} {edge}"
    window_form = pdf.make_stream(code.encode())
    window_form.Type = pikepdf.Name.XObject
    window_form.Subtype = pikepdf.Name.Form
    window_form.BBox = pikepdf.Array([0, 0, round(w, 3), round(h, 3)])
    window_form.Matrix = pikepdf.Array(
        [round(1 / w, SCALE_DIGITS), 0, 0, round(1 / h, SCALE_DIGITS), 0, 0]
    )
    window_form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary({"/F": form}))
    return pdf.make_indirect(window_form)


# Printers lose thinner lines.
MIN_LINE_MM = 0.1

# Pictures whose sizes differ by less share their widened lines, so that a file has few copies of a
# picture.
LOG_SIZE_STEP = log(1.2)

# The operators that say how wide a line is drawn: those of sizes, of line widths and of forms.
SIZE_OPERATORS = "q Q cm w Do"

# The operators that `thicken_lines` may replace: those of line widths and of forms.
CHANGED = frozenset({"w", "Do"})


def thicken_lines(pdf: pikepdf.Pdf) -> None:
    """Replace every form with lines too thin for its size by one with wider lines."""
    lines = _Lines(pdf)
    for page in pdf.pages:
        content = lines.thicken(page, page.obj.get("/Resources", pikepdf.Dictionary()))
        if content is not None:
            page.Contents = pdf.make_stream(content)


@dataclass(frozen=True)
class _Lines:
    """The lines of one file; `wider_forms` are those with wider lines, by form and size."""

    pdf: pikepdf.Pdf
    wider_forms: dict[tuple[tuple[int, int], int], Any] = field(default_factory=dict)

    def thicken(self, holder: Any, resources: Any, scale: float = 1.0) -> bytes | None:
        """Return the content of a page or a form with wider lines; None if all are wide enough.

        The wider forms that it shows are added to its resources. The lines of a page stay.
        """
        changes = list(self._replace_operators(holder, resources, scale))
        if not any(changes):
            return None
        upcoming = iter(changes)
        instructions = [
            (next(upcoming) or item) if str(item.operator) in CHANGED else item
            for item in pikepdf.parse_content_stream(holder)
        ]
        return pikepdf.unparse_content_stream(instructions)

    def _replace_operators(self, holder: Any, resources: Any, scale: float) -> Iterator[Any]:
        """Yield for each operator of `CHANGED` the instruction that replaces it, or None."""
        is_reduced = scale < 1
        outer: list[float] = []
        for item in pikepdf.parse_content_stream(holder, SIZE_OPERATORS):
            match str(item.operator):
                case "q":
                    outer.append(scale)
                case "Q" if outer:
                    scale = outer.pop()
                case "cm":
                    scale *= _scale(item.operands)
                case "w":
                    is_thin = is_reduced and _is_thin(float(item.operands[0]) * scale)
                    line_width = fine(points(MIN_LINE_MM) / scale) if is_thin else ""
                    yield (
                        _instruction(pikepdf.Object.parse(line_width.encode()), "w")
                        if line_width
                        else None
                    )
                case "Do":
                    yield self._replace_form(str(item.operands[0]), resources, scale)

    def _replace_form(self, name: str, resources: Any, scale: float) -> Any:
        """Return the instruction that shows a form with wider lines; None if its lines are wide enough."""
        form = resources.get("/XObject", {}).get(name)
        if form is None or form.get("/Subtype") != "/Form":
            return None
        shown_at = max(scale * _scale(form.get("/Matrix", [1, 0, 0, 1, 0, 0])), 1e-6)
        size = ceil(log(shown_at) / LOG_SIZE_STEP - 1)
        key = form.objgen, size
        if key not in self.wider_forms:
            self.wider_forms[key] = self._widen_form(form, exp(size * LOG_SIZE_STEP))
        if self.wider_forms[key] is None:
            return None
        resources.XObject[f"{name}.{size}"] = self.wider_forms[key]
        return _instruction(pikepdf.Name(f"{name}.{size}"), "Do")

    def _widen_form(self, form: Any, scale: float) -> Any:
        """Return the form with wider lines, also in nested forms; None if all are wide enough."""
        resources = pikepdf.Dictionary(dict(form.get("/Resources", {}).items()))
        if "/XObject" in resources:
            resources.XObject = pikepdf.Dictionary(dict(resources.XObject.items()))
        content = self.thicken(form, resources, scale)
        if content is None:
            return None
        copy = self.pdf.make_stream(content)
        for name, value in form.items():
            if name not in {"/Length", "/Filter", "/DecodeParms"}:
                copy[name] = value
        copy.Resources = resources
        return self.pdf.make_indirect(copy)


def _instruction(operand: Any, operator: str) -> pikepdf.ContentStreamInstruction:
    return pikepdf.ContentStreamInstruction([operand], pikepdf.Operator(operator))


def _scale(matrix: Iterable[Any]) -> float:
    a, b, c, d, *_ = map(float, matrix)
    return sqrt(abs(a * d - b * c))


def _is_thin(width: float) -> bool:
    """Return True if a line of a width in points is too thin to print."""
    return 0 < width < points(MIN_LINE_MM) * 0.99
