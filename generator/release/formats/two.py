"""Format 2: more than format 1 keeps, in less room.

Pixel images are kept once, however many faces show them; fonts with the glyphs that are shown; the radius of a
component, and what is made of it.
What is the same as in format 1 is written and read there.
"""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pydantic import Base64Bytes, BaseModel, ConfigDict, Field

from generator.core.held import Drawing
from generator.core.problems import Wrong
from generator.core.svg import PICTURE_KEY
from generator.draw.face import Face
from generator.release.formats import one
from generator.release.record import KeptComponent, KeptDesign, Release

IMAGE = re.compile(r"(data:[\w/+.-]+;base64,[A-Za-z0-9+/=\s]{200,})")
_KEY = re.compile(f"({PICTURE_KEY.pattern})")


class StoredFace(one.Stored):
    """A picture in parts: text, and the numbers of the images between."""

    svg: list[str | int]
    width: float
    height: float
    bleed: float


class StoredFont(one.StoredFont):
    """A font file by its digest, with the glyphs that were used."""

    data: Base64Bytes


class StoredComponent(one.StoredComponent):
    """A component, with the radius of its corners, and what is made of its faces.

    `more` has the numbers of the faces after the front, by the ids of the designs that have any.
    """

    radius: one.Mm
    make: str = "piece"
    more: dict[str, tuple[int, ...]] = Field(default_factory=dict)


class StoredMore(BaseModel):
    """What differs from format 1."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    components: list[StoredComponent]
    faces: list[StoredFace]
    fonts: list[StoredFont]
    images: list[str]


def write(release: Release) -> dict[str, object]:
    """The release as JSON can hold it."""
    numbers: dict[str, int] = {}
    faces = [
        {
            "svg": _parts(face.drawn, numbers),
            "width": face.size.w,
            "height": face.size.h,
            "bleed": face.bleed,
        }
        for face in release.faces.values()
    ]
    fonts = [{**one.font(font), "data": b64encode(font.data).decode()} for font in release.fonts]
    parts = components(release.components, one.numbers_of(release))
    return {**one.without_faces(release), "components": parts, "faces": faces, "fonts": fonts, "images": list(numbers)}


def components(kept: Sequence[KeptComponent], numbers: Mapping[str, int]) -> list[dict[str, object]]:
    """The components as JSON can hold them."""
    stored = zip(one.components(kept, numbers), kept, strict=True)
    return [
        {**plain, "radius": component.radius, "make": component.make, **_more(component, numbers)}
        for plain, component in stored
    ]


def _more(kept: KeptComponent, numbers: Mapping[str, int]) -> dict[str, object]:
    """The faces after the fronts, where there are any."""
    more = {design.id: [numbers[face.name] for face in design.more] for design in kept.designs if design.more}
    return {"more": more} if more else {}


def _parts(drawn: Drawing, numbers: dict[str, int]) -> list[str | int]:
    """Every second part is an image: its number, which it is given when it is met first; larger ones have keys."""
    parts = list[str]()
    for index, text in enumerate(_KEY.split(drawn.written)):
        parts += [text] if index % 2 else IMAGE.split(text)
    return [numbers.setdefault(part, len(numbers)) if index % 2 else part for index, part in enumerate(parts)]


def read(data: object) -> Release:
    """The release of what JSON held; raises pydantic's error, or `Wrong`, where it cannot be one."""
    return read_whole(data)[0]


def read_whole(data: object) -> tuple[Release, list[Face]]:
    """The release, and its pictures by their numbers."""
    more = StoredMore.model_validate(data)
    if not isinstance(data, Mapping):
        raise TypeError("what pydantic took for a model is a mapping")
    plain = [{**face.model_dump(), "svg": _joined(face.svg, more.images)} for face in more.faces]
    fonts = [font.model_dump(exclude={"data"}) for font in more.fonts]
    parts = [component.model_dump(exclude={"radius", "make", "more"}) for component in more.components]
    same = {key: value for key, value in data.items() if key != "images"}
    stored = one.StoredRelease.model_validate({**same, "components": parts, "faces": plain, "fonts": fonts})
    faces = one.faces_of(stored.faces)
    release = one.made(stored, faces)
    kept = zip(release.fonts, more.fonts, strict=True)
    release = replace(
        release,
        fonts=tuple(replace(font, data=stored.data) for font, stored in kept),
        components=tuple(read_component(component, faces) for component in more.components),
    )
    return release, faces


def read_component(stored: StoredComponent, faces: Sequence[Face]) -> KeptComponent:
    """A component with the pictures of its designs."""
    component = one.read_component(stored, faces)
    designs = tuple(_designs(component, stored, faces))
    return replace(component, radius=stored.radius, make=stored.make, designs=designs)


def _designs(component: KeptComponent, stored: StoredComponent, faces: Sequence[Face]) -> Iterator[KeptDesign]:
    """The designs with the faces after their fronts."""
    for design in component.designs:
        name, numbers = f"{component.id}:{design.id}", stored.more.get(design.id, ())
        if any(not 0 <= number < len(faces) for number in numbers):
            raise Wrong(f"{name} has a picture that is not there", "a number of its pictures")
        labelled = (replace(faces[number], label=f"{name} face {n}") for n, number in enumerate(numbers, start=2))
        yield replace(design, more=tuple(labelled))


def _joined(parts: list[str | int], images: list[str]) -> str:
    if any(isinstance(part, int) and not 0 <= part < len(images) for part in parts):
        raise Wrong("a picture shows an image that is not there", "a number of its images")
    return "".join(images[part] if isinstance(part, int) else part for part in parts)
