"""Compile faces to PDF pages: typst sets their text and reads the rest as SVG, a hundred faces at a time.

Art (`art_pages.py`) and large images (`images.py`) become pages of their own, which `forms.py` puts
in the place of the markers on the faces.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import typst

from generator.base.budget import drawing
from generator.base.cache import NO_CACHE, CacheStore, key_of
from generator.base.errors import PnpError, Problem
from generator.base.fonts import FontSet
from generator.base.geometry import Rect, Size
from generator.base.spill import Data
from generator.base.units import number
from generator.base.worker import WorkError, WorkLimitError, too_much
from generator.pdf.art_pages import DPI, ArtComparer, MarkerWriter, art_in, image_marker_name
from generator.pdf.images import (
    PackedImage,
    PrintedImage,
    colour_samples,
    image_files,
    large_images_of,
    packed_image,
    reduction_notes,
)
from generator.pdf.typst import (
    PageSource,
    Sandbox,
    drop_typst_cache,
    open_sandbox,
    typst_string,
    without_structure,
)
from generator.picture.face import NOTHING_SHARED, Face, SharedFaces
from generator.picture.items import Group, Item, Picture, TextRun
from generator.picture.svg import SvgWriter
from generator.picture.workload import needs_worker

_HEAD = (
    "#set document(date: none)\n#set page(margin: 0pt, fill: none)\n"
    '#set text(lang: "und", fallback: false, hyphenate: false, cjk-latin-spacing: none, '
    'top-edge: "baseline", bottom-edge: "baseline")\n'
    # No line of a face is 9999 mm long, so none breaks.
    "#let words(x, y, content, ..style) = "
    "place(dx: x, dy: y, box(width: 9999mm, text(..style, content)))\n"
)

# Scripts whose letters stand one by one from left to right: Latin, Greek and Cyrillic, each with
# common signs. typst would order or join the letters of other scripts by itself.
_SIGNS = " -@\\[-`{-~\u00a1-\u00a9\u00ab\u00ac\u00ae-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2010-\u2015\u2018-\u2026"
_SCRIPTS = (
    "A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff",
    "\u0370-\u03ff\u1f00-\u1fff",
    "\u0400-\u052f",
)
_PLAIN_TEXT = re.compile("|".join(f"[{_SIGNS}{letters}]*" for letters in _SCRIPTS))
_OPAQUE = re.compile(r"#[0-9a-fA-F]{6}")


# The CSS property in the SVG of art that blends its colours.
BLEND_PROPERTY = "mix-blend-mode"
# Faces of a document share fonts. More faces need more memory, which typst does not release.
FACES_PER_DOCUMENT = 100

# Pixels of images in one document.
MAX_PIXELS_PER_DOCUMENT = 8e6

# Names that a note lists.
MAX_NAMES = 8

# The step's name in the cache.
CACHE_STEP = "pages"


def write_pages(sources: Iterable[PageSource], writer: SvgWriter) -> dict[str, bytes]:
    """Return the files of a typst document with a page for each source; `main` is its code.

    Items that several pages share, such as a background, become one file, which typst reads once.
    """
    document = _DocumentWriter(writer)
    code = [document.page(source) for source in sources]
    styles = [f"#let {name} = arguments({style})\n" for style, name in document.styles.items()]
    main = "".join([_HEAD, *styles, *code]).encode()
    return {"main": main, **{name: svg.encode() for svg, name in document.names.items()}}


class _DocumentWriter:
    """Writes the typst code of pages; `names` has the file of each SVG, `styles` the variable of each text style."""

    def __init__(self, writer: SvgWriter) -> None:
        self._writer = writer
        self._written: dict[object, str] = {}
        self.names: dict[str, str] = {}
        self.styles: dict[str, str] = {}

    def page(self, source: PageSource) -> str:
        """Return the typst code of a page."""
        sides = f"width: {number(source.size.w)}mm, height: {number(source.size.h)}mm"
        parts = [self._image(source.content, sides)] if isinstance(source.content, str) else []
        if isinstance(source.content, Picture):
            for part in split_text(source.content.items):
                if isinstance(part, TextRun):
                    parts.append(self._text(part, source.content.full))
                else:
                    parts.append(self._image(self._svg_of(part, source.content), sides))
        return "".join([f"#page({sides})[", *parts, "]\n"])

    def _image(self, svg: str, sides: str) -> str:
        name = self.names.setdefault(svg, f"{len(self.names)}.svg")
        return f'#place(image("{name}", {sides}))'

    def _svg_of(self, items: tuple[Item, ...], page: Picture) -> str:
        """Return some items of a page as an SVG of the page's size."""
        key = (tuple(item.fingerprint for item in items), page.size, page.bleed)
        if key not in self._written:
            self._written[key] = self._writer.write(Picture(items, page.size, page.bleed))
        return self._written[key]

    def _text(self, run: TextRun, full: Rect) -> str:
        """Return the code that places a run; `full` is the page's area with bleed."""
        families = "".join(f"{typst_string(name)}, " for name in run.font.names)
        style = f'font: ({families}), size: {number(run.size)}mm, weight: {run.font.weight}, fill: rgb("{run.colour}")'
        if run.font.italic:
            style += ', style: "italic"'
        if run.small_caps:
            style += ', features: ("smcp",)'
        name = self.styles.setdefault(style, f"style{len(self.styles)}")
        # Rounded before the subtraction, as in the SVG, so that text in print and in previews
        # coincides.
        x = number(float(number(run.x)) - float(number(full.x)))
        y = number(float(number(run.y)) - float(number(full.y)))
        return f"#words({x}mm, {y}mm, {typst_string(run.text)}, ..{name})"


