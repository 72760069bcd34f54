"""Measure the faces of a game in full ink, in low ink or as line art: contrast, colours and ink."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from PIL import Image

from generator.base.geometry import Rect
from generator.pack.load import PackForm
from generator.picture.face import Face
from generator.pipeline.printing import PrintOptions
from generator.pipeline.project import BuildRequest, Project

DPI = 150
COARSE = 3
"""Colours and ink are measured at a resolution reduced by this factor, at which thin lines become tints."""
LIGHT = 200
"""The level, of 255, above which a pixel is light enough for a player to colour it in."""

_LEVELS = np.arange(256) / 255
_LINEAR = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4)
"""The linear light of each level of sRGB (IEC 61966-2-1)."""


@dataclass(frozen=True)
class FaceLook:
    """The measurements of a face. Its ink is the sum of each coarse pixel's darkest channel."""

    name: str
    label: str
    contrasts: tuple[tuple[Rect, float], ...]
    max_colour: int
    light_share: float
    ink: float


@dataclass(frozen=True)
class Look:
    """The measured faces of each component, in order, and the ink of all pieces."""

    components: tuple[tuple[FaceLook, ...], ...]
    ink: float

    def contrasts_with(self, other: "Look") -> Iterator[tuple[FaceLook, Rect, float, float]]:
        """Yield each box of letters and icons with its contrast here and in another measurement."""
        for faces, others in zip(self.components, other.components, strict=True):
            pairs = {face.name: (face, after) for face, after in zip(faces, others, strict=True)}
            for face, after in pairs.values():
                for (box, was), (same, now) in zip(face.contrasts, after.contrasts, strict=True):
                    assert same == box
                    yield face, box, was, now

    def distinct_faces(self) -> list[FaceLook]:
        return list({face.name: face for faces in self.components for face in faces}.values())


def luminance(rgb: np.ndarray) -> np.ndarray:
    """Return the luminance of pixels in whole levels of sRGB (WCAG 2.2)."""
    return _LINEAR[rgb] @ np.array([0.2126, 0.7152, 0.0722])


def on_paper(picture: Image.Image) -> Image.Image:
    """Return a picture on white paper."""
    paper = Image.new("RGB", picture.size, "white")
    paper.paste(picture, mask=picture.getchannel("A"))
    return paper


def pixels(project: Project, face: Face, window: Rect, dpi: float) -> np.ndarray:
    """Return the pixels of a part of a face on white paper."""
    return np.asarray(on_paper(project.raster.face(face, dpi, window)))


# The number of games: drawing one again takes a second or two.
CACHED_PROJECTS = 5


@lru_cache(CACHED_PROJECTS)
def project_in_low_ink(pack: str) -> Project:
    return Project(BuildRequest(pack, options=(PrintOptions(low_ink=True),)))


@lru_cache(CACHED_PROJECTS)
def project_in_line_art(pack: str) -> Project:
    return Project(BuildRequest(pack, form=PackForm(variant="line-art")))


@cache
def in_colour(pack: str) -> Look:
    project = project_in_low_ink(pack)
    return _measure(project, project.components_in_full_ink)


@cache
def in_low_ink(pack: str) -> Look:
    project = project_in_low_ink(pack)
    return _measure(project, project.components)


@cache
def in_line_art(pack: str) -> Look:
    project = project_in_line_art(pack)
    return _measure(project, project.components)


def _measure(project: Project, components) -> Look:
    faces = {face.name: face for component in components for face in component.faces}
    looks = {name: _measure_face(project, face) for name, face in faces.items()}
    designs = [design for component in components for design in component.designs]
    ink = sum(design.count * looks[face.name].ink for design in designs for face in design.faces)
    return Look(tuple(tuple(looks[face.name] for face in each.faces) for each in components), ink)


def _measure_face(project: Project, face: Face) -> FaceLook:
    picture = on_paper(project.raster.pixels_of(face, DPI))
    letters = np.asarray(picture)
    boxes = dict.fromkeys(item.box.common(face.full) for item in face.keep_inside)
    coarse = np.asarray(picture.reduce(COARSE))
    trim = _window(face, Rect(0, 0, *face.size), DPI / COARSE)
    return FaceLook(
        face.name,
        face.label,
        tuple((box, _contrast(letters[_window(face, box, DPI)])) for box in boxes),
        int(np.ptp(coarse, axis=-1).max()),
        float((coarse.mean(axis=-1) > LIGHT).mean()),
        float((255 - coarse[trim].min(axis=2)).sum()),
    )


def _window(face: Face, box: Rect, dpi: float) -> tuple[slice, slice]:
    """Return the rows and columns of the pixels of a box on a face, at least one of each."""
    per_mm = dpi / 25.4
    left, top = ((at - start) * per_mm for at, start in zip(box[:2], face.full[:2], strict=True))
    rows, columns = (
        slice(round(start), max(round(start + side * per_mm), round(start) + 1))
        for start, side in ((top, box.h), (left, box.w))
    )
    return rows, columns


def _contrast(pixels: np.ndarray) -> float:
    """Return the contrast ratio of the darkest and the lightest pixels, without 2 % at either end."""
    dark, bright = np.quantile(luminance(pixels), [0.02, 0.98])
    return float((bright + 0.05) / (dark + 0.05))
