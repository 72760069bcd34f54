"""Pictures as forms of a file: the writer of PDF among the three of a picture, and the places that wait for it.

ReportLab lays out pages on which every picture is an empty form by its name (`define`, `show`). `Forms` fills those:
what is drawn comes from typst's pages, and a picture that is put together of others refers to theirs, so that each is
in the file once, however often it is shown. A form begins at the lower left of its picture's bleed, in points.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from hashlib import sha256
from typing import Any

import pikepdf

from generator.core.geometry import Affine, Point, Size
from generator.core.held import stream
from generator.core.outline import Outline
from generator.core.paths import curve_data
from generator.core.units import fine, number, points
from generator.pdf.art import MARKER, name_in
from generator.pdf.faces import FacePages
from generator.picture.model import Picture, PlacedPicture

ORIGIN = Point(0, 0)
PREFIX = "/FormXob."
"""How ReportLab names the forms of `beginForm` in a page's resources."""

FINE = 9
"""Digits of a share of a form's points."""

_STEP = re.compile(r"([MLCZ])([^MLCZ]*)")
_OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def define(canvas: Any, pictures: Iterable[Picture]) -> None:
    """An empty form for each of some pictures on a ReportLab canvas."""
    for name, picture in sorted({picture.name: picture for picture in pictures}.items()):
        canvas.beginForm(name, 0, 0, points(picture.full.w), points(picture.full.h))
        canvas.endForm()


def show(canvas: Any, picture: Picture, size: Size, at: Point = ORIGIN) -> None:
    """A picture on a ReportLab canvas, cut to its trim, so large (in points) from its lower left on."""
    canvas.saveState()
    window = canvas.beginPath()
    window.rect(at.x, at.y, *size)
    canvas.clipPath(window, stroke=0, fill=0)
    canvas.translate(*at)
    canvas.scale(size.w / points(picture.size.w), size.h / points(picture.size.h))
    canvas.translate(-points(picture.bleed), -points(picture.bleed))
    canvas.doForm(picture.name)
    canvas.restoreState()


def trace(path: Any, outline: Outline, to_page: Affine) -> None:
    """Follow an outline with a ReportLab path; `to_page` takes its mm to the canvas's points."""
    edges = outline.edges
    path.moveTo(*to_page.apply(edges[0].a))
    for edge in edges:
        if edge.straight:
            path.lineTo(*to_page.apply(edge.b))
        for part in edge.bezier():
            path.curveTo(*(number for place in part for number in to_page.apply(place)))
    path.close()


def upwards(height: float, unit: float = points(1)) -> Affine:
    """From mm, downwards on what is so high, to points upwards from its lower left; a mm may be another `unit` long."""
    return Affine(unit, 0, 0, -unit, 0, unit * height)


