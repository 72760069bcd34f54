"""Make files conform to PDF/X-1a:2003 (ISO 15930-4) and PDF/X-4 (ISO 15930-7)."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name
from PIL import Image

from generator import __version__
from generator.base.units import points
from generator.pdf.press.profile import PressInks
from generator.pdf.press.recolour import Recolourer

# PDF/X requires a date. It is the same in every file, so that the same game gives the same bytes.
DAY = "D:20000101000000Z"
DAY_IN_XMP = "2000-01-01T00:00:00Z"


@dataclass(frozen=True)
class PressStandard:
    """A PDF/X standard and the version of PDF that it is based on."""

    title: str
    version: str
    is_modern: bool  # it allows transparency and overprinting, and has its metadata in XMP


STANDARDS: Mapping[str, PressStandard] = MappingProxyType(
    {
        "x-1a": PressStandard("PDF/X-1a:2003", "1.4", is_modern=False),
        "x-4": PressStandard("PDF/X-4", "1.6", is_modern=True),
    }
)

# Blend modes that hide what lies below (ISO 32000-1, 11.3.5).
OPAQUE_BLEND_MODES = {"/Normal", "/Compatible"}

# A function that renders a face with its bleed, by the face's name.
RenderFace = Callable[[str], Image.Image]


@dataclass(frozen=True)
class PressFile:
    """A file for a press, with facts about its inks for the user."""

    data: bytes
    max_total_ink: float  # the largest total of inks in one place: 2.4 is 240 %
    flattened: tuple[str, ...]  # the names of faces that became pixels
    spots: tuple[str, ...]  # the names of spot inks
    overprints: bool  # black text is printed on top of other inks, so its ink is added to theirs


def convert_for_press(
    data: bytes, standard: PressStandard, inks: PressInks, bleed: float, render: RenderFace
) -> PressFile:
    """Convert a finished file for a press; its pages have `bleed` mm on each side."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        flat = () if standard.is_modern else _flatten_faces(pdf, render)
        recolourer = Recolourer(pdf, inks, lets_black_overprint=standard.is_modern)
        for page in pdf.pages:
            recolourer.convert_page(page)
            _set_boxes(page, points(bleed), standard)
        if not standard.is_modern:
            _remove_groups(pdf)
        _set_output_intent(pdf, inks)
        _set_metadata(pdf, standard)
        return PressFile(
            _save(pdf, standard),
            inks.max_total_ink,
            flat,
            tuple(inks.used_spots),
            recolourer.overprints,
        )


def convert_to_inks(data: bytes, inks: PressInks) -> bytes:
    """Convert finished sheets to a press's inks, without a PDF/X standard.

    Print preferences stay.
    """
    with pikepdf.open(io.BytesIO(data)) as pdf:
        recolourer = Recolourer(pdf, inks, lets_black_overprint=False)
        for page in pdf.pages:
            recolourer.convert_page(page)
        _set_output_intent(pdf, inks)
        out = io.BytesIO()
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return out.getvalue()


def _flatten_faces(pdf: pikepdf.Pdf, render: RenderFace) -> tuple[str, ...]:
    """Replace each transparent face by pixels, once for all its pages, and return their names.

    A press page shows one face and no marks, so each form on it is a face.
    """
    flat_forms: dict[str, Any] = {}
    for page in pdf.pages:
        forms = page.obj.Resources.get("/XObject", Dictionary())
        for key, form in list(forms.items()):
            name = key.rpartition(".")[2]
            if name in flat_forms:
                forms[key] = flat_forms[name]
            elif _is_transparent(form, form.get("/Resources", Dictionary())):
                forms[key] = flat_forms[name] = _flatten_form(pdf, form, render(name))
    return tuple(flat_forms)


def _is_transparent(holder: Any, resources: Any) -> bool:
    """Return True if any resource that a page or form uses is not opaque or has a blend mode.

    `finish.py` looks at all resources. Here only used ones count, because faces of one document may share resources,
    and a face should not become pixels for the sake of another.
    """
    instructions = pikepdf.parse_content_stream(holder)
    names = {
        str(part)
        for instruction in instructions
        for part in instruction.operands
        if isinstance(part, Name)
    }
    return any(
        name in names and _is_resource_transparent(thing)
        for kind in ("/ExtGState", "/XObject", "/Pattern")
        for name, thing in resources.get(kind, Dictionary()).items()
    )


