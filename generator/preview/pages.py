"""The pages of a PDF as pictures, read by pdfium."""

from collections.abc import Iterator

import pypdfium2
from PIL import Image

from generator.core.units import PT_PER_INCH


def page_pictures(pdf: bytes, dpi: float) -> Iterator[Image.Image]:
    """Each page in turn."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            yield page.render(scale=dpi / PT_PER_INCH).to_pil()
            page.close()
    finally:
        document.close()
