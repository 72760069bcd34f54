"""Answer questions about boards in another way: sides are points of the plane, and everything is tried."""

from collections import defaultdict
from itertools import combinations
from math import cos, radians, sin, sqrt


def centre(shape, place):
    if shape == "square":
        return (float(place.column), float(place.row))
    return (place.column * sqrt(3) / 2, place.row + (0.5 if place.column % 2 else 0.0))


def middle(shape, place, port, turn):
    """Return the middle of a side on the table, after turning its tile."""
    names = ["n", "e", "s", "w"] if shape == "square" else ["n", "ne", "se", "s", "sw", "nw"]
    angle = radians(names.index(port) * 360 / len(names) + turn)
    x, y = centre(shape, place)
    return (round(x + sin(angle) / 2, 3) + 0.0, round(y - cos(angle) / 2, 3) + 0.0)


class Wires:
    """A board as wires between points."""

    def __init__(self, board, kit, specs):
        self.shape = board.lattice.name
        self.specs = specs
        self.wires = {}
        self.at = defaultdict(set)
        self.labels = defaultdict(dict)
        for placement in board.placements:
            face = kit.designs[placement.design].front
            for index, link in enumerate(face.tile.links):
                points = {
                    middle(self.shape, placement.place, port, placement.turn) for port in link.ports
                }
                self.wires[placement.place, index] = (link, points)
                for point in points:
                    self.at[point].add((placement.place, index))
            for border in face.tile.borders:
                self.labels[middle(self.shape, placement.place, border.port, placement.turn)][
                    placement.place
                ] = border.label

    def beyond(self, wire, point):
        """The wires that go on from a point."""
        if point in self.labels:
            return set()
        return {
            o
            for o in self.at[point]
            if o[0] != wire[0] and self.alike(self.kind(wire), self.kind(o))
        }

    def alike(self, a, b):
        return a == b or any({a, b} == set(pair) for pair in self.specs.joins)

    def kind(self, wire):
        return self.wires[wire][0].kind

    def networks(self):
        left = set(self.wires)
        found = []
        while left:
            group = set()
            edge = {left.pop()}
            while edge:
                wire = edge.pop()
                group.add(wire)
                for point in self.wires[wire][1]:
                    edge |= self.beyond(wire, point) - group
            left -= group
            found.append(frozenset(group))
        return found

    def links(self, group):
        return sum(
            bool(self.beyond(wire, point)) for wire in group for point in self.wires[wire][1]
        )

    def joins(self, group):
        points = {point for wire in group for point in self.wires[wire][1]}
        here = ((a, b, p) for p in points for a, b in combinations(sorted(self.at[p] & group), 2))
        return sum(b in self.beyond(a, p) for a, b, p in here)

    def open_ends(self, group):
        found = 0
        for wire in group:
            link, points = self.wires[wire]
            found += len(points) == 1 and not link.feature and link.kind not in self.specs.dead_ends
            for point in points:
                if self.beyond(wire, point):
                    continue
                labels = self.labels.get(point, {})
                others = {label for place, label in labels.items() if place != wire[0]}
                reopened = others & set(self.specs.reopened_by)
                found += not (set(labels.values()) & set(self.specs.closed_at)) or bool(reopened)
        return found

    def mismatches(self, board):
        """Count each of the three codes of `sides`."""
        found = defaultdict(int)
        touching = defaultdict(set)
        for place in {placement.place for placement in board.placements}:
            for port in board.lattice.ports:
                touching[middle(self.shape, place, port, 0)].add(place)
        for point, places in touching.items():
            if len(places) == 2:
                found[self.mismatch(point, *sorted(places))] += 1
        found.pop(None, None)
        return dict(found)

    def mismatch(self, point, one, other):
        labels = self.labels.get(point, {})
        fits = [set(pair) for pair in self.specs.fits]
        if labels:
            both = set(labels.values())
            if len(labels) == 2 and (
                both in fits or (len(both) == 1 and not any(both & fit for fit in fits))
            ):
                return None
            return "borders"
        mine, theirs = (
            sorted(self.kind(w) for w in self.at[point] if w[0] == place) for place in (one, other)
        )
        if not mine and not theirs:
            return None
        if not mine or not theirs:
            return "sides"
        return None if self.paired(mine, theirs) else "kinds"

    def paired(self, mine, theirs):
        if not mine or not theirs:
            return mine == theirs
        tries = ((i, other) for i, other in enumerate(theirs) if self.alike(mine[0], other))
        return any(self.paired(mine[1:], theirs[:i] + theirs[i + 1 :]) for i, _ in tries)

    def longest(self, group):
        """By walking every way there is."""

        def walk(wire, used):
            best = len(used)
            for point in self.wires[wire][1]:
                for other in self.beyond(wire, point):
                    if other in group and other[0] not in used:
                        best = max(best, walk(other, used | {other[0]}))
            return best

        return max((walk(wire, {wire[0]}) for wire in group), default=0)

    def circuits(self, group):
        """Every simple circuit, as its tiles in order, once."""
        found = {}

        def walk(wire, way):
            for point in self.wires[wire][1]:
                for other in self.beyond(wire, point):
                    if other == way[0] and len(way) > 2:
                        found.setdefault(frozenset(zip(way, way[1:] + way[:1], strict=True)), way)
                    elif other > way[0] and other not in way:
                        walk(other, [*way, other])

        for wire in sorted(group):
            walk(wire, [wire])
        unique = {}
        for way in found.values():
            steps = frozenset(frozenset(step) for step in zip(way, way[1:] + way[:1], strict=True))
            unique[steps] = [wire[0] for wire in way]
        return list(unique.values())

    def loops(self, groups, grain=0.25):
        """Circuits whose inside holds no other circuit's inside, by the specks of dust that lie in each."""
        ways = [way for group in groups for way in self.circuits(group)]
        insides = [self.dust(way, grain) for way in ways]
        return sum(not any(other < inside for other in insides) for inside in insides)

    def dust(self, way, grain):
        corners = [centre(self.shape, place) for place in way]
        columns = range(
            int(min(x for x, _ in corners) / grain), int(max(x for x, _ in corners) / grain) + 1
        )
        rows = range(
            int(min(y for _, y in corners) / grain), int(max(y for _, y in corners) / grain) + 1
        )
        specks = ((c, r, (c + 0.37) * grain, (r + 0.43) * grain) for c in columns for r in rows)
        return frozenset((c, r) for c, r, x, y in specks if odd(x, y, corners))


def odd(x, y, corners):
    hits = 0
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        if min(ay, by) <= y < max(ay, by):
            hits += x < ax + (bx - ax) * (y - ay) / (by - ay)
    return hits % 2 == 1