def split_text(items: tuple[Item, ...]) -> Iterator[TextRun | tuple[Item, ...]]:
    """Yield plain text runs and, between them, the other items; plain groups are opened."""
    between: list[Item] = []
    for item in _flatten(items):
        if isinstance(item, TextRun) and is_plain_text(item):
            if between:
                yield tuple(between)
                between = []
            yield item
        else:
            between.append(item)
    if between:
        yield tuple(between)


def _flatten(items: tuple[Item, ...]) -> Iterator[Item]:
    """Yield the items; in the place of each plain group that may hold text, yield the group's items."""
    for item in items:
        if (
            isinstance(item, Group)
            and item.is_plain
            and any(isinstance(entry, TextRun | Group) for entry in item.items)
        ):
            yield from _flatten(item.items)
        else:
            yield item


def is_plain_text(run: TextRun) -> bool:
    """Return True if typst's own text looks like the run: opaque, unspaced, and written from left to right."""
    return (
        run.stroke is None
        and not run.spacing
        and not run.underline
        and _OPAQUE.fullmatch(run.colour) is not None
        and _PLAIN_TEXT.fullmatch(run.text) is not None
    )


@dataclass(frozen=True)
class FacePages:
    """A compiled PDF whose pages are faces, pieces of art or large images.

    `composed` are the faces that are made of other faces, in this or another PDF; they have no page.
    `rasterised` are files of art printed as pixels because the engines render them differently.
    `blended` is art with blend modes, which must not blend with anything below it. If `is_images`,
    each page exists only to hold one large image; `reduced_to_dpi` has the new resolution of each
    image that was too fine.
    """

    pdf: Data
    pages: dict[str, int]  # the number of the page by the name of a face, of art or of an image
    composed: Mapping[str, Picture] = field(default_factory=dict)
    rasterised: tuple[str, ...] = ()
    blended: frozenset[str] = frozenset()
    is_images: bool = False
    reduced_to_dpi: tuple[int, ...] = ()


NO_SIZES: Mapping[str, Size] = MappingProxyType({})


