"""Doors of whole packs: their faces, their rules as a web page, and complete commands."""

import lzma
import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pikepdf
from click.testing import CliRunner

from generator.base.files import bundled_folder
from generator.base.worker import Worker, WorkError
from generator.cli import main
from generator.draw.draw import draw_game
from generator.export import relay
from generator.pack.load import PackForm, load
from generator.pipeline.project import BuildRequest, Project
from generator.pipeline.vocabulary import vocabulary
from generator.rules.html import render_html
from tests.fuzz.doors_files import Release
from tests.tools.foreign_pdfs import FOREIGN_FILES

ROOT = Path(__file__).parents[2]
NO_FORM = PackForm("", "")


class Pack:
    """Any file of a pack: YAML, tables, layouts and art, read and drawn."""

    kinds = frozenset({".yaml", ".csv", ".svg", ".md"})

    def __init__(self, folder: Path) -> None:
        self.folder = folder / type(self).__name__
        for kind in ("cards", "tiles"):
            shutil.copytree(ROOT / "generator" / "starters" / kind, self.folder / kind)
        for kind in ("notation", "hoard", "paths"):
            shutil.copytree(ROOT / "tests" / "data" / "packs" / kind, self.folder / kind)
        self.files = [path for path in sorted(self.folder.rglob("*")) if path.suffix in self.kinds]
        self.seeds = [path.read_bytes() for path in self.files]
        self.words = vocabulary()

    def run(self, data: bytes) -> None:
        """Replace the most similar file of the packs by the bytes, and use that pack."""
        index = most_alike(self.seeds, data)
        path = self.files[index]
        path.write_bytes(data)
        try:
            self.use(self.folder / path.relative_to(self.folder).parts[0])
        finally:
            path.write_bytes(self.seeds[index])

    def use(self, folder: Path) -> None:
        """Read and draw the pack."""
        draw_game(load(folder, self.words, NO_FORM))


class Rules(Pack):
    """Rules and figures, up to their web page."""

    kinds = frozenset({".md", ".yaml"})

    def __init__(self, folder: Path) -> None:
        self.folder = folder / type(self).__name__
        for name in ("greenways", "buizen-wir-war", "hydras"):
            shutil.copytree(bundled_folder("templates") / name, self.folder / name)
        self.files = [
            path
            for path in sorted(self.folder.rglob("*"))
            if path.suffix == ".md" or path.name in {"figures.yaml", "game.yaml"}
        ]
        self.seeds = [path.read_bytes() for path in self.files]

    def use(self, folder: Path) -> None:
        project = Project(BuildRequest(str(folder)))
        if project.rules is not None:
            render_html(project.rules, project.game.fonts)


COMMANDS: tuple[Sequence[str], ...] = (
    ("build", "PACK", "-o", "OUT", "--paper", "a4"),
    ("check", "PACK", "--all"),
    ("preview", "PACK", "-o", "OUT"),
    ("rules", "PACK", "-o", "OUT"),
    ("export", "press", "PACK", "-o", "OUT"),
    ("export", "tabletop-simulator", "PACK", "-o", "OUT"),
    ("release", "PACK", "-o", "OUT"),
    ("schema", "game"),
)


class Command(Pack):
    """Complete commands on a damaged pack, which must end with a documented exit code."""

    def use(self, folder: Path) -> None:
        out = self.folder.parent / "out"
        contents = b"".join(path.read_bytes() for path in self.files)
        chosen = random.Random(contents).choice(COMMANDS)  # noqa: S311 - the same for the same pack
        words = [{"PACK": str(folder), "OUT": str(out)}.get(word, word) for word in chosen]
        try:
            run_command(*words)
        finally:
            shutil.rmtree(out, ignore_errors=True)


class Here(Worker):
    """A worker that runs in this process, where a case is timed.

    It raises errors as other workers do.
    """

    def run(self, function: Callable[..., bytes], *args: object) -> bytes:
        try:
            return function(*args)
        except TimeoutError:
            raise
        except Exception as error:  # noqa: BLE001 - as in a worker process
            raise WorkError(str(error)) from None


class Relay:
    """Foreign PDFs to relay.

    Half of them are uncompressed, so that damage reaches the drawing operators.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "relay"
        self.folder.mkdir()
        self.seeds = []
        for make in FOREIGN_FILES.values():
            stranger = make(self.folder)
            with pikepdf.open(stranger.path) as pdf:
                for page in pdf.pages[4:]:
                    pdf.pages.remove(page)
                pdf.save(self.folder / "short.pdf")
                pdf.save(self.folder / "plain.pdf", qdf=True, compress_streams=False)
            variants = [(self.folder / name).read_bytes() for name in ("short.pdf", "plain.pdf")]
            self.seeds += [data for data in variants if len(data) < 300_000]

    def run(self, data: bytes) -> None:
        relay.Worker = Here  # type: ignore[misc]
        (self.folder / "theirs.pdf").write_bytes(data)
        out = self.folder / "out"
        try:
            run_command("relay", str(self.folder / "theirs.pdf"), "-o", str(out), "--paper", "a4")
        finally:
            shutil.rmtree(out, ignore_errors=True)


class Diff(Release):
    """The differences between a release and its damaged copy, as text and as a page."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.pack = Path(
            shutil.copytree(ROOT / "generator" / "starters" / "cards", folder / "diff")
        )
        self.old, self.new, self.page = (
            folder / name for name in ("old.pnprelease", "new.pnprelease", "diff.html")
        )

    def run(self, data: bytes) -> None:
        for path, text in ((self.old, self.seeds[most_alike(self.seeds, data)]), (self.new, data)):
            head, _, body = text.partition(b"\n")
            path.write_bytes(head + b"\n" + lzma.compress(body, preset=0))
        run_command(
            "diff",
            str(self.pack),
            "--from",
            str(self.old),
            "--to",
            str(self.new),
            "--html",
            str(self.page),
        )


def run_command(*words: str) -> None:
    """Run a command and check that it ends with a documented exit code."""
    result = CliRunner().invoke(main, ["--debug", *words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in {0, 3, 4, 5}, (words, result.output[-500:])
    assert result.exit_code == 0 or result.stderr.strip(), words


def most_alike(seeds: list[bytes], data: bytes) -> int:
    """Return the index of the seed that shares most of its beginning and end with the bytes."""
    return max(range(len(seeds)), key=lambda n: _alike(seeds[n], data))


def _alike(one: bytes, other: bytes) -> int:
    same = sum(a == b for a, b in zip(one[:3000], other, strict=False))
    return same + sum(a == b for a, b in zip(reversed(one[-3000:]), reversed(other), strict=False))
