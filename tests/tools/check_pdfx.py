"""Check a PDF by the rules of PDF/X, with pikepdf alone and without importing `generator`.

Each message names the subject of a rule (ISO 15930-4 for X-1a:2003, 15930-7 for X-4), with the
clause of ISO 32000-1:2008 that defines the entries it reads. `faults` returns all faults of a file.
"""

import io
import zlib
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name, Operator, Stream

INKS = {"/DeviceCMYK", "/DeviceGray"}


def streams(pdf) -> Iterator:
    """Yield all objects with content streams: pages, forms, tiles of patterns."""
    yield from (page.obj for page in pdf.pages)
    for thing in pdf.objects:
        if isinstance(thing, Stream) and (
            thing.get("/Subtype") == Name.Form or "/PaintType" in thing
        ):
            yield thing


def faults(data: bytes, standard: str) -> list[str]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return [
            *_file(pdf, standard),
            *_pages(pdf),
            *_colours(pdf),
            *_fonts(pdf),
            *(_opaque(pdf) if standard == "x-1a" else []),
        ]


def _file(pdf, standard):
    info = pdf.docinfo
    if pdf.pdf_version != {"x-1a": "1.4", "x-4": "1.6"}[standard]:
        yield f"file header (7.5.2): version {pdf.pdf_version}"
    if pdf.is_encrypted:
        yield "encryption (7.6): the file is encrypted"
    if "/ID" not in pdf.trailer:
        yield "file trailer (7.5.5): no ID"
    yield from (
        f"document information (14.3.3): no {key}"
        for key in ("/Title", "/CreationDate", "/ModDate", "/Creator")
        if key not in info
    )
    if str(info.get("/Trapped")) not in {"/True", "/False"}:
        yield "trapping (14.11.6): Trapped is neither true nor false"
    if standard == "x-1a":
        if str(info.get("/GTS_PDFXVersion")) != "PDF/X-1a:2003":
            yield "identification (14.3.3): no GTS_PDFXVersion in the information dictionary"
    else:
        text = pdf.Root.Metadata.read_bytes().decode() if "/Metadata" in pdf.Root else ""
        keys = (
            "GTS_PDFXVersion",
            "PDF/X-4",
            "CreateDate",
            "ModifyDate",
            "MetadataDate",
            "DocumentID",
            "RenditionClass",
            "title",
        )
        yield from (
            f"identification (14.3.2): no {word} in the metadata"
            for word in keys
            if word not in text
        )
    intents = [item for item in pdf.Root.get("/OutputIntents", []) if item.S == Name.GTS_PDFX]
    if len(intents) != 1:
        yield f"output intents (14.11.5): {len(intents)} of GTS_PDFX"
    for intent in intents:
        profile = intent.DestOutputProfile.read_bytes()
        if profile[12:20] != b"prtrCMYK" or profile[36:40] != b"acsp":
            yield "output intents (14.11.5): the profile is not that of a press for CMYK"
        if int.from_bytes(profile[:4], "big") != len(profile):
            yield "output intents (14.11.5): the profile is cut off"
    yield from (f"actions (12.6): {key}" for key in ("/OpenAction", "/AA") if key in pdf.Root)


def _pages(pdf):
    for index, page in enumerate(pdf.pages, 1):
        boxes = [
            [float(edge) for edge in page.obj[key]]
            for key in ("/TrimBox", "/BleedBox", "/MediaBox")
            if key in page.obj
        ]
        if len(boxes) != 3 or "/ArtBox" in page.obj:
            yield f"page boxes (14.11.2): page {index} needs a trim box and no art box"
        for inner, outer in pairwise(boxes):
            if (
                inner[0] < outer[0]
                or inner[1] < outer[1]
                or inner[2] > outer[2]
                or inner[3] > outer[3]
            ):
                yield f"page boxes (14.11.2): on page {index} one box is not inside the other"
        if "/Annots" in page.obj:
            yield f"annotations (12.5): page {index} has some"


