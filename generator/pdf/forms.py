"""Fill the empty form XObjects of imposed sheets with the compiled faces.

A picture composed of others shows their forms, so each form is in the file once. A form's origin is
the lower left corner of its picture's bleed, in points. Large images come in files of their own, which
qpdf joins with the sheets on disk, because pikepdf copies objects from other files through memory.
"""

import shutil
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pikepdf

from generator.base.files import temporary_folder
from generator.base.geometry import Affine, Point
from generator.base.paths import Edge
from generator.base.spill import Data, stream
from generator.base.units import fine, number, points
from generator.pdf.art_pages import MARKER_SIZE, marker_name_in
from generator.pdf.faces import FacePages
from generator.pdf.images import image_in
from generator.picture.items import Picture, PlacedPicture

# ReportLab's prefix of form names in a page's resources; a test checks it.
PREFIX = "/FormXob."

# Decimals of the scale of a form: with these, a picture 2 m wide is wrong by less than 0.01 mm.
SCALE_DIGITS = 9


@lru_cache(maxsize=100)
def upwards(height: float) -> Affine:
    """Return the map from mm, y downwards, on a page `height` mm high to points, y upwards."""
    return Affine(points(1), 0, 0, -points(1), 0, points(height))


Images = Mapping[str, pikepdf.Object]
"""The large images of a file, by name."""


@contextmanager
def join_files(
    files: Sequence[Data], chunks: Iterable[FacePages]
) -> Iterator[tuple[pikepdf.Pdf, Images]]:
    """Open the pages of some files as one file, which contains the large images of the chunks too.

    The first file keeps its tags, its links and its outline. Streams are read from the disk when they are needed.
    """
    image_chunks = [chunk for chunk in chunks if chunk.is_images]
    with ExitStack() as stack:
        to_join = [*files, *(chunk.pdf for chunk in image_chunks)]
        if len(to_join) == 1:
            pdf = stack.enter_context(pikepdf.open(stream(to_join[0])))
        else:
            path = _join_on_disk(to_join, stack.enter_context(temporary_folder()))
            pdf = stack.enter_context(pikepdf.open(path, access_mode=pikepdf.AccessMode.stream))
        yield pdf, _take_images(pdf, image_chunks)


def _join_on_disk(files: Sequence[Data], folder: Path) -> Path:
    """Write a file with the pages of all files to a folder, and return its path."""
    paths = [folder / f"{number}.pdf" for number in range(len(files))]
    for path, data in zip(paths, files, strict=True):
        with stream(data) as source, path.open("wb") as target:
            shutil.copyfileobj(source, target)
    joined = folder / "joined.pdf"
    pages = [{"file": str(path)} for path in paths]
    pikepdf.Job({"inputFile": str(paths[0]), "pages": pages, "outputFile": str(joined)}).run()
    return joined


def _take_images(pdf: pikepdf.Pdf, chunks: Sequence[FacePages]) -> Images:
    """Remove the pages with large images from the end of a file, and return the images by name."""
    images: dict[str, pikepdf.Object] = {}
    for chunk in reversed(chunks):
        first = len(pdf.pages) - len(chunk.pages)
        images |= {
            name: image_in(pdf.pages[first + page].Resources) for name, page in chunk.pages.items()
        }
        del pdf.pages[first:]
    return images


