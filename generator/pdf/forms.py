"""Forms are filled: each empty form XObject of a laid-out file gets what typst made of the face of its name.

A picture that is put together of others shows their forms, so that each is in the file once, however often it is shown.
A form begins at the lower left of its picture's bleed, in points. Pictures of pixels come in files of their own, which
qpdf joins with the laid-out file on disk: what pikepdf copies from another file it holds in memory.
"""

import re
import shutil
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pikepdf

from generator.core.files import temporary_folder
from generator.core.geometry import Affine, Point
from generator.core.held import Data, stream
from generator.core.paths import curve_data
from generator.core.units import fine, number, points
from generator.pdf.art import MARKER, name_in
from generator.pdf.faces import FacePages
from generator.pdf.imagefile import image_in
from generator.picture.items import Picture, PlacedPicture

PREFIX = "/FormXob."
"""What ReportLab puts before the names of forms in a page's resources; a test holds it to that."""

FINE = 9
"""Digits of a share of a form's points."""

_STEP = re.compile(r"([MLCZ])([^MLCZ]*)")
_OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def upwards(height: float) -> Affine:
    """Return the map from mm, downwards from the top left of a box of a height in mm, to points from its lower left."""
    return Affine(points(1), 0, 0, -points(1), 0, points(height))


Images = Mapping[str, pikepdf.Object]
"""Pictures of pixels by name, as images of a file."""


@contextmanager
def join_files(files: Sequence[Data], chunks: Iterable[FacePages]) -> Iterator[tuple[pikepdf.Pdf, Images]]:
    """Open the pages of some files as one file, and the pictures of pixels among the chunks as images of that file.

    The first file keeps its tags, its links and its outline. Nothing is read into memory but what is looked at.
    """
    pixels = [chunk for chunk in chunks if chunk.is_pixels]
    with ExitStack() as stack:
        joined = [*files, *(chunk.pdf for chunk in pixels)]
        if len(joined) == 1:
            pdf = stack.enter_context(pikepdf.open(stream(joined[0])))
        else:
            path = _join_on_disk(joined, stack.enter_context(temporary_folder()))
            pdf = stack.enter_context(pikepdf.open(path, access_mode=pikepdf.AccessMode.stream))
        yield pdf, _take_images(pdf, pixels)


def _join_on_disk(files: Sequence[Data], folder: Path) -> Path:
    paths = [folder / f"{number}.pdf" for number in range(len(files))]
    for path, data in zip(paths, files, strict=True):
        with stream(data) as source, path.open("wb") as target:
            shutil.copyfileobj(source, target)
    whole = folder / "whole.pdf"
    pages = [{"file": str(path)} for path in paths]
    pikepdf.Job({"inputFile": str(paths[0]), "pages": pages, "outputFile": str(whole)}).run()
    return whole


def _take_images(pdf: pikepdf.Pdf, chunks: Sequence[FacePages]) -> Images:
    """Take the pages with pictures from the end of a file, and return the pictures."""
    images: dict[str, pikepdf.Object] = {}
    for chunk in reversed(chunks):
        first = len(pdf.pages) - len(chunk.pages)
        images |= {name: image_in(pdf.pages[first + page].Resources) for name, page in chunk.pages.items()}
        del pdf.pages[first:]
    return images


