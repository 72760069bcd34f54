"""Write PDFs with a page for each of some images, which qpdf joins with the sheets on disk.

pikepdf copies objects from other files through memory, so images are joined in this way (`forms.py`).
"""

import io
from collections.abc import Iterable, Iterator, Mapping

import pikepdf

from generator.core.held import Aside, Held
from generator.pdf.pixels import PAGE_SIDE, PackedImage

# Bytes of images in memory at once; a larger image has a file of its own.
MAX_FILE_BYTES = 8_000_000


def image_files(images: Iterable[tuple[str, PackedImage]], spaces: bytes) -> Iterator[tuple[Held, dict[str, int]]]:
    """Yield files with some images each, and each image's page number by name.

    `spaces` is a file compiled by typst with a coloured and a grey image, from which the colour spaces are taken.
    """
    part: list[tuple[str, PackedImage]] = []
    size = 0
    for name, image in images:
        if part and size + image.packed_size > MAX_FILE_BYTES:
            yield _write(part, spaces)
            part = []
            size = 0
        part.append((name, image))
        size += image.packed_size
    if part:
        yield _write(part, spaces)


def _write(images: Iterable[tuple[str, PackedImage]], spaces: bytes) -> tuple[Held, dict[str, int]]:
    with pikepdf.new() as pdf, pikepdf.open(io.BytesIO(spaces)) as source:
        known = _colour_spaces(pdf, source)
        pages: dict[str, int] = {}
        for name, image in images:
            pages[name] = len(pages)
            page = pdf.add_blank_page(page_size=(PAGE_SIDE, PAGE_SIDE))
            page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=_image(pdf, image, known)))
        return Aside().made(lambda file: pdf.save(file, deterministic_id=True)), pages


def _colour_spaces(pdf: pikepdf.Pdf, source: pikepdf.Pdf) -> Mapping[int, pikepdf.Object]:
    """Return typst's colour spaces for three channels and for one."""
    shown = (image_in(page.Resources).ColorSpace for page in source.pages)
    spaces = (space if space.is_indirect else source.make_indirect(space) for space in shown)
    return dict(zip((3, 1), map(pdf.copy_foreign, spaces), strict=True))


def _image(pdf: pikepdf.Pdf, image: PackedImage, spaces: Mapping[int, pikepdf.Object]) -> pikepdf.Object:
    """Return an image whose bytes are those of the picture's file."""
    width, height = image.size
    entries = pikepdf.Dictionary(
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Image,
        Width=width,
        Height=height,
        BitsPerComponent=8,
        ColorSpace=spaces[image.channels],
    )
    if image.is_jpeg:
        entries.Filter = pikepdf.Name.DCTDecode
    else:
        entries.Filter = pikepdf.Name.FlateDecode
        entries.DecodeParms = pikepdf.Dictionary(Predictor=15, Colors=image.channels, BitsPerComponent=8, Columns=width)
    if image.alpha:
        entries.SMask = _image(pdf, image.alpha, {1: pikepdf.Name.DeviceGray})
    return pdf.make_indirect(pikepdf.Stream(pdf, image.data, entries))


def image_in(resources: pikepdf.Object) -> pikepdf.Object:
    """Return the one image that resources name, themselves or in their forms."""
    (shown,) = resources.XObject.values()
    return shown if shown.Subtype == "/Image" else image_in(shown.Resources)
