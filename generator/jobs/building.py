"""Everything that `pnp build` writes: sheets, rules, a gallery and the release."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.core.files import Outbox
from generator.core.timing import Watch
from generator.jobs.pipeline import Drawn, Press, write_rules, write_sheets
from generator.jobs.releasing import write_manifest
from generator.jobs.showing import write_gallery
from generator.jobs.wishes import PrintWish
from generator.pack.load import Wish


@dataclass(frozen=True)
class Built:
    """A file, what it is in a few words, and what should be known of it."""

    path: Path
    about: str = ""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Build:
    """One build of a drawn game into an outbox."""

    drawn: Drawn
    wish: PrintWish
    watch: Watch
    outbox: Outbox

    def sheets(self) -> Iterator[Built]:
        """What is printed and cut, on every paper that is wanted."""
        for path, job in write_sheets(Press(self.drawn, self.watch), self.wish, self.outbox):
            yield Built(path, job.summary, job.notices) if job else Built(path)

    def rules(self) -> Iterator[Built]:
        """The rules, when the game has some."""
        for file in write_rules(self.drawn, self.watch, self.outbox):
            yield Built(file.path, file.about)

    def gallery(self) -> Iterator[Built]:
        """A page with every face."""
        yield Built(write_gallery(self.drawn, self.watch, self.outbox), "every face, for a screen")

    def release(self) -> Iterator[Built]:
        """What `pnp patch` and `pnp diff` need of this version."""
        path, notices = write_manifest(self.drawn, self.watch, self.outbox)
        yield Built(path, "the release: keep it, and a later version prints only what changed", notices)


PARTS: dict[str, Callable[[Build], Iterator[Built]]] = {
    "sheets": Build.sheets,
    "rules": Build.rules,
    "gallery": Build.gallery,
    "release": Build.release,
}
"""What a build consists of, by the name that a person asks for."""


def parts_for(wish: PrintWish, look: Wish) -> tuple[str, ...]:
    """Everything, or the sheets alone where a part of the game is printed; a variant or a translation is no release."""
    if wish.only or wish.skip:
        return ("sheets",)
    return tuple(part for part in PARTS if part != "release" or look == Wish())