class Forms:
    """The forms of one file, by the names of their pictures."""

    def __init__(self, pdf: pikepdf.Pdf, chunks: Iterable[FacePages], images: Images) -> None:
        self._pdf = pdf
        self._images = images
        self._empty: dict[str, pikepdf.Object] = {}
        self._filled: dict[str, pikepdf.Object] = {}
        self._page_of: dict[str, tuple[FacePages, int]] = {}
        # The opened files of chunks, and how many of their pages are still to be placed, by the chunk's id().
        self._opened: dict[int, pikepdf.Pdf] = {}
        self._pages_left: Counter[int] = Counter()
        self._composed: dict[str, Picture] = {}
        self._blended: frozenset[str] = frozenset()
        for chunk in chunks:
            self._composed |= chunk.composed
            self._blended |= chunk.blended
            if not chunk.is_images:
                self._page_of |= {name: (chunk, number) for name, number in chunk.pages.items()}
                self._pages_left[id(chunk)] = len(chunk.pages)

    def fill(self, pages: Iterable[pikepdf.Page]) -> None:
        """Fill the empty forms that some pages show, in the order in which they are shown."""
        self._empty = self._empty_forms(page.obj for page in pages)
        for name in self._empty:
            self.form(name)
        self.replace_markers()

    def _empty_forms(self, holders: Iterable[pikepdf.Object]) -> dict[str, pikepdf.Object]:
        """Return the empty forms that pages show, also within forms of a whole side, by the names of their pictures."""
        forms: dict[str, pikepdf.Object] = {}
        visited: set[str] = set()
        pending = deque(holders)
        while pending:
            xobjects = (
                pending.popleft()
                .get("/Resources", pikepdf.Dictionary())
                .get("/XObject", pikepdf.Dictionary())
            )
            # pikepdf's keys are a set, whose order changes from run to run.
            for key in sorted(xobjects.keys() - visited):
                visited.add(key)
                name = key.removeprefix(PREFIX)
                if name in self._page_of or name in self._composed:
                    forms[name] = xobjects[key]
                else:
                    pending.append(xobjects[key])
        return forms

    def replace_markers(self) -> None:
        """Replace the markers in the file by the art and the large images that they stand for."""
        unit_forms: dict[str, pikepdf.Object] = {}
        for xobjects in filter(None, map(_xobjects, list(self._pdf.objects))):
            for key, image in list(xobjects.items()):
                name = _marker_name(image) or ""
                if name in self._images:
                    xobjects[key] = self._images[name]
                elif name in self._page_of:
                    if name not in unit_forms:
                        unit_forms[name] = self._unit_form(self.form(name))
                        # Art with blend modes is isolated, so that it does not mix with colours below
                        # it.
                        if name in self._blended:
                            self.form(name).Group = pikepdf.Dictionary(
                                S=pikepdf.Name.Transparency, I=True
                            )
                    xobjects[key] = unit_forms[name]

    def _unit_form(self, form: pikepdf.Object) -> pikepdf.Object:
        """Return a form of 1 by 1 unit, like an image, that shows a form of art.

        It is a second form because PDFium rasterises lines and patterns of a form that is scaled
        itself before it scales them.
        """
        w, h = (float(side) for side in list(form.BBox)[2:])
        unit_form = self._new_form(b"/A Do")
        unit_form.BBox = pikepdf.Array([0, 0, *form.BBox[2:]])
        unit_form.Matrix = pikepdf.Array(
            [round(1 / w, SCALE_DIGITS), 0, 0, round(1 / h, SCALE_DIGITS), 0, 0]
        )
        unit_form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary({"/A": form}))
        return unit_form

    def form(self, name: str, picture: Picture | None = None) -> pikepdf.Object:
        """Return the form of a name, filled when first used; `picture` may be made of other pictures."""
        if name not in self._filled:
            form = self._filled[name] = self._empty.get(name) or self._new_form()
            composition = self._composed.get(name, picture)
            if composition and composition.placed:
                self._fill_with_forms(form, composition)
            else:
                self._fill_with_page(form, name)
        return self._filled[name]

    def _new_form(self, content: bytes = b"") -> pikepdf.Object:
        form = self._pdf.make_stream(content)
        form.Type = pikepdf.Name.XObject
        form.Subtype = pikepdf.Name.Form
        return form

    def _fill_with_forms(self, form: pikepdf.Object, picture: Picture) -> None:
        """Fill a form with the forms of its picture's parts."""
        layers = picture.layers
        names = {
            name: f"/F{index}"
            for index, name in enumerate(dict.fromkeys(layer.picture.name for layer in layers))
        }
        used = {
            names[layer.picture.name]: self.form(layer.picture.name, layer.picture)
            for layer in layers
        }
        lines = [
            f"q {_placement(layer, picture)}{names[layer.picture.name]} Do Q" for layer in layers
        ]
        form.write("\n".join(lines).encode())
        form.BBox = pikepdf.Array([0, 0, *(round(points(side), 6) for side in picture.full.size)])
        form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(used))

    def _page(self, name: str) -> tuple[pikepdf.Pdf, pikepdf.Page]:
        """Return the page of a face and its file, which is opened when first used.

        A file is forgotten after its last page, since its objects take some 0.7 MB. It is not
        closed: until the result is saved, qpdf reads the copied streams from it.
        """
        chunk, index = self._page_of[name]
        if id(chunk) not in self._opened:
            self._opened[id(chunk)] = pikepdf.open(stream(chunk.pdf))
        source = self._opened[id(chunk)]
        self._pages_left[id(chunk)] -= 1
        if not self._pages_left[id(chunk)]:
            del self._opened[id(chunk)]
        return source, source.pages[index]

    def _fill_with_page(self, form: pikepdf.Object, name: str) -> None:
        """Fill a form with the content of a page made by typst."""
        source, page = self._page(name)
        page.contents_coalesce()
        their_filter = page.Contents.get("/Filter")
        # The name of the filter belongs to the other file; parsing its text makes one of this file.
        our_filter: Any = (
            pikepdf.Object.parse(their_filter.unparse()) if their_filter is not None else None
        )
        form.write(page.Contents.read_raw_bytes(), filter=our_filter)
        form.BBox = pikepdf.Array([*page.MediaBox])
        resources = page.Resources
        # pikepdf copies only indirect objects.
        form.Resources = self._pdf.copy_foreign(
            resources if resources.is_indirect else source.make_indirect(resources)
        )


