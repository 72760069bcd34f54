"""Make decks of any number of designs for benchmarks."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
WORDS = (
    "Draw two cards and keep one of them. Then every other player may give you a card; when nobody does, you take "
    "three from the pile and end your turn at once."
)
GAME = """\
name: Deck
version: "1"
palette: {ink: "#27313a", paper: "#fbf6ea"}
styles:
  title: {font: Alegreya SC, weight: bold, size: 13pt, colour: $ink, align: center}
  body: {font: Alegreya, size: 10pt, colour: $ink}
components:
  cards: {title: Cards, size: poker, data: cards.csv, front: layouts/front.yaml, back: layouts/back.yaml}
print: {paper: a4}
"""
FRONT = """\
- fill: $paper
- frame: {inset: 4mm, stroke: 0.6mm $ink, radius: 2.5mm}
- text: $title
  box: [6, 7, 51.5, 8]
  style: title
- text: $text
  box: [8, 50, 47.5, 30]
  style: body
- repeat: star
  times: 3
  at: [16, 30]
  size: 14mm
"""
BACK = "- fill: $ink\n- icon: star\n  at: center\n  size: 30mm\n  colour: $paper\n"


def deck(folder: Path, designs: int) -> Path:
    """Write a pack with nine copies of each design; `floor.py` draws the same cards by hand."""
    rows = "".join(f'd{n},Card number {n},9,"{WORDS} ({n})"\n' for n in range(designs))
    star = (ROOT / "generator/starters/cards/art/icons/star.svg").read_text()
    files = {
        "game.yaml": GAME,
        "cards.csv": f"id,title,count,text\n{rows}",
        "art/icons/star.svg": star,
    }
    for name, text in {**files, "layouts/front.yaml": FRONT, "layouts/back.yaml": BACK}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder
