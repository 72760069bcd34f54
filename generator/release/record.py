"""From a drawn game to a release, its fonts kept with the glyphs that were used, and found again for an old face."""

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import unescape
from pathlib import Path

import uharfbuzz as hb

from generator import __version__
from generator.core.fonts import FontFile, FontSet, read_font
from generator.core.outline import Outline
from generator.core.problems import Kind, Wrong
from generator.draw.draw import DrawnComponent
from generator.draw.face import Face, told_by
from generator.pack.game import Component, Design, Game
from generator.pack.links import write_tile
from generator.release.manifest import Form, KeptComponent, KeptDesign, KeptFont, KeptRules, Release

DrawnForm = tuple[Game, Sequence[DrawnComponent]]
"""A game in a variant and a language, drawn."""


def record(
    game: Game,
    drawn: Sequence[DrawnComponent],
    rules: tuple[KeptRules, ...] = (),
    others: Sequence[DrawnForm] = (),
) -> Release:
    """The game as it is now, also in other forms; `rules` are none while a pack has none."""
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
        fonts=kept_fonts(game.fonts, faces),
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
        spec.id, spec.title, designs, outline.said, spec.gutter, spec.grid, _radius(outline), spec.make
    )


def _radius(outline: Outline) -> float:
    """What its corners are rounded by; a circle needs no such word."""
    return 0.0 if outline.is_circle else outline.radius


def _links(_spec: Component, design: Design) -> str:
    """What runs across both sides, with a bar between them; nothing where nothing does."""
    sides = [design.front.tile] + ([design.back.tile] if design.back else [])
    texts = [write_tile(tile) for tile in sides]
    return " | ".join(texts) if any(texts) else ""


_MARKUP = re.compile(r"<style.*?</style>|<[^>]*>", re.DOTALL)
_ALWAYS = "".join(map(chr, range(0x20, 0x7F)))
"""Plain letters and digits cost little, and make a font that can be looked at."""


def kept_fonts(fonts: FontSet, faces: Sequence[Face]) -> tuple[KeptFont, ...]:
    """The fonts that the faces are set in."""
    told = told_by({face.name: face for face in faces}.values())
    letters = _letters(part for parts in told for part in parts)
    return tuple(_kept(file, letters) for file in fonts.files if any(may_use(parts, file) for parts in told))


def may_use(told: Sequence[str], font: FontFile | KeptFont) -> bool:
    """Whether what a face tells names a font's family, weight and slant; it may also stand there for another reason."""

    def says(word: str) -> bool:
        return any(word in part for part in told)

    return says(font.family) and (
        (font.weight == 400 or says(str(font.weight)) or says("bold")) and (not font.italic or says("italic"))
    )


def _letters(texts: Iterable[str]) -> str:
    return "".join(sorted(set(_ALWAYS).union(*(unescape(_MARKUP.sub("", text)) for text in dict.fromkeys(texts)))))


def _kept(file: FontFile, letters: str) -> KeptFont:
    whole = file.path.read_bytes()
    digest = sha256(whole).hexdigest()
    return KeptFont(file.family, file.weight, file.italic, digest, subset(whole, letters))


def subset(font: bytes, letters: str) -> bytes:
    """The font with these letters only, and all that its features make of them; without hints, which no print uses."""
    wish = hb.SubsetInput()
    wish.unicode_set.update({ord(letter) for letter in letters})
    wish.layout_feature_tag_set.clear()
    wish.layout_feature_tag_set.invert()
    wish.flags = hb.SubsetFlags.NO_HINTING
    data = hb.subset(hb.Face(hb.Blob(font)), wish).blob.data
    return bytes(data)


def fonts_of(release: Release, now: FontSet, folder: Path) -> FontSet:
    """The fonts for a release's faces, written to an empty folder where they are not those of `now`.

    Where a release kept no glyphs, what is called the same now must do.
    """
    if all(_at_hand(font, now) for font in release.fonts):
        return now
    if not all(font.data for font in release.fonts):
        for font in release.fonts:
            _check_family(font, now, release)
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


def _check_family(font: KeptFont, now: FontSet, release: Release) -> None:
    if font.family not in now.families:
        raise Wrong(
            f"release {release.version} is set in {font.family!r}, which it did not keep and which is no more",
            f"one of: {', '.join(now.families)}",
            "put the font file into the pack's fonts/ folder",
            Kind.MISSING,
        )
