"""Components: their tables and their layouts become designs."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from generator.core.problems import Problem, Where
from generator.pack.data import Table, read_table
from generator.pack.faces import check_faces
from generator.pack.fields import Names, boxes
from generator.pack.game import Component
from generator.pack.layer import LayerKinds
from generator.pack.layout import LayoutReader, RawLayout
from generator.pack.sides import MIRROR, NO_BACK, Sides
from generator.pack.source import Node
from generator.pack.spec import ComponentSpec, GameSpec


@dataclass(frozen=True)
class Builder:
    """Builds the components of one game; what is wrong goes into `problems`."""

    names: Names
    kinds: LayerKinds
    values: Mapping[str, str]
    without: frozenset[str]
    language: str
    root: Node
    problems: list[Problem]
    faces: Mapping[str, int] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)

    def components(self, spec: GameSpec) -> tuple[Component, ...]:
        """All components, in the order of `game.yaml`."""
        return tuple(self._component(name, part, spec) for name, part in spec.components.items())

    def _component(self, name: str, spec: ComponentSpec, game: GameSpec) -> Component:
        self._check_lengths(name, spec)
        problems = check_faces(spec, self.faces.get(spec.make, 0))
        self.problems.extend(wrong.at(self.place(name, key), key) for key, wrong in problems)
        node = self.root.find("components", name) or self.root
        data = node.find("data")
        table = (
            read_table(self.names.folder, data, self.problems)
            if data and not isinstance(data.value, dict)
            else Table((), ())
        )
        names = replace(self.names, boxes=boxes(spec.shape.size, spec.bleed, spec.safe))
        sides = self._sides(names, name, spec, game)
        sides.check_columns(table, self.place(name, "data"))
        return Component(
            id=name,
            title=spec.title,
            shape=spec.shape,
            bleed=spec.bleed,
            safe=spec.safe,
            designs=tuple(sides.design(row) for row in table.rows),
            gutter=spec.gutter,
            grid=spec.grid,
            radius=spec.radius,
            make=spec.make,
        )

    def _sides(self, names: Names, name: str, spec: ComponentSpec, game: GameSpec) -> Sides:
        drawn = spec.back not in {NO_BACK, MIRROR}
        return Sides(
            names=names,
            spec=spec,
            game=game,
            front=self.layout(spec.front, name, "front"),
            back=self.layout(spec.back, name, "back") if drawn else RawLayout(),
            values=self.values,
            without=self.without,
            language=self.language,
            faces=self.faces.get(spec.make, 0),
            problems=self.problems,
        )

    def _check_lengths(self, name: str, spec: ComponentSpec) -> None:
        for key, most in (
            ("bleed", 10.0),
            ("safe", min(spec.shape.size) / 2),
            ("gutter", 50.0),
            ("radius", min(spec.shape.size) / 2),
        ):
            value = getattr(spec, key)
            if value is not None and not 0 <= value <= most:
                where = self.root.place(("components", name, key))
                self.problems.append(Problem(where, f"{key}: {value:g} mm cannot be", f"0 mm to {most:g} mm"))

    def layout(self, name: str, component: str, key: str) -> RawLayout:
        """The layers of a layout file, and the boxes that it names."""
        asker = self.root.find("components", component, key)
        if asker is None or not isinstance(asker.value, str):
            return RawLayout()  # no name stands there, which has been told
        reader = LayoutReader(self.names.folder, self.kinds, self.language, self.problems, self.tags)
        return reader.read(name, asker, key)

    def place(self, component: str, key: str) -> Where:
        """Where a component's key stands in `game.yaml`."""
        return self.root.place(("components", component, key))