class Forms:
    """The forms of one file, by the names of their pictures."""

    def __init__(
        self, pdf: pikepdf.Pdf, chunks: Iterable[FacePages], stack: ExitStack, images: Images | None = None
    ) -> None:
        self._pdf = pdf
        self._stack = stack
        self._images = images or {}
        self._empty: dict[str, pikepdf.Object] = {}
        self._made: dict[str, pikepdf.Object] = {}
        self._where: dict[str, tuple[FacePages, int]] = {}
        self._opened: dict[int, pikepdf.Pdf] = {}
        self._composed: dict[str, Picture] = {}
        self._blended: frozenset[str] = frozenset()
        for chunk in chunks:
            self._composed |= chunk.composed
            self._blended |= chunk.blended
            if not chunk.is_pixels:
                self._where |= {name: (chunk, number) for name, number in chunk.pages.items()}

    def fill(self, pages: Iterable[pikepdf.Page]) -> None:
        """Fill the empty forms that some pages show, in the order in which they are shown."""
        self._empty = self._empty_forms(page.obj for page in pages)
        for name in self._empty:
            self.form(name)
        self.complete()

    def _empty_forms(self, holders: Iterable[pikepdf.Object]) -> dict[str, pikepdf.Object]:
        """Return the empty forms that pages show, also within forms of a whole side, by the names of their pictures."""
        found: dict[str, pikepdf.Object] = {}
        seen: set[str] = set()
        waiting = deque(holders)
        while waiting:
            shown = waiting.popleft().get("/Resources", pikepdf.Dictionary()).get("/XObject", pikepdf.Dictionary())
            # pikepdf's keys are a set, whose order changes from run to run.
            for key in sorted(shown.keys() - seen):
                seen.add(key)
                name = key.removeprefix(PREFIX)
                if name in self._where or name in self._composed:
                    found[name] = shown[key]
                else:
                    waiting.append(shown[key])
        return found

    def complete(self) -> None:
        """Put art and pictures of pixels where their markers are."""
        known: dict[str, pikepdf.Object] = {}
        for shown in filter(None, map(_shown, list(self._pdf.objects))):
            for key, image in list(shown.items()):
                name = art_name(image) or ""
                if name in self._images:
                    shown[key] = self._images[name]
                elif name in self._where:
                    if name not in known:
                        known[name] = self._as_image(self.form(name))
                        if name in self._blended:
                            self.form(name).Group = pikepdf.Dictionary(S=pikepdf.Name.Transparency, I=True)
                    shown[key] = known[name]

    def _as_image(self, form: pikepdf.Object) -> pikepdf.Object:
        """A form as large as an image is, one by one, that shows a form of art.

        It is one more: what pdfium finds in a form that is scaled itself, it scales before it draws lines and patterns.
        """
        w, h = (float(side) for side in list(form.BBox)[2:])
        made = self._pdf.make_stream(b"/A Do")
        made.Type = pikepdf.Name.XObject
        made.Subtype = pikepdf.Name.Form
        made.BBox = pikepdf.Array([0, 0, *form.BBox[2:]])
        made.Matrix = pikepdf.Array([round(1 / w, FINE), 0, 0, round(1 / h, FINE), 0, 0])
        made.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary({"/A": form}))
        return self._pdf.make_indirect(made)

    def form(self, name: str, picture: Picture | None = None) -> pikepdf.Object:
        """Return the form of a name, filled when it is first asked for; `picture` is what is known of it."""
        if name not in self._made:
            form = self._made[name] = self._empty.get(name) or self._new_form()
            found = self._composed.get(name, picture)
            if found and found.placed:
                self._assemble(form, found)
            else:
                self._draw(form, name)
        return self._made[name]

    def _new_form(self) -> pikepdf.Object:
        form = self._pdf.make_stream(b"")
        form.Type = pikepdf.Name.XObject
        form.Subtype = pikepdf.Name.Form
        return form

    def _assemble(self, form: pikepdf.Object, picture: Picture) -> None:
        """Make a form show the forms of its picture's parts."""
        layers = picture.layers
        names = {name: f"/F{nth}" for nth, name in enumerate(dict.fromkeys(one.picture.name for one in layers))}
        used = {names[one.picture.name]: self.form(one.picture.name, one.picture) for one in layers}
        lines = [f"q {_placing(one, picture)}{names[one.picture.name]} Do Q" for one in layers]
        form.write("\n".join(lines).encode())
        form.BBox = pikepdf.Array([0, 0, *(round(points(side), 6) for side in picture.full.size)])
        form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(used))

    def _page(self, name: str) -> tuple[pikepdf.Pdf, pikepdf.Page]:
        """The page of that name, and the file that it is in, which is opened when it is first asked for."""
        chunk, index = self._where[name]
        if id(chunk) not in self._opened:
            self._opened[id(chunk)] = self._stack.enter_context(pikepdf.open(stream(chunk.pdf)))
        source = self._opened[id(chunk)]
        return source, source.pages[index]

    def _draw(self, form: pikepdf.Object, name: str) -> None:
        """Make a form show what typst drew on a page."""
        source, page = self._page(name)
        page.contents_coalesce()
        packed = page.Contents.get("/Filter")
        # A name of another file is not a name of ours, so it is written and parsed.
        ours: Any = pikepdf.Object.parse(packed.unparse()) if packed is not None else None
        form.write(page.Contents.read_raw_bytes(), filter=ours)
        form.BBox = pikepdf.Array([*page.MediaBox])
        form.Resources = self._foreign(source, page.Resources)

    def _foreign(self, source: pikepdf.Pdf, thing: pikepdf.Object) -> pikepdf.Object:
        return self._pdf.copy_foreign(thing if thing.is_indirect else source.make_indirect(thing))


