"""Compare the CPU seconds of every output of two trees: `python -m tests.benchmarks.outputs OLD_TREE NEW_TREE`.

Each tree is a copy of the repository; a `.venv` in it, if there is one, has its dependencies. The trees take turns,
with empty caches and one drawing process, and the least of `--times` runs counts. Words after the trees choose the
cases whose names contain them. A case that fails in a tree is reported.

Everything uses the deck of `random_deck.py`, nine copies of each design. The edited deck has another title on every
tenth card.
"""

import argparse
import http.client
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from urllib.parse import urlsplit

from tests.benchmarks.random_deck import write_deck
from tests.benchmarks.sheets import environment_of, measured, python_of

COPIES = 9
ANEW = "--no-cache --jobs 1"
SHEETS = f"--what sheets {ANEW} -o out"
# The arguments of `pnp` for each case; each run has an empty folder `out`.
COMMANDS = {
    "help": "--help",
    "schema": "schema",
    "list of fonts": "list fonts",
    "new deck": "new out",
    "calibration sheet": "calibrate -o out",
    "sheets of 60": "build {deck60} " + SHEETS,
    "sheets of 600": "build {deck600} " + SHEETS,
    "sheets of 60, gutter 0": "build {edge60} " + SHEETS,
    "sheets of 600, gutter 0": "build {edge600} " + SHEETS,
    "sheets of 60, low ink": "build {deck60} --low-ink " + SHEETS,
    "sheets of 60, CMYK": "build {deck60} --colour cmyk " + SHEETS,
    "sheets of 60, gutterfold": "build {deck60} --duplex gutterfold " + SHEETS,
    "sheets of 60, cut plan": "build {edge60} --cut-plan " + SHEETS,
    "sheets of 60, for a cutter": "build {deck60} --cutter silhouette " + SHEETS,
    "sheet of one card": "build {deck60} --only cards:d7 " + SHEETS,
    "how-to-make page of 60": "build {deck60} --what making " + ANEW + " -o out",
    "gallery of 60": "build {deck60} --what gallery " + ANEW + " -o out",
    "gallery of 600": "build {deck600} --what gallery " + ANEW + " -o out",
    "whole build of 60": "build {deck60} " + ANEW + " -o out",
    "release of 60": "release {deck60} " + ANEW + " -o out",
    "release of 600": "release {deck600} " + ANEW + " -o out",
    "diff of 60": "diff {edited60} --from {release60} " + ANEW,
    "diff of 600": "diff {edited600} --from {release600} " + ANEW,
    "diff of 60 as a page": "diff {edited60} --from {release60} --html out.html " + ANEW,
    "patch of 60": "patch {edited60} --from {release60} " + ANEW + " -o out",
    "patch of 600": "patch {edited600} --from {release600} " + ANEW + " -o out",
    "check of 60": "check {deck60} " + ANEW,
    "check of 600": "check {deck600} " + ANEW,
    "PNG previews of 60": "preview {deck60} --what faces " + ANEW + " -o out",
    "PNG preview of one card": "preview {deck60} d7 " + ANEW + " -o out",
    "SVG previews of 60": "preview {deck60} --what faces --format svg " + ANEW + " -o out",
    "SVG previews of 600": "preview {deck600} --what faces --format svg " + ANEW + " -o out",
    "contact sheet of 60": "preview {deck60} --what contact " + ANEW + " -o out",
    "previews of sheets of 60": "preview {deck60} --what sheets " + ANEW + " -o out",
    **{
        f"export of 60: {target}": f"export {target} {{deck60}} " + ANEW + " -o out"
        for target in (
            "game-crafter",
            "make-playing-cards",
            "tabletop-simulator",
            "playingcards-io",
            "virtual-table",
            "drive-thru-cards",
            "press",
            "labels",
            "shop-page",
        )
    },
    "edition of 10 copies of 60": "edition {order60} --orders {orders} --jobs 1 -o out",
    "farm of 4 games of 10": "farm {jobs} --jobs 1",
    "relay of 540 cards": "relay {sheets} --paper letter -o out",
}
TICK = os.sysconf("SC_CLK_TCK")
# Seconds between two polls of a live server, far below the time that it takes to answer.
PAUSE = 0.02
# Seconds that the live server may take for an answer, also on a busy machine.
PATIENCE = 120
# CPU seconds per second below which a live server counts as idle: it always checks for changed files.
IDLE_SHARE = 0.05
# Saved cells of a live run; the clock of a process counts only hundredths of a second.
EDITS = 10


