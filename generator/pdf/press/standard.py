"""What a standard of presses asks of a whole file: PDF/X-1a:2003 (ISO 15930-4) and PDF/X-4 (ISO 15930-7)."""

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
from generator.core.units import points
from generator.pdf.press.inks import PressInks
from generator.pdf.press.recolour import Recolourer
from generator.pdf.press.transparency import flatten, is_transparent

DAY = "D:20000101000000Z"
DAY_XMP = "2000-01-01T00:00:00Z"
"""The date that every file bears: the same game gives the same bytes."""


@dataclass(frozen=True)
class PressStandard:
    """A standard: its PDF version, whether it allows transparency and black that prints over, and if it reads XMP."""

    title: str
    version: str
    modern: bool


STANDARDS: Mapping[str, PressStandard] = MappingProxyType(
    {"x-1a": PressStandard("PDF/X-1a:2003", "1.4", modern=False), "x-4": PressStandard("PDF/X-4", "1.6", modern=True)}
)

Picture = Callable[[str], Image.Image]
"""A face by its name as pixels, with its bleed."""


@dataclass(frozen=True)
class Pressed:
    """The file, the most ink in one place (2.4 is 240 %), the faces that became pixels, and the spot inks, by name.

    Where black text `overprints`, its ink comes on top of what lies below it.
    """

    data: bytes
    heaviest: float
    flattened: tuple[str, ...]
    spots: tuple[str, ...]
    overprints: bool


def press(data: bytes, standard: PressStandard, inks: PressInks, bleed: float, picture: Picture) -> Pressed:
    """A finished file whose pages have so much bleed (mm) on each side, for a press."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        flat = () if standard.modern else _flattened(pdf, picture)
        recolour = Recolourer(pdf, inks, over=standard.modern)
        for page in pdf.pages:
            recolour.page(page)
            _boxes(page, points(bleed), standard)
        if not standard.modern:
            _ungrouped(pdf)
        _intent(pdf, inks)
        _described(pdf, standard)
        return Pressed(_saved(pdf, standard), inks.heaviest, flat, tuple(inks.spotted), recolour.overprints)


def in_inks(data: bytes, inks: PressInks) -> bytes:
    """A finished file of sheets in a press's inks; it claims no standard, and keeps all that it asks of a printer."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        recolour = Recolourer(pdf, inks, over=False)
        for page in pdf.pages:
            recolour.page(page)
        _intent(pdf, inks)
        out = io.BytesIO()
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return out.getvalue()


def _flattened(pdf: pikepdf.Pdf, picture: Picture) -> tuple[str, ...]:
    """Put pixels into the place of each face that is transparent; the same face is one form on all its pages.

    A press's page shows one face and no marks, so each form on it is a face.
    """
    made: dict[str, Any] = {}
    for page in pdf.pages:
        forms = page.obj.Resources.get("/XObject", Dictionary())
        for key, form in list(forms.items()):
            name = key.rpartition(".")[2]
            if name in made:
                forms[key] = made[name]
            elif is_transparent(form, form.get("/Resources", Dictionary())):
                forms[key] = made[name] = flatten(pdf, form, picture(name))
    return tuple(made)


def _boxes(page: pikepdf.Page, bleed: float, standard: PressStandard) -> None:
    """The trim inside the bleed inside the paper, and no art box beside it."""
    left, bottom, right, top = (float(edge) for edge in page.obj.MediaBox)
    page.obj.BleedBox = Array([left, bottom, right, top])
    page.obj.TrimBox = Array([left + bleed, bottom + bleed, right - bleed, top - bleed])
    if standard.modern:
        page.obj.Group = Dictionary(Type=Name.Group, S=Name.Transparency, CS=Name.DeviceCMYK)
    elif "/Group" in page.obj:
        del page.obj["/Group"]


def _ungrouped(pdf: pikepdf.Pdf) -> None:
    """No form is mixed by itself: what is left lets nothing through."""
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == Name.Form and "/Group" in thing:
            del thing["/Group"]


def _intent(pdf: pikepdf.Pdf, inks: PressInks) -> None:
    """The press that the inks are meant for, with its profile."""
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


def _described(pdf: pikepdf.Pdf, standard: PressStandard) -> None:
    info = pdf.docinfo
    info["/CreationDate"] = info["/ModDate"] = DAY
    info["/Trapped"] = Name("/False")
    if not standard.modern:
        info["/GTS_PDFXVersion"] = standard.title
        return
    mark = sha256(str(info["/Title"]).encode()).hexdigest()
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as xmp:
        xmp.register_xml_namespace("http://www.npes.org/pdfx/ns/id/", "pdfxid")
        xmp["pdfxid:GTS_PDFXVersion"] = standard.title
        xmp["dc:title"] = str(info["/Title"])
        xmp["pdf:Trapped"], xmp["pdf:Producer"] = "False", f"pnp {__version__}"
        xmp["xmp:CreatorTool"] = f"pnp {__version__}"
        xmp["xmp:CreateDate"] = xmp["xmp:ModifyDate"] = xmp["xmp:MetadataDate"] = DAY_XMP
        xmp["xmpMM:DocumentID"] = f"uuid:{mark[:32]}"
        xmp["xmpMM:VersionID"], xmp["xmpMM:RenditionClass"] = "1", "default"


def _saved(pdf: pikepdf.Pdf, standard: PressStandard) -> bytes:
    pdf.remove_unreferenced_resources()
    out = io.BytesIO()
    mode = pikepdf.ObjectStreamMode
    streams = mode.generate if standard.modern else mode.disable
    pdf.save(out, force_version=standard.version, object_stream_mode=streams, deterministic_id=True)
    return out.getvalue()
