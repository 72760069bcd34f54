"""Brute-force answers about boards of all tilings: ports are points on the table, and every path is walked."""

from collections import defaultdict
from itertools import product
from math import cos, radians, sin, sqrt

NAMES = {
    "square": ["n", "e", "s", "w"],
    "hex": ["n", "ne", "se", "s", "sw", "nw"],
    "hex pointed": ["ne", "e", "se", "sw", "w", "nw"],
    "triangular": ["ne", "s", "nw"],
}
FIRST = {"square": 0, "hex": 0, "hex pointed": 30, "triangular": 60}
APOTHEM = {"square": 0.5, "hex": 0.5, "hex pointed": sqrt(3) / 4, "triangular": 1 / 3}
NUDGE = 0.00137
"""An offset that keeps coordinates away from halves, which may round up or down."""

LENGTH = {"square": 1, "hex": 1 / sqrt(3), "hex pointed": 0.5, "triangular": 2 / sqrt(3)}


def centre(shape, place):
    c, r = place
    if shape == "square":
        return c, r
    if shape == "hex":
        return c * sqrt(3) / 2, r + (c % 2) / 2
    if shape == "hex pointed":
        return (c + (r % 2) / 2) * sqrt(3) / 2, r * 0.75
    return c / sqrt(3), r + (1 if (c + r) % 2 == 0 else -1) / 6


def point(shape, one, port):
    """Return the point of a port such as `n`, or of half a side such as `n1`, on a turned tile."""
    side = port.rstrip("12")
    half = port[len(port.rstrip("12")) :]
    names = NAMES[shape]
    angle = FIRST[shape] + names.index(side) * 360 / len(names) + one.turn
    if shape == "triangular" and (one.column + one.row) % 2:
        angle += 180
    x, y = centre(shape, one.place)
    along = LENGTH[shape] * {"": 0, "1": -0.25, "2": 0.25}[half]
    a = radians(angle)
    x += APOTHEM[shape] * sin(a) + along * cos(a)
    y += -APOTHEM[shape] * cos(a) + along * sin(a)
    return round(x + NUDGE, 2), round(y + NUDGE, 2)


class PointBoard:
    """A board whose links end at points on the table; its areas are sets of half sides."""

    def __init__(self, board, kit):
        shape = board.lattice.name
        self.links = {}
        self.areas = {}
        self.runs_at = defaultdict(set)
        for placement in board.placements:
            tile = kit.designs[placement.design].front.tile
            for index, link in enumerate(tile.links):
                ends = [point(shape, placement, port) for port in link.ports]
                self.links[placement.place, index] = (link, ends)
                for end in ends:
                    self.runs_at[end].add((placement.place, index))
            for number, area in enumerate(tile.areas):
                halves = {
                    h
                    for part in area.parts
                    for h in ([part] if part[-1] in "12" else [part + "1", part + "2"])
                }
                self.areas[placement.place, len(tile.links) + number] = (
                    area,
                    {point(shape, placement, half) for half in halves},
                )

    def continuations(self, run, end):
        kind = self.links[run][0].kind
        return {o for o in self.runs_at[end] if o[0] != run[0] and self.links[o][0].kind == kind}

    def reachable_tiles(self, start):
        """Return all tiles that can be reached from a tile without ever turning straight back."""
        tiles = {start}
        visited = set()

        def walk(run, entered):
            if (run, entered) in visited:
                return
            visited.add((run, entered))
            tiles.add(run[0])
            for end in self.links[run][1]:
                if end != entered:
                    for other in self.continuations(run, end):
                        walk(other, end)

        for run in self.links:
            if run[0] == start:
                walk(run, None)
        return tiles

    def best_route_value(self, stops, max_stops):
        """Return the value of the best of all routes, or None if no route joins two stops."""
        best = None

        def walk(run, entered, used, visited, value):
            nonlocal best
            link, ends = self.links[run]
            if run in stops:
                if run in visited or len(visited) == max_stops:
                    return
                visited = visited | {run}
                value = value + stops[run]
                if len(visited) > 1:
                    best = value if best is None else max(best, value)
            for end in ends:
                legs = (
                    {run} if len(ends) == 2 and not link.feature else {(run, entered), (run, end)}
                )
                if end != entered and not legs & used:
                    for other in self.continuations(run, end):
                        walk(other, end, used | legs, visited, value)

        for run in stops:
            walk(run, None, set(), frozenset(), 0.0)
        return best

    def connected_areas(self):
        """Return the groups of areas that are connected across sides."""
        remaining = set(self.areas)
        groups = []
        while remaining:
            group = set()
            edge = {remaining.pop()}
            while edge:
                area_key = edge.pop()
                group.add(area_key)
                area, halves = self.areas[area_key]
                edge |= {
                    other
                    for other, (far, theirs) in self.areas.items()
                    if other[0] != area_key[0] and far.kind == area.kind and halves & theirs
                } - group
            remaining -= group
            groups.append(frozenset(group))
        return groups

    def at_corner(self, shape, place, places):
        """Return the places that share a corner, but not a side, with a place."""
        mine = corners(shape, place)
        return {o for o in places if o != place and len(mine & corners(shape, o)) == 1}


def corners(shape, place):
    x, y = centre(shape, place)
    count = len(NAMES[shape])
    radius = APOTHEM[shape] / cos(radians(180 / count))
    upside_down = 180 if shape == "triangular" and sum(place) % 2 else 0
    angles = [radians(FIRST[shape] + (n + 0.5) * 360 / count + upside_down) for n in range(count)]
    return {
        (round(x + radius * sin(a) + NUDGE, 2), round(y - radius * cos(a) + NUDGE, 2))
        for a in angles
    }


def cells(columns, rows):
    return [(c, r) for r, c in product(range(rows), range(columns))]
