"""A game's rules become its files: to read, to fold, and for a screen. The pipeline calls this."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from generator import __version__
from generator.core.files import Outbox
from generator.core.fonts import FontSet
from generator.core.geometry import Size
from generator.core.problems import Wrong, placed, unknown
from generator.core.timing import Watch
from generator.core.words import words_for
from generator.draw.alone import face_of_art
from generator.draw.draw import DrawnComponent
from generator.draw.face import Face
from generator.impose.paper import Paper, paper
from generator.impose.signature import signature
from generator.pack.folder import PackFolder
from generator.pack.game import Game, RulesSettings
from generator.pdf.booklet.book import Book, set_book, set_on_sheets, set_to_fold
from generator.pdf.booklet.formats import FOLDED, PAGE, Format
from generator.pdf.booklet.stitch import stitch
from generator.pdf.booklet.write import write_book
from generator.pdf.faces import FacePages, compile_faces
from generator.pdf.graft import About, finish
from generator.rules.directives import Material
from generator.rules.html import html
from generator.rules.model import Figure, Look, Rules, faces_of
from generator.rules.read import read_rules

INK = "#1f1b18"
LIGHTEST = 0.45
"""The luminance past which a colour is no longer read on white."""

ICON, PICTURE, COVER = 10.0, 80.0, 160.0
"""mm; the heights at which icons, pictures and covers are drawn, before they are made to fit."""

BOOKLETS = ("a4", "letter")
NO_FIGURES: Mapping[str, Figure] = {}


@dataclass(frozen=True)
class Published:
    """A file that was written, and what it is in a few words."""

    path: Path
    about: str


def write_rules(
    game: Game,
    components: tuple[DrawnComponent, ...],
    figures: Mapping[str, Figure],
    watch: Watch,
    outbox: Outbox,
) -> list[Published]:
    """All files of a game's rules; none when it has none."""
    if game.rules is None:
        return []
    with watch.stage("rules"):
        return list(_Publisher(game, rules_of(game, game.rules, components, figures)).write(outbox))


def sheet_pages(game: Game, components: tuple[DrawnComponent, ...], figures: Mapping[str, Figure], size: Size) -> bytes:
    """The rules of a game that has some, on paper of a size in mm, on as few sheets as is pleasant to read."""
    if game.rules is None:
        raise ValueError(f"{game.slug} has no rules")
    return _Publisher(game, rules_of(game, game.rules, components, figures)).on_sheets(size)


def rules_of(
    game: Game, settings: RulesSettings, components: tuple[DrawnComponent, ...], figures: Mapping[str, Figure]
) -> Rules:
    """The rules of a game, read."""
    folder = PackFolder(game.folder)
    with placed(folder.where(settings.file)):
        material = Material(
            file=str(folder.where(settings.file)),
            language=game.language,
            words=words_for(game.language).rules,
            look=_look(game, settings, components),
            figures=figures,
            icons={name: face_of_art(game, asset, ICON, INK) for name, asset in game.icons.items()},
            components=components,
            credits=game.credits,
            picture=lambda name: _picture(game, name, PICTURE),
        )
        footer = f"{game.name} · {material.words.version} {game.version}"
        return read_rules(folder.text(settings.file), material, footer)


