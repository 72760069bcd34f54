"""Write a game as pictures: its faces, a contact sheet of each component, the sheets as they print."""

import io
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import ceil, floor, sqrt
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo

from generator.base.errors import Kind, Problem, raise_any, unknown
from generator.base.files import Outbox
from generator.base.fonts import FontSet, missing_letters
from generator.base.geometry import Rect, Size
from generator.base.html import Html, html, join_html
from generator.base.outline import Outline
from generator.base.paper import Paper
from generator.base.ui_strings import Words, words_for
from generator.base.units import MM_PER_INCH, pixels
from generator.draw.draw import DrawnComponent, DrawnDesign, draw_game
from generator.export import Written
from generator.pack.game import Component, Design
from generator.picture.face import Face
from generator.picture.images import encode_png
from generator.picture.raster import Rasteriser, page_pictures
from generator.picture.svg import SvgWriter
from generator.picture.web_parts import EMBEDDED_OR_BESIDE, compose_page
from generator.pipeline.printing import PrintOptions, find_named_ids
from generator.pipeline.project import Project

SIDES = FRONT, BACK = "front", "back"

# The ids of a component and of a design, and a side.
FaceId = tuple[str, str, str]

# Stands between two ids if a dash would give two faces one name; ids cannot contain it.
UNIQUE_SEPARATOR = "+"


def face_side(number: int) -> str:
    """Return the name of a further face of a piece, counted from 2."""
    return f"face-{number}"


def _list_side_names(design: Design) -> Iterator[str]:
    yield from SIDES
    yield from (face_side(number) for number, _ in enumerate(design.more, 2))


def contact_name(component: str, side: str) -> str:
    """Return the name of a component's contact sheet."""
    return f"contact-{component}-{side}"


def face_names(components: Sequence[Component]) -> Mapping[FaceId, str]:
    """Return a unique file name for every face.

    Raise an error if two names differ only in case, because many file systems treat these as one.
    """
    faces = [
        (part.id, design.id, side)
        for part in components
        for design in part.designs
        for side in _list_side_names(design)
    ]
    counts = Counter(contact_name(part.id, side).lower() for part in components for side in SIDES)
    counts += Counter("-".join(face).lower() for face in faces)
    names = {
        face: "-".join(face) if counts["-".join(face).lower()] == 1 else _separated_name(*face)
        for face in faces
    }
    raise_any(_name_clashes({face: name for face, name in names.items() if face[2] == FRONT}))
    return names


def _separated_name(component: str, design: str, side: str) -> str:
    return f"{component}{UNIQUE_SEPARATOR}{design}-{side}"


def _name_clashes(names: Mapping[FaceId, str]) -> Iterator[Problem]:
    """Yield a problem for each two faces whose names differ only in case."""
    first: dict[str, FaceId] = {}
    for face, name in names.items():
        other = first.setdefault(name.lower(), face)
        if other != face:
            same = f"{':'.join(other[:2])} and {':'.join(face[:2])} would be the same file on many disks: {name}"
            yield Problem(None, same, "ids that differ in more than capitals")


_STYLE = """h2 { margin: 2.5rem 0 1rem; font-size: 1.25rem }
section { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }
figure { width: min-content; max-width: 100% }
img { display: block; max-width: calc(100vw - 2rem); height: auto; filter: drop-shadow(0 1px 3px #0003) }
@media print { body { background: none } figure { break-inside: avoid } }"""


@dataclass(frozen=True)
class Shot:
    """A picture of the page: its HTML, its caption and its heading."""

    picture: Html
    caption: str
    group: str


def link_picture(file: str, caption: str) -> Html:
    """Return the HTML of a picture next to the page, with a link to its file."""
    template = '<a href="$file"><img src="$file" alt="$caption" loading="lazy"></a>'
    return html(template, file=file, caption=caption)


def compose_gallery(title: str, language: str, shots: Sequence[Shot]) -> Html:
    """Return the page; its pictures are next to it."""
    template = '<main class="sheet"><h1>$title</h1>\n$figures</main>'
    body = html(template, title=title, figures=compose_figures(shots))
    return compose_page(title, language, _STYLE, body, EMBEDDED_OR_BESIDE)


def compose_figures(shots: Sequence[Shot]) -> Html:
    """Return the HTML of the pictures with their captions, under their headings."""
    sections = (
        html(
            "<h2>$group</h2>\n<section>\n$figures\n</section>",
            group=group,
            figures=join_html(map(_figure, members), "\n"),
        )
        for group, members in groupby(shots, key=lambda shot: shot.group)
    )
    return join_html(sections, "\n")


