"""From a drawn game to a release."""

from collections.abc import Sequence

from generator import __version__
from generator.core.outline import Outline
from generator.draw.draw import DrawnComponent
from generator.pack.game import Component, Design, Game
from generator.pack.links import write_tile
from generator.release.fonts import kept_fonts
from generator.release.manifest import Form, KeptComponent, KeptDesign, KeptRules, Release

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
