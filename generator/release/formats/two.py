"""Format 2: more than format 1 keeps, in less room.

Pixel images are kept once, however many faces show them; fonts with the glyphs that are shown; the radius of a
component, and what is made of it.
What is the same as in format 1 is written and read there.
"""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pydantic import Base64Bytes, BaseModel, ConfigDict

from generator.errors import Wrong
from generator.release.formats import one
from generator.release.manifest import KeptComponent, KeptDesign, Release

IMAGE = re.compile(r"(data:[\w/+.-]+;base64,[A-Za-z0-9+/=\s]{200,})")


class StoredFace(one.Stored):
    """A picture in parts: text, and the numbers of the images between."""

    svg: list[str | int]
    width: float
    height: float
    bleed: float


class StoredFont(one.StoredFont):
    """A font file by its digest, with the glyphs that were used."""

    data: Base64Bytes


class StoredDesign(one.StoredDesign):
    """A design, with the numbers of the faces after its front, where it has more than two."""

    more: tuple[int, ...] = ()


class StoredComponent(one.StoredComponent):
    """A component, with the radius of its corners, and what is made of its faces."""

    radius: one.Mm
    make: str = "piece"
    designs: list[StoredDesign]  # type: ignore[assignment]


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
            "svg": _parts(face.svg, numbers),
            "width": face.size.w,
            "height": face.size.h,
            "bleed": face.bleed,
        }
        for face in release.faces.values()
    ]
    fonts = [{**one.font(font), "data": b64encode(font.data).decode()} for font in release.fonts]
    plain = one.write(release)
    components = [
        {**stored, "radius": kept.radius, "make": kept.make, "designs": _designs(stored, kept, release)}
        for stored, kept in zip(one.components(release), release.components, strict=True)
    ]
    return {**plain, "components": components, "faces": faces, "fonts": fonts, "images": list(numbers)}


def _designs(stored: Mapping[str, Any], kept: KeptComponent, release: Release) -> list[dict[str, object]]:
    """The designs of a component; only those that have more faces say so."""
    numbers = {name: number for number, name in enumerate(release.faces)}
    more = [[numbers[face.name] for face in design.more] for design in kept.designs]
    return [{**row, "more": found} if found else row for row, found in zip(stored["designs"], more, strict=True)]


def _parts(svg: str, numbers: dict[str, int]) -> list[str | int]:
    """Every second part is an image: its number, which it is given when it is met first."""
    parts = IMAGE.split(svg)
    return [numbers.setdefault(part, len(numbers)) if index % 2 else part for index, part in enumerate(parts)]


def read(data: object) -> Release:
    """The release of what JSON held; raises pydantic's error, or `Wrong`, where it cannot be one."""
    more = StoredMore.model_validate(data)
    if not isinstance(data, Mapping):
        raise TypeError("what pydantic took for a model is a mapping")
    faces = [{**face.model_dump(), "svg": _joined(face.svg, more.images)} for face in more.faces]
    fonts = [font.model_dump(exclude={"data"}) for font in more.fonts]
    without: dict[str, Any] = {"radius": True, "make": True, "designs": {"__all__": {"more"}}}
    components = [component.model_dump(exclude=without) for component in more.components]
    same = {key: value for key, value in data.items() if key != "images"}
    release = one.read({**same, "components": components, "faces": faces, "fonts": fonts})
    kept = zip(release.fonts, more.fonts, strict=True)
    rounded = zip(release.components, more.components, strict=True)
    return replace(
        release,
        fonts=tuple(replace(font, data=stored.data) for font, stored in kept),
        components=tuple(
            replace(component, radius=row.radius, make=row.make, designs=tuple(_read_designs(component, row, faces)))
            for component, row in rounded
        ),
    )


def _read_designs(
    component: KeptComponent, stored: StoredComponent, faces: list[dict[str, Any]]
) -> Iterator[KeptDesign]:
    """The designs with the faces after their fronts."""
    for design, row in zip(component.designs, stored.designs, strict=True):
        name = f"{component.id}:{design.id}"
        if any(not 0 <= number < len(faces) for number in row.more):
            raise Wrong(f"{name} has a picture that is not there", "a number of its pictures")
        pictures = [one.StoredFace(**faces[number]) for number in row.more]
        yield replace(
            design, more=tuple(picture.face(f"{name} face {n}") for n, picture in enumerate(pictures, start=2))
        )


def _joined(parts: list[str | int], images: list[str]) -> str:
    if any(isinstance(part, int) and not 0 <= part < len(images) for part in parts):
        raise Wrong("a picture shows an image that is not there", "a number of its images")
    return "".join(images[part] if isinstance(part, int) else part for part in parts)
