"""The part of a gallery that players see first: the cover, links to the built files, and all faces.

It needs no scripts. Each picture is a symbol in the page, so one that many designs share is there once.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby
from urllib.parse import quote

from generator.base.geometry import Size
from generator.base.html import Html, html, join_html
from generator.base.outline import Outline
from generator.base.ui_strings import Words, words_for
from generator.base.units import number
from generator.live.session import Card, CardSide
from generator.pack.game import Game
from generator.picture.web import make_sprite
from generator.rules.game_page import art_with_fonts, enlarging, font_rule, game_style, hero
from generator.rules.theme import Look

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
    look: Look
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
        font = font_rule(self.look.heading, letters, family=HEADING)
        css = (files(__package__) / "gallery.css").read_text("utf-8")
        return "\n".join((font, game_style(self.look, HEADING), css))

    def compose(self) -> Html:
        """Return the HTML of the page."""
        game = self.game
        cover = self.look.cover
        sprite = make_sprite((cover,) if cover else (), art_with_fonts)
        symbols = join_html(self._symbol(name, each) for name, each in self.pictures.items())
        theme = self.look.theme
        return html(
            _PAGE,
            cover=sprite.symbols if cover else "",
            symbols=symbols,
            hero=hero(
                self.look,
                game.name,
                sprite.use(cover, game.name) if cover else Html(),
                self._opening(),
            ),
            kinds=f"{theme.heading_style} marked" if theme.dress.mark else theme.heading_style,
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