@dataclass(frozen=True)
class Tree:
    """A copy of the repository, with the files that its runs read, by name."""

    folder: Path
    files: Mapping[str, Path]


def prepare(tree: Path, place: Path) -> Tree:
    """Write the decks, and the releases, which only the tree's own program can write."""
    place.mkdir(parents=True)
    files = {}
    for designs in (60, 600):
        files[f"deck{designs}"] = write_deck(
            place / f"deck{designs}", designs, COPIES, gutter_0=False
        )
        files[f"edge{designs}"] = write_deck(
            place / f"edge{designs}", designs, COPIES, gutter_0=True
        )
        release_folder = place / f"released{designs}"
        measured(
            tree, place, "-m", "generator", "release", files[f"deck{designs}"], "-o", release_folder
        )
        files[f"release{designs}"] = next(release_folder.glob("1.*"))
        edited = write_deck(
            place / f"later{designs}" / f"deck{designs}", designs, COPIES, gutter_0=False
        )
        table = edited / "cards.csv"
        table.write_text(re.sub(r"Card number (\d*0),", r"Other card \1,", table.read_text()))
        files[f"edited{designs}"] = edited
    files["order60"] = _order_deck(place / "order60")
    files["orders"] = place / "orders.csv"
    files["orders"].write_text("id,name\n" + "".join(f"b{n},Backer {n}\n" for n in range(10)))
    for number in range(4):
        write_deck(place / "packs" / f"game{number}", 10, COPIES, gutter_0=False)
    files["jobs"] = place / "jobs.yaml"
    measured(tree, place, "-m", "tests.benchmarks.baseline", 60, COPIES, place / "by-hand")
    files["sheets"] = place / "by-hand" / "baseline-a4.pdf"
    return Tree(tree, files)


def _order_deck(folder: Path) -> Path:
    """Write a deck with a name on every card that each order sets."""
    write_deck(folder, 60, 1, gutter_0=False)
    game = folder / "game.yaml"
    game.write_text(game.read_text().replace("styles:", "order: {name: Nobody}\nstyles:", 1))
    front = folder / "layouts/front.yaml"
    front.write_text(
        front.read_text() + "- text: ${order.name}\n  box: [6, 81, 51.5, 5]\n  style: body\n"
    )
    return folder


def run_command(command: str, tree: Tree, folder: Path) -> float:
    """Run a command of a tree in an empty folder; return its CPU seconds."""
    tree.files["jobs"].write_text(
        f"store: {folder / 'out'}\ngames: [packs/*]\noutputs: [sheets]\npapers: [a4]\n"
    )
    return measured(
        tree.folder, folder, "-m", "generator", *shlex.split(command.format(**tree.files))
    )[0]


def cpu_seconds(process: int) -> float:
    """Return the CPU seconds of a running process and of its children, those that ended and those that run."""
    total = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name in brackets may contain anything, so the fields are counted from its end.
            values = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # the process has ended
        if process in {int(stat.parent.name), int(values[1])}:
            total += sum(map(int, values[11:15])) / TICK
    return total


@dataclass
class LivePage:
    """A client of `pnp live` that makes the first requests of a browser page."""

    process: int
    host: str
    cookie: str = ""

    def get(self, path: str) -> tuple[bytes, str]:
        """Return the body and the cookie of the server's answer for a path."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        connection.request("GET", path, headers={"Cookie": self.cookie} if self.cookie else {})
        response = connection.getresponse()
        data = response.read()
        assert response.status == http.HTTPStatus.OK, f"{path}: {response.status}"
        connection.close()
        return data, (response.getheader("Set-Cookie") or "").partition(";")[0]

    def state(self) -> dict:
        return json.loads(self.get("/state")[0])

    def first_front(self) -> str:
        """Return the key of the front of the first card; fail if there is none in time."""
        start = monotonic()
        while monotonic() < start + PATIENCE:
            if cards := self.state()["cards"]:
                return cards[0]["sides"][0]["key"]
            sleep(PAUSE)
        raise SystemExit("pnp live shows no card")

    def news(self) -> Iterator[dict]:
        """Yield the events that the server sends to the page from now on."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        connection.request("GET", "/events", headers={"Cookie": self.cookie} if self.cookie else {})
        for line in connection.getresponse():
            if line.startswith(b"data:"):
                yield json.loads(line[5:])

    def settle(self) -> None:
        """Wait until the server has been idle for a second."""
        before = -1.0
        while (now := cpu_seconds(self.process)) - before > IDLE_SHARE:
            before = now
            sleep(1)


