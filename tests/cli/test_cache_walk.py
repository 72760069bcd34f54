"""Test that a build after any series of edits gives the files of a new build.

Chunks of faces are small here, so that edits move faces from one into the next.
"""

import io
from itertools import count
from pathlib import Path
from random import Random

from PIL import Image

from tests.tools.make_pack import svg

GAME = """\
name: Walk
version: "1"
palette: {{ink: "{ink}", paper: "#fbf6ea"}}
styles:
  title: {{font: {font}, size: 9pt, colour: $ink}}
  body: {{font: Alegreya, size: {size}, colour: $ink}}
components:
  cards:
    title: Cards
    size: 36mm
    bleed: {bleed}
    data: cards.csv
    front: layouts/{front}.yaml
    back: {back}
  coins: {{title: Coins, size: circle 36mm, data: coins.csv, front: layouts/{front}.yaml, back: layouts/back.yaml}}
print: {{paper: a4}}
"""
LAYOUTS = {
    "plain": """\
- fill: $paper
- {icon: $icon, at: [12, 12], size: 9mm, colour: $hue}
- {text: $title, box: [3, 3, 33, 6], style: title, fit: 4pt}
- {text: $text, box: [3, 18, 33, 16], style: body, fit: 4pt}
""",
    "rich": """\
- {fill: white to $ink right}
- {image: $photo, box: [2, 2, 34, 14], when: $photo, fit: cover}
- {svg: art/tree.svg, box: [20, 24, 10, 10], opacity: 0.5}
- group:
  - {text: "Turned :star:", style: body, box: 0 0 20 5mm}
  at: [10, 20]
  turn: 12
- {text: $title, box: [3, 3, 33, 6], style: title, fit: 4pt, shadow: 0.2mm $paper}
""",
    "back": "- fill: $ink\n- {icon: star, at: center, size: 20mm, colour: $paper}\n",
}
CHOICES = {
    "ink": ["#27313a", "#550055"],
    "font": ["Alegreya", "Bungee"],
    "size": ["7pt", "8pt"],
    "bleed": ["3mm", "2mm"],
    "front": ["plain", "rich"],
    "back": ["mirror", "layouts/back.yaml"],
}
OPTIONS = {
    "paper": [(), ("--paper", "a3", "--landscape")],
    "duplex": [(), ("--duplex", "gutterfold"), ("--duplex", "short-edge")],
    "marks": [(), ("--marks", "ticks")],
    "dpi": [(), ("--dpi", "100")],
    "lang": [(), ("--lang", "nl")],
    "draft": [(), ("--draft",)],
    "low-ink": [(), ("--low-ink",)],
}
COLUMNS = ("id", "title", "title@nl", "count", "text", "icon", "photo", "hue")
WORDS = ("Draw", "two cards", "and keep", "one of them;", "nobody does", ":star:", "fi", "ffl")
ICONS = ("star", "moon")
SEED = 4
EDITS_TOGETHER = 3
"""Number of edits between two builds."""


