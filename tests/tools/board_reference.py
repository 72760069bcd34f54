"""Brute-force answers about square and hexagonal boards: sides are points, and every path is walked."""

from collections import defaultdict
from itertools import combinations
from math import cos, radians, sin, sqrt


def centre(shape, place):
    if shape == "square":
        return (float(place.column), float(place.row))
    return (place.column * sqrt(3) / 2, place.row + (0.5 if place.column % 2 else 0.0))


def side_middle(shape, place, port, turn):
    """Return the side_middle of a side on the table, after turning its tile."""
    names = ["n", "e", "s", "w"] if shape == "square" else ["n", "ne", "se", "s", "sw", "nw"]
    angle = radians(names.index(port) * 360 / len(names) + turn)
    x, y = centre(shape, place)
    return (round(x + sin(angle) / 2, 3) + 0.0, round(y - cos(angle) / 2, 3) + 0.0)


class Wires:
    """A board as wires: links whose ends are points on the table, the middles of sides."""

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
                    side_middle(self.shape, placement.place, port, placement.turn)
                    for port in link.ports
                }
                self.wires[placement.place, index] = (link, points)
                for point in points:
                    self.at[point].add((placement.place, index))
            for border in face.tile.borders:
                self.labels[side_middle(self.shape, placement.place, border.port, placement.turn)][
                    placement.place
                ] = border.label

    def continuations(self, wire, point):
        """Return the wires that continue from a point."""
        if point in self.labels:
            return set()
        return {
            o
            for o in self.at[point]
            if o[0] != wire[0] and self.kinds_join(self.kind(wire), self.kind(o))
        }

    def kinds_join(self, a, b):
        return a == b or any({a, b} == set(pair) for pair in self.specs.joins)

    def kind(self, wire):
        return self.wires[wire][0].kind

    def networks(self):
        remaining = set(self.wires)
        groups = []
        while remaining:
            group = set()
            edge = {remaining.pop()}
            while edge:
                wire = edge.pop()
                group.add(wire)
                for point in self.wires[wire][1]:
                    edge |= self.continuations(wire, point) - group
            remaining -= group
            groups.append(frozenset(group))
        return groups

    def links(self, group):
        return sum(
            bool(self.continuations(wire, point)) for wire in group for point in self.wires[wire][1]
        )

    def joins(self, group):
        points = {point for wire in group for point in self.wires[wire][1]}
        pairs = ((a, b, p) for p in points for a, b in combinations(sorted(self.at[p] & group), 2))
        return sum(b in self.continuations(a, p) for a, b, p in pairs)

    def open_ends(self, group):
        count = 0
        for wire in group:
            link, points = self.wires[wire]
            count += len(points) == 1 and not link.feature and link.kind not in self.specs.dead_ends
            for point in points:
                if self.continuations(wire, point):
                    continue
                labels = self.labels.get(point, {})
                others = {label for place, label in labels.items() if place != wire[0]}
                reopened = others & set(self.specs.reopened_by)
                count += not (set(labels.values()) & set(self.specs.closed_at)) or bool(reopened)
        return count

    def mismatches(self, board):
        """Return the number of mismatches of two sides, by their code."""
        counts = defaultdict(int)
        touching = defaultdict(set)
        for place in {placement.place for placement in board.placements}:
            for port in board.lattice.ports:
                touching[side_middle(self.shape, place, port, 0)].add(place)
        for point, places in touching.items():
            if len(places) == 2:
                counts[self.mismatch(point, *sorted(places))] += 1
        counts.pop(None, None)
        return dict(counts)

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
        return None if self.can_be_paired(mine, theirs) else "kinds"

    def can_be_paired(self, mine, theirs):
        if not mine or not theirs:
            return mine == theirs
        candidates = (
            (i, other) for i, other in enumerate(theirs) if self.kinds_join(mine[0], other)
        )
        return any(
            self.can_be_paired(mine[1:], theirs[:i] + theirs[i + 1 :]) for i, _ in candidates
        )

    def longest(self, group):
        """Return the length of the longest path, by walking all paths."""

        def walk(wire, used):
            best = len(used)
            for point in self.wires[wire][1]:
                for other in self.continuations(wire, point):
                    if other in group and other[0] not in used:
                        best = max(best, walk(other, used | {other[0]}))
            return best

        return max((walk(wire, {wire[0]}) for wire in group), default=0)

    def circuits(self, group):
        """Return each simple circuit once, as its tiles in order."""
        found_circuits = {}

        def walk(wire, path):
            for point in self.wires[wire][1]:
                for other in self.continuations(wire, point):
                    if other == path[0] and len(path) > 2:
                        found_circuits.setdefault(
                            frozenset(zip(path, path[1:] + path[:1], strict=True)), path
                        )
                    elif other > path[0] and other not in path:
                        walk(other, [*path, other])

        for wire in sorted(group):
            walk(wire, [wire])
        unique = {}
        for path in found_circuits.values():
            steps = frozenset(
                frozenset(step) for step in zip(path, path[1:] + path[:1], strict=True)
            )
            unique[steps] = [wire[0] for wire in path]
        return list(unique.values())

    def loops(self, groups):
        """Return the number of circuits that contain no other circuit, by the grid points inside each."""
        circuits = [circuit for group in groups for circuit in self.circuits(group)]
        insides = [
            grid_points_inside([centre(self.shape, place) for place in circuit], 0.25)
            for circuit in circuits
        ]
        return sum(not any(other < inside for other in insides) for inside in insides)


def grid_points_inside(corners, spacing):
    """Return the points of a grid inside a polygon, as (column, row)."""
    across = [x for x, _ in corners]
    down = [y for _, y in corners]
    columns = range(int(min(across) / spacing), int(max(across) / spacing) + 1)
    rows = range(int(min(down) / spacing), int(max(down) / spacing) + 1)
    # Odd offsets keep the points off the edges of polygons.
    return frozenset(
        (c, r)
        for c in columns
        for r in rows
        if is_inside((c + 0.37) * spacing, (r + 0.43) * spacing, corners)
    )


def is_inside(x, y, corners):
    """Return True if a horizontal ray from a point crosses the edges of a polygon an odd number of times."""
    hits = 0
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        if min(ay, by) <= y < max(ay, by):
            hits += x < ax + (bx - ax) * (y - ay) / (by - ay)
    return hits % 2 == 1