def _colours(pdf):
    for holder in streams(pdf):
        for item in pikepdf.parse_content_stream(holder):
            if str(item.operator) in {"rg", "RG"}:
                yield "colour (8.6.8): an operator of RGB"
            if str(item.operator) in {"cs", "CS"} and str(item.operands[0]) not in {
                "/Pattern",
                *INKS,
            }:
                space = holder.Resources.ColorSpace.get(str(item.operands[0]))
                if (
                    not isinstance(space, Array)
                    or space[0] != Name.Separation
                    or str(space[2]) not in INKS
                ):
                    yield f"colour (8.6.3): the space {item.operands[0]}"
    for thing in pdf.objects:
        is_painted = isinstance(thing, Stream | Dictionary) and (
            "/ShadingType" in thing or thing.get("/Subtype") == Name.Image
        )
        if is_painted and not thing.get("/ImageMask") and str(thing.ColorSpace) not in INKS:
            yield f"colour (8.6.3): {thing.ColorSpace} in a picture or a gradient"


def _fonts(pdf):
    for thing in pdf.objects:
        if (
            isinstance(thing, Dictionary)
            and thing.get("/Type") == Name.Font
            and "/DescendantFonts" not in thing
        ):
            keys = ("/FontFile", "/FontFile2", "/FontFile3")
            if not any(key in thing.get("/FontDescriptor", Dictionary()) for key in keys):
                yield f"fonts (9.9): {thing.get('/BaseFont')} is not embedded"


def _opaque(pdf):
    for thing in pdf.objects:
        if not isinstance(thing, Stream | Dictionary):
            continue
        if thing.get("/SMask", Name("/None")) != Name("/None"):
            yield "transparency (11.6.5): a soft mask"
        if float(thing.get("/ca", 1)) < 1 or float(thing.get("/CA", 1)) < 1:
            yield "transparency (11.6.4.4): something is not opaque"
        if str(thing.get("/BM", "/Normal")) not in {"/Normal", "/Compatible"}:
            yield "transparency (11.3.5): a blend mode"
        if (
            isinstance(thing.get("/Group"), Dictionary)
            and thing.Group.get("/S") == Name.Transparency
        ):
            yield "transparency (11.6.6): a group"


def plates(data: bytes, page: int, dpi: float) -> np.ndarray:
    """Return the shares of the four inks on a page: for each, pdfium renders the file with only this ink, as grey."""
    return np.stack([_plate(data, ink, page, dpi) for ink in range(4)], -1)


def _plate(data: bytes, ink: int, page: int, dpi: float) -> np.ndarray:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for holder in list(streams(pdf)):
            content = pikepdf.unparse_content_stream([*_alone(holder, ink)])
            if isinstance(holder, Stream):
                holder.write(content)
            else:
                holder.Contents = pdf.make_stream(content)
        for thing in pdf.objects:
            if (
                isinstance(thing, Stream | Dictionary)
                and thing.get("/ColorSpace") == Name.DeviceCMYK
            ):
                _grey(thing, ink)
        out = io.BytesIO()
        pdf.save(out)
    document = pypdfium2.PdfDocument(out.getvalue())
    image = document[page].render(scale=dpi / 72, grayscale=True).to_pil().convert("L")
    document.close()
    return 1 - np.asarray(image) / 255


def _alone(holder, ink):
    for item in pikepdf.parse_content_stream(holder):
        if str(item.operator) in {"k", "K"}:
            yield (
                [1 - float(item.operands[ink])],
                Operator("g" if str(item.operator) == "k" else "G"),
            )
        elif str(item.operator) in {"g", "G"} and ink < 3:
            yield [1], item.operator
        else:
            yield item.operands, item.operator


def _grey(thing, ink):
    holder = thing.Function if "/ShadingType" in thing else thing
    levels = bytes(255 - level for level in holder.read_bytes()[ink::4])
    holder.write(zlib.compress(levels), filter=Name.FlateDecode)
    thing.ColorSpace = Name.DeviceGray
    if "/Range" in holder:
        holder.Range = Array([0, 1])
