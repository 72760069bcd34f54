"""A game as it was at a version, complete enough to be drawn and printed again without its pack."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from generator.core.geometry import Size
from generator.core.outline import Outline
from generator.core.shapes import restored
from generator.draw.face import Face


@dataclass(frozen=True)
class KeptFont:
    """A font file that faces are set in; `digest` is of the whole file, `data` has the glyphs that they show.

    The oldest releases kept no glyphs: their `data` is empty.
    """

    family: str
    weight: int
    italic: bool
    digest: str
    data: bytes = b""


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

    `forms` are those in which it was kept besides its own, which has no variant; the oldest releases kept none.
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