def _is_resource_transparent(thing: Any) -> bool:
    mask = thing.get("/SMask")
    if mask is not None and mask != Name("/None"):
        return True
    if (
        min(float(thing.get("/ca", 1)), float(thing.get("/CA", 1))) < 1
        or str(thing.get("/BM", "/Normal")) not in OPAQUE_BLEND_MODES
    ):
        return True
    has_content = thing.get("/Subtype") == Name.Form or thing.get("/PaintType") is not None
    return has_content and _is_transparent(thing, thing.get("/Resources", Dictionary()))


def _flatten_form(pdf: pikepdf.Pdf, form: Any, picture: Image.Image) -> Any:
    """Return a form with the same box that shows a picture in RGB."""
    image = pdf.make_stream(picture.convert("RGB").tobytes())
    image.Type = Name.XObject
    image.Subtype = Name.Image
    image.Width, image.Height = picture.size
    image.ColorSpace = Name.DeviceRGB
    image.BitsPerComponent = 8
    left, bottom, right, top = (float(edge) for edge in form.BBox)
    flat = pdf.make_stream(
        f"q {right - left:f} 0 0 {top - bottom:f} {left:f} {bottom:f} cm /Face Do Q".encode()
    )
    flat.Type = Name.XObject
    flat.Subtype = Name.Form
    flat.BBox = form.BBox
    flat.Resources = Dictionary(XObject=Dictionary(Face=image))
    return pdf.make_indirect(flat)


def _set_boxes(page: pikepdf.Page, bleed: float, standard: PressStandard) -> None:
    """Set the trim box and bleed box, and a transparency group, which PDF/X-1a forbids; `bleed` is in points."""
    left, bottom, right, top = (float(edge) for edge in page.obj.MediaBox)
    page.obj.BleedBox = Array([left, bottom, right, top])
    page.obj.TrimBox = Array([left + bleed, bottom + bleed, right - bleed, top - bleed])
    if standard.is_modern:
        page.obj.Group = Dictionary(Type=Name.Group, S=Name.Transparency, CS=Name.DeviceCMYK)
    elif "/Group" in page.obj:
        del page.obj["/Group"]


def _remove_groups(pdf: pikepdf.Pdf) -> None:
    """Remove transparency groups from forms; everything left is opaque."""
    for thing in pdf.objects:
        if (
            isinstance(thing, pikepdf.Stream)
            and thing.get("/Subtype") == Name.Form
            and "/Group" in thing
        ):
            del thing["/Group"]


def _set_output_intent(pdf: pikepdf.Pdf, inks: PressInks) -> None:
    """Set the output intent with its profile."""
    profile = pdf.make_stream(inks.profile)
    profile.N = 4
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputConditionIdentifier="Custom",
        OutputCondition=inks.title,
        Info=inks.title,
        DestOutputProfile=profile,
    )
    pdf.Root.OutputIntents = Array([intent])


def _set_metadata(pdf: pikepdf.Pdf, standard: PressStandard) -> None:
    info = pdf.docinfo
    info["/CreationDate"] = info["/ModDate"] = DAY
    info["/Trapped"] = Name("/False")
    if not standard.is_modern:
        info["/GTS_PDFXVersion"] = standard.title
        return
    digest = sha256(str(info["/Title"]).encode()).hexdigest()
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as xmp:
        xmp.register_xml_namespace("http://www.npes.org/pdfx/ns/id/", "pdfxid")
        xmp["pdfxid:GTS_PDFXVersion"] = standard.title
        xmp["dc:title"] = str(info["/Title"])
        xmp["pdf:Trapped"] = "False"
        xmp["pdf:Producer"] = f"pnp {__version__}"
        xmp["xmp:CreatorTool"] = f"pnp {__version__}"
        xmp["xmp:CreateDate"] = xmp["xmp:ModifyDate"] = xmp["xmp:MetadataDate"] = DAY_IN_XMP
        xmp["xmpMM:DocumentID"] = f"uuid:{digest[:32]}"
        xmp["xmpMM:VersionID"] = "1"
        xmp["xmpMM:RenditionClass"] = "default"


def _save(pdf: pikepdf.Pdf, standard: PressStandard) -> bytes:
    pdf.remove_unreferenced_resources()
    out = io.BytesIO()
    mode = pikepdf.ObjectStreamMode
    streams = mode.generate if standard.is_modern else mode.disable
    pdf.save(out, force_version=standard.version, object_stream_mode=streams, deterministic_id=True)
    return out.getvalue()