def compile_faces(
    faces: Sequence[Face],
    fonts: FontSet,
    tick: Callable[[int], object] = lambda _: None,
    cache: CacheStore = NO_CACHE,
    shared: SharedFaces = NOTHING_SHARED,
    dpi: int | None = None,
) -> tuple[FacePages, ...]:
    """Compile distinct faces in chunks; images get at most `dpi` pixels per inch.

    The chunks of faces come first, then those of their art and large images. `tick` is called with the number of faces
    done.
    """
    chunks = list[FacePages]()
    art_and_images = list[FacePages]()
    names = set[str]()
    with open_sandbox(fonts) as sandbox:
        compiler = _Compiler(fonts, sandbox, cache)
        for part in shared.split(faces):
            single = [face for face in _distinct_faces(part) if face.name not in names]
            images = large_images_of(single, dpi)
            art_and_images += compiler.compile_art(art_in(single))
            art_and_images += compiler.compile_images(images)
            sizes = {key: image.size for key, image in images.items()}
            sources = [PageSource(face.name, face.label, face, face.full.size) for face in single]
            for pages in compiler.compile_in_chunks(sources, sizes):
                chunks.append(pages)
                names |= pages.pages.keys()
                tick(len(names))
    if chunks:
        chunks[0] = replace(chunks[0], composed={face.name: face for face in faces if face.placed})
    return *chunks, *art_and_images


def compile_art(
    faces: Sequence[Face], fonts: FontSet, cache: CacheStore = NO_CACHE
) -> tuple[FacePages, ...]:
    """Compile the art and the large images of some faces, without the faces."""
    with open_sandbox(fonts) as sandbox:
        compiler = _Compiler(fonts, sandbox, cache)
        single = _distinct_faces(faces)
        art = compiler.compile_art(art_in(single))
        return *art, *compiler.compile_images(large_images_of(single))


def note_replacements(pages: Iterable[FacePages]) -> tuple[str, ...]:
    """Return notes on art printed as pixels, and on images that were reduced."""
    pages = tuple(pages)
    reductions = reduction_notes([dpi for part in pages for dpi in part.reduced_to_dpi])
    names = sorted({name for part in pages for name in part.rasterised})
    if not names:
        return reductions
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    why = f"printed as images at {DPI} dpi, because PDF would not look like the preview"
    return f"{why}: {', '.join(names[:MAX_NAMES])}{more}", *reductions


def _number_pages(sources: Sequence[PageSource]) -> dict[str, int]:
    """Return the page number of each source, by name, in a document of all sources."""
    return {source.name: page for page, source in enumerate(sources)}


def _distinct_faces(faces: Sequence[Face]) -> tuple[Face, ...]:
    """Return the distinct faces that typst draws: composed faces are replaced by their parts.

    A part without a label gets that of its face.
    """
    distinct: dict[str, Face] = {}
    for face in faces:
        for leaf in face.leaves:
            named = (
                leaf
                if isinstance(leaf, Face)
                else Face(leaf.items, leaf.size, leaf.bleed, face.label)
            )
            distinct.setdefault(leaf.name, named)
    return tuple(distinct.values())


def _split_by_pixels(images: Mapping[str, PrintedImage]) -> Iterator[dict[str, PrintedImage]]:
    """Split images into groups of at most `MAX_PIXELS_PER_DOCUMENT`, or of one larger image."""
    part = dict[str, PrintedImage]()
    free = MAX_PIXELS_PER_DOCUMENT
    for key, picture in images.items():
        area = picture.size.w * picture.size.h
        if part and area > free:
            yield part
            part = {}
            free = MAX_PIXELS_PER_DOCUMENT
        part[key] = picture
        free -= area
    if part:
        yield part


Document = tuple[Sequence[PageSource], bytes]
"""The sources of a document's pages, and the compiled PDF."""