def share_images(pdf: pikepdf.Pdf) -> None:
    """Merge equal images of a file: typst writes an image again in each of its runs."""
    by_size: dict[tuple[int, ...], list[pikepdf.Object]] = defaultdict(list)
    for item in pdf.objects:
        if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image":
            by_size[int(item.Width), int(item.Height), int(item.Length)].append(item)
    replacements: dict[tuple[int, int], pikepdf.Object] = {}
    for images in by_size.values():
        by_digest: dict[bytes, pikepdf.Object] = {}
        # Only images of equal sizes are read, so that photographs stay on the disk.
        for image in images if len(images) > 1 else ():
            first = by_digest.setdefault(_digest(image), image)
            if first is not image:
                replacements[image.objgen] = first
    for xobjects in filter(None, map(_xobjects, pdf.objects)) if replacements else ():
        for key, image in list(xobjects.items()):
            if image.objgen in replacements:
                xobjects[key] = replacements[image.objgen]


def _marker_name(image: pikepdf.Object) -> str | None:
    """Return the name of the art or the image that a marker stands for; None for any other image."""
    if image.get("/Subtype") != "/Image" or [image.get("/Width"), image.get("/Height")] != [
        *MARKER_SIZE
    ]:
        return None
    return marker_name_in(image.read_bytes())


def _digest(value: Any) -> bytes:
    """Return a digest of an object and all that it refers to, independent of object numbers."""
    if isinstance(value, pikepdf.Stream):
        digest = sha256(
            b"".join(key.encode() + _digest(item) for key, item in sorted(value.items()))
        )
        digest.update(value.read_raw_bytes())
        return digest.digest()
    if isinstance(value, pikepdf.Array):
        return b"[" + b" ".join(map(_digest, value)) + b"]"
    return (
        value.unparse(resolved=True) if isinstance(value, pikepdf.Object) else repr(value).encode()
    )


def _xobjects(item: Any) -> pikepdf.Object | None:
    """Return the forms and images in the resources of a page or form, or in resources by themselves."""
    resources = (
        item.get("/Resources", item)
        if isinstance(item, pikepdf.Dictionary | pikepdf.Stream)
        else None
    )
    xobjects = (
        resources.get("/XObject")
        if isinstance(resources, pikepdf.Dictionary | pikepdf.Stream)
        else None
    )
    return xobjects if isinstance(xobjects, pikepdf.Dictionary) else None


def _placement(layer: PlacedPicture, outer: Picture) -> str:
    """Return the operators that move a form to its place in another and clip it."""
    to_layer = _to_form(layer.picture)
    matrix = " ".join(fine(value) for value in _to_form(outer) @ layer.at @ to_layer.inverse())
    if not layer.clip:
        return "" if matrix == "1 0 0 1 0 0" else f"{matrix} cm "
    return f"{matrix} cm {path_operators(layer.clip.edges, to_layer)} W n "


def _to_form(picture: Picture) -> Affine:
    """Return the map from a picture (mm from its trim's top left) to its form (points from its bleed's lower left)."""
    bleed = points(picture.bleed)
    return Affine(e=bleed, f=bleed) @ upwards(picture.size.h)


def path_operators(edges: Sequence[Edge], to_form: Affine) -> str:
    """Return a closed line as PDF operators; `to_form` takes its mm to the form's points."""

    def write(places: Iterable[Point], operator: str) -> str:
        points_on_form = map(to_form.apply, places)
        return " ".join([*(f"{number(at.x)} {number(at.y)}" for at in points_on_form), operator])

    steps = [write([edges[0].a], "m")]
    for edge in edges:
        if edge.is_straight:
            steps.append(write([edge.b], "l"))
        steps += (write(places, "c") for places in edge.bezier())
    return " ".join([*steps, "h"])
