"""Releases: a game stored at one version, complete enough to draw and print it again without its pack.

`record` makes a release of a drawn game. Fonts are stored with the glyphs that the faces use.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import uharfbuzz as hb

from generator import __version__
from generator.base.fonts import (
    FontFile,
    FontSet,
    open_face,
    read_font,
    take_glyphs,
    with_names_of_copies,
)
from generator.base.geometry import Size
from generator.base.outline import Outline
from generator.base.shapes import read_notation
from generator.base.values import shared_fields
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.pack.game import Design, Game
from generator.picture.face import Face
from generator.picture.items import fonts_of, words_of
from generator.picture.svg import SvgWriter


@dataclass(frozen=True)
class RecordedFont:
    """A font that sets faces.

    `digest` is that of the whole file; `data` holds only the glyphs used.
    """

    family: str
    weight: int
    italic: bool
    digest: str
    data: bytes


@dataclass(frozen=True)
class RecordedDesign(DrawnDesign):
    """A released design. `links` is the notation of the links across its two sides."""

    links: str = ""


@dataclass(frozen=True)
class RecordedComponent:
    """A released component.

    `shape` is the notation of its outline; `radius`, `gutter` and `size` are in mm. `size` is that
    of the outline; for a box it is that of its contents, and no face has it. `depth`, `folds` and
    `bridge` are those of `Component`, without which a patch folds no box and no board.
    """

    id: str
    title: str
    designs: tuple[RecordedDesign, ...]
    shape: str = "rect"
    gutter: float | None = None
    grid: tuple[int, int] | None = None
    radius: float = 0.0
    make: str = "piece"
    size: tuple[float, float] | None = None
    depth: float = 0.0
    folds: tuple[int, int] | None = None
    bridge: float | None = None

    def outline(self, size: Size) -> Outline:
        """Return the outline at which a face of this size is cut."""
        return read_notation(self.shape, size, self.radius)

    @property
    def count(self) -> int:
        """The number of pieces."""
        return sum(design.count for design in self.designs)


@dataclass(frozen=True)
class RecordedRules:
    """The rules in one language. `digest` covers the text and the notation of the figures."""

    language: str
    text: str
    digest: str


@dataclass(frozen=True)
class Form:
    """The game in a variant (empty: none) and a language, with the same designs drawn anew."""

    variant: str
    language: str
    name: str
    credits: tuple[str, ...]
    components: tuple[RecordedComponent, ...]


@dataclass(frozen=True)
class Release:
    """A game at a version. `generator` is the version of the program that drew it.

    `forms` are the other variants and languages stored with it; the release itself has no variant.
    """

    slug: str
    name: str
    version: str
    language: str
    credits: tuple[str, ...]
    generator: str
    components: tuple[RecordedComponent, ...]
    fonts: tuple[RecordedFont, ...] = ()
    rules: tuple[RecordedRules, ...] = ()
    forms: tuple[Form, ...] = ()

    def form(self, variant: str, language: str) -> "Release | None":
        """Return the release in a variant and a language, or None if it is not stored."""
        if not variant and language in {"", self.language}:
            return self
        forms = (
            form for form in self.forms if (form.variant, form.language) == (variant, language)
        )
        return next((self._in_form(form) for form in forms), None)

    def _in_form(self, form: Form) -> "Release":
        """Return the release with the texts and components of a form."""
        texts = replace(self, name=form.name, language=form.language, credits=form.credits)
        return replace(texts, components=form.components, forms=())

    def form_name(self, form: Form) -> str:
        """Return the name of a form, such as `line-art`, `nl` or `line-art in nl`."""
        language = form.language if form.language != self.language else ""
        return " in ".join(word for word in (form.variant, language) if word)

    @property
    def designs(self) -> Iterator[tuple[RecordedComponent, RecordedDesign]]:
        """Every design with its component, in the pack's order."""
        return (
            (component, design) for component in self.components for design in component.designs
        )

    def limit_to(self, names: Collection[tuple[str, str]]) -> "Release":
        """Return the release with only these designs, given as component id and design id."""
        parts = (
            replace(
                part,
                designs=tuple(design for design in part.designs if (part.id, design.id) in names),
            )
            for part in self.components
        )
        return replace(self, components=tuple(part for part in parts if part.designs))

    @property
    def faces(self) -> dict[str, Face]:
        """The distinct faces of all forms by name."""
        components = [*self.components, *(part for form in self.forms for part in form.components)]
        return {
            face.name: face
            for part in components
            for design in part.designs
            for face in design.faces
        }


DrawnForm = tuple[Game, Sequence[DrawnComponent]]
"""A game in a variant and a language, drawn."""