def _figure(shot: Shot) -> Html:
    template = "<figure>$picture<figcaption>$caption</figcaption></figure>"
    return html(template, picture=shot.picture, caption=shot.caption)


PAPER = "#ffffff"
INK = "#202428"
PALE = "#6a737b"
# Between pictures.
GAP_MM = 4.0

# The scale to which a long title or id shrinks before it is shortened.
MIN_TEXT_SCALE = 0.6

# Of the whole sheet. Components of many designs are drawn smaller, because huge pictures do not
# open.
MAX_PIXELS = 40_000_000


def draw_contact_sheet(
    component: DrawnComponent, fonts: FontSet, raster: Rasteriser, dpi: float, side: str
) -> Image.Image:
    """Draw the fronts (or backs) of all designs in rows, each cut to its outline."""
    size = component.spec.outline.size
    dpi = min(dpi, _max_dpi(component))
    width, height = (pixels(length, dpi) for length in size)
    gap = pixels(GAP_MM, dpi)
    text_size = max(12, pixels(3.2, dpi))
    # Two lines of text stand below each picture.
    step_x = width + gap
    step_y = height + gap + 2 * text_size
    outline = component.spec.outline if side == "front" else component.spec.behind
    faces = [
        (design, face.cut(outline)) for design in component.designs if (face := _face(design, side))
    ]
    columns = max(1, min(len(faces), ceil(sqrt(len(faces) * step_y / step_x))))
    rows = ceil(len(faces) / columns)
    sheet = Image.new("RGB", (columns * step_x + gap, rows * step_y + gap), PAPER)
    for index, (design, face) in enumerate(faces):
        left = gap + index % columns * step_x
        top = gap + index // columns * step_y
        picture = raster.face(face, dpi, Rect(0, 0, *size)).resize((width, height))
        sheet.paste(picture, (left, top), picture)
        caption = Rect(left, top + height + text_size // 4, width, text_size)
        _caption(ImageDraw.Draw(sheet), caption, design, fonts)
    return sheet


def _caption_font(fonts: FontSet, text: str, size: int) -> ImageFont.FreeTypeFont:
    """Return the usual font in a size in pixels, or the one of the game that lacks the fewest characters of a text."""
    usual = fonts.find("Alegreya Sans", 700)
    lacks = {usual: len(missing_letters(text, usual))}
    if lacks[usual]:
        lacks |= {file: len(missing_letters(text, file)) for file in fonts.files}
    file = min(lacks, key=lambda file: lacks[file])
    return ImageFont.truetype(str(file.path), size)


def _max_dpi(component: DrawnComponent) -> float:
    """Return the resolution at which the sheet has `MAX_PIXELS`."""
    width, height = (side + GAP_MM for side in component.spec.outline.size)
    area = width * height * max(1, len(component.designs))
    return MM_PER_INCH * sqrt(MAX_PIXELS / area)


def _face(design: DrawnDesign, side: str) -> Face | None:
    return design.front if side == "front" else design.back


def _caption(draw: ImageDraw.ImageDraw, box: Rect, design: DrawnDesign, fonts: FontSet) -> None:
    """Draw the title at the left, the count at the right, and the id below; `box` is that of the first line."""
    size = int(box.h)
    font = _caption_font(fonts, "", size)
    times = f"× {design.count}"
    available = box.w - draw.textlength(times, font) - size / 2
    _line(
        draw, (box.x, box.y), design.title, _caption_font(fonts, design.title, size), available, INK
    )
    draw.text((box.right, box.y), times, PALE, font, anchor="ra")
    if design.title != design.id:
        below = (box.x, box.bottom)
        _line(draw, below, design.id, _caption_font(fonts, design.id, size), box.w, PALE)


def _line(
    draw: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    font: ImageFont.FreeTypeFont,
    width: float,
    colour: str,
) -> None:
    """Draw a line of text from its top left; shrink a long one, then shorten it."""
    line = " ".join(text.splitlines())
    length = font.getlength(line)
    scale = max(MIN_TEXT_SCALE, width / length) if length > width else 1.0
    smaller = font.font_variant(size=scale * font.size)
    shortened = _shorten(line, smaller, width)
    draw.text((at[0], at[1] + font.size), shortened, colour, smaller, anchor="ls")


def _shorten(text: str, font: ImageFont.FreeTypeFont, width: float) -> str:
    """Return a text with an ellipsis, as long as fits."""
    if font.getlength(text) <= width:
        return text
    # A title may be as long as a book, so the largest number of characters that fits is bisected.
    count = bisect_right(
        range(1, len(text) + 1), width, key=lambda count: font.getlength(text[:count] + "…")
    )
    return text[:count] + "…"


WHITE = (255, 255, 255)
# The rendering intent in PNG's sRGB chunk.
_PERCEPTUAL = b"\0"

Pixels = tuple[int, int]


def extend_edges(raster: Rasteriser, face: Face, pixels: Pixels, dpi: int) -> Image.Image:
    """Return a face centred in a picture; beyond its bleed, its outermost pixels are repeated."""
    size = Size(*(side * MM_PER_INCH / dpi for side in pixels))
    centre = face.full.centre
    window = Rect(centre.x - size.w / 2, centre.y - size.h / 2, *size)
    image = on_white(raster.face(face, dpi, window))
    scale = dpi / MM_PER_INCH
    left, top = (
        max(0, ceil((inner - outer) * scale))
        for inner, outer in zip(face.full[:2], window[:2], strict=True)
    )
    right = min(image.width, floor((face.full.right - window.x) * scale))
    bottom = min(image.height, floor((face.full.bottom - window.y) * scale))
    return _repeat_edges(image, (left, top, right, bottom))


def _repeat_edges(image: Image.Image, core: tuple[int, int, int, int]) -> Image.Image:
    """Repeat the outermost pixels of the core (left, top, right, bottom) up to the picture's edges."""
    left, top, right, bottom = core
    for edge, strip in (
        ((left, 0, left + 1, image.height), (0, 0, left, image.height)),
        ((right - 1, 0, right, image.height), (right, 0, image.width, image.height)),
        ((0, top, image.width, top + 1), (0, 0, image.width, top)),
        ((0, bottom - 1, image.width, bottom), (0, bottom, image.width, image.height)),
    ):
        size = strip[2] - strip[0], strip[3] - strip[1]
        if min(size) > 0:
            image.paste(image.crop(edge).resize(size, Image.Resampling.NEAREST), strip)
    return image


def trim_face(raster: Rasteriser, face: Face, outline: Outline, pixels: Pixels) -> Image.Image:
    """Return a face cut to its outline and scaled to fill a size in pixels, with alpha around it."""
    svg = face.cut(outline)
    dpi = max(pixels[0] / face.size.w, pixels[1] / face.size.h) * MM_PER_INCH
    picture = raster.face(svg, dpi, Rect(0, 0, *face.size))
    return picture if picture.size == pixels else picture.resize(pixels, Image.Resampling.LANCZOS)


def on_white(image: Image.Image) -> Image.Image:
    """Return a picture on white, without alpha."""
    paper = Image.new("RGB", image.size, WHITE)
    paper.paste(image, mask=image.getchannel("A") if image.mode == "RGBA" else None)
    return paper


def tile_pictures(images: Sequence[Image.Image], columns: int) -> Image.Image:
    """Return pictures of one size side by side without gaps, row by row."""
    w, h = images[0].size
    sheet = Image.new("RGB", (columns * w, ceil(len(images) / columns) * h), WHITE)
    for index, image in enumerate(images):
        sheet.paste(on_white(image), (index % columns * w, index // columns * h))
    return sheet


def encode_sized_png(image: Image.Image, dpi: int) -> bytes:
    """Return a PNG with colour space and resolution."""
    buffer = io.BytesIO()
    info = PngInfo()
    info.add(b"sRGB", _PERCEPTUAL)
    image.save(buffer, "PNG", dpi=(dpi, dpi), pnginfo=info)
    return buffer.getvalue()


TRIM_COLOUR = "#e6007e"
SAFE_COLOUR = "#00a0e0"
# Of the trim and safe lines.
LINE_MM = 0.25


def draw_guides(
    image: Image.Image, window: Rect, outline: Outline, safe: float, dpi: float
) -> Image.Image:
    """Return a picture of a face with the trim line in magenta and the safe area in blue."""
    marked = image.convert("RGB")
    draw = ImageDraw.Draw(marked)
    scale = dpi / MM_PER_INCH
    width = max(1, round(LINE_MM * scale))
    for line, colour in ((outline, TRIM_COLOUR), (outline.shrunk(safe), SAFE_COLOUR)):
        flat = line.flat if line else ()
        places = [((x - window.x) * scale, (y - window.y) * scale) for x, y in (*flat, *flat[:1])]
        draw.line(places, fill=colour, width=width, joint="curve")
    return marked


FACES = "faces"
CONTACT = "contact"
SHEETS = "sheets"
WHAT = (FACES, CONTACT, SHEETS)
# zlib's fastest level: higher levels take three times as long and save a tenth of the space.
PNG_COMPRESSION = 1


# A design with its component.
DrawnPair = tuple[DrawnComponent, DrawnDesign]


@dataclass(frozen=True)
class PictureOptions:
    """The pictures to write: `kind` is png or svg.

    `dpi` their resolution; `designs` limits faces, by name.
    """

    what: tuple[str, ...] = WHAT
    designs: tuple[str, ...] = ()
    kind: str = "png"
    dpi: int = 150
    bleed: bool = False
    overlay: bool = False


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """Write the pictures asked for, and the page that shows them."""
    options = project.request.get(PictureOptions)
    show = Show(project, options, outbox)
    if FACES in options.what:
        show.faces(options.designs)
    if CONTACT in options.what:
        show.contact_sheets()
    if SHEETS in options.what:
        show.sheets()
    yield Written(show.index(), "all pictures")


@dataclass(frozen=True)
class _Plate:
    """A face to render: its window, its outline and the width of its safe margin in mm."""

    face: Face
    window: Rect
    outline: Outline
    safe: float

    def add_overlay(self, png: bytes, dpi: float) -> Image.Image:
        """Return the picture with the trim line and the safe area."""
        return draw_guides(
            Image.open(io.BytesIO(png)).convert("RGBA"),
            self.window,
            self.outline,
            self.safe,
            dpi,
        )


def _write_svgs(plates: "Sequence[_Plate]") -> Iterator[bytes]:
    """Yield the SVG of some faces; a back that many designs share is written once."""
    writer = SvgWriter()
    counts = Counter(plate.face.source_key for plate in plates)
    shared: dict[str, bytes] = {}
    for plate in plates:
        key = plate.face.source_key
        data = shared.get(key) or writer.write(plate.face, plate.window).encode()
        if key and counts[key] > 1:  # the others would only take memory
            shared[key] = data
        yield data


@dataclass
class Show:
    """Writes the pictures of one game into the outbox."""

    project: Project
    options: PictureOptions
    outbox: Outbox
    _shots: list[Shot] = field(default_factory=list)
    _names: Mapping[tuple[str, str, str], str] = field(init=False)

    def __post_init__(self) -> None:
        self._names = face_names(self.project.game.components)

    @property
    def _raster(self) -> Rasteriser:
        return self.project.raster

    @property
    def _words(self) -> Words:
        return words_for(self.project.game.language)

    def faces(self, designs: Sequence[str]) -> None:
        """Write every face of the named designs, or of all."""
        chosen = self._chosen(designs)
        sides = [
            (component, design, side, face)
            for component, design in chosen
            for side, face in _sides(design)
        ]
        with self.project.watch.stage("preview", len(sides)) as tick:
            plates = [self._plate(component, side, face) for component, _, side, face in sides]
            files = self._render(plates)
            for index, (component, design, side, _) in enumerate(sides, 1):
                data = next(files)
                caption = self._caption(design, side)
                name = f"{self._names[component.spec.id, design.id, side]}.{self.options.kind}"
                self._write(name, caption, component.spec.title, data)
                tick(index)

    def _chosen(self, designs: Sequence[str]) -> list[DrawnPair]:
        """Return the designs with these names, or those of `--only`, or all.

        Avoid drawing others that no picture needs.
        """
        components = self.project.game.components
        only = () if designs else self.project.request.get(PrintOptions).only
        named = select_designs(components, designs)
        if only:
            ids = {part.id: [design.id for design in part.designs] for part in components}
            chosen = find_named_ids(ids, only)
            named = [pair for pair in named if pair in chosen]
        alone = (designs or only) and set(self.options.what) == {FACES}
        drawn_components = _draw_some(self.project, named) if alone else self.project.components
        pairs = {
            (part.spec.id, design.id): (part, design)
            for part in drawn_components
            for design in part.designs
        }
        return [pairs[name] for name in named]

    def contact_sheets(self) -> None:
        """Write a contact sheet of each component's fronts, and of its backs if it has any."""
        with self.project.watch.stage("contact"):
            for component in self.project.components:
                for side in SIDES:
                    if side == FRONT or any(design.back for design in component.designs):
                        self._contact(component, side)

    def sheets(self) -> None:
        """Write the pages of the sheets as they print."""
        for name in self.project.papers:
            imposed = self.project.impose(name)
            for part in imposed.job.parts:
                self._pages(
                    self.project.write_sheets(imposed.job, part).read(),
                    imposed.setup.paper,
                    part.name,
                )

    def _pages(self, pdf: bytes, where: Paper, part: str) -> None:
        stem = "-".join(word for word in ("sheets", where.name, part) if word)
        template = self._words.preview.part if part else self._words.preview.page
        parts = {"1-fronts": self._words.sheet.fronts, "2-backs": self._words.sheet.backs}
        with self.project.watch.stage("pages"):
            for number, page in enumerate(page_pictures(pdf, self.options.dpi), 1):
                caption = template.format(part=parts.get(part, part), number=number)
                data = encode_png(page, PNG_COMPRESSION)
                self._write(
                    f"{stem}-{number:02}.png", caption, where.title_in(self._words.sheet), data
                )

    def index(self) -> Path:
        """Write the page that shows all pictures, and return its path."""
        game = self.project.game
        page = compose_gallery(f"{game.name} {game.edition()}", game.language, self._shots)
        return self.outbox.write("index.html", page.encode())

    def _caption(self, design: DrawnDesign, side: str) -> str:
        """Return the caption of a picture: title, side and number of pieces."""
        title = design.title
        if design.back:
            called = self._words.sheet.back if side == BACK else self._words.sheet.front
            title = self._words.preview.face.format(title=title, side=called)
        return f"{title} ×\N{NO-BREAK SPACE}{design.count}"

    def _plate(self, component: DrawnComponent, side: str, face: Face) -> "_Plate":
        spec = component.spec
        options = self.options
        outline = spec.behind if side == BACK else spec.outline
        window = face.full if options.bleed else Rect(0, 0, *face.size)
        return _Plate(
            face if options.bleed or options.overlay else face.cut(outline),
            window,
            outline,
            spec.safe,
        )

    def _render(self, plates: "Sequence[_Plate]") -> Iterator[bytes]:
        """Yield the files of some faces, in order."""
        if self.options.kind == "svg":
            yield from _write_svgs(plates)
            return
        pngs = self._raster.pngs([(plate.face, plate.window) for plate in plates], self.options.dpi)
        for plate, png in zip(plates, pngs, strict=True):
            is_marked = self.options.overlay
            yield (
                encode_png(plate.add_overlay(png, self.options.dpi), PNG_COMPRESSION)
                if is_marked
                else png
            )

    def _contact(self, component: DrawnComponent, side: str) -> None:
        image = draw_contact_sheet(
            component, self.project.game.fonts, self._raster, min(self.options.dpi, 150), side
        )
        spec = component.spec
        words = self._words.preview
        template = words.fronts if side == FRONT else words.backs
        caption = template.format(
            title=spec.title, count=spec.count, designs=len(component.designs)
        )
        self._write(
            f"{contact_name(spec.id, side)}.png",
            caption,
            words.contact,
            encode_png(image, PNG_COMPRESSION),
        )

    def _write(self, name: str, caption: str, group: str, data: bytes) -> None:
        self.outbox.write(name, data)
        self._shots.append(Shot(link_picture(name, caption), caption, group))


def _draw_some(project: Project, names: Collection[tuple[str, str]]) -> tuple[DrawnComponent, ...]:
    """Draw only the designs with these component and design ids, since others may have mistakes."""
    parts = (
        replace(
            part,
            designs=tuple(design for design in part.designs if (part.id, design.id) in names),
        )
        for part in project.game.components
    )
    game = replace(project.game, components=tuple(part for part in parts if part.designs))
    with project.watch.stage("draw", game.design_count) as tick:
        return draw_game(game, tick, cache=project.cache)


def select_designs(components: Sequence[Component], names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the designs with these names (an id, `component:id` or a component).

    All if there are no names.

    Raise an error that lists unknown names.
    """
    everything = [(part.id, design.id) for part in components for design in part.designs]
    if not names:
        return everything
    pairs_by_name: dict[str, list[tuple[str, str]]] = {}
    for component, design in everything:
        for name in (design, f"{component}:{design}", component):
            pairs_by_name.setdefault(name, []).append((component, design))
    raise_any(
        unknown("design", name, pairs_by_name, kind=Kind.USAGE).at(None)
        for name in names
        if name not in pairs_by_name
    )
    return [pair for name in names for pair in pairs_by_name[name]]


def _sides(design: DrawnDesign) -> Iterator[tuple[str, Face]]:
    yield FRONT, design.front
    yield from ((face_side(number), face) for number, face in enumerate(design.more, 2))
    if design.back:
        yield BACK, design.back
