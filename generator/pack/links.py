"""The short notation for what runs across a tile.

`n-e:red s:blue@hydrant` is a red link from the north side to the east side and a
blue one from the south to a hydrant in the middle; `n-e-s:street@intersection` is
a junction; `w=road` labels the west side without a link.
"""

import re
from dataclasses import dataclass, replace

from generator.core.problems import Wrong, unknown

SQUARE_PORTS = ("n", "e", "s", "w")
HEX_PORTS = ("n", "ne", "se", "s", "sw", "nw")
"""The sides of a hexagon that lies on a flat side; clockwise from the top, as with squares."""

_ITEM = re.compile(r"(?P<ports>[a-z]+(?:-[a-z]+)*)(?::(?P<kind>[\w-]+))?(?:@(?P<feature>[\w-]+))?")
_BORDER = re.compile(r"(?P<port>[a-z]+)=(?P<label>[\w-]+)")

_MIRRORED = {"e": "w", "w": "e", "ne": "nw", "nw": "ne", "se": "sw", "sw": "se"}


@dataclass(frozen=True)
class Link:
    """One road, hose or neck: the sides that it joins, its kind, and what stands on it."""

    ports: tuple[str, ...]
    kind: str
    feature: str | None = None


@dataclass(frozen=True)
class Border:
    """A side with a label and no link."""

    port: str
    label: str


@dataclass(frozen=True)
class Tile:
    """What runs across one side of a tile, in the order in which it was written."""

    links: tuple[Link, ...] = ()
    borders: tuple[Border, ...] = ()

    def mirrored(self) -> "Tile":
        """The same seen from behind."""
        return Tile(
            tuple(replace(link, ports=tuple(_MIRRORED.get(p, p) for p in link.ports)) for link in self.links),
            tuple(replace(border, port=_MIRRORED.get(border.port, border.port)) for border in self.borders),
        )


NO_LINKS = Tile()


def parse_tile(text: str, ports: tuple[str, ...], default_kind: str | None = None) -> Tile:
    """Read a tile's notation; `ports` are the names of the shape's sides."""
    links: list[Link] = []
    borders: list[Border] = []
    for item in text.replace(",", " ").split():
        if border := _BORDER.fullmatch(item):
            borders.append(Border(_port(border["port"], ports), border["label"]))
        elif link := _ITEM.fullmatch(item):
            links.append(_link(link, ports, default_kind))
        else:
            raise Wrong(
                f"{item!r} is no link", "sides, a kind and perhaps a feature, such as n-e:red or s:blue@hydrant"
            )
    return Tile(tuple(links), tuple(borders))


def _link(match: re.Match[str], ports: tuple[str, ...], default_kind: str | None) -> Link:
    kind = match["kind"] or default_kind
    if kind is None:
        raise Wrong(f"{match[0]!r} names no kind of link", "a kind after a colon, such as n-e:red")
    sides = tuple(_port(name, ports) for name in match["ports"].split("-"))
    if len(set(sides)) != len(sides):
        raise Wrong(f"{match[0]!r} names a side twice", "each side once")
    return Link(sides, kind, match["feature"])


def _port(name: str, ports: tuple[str, ...]) -> str:
    if name not in ports:
        raise unknown("side", name, ports)
    return name
