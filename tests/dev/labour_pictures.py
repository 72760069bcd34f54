"""Draw the pictures of labour cards from boards into the pack: `python -m tests.dev.labour_pictures`."""

import csv
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import yaml

PACK = Path(__file__).parents[2] / "templates" / "hydras"
BOARDS = Path(__file__).parents[1] / "data" / "labours.yaml"
CELL = 5.6
HEIGHT = 18.5
SIDES = "nesw"
STEPS = {"n": (0.0, -0.5), "e": (0.5, 0.0), "s": (0.0, 0.5), "w": (-0.5, 0.0)}
INK = "#231a14"
BONE = "#f8edd3"
RED = "#ab3327"
LOOK = {
    "card": "#efc393",
    "marked": "#f7d98b",
    "parted": "#bcd0b0",
    "sword": RED,
    "shield": "#d9a441",
    "flame": "#df6a23",
    "wood": "#6b4526",
    "skin": "#2f5443",
    "star": "#f3b63a",
    "red": RED,
    "bone": BONE,
    "eye": BONE,
}
HEAD = "M-1.5 -.75C-.8 -.8 -.5 -1.65 .5 -1.65C1.6 -1.6 2.5 -.8 2.7 0C2.5 .8 1.6 1.6 .5 1.65C-.5 1.65 -.8 .8 -1.5 .75Z"
SYMBOLS = {
    "sword": "M50 3C56 9 59 17 58.5 27C58 36 55.5 44 55.5 55V63H44.5V55C44.5 44 42 36 41.5 27C41 17 44 9 50 3Z"
    "M26 64H74C77 64 77 72 74 72H56V98H44V72H26C23 72 23 64 26 64Z",
    "shield": "M50 12 86 84H66L50 48 34 84H14Z",
}
FLAME = (
    "M0 1C-1.5 .9 -2 -.3 -1.3 -1.3C-1.1 -.9 -.9 -.7 -.6 -.6C-.7 -1.5 -.3 -2.2 .4 -2.7"
    "C.4 -1.9 1 -1.5 1.3 -.9C1.9 .1 1.3 1 0 1Z"
)
EMBER = "M0 .6C-.7 .5 -.8 -.2 -.3 -.8C.1 -.4 .6 -.3 .7 .1C.7 .4 .4 .6 0 .6Z"
STAR = (
    "M50 2 59.2 27.8 83.9 16.1 72.2 40.8 98 50 72.2 59.2 83.9 83.9 59.2 72.2 50 98 40.8 72.2 16.1 83.9 27.8 59.2 2 50"
    " 27.8 40.8 16.1 16.1 40.8 27.8Z"
)


def boards() -> dict[str, dict]:
    return yaml.safe_load(BOARDS.read_text("utf-8"))


def cards() -> dict[str, str]:
    """Return the necks of each card by its id."""
    tables = ((PACK / name).read_text("utf-8").splitlines() for name in ("necks.csv", "bodies.csv"))
    rows = (row for table in tables for row in csv.DictReader(table))
    return {row["id"]: row["neck"] for row in rows}


def symbols() -> dict[str, str]:
    """Return the sword or the shield in the corner of each card by its id."""
    rows = csv.DictReader((PACK / "necks.csv").read_text("utf-8").splitlines())
    return {row["id"]: row["symbol"] for row in rows if row["symbol"]}


def picture(labour: Mapping, look: Mapping[str, str]) -> str:
    """Return one picture as SVG: cards, necks, heads, the body, then the marks."""
    parts = [*hydra(labour, look), *beside(labour, look)]
    if "smaller" in labour:
        parts += hydra(labour["smaller"], look)
    return "\n".join(
        ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 18.5">', *parts, "</svg>", ""]
    )


