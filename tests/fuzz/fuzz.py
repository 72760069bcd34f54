"""Throws damaged and strange files at everything that reads a stranger's: `python tests/fuzz/fuzz.py --seconds 60`.

What comes in is mutated from files that are good. What may come out is a result, or an error of those that users
see (`PnpError`, `Wrong`); anything else is printed with the seed that makes it again, and ends the run with 1.
"""

import argparse
import json
import lzma
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from traceback import format_exc

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from hostile_corpus import ART  # noqa: E402

from generator.app.packs import vocabulary  # noqa: E402
from generator.core.files import bundled  # noqa: E402
from generator.core.fonts import font_set, read_font  # noqa: E402
from generator.core.problems import PnpError, Wrong  # noqa: E402
from generator.draw.art import read_art  # noqa: E402
from generator.draw.draw import draw_game  # noqa: E402
from generator.pack.load import PackForm, load  # noqa: E402
from generator.release import store  # noqa: E402

LONGEST = 20
"""Seconds for one case."""
MEMORY = 3_000_000_000

WORDS = [
    *(
        "0",
        "-1",
        "1e999",
        "nan",
        "999999999",
        "1²",
        "٣",
        "\x00",
        "\x1b[2J",
        "\u202e",
        "\udcff",
        "🚒",
        "狐",
        "~",
        "null",
    ),
    *("../../evil", "/etc/passwd", "[a4, a4]", "{}", "[]", "''", '"', "- ", ": ", "\n", "\r", "\t", "  ", "#", "$id"),
    *("${", "}", "&a", "*a", "!!python/object", "<", ">", "</svg>", "<![CDATA[", "-->", "url(", "url(#a)", "%", "e9"),
    *("inherit", "none", "9999999mm", "0mm", "-3mm", "1/0", "true", "yes", "a" * 3000, "(" * 200, "[" * 70, ",", ";"),
    *("<use href='#a'/>", "<filter id='a'/>", "<style>", "<text>x</text>", "matrix(0 0 0 0 0 0)", "scale(1e300)"),
    *("rotate(nan)", "1 2 3", "M0 0", "data:image/png;base64,AAAA", "href='x.png'", "::: ", "|", "`", "**", "[a](b)"),
]


def mutated(data: bytes, choose: random.Random, others: list[bytes]) -> bytes:
    """The same with a few things wrong."""
    made = bytearray(data)
    for _ in range(choose.choice((1, 1, 1, 2, 4, 12))):
        at = choose.randrange(len(made) + 1)
        end = min(len(made), at + choose.choice((1, 1, 2, 8, 40, 400)))
        way = choose.randrange(7)
        if way == 0:
            del made[at:end]
        elif way == 1:
            made[at:at] = choose.choice(WORDS).encode(errors="surrogatepass")
        elif way == 2:
            made[at:end] = choose.choice(WORDS).encode(errors="surrogatepass")
        elif way == 3:
            made[at:at] = made[at:end] * choose.choice((1, 2, 50))
        elif way == 4 and at < len(made):
            made[at] ^= 1 << choose.randrange(8)
        elif way == 5:
            other = choose.choice(others)
            start = choose.randrange(len(other) + 1)
            made[at:end] = other[start : start + choose.choice((4, 40, 400))]
        else:
            lines = bytes(made).split(b"\n")
            choose.shuffle(lines[: choose.randrange(len(lines)) + 1])
            made = bytearray(b"\n".join(lines))
    return bytes(made[:400_000])


class Art:
    """Pictures, through the gate and all that makes them plain."""

    def __init__(self, _: Path) -> None:
        features = sorted((ROOT / "tests" / "draw" / "art" / "features").glob("*.svg"))
        self.seeds = [path.read_bytes() for path in features] + [
            data for made in ART.values() if len(data := made()) < 20_000
        ]

    def run(self, data: bytes) -> None:
        read_art(data, "a.svg")


