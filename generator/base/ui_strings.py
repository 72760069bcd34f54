"""The texts that the program prints for players, by language: a file each in `languages/`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

# The language used in place of one without texts; a note tells the user.
ENGLISH = "en"


@dataclass(frozen=True)
class RuleWords:
    """The texts in rules; `quotes` are the outer pair, then the inner."""

    quotes: str
    version: str
    page: str
    pages: str
    contents: str
    yes: str
    no: str
    note: str
    example: str
    tip: str
    outside: str
    inside: str
    enlarge: str
    close: str

    def range(self, first: int, last: int) -> str:
        """Return `page 6`, or `pages 6–9`."""
        return f"{self.page}\u00a0{first}" if first == last else f"{self.pages}\u00a0{first}–{last}"


@dataclass(frozen=True)
class SheetWords:
    """The texts in the margins of sheets; `modes` says how to print, by duplex mode."""

    sheets: str
    sheet: str
    front: str
    back: str
    blank: str
    both: str
    fronts: str
    backs: str
    printing: str
    millimetres: str
    inches: str
    part: str
    panel: str
    one_side: str
    pieces: str
    landscape: str
    circles: str
    corners: str
    thin_line: str
    picture: str
    modes: Mapping[str, str]

    def how_to_print(self, mode: str) -> str:
        """Return how to print a front or a whole sheet: `flip on the long edge`."""
        return self.modes[mode]

    def how_to_print_behind(self, mode: str) -> str:
        """Return how to print a back."""
        return self.modes.get(f"{mode}-back", self.modes[mode])


@dataclass(frozen=True)
class CutWords:
    """The texts in a cut plan."""

    title: str
    measure: str
    waste: str
    sheet: str
    sheets: str
    bed: str
    folded: str
    impossible: str
    measures: str
    strip: str
    strips: str
    left: str
    right: str
    top: str
    bottom: str
    times: str
    for_strips: str
    again: str


@dataclass(frozen=True)
class PatchWords:
    """The texts in the leaflet of a patch."""

    title: str
    versions: str
    what: str
    part: str
    other_form: str
    printing: str
    size: str
    page: str
    pages: str
    both: str
    leaflet: str
    rules: str
    same_rules: str
    blank: str
    blank_page: str
    new_pieces: str
    cut: str
    keep: str
    keep_why: str
    take_one: str
    take: str
    fewer: str
    replaced: str
    add_one: str
    add: str
    why_new: str
    why_changed: str
    why_back: str
    why_more: str
    backs: str
    mixed: str
    left_one: str
    left: str
    then: str
    then_part: str
    in_all: str
    in_version: str
    take_out: str
    add_in: str
    all: str


@dataclass(frozen=True)
class MakingWords:
    """The texts of the how-to-make page.

    `steps` are the titles of the work's steps by their pictures, and `step_notes` what is done then.
    `done` is the last step of a folded piece, by its `make:`.
    """

    title: str
    needs: str
    card: str
    plain: str
    tools: str
    glue: str
    sleeves: str
    time: str
    time_folded: str
    printing: str
    size: str
    file: str
    ruler: str
    backs: str
    pieces: str
    sheet: str
    sheets: str
    optional: str
    corners: str
    cutting: str
    straight: str
    circle: str
    outline: str
    net: str
    board: str
    mixed: str
    order: str
    shared: str
    gutter: str
    folding: str
    cut_out: str
    score: str
    score_both: str
    steps: Mapping[str, str]
    step_notes: Mapping[str, str]
    done: Mapping[str, str]


@dataclass(frozen=True)
class PreviewWords:
    """The texts under the pictures of a preview."""

    face: str
    fronts: str
    backs: str
    page: str
    part: str
    contact: str


@dataclass(frozen=True)
class GalleryWords:
    """The texts of a gallery for players: links to other files, and the switch to the data."""

    downloads: str
    rules: str
    sheets: str
    rules_pdf: str
    booklet: str
    making: str
    same_back: str
    data: str


@dataclass(frozen=True)
class Words:
    """All texts in one language."""

    rules: RuleWords
    sheet: SheetWords
    cuts: CutWords
    patch: PatchWords
    making: MakingWords
    preview: PreviewWords
    gallery: GalleryWords
    page: Mapping[str, str]  # texts of the gallery, by their English originals


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages that have texts."""
    return tuple(sorted(path.name.removesuffix(".toml") for path in _folder().iterdir()))


@cache
def words_for(language: str) -> Words:
    """Return the texts of a language: those of `nl` for `nl-BE`, and English for a language without texts."""
    code = _code(language) if has_words(language) else ENGLISH
    table = tomllib.loads((_folder() / f"{code}.toml").read_text(encoding="utf-8"))
    return Words(
        RuleWords(**table["rules"]),
        SheetWords(**table["sheet"]),
        CutWords(**table["cuts"]),
        PatchWords(**table["patch"]),
        MakingWords(**table["making"]),
        PreviewWords(**table["preview"]),
        GalleryWords(**table["gallery"]),
        table["page"],
    )


def has_words(language: str) -> bool:
    """Return True if a language has texts."""
    return _code(language) in languages()


def without_words(language: str) -> str:
    """Return a note for a language without texts; an empty string for any other."""
    if has_words(language):
        return ""
    return (
        f"pnp has no texts in {language!r}, so its own texts, such as footers, are in English. "
        f"It has texts in: {', '.join(languages())}"
    )


def _code(language: str) -> str:
    return language.lower().replace("_", "-").partition("-")[0]


def _folder() -> Traversable:
    return files(__package__) / "languages"