def hydra(labour: Mapping, look: Mapping[str, str]) -> Iterator[str]:
    necks = cards()
    grid = [row.split() for row in labour["board"].splitlines()]
    left = labour["left"]
    top = (HEIGHT - CELL * len(grid)) / 2
    cells = {
        (x, y): cell for y, row in enumerate(grid) for x, cell in enumerate(row) if cell != "."
    }
    bearing = [
        place
        for place, cell in cells.items()
        if symbols().get(card(cell)) == labour.get("symbol", "-")
    ]

    def middle(place: tuple[int, int]) -> tuple[float, float]:
        return left + (place[0] + 0.5) * CELL, top + (place[1] + 0.5) * CELL

    for place in cells:
        x, y = middle(place)
        half = CELL / 2
        tinted = name(place) in labour.get("marked", ()) or place in bearing
        fill = look[
            "parted" if name(place) in labour.get("parted", ()) else "marked" if tinted else "card"
        ]
        shape = f"M{x - half:.2f} {y - half:.2f}h{CELL}v{CELL}h-{CELL}Z"
        yield f'<path d="{shape}" fill="{fill}" stroke="{INK}" stroke-width=".3"/>'
    for colour, width in ((INK, 2.3), (look["skin"], 1.57)):
        for place, cell in cells.items():
            neck = " ".join(lines(middle(place), ports(cell, necks)))
            yield f'<path d="{neck}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
    for place, cell in cells.items():
        yield from ends(middle(place), cell, ports(cell, necks), look)
    for place in bearing:
        yield from badge(middle(place), labour["symbol"], look)
    yield from marks(labour, middle, look)


def badge(at: tuple[float, float], symbol: str, look: Mapping[str, str]) -> Iterator[str]:
    """Draw a sword or a shield in the lower left corner of its card."""
    x = at[0] - 1.2
    y = at[1] + 1.2
    yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="1.5" fill="{look[symbol]}" stroke="{INK}" stroke-width=".25"/>'
    colour = look["bone"] if look[symbol] != "#ffffff" and symbol == "sword" else INK
    scale = f'transform="translate({x - 1.1:.2f} {y - 1.1:.2f}) scale(.022)"'
    # Line art outlines no fill as small as a light sword, but keeps its stroke.
    edge = f' stroke="{colour}" stroke-width="6"' if colour != INK else ""
    yield f'<path {scale} d="{SYMBOLS[symbol]}" fill="{colour}"{edge}/>'


def marks(labour: Mapping, middle: Callable, look: Mapping[str, str]) -> Iterator[str]:
    """Draw open ends, a hole, and rings."""
    for spot in labour.get("open", ()):
        x, y = middle(place_of(spot[:2]))
        dx, dy = STEPS[spot[3]]
        x = x + dx * CELL
        y = y + dy * CELL
        ax = 4 * abs(dy)
        ay = 4 * abs(dx)
        for colour, width in ((look["bone"], 1.7), (look["red"], 1.0)):
            shape = f"M{x - ax:.2f} {y - ay:.2f}L{x + ax:.2f} {y + ay:.2f}"
            yield f'<path d="{shape}" stroke="{colour}" stroke-width="{width}"/>'
    for spot in labour.get("hole", ()):
        x, y = middle(place_of(spot))
        shape = f"M{x - 2:.2f} {y - 2:.2f}h4v4h-4Z"
        dash = f'stroke="{look["red"]}" stroke-width=".7" stroke-dasharray="1.2 .9"'
        yield f'<path d="{shape}" fill="{look["bone"]}" {dash}/>'
    for spot in labour.get("ringed", ()):
        x, y = middle(place_of(spot))
        for colour, width in ((look["bone"], 1.5), (look["red"], 0.8)):
            yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="3.35" fill="none" stroke="{colour}" stroke-width="{width}"/>'


def beside(labour: Mapping, look: Mapping[str, str]) -> Iterator[str]:
    """Draw the signs beside a hydra: an arrow to a neighbour, a crossed-out torch, a greater-than sign."""
    arrow = f'fill="{look["red"]}" stroke="{INK}" stroke-width=".5"'
    if labour.get("leftwards"):
        yield f'<path d="M12 8.25H4.1V6.65L1.5 9.25L4.1 11.85V10.25H12Z" {arrow}/>'
    if labour.get("rightwards"):
        yield f'<path d="M33 8.25H40.9V6.65L43.5 9.25L40.9 11.85V10.25H33Z" {arrow}/>'
    if labour.get("banned"):
        yield f'<circle cx="36.9" cy="9.25" r="7.3" fill="{look["bone"]}" stroke="{look["red"]}" stroke-width="1.5"/>'
        yield from torch((36.9, 9.3), 2.3, 0, look)
        for colour, width in ((look["bone"], 2.8), (look["red"], 1.5)):
            yield f'<path d="M31.9 14.2 41.9 4.3" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
    if "smaller" in labour:
        for colour, width in ((INK, 2.2), (look["red"], 1.2)):
            sign = "M24.3 6.6 27 9.25 24.3 11.9"
            yield f'<path d="{sign}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'