def record(
    game: Game,
    drawn_components: Sequence[DrawnComponent],
    rules: tuple[RecordedRules, ...] = (),
    others: Sequence[DrawnForm] = (),
    fonts: tuple[RecordedFont, ...] = (),
) -> Release:
    """Return the release of a drawn game, with `others`, its other variants and languages.

    `fonts` saves the work of subsetting if the fonts are known already.
    """
    components = tuple(_component(component) for component in drawn_components)
    faces = [
        face
        for parts in (drawn_components, *(parts for _, parts in others))
        for part in parts
        for face in part.faces
    ]
    return Release(
        slug=game.slug,
        name=game.name,
        version=game.version,
        language=game.language,
        credits=game.credits,
        generator=__version__,
        components=components,
        fonts=fonts or subset_used_fonts(game.fonts, faces),
        rules=rules,
        forms=tuple(_form(*other) for other in others),
    )


def _form(game: Game, drawn_components: Sequence[DrawnComponent]) -> Form:
    """Return a form of a release."""
    components = tuple(_component(component) for component in drawn_components)
    return Form(game.variant, game.language, game.name, game.credits, components)


def _component(component: DrawnComponent) -> RecordedComponent:
    """Return a component of a release."""
    spec = component.spec
    links = {design.id: _links(design) for design in spec.designs}
    designs = tuple(
        RecordedDesign(**shared_fields(design, RecordedDesign), links=links[design.id])
        for design in component.designs
    )
    outline = spec.outline
    return RecordedComponent(
        spec.id,
        spec.title,
        designs,
        outline.notation,
        spec.gutter,
        spec.grid,
        _radius(outline),
        spec.make.name,
        spec.outline.size,
        spec.depth,
        spec.folds,
        spec.bridge,
    )


def _radius(outline: Outline) -> float:
    """Return the radius of the corners in mm; a circle needs none."""
    return 0.0 if outline.is_circle else outline.radius


def _links(design: Design) -> str:
    """Return the notation of the links on both sides, with a bar between.

    Empty if there are none.
    """
    sides = [design.front.tile] + ([design.back.tile] if design.back else [])
    texts = [tile.notation for tile in sides]
    return " | ".join(texts) if any(texts) else ""


def face_digest(face: Face) -> str:
    """Return a digest of a face as a release writes it.

    A release rounds numbers to 0.001 mm, so a face that was read from one differs from the face
    that was written.
    """
    writer = SvgWriter(image_address=lambda image, _box: image.key)
    return sha256(writer.write(face).encode(errors="replace")).hexdigest()


# ASCII costs little and lets the font be opened in a font viewer. Spaces of all widths are included
# because the words of a face, from which the other letters come, are split at spaces.
_LETTERS_ALWAYS_INCLUDED = "".join(map(chr, range(0x20, 0x7F))) + "".join(
    char for char in map(chr, range(0x80, 0x3001)) if char.isspace()
)


def subset_used_fonts(fonts: FontSet, faces: Sequence[Face]) -> tuple[RecordedFont, ...]:
    """Return the fonts that set the faces, each with all letters on them."""
    distinct = {face.name: face for face in faces}.values()
    used = {font.key for face in distinct for font in fonts_of(face)}
    letters = sorted(
        set(_LETTERS_ALWAYS_INCLUDED).union(*(word for face in distinct for word in words_of(face)))
    )
    return tuple(_subset_file(file, "".join(letters)) for file in fonts.files if file.key in used)


def _subset_file(file: FontFile, letters: str) -> RecordedFont:
    """Return a font file, subset to some letters."""
    digest = sha256(file.path.read_bytes()).hexdigest()
    return RecordedFont(file.family, file.weight, file.italic, digest, subset(file, letters))


def subset(font: FontFile, letters: str) -> bytes:
    """Return a font with only some letters and the glyphs that its features make of them.

    Hinting is removed, because no print uses it.
    """
    options = hb.SubsetInput()
    options.unicode_set.update({ord(letter) for letter in letters})
    options.layout_feature_tag_set.clear()
    options.layout_feature_tag_set.invert()
    options.flags = hb.SubsetFlags.NO_HINTING
    return take_glyphs(open_face(font), options, font.key)


def restore_fonts(release: Release, now: FontSet, folder: Path) -> FontSet:
    """Return the fonts of a release's faces: `now` if it has all of these files, else those stored in the release.

    Stored fonts are written to `folder`, which must be empty.
    """
    if all(_is_installed(font, now) for font in release.fonts):
        return now
    files = []
    for number, font in enumerate(release.fonts):
        path = folder / f"{number}.ttf"
        path.write_bytes(font.data)
        files.append(read_font(path))
    return FontSet(tuple(with_names_of_copies(sorted(files))))


def _is_installed(font: RecordedFont, now: FontSet) -> bool:
    """Return True if the same font file is installed now."""
    key = (font.family, font.weight, font.italic)
    same = [file for file in now.files if (file.family, file.weight, file.italic) == key]
    return any(sha256(file.path.read_bytes()).hexdigest() == font.digest for file in same)
