"""Pictures of labour cards, drawn from boards: `python tests/labour_pictures.py` writes them into the pack."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

PACK = Path(__file__).parents[1] / "templates" / "hydras"
BOARDS = Path(__file__).parent / "games" / "labours.yaml"
CELL, HEIGHT = 5.6, 18.5
SIDES = "nesw"
STEPS = {"n": (0.0, -0.5), "e": (0.5, 0.0), "s": (0.0, 0.5), "w": (-0.5, 0.0)}
INK, BONE, RED = "#231a14", "#f8edd3", "#ab3327"
LOOKS = {
    "": {
        "card": "#efc393",
        "marked": "#f7d98b",
        "skin": "#2f5443",
        "star": "#f3b63a",
        "red": RED,
        "bone": BONE,
        "eye": BONE,
    },
    "lines/": {
        "card": "#ffffff",
        "marked": "#ececec",
        "skin": "#ffffff",
        "star": "#ffffff",
        "red": INK,
        "bone": "#ffffff",
        "eye": INK,
    },
}
HEAD = "M-1.5 -.75C-.8 -.8 -.5 -1.65 .5 -1.65C1.6 -1.6 2.5 -.8 2.7 0C2.5 .8 1.6 1.6 .5 1.65C-.5 1.65 -.8 .8 -1.5 .75Z"
STAR = (
    "M50 2 59.2 27.8 83.9 16.1 72.2 40.8 98 50 72.2 59.2 83.9 83.9 59.2 72.2 50 98 40.8 72.2 16.1 83.9 27.8 59.2 2 50"
    " 27.8 40.8 16.1 16.1 40.8 27.8Z"
)


def boards() -> dict[str, dict]:
    return yaml.safe_load(BOARDS.read_text("utf-8"))


def cards() -> dict[str, str]:
    """The necks of each card by its id."""
    tables = ((PACK / name).read_text("utf-8").splitlines() for name in ("necks.csv", "bodies.csv"))
    rows = (row for table in tables for row in csv.DictReader(table))
    return {row["id"]: row["neck"] for row in rows}


def picture(said: Mapping, look: Mapping[str, str]) -> str:
    """One picture as SVG: cards, necks, heads and the body, then what marks them."""
    necks, grid = cards(), [row.split() for row in said["board"].splitlines()]
    left, top = said["left"], (HEIGHT - CELL * len(grid)) / 2
    laid = {(x, y): cell for y, row in enumerate(grid) for x, cell in enumerate(row) if cell != "."}

    def middle(place: tuple[int, int]) -> tuple[float, float]:
        return left + (place[0] + 0.5) * CELL, top + (place[1] + 0.5) * CELL

    parts = []
    for place in laid:
        (x, y), half = middle(place), CELL / 2
        fill = look["marked" if name(place) in said.get("marked", ()) else "card"]
        shape = f"M{x - half:.2f} {y - half:.2f}h{CELL}v{CELL}h-{CELL}Z"
        parts.append(f'<path d="{shape}" fill="{fill}" stroke="{INK}" stroke-width=".3"/>')
    for colour, width in ((INK, 2.3), (look["skin"], 1.57)):
        for place, cell in laid.items():
            way = " ".join(lines(middle(place), ports(cell, necks)))
            parts.append(f'<path d="{way}" fill="none" stroke="{colour}" stroke-width="{width}"/>')
    for place, cell in laid.items():
        parts += ends(middle(place), cell, ports(cell, necks), look)
    for spot in said.get("open", ()):
        (x, y), (dx, dy) = middle(place_of(spot[:2])), STEPS[spot[3]]
        x, y, ax, ay = x + dx * CELL, y + dy * CELL, 4 * abs(dy), 4 * abs(dx)
        for colour, width in ((look["bone"], 1.7), (look["red"], 1.0)):
            shape = f"M{x - ax:.2f} {y - ay:.2f}L{x + ax:.2f} {y + ay:.2f}"
            parts.append(f'<path d="{shape}" stroke="{colour}" stroke-width="{width}"/>')
    for spot in said.get("hole", ()):
        x, y = middle(place_of(spot))
        shape = f"M{x - 2:.2f} {y - 2:.2f}h4v4h-4Z"
        dash = f'stroke="{look["red"]}" stroke-width=".7" stroke-dasharray="1.2 .9"'
        parts.append(f'<path d="{shape}" fill="{look["bone"]}" {dash}/>')
    if said.get("leftwards"):
        shape = "M12 8.25H4.1V6.65L1.5 9.25L4.1 11.85V10.25H12Z"
        parts.append(f'<path d="{shape}" fill="{look["red"]}" stroke="{INK}" stroke-width=".5"/>')
    return "\n".join(['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 18.5">', *parts, "</svg>", ""])


def name(place: tuple[int, int]) -> str:
    return f"{'ABCDEFGH'[place[0]]}{place[1] + 1}"


def place_of(text: str) -> tuple[int, int]:
    return "ABCDEFGH".index(text[0]), int(text[1]) - 1


def ports(cell: str, necks: Mapping[str, str]) -> list[str]:
    """The sides at which a laid card has a neck."""
    card = cell.rstrip("<>").removesuffix("/180")
    turns = {">": 1, "<": 3}.get(cell[-1], 2 if cell.endswith("/180") else 0)
    said = necks[card].partition(":")[0].split("-")
    return [SIDES[(SIDES.index(side) + turns) % 4] for side in said]


def lines(at: tuple[float, float], sides: list[str]) -> Iterator[str]:
    """A bend for two sides that lie at a corner, straight pieces to the middle for all others."""
    ends = [(at[0] + STEPS[side][0] * CELL, at[1] + STEPS[side][1] * CELL) for side in sides]
    if len(ends) == 2 and (SIDES.index(sides[0]) - SIDES.index(sides[1])) % 2:
        (ax, ay), (bx, by) = ends
        yield f"M{ax:.2f} {ay:.2f}Q{at[0]:.2f} {at[1]:.2f} {bx:.2f} {by:.2f}"
        return
    yield from (f"M{at[0]:.2f} {at[1]:.2f}L{x:.2f} {y:.2f}" for x, y in ends)


def ends(at: tuple[float, float], cell: str, sides: list[str], look: Mapping[str, str]) -> Iterator[str]:
    """The head of a card of one neck, the body with its star, the round where necks branch."""
    x, y = at
    if cell.startswith("b"):
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="1.75" fill="{look["skin"]}" stroke="{INK}" stroke-width=".4"/>'
        star = f'fill="{look["star"]}" stroke="{INK}" stroke-width="5"'
        yield f'<path transform="translate({x - 1.45:.2f} {y - 1.45:.2f}) scale(.029)" d="{STAR}" {star}/>'
    elif len(sides) == 1:
        turn = 90 * SIDES.index(sides[0]) + 90
        skin = f'fill="{look["skin"]}" stroke="{INK}" stroke-width=".4"'
        eyes = "".join(f'<circle cx=".75" cy="{eye}" r=".42" fill="{look["eye"]}"/>' for eye in (-0.75, 0.75))
        yield f'<g transform="translate({x:.2f} {y:.2f}) rotate({turn}) scale(.95)"><path d="{HEAD}" {skin}/>{eyes}</g>'
    elif len(sides) > 2:
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r=".78" fill="{look["skin"]}"/>'


def files() -> Iterator[tuple[Path, str]]:
    """Every file that is drawn so, with what belongs into it."""
    for labour, said in boards().items():
        for folder, look in LOOKS.items():
            yield PACK / "art" / folder / "labours" / f"{labour}.svg", picture(said, look)


if __name__ == "__main__":
    for path, text in files():
        path.write_text(text, "utf-8")
