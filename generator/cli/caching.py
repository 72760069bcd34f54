"""What commands do not do twice: the cache that they open, and files that would be made as they are.

What earlier builds left beside what was made now, and is not as the pack is any more, is said, and never removed.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, TypeVar

import click

from generator.cli.options import KEY
from generator.cli.terminal import notes, running, say, tell

if TYPE_CHECKING:
    from generator.app.project import Order, Project
    from generator.cli.terminal import Made
    from generator.core.cache import Kept


Function = TypeVar("Function", bound=Callable[..., object])

WITHOUT, JOBS = "generator.without_cache", "generator.jobs"
"""Where `--no-cache` and `--jobs` are in click's context."""
TOLD = "generator.told_of_cache"
"""Where click's context has what was said of the cache: a command opens it more than once, and says it once."""
KIND = "files"
"""What finished files are called in the cache."""
PICTURES = {".png", ".jpg", ".webp"}
"""How the names of those end that lie beside a page."""


def speed_options(function: Function) -> Function:
    """Whether to look for what was made before, and how many work at once; `opened` asks."""

    def keep(name: str) -> Callable[[click.Context, click.Parameter, object], None]:
        return lambda ctx, _, value: ctx.meta.update({name: value})

    function = click.option(
        "--jobs",
        type=click.IntRange(1, 64),
        default=None,
        metavar="N",
        expose_value=False,
        callback=keep(JOBS),
        help="How many processes draw at once, which changes no file; as many as there are cores unless you say.",
    )(function)
    return click.option(
        "--no-cache",
        is_flag=True,
        expose_value=False,
        callback=keep(WITHOUT),
        help="Make everything anew, and keep nothing of it; see pnp cache.",
    )(function)


def _without() -> bool:
    ctx = click.get_current_context(silent=True)
    return ctx is None or bool(ctx.meta.get(WITHOUT, True))


@contextmanager
def opened(order: "Order") -> Iterator["Project"]:
    """What is ordered, as a command with these options makes it: the user's errors become words and an exit code."""
    from generator.app.project import Project
    from generator.core.worker import Crew, cores

    ctx = click.get_current_context(silent=True)
    jobs = (ctx and ctx.meta.get(JOBS)) or (cores() if ctx else 1)
    with running() as watch, kept() as what, Crew(jobs) as crew:
        yield Project(order, watch, kept=what, crew=crew)


@contextmanager
def kept() -> Iterator["Kept"]:
    """Open the user's cache, unless --no-cache is given; print its faults at the end."""
    from generator.core.cache import NOTHING_KEPT, UNUSED, Cache, folder
    from generator.core.problems import Wrong

    if _without():
        yield NOTHING_KEPT
        return
    try:
        cache = Cache(folder())
    except Wrong as wrong:
        _note_once([f"{UNUSED}: {wrong.found}"])
        yield NOTHING_KEPT
        return
    try:
        with cache:
            yield cache
    finally:
        _note_once(cache.faults)


def _note_once(faults: Sequence[str]) -> None:
    """Print the cache's faults that this command has not printed yet."""
    told = click.get_current_context().meta.setdefault(TOLD, set())
    notes(fault for fault in faults if fault not in told)
    told.update(faults)