@contextmanager
def live_page(tree: Tree, folder: Path, pack: Path):
    """Start the live server of a tree, as `pnp live` does, and stop it at the end."""
    command = [python_of(tree.folder), "-u", "-m", "generator", "live", str(pack), "--no-browser"]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment_of(tree.folder, folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout
        line = next(line for line in process.stdout if "http://" in line)
        address = urlsplit(re.search(r"http://\S+", line)[0])
        page = LivePage(process.pid, address.netloc)
        page.cookie = page.get(f"/?{address.query}")[1]
        yield page
    finally:
        process.terminate()
        process.communicate()


def live_start(designs: int, tree: Tree, folder: Path) -> float:
    """Return the server's CPU seconds from its start until it has sent the page, its state and the first face."""
    with live_page(tree, folder, tree.files[f"deck{designs}"]) as page:
        page.get("/page/app.js")
        page.get(f"/face/{page.first_front()}-4.png")
        return cpu_seconds(page.process)


def live_edit(designs: int, tree: Tree, folder: Path) -> float:
    """Return the server's mean CPU seconds from a saved cell until it has sent the new face, over ten cells."""
    pack = shutil.copytree(tree.files[f"deck{designs}"], folder / "pack")
    table = pack / "cards.csv"
    text = table.read_text()
    with live_page(tree, folder, pack) as page:
        page.get(f"/face/{page.first_front()}-4.png")
        page.settle()
        news = page.news()
        next(news)  # the greeting
        total = 0.0
        for number in range(EDITS):
            before = cpu_seconds(page.process)
            table.write_text(text.replace("Card number 0,", f"Card edited {number},", 1))
            cards = next(state["cards"] for state in news if state.get("cards"))
            page.get(f"/face/{cards[0]['sides'][0]['key']}-4.png")
            total += cpu_seconds(page.process) - before
            page.settle()
        return total / EDITS


Run = Callable[[Tree, Path], float]
CASES: Mapping[str, Run] = {
    **{name: partial(run_command, command) for name, command in COMMANDS.items()},
    **{f"live, start with {designs}": partial(live_start, designs) for designs in (60, 600)},
    **{f"live, one cell of {designs}": partial(live_edit, designs) for designs in (60, 600)},
}


def compare(name: str, trees: list[Tree], place: Path, times: int) -> None:
    """Run a case in the trees by turns, and print the lowest cost of each and their ratio."""
    costs: list[list[float]] = [[] for _ in trees]
    for _ in range(times):
        for tree, taken in zip(trees, costs, strict=True):
            folder = place / "run"
            folder.mkdir()
            try:
                taken.append(CASES[name](tree, folder))
            except (SystemExit, AssertionError) as error:
                print(f"{name:<36} failed in {tree.folder}: {error}", flush=True)
                return
            finally:
                shutil.rmtree(folder)
    old, new = map(min, costs)
    print(f"{name:<36} {old:8.2f} s {new:8.2f} s {new / old:8.2f} ×", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old_tree", type=Path)
    parser.add_argument("new_tree", type=Path)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_intermixed_args()
    chosen = [
        name for name in CASES if not options.words or any(word in name for word in options.words)
    ]
    with TemporaryDirectory() as temporary:
        place = Path(temporary)
        folders = (options.old_tree.resolve(), options.new_tree.resolve())
        trees = [prepare(tree, place / f"tree{n}") for n, tree in enumerate(folders)]
        for name in chosen:
            compare(name, trees, place, options.times)


if __name__ == "__main__":
    main()
