"""A game as it was at a version, complete enough to be drawn and printed again without its pack: a release.

It is made of a drawn game; fonts are kept with the glyphs that were used, and found again for an old face.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import uharfbuzz as hb

from generator import __version__
from generator.core.fonts import FontFile, FontSet, read_font, take_glyphs
from generator.core.geometry import Size
from generator.core.outline import Outline
from generator.core.shapes import restored
from generator.draw.draw import DrawnComponent
from generator.pack.game import Component, Design, Game
from generator.picture.face import Face
from generator.picture.items import fonts_of as picture_fonts
from generator.picture.items import words_of
from generator.picture.svg import SvgWriter


@dataclass(frozen=True)
class KeptFont:
    """A font file that faces are set in; `digest` is of the whole file, `data` has the glyphs that they show."""

    family: str
    weight: int
    italic: bool
    digest: str
    data: bytes


@dataclass(frozen=True)
class KeptDesign:
    """A design as it was released. `links` is what runs across its two sides, in the notation of the packs.

    `more` are the faces after the front, of what has more than two.
    """

    id: str
    title: str
    count: int
    front: Face
    back: Face | None = None
    links: str = ""
    more: tuple[Face, ...] = ()

    @property
    def faces(self) -> tuple[Face, ...]:
        """The front, what comes after it, and the back if there is one."""
        return tuple(face for face in (self.front, *self.more, self.back) if face)


@dataclass(frozen=True)
class KeptComponent:
    """A component as it was released. `shape` is what its outline says of itself; the rest (mm) is as in the pack."""

    id: str
    title: str
    designs: tuple[KeptDesign, ...]
    shape: str = "rect"
    gutter: float | None = None
    grid: tuple[int, int] | None = None
    radius: float = 0.0
    make: str = "piece"

    def outline(self, size: Size) -> Outline:
        """What is cut of a face of such a size."""
        return restored(self.shape, size, self.radius)

    @property
    def count(self) -> int:
        """How many pieces it has."""
        return sum(design.count for design in self.designs)


@dataclass(frozen=True)
class KeptRules:
    """The rules in one language; `digest` is of that text and of the figures as they are written."""

    language: str
    text: str
    digest: str


@dataclass(frozen=True)
class Form:
    """The same game in another variant (none: as it is) or another language: its texts, and the same designs anew."""

    variant: str
    language: str
    name: str
    credits: tuple[str, ...]
    components: tuple[KeptComponent, ...]


@dataclass(frozen=True)
class Release:
    """A game at a version; `generator` is the version of the program that drew it.

    `forms` are those in which it was kept besides its own, which has no variant.
    """

    slug: str
    name: str
    version: str
    language: str
    credits: tuple[str, ...]
    generator: str
    components: tuple[KeptComponent, ...]
    fonts: tuple[KeptFont, ...] = ()
    rules: tuple[KeptRules, ...] = ()
    forms: tuple[Form, ...] = ()

    def form(self, variant: str, language: str) -> "Release | None":
        """The release as it was in a variant and a language, if it was kept so."""
        if not variant and language in {"", self.language}:
            return self
        found = (form for form in self.forms if (form.variant, form.language) == (variant, language))
        return next((self._as(form) for form in found), None)

    def _as(self, form: Form) -> "Release":
        texts = replace(self, name=form.name, language=form.language, credits=form.credits)
        return replace(texts, components=form.components, forms=())

    def called(self, form: Form) -> str:
        """`line-art`, `nl`, `line-art in nl`."""
        language = form.language if form.language != self.language else ""
        return " in ".join(word for word in (form.variant, language) if word)

    @property
    def designs(self) -> Iterator[tuple[KeptComponent, KeptDesign]]:
        """Every design with its component, in the pack's order."""
        return ((component, design) for component in self.components for design in component.designs)

    def chosen(self, wanted: Collection[tuple[str, str]]) -> "Release":
        """The release with those designs only, by the ids of their components and their own."""
        parts = (
            replace(part, designs=tuple(design for design in part.designs if (part.id, design.id) in wanted))
            for part in self.components
        )
        return replace(self, components=tuple(part for part in parts if part.designs))

    @property
    def faces(self) -> dict[str, Face]:
        """Each picture once, by name, in all forms."""
        components = [*self.components, *(part for form in self.forms for part in form.components)]
        return {face.name: face for part in components for design in part.designs for face in design.faces}


DrawnForm = tuple[Game, Sequence[DrawnComponent]]
"""A game in a variant and a language, drawn."""


