"""Write a page with every face of a game, which needs no server: one file, or a folder with its pictures.

First comes the part for players: the cover, links to the built files, and all faces. It needs no scripts. Each picture
is a symbol in the page, so one that many designs share is there once. The switch `Data` then shows the views of the
live page.

Browsers draw most faces from their SVG, so they are sharp at any zoom and small. Faces that need more than shapes and
letters, or whose SVG is longer than their pixels, become PNG images.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from urllib.parse import quote

from generator.base.errors import InvalidValueError
from generator.base.files import Outbox
from generator.base.geometry import Rect, Size
from generator.base.html import Html, html, join_html, raw_text
from generator.base.outline import Outline
from generator.base.ui_strings import Words, has_words, words_for
from generator.base.units import number
from generator.draw.draw import DesignSide, sides_of
from generator.export import WrittenFile
from generator.export.face_names import face_names
from generator.live.cards import (
    Card,
    CardSide,
    JsonObject,
    card_to_json,
    component_to_json,
    game_to_json,
)
from generator.live.page_files import compose_index, json_script, read_page_file
from generator.pack.folder import PackFolder
from generator.pack.game import Game
from generator.picture.face import Face
from generator.picture.web_parts import (
    EMBEDDED_ONLY,
    EMBEDDED_OR_BESIDE,
    SCREEN_DPI,
    PicturePool,
    Screen,
    ScreenWriter,
    draws_as_printed,
    font_face,
    make_picture_pool,
    make_sprite,
    policy,
    shared_style,
)
from generator.pipeline.project import Project
from generator.pipeline.rulebook import page_style
from generator.rules.game_page import art_with_fonts, enlarging, font_rule, game_style, hero
from generator.rules.theme import BookletStyle

# A face with more characters of SVG becomes a PNG image, which is then smaller and quicker to draw.
MAX_FACE_CHARS = 60_000
# Characters of SVG of all faces. A page with many faces has less for each of them.
MAX_PAGE_CHARS = 24_000_000
YAML_SUFFIXES = (".yaml", ".yml")
MAIN_MODULE = "app"
IMPORT_PATTERN = re.compile(
    r'^import (?:(\{ [\w, ]+ \})|\* as (\w+)) from "\./(\w+)\.js";\n', re.MULTILINE
)
EXPORT_PATTERN = re.compile(
    r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE
)
HEAD = """$policy
<style>$style</style>"""
END = """<svg class="filters" aria-hidden="true" width="0" height="0">$common</svg>
<script type="application/json" id="state">$data</script>
<script>$script</script>"""

# The name of the headings' font in the page: faces may use the same font with other letters.
HEADING = "Game heading"

_SYMBOL = '<symbol id="face-$name" viewBox="0 0 $w $h"><path class="paper" d="$cut"/>$body</symbol>'
_FACE = (
    '<svg class="face" role="img" aria-label="$label" viewBox="0 0 $w $h" style="--w:$w;--h:$h">'
    '<use href="#face-$name"/></svg>'
)
_DESIGN = """<figure$data>
$picture
<figcaption><span class="name">$title</span> <span class="number">×$count</span></figcaption>
</figure>"""
_SECTION = """<section id="part-$id">
<h2><span>$title</span></h2>
<div class="designs">
$designs
</div>
</section>"""
_DOWNLOADS = '<nav class="downloads" aria-label="$title"><p>$title</p>$links</nav>'
# The script shows the switch, since only the script can show the data.
_SWITCH = '<button class="switch" role="switch" aria-checked="false" data-to="#cards" hidden>$data</button>'
_PAGE = """$cover<svg class="sprite" aria-hidden="true">$symbols</svg>
<div class="game gallery">$hero<main class="$kinds">
$sections
</main>
<footer>$footer</footer></div>"""


@dataclass(frozen=True)
class GalleryPicture:
    """A face as the page draws it: its size in mm, the outline that it is cut to, and its elements."""

    size: Size
    outline: Outline
    body: Html


@dataclass(frozen=True)
class PlayerPage:
    """The players' part of a game's gallery.

    `files` are the names of the files that were built next to the page's folder.
    """

    game: Game
    page_style: BookletStyle
    cards: Sequence[Card]
    pictures: Mapping[str, GalleryPicture]
    files: Sequence[str] = ()

    @property
    def words(self) -> Words:
        """The texts in the language of the game."""
        return words_for(self.game.language)

    @property
    def style(self) -> str:
        """The CSS of the page, with the font of its headings."""
        titles = (part.title or part.id for part in self.game.components)
        letters = set(
            "".join((self.game.name, self.words.gallery.downloads, " ×0123456789", *titles))
        )
        font = font_rule(self.page_style.heading, letters, family=HEADING)
        css = (files(__package__) / "gallery.css").read_text("utf-8")
        return "\n".join((font, game_style(self.page_style, HEADING), css))

    def compose(self) -> Html:
        """Return the HTML of the page."""
        game = self.game
        cover = self.page_style.cover
        sprite = make_sprite((cover,) if cover else (), art_with_fonts)
        symbols = join_html(self._symbol(name, each) for name, each in self.pictures.items())
        theme = self.page_style.theme
        return html(
            _PAGE,
            cover=sprite.symbols if cover else "",
            symbols=symbols,
            hero=hero(
                self.page_style,
                game.name,
                sprite.use(cover, game.name) if cover else Html(),
                self._opening(),
            ),
            kinds=f"{theme.heading_style} marked" if theme.pictures.mark else theme.heading_style,
            sections=join_html(self._sections(), "\n"),
            footer=f"{game.name} · {self.words.rules.version} {game.edition()}",
        )

    def _symbol(self, name: str, picture: GalleryPicture) -> Html:
        points = (f"{number(x)} {number(y)}" for x, y in picture.outline.flat)
        return html(
            _SYMBOL,
            name=name,
            w=number(picture.size.w),
            h=number(picture.size.h),
            cut=f"M{'L'.join(points)}Z",
            body=picture.body,
        )

    def _opening(self) -> Html:
        """Return the text beside the cover: the parts of the game, the links and the switch."""
        words = self.words.gallery
        counts = (
            html(
                '<li><a href="#part-$id">$title <span class="number">×$count</span></a></li>',
                id=part.id,
                title=part.title or part.id,
                count=part.count,
            )
            for part in self.game.components
        )
        pieces = sum(part.count for part in self.game.components)
        lead = html(
            '<p class="lead">$count $pieces · $version $edition</p>',
            count=pieces,
            pieces=self.words.page["piece" if pieces == 1 else "pieces"],
            version=self.words.rules.version,
            edition=self.game.edition(),
        )
        contents = html(
            '<nav id="contents" aria-label="$title"><ol>$parts</ol></nav>',
            title=self.words.rules.contents,
            parts=join_html(counts),
        )
        links = [
            html('<a class="pill" href="../$file">$text</a>', file=quote(file), text=text)
            for file, text in self._links()
        ]
        downloads = html(_DOWNLOADS, title=words.downloads, links=join_html(links, "\n"))
        switch = html(_SWITCH, data=words.data)
        return join_html((lead, contents, downloads if links else "", switch), "\n")

    def _links(self) -> Iterator[tuple[str, str]]:
        """Yield the files next to the page with their texts, the rules first."""
        words = self.words.gallery
        game = self.game
        kinds = (
            (f"{game.stem('rules')}.html", words.rules),
            (f"{game.stem('sheets')}-", words.sheets),
            (f"{game.stem('rules')}.pdf", words.rules_pdf),
            (f"{game.stem('rules')}-booklet-", words.booklet),
            (f"{game.stem('making')}-", words.making),
        )
        for start, text in kinds:
            for file in self.files:
                if file.startswith(start) and file.endswith((".pdf", ".html")):
                    paper = file.removeprefix(start).removesuffix(".pdf").replace("-", " ")
                    yield file, text.format(paper=paper.capitalize())

    def _sections(self) -> Iterator[Html]:
        """Yield the designs of each component, under its title."""
        numbers = iter(range(1, len(self.cards) + 1))
        for part, cards in groupby(self.cards, lambda card: card.component):
            own = list(cards)
            backs = {card.sides[-1].key for card in own}
            # A back that all designs share stands once, in front of them.
            is_shared = len(own) > 1 and len(backs) == 1 and own[0].sides[-1].side.name == "back"
            designs = [self._design(card, next(numbers), is_shared=is_shared) for card in own]
            if is_shared:
                designs.insert(0, self._shared_back(own))
            yield html(
                _SECTION,
                id=part.id,
                title=part.title or part.id,
                designs=join_html(designs, "\n"),
            )

    def _shared_back(self, cards: Sequence[Card]) -> Html:
        title = self.words.gallery.same_back
        return html(
            _DESIGN,
            data="",
            picture=html(
                '<div class="sides">$face</div>', face=self._face(cards[0].sides[-1], title)
            ),
            title=title,
            count=sum(card.design.count for card in cards),
        )

    def _design(self, card: Card, at: int, *, is_shared: bool) -> Html:
        """Return a design whose faces open large; `at` is its number on the page."""
        design = card.design
        sides = tuple({side.key: side for side in card.sides}.values())
        words = self.words.rules
        large = html(
            '<div class="sides">$faces</div><p class="name">$title</p>',
            faces=self._faces(card, sides),
            title=design.title,
        )
        picture = enlarging(
            html(
                '<span class="sides">$faces</span>',
                faces=self._faces(card, sides[:-1] if is_shared else sides),
            ),
            large,
            f"large-{at}",
            design.title,
            (words.enlarge, words.close),
        )
        return html(
            _DESIGN,
            data=html(' data-name="$name"', name=card.name),
            picture=picture,
            title=design.title,
            count=design.count,
        )

    def _faces(self, card: Card, sides: Sequence[CardSide]) -> Html:
        """Return some faces of a design, each with its name for those who do not see it."""
        sheet = self.words.sheet
        names = {"front": sheet.front, "back": sheet.back}
        title = card.design.title
        return join_html(
            self._face(
                side,
                self.words.preview.face.format(
                    title=title, side=names.get(side.side.name, side.side.name)
                )
                if len(card.sides) > 1
                else title,
            )
            for side in sides
        )

    def _face(self, side: CardSide, label: str) -> Html:
        size = self.pictures[side.key].size
        return html(_FACE, label=label, name=side.key, w=number(size.w), h=number(size.h))


@dataclass(frozen=True)
class GalleryOptions:
    """The options of a gallery: `single` is True for a page in one file."""

    single: bool = False


@dataclass(frozen=True)
class _GallerySide:
    """A side of a design with its face; `picture` names the picture, which equal faces share."""

    side: DesignSide
    face: Face
    picture: str


@cache
def join_modules() -> str:
    """Return the page's modules as one script: each becomes a function that returns its exports."""
    scripts: dict[str, str] = {}
    _add_module(MAIN_MODULE, scripts, ())
    body = "\n".join(scripts.values())
    return f'(() => {{\n"use strict";\n{body}\n}})();\n'


