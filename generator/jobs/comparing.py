"""The order of the stages for two releases side by side, in one form of the game: one variant, one language."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from generator.core.fonts import FontSet
from generator.core.problems import Kind, Problem, error_of, placed
from generator.core.timing import Watch
from generator.jobs.pipeline import Drawn, draw
from generator.jobs.rulebook import kept_rules
from generator.jobs.wishes import named
from generator.pack.load import Wish
from generator.preview.raster import Rasteriser
from generator.release import folder
from generator.release.align import aligned
from generator.release.compare import Difference, compare
from generator.release.look import Eye
from generator.release.manifest import Release
from generator.release.record import record
from generator.release.typeset import fonts_of


@dataclass(frozen=True)
class Pack:
    """A pack as it is now: in its own language and look, and in the form that is wanted."""

    plain: Drawn
    wanted: Drawn

    @property
    def form(self) -> tuple[str, str]:
        """The variant and the language that are wanted; both empty where that is the pack itself."""
        game = self.wanted.game
        return (game.variant, game.language) if self.wanted is not self.plain else ("", "")

    @property
    def called(self) -> str:
        """The form in words: `line-art`, `nl`, `line-art in nl`."""
        return " in ".join(word for word in (self.wanted.game.variant, self.wanted.game.translated) if word)


@dataclass(frozen=True)
class Edition:
    """A release with the fonts that set it."""

    release: Release
    fonts: FontSet


@dataclass(frozen=True)
class Compared:
    """Two editions, what differs, and the eye that saw it.

    Where the old release kept nothing of the form that is wanted, they are those of the game itself, and `shown` is the
    new release in that form.
    """

    old: Edition
    new: Edition
    eye: Eye
    difference: Difference
    shown: Release | None = None


def drawn_pack(name: str, wish: Wish, watch: Watch) -> Pack:
    """A pack by its folder or name, drawn as it is and in the form that is wanted."""
    wanted = draw(name, wish, watch)
    plain = not (wanted.game.variant or wanted.game.translated)
    return Pack(wanted if plain else draw(name, Wish(), watch), wanted)


def present(drawn: Drawn, others: tuple[Drawn, ...] = ()) -> Edition:
    """The pack as it is now, with the other forms of it that are kept."""
    forms = [(other.game, other.components) for other in others]
    return Edition(record(drawn.game, drawn.components, kept_rules(drawn.game), forms), drawn.game.fonts)


@contextmanager
def kept(drawn: Drawn, name: str, place: Path | None = None) -> Iterator[Edition]:
    """A release of the pack by its version or its file; its fonts are there meanwhile."""
    release = folder.find(place or folder.folder_of(drawn.game.folder), name)
    with TemporaryDirectory(prefix="pnp-fonts-") as temporary, placed():
        yield Edition(release, fonts_of(release, drawn.game.fonts, Path(temporary)))


@contextmanager
def between(pack: Pack, old: str, new: str | None, watch: Watch, only: tuple[str, ...] = ()) -> Iterator[Compared]:
    """What differs between two releases, or between one and the pack as it is now; perhaps only some designs."""
    with ExitStack() as stack:
        before = stack.enter_context(kept(pack.plain, old))
        after = stack.enter_context(kept(pack.plain, new)) if new else None
        wanted = _wanted(pack, after)
        asked = _in_form(before, pack)
        if asked is not None:
            yield compared(asked, wanted, watch, only)
            return
        plain = after or present(pack.plain)
        both = compared(before, plain, watch, only)
        yield replace(both, shown=_chosen(wanted, before, only).release)


def _wanted(pack: Pack, after: Edition | None) -> Edition:
    """The new release in the form that is wanted; a release that did not keep it cannot be printed in it."""
    if after is None:
        game = pack.wanted.game
        release = record(game, pack.wanted.components, kept_rules(pack.plain.game))
        return Edition(release, game.fonts)
    found = _in_form(after, pack)
    if found is not None:
        return found
    known = ", ".join(map(after.release.called, after.release.forms))
    wrong = Problem(
        None,
        f"release {after.release.version} kept nothing of {pack.called}",
        f"one of: {known}" if known else "no --variant and no --lang",
        "without --to it is the pack as it is now",
        Kind.MISSING,
    )
    raise error_of([wrong])


def _in_form(edition: Edition, pack: Pack) -> Edition | None:
    release = edition.release.form(*pack.form)
    return replace(edition, release=release) if release else None


def _chosen(edition: Edition, other: Edition, only: tuple[str, ...]) -> Edition:
    """The components and designs that are named, by the names of both editions."""
    release = edition.release
    ids: dict[str, list[str]] = {}
    for component, design in (*release.designs, *other.release.designs):
        ids.setdefault(component.id, []).append(design.id)
    known = {name: list(dict.fromkeys(designs)) for name, designs in ids.items()}
    return replace(edition, release=release.chosen(named(known, only))) if only else edition


def compared(old: Edition, new: Edition, watch: Watch, only: tuple[str, ...] = ()) -> Compared:
    """The two side by side; perhaps only some designs."""
    old = replace(old, release=aligned(old.release, new.release))
    old, new = _chosen(old, new, only), _chosen(new, old, only)
    eye = Eye(Rasteriser(old.fonts), Rasteriser(new.fonts), old.release.fonts, new.release.fonts)
    total = sum(len(component.designs) for component in new.release.components)
    with watch.stage("compare", total) as tick:
        difference = compare(old.release, new.release, eye, tick)
        return Compared(old, new, eye, replace(difference, only=only))
