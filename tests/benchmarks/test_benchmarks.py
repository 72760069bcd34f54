"""Measure time and memory by hand, on a quiet machine: `pytest -m benchmark -s tests/benchmarks`."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir

import pytest

from tests.tools.large_deck import FRONT, GAME, WORDS, deck
from tests.tools.read_pdf import read

ROOT = Path(__file__).parents[2]
COMPILED = Path(gettempdir()) / "pnp-benchmarks-compiled"
"""The folder for compiled modules, as in an installation: users' builds do not compile the program."""
pytestmark = pytest.mark.benchmark


@dataclass(frozen=True)
class Cost:
    """The cost of a process: CPU seconds, and megabytes at its peak."""

    cpu: float
    memory: float


def run(*args, cwd=ROOT) -> Cost:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(COMPILED)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(
        [sys.executable, *map(str, args)], cwd=cwd, env=environment, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    scale = 1e6 if sys.platform == "darwin" else 1e3
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale)


def built(folder: Path, designs: int, *args: str) -> tuple[Cost, Path]:
    deck(folder / "deck", designs)
    cost = run("-m", "generator", "build", "deck", *args, cwd=folder)
    file = folder / "output/deck/deck-1-sheets-a4.pdf"
    size = file.stat().st_size / 1e6
    print(
        f"\n{9 * designs} cards of {designs}: {cost.cpu:.2f} s, {cost.memory:.0f} MB, a file of {size:.2f} MB"
    )
    return cost, file


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return built(tmp_path_factory.mktemp("small"), 60)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    return built(tmp_path_factory.mktemp("large"), 600)


@pytest.fixture(scope="module")
def huge(tmp_path_factory):
    return built(tmp_path_factory.mktemp("huge"), 6000, "--what", "sheets")


def test_help_adds_little_to_a_bare_python():
    python_cpu = min(run("-c", "pass").cpu for _ in range(7))
    help_cpu = min(run("-m", "generator", "--help").cpu for _ in range(7))
    print(f"\nbare {python_cpu:.3f} s, --help {help_cpu:.3f} s")
    assert help_cpu - python_cpu < 0.15


def test_540_cards_are_all_there(small):
    pages = read(small[1])
    assert sum(len(page.forms) for page in pages[0::2]) == 540
    assert sum(len(page.forms) for page in pages[1::2]) == 540


def test_ten_times_the_cards_take_at_most_six_times_as_long(small, large):
    assert large[0].cpu <= 6 * small[0].cpu


def test_files_are_small(small, large):
    assert small[1].stat().st_size < 1_000_000
    assert large[1].stat().st_size < 10_000_000


def test_memory_stays_flat(small, large):
    assert small[0].memory < 250
    assert large[0].memory < 250


def test_copies_cost_next_to_nothing(small, tmp_path):
    """Time grows with distinct faces, not with copies."""
    pack = deck(tmp_path / "deck", 60)
    table = pack / "cards.csv"
    table.write_text(table.read_text().replace(",9,", ",45,"))
    cost = run("-m", "generator", "build", "deck", cwd=tmp_path)
    print(f"\n2700 cards of 60: {cost.cpu:.2f} s")
    assert cost.cpu < 2 * small[0].cpu


def test_a_deck_of_54_000_still_fits_a_small_machine(huge):
    assert huge[0].memory < 300
    assert huge[1].stat().st_size < 100_000_000


def test_memory_does_not_grow_with_copies(tmp_path):
    table = deck(tmp_path / "deck", 60) / "cards.csv"
    table.write_text(table.read_text().replace(",9,", ",900,"))
    cost = run("-m", "generator", "build", "deck", "--what", "sheets", "--no-cache", cwd=tmp_path)
    print(f"\n54,000 cards of 60: {cost.cpu:.2f} s, {cost.memory:.0f} MB")
    assert cost.memory < 150


LANGUAGES = ("nl", "fr")


def spoken_deck(folder: Path, *, rich: bool) -> Path:
    """Write a deck of 800 rows whose words are written out, or with `rich` looked up and computed."""
    (folder / "layouts").mkdir(parents=True)
    (folder / "art/icons").mkdir(parents=True)
    square = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg>'
    )
    (folder / "art/icons/star.svg").write_text(square)
    lookups = ""
    colour = "$ink"
    columns = ""
    line = "$line"
    if rich:
        lookups = (
            "lookups:\n  kind: {fire: {colour: $ink, word: Fire, word@nl: Vuur, word@fr: Feu}}\n"
        )
        colour = "${kind.colour}"
        line = "$total"
        columns = "\n    columns: {total: 'kind.word & \" \" & (cost + 2)', dear: cost > 3}"
    game = GAME.replace("components:", f"{lookups}components:").replace(
        "  cards: {title: Cards, size: poker, data: cards.csv, front: layouts/front.yaml, back: layouts/back.yaml}",
        f"  cards:\n    title: Cards\n    size: poker\n    data: cards.csv\n    front: layouts/front.yaml{columns}",
    )
    (folder / "game.yaml").write_text(game)
    rows = (
        f'c{n},Card {n},Kaart {n},Carte {n},fire,{n % 7},Fire {n % 7 + 2},":star: {WORDS} {n}"'
        for n in range(800)
    )
    (folder / "cards.csv").write_text(
        "id,title,title@nl,title@fr,kind,cost,line,text\n" + "\n".join(rows) + "\n"
    )
    layout = (
        FRONT.replace("0.6mm $ink", f'"0.6mm {colour}"')
        + f"- text: {line}\n  box: [6, 30, 51.5, 8]\n  style: title\n"
    )
    (folder / "layouts/front.yaml").write_text(layout)
    return folder


@pytest.mark.parametrize("language", ["", *LANGUAGES])
def test_lookups_and_computed_columns_cost_nothing_to_speak_of(tmp_path, language):
    language_option = ("--lang", language) if language else ()
    costs = {}
    for rich in (False, True):
        pack = spoken_deck(tmp_path / str(rich), rich=rich)
        call = (
            "-m",
            "generator",
            "build",
            pack,
            "--what",
            "sheets",
            "--paper",
            "a4",
            *language_option,
        )
        # A second build into the same folder would be skipped.
        outputs = (tmp_path / f"out-{rich}-{n}" for n in range(3))
        costs[rich] = min(run(*call, "-o", out).cpu for out in outputs)
    print(
        f"800 rows {language or 'en'}: {costs[False]:.2f} s written out, {costs[True]:.2f} s looked up and computed"
    )
    assert costs[True] < 1.1 * costs[False]


def test_no_expression_takes_a_millisecond():
    from time import process_time

    from generator.pack.scope import Scope

    scope = Scope({"a": "3", "t": "word " * 200}, {})
    for text in (
        "+".join(["a"] * 55),
        "count(split(t)) + length(upper(t))",
        "(" * 39 + "a" + ")" * 39,
        "repeat(t, 9)",
    ):
        scope.evaluate(text)
        start = process_time()
        for _ in range(100):
            scope.evaluate(text)
        assert (process_time() - start) / 100 < 0.001, text
