"""Common sizes of texts: the text layers of a component with the same `together:` are a set.

Each set is sized before anything is drawn, because a card may be drawn without the others.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from generator.base.errors import InvalidValueError
from generator.draw.art.library import ArtShelf
from generator.draw.draw import SideArtist, mark_draft
from generator.draw.layers.text import TextLayer
from generator.draw.sides import DesignSide, sides_of
from generator.pack.game import Component, Design, FaceSpec, Game, Layer


def share_text_sizes(game: Game) -> Game:
    """Return the game with the texts of each set in the largest size at which all of them fit."""
    artist = SideArtist(game, ArtShelf(game.language), mark_draft)
    components = tuple(_with_shared_sizes(component, artist) for component in game.components)
    return replace(game, components=components) if components != game.components else game


def _with_shared_sizes(component: Component, artist: SideArtist) -> Component:
    members = list(_members(component))
    if not members:
        return component
    sizes: dict[str, float] = {}
    for side, layer in members:
        with suppress(InvalidValueError):  # drawing the layer reports the fault at its place
            size = layer.fitting_size(artist.new_canvas(side))
            sizes[layer.together] = min(size, sizes.get(layer.together, size))
    # Designs share layer objects, and the drawings of shared layers are cached by object.
    resized: dict[int, Layer] = {
        id(layer): layer.model_copy(update={"size": sizes[layer.together]})
        for _, layer in members
        if layer.together in sizes
    }
    designs = tuple(_with_layers(design, resized) for design in component.designs)
    return replace(component, designs=designs)


def _members(component: Component) -> Iterator[tuple[DesignSide, TextLayer]]:
    """Yield the layers of a component that belong to a set, each with its side."""
    for design in component.designs:
        for side in sides_of(component, design):
            for at in side.spec.layers:
                if isinstance(at.layer, TextLayer) and at.layer.together and at.layer.text.strip():
                    yield side, at.layer


def _with_layers(design: Design, resized: dict[int, Layer]) -> Design:
    def resize(face: FaceSpec) -> FaceSpec:
        layers = tuple(replace(at, layer=resized.get(id(at.layer), at.layer)) for at in face.layers)
        return replace(face, layers=layers)

    return replace(
        design,
        front=resize(design.front),
        back=resize(design.back) if design.back else None,
        more=tuple(map(resize, design.more)),
    )
