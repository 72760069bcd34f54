"""A file of PDF with a page for each of many pictures, written as they come: none is held, and none is copied.

What pikepdf takes over from another file it holds, so the finished file grows from this one (`graft.py`). It begins as
pikepdf writes it, with what typst takes colours for, and the pictures follow as an update of it.
"""

import io
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import BinaryIO

import pikepdf

from generator.core.held import Aside, Held
from generator.pdf.pixels import PICTURE_SIDE, PackedImage

_START = re.compile(rb"startxref\s+(\d+)")


def image_file(images: Iterable[PackedImage], spaces: bytes) -> Held:
    """The pages of some pictures in their order; `spaces` is a file by typst, of one in colours and one in grey."""
    return Aside().made(lambda file: _Update.of(file, spaces).write(images))


@dataclass
class _Update:
    """What is appended to a file: objects by their numbers, and where each begins."""

    file: BinaryIO
    spaces: dict[int, str]
    root: str
    pages: int
    size: int
    before: int
    starts: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, file: BinaryIO, spaces: bytes) -> "_Update":
        """An update of a file without pages, that has the colours."""
        begun = _begun(spaces)
        file.write(begun)
        with pikepdf.open(io.BytesIO(begun)) as pdf:
            numbers = [_reference(space) for space in pdf.Root.Spaces]
            (*_, start) = _START.findall(begun)
            known = dict(zip((3, 1), numbers, strict=True))
            return cls(file, known, _reference(pdf.Root), pdf.Root.Pages.objgen[0], len(pdf.objects) + 1, int(start))

    def write(self, images: Iterable[PackedImage]) -> None:
        """All pictures, their pages, and where everything is."""
        kids = [self._page(self._image(image, self.spaces)) for image in images]
        self.size = self._object(self.pages, f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>")
        start = self.file.tell()
        self.file.write(b"xref\n")
        for number, at in sorted(self.starts.items()):
            self.file.write(f"{number} 1\n{at:010} 00000 n \n".encode())
        trailer = f"trailer\n<</Size {self.size}/Root {self.root}/Prev {self.before}>>\nstartxref\n{start}\n%%EOF\n"
        self.file.write(trailer.encode())

    def _page(self, image: int) -> str:
        box = f"/MediaBox[0 0 {PICTURE_SIDE:g} {PICTURE_SIDE:g}]"
        number = self.size
        self.size = self._object(
            number, f"<</Type/Page/Parent {self.pages} 0 R{box}/Resources<</XObject<</I {image} 0 R>>>>>>"
        )
        return f"{number} 0 R"

    def _image(self, image: PackedImage, spaces: dict[int, str]) -> int:
        width, height = image.size
        parts = [f"/Type/XObject/Subtype/Image/Width {width}/Height {height}/BitsPerComponent 8"]
        parts += [f"/ColorSpace {spaces[image.channels]}/Length {len(image.data)}"]
        if image.is_jpeg:
            parts += ["/Filter/DCTDecode"]
        else:
            told = f"/Predictor 15/Colors {image.channels}/BitsPerComponent 8/Columns {width}"
            parts += [f"/Filter/FlateDecode/DecodeParms<<{told}>>"]
        if image.alpha:
            parts += [f"/SMask {self._image(image.alpha, {1: '/DeviceGray'})} 0 R"]
        number = self.size
        self.size = self._object(number, f"<<{''.join(parts)}>>", image.data)
        return number

    def _object(self, number: int, told: str, data: bytes = b"") -> int:
        """Write an object; gives the number of the next."""
        self.starts[number] = self.file.tell()
        self.file.write(f"{number} 0 obj\n{told}\n".encode())
        for part in (b"stream\n", data, b"\nendstream\n") if data else ():
            self.file.write(part)
        self.file.write(b"endobj\n")
        return max(self.size, number + 1)


def _begun(spaces: bytes) -> bytes:
    """A file with the colours that typst has in its own, and no page."""
    with pikepdf.open(io.BytesIO(spaces)) as source, pikepdf.new() as pdf:
        shown = (_image_on(page.Resources).ColorSpace for page in source.pages)
        pdf.Root.Spaces = pikepdf.Array([pdf.copy_foreign(source.make_indirect(space)) for space in shown])
        made = io.BytesIO()
        pdf.save(made, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.disable)
        return made.getvalue()


def _reference(thing: pikepdf.Object) -> str:
    number, generation = thing.objgen
    return f"{number} {generation} R"


def _image_on(resources: pikepdf.Object) -> pikepdf.Object:
    (shown,) = resources.XObject.values()
    return shown if shown.Subtype == "/Image" else _image_on(shown.Resources)