class Author:
    """An author who changes one thing in a pack at a time."""

    def __init__(self, folder, seed):
        self.folder = folder
        self.dice = Random(seed)  # noqa: S311 - chooses edits, protects nothing
        self.ids = count(1)
        self.game = {name: entry[0] for name, entry in CHOICES.items()}
        self.options = dict.fromkeys(OPTIONS, ())
        self.tables = {
            "cards.csv": [self.row() for _ in range(7)],
            "coins.csv": [self.row() for _ in range(3)],
        }
        self.art = {
            name: self.picture(name)
            for name in ("art/tree.svg", *(f"art/icons/{item}.svg" for item in ICONS))
        }
        self.art |= {"art/a.png": self.pixels()}

    def row(self):
        def some_words(most):
            return " ".join(self.dice.choices(WORDS, k=self.dice.randint(1, most)))

        pick = self.dice.choice
        photo = pick(["", "", "art/a.png"])
        hue = pick(["red", "#336699"])
        return [
            f"c{next(self.ids)}",
            some_words(2),
            f"Kaart {some_words(1)}",
            pick("1123"),
            some_words(9),
            pick(ICONS),
            photo,
            hue,
        ]

    def picture(self, name):
        colour = "currentColor" if "icons" in name else self.dice.choice(["#88aa00", "#b4532a"])
        return svg(
            f'<circle cx="5" cy="5" r="{self.dice.randint(1, 5)}" fill="{colour}"/>'
        ).encode()

    def pixels(self):
        file = io.BytesIO()
        mode, colour = self.dice.choice([("RGB", "teal"), ("RGBA", "#ff000080"), ("L", "gray")])
        Image.new(mode, (self.dice.choice([40, 300]),) * 2, colour).save(file, "PNG")
        return file.getvalue()

    def state(self):
        return self.game, self.options, self.tables, self.art

    def edits(self):
        """Draw one edit of each kind, in any order."""
        kinds = [(self.choose, name) for name in CHOICES] + [(self.opt, name) for name in OPTIONS]
        kinds += [(self.redraw, name) for name in self.art]
        kinds += [
            (how, name)
            for how in (self.cell, self.more, self.fewer, self.move)
            for name in self.tables
        ]
        self.dice.shuffle(kinds)
        return kinds

    def choose(self, name):
        self.game = {
            **self.game,
            name: self.dice.choice([item for item in CHOICES[name] if item != self.game[name]]),
        }

    def opt(self, name):
        others = [item for item in OPTIONS[name] if item != self.options[name]]
        self.options = {**self.options, name: self.dice.choice(others)}

    def redraw(self, name):
        self.art = {**self.art, name: self.picture(name) if name.endswith("svg") else self.pixels()}

    def cell(self, name):
        *before, row, last = self.tables[name]
        column = self.dice.randrange(1, len(COLUMNS))
        changed = [*row[:column], self.row()[column], *row[column + 1 :]]
        self.tables = {**self.tables, name: [*before, changed, last]}

    def more(self, name):
        rows = self.tables[name]
        at = self.dice.randint(0, len(rows))
        self.tables = {**self.tables, name: [*rows[:at], self.row(), *rows[at:]]}

    def fewer(self, name):
        self.tables = {**self.tables, name: self.tables[name][1:]}

    def move(self, name):
        first, *others = self.tables[name]
        self.tables = {**self.tables, name: [*others, first]}

    def write(self):
        tables = {
            name: "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in (COLUMNS, *rows))
            for name, rows in self.tables.items()
        }
        texts = {"game.yaml": GAME.format(**self.game), **tables}
        texts |= {f"layouts/{name}.yaml": text for name, text in LAYOUTS.items()}
        for name, data in {
            **self.art,
            **{name: text.encode() for name, text in texts.items()},
        }.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(data)


def test_build_after_random_edits_gives_files_of_a_new_build(pnp, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("generator.pdf.faces.FACES_PER_DOCUMENT", 3)
    author = Author(Path("pack"), SEED)
    first = author.state()
    edits = author.edits()
    for step in range(0, len(edits) + 1, EDITS_TOGETHER):
        warm = build(pnp, author, f"warm{step}")
        assert warm == build(pnp, author, f"cold{step}", "--no-cache"), edits[: step + 1]
        author.options = first[1]
        for edit, name in edits[step : step + EDITS_TOGETHER]:
            edit(name)
    author.game, author.options, author.tables, author.art = first
    assert build(pnp, author, "back") == file_contents("cold0")


def build(pnp, author, output, *more):
    author.write()
    options = [word for option in author.options.values() for word in option]
    result = pnp("build", "pack", "--what", "sheets", *options, *more, "-o", output)
    assert result.exit_code == 0, result.output
    return file_contents(output)


def file_contents(folder):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in Path(folder).rglob("*")
        if path.is_file()
    }
