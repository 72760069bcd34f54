"""Comparison of two releases, or of a release and the current pack, in one form of the game."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from generator.base.errors import Kind, Problem, error_of, raising_at
from generator.base.files import temporary_folder
from generator.base.fonts import FontSet
from generator.base.steps import Watch
from generator.pack.folder import PackFolder
from generator.pack.game import FIGURES, Game
from generator.pack.game_spec import translated_name
from generator.pack.yaml_nodes import Node, parse, translated
from generator.picture.raster import Rasteriser
from generator.pipeline.printing import find_named_ids
from generator.pipeline.project import Project
from generator.release.compare import Difference, align, compare
from generator.release.file import find, folder_of
from generator.release.record import RecordedRules, Release, fonts_of, record
from generator.release.same_look import FaceComparer


@dataclass(frozen=True)
class CompareOptions:
    """The releases to compare, by version or file; without a new one, the current pack.

    `only` names components and designs; empty means all.
    """

    old: str = ""
    new: str | None = None
    only: tuple[str, ...] = ()


@dataclass(frozen=True)
class Edition:
    """A release with the fonts that set it."""

    release: Release
    fonts: FontSet


@dataclass(frozen=True)
class Compared:
    """Two editions, their difference, and the comparer that found it.

    `form` names the form asked for. If the old release lacks that form, the editions are those of
    the game itself, and `shown` is the new release in that form.
    """

    old: Edition
    new: Edition
    comparer: FaceComparer
    difference: Difference
    form: str = ""
    shown: Release | None = None


def name_form(project: Project) -> str:
    """Return the name of the form asked for: `line-art`, `nl`, `line-art in nl`."""
    return " in ".join(word for word in (project.game.variant, project.game.translated) if word)


def present(project: Project, others: tuple[Project, ...] = ()) -> Edition:
    """Return the current pack as an edition, with the other forms that releases store."""
    rules = record_rules(project.default_form.game)
    forms = [(other.game, other.components) for other in others]
    fonts = () if forms else project.used_fonts
    return Edition(
        record(project.game, project.components, rules, forms, fonts), project.game.fonts
    )


@contextmanager
def open_release(project: Project, name: str, place: Path | None = None) -> Iterator[Edition]:
    """Yield a release of the pack, by version or file; its fonts exist until the block ends."""
    now = project.default_form.game.fonts
    release = find(place or folder_of(project.folder), name)
    with temporary_folder() as temporary, raising_at():
        yield Edition(release, fonts_of(release, now, temporary))


@contextmanager
def between(project: Project) -> Iterator[Compared]:
    """Yield the comparison of two releases, or of a release and the current pack."""
    options = project.request.get(CompareOptions)
    form = name_form(project)
    with ExitStack() as stack:
        before = stack.enter_context(open_release(project, options.old))
        after = stack.enter_context(open_release(project, options.new)) if options.new else None
        wanted = _new_release(project, after)
        asked = _in_form(before, project)
        if asked is not None:
            yield compare_editions(asked, wanted, project.watch, options.only, form)
            return
        plain = after or present(project.default_form)
        both = compare_editions(before, plain, project.watch, options.only, form)
        yield replace(
            both, shown=(_chosen(wanted, before, options.only) if options.only else wanted).release
        )


def _new_release(project: Project, after: Edition | None) -> Edition:
    """Return the new release in the form asked for.

    Raise if the release does not store that form.
    """
    if after is None:
        return present(project)
    found = _in_form(after, project)
    if found is not None:
        return found
    known = ", ".join(map(after.release.form_name, after.release.forms))
    wrong = Problem(
        None,
        f"release {after.release.version} does not include {name_form(project)}",
        f"one of: {known}" if known else "no --variant and no --lang",
        "without --to, pnp uses the current pack",
        Kind.MISSING,
    )
    raise error_of([wrong])


def _in_form(edition: Edition, project: Project) -> Edition | None:
    """Return a release in the form asked for; None if the release does not store that form."""
    game = project.game
    variant, language = (
        (game.variant, game.language) if game.variant or game.translated else ("", "")
    )
    release = edition.release.form(variant, language)
    return replace(edition, release=release) if release else None


def _chosen(edition: Edition, other: Edition, only: tuple[str, ...]) -> Edition:
    """Return an edition reduced to the named components and designs, by the names of both editions."""
    release = edition.release
    ids: dict[str, list[str]] = {}
    for component, design in (*release.designs, *other.release.designs):
        ids.setdefault(component.id, []).append(design.id)
    known = {name: list(dict.fromkeys(designs)) for name, designs in ids.items()}
    return replace(edition, release=release.limit_to(find_named_ids(known, only)))


def compare_editions(
    old: Edition, new: Edition, watch: Watch, only: tuple[str, ...] = (), form: str = ""
) -> Compared:
    """Compare two editions, or only some of their designs."""
    old = replace(old, release=align(old.release, new.release))
    if only:
        old, new = _chosen(old, new, only), _chosen(new, old, only)
    comparer = FaceComparer(
        Rasteriser(old.fonts), Rasteriser(new.fonts), old.release.fonts, new.release.fonts
    )
    total = sum(len(component.designs) for component in new.release.components)
    with watch.stage("compare", total) as tick:
        difference = compare(old.release, new.release, comparer, tick)
        return Compared(old, new, comparer, replace(difference, only=only), form)


def record_rules(game: Game) -> tuple[RecordedRules, ...]:
    """Return the rules in each language, with a digest of their text and of their figures' sources.

    Pictures do not count, so figures that are only drawn differently do not change the rules. Nor
    do claims, which no reader sees.
    """
    if game.rules is None:
        return ()
    folder = PackFolder(game.folder)
    own = game.rules.file
    figures = _figures(folder)
    files = {
        game.language: own,
        **{name: translated_name(own, name) for name in folder.languages(own)},
    }
    return tuple(
        _record_language(language, folder.text(file), figures) for language, file in files.items()
    )


def _figures(folder: PackFolder) -> Node:
    if not (folder.root / FIGURES).is_file():
        return Node({}, folder.where(FIGURES))
    return parse(folder.text(FIGURES), folder.where(FIGURES).file)


def _record_language(language: str, text: str, figures: Node) -> RecordedRules:
    seen = translated(figures, language).plain()
    shown = (
        {name: _unclaimed(figure) for name, figure in seen.items()}
        if isinstance(seen, dict)
        else seen
    )
    boards = json.dumps(shown, ensure_ascii=False, sort_keys=True)
    return RecordedRules(language, text, sha256(f"{text}\0{boards}".encode()).hexdigest())


def _unclaimed(figure: object) -> object:
    return (
        {key: value for key, value in figure.items() if key != "claims"}
        if isinstance(figure, dict)
        else figure
    )