def torch(
    at: tuple[float, float], scale: float, turn: float, look: Mapping[str, str]
) -> Iterator[str]:
    """Draw a burning torch, turned by some degrees clockwise."""
    line = f'stroke="{INK}" stroke-width=".25"'
    yield f'<g transform="translate({at[0]:.2f} {at[1]:.2f}) rotate({turn}) scale({scale})">'
    yield f'<path d="M-.55 .8H.55L.3 2.6H-.3Z" fill="{look["wood"]}" {line}/>'
    yield f'<path d="{FLAME}" fill="{look["flame"]}" {line}/><path d="{EMBER}" fill="{look["star"]}"/></g>'


def card(cell: str) -> str:
    """Return the id of the card in a cell."""
    return cell.rstrip("<>").removesuffix("/180")


def name(place: tuple[int, int]) -> str:
    return f"{'ABCDEFGH'[place[0]]}{place[1] + 1}"


def place_of(text: str) -> tuple[int, int]:
    return "ABCDEFGH".index(text[0]), int(text[1]) - 1


def ports(cell: str, necks: Mapping[str, str]) -> list[str]:
    """Return the sides at which a placed card has a neck."""
    turns = {">": 1, "<": 3}.get(cell[-1], 2 if cell.endswith("/180") else 0)
    sides = necks[card(cell)].partition(":")[0].split("-")
    return [SIDES[(SIDES.index(side) + turns) % 4] for side in sides]


def lines(at: tuple[float, float], sides: list[str]) -> Iterator[str]:
    """Yield the paths of necks: a bend between two adjacent sides, else straight lines to the middle."""
    ends = [(at[0] + STEPS[side][0] * CELL, at[1] + STEPS[side][1] * CELL) for side in sides]
    if len(ends) == 2 and (SIDES.index(sides[0]) - SIDES.index(sides[1])) % 2:
        (ax, ay), (bx, by) = ends
        yield f"M{ax:.2f} {ay:.2f}Q{at[0]:.2f} {at[1]:.2f} {bx:.2f} {by:.2f}"
        return
    yield from (f"M{at[0]:.2f} {at[1]:.2f}L{x:.2f} {y:.2f}" for x, y in ends)


def ends(
    at: tuple[float, float], cell: str, sides: list[str], look: Mapping[str, str]
) -> Iterator[str]:
    """Draw the head of a card with one neck, the body with its star, or the joint where necks branch."""
    x, y = at
    if cell.startswith("b"):
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="1.75" fill="{look["skin"]}" stroke="{INK}" stroke-width=".4"/>'
        star = f'fill="{look["star"]}" stroke="{INK}" stroke-width="5"'
        yield f'<path transform="translate({x - 1.45:.2f} {y - 1.45:.2f}) scale(.029)" d="{STAR}" {star}/>'
    elif cell.startswith("t"):
        yield from torch((x, y), 1.0, 0, look)
    elif len(sides) == 1:
        turn = 90 * SIDES.index(sides[0]) + 90
        skin = f'fill="{look["skin"]}" stroke="{INK}" stroke-width=".4"'
        eyes = "".join(
            f'<circle cx=".75" cy="{eye}" r=".42" fill="{look["eye"]}"/>' for eye in (-0.75, 0.75)
        )
        yield f'<g transform="translate({x:.2f} {y:.2f}) rotate({turn}) scale(.95)"><path d="{HEAD}" {skin}/>{eyes}</g>'
    elif len(sides) > 2:
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r=".78" fill="{look["skin"]}"/>'


def files() -> Iterator[tuple[Path, str]]:
    """Yield every file of these pictures with its text."""
    for labour_name, labour in boards().items():
        yield PACK / "art" / "labours" / f"{labour_name}.svg", picture(labour, LOOK)


if __name__ == "__main__":
    for path, text in files():
        path.write_text(text, "utf-8")