def record(
    game: Game,
    drawn: Sequence[DrawnComponent],
    rules: tuple[KeptRules, ...] = (),
    others: Sequence[DrawnForm] = (),
    fonts: tuple[KeptFont, ...] = (),
) -> Release:
    """The game as it is now, also in other forms; `rules` are none while a pack has none, `fonts` where not known."""
    components = tuple(_component(component) for component in drawn)
    faces = [face for parts in (drawn, *(parts for _, parts in others)) for part in parts for face in part.faces]
    return Release(
        slug=game.slug,
        name=game.name,
        version=game.version,
        language=game.language,
        credits=game.credits,
        generator=__version__,
        components=components,
        fonts=fonts or kept_fonts(game.fonts, faces),
        rules=rules,
        forms=tuple(_form(*other) for other in others),
    )


def _form(game: Game, drawn: Sequence[DrawnComponent]) -> Form:
    components = tuple(_component(component) for component in drawn)
    return Form(game.variant, game.language, game.name, game.credits, components)


def _component(drawn: DrawnComponent) -> KeptComponent:
    spec = drawn.spec
    links = {design.id: _links(spec, design) for design in spec.designs}
    designs = tuple(
        KeptDesign(design.id, design.title, design.count, design.front, design.back, links[design.id], design.more)
        for design in drawn.designs
    )
    outline = spec.outline
    return KeptComponent(
        spec.id, spec.title, designs, outline.said, spec.gutter, spec.grid, _radius(outline), spec.make.name
    )


def _radius(outline: Outline) -> float:
    """What its corners are rounded by; a circle needs no such word."""
    return 0.0 if outline.is_circle else outline.radius


def _links(_spec: Component, design: Design) -> str:
    """What runs across both sides, with a bar between them; nothing where nothing does."""
    sides = [design.front.tile] + ([design.back.tile] if design.back else [])
    texts = [tile.written for tile in sides]
    return " | ".join(texts) if any(texts) else ""


@lru_cache(4096)  # each face is compared with several others
def face_digest(face: Face) -> str:
    """Return a digest of a face as a release writes it.

    A release rounds numbers to 0.001 mm, so a face that was read from one differs from the face that was written.
    """
    writer = SvgWriter(image_address=lambda image, _box: image.key)
    return sha256(writer.write(face).encode(errors="replace")).hexdigest()


# Plain letters and digits cost little, and make a font that can be looked at. Spaces of all widths are kept because
# the words of a face, from which the other letters come, are split at spaces.
_ALWAYS = "".join(map(chr, range(0x20, 0x7F))) + "".join(
    char for char in map(chr, range(0x80, 0x3001)) if char.isspace()
)


def kept_fonts(fonts: FontSet, faces: Sequence[Face]) -> tuple[KeptFont, ...]:
    """Return the fonts that set the faces, each with all letters on them."""
    distinct = {face.name: face for face in faces}.values()
    used = {font.key for face in distinct for font in picture_fonts(face)}
    letters = sorted(set(_ALWAYS).union(*(word for face in distinct for word in words_of(face))))
    return tuple(_kept(file, "".join(letters)) for file in fonts.files if file.key in used)


def _kept(file: FontFile, letters: str) -> KeptFont:
    whole = file.path.read_bytes()
    digest = sha256(whole).hexdigest()
    return KeptFont(file.family, file.weight, file.italic, digest, subset(whole, letters, file.key))


def subset(font: bytes, letters: str, name: str) -> bytes:
    """Return a font with only some letters and what its features make of them, without hints, which no print uses."""
    wish = hb.SubsetInput()
    wish.unicode_set.update({ord(letter) for letter in letters})
    wish.layout_feature_tag_set.clear()
    wish.layout_feature_tag_set.invert()
    wish.flags = hb.SubsetFlags.NO_HINTING
    return take_glyphs(hb.Blob(font), wish, name)


def fonts_of(release: Release, now: FontSet, folder: Path) -> FontSet:
    """Return the fonts of a release's faces: `now` if it has all of these files, else those that the release kept.

    Kept fonts are written to `folder`, which must be empty.
    """
    if all(_at_hand(font, now) for font in release.fonts):
        return now
    files = []
    for number, font in enumerate(release.fonts):
        path = folder / f"{number}.ttf"
        path.write_bytes(font.data)
        files.append(read_font(path))
    return FontSet(tuple(sorted(files)))


def _at_hand(font: KeptFont, now: FontSet) -> bool:
    key = (font.family, font.weight, font.italic)
    same = [file for file in now.files if (file.family, file.weight, file.italic) == key]
    return any(sha256(file.path.read_bytes()).hexdigest() == font.digest for file in same)
