"""Write the pictures of `pnp preview`: faces, contact sheets, the sheets as they print, and a page that shows them."""

import io
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from PIL import Image

from generator.base.errors import Kind, raise_any, unknown
from generator.base.files import Outbox
from generator.base.geometry import Rect
from generator.base.html import Html, html, join_html
from generator.base.outline import Outline
from generator.base.paper import Paper
from generator.base.ui_strings import Words, words_for
from generator.draw.draw import DrawnComponent, DrawnDesign, draw_game
from generator.export import WrittenFile
from generator.export.contact_sheet import draw_contact_sheet
from generator.export.face_images import draw_guides
from generator.export.face_names import BACK, FRONT, SIDES, contact_name, face_names, face_side
from generator.pack.game import Component
from generator.picture.face import Face
from generator.picture.images import encode_png
from generator.picture.raster import Rasteriser, page_pictures
from generator.picture.svg import SvgWriter
from generator.picture.web_parts import EMBEDDED_OR_BESIDE, compose_page
from generator.pipeline.printing import PrintOptions, find_named_ids
from generator.pipeline.project import Project

_STYLE = """h2 { margin: 2.5rem 0 1rem; font-size: 1.25rem }
section { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }
figure { width: min-content; max-width: 100% }
img { display: block; max-width: calc(100vw - 2rem); height: auto; filter: drop-shadow(0 1px 3px #0003) }
@media print { body { background: none } figure { break-inside: avoid } }"""


@dataclass(frozen=True)
class PageFigure:
    """A picture on the page: its HTML, its caption, and the heading of its group."""

    picture: Html
    caption: str
    group: str


def link_picture(file: str, caption: str) -> Html:
    """Return the HTML of a picture next to the page, with a link to its file."""
    template = '<a href="$file"><img src="$file" alt="$caption" loading="lazy"></a>'
    return html(template, file=file, caption=caption)


def compose_pictures_page(title: str, language: str, figures: Sequence[PageFigure]) -> Html:
    """Return the page; its pictures are next to it."""
    template = '<main class="sheet"><h1>$title</h1>\n$figures</main>'
    body = html(template, title=title, figures=compose_figures(figures))
    return compose_page(title, language, _STYLE, body, EMBEDDED_OR_BESIDE)


def compose_figures(figures: Sequence[PageFigure]) -> Html:
    """Return the HTML of the pictures with their captions, under their headings."""
    sections = (
        html(
            "<h2>$group</h2>\n<section>\n$figures\n</section>",
            group=group,
            figures=join_html(map(_figure, members), "\n"),
        )
        for group, members in groupby(figures, key=lambda figure: figure.group)
    )
    return join_html(sections, "\n")


def _figure(figure: PageFigure) -> Html:
    template = "<figure>$picture<figcaption>$caption</figcaption></figure>"
    return html(template, picture=figure.picture, caption=figure.caption)


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
    """The pictures to write.

    `designs` names the designs whose faces are written; empty means all. `kind` is the format of
    faces: png or svg. With `overlay`, faces have the lines of their trim and safe area.
    """

    what: tuple[str, ...] = WHAT
    designs: tuple[str, ...] = ()
    kind: str = "png"
    dpi: int = 150
    bleed: bool = False
    overlay: bool = False


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write the pictures asked for, and the page that shows them."""
    options = project.request.get(PictureOptions)
    writer = PreviewWriter(project, options, outbox)
    if FACES in options.what:
        writer.write_faces(options.designs)
    if CONTACT in options.what:
        writer.write_contact_sheets()
    if SHEETS in options.what:
        writer.write_sheet_pages()
    yield WrittenFile(writer.write_page(), "all pictures")


@dataclass(frozen=True)
class _FaceView:
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


def _write_svgs(views: Sequence[_FaceView]) -> Iterator[bytes]:
    """Yield the SVG of some faces; a back that many designs share is written once."""
    writer = SvgWriter()
    counts = Counter(view.face.source_key for view in views)
    shared: dict[str, bytes] = {}
    for view in views:
        key = view.face.source_key
        data = shared.get(key) or writer.write(view.face, view.window).encode()
        if key and counts[key] > 1:  # the others would only take memory
            shared[key] = data
        yield data


@dataclass
class PreviewWriter:
    """Writes the pictures of one game into the outbox."""

    project: Project
    options: PictureOptions
    outbox: Outbox
    _figures: list[PageFigure] = field(default_factory=list)
    _names: Mapping[tuple[str, str, str], str] = field(init=False)

    def __post_init__(self) -> None:
        self._names = face_names(self.project.game.components)

    @property
    def _raster(self) -> Rasteriser:
        return self.project.raster

    @property
    def _words(self) -> Words:
        return words_for(self.project.game.language)

    def write_faces(self, designs: Sequence[str]) -> None:
        """Write every face of the named designs, or of all."""
        chosen = self._chosen(designs)
        sides = [
            (component, design, side, face)
            for component, design in chosen
            for side, face in _sides(design)
        ]
        with self.project.watch.stage("preview", len(sides)) as tick:
            views = [self._make_view(component, side, face) for component, _, side, face in sides]
            files = self._render(views)
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

    def write_contact_sheets(self) -> None:
        """Write a contact sheet of each component's fronts, and of its backs if it has any."""
        with self.project.watch.stage("contact"):
            for component in self.project.components:
                for side in SIDES:
                    if side == FRONT or any(design.back for design in component.designs):
                        self._contact(component, side)

    def write_sheet_pages(self) -> None:
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

    def write_page(self) -> Path:
        """Write the page that shows all pictures, and return its path."""
        game = self.project.game
        page = compose_pictures_page(f"{game.name} {game.edition()}", game.language, self._figures)
        return self.outbox.write("index.html", page.encode())

    def _caption(self, design: DrawnDesign, side: str) -> str:
        """Return the caption of a picture: title, side and number of pieces."""
        title = design.title
        if design.back:
            called = self._words.sheet.back if side == BACK else self._words.sheet.front
            title = self._words.preview.face.format(title=title, side=called)
        return f"{title} ×\N{NO-BREAK SPACE}{design.count}"

    def _make_view(self, component: DrawnComponent, side: str, face: Face) -> _FaceView:
        spec = component.spec
        options = self.options
        outline = spec.behind if side == BACK else spec.outline
        window = face.full if options.bleed else Rect(0, 0, *face.size)
        return _FaceView(
            face if options.bleed or options.overlay else face.cut(outline),
            window,
            outline,
            spec.safe,
        )

    def _render(self, views: Sequence[_FaceView]) -> Iterator[bytes]:
        """Yield the files of some faces, in order."""
        if self.options.kind == "svg":
            yield from _write_svgs(views)
            return
        pngs = self._raster.pngs([(view.face, view.window) for view in views], self.options.dpi)
        for view, png in zip(views, pngs, strict=True):
            is_marked = self.options.overlay
            yield (
                encode_png(view.add_overlay(png, self.options.dpi), PNG_COMPRESSION)
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
        self._figures.append(PageFigure(link_picture(name, caption), caption, group))


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
