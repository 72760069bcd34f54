"""Pages of PDFs as pictures."""

from collections.abc import Iterator, Sequence

from PIL import Image

from generator.base.units import PT_PER_INCH


def page_pictures(
    pdf: bytes, dpi: float, page_indices: Sequence[int] | None = None
) -> Iterator[Image.Image]:
    """Render the pages of a PDF, or the requested ones, counted from 0."""
    import pypdfium2  # slow to load, and only needed for pages

    document = pypdfium2.PdfDocument(pdf)
    try:
        for at in range(len(document)) if page_indices is None else page_indices:
            page = document[at]
            yield page.render(scale=dpi / PT_PER_INCH).to_pil()
            page.close()
    finally:
        document.close()
