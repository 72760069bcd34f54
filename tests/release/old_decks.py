"""The decks of the first releases, made from the packs as they are now.

`python tests/release/old_decks.py` writes `releases/1.pnp` of each. Needed only where the art of a pack changed before
anybody has printed it, so that the patch from 1 to 2 still holds the changes of the game alone.
"""

import csv
import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"


def old_hydras(folder: Path) -> Path:
    """36 of today's play cards, the three that left, the bodies; no labours, and rules that say nothing of them."""
    pack = _copied("hydras", folder)
    (removed,) = pack.glob("releases/removed-in-2.csv")
    head, rows = _table(pack / "necks.csv")
    rows = [row for row in rows if row["since"] == "1"] + _table(removed)[1]
    with (pack / "necks.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, head)
        writer.writeheader()
        writer.writerows(rows)
    _edit(pack / "game.yaml", r'version: "2"', 'version: "1"')
    _edit(pack / "rules.md", r"(?ms)^## Labour cards\n.*?(?=^## )", "")
    rules = (pack / "rules.md").read_text("utf-8").splitlines(keepends=True)
    (pack / "rules.md").write_text("".join(line for line in rules if "labour" not in line.lower()), "utf-8")
    _edit(pack / "game.yaml", r"(?ms)^  labours:\n(    .*?\n)+", "")
    return pack


def old_hoses(folder: Path) -> Path:
    """The two crossings as they lay before."""
    pack = _copied("hoses-and-hydrants", folder)
    table = pack / "tiles.csv"
    _edit(table, "Green over red,1,e-w:red n-s:green", "Red over green,1,e-w:green n-s:red")
    _edit(table, "Yellow over blue,1,n-s:blue e-w:yellow", "Blue over yellow,1,n-s:yellow e-w:blue")
    _edit(pack / "game.yaml", r'version: "2"', 'version: "1"')
    return pack


OLD = {"hydras": old_hydras, "hoses-and-hydrants": old_hoses}


def _copied(name: str, folder: Path) -> Path:
    return Path(shutil.copytree(TEMPLATES / name, folder / name))


def _table(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    reader = csv.DictReader(path.read_text("utf-8-sig").splitlines())
    return list(reader.fieldnames or []), list(reader)


def _edit(path: Path, pattern: str, text: str) -> None:
    edited, times = re.subn(pattern, text, path.read_text("utf-8"), count=1)
    assert times == 1, f"{path.name} has no {pattern}"
    path.write_text(edited, "utf-8")


def write(name: str) -> Path:
    """The release of a game's old deck, in the pack."""
    from generator.app.comparing import kept_rules
    from generator.app.project import Order, Project
    from generator.release import store
    from generator.release.record import record

    with TemporaryDirectory() as folder:
        drawn = Project(Order(str(OLD[name](Path(folder)))))
        data = store.to_bytes(record(drawn.game, drawn.drawn, kept_rules(drawn.game)))
    target = TEMPLATES / name / "releases" / "1.pnp"
    target.write_bytes(data)
    return target


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    for game in sys.argv[1:] or OLD:
        sys.stdout.write(f"{write(game)}\n")
