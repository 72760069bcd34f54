"""Make a deck of ordinary size and content: 30 random icons, 25 random words a card, sheets for A4 and Letter.

`python -m tests.benchmarks.random_deck DESIGNS COPIES FOLDER [--gutter-0]` writes the pack. `baseline.py` draws the
same cards by hand: both get the same words, icons and places from the seed.
"""

import argparse
from dataclasses import dataclass
from math import cos, pi, sin
from pathlib import Path
from random import Random

SEED = 24
ICON_COUNT = 30
ICONS_ON_CARD = 3
WORDS_ON_CARD = 25
VOCABULARY = (
    "about above after again all another any around as back before below beside between both bring card choose coin "
    "colour deck discard draw each end every face field first five forest four from game gather give gold guard hand "
    "harvest hidden hill hold house if in into island keep king last leave left less lose map market may more most "
    "mountain move much next night no now of on one or other over pass pay piece pile place play player point queen "
    "reveal right river road round score second share ship show side silver single six stone storm take ten than that "
    "the their then there three to token top tower trade turn two under until village wall water when while wins with "
    "wood you your"
)

GAME = """\
name: Random deck
version: "1"
palette: {ink: "#27313a", paper: "#fbf6ea", accent: "#b4532a"}
styles:
  title: {font: Alegreya SC, weight: bold, size: 13pt, colour: $ink, align: center}
  body: {font: Alegreya, size: 10pt, colour: $ink}
components:
  cards: {title: Cards, size: poker,GUTTER data: cards.csv, front: layouts/front.yaml, back: layouts/back.yaml}
print: {paper: [a4, letter]}
"""
FRONT = """\
- fill: $paper
- frame: {inset: 4mm, stroke: 0.6mm $ink, radius: 2.5mm}
- text: $title
  box: [6, 7, 51.5, 8]
  style: title
- icon: $first
  at: [16, 30]
  size: 14mm
  colour: $ink
- icon: $second
  at: [31.75, 30]
  size: 14mm
  colour: $accent
- icon: $third
  at: [47.5, 30]
  size: 14mm
  colour: $ink
- text: $text
  box: [8, 46, 47.5, 34]
  style: body
"""
BACK = "- fill: $ink\n- icon: icon00\n  at: center\n  size: 30mm\n  colour: $paper\n"

Place = tuple[float, float]


@dataclass(frozen=True)
class Card:
    """A design: its title, its three icons by number, and its words."""

    title: str
    icons: tuple[int, ...]
    text: str


def icons() -> list[list[tuple[Place, Place, Place]]]:
    """Return the icons as closed rows of curves (two handles and an end each), in a square of 100 with y downwards."""
    random = Random(SEED)  # noqa: S311 - nothing is secret here
    return [_icon(random) for _ in range(ICON_COUNT)]


def _icon(random: Random) -> list[tuple[Place, Place, Place]]:
    count = random.randint(8, 24)
    ends = [_around(step / count, random.uniform(18, 48)) for step in range(count)]
    handles = [
        (_around((step - 0.7) / count, 40), _around((step - 0.3) / count, 30))
        for step in range(count)
    ]
    return [(*pair, end) for pair, end in zip(handles, ends, strict=True)]


def _around(share: float, radius: float) -> Place:
    return round(50 + radius * sin(2 * pi * share), 2), round(50 - radius * cos(2 * pi * share), 2)


def cards(designs: int) -> list[Card]:
    random = Random(SEED)  # noqa: S311 - nothing is secret here
    return [_card(random, number) for number in range(designs)]


def _card(random: Random, number: int) -> Card:
    chosen = tuple(random.randrange(ICON_COUNT) for _ in range(ICONS_ON_CARD))
    return Card(
        f"Card number {number}",
        chosen,
        " ".join(random.choices(VOCABULARY.split(), k=WORDS_ON_CARD)),
    )


def write_deck(folder: Path, designs: int, copies: int, *, gutter_0: bool) -> Path:
    files = {
        "game.yaml": GAME.replace("GUTTER", " gutter: 0," if gutter_0 else ""),
        "layouts/front.yaml": FRONT,
        "layouts/back.yaml": BACK,
        "cards.csv": _table(cards(designs), copies),
    }
    for number, curves in enumerate(icons()):
        files[f"art/icons/icon{number:02}.svg"] = _svg(curves)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def _table(deck: list[Card], copies: int) -> str:
    rows = ["id,count,title,first,second,third,text"]
    for number, card in enumerate(deck):
        names = ",".join(f"icon{icon:02}" for icon in card.icons)
        rows.append(f"d{number},{copies},{card.title},{names},{card.text}")
    return "\n".join(rows) + "\n"


def _svg(curves: list[tuple[Place, Place, Place]]) -> str:
    x, y = curves[-1][2]
    steps = " ".join("C" + " ".join(f"{x} {y}" for x, y in places) for places in curves)
    path = f'<path d="M{x} {y} {steps}Z"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{path}</svg>'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("designs", type=int)
    parser.add_argument("copies", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gutter-0", action="store_true")
    options = parser.parse_args()
    write_deck(options.folder, options.designs, options.copies, gutter_0=options.gutter_0)


if __name__ == "__main__":
    main()