@dataclass(frozen=True)
class _Publisher:
    """Writes the files of one set of rules; every picture is compiled once for all of them."""

    game: Game
    rules: Rules

    def write(self, outbox: Outbox) -> Iterator[Published]:
        faces = tuple({face.name: face for face in faces_of(self.rules)}.values())
        chunks = compile_faces(faces, self.game.fonts)
        columns = self.game.rules.columns if self.game.rules else 1
        reading = self._set(PAGE.in_columns(columns), set_book)
        data = self._finished(write_book(reading), chunks, reading, "DuplexFlipLongEdge")
        yield Published(outbox.write(f"{self._stem}.pdf", data), _pages(reading.count, "page"))
        folded = self._set(FOLDED, set_to_fold)
        small = self._finished(write_book(folded), chunks, folded, "DuplexFlipShortEdge")
        for name in BOOKLETS:
            sheets, data = self._folded(small, folded, paper(name))
            path = outbox.write(f"{self._stem}-booklet-{name}.pdf", data)
            yield Published(path, f"{_pages(sheets, 'sheet')} to print on both sides and fold")
        yield Published(outbox.write(f"{self._stem}.html", html(self.rules, self.game.fonts).encode()), "for a screen")

    def on_sheets(self, size: Size) -> bytes:
        """The pages to read, for paper of one size, printed on both sides."""
        columns = self.game.rules.columns if self.game.rules else 1
        book = self._set(replace(PAGE, size=size, columns=columns), set_on_sheets)
        faces = tuple({face.name: face for face in faces_of(self.rules)}.values())
        return self._finished(write_book(book), compile_faces(faces, self.game.fonts), book, "DuplexFlipLongEdge")

    @property
    def _stem(self) -> str:
        return self.game.stem("rules")

    def _set(self, form: Format, way: Callable[[Rules, FontSet, Format], Book]) -> Book:
        settings = self.game.rules
        with placed(PackFolder(self.game.folder).where(settings.file if settings else "")):
            return way(self.rules, self.game.fonts, form)

    def _finished(self, laid: bytes, chunks: tuple[FacePages, ...], book: Book, duplex: str) -> bytes:
        labels = tuple(str(number) for number in range(1, book.count + 1))
        return finish([laid], chunks, self._about(duplex, labels))

    def _folded(self, small: bytes, book: Book, sheet: Paper) -> tuple[int, bytes]:
        sheets = signature(book.count, back_cover=book.back_cover)
        sides = self.rules.words.outside, self.rules.words.inside
        labels = tuple(f"{number} {side}" for number in range(1, len(sheets) + 1) for side in sides)
        size = Size(max(sheet.size), min(sheet.size))
        return len(sheets), finish([stitch(small, sheets, size)], (), self._about("DuplexFlipShortEdge", labels))

    def _about(self, duplex: str, labels: tuple[str, ...]) -> About:
        return About(
            title=f"{self.rules.title} – {self.game.name} {self.game.edition()}",
            language=self.rules.language,
            credits=", ".join(self.game.credits),
            producer=f"pnp {__version__}",
            duplex=duplex,
            labels=labels,
        )


def _pages(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _look(game: Game, settings: RulesSettings, components: tuple[DrawnComponent, ...]) -> Look:
    style = settings.heading
    return Look(
        heading=game.fonts.find(style.font, style.weight, italic=style.italic),
        colour=_readable(style.colour),
        accent=_readable(settings.accent),
        columns=settings.columns,
        cover=_cover(game, settings.cover, components) if settings.cover else None,
    )


def _cover(game: Game, name: str, components: tuple[DrawnComponent, ...]) -> Face:
    """A picture of the pack, or the front of a design."""
    component, colon, design = name.partition(":")
    if not colon:
        if PurePosixPath(name).suffix.lower() != ".svg":
            raise Wrong(f"cover: {name!r} is no SVG", "an SVG picture, or component:design")
        return _picture(game, name, COVER)
    parts = {part.spec.id: part for part in components}
    if component not in parts:
        raise unknown("component", component, parts)
    designs = {drawn.id: drawn for drawn in parts[component].designs}
    if design not in designs:
        raise unknown("design", design, designs)
    return designs[design].front


def _picture(game: Game, name: str, height: float) -> Face:
    if PurePosixPath(name).suffix.lower() != ".svg":
        raise Wrong(f"{name!r} is no SVG", "an SVG picture of the pack")
    return face_of_art(game, PackFolder(game.folder).asset(name), height, INK)


def _readable(colour: str) -> str:
    """The colour, or ink where it could not be read on white paper."""
    if not colour.startswith("#"):
        return INK
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return colour if 0.2126 * red + 0.7152 * green + 0.0722 * blue <= LIGHTEST else INK