class Forms:
    """The forms of one file. What is not asked for is not in it.

    Contents are taken as they are packed: `Page.as_form_xobject` and `copy_foreign` of a
    page would unpack them, and hold on to the whole file that they come from.
    """

    def __init__(self, pdf: pikepdf.Pdf, chunks: Iterable[FacePages], stack: ExitStack) -> None:
        self._pdf, self._stack = pdf, stack
        self._made: dict[str, pikepdf.Object] = {}
        self._where: dict[str, tuple[FacePages, int]] = {}
        self._opened: dict[int, pikepdf.Pdf] = {}
        self._composed: dict[str, Picture] = {}
        self._blended: frozenset[str] = frozenset()
        self._pixels: set[str] = set()
        for chunk in chunks:
            self._where |= {name: (chunk, number) for name, number in chunk.pages.items()}
            self._composed |= chunk.composed
            self._blended |= chunk.blended
            self._pixels |= chunk.pages.keys() if chunk.is_pixels else set()

    def fill(self, pages: Iterable[pikepdf.Page]) -> None:
        """Put the pictures into the empty forms of the file's own pages, once where several share what they show."""
        filled: set[tuple[int, int]] = set()
        for page in pages:
            shared = page.obj.get("/Resources", pikepdf.Dictionary())
            if shared.is_indirect and shared.objgen in filled:
                continue
            filled.add(shared.objgen)
            for key in _keys(page):
                shared.XObject[key] = self.form(key.removeprefix(PREFIX))
        self.complete()

    def complete(self) -> None:
        """Put art into its places, and have every picture of pixels once."""
        if len(self._opened) > 1:
            share_images(self._pdf)
        known: dict[str, pikepdf.Object | None] = {}
        for shown in filter(None, map(_shown, list(self._pdf.objects))):
            for key, image in list(shown.items()):
                name = art_name(image)
                if name in self._where:
                    if name not in known:
                        known[name] = self._image(name) if name in self._pixels else self._as_image(self.form(name))
                        if name in self._blended:
                            self.form(name).Group = pikepdf.Dictionary(S=pikepdf.Name.Transparency, I=True)
                    shown[key] = known[name]

    def _image(self, name: str) -> pikepdf.Object:
        """The picture of pixels of that name."""
        source, page = self._page(name)
        return self._foreign(source, image_in(page.Resources))

    def _as_image(self, form: pikepdf.Object) -> pikepdf.Object:
        """A form as large as an image is, one by one, that shows a form of art.

        It is one more: what pdfium finds in a form that is scaled itself, it scales before it draws lines and patterns.
        """
        w, h = (float(side) for side in list(form.BBox)[2:])
        made = self._pdf.make_stream(b"/A Do")
        made.Type, made.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
        made.BBox = pikepdf.Array([0, 0, *form.BBox[2:]])
        made.Matrix = pikepdf.Array([round(1 / w, FINE), 0, 0, round(1 / h, FINE), 0, 0])
        made.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary({"/A": form}))
        return self._pdf.make_indirect(made)

    def form(self, name: str, picture: Picture | None = None) -> pikepdf.Object:
        """The form of that name, made when it is first asked for; `picture` is what is known of it."""
        if name not in self._made:
            found = self._composed.get(name, picture)
            whole = found if found and found.placed else None
            self._made[name] = self._assembled(whole) if whole else self._drawn(*self._page(name))
        return self._made[name]

    def _assembled(self, picture: Picture) -> pikepdf.Object:
        """A form that shows the forms of its parts."""
        layers = picture.layers
        names = {name: f"/F{nth}" for nth, name in enumerate(dict.fromkeys(one.picture.name for one in layers))}
        used = {names[one.picture.name]: self.form(one.picture.name, one.picture) for one in layers}
        lines = [f"q {_placing(one, picture)}{names[one.picture.name]} Do Q" for one in layers]
        made = self._pdf.make_stream("\n".join(lines).encode())
        made.Type, made.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
        made.BBox = pikepdf.Array([0, 0, *(round(points(side), 6) for side in picture.full.size)])
        made.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(used))
        return self._pdf.make_indirect(made)

    def _page(self, name: str) -> tuple[pikepdf.Pdf, pikepdf.Page]:
        """The page of that name, and the file that it is in, which is opened when it is first asked for."""
        chunk, index = self._where[name]
        if id(chunk) not in self._opened:
            self._opened[id(chunk)] = self._stack.enter_context(pikepdf.open(stream(chunk.pdf)))
        source = self._opened[id(chunk)]
        return source, source.pages[index]

    def _drawn(self, source: pikepdf.Pdf, page: pikepdf.Page) -> pikepdf.Object:
        form = self._content(page)
        form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
        form.BBox = pikepdf.Array([*page.MediaBox])
        form.Resources = self._foreign(source, page.Resources)
        return form

    def _content(self, page: pikepdf.Page) -> pikepdf.Stream:
        page.contents_coalesce()
        content = pikepdf.Stream(self._pdf, page.Contents.read_raw_bytes())
        packed = page.Contents.get("/Filter")
        if packed is not None:
            content.Filter = pikepdf.Array([*packed]) if isinstance(packed, pikepdf.Array) else packed
        return content

    def _foreign(self, source: pikepdf.Pdf, thing: pikepdf.Object) -> pikepdf.Object:
        return self._pdf.copy_foreign(thing if thing.is_indirect else source.make_indirect(thing))


def share_images(pdf: pikepdf.Pdf) -> None:
    """Every picture of pixels once: pages that were made in several runs bring each of theirs again."""
    once: dict[bytes, pikepdf.Object] = {}
    same: dict[tuple[int, int], pikepdf.Object] = {}
    for item in pdf.objects:
        if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image":
            same[item.objgen] = once.setdefault(_told(item), item)
    for shown in filter(None, map(_shown, pdf.objects)):
        for key, image in list(shown.items()):
            if image.objgen in same:
                shown[key] = same[image.objgen]


def image_in(resources: pikepdf.Object) -> pikepdf.Object:
    """The one image that something shows, itself or in its forms."""
    (shown,) = resources.XObject.values()
    return shown if shown.Subtype == "/Image" else image_in(shown.Resources)


def art_name(image: pikepdf.Object) -> str | None:
    """The art that an image stands for, if it is such a one."""
    if image.get("/Subtype") != "/Image" or [image.get("/Width"), image.get("/Height")] != [*MARKER]:
        return None
    return name_in(image.read_bytes())


def _told(value: Any) -> bytes:
    """All that an object is, whatever numbers the objects have that it refers to."""
    if isinstance(value, pikepdf.Stream):
        told = b"".join(key.encode() + _told(each) for key, each in sorted(value.items()))
        return sha256(told + value.read_raw_bytes()).digest()
    if isinstance(value, pikepdf.Array):
        return b"[" + b" ".join(map(_told, value)) + b"]"
    return value.unparse(resolved=True) if isinstance(value, pikepdf.Object) else repr(value).encode()


def _shown(item: Any) -> pikepdf.Object | None:
    """The pictures that resources name, of a form or for themselves."""
    held = item.get("/Resources", item) if isinstance(item, pikepdf.Dictionary | pikepdf.Stream) else None
    shown = held.get("/XObject") if isinstance(held, pikepdf.Dictionary | pikepdf.Stream) else None
    return shown if isinstance(shown, pikepdf.Dictionary) else None


def _keys(page: pikepdf.Page) -> list[str]:
    forms = page.obj.get("/Resources", pikepdf.Dictionary()).get("/XObject", pikepdf.Dictionary())
    return sorted(key for key, _ in forms.items() if key.startswith(PREFIX))


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