def share_images(pdf: pikepdf.Pdf) -> None:
    """Have equal pictures of pixels in a file once: typst writes a picture again in each of its runs."""
    alike: dict[tuple[int, ...], list[pikepdf.Object]] = defaultdict(list)
    for item in pdf.objects:
        if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image":
            alike[int(item.Width), int(item.Height), int(item.Length)].append(item)
    same: dict[tuple[int, int], pikepdf.Object] = {}
    for images in alike.values():
        once: dict[bytes, pikepdf.Object] = {}
        # Only what may be equal is read: photographs lie on the disk.
        for image in images if len(images) > 1 else ():
            first = once.setdefault(_digest(image), image)
            if first is not image:
                same[image.objgen] = first
    for shown in filter(None, map(_shown, pdf.objects)) if same else ():
        for key, image in list(shown.items()):
            if image.objgen in same:
                shown[key] = same[image.objgen]


def art_name(image: pikepdf.Object) -> str | None:
    """The art that an image stands for, if it is such a one."""
    if image.get("/Subtype") != "/Image" or [image.get("/Width"), image.get("/Height")] != [*MARKER]:
        return None
    return name_in(image.read_bytes())


def _digest(value: Any) -> bytes:
    """Return a digest of an object and all that it refers to, whatever their numbers."""
    if isinstance(value, pikepdf.Stream):
        digest = sha256(b"".join(key.encode() + _digest(each) for key, each in sorted(value.items())))
        digest.update(value.read_raw_bytes())
        return digest.digest()
    if isinstance(value, pikepdf.Array):
        return b"[" + b" ".join(map(_digest, value)) + b"]"
    return value.unparse(resolved=True) if isinstance(value, pikepdf.Object) else repr(value).encode()


def _shown(item: Any) -> pikepdf.Object | None:
    """Return the forms and images that resources name, of a page or form or by themselves."""
    held = item.get("/Resources", item) if isinstance(item, pikepdf.Dictionary | pikepdf.Stream) else None
    shown = held.get("/XObject") if isinstance(held, pikepdf.Dictionary | pikepdf.Stream) else None
    return shown if isinstance(shown, pikepdf.Dictionary) else None


def _placing(one: PlacedPicture, outer: Picture) -> str:
    """The operators that bring a form to its place in another and cut it."""
    move = _to_form(outer) @ one.at @ _to_form(one.picture).inverse()
    matrix = " ".join(fine(value) for value in move)
    return f"{matrix} cm {_clip(one)}" if matrix != "1 0 0 1 0 0" or one.clip else ""


def _to_form(picture: Picture) -> Affine:
    """From a picture (mm, downwards from its trim's top left) to its form (points, upwards from its bleed's corner)."""
    bleed = points(picture.bleed)
    return Affine(e=bleed, f=bleed) @ upwards(picture.size.h)


def _clip(one: PlacedPicture) -> str:
    return f"{operators(curve_data(one.clip.edges), _to_form(one.picture))} W n " if one.clip else ""


def operators(data: str, to_form: Affine) -> str:
    """Path data, of which only M, L, C and Z are ours to write, as operators."""
    return " ".join(_steps(data, to_form))


def _steps(data: str, to_form: Affine) -> Iterator[str]:
    for letter, written in _STEP.findall(data):
        values = [float(value) for value in re.split(r"[\s,]+", written.strip()) if value]
        places = (to_form.apply(Point(*pair)) for pair in zip(values[::2], values[1::2], strict=True))
        yield " ".join([*(f"{number(at.x)} {number(at.y)}" for at in places), _OPERATORS[letter]])
