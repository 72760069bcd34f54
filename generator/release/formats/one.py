"""Format 1: each picture whole and once, fonts by their digests."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PositiveInt

from generator.core.geometry import Size
from generator.core.held import Drawing
from generator.core.problems import Wrong
from generator.core.shapes import SHAPES, restored
from generator.draw.art.read import check_face
from generator.draw.face import Face
from generator.release.record import KeptComponent, KeptDesign, KeptFont, KeptRules, Release

SIDES = ("front", "back")
Mm = Annotated[float, Field(ge=0, le=10_000)]


class Stored(BaseModel):
    """A part of a release's file: unknown keys are damage."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class StoredFace(Stored):
    """A picture, without its name."""

    svg: str
    width: Annotated[Mm, Field(gt=0)]
    height: Annotated[Mm, Field(gt=0)]
    bleed: Mm

    def face(self, label: str, seen: set[int]) -> Face:
        """The face, when its picture asks for nothing outside itself."""
        size = Size(self.width, self.height)
        check_face(self.svg, size, label, seen)
        return Face((Drawing(self.svg),), size, self.bleed, label)


class StoredDesign(Stored):
    """A design with the numbers of its faces."""

    id: str
    title: str
    count: Annotated[int, Field(ge=0, le=1_000_000)]
    front: int
    back: int | None
    links: str


def _shape(said: str) -> str:
    """The name of a shape, or the line of an outline."""
    if said not in SHAPES:
        restored(said, Size(1, 1), 0.0)
    return said


class StoredComponent(Stored):
    """A component."""

    id: str
    title: str
    shape: Annotated[str, AfterValidator(_shape)]
    gutter: Mm | None
    grid: tuple[PositiveInt, PositiveInt] | None
    designs: list[StoredDesign]


class StoredFont(Stored):
    """A font file, by its digest."""

    family: str
    weight: int
    italic: bool
    digest: str


class StoredRules(Stored):
    """The rules in one language."""

    language: str
    text: str
    digest: str


class StoredRelease(Stored):
    """The whole file."""

    slug: str
    name: str
    version: str
    language: str
    credits: list[str]
    generator: str
    components: list[StoredComponent]
    faces: list[StoredFace]
    fonts: list[StoredFont]
    rules: list[StoredRules]


def write(release: Release) -> dict[str, object]:
    """The release as JSON can hold it."""
    faces = [
        {"svg": face.svg, "width": face.size.w, "height": face.size.h, "bleed": face.bleed}
        for face in release.faces.values()
    ]
    return {**without_faces(release), "faces": faces}


def without_faces(release: Release) -> dict[str, object]:
    """All of it but the pictures."""
    return {
        **_head(release),
        "components": components(release.components, numbers_of(release)),
        "fonts": [font(kept) for kept in release.fonts],
        "rules": [asdict(rules) for rules in release.rules],
    }


def numbers_of(release: Release) -> dict[str, int]:
    """The number of every picture, by its name."""
    return {name: number for number, name in enumerate(release.faces)}


def components(kept: Sequence[KeptComponent], numbers: Mapping[str, int]) -> list[dict[str, object]]:
    """The components as JSON can hold them, with the numbers of their faces."""
    return [_component(component, numbers) for component in kept]


def font(kept: KeptFont) -> dict[str, object]:
    """A font as JSON can hold it."""
    return {"family": kept.family, "weight": kept.weight, "italic": kept.italic, "digest": kept.digest}


def _head(release: Release) -> dict[str, object]:
    return {
        "slug": release.slug,
        "name": release.name,
        "version": release.version,
        "language": release.language,
        "credits": list(release.credits),
        "generator": release.generator,
    }


def _component(component: KeptComponent, numbers: Mapping[str, int]) -> dict[str, object]:
    designs = [
        {
            "id": design.id,
            "title": design.title,
            "count": design.count,
            "front": numbers[design.front.name],
            "back": numbers[design.back.name] if design.back else None,
            "links": design.links,
        }
        for design in component.designs
    ]
    return {
        "id": component.id,
        "title": component.title,
        "shape": component.shape,
        "gutter": component.gutter,
        "grid": component.grid,
        "designs": designs,
    }


def read(data: object) -> Release:
    """The release of what JSON held; raises pydantic's error, or `Wrong`, where it cannot be one."""
    stored = StoredRelease.model_validate(data)
    return made(stored, faces_of(stored.faces))


def faces_of(stored: Sequence[StoredFace]) -> list[Face]:
    """The pictures in the order of their numbers, each checked."""
    seen = set[int]()
    return [face.face(f"picture {number}", seen) for number, face in enumerate(stored)]


def made(stored: StoredRelease, faces: Sequence[Face]) -> Release:
    """The release of what was stored, with its pictures."""
    return Release(
        slug=stored.slug,
        name=stored.name,
        version=stored.version,
        language=stored.language,
        credits=tuple(stored.credits),
        generator=stored.generator,
        components=tuple(read_component(component, faces) for component in stored.components),
        fonts=tuple(KeptFont(**kept.model_dump()) for kept in stored.fonts),
        rules=tuple(KeptRules(**rules.model_dump()) for rules in stored.rules),
    )


def read_component(stored: StoredComponent, faces: Sequence[Face]) -> KeptComponent:
    """A component with the pictures of its designs."""
    designs = tuple(_read_design(design, stored.id, faces) for design in stored.designs)
    if len({design.id for design in designs}) < len(designs):
        raise Wrong(f"{stored.id}: two designs have one id", "each id once")
    return KeptComponent(stored.id, stored.title, designs, stored.shape, stored.gutter, stored.grid)


def _read_design(stored: StoredDesign, component: str, faces: Sequence[Face]) -> KeptDesign:
    numbers = [stored.front, *([] if stored.back is None else [stored.back])]
    if any(not 0 <= number < len(faces) for number in numbers):
        raise Wrong(f"{component}:{stored.id} has a picture that is not there", "a number of its pictures")
    sides = [
        replace(faces[n], label=f"{component}:{stored.id} {side}") for n, side in zip(numbers, SIDES, strict=False)
    ]
    return KeptDesign(
        stored.id, stored.title, stored.count, sides[0], sides[1] if len(sides) > 1 else None, stored.links
    )