class Pack:
    """Any file of a pack: YAML, tables, layouts, art; read and drawn."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "pack"
        self.files = []
        for kind in ("cards", "tiles"):
            shutil.copytree(ROOT / "generator" / "starters" / kind, self.folder / kind)
            self.files += [
                path
                for path in sorted((self.folder / kind).rglob("*"))
                if path.suffix in {".yaml", ".csv", ".svg", ".md"}
            ]
        self.seeds = [path.read_bytes() for path in self.files]
        self.words = vocabulary()

    def run(self, data: bytes) -> None:
        """The file that it resembles most is taken for it."""
        index = max(range(len(self.seeds)), key=lambda n: _alike(self.seeds[n], data))
        path = self.files[index]
        path.write_bytes(data)
        try:
            draw_game(load(self.folder / path.relative_to(self.folder).parts[0], self.words, PackForm("", "")))
        finally:
            path.write_bytes(self.seeds[index])


class Release:
    """Releases: their JSON, and their bytes."""

    def __init__(self, _: Path) -> None:
        fixtures = sorted((ROOT / "tests" / "release" / "fixtures").rglob("*.pnp"))
        self.seeds = [self._plain(path.read_bytes()) for path in fixtures]

    def _plain(self, data: bytes) -> bytes:
        head, _, packed = data.partition(b"\n")
        return head + b"\n" + lzma.decompress(packed)

    def run(self, data: bytes) -> None:
        head, _, plain = data.partition(b"\n")
        store.from_bytes(head + b"\n" + lzma.compress(plain, preset=0))


class Font:
    """Font files."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "own.ttf"
        self.seeds = [(bundled("fonts") / "bungee" / "Bungee-Regular.ttf").read_bytes()[:60_000]]

    def run(self, data: bytes) -> None:
        self.path.write_bytes(data)
        font_set([read_font(self.path)])


KINDS: dict[str, Callable[[Path], Art | Pack | Release | Font]] = {
    "art": Art,
    "pack": Pack,
    "release": Release,
    "font": Font,
}


def _alike(one: bytes, other: bytes) -> int:
    """How much of the beginning and the end two texts share."""
    return sum(a == b for a, b in zip(one, other, strict=False)) + sum(
        a == b for a, b in zip(reversed(one), reversed(other), strict=False)
    )


def _too_long(*_: object) -> None:
    raise TimeoutError(f"more than {LONGEST} seconds")


def cases(
    kinds: list[str], seed: int, seconds: float, most: int, folder: Path
) -> Iterator[tuple[str, int, float, str]]:
    """Each case: its kind, its seed, how long it took, and a traceback where it went wrong."""
    made = {kind: KINDS[kind](folder) for kind in kinds}
    end = time.monotonic() + seconds
    for number in range(seed, seed + most):
        if time.monotonic() > end:
            return
        choose = random.Random(number)  # noqa: S311 - no secrets
        kind = choose.choice(kinds)
        one = made[kind]
        data = mutated(choose.choice(one.seeds), choose, one.seeds)
        begun, said = time.monotonic(), ""
        signal.alarm(LONGEST)
        try:
            one.run(data)
        except (PnpError, Wrong):
            pass
        except BaseException:  # noqa: BLE001 - that is what is looked for
            said = format_exc()
        finally:
            signal.alarm(0)
        yield kind, number, time.monotonic() - begun, said


def main() -> int:
    """Run, and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cases", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=KINDS, action="append")
    wish = parser.parse_args()
    signal.signal(signal.SIGALRM, _too_long)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    count, worst, found = 0, (0.0, "", 0), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for kind, number, took, said in cases(
            wish.kind or list(KINDS), wish.seed, wish.seconds, wish.cases, Path(folder)
        ):
            count, worst = count + 1, max(worst, (took, kind, number))
            if said:
                place = said.strip().splitlines()[-3:]
                found[" | ".join(line.strip() for line in place)] += 1
                if found[" | ".join(line.strip() for line in place)] == 1:
                    sys.stdout.write(f"--- {kind}, --seed {number} --cases 1\n{said[-900:]}\n")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    told = {"cases": count, "wrong": sum(found.values()), "kinds of wrong": len(found), "slowest": worst, "MB": memory}
    sys.stdout.write(json.dumps(told) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