@dataclass(frozen=True)
class Again:
    """A command of which all files may be there already: as it was called, of a pack that is as it was."""

    game: str
    output: str

    @cached_property
    def _key(self) -> str:
        """Of all that goes into the files; nothing where that is not known."""
        from generator.core.cache import key_of

        ctx, pack = click.get_current_context(), _pack(self.game)
        if pack is None or _without() or ctx.params.get("draft") or ctx.params.get("timings"):
            return ""
        digest = _content(pack, Path(self.output).resolve())
        wishes = sorted(ctx.meta.get(KEY, {}).items())
        return digest and key_of(
            ctx.info_name, str(Path.cwd()), sorted(ctx.params.items()), wishes, digest, _printers(wishes)
        )

    def told(self) -> bool:
        """Whether that is so; then it is said, with what was said when they were made."""
        from generator.core.cache import get_json

        if not self._key:
            return False
        with kept() as what:
            before = get_json(what, KIND, self._key) or {"files": {}}
        if not before["files"] or not all(_digest(Path(name)) == was for name, was in before["files"].items()):
            return False
        for line in before["lines"]:
            say(line)
        notes(before["notes"])
        say("Everything is up to date; no files were written.")
        if before["last"]:
            tell(before["last"])
        return True

    def keep(self, made: "Made", lines: Sequence[str], last: str = "") -> None:
        """Store the digests of the files and what was printed; `last` is the last line, if any."""
        from generator.core.cache import put_json

        if self._key:
            files = {str(path): _digest(path) for path in (made.folder.resolve() / name for name in made.names)}
            told = {"files": files, "lines": list(lines), "notes": list(made.notes), "last": last}
            with kept() as what:
                put_json(what, KIND, self._key, told)


def _pack(game: str) -> Path | None:
    """The pack's folder, without asking what is wrong with one that is none."""
    from generator.core.files import bundled

    path = Path(game)
    places = (path.parent if path.name == "game.yaml" else path, bundled("templates") / game)
    return next((place for place in places if (place / "game.yaml").is_file()), None)


def _content(pack: Path, output: Path) -> str:
    """The digest of all files of a pack, but for hidden ones and what was made of it; nothing of one without end."""
    from generator.core.problems import Wrong
    from generator.core.values import folder_digest

    try:
        return folder_digest(pack, output)
    except Wrong:
        return ""


def _printers(wishes: Sequence[tuple[str, object]]) -> str:
    """Return the digest of the printer profiles if the job needs one; the job itself says what is wrong with them."""
    if not dict(wishes).get("printer"):
        return ""
    from generator.core.problems import Wrong
    from generator.core.settings import settings_folder
    from generator.printer.profile import PROFILES_FILE

    try:
        return _digest(settings_folder() / PROFILES_FILE)
    except Wrong:
        return ""


def _digest(path: Path) -> str:
    """Of a file; nothing where there is none."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


SHOWN = 3
"""Files that are named."""


def left_over(folder: Path, names: Sequence[str], pack: Path) -> str:
    """What to say of files that are older than the pack, of papers and designs that this build did not make."""
    from generator.pack.load import MAIN

    beside = {name for name in (*_other_papers(names), *_other_pictures(folder, names)) if name not in names}
    there = sorted(name for name in beside if (folder / name).is_file())
    changed = _changed(pack, folder) if there and (pack / MAIN).is_file() else 0.0
    found = [name for name in there if (folder / name).stat().st_mtime < changed]
    if not found:
        return ""
    listed = ", ".join(found[:SHOWN]) + (", …" if len(found) > SHOWN else "")
    is_are = "is one file" if len(found) == 1 else f"are {len(found)} files"
    return f"in {folder.name}/ {is_are} of an earlier build, older than the pack and not made now: {listed}"


def _other_papers(names: Sequence[str]) -> Iterator[str]:
    """The same files on the papers that there are."""
    from generator.core.paper import papers

    known = {paper.name for paper in papers()}
    for name in names:
        stem, _, paper = PurePosixPath(name).stem.rpartition("-")
        if paper in known:
            yield from (str(PurePosixPath(name).with_stem(f"{stem}-{other}")) for other in known)


def _other_pictures(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """The pictures that lie beside a page, and so were made for it."""
    for name in names:
        if PurePosixPath(name).name == "index.html":
            under = PurePosixPath(name).parent
            there = (path.name for path in (folder / under).glob("*.*") if path.suffix in PICTURES)
            yield from ((under / picture).as_posix() for picture in there)


def _changed(pack: Path, made: Path) -> float:
    """When a file of a pack was last changed; what was made of it may lie in its folder too."""
    own = (path for path in pack.rglob("*") if path.is_file() and not path.is_relative_to(made.parent))
    return max((path.stat().st_mtime for path in own), default=0.0)