def _add_module(name: str, scripts: dict[str, str], importers: tuple[str, ...]) -> None:
    """Add a module to `scripts`, after the modules that it imports."""
    if name in importers:
        raise ValueError(f"the page's modules import each other: {' → '.join((*importers, name))}")
    if name in scripts:
        return
    text = read_page_file(f"{name}.js")
    for _, _, imported in IMPORT_PATTERN.findall(text):
        _add_module(imported, scripts, (*importers, name))
    exports = EXPORT_PATTERN.findall(text)
    text = IMPORT_PATTERN.sub(lambda match: f"const {match[1] or match[2]} = {match[3]}Js;\n", text)
    text = EXPORT_PATTERN.sub("", text)
    if unsupported := re.search(r"^(?:import|export)\b.*", text, re.MULTILINE):
        raise ValueError(
            f"{name}.js: this has an import or export of an unsupported form: {unsupported[0]}"
        )
    scripts[name] = f"const {name}Js = (() => {{\n{text}return {{ {', '.join(exports)} }};\n}})();"


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write the gallery, with each picture once."""
    stem = project.game.stem("gallery")
    single = project.request.get(GalleryOptions).single
    sides = list(_sides(project))
    pictures: dict[str, _GallerySide] = {}
    for item in sides:
        pictures.setdefault(item.picture, item)
    screen = Screen(None if single else lambda name, data: outbox.write(f"{stem}/{name}", data))
    with project.watch.stage("preview", len(pictures)) as tick:
        pool = _picture_pool(pictures, screen)
        others = {name: item for name, item in pictures.items() if name not in pool.bodies}
        bodies = {**pool.bodies, **dict(_images(project, others, screen))}
        tick(len(pictures))
        files = None if single else [name for name in outbox.names if "/" not in name]
        page = _page(project, sides, bodies, pool.common, files).encode()
    yield WrittenFile(
        outbox.write(f"{stem}.html" if single else f"{stem}/index.html", page),
        "a web page of every card",
    )


def _sides(project: Project) -> Iterator[_GallerySide]:
    """Yield the sides of all designs.

    Equal faces of one outline share a picture, which has the name of the first side that shows it.
    """
    names = face_names(project.game.components)
    pictures: dict[tuple[str, Outline], str] = {}
    for component in project.components:
        spec = component.spec
        for design, faces in zip(spec.designs, component.designs, strict=True):
            for side, face in zip(sides_of(spec, design), faces.faces, strict=True):
                name = names[spec.id, design.id, side.name.replace(" ", "-")]
                picture = pictures.setdefault((face.name, side.outline), name)
                yield _GallerySide(side, face, picture)


def _picture_pool(pictures: Mapping[str, _GallerySide], screen: Screen) -> PicturePool:
    """Return the faces that the browser draws from their SVG."""
    alike = {name: item for name, item in pictures.items() if draws_as_printed(item.face)}
    screen.expect(item.face for item in alike.values())
    cuts = {name: (item.face, item.side.outline) for name, item in alike.items()}
    max_chars = min(MAX_FACE_CHARS, MAX_PAGE_CHARS // max(1, len(pictures)))
    return make_picture_pool(cuts, ScreenWriter(screen), max_chars)


def _images(
    project: Project, pictures: Mapping[str, _GallerySide], screen: Screen
) -> Iterator[tuple[str, Html]]:
    """Yield faces as PNG images, cut out, by name."""
    cuts = [
        (item.face.cut(item.side.outline), Rect(0, 0, *item.face.size))
        for item in pictures.values()
    ]
    for (name, item), data in zip(
        pictures.items(), project.raster.pngs(cuts, SCREEN_DPI), strict=True
    ):
        w, h = (number(side) for side in item.face.size)
        address = screen.place(name, "png", data)
        yield (
            name,
            html('<image href="$address" width="$w" height="$h"/>', address=address, w=w, h=h),
        )


def _page(
    project: Project,
    sides: Sequence[_GallerySide],
    bodies: Mapping[str, Html],
    common: Html,
    files: Sequence[str] | None,
) -> Html:
    """Return the HTML of the gallery: the players' part, then the live page's views with their data.

    `files` are the files that were built next to the page's folder; None for a page in one file.
    """
    game = project.game
    sides_by_design: dict[tuple[str, str], list[CardSide]] = {}
    pictures: dict[str, GalleryPicture] = {}
    for item in sides:
        sides_by_design.setdefault((item.side.component.id, item.side.design.id), []).append(
            CardSide(item.side, item.picture)
        )
        pictures.setdefault(
            item.picture,
            GalleryPicture(item.face.size, item.side.outline, bodies[item.picture]),
        )
    cards = [
        Card(part, design, tuple(sides_by_design[part.id, design.id]))
        for part in game.components
        for design in part.designs
    ]
    players = PlayerPage(game, page_style(project), cards, pictures, files or ())
    data = _to_json(game, cards, _words_of_pack(project))
    # Browsers load no modules from file: addresses. So the modules are joined to one script, the only
    # one that the page's policy allows.
    script = join_modules()
    sources = EMBEDDED_ONLY if files is None else EMBEDDED_OR_BESIDE
    title = f"{game.name} {game.edition()}"
    fonts = (
        font_face(font.family, font.weight, font.data, italic=font.italic)
        for font in project.used_fonts
    )
    style = "\n".join((*fonts, shared_style(), read_page_file("style.css"), players.style))
    return compose_index(
        title=title,
        heading=title,
        head=html(HEAD, policy=policy([script], sources), style=raw_text(style)),
        language=game.language if has_words(game.language) else "en",
        start=players.compose(),
        end=html(END, common=common, data=json_script(data), script=raw_text(script)),
    )


def _to_json(game: Game, cards: Sequence[Card], columns: Collection[str]) -> JsonObject:
    """Serialize the cards with the given columns for the views of the live page.

    Pictures are in the page and have no bleed. Nothing of the machine that built it is included.
    """
    parts = [component_to_json(part) for part in game.components]
    rows = [card_to_json(card) for card in cards]
    return {
        "number": 1,
        "game": {**game_to_json(game), "path": "", "folder": ""},
        "components": [
            {**part, "bleed": 0, "columns": [name for name in part["columns"] if name in columns]}
            for part in parts
        ],
        "cards": [
            {
                **card,
                "where": "",
                "row": {name: text for name, text in card["row"].items() if name in columns},
            }
            for card in rows
        ],
        "problems": [],
        "notes": [],
        "downloads": {},
        "words": dict(words_for(game.language).page),
    }


def _words_of_pack(project: Project) -> frozenset[str]:
    """Return every word of the pack's YAML files.

    A column that no file names holds notes of the authors, and is not published.
    """
    folder = PackFolder(project.folder)
    words = {"id", "title"}
    for name in folder.names(".", YAML_SUFFIXES):
        with suppress(InvalidValueError):
            words.update(re.findall(r"[\w-]+", folder.read(name).decode("utf-8", "replace")))
    return frozenset(words)
