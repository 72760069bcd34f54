"""A file of PDF with a page for each of many pictures, written as they come: none is held, and none is copied.

What pikepdf takes over from another file it holds, so what shows them is written from this one, picture by picture
(`stack.py`). What typst takes their colours for stands before them.
"""

import io
from collections.abc import Iterable, Mapping

import pikepdf

from generator.core.held import Aside, Held
from generator.pdf.growing import Copied, Growing, reference
from generator.pdf.pixels import PICTURE_SIDE, PackedImage


def image_file(images: Iterable[PackedImage], spaces: bytes) -> Held:
    """The pages of some pictures in their order; `spaces` is a file by typst, of one in colours and one in grey."""
    return Aside().made(lambda file: _write(Growing(file), images, spaces))


def _write(into: Growing, images: Iterable[PackedImage], spaces: bytes) -> None:
    with pikepdf.open(io.BytesIO(spaces)) as source:
        copied = Copied(source, into, {})
        shown = (_image_on(page.Resources).ColorSpace for page in source.pages)
        known = {channels: copied.told(space) for channels, space in zip((3, 1), shown, strict=True)}
    parent = into.reserved()
    box = b"/MediaBox[0 0 %d %d]" % (PICTURE_SIDE, PICTURE_SIDE)
    kids = [
        into.add(
            b"<</Type/Page/Parent %b%b/Resources<</XObject<</I %b>>>>>>"
            % (reference(parent), box, _image(into, image, known))
        )
        for image in images
    ]
    into.add(b"<</Type/Pages/Count %d/Kids[%b]>>" % (len(kids), b" ".join(kids)), number=parent)
    into.close(into.add(b"<</Type/Catalog/Pages %b>>" % reference(parent)), into.add(b"<<>>"))


def _image(into: Growing, image: PackedImage, spaces: Mapping[int, bytes]) -> bytes:
    width, height = image.size
    parts = [b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8" % (width, height)]
    parts += [b"/ColorSpace %b" % spaces[image.channels]]
    if image.is_jpeg:
        parts += [b"/Filter/DCTDecode"]
    else:
        told = b"/Predictor 15/Colors %d/BitsPerComponent 8/Columns %d" % (image.channels, width)
        parts += [b"/Filter/FlateDecode/DecodeParms<<%b>>" % told]
    if image.alpha:
        parts += [b"/SMask %b" % _image(into, image.alpha, {1: b"/DeviceGray"})]
    return into.add(b"<<%b>>" % b"".join(parts), image.data)


def _image_on(resources: pikepdf.Object) -> pikepdf.Object:
    (shown,) = resources.XObject.values()
    return shown if shown.Subtype == "/Image" else _image_on(shown.Resources)