@dataclass(frozen=True)
class _Compiler:
    """Compiles pages in one sandbox, in as few documents as memory allows; the documents are cached."""

    fonts: FontSet
    sandbox: Sandbox
    cache: CacheStore

    def compile_in_chunks(
        self, sources: Sequence[PageSource], sizes: Mapping[str, Size]
    ) -> Iterator[FacePages]:
        """Compile faces, `FACES_PER_DOCUMENT` at a time; `sizes` are the pixel sizes of large images, by key."""
        for start in range(0, len(sources), FACES_PER_DOCUMENT):
            part = sources[start : start + FACES_PER_DOCUMENT]
            documents, is_new = self._cached_documents(part, sizes)
            yield from (FacePages(pdf, _number_pages(pages)) for pages, pdf in documents)
            if is_new and start + FACES_PER_DOCUMENT < len(sources):
                drop_typst_cache()

    def compile_art(self, art: Sequence[PageSource]) -> tuple[FacePages, ...]:
        """Compile each piece of art; use pixels where resvg renders it differently."""
        chunks = list[FacePages]()
        different = list[PageSource]()
        comparer = ArtComparer(self.fonts, self.sandbox.worker, self.cache)
        for start in range(0, len(art), FACES_PER_DOCUMENT):
            documents, _ = self._cached_documents(art[start : start + FACES_PER_DOCUMENT])
            for pages, pdf in documents:
                different += comparer.find_different(pages, pdf)
                blended = frozenset(page.name for page in pages if BLEND_PROPERTY in page.svg)
                chunks.append(FacePages(pdf, _number_pages(pages), blended=blended))
        for source in different:
            rasterised = self._documents([comparer.rasterise(source)])
            chunks += (
                FacePages(pdf, _number_pages(pages), {}, (source.label,))
                for pages, pdf in rasterised
            )
        return tuple(chunks)

    def compile_images(self, images: Mapping[str, PrintedImage]) -> tuple[FacePages, ...]:
        """Make a page for each image: images that need no drawing in one file, others a few at a time."""
        to_draw: dict[str, PrintedImage] = {}
        chunks: list[FacePages] = []

        def pack() -> Iterator[tuple[str, PackedImage]]:
            for key, image in images.items():
                if packed := packed_image(*image.printed_file, self.cache):
                    yield key, packed
                else:
                    to_draw[key] = image

        if images:
            for pdf, numbers in image_files(pack(), self._compile(colour_samples())):
                pages = {image_marker_name(key): page for key, page in numbers.items()}
                reduced = tuple(images[key].dpi or 0 for key in numbers if images[key].scale < 1)
                chunks.append(FacePages(pdf, pages, is_images=True, reduced_to_dpi=reduced))
        for part in _split_by_pixels(to_draw):
            sources = [image.page_source(key) for key, image in part.items()]
            documents, is_new = self._cached_documents(sources)
            chunks += [
                FacePages(pdf, _number_pages(pages), is_images=True) for pages, pdf in documents
            ]
            if is_new:
                drop_typst_cache()
        return tuple(chunks)

    def _cached_documents(
        self, sources: Sequence[PageSource], sizes: Mapping[str, Size] = NO_SIZES
    ) -> tuple[list[Document], bool]:
        """Return compiled documents, and True if they were compiled now and not cached."""
        key = key_of(self.fonts.digest, [(source.name, source.size) for source in sources])
        cached = self.cache.get(CACHE_STEP, key)
        if cached is not None:
            return [(sources, cached)], False
        documents = list(self._documents(sources, sizes))
        if len(documents) == 1:
            self.cache.put(CACHE_STEP, key, documents[0][1])
        return documents, True

    def _documents(
        self, sources: Sequence[PageSource], sizes: Mapping[str, Size] = NO_SIZES
    ) -> Iterator[Document]:
        """Compile pages as one document, or each as one of its own if typst cannot compile them together.

        Raise `PnpError` for a page that cannot be compiled by itself.
        """
        try:
            yield sources, self._compile(sources, sizes)
        except (typst.TypstError, WorkError, WorkLimitError) as error:
            if len(sources) == 1:
                raise PnpError([_describe_failure(sources[0], error)]) from error
            for source in sources:
                yield from self._documents([source], sizes)

    def _compile(
        self, sources: Sequence[PageSource], sizes: Mapping[str, Size] = NO_SIZES
    ) -> bytes:
        # A writer remembers the groups that it wrote: one for each document keeps memory flat.
        files = write_pages(sources, MarkerWriter(sizes))
        is_heavy = any(needs_worker(source.content) for source in sources)
        with drawing(*(source.label for source in sources)):
            document = self.sandbox.typeset(files, heavy=is_heavy)
        return without_structure(document)


def _describe_failure(source: PageSource, error: Exception) -> Problem:
    """Return the problem of a page that typst cannot compile."""
    if isinstance(error, WorkLimitError):
        return too_much(source.label, error.why)
    why = str(getattr(error, "message", error))
    found = f"{source.label}: its picture cannot be printed: {why}"
    return Problem(None, found, "an SVG that typst can read")
