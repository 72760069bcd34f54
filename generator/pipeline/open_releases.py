"""The steps of a project that compare: two releases, or a release and the current pack, in one form.

They open the releases, choose the form, and call `release/compare_releases.py` with rasterisers for the fonts
of each release. An `OpenRelease` is read from a release file, or made of the current pack.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from generator.base.errors import Kind, PnpError, Problem, raising_at
from generator.base.files import temporary_folder
from generator.base.fonts import FontSet
from generator.base.steps import Watch
from generator.pack.folder import FIGURES, PackFolder
from generator.pack.game import Game
from generator.pack.game_spec import translated_name
from generator.pack.yaml_nodes import Node, parse_yaml, translate
from generator.picture.raster import Rasteriser
from generator.pipeline.printing import find_named_ids
from generator.pipeline.project import Project
from generator.release.compare_faces import FaceComparer
from generator.release.compare_releases import Difference, align, compare
from generator.release.record import RecordedRules, Release, record, restore_fonts
from generator.release.release_file import find, folder_of


@dataclass(frozen=True)
class CompareOptions:
    """The releases to compare, by version or file; without a new one, the current pack.

    `only` names components and designs; empty means all.
    """

    old: str = ""
    new: str | None = None
    only: tuple[str, ...] = ()


@dataclass(frozen=True)
class OpenRelease:
    """A release with the fonts of its texts."""

    release: Release
    fonts: FontSet


@dataclass(frozen=True)
class ComparedReleases:
    """Two open releases, their difference, and the comparer that found it.

    `form` names the form asked for. If the old release lacks that form, the game itself is
    compared, and `new_in_form` is the new release in that form.
    """

    old: OpenRelease
    new: OpenRelease
    comparer: FaceComparer
    difference: Difference
    form: str = ""
    new_in_form: Release | None = None


def name_form(project: Project) -> str:
    """Return the name of the form asked for: `line-art`, `nl`, `line-art in nl`."""
    return " in ".join(word for word in (project.game.variant, project.game.translated) if word)


def record_current(project: Project, others: tuple[Project, ...] = ()) -> OpenRelease:
    """Return the current pack as a release, with the other forms that releases store."""
    rules = record_rules(project.default_form.game)
    forms = [(other.game, other.components) for other in others]
    fonts = () if forms else project.used_fonts
    return OpenRelease(
        record(project.game, project.components, rules, forms, fonts), project.game.fonts
    )


@contextmanager
def open_release(project: Project, name: str, place: Path | None = None) -> Iterator[OpenRelease]:
    """Yield a release of the pack, by version or file; its fonts exist until the block ends."""
    now = project.default_form.game.fonts
    release = find(place or folder_of(project.folder), name)
    with temporary_folder() as temporary, raising_at():
        yield OpenRelease(release, restore_fonts(release, now, temporary))


@contextmanager
def compare_requested(project: Project, *, extras: bool = True) -> Iterator[ComparedReleases]:
    """Yield the comparison that the options ask for: of two releases, or of one and the current pack.

    Without `extras`, optional components that the old release lacks are left out, unless the options name them.
    """
    options = project.request.get(CompareOptions)
    form = name_form(project)
    with ExitStack() as stack:
        before = stack.enter_context(open_release(project, options.old))
        after = stack.enter_context(open_release(project, options.new)) if options.new else None
        left_out = find_new_optional(project.game, before.release)
        if extras or options.only:
            left_out = set()
        new_release = _leave_out(_new_release(project, after), left_out)
        old_in_form = _find_in_form(before, project)
        if old_in_form is not None:
            yield compare_open(old_in_form, new_release, project.watch, options.only, form)
            return
        new_without_form = _leave_out(after or record_current(project.default_form), left_out)
        comparison = compare_open(before, new_without_form, project.watch, options.only, form)
        if options.only:
            ids = _list_ids(new_release.release, before.release)
            new_release = _limit_to(new_release, ids, options.only)
        yield replace(comparison, new_in_form=new_release.release)


def _new_release(project: Project, after: OpenRelease | None) -> OpenRelease:
    """Return the new release in the form asked for.

    Raise if the release does not store that form.
    """
    if after is None:
        return record_current(project)
    in_form = _find_in_form(after, project)
    if in_form is not None:
        return in_form
    forms = ", ".join(map(after.release.form_name, after.release.forms))
    problem = Problem(
        None,
        f"release {after.release.version} does not include {name_form(project)}",
        f"one of: {forms}" if forms else "no --variant and no --lang",
        "without --to, pnp uses the current pack",
        Kind.USAGE,
    )
    raise PnpError([problem])


def _find_in_form(opened: OpenRelease, project: Project) -> OpenRelease | None:
    """Return a release in the form asked for; None if the release does not store that form."""
    game = project.game
    variant, language = (
        (game.variant, game.language) if game.variant or game.translated else ("", "")
    )
    release = opened.release.form(variant, language)
    return replace(opened, release=release) if release else None


def find_new_optional(game: Game, old: Release) -> set[str]:
    """Return the ids of optional components that an old release lacks."""
    had = {component.id for component in old.components}
    return {component.id for component in game.components if component.optional} - had


def _leave_out(opened: OpenRelease, left_out: Collection[str]) -> OpenRelease:
    """Return a release without some components."""
    remaining = tuple(part for part in opened.release.components if part.id not in left_out)
    return replace(opened, release=replace(opened.release, components=remaining))


def _list_ids(*releases: Release) -> dict[str, list[str]]:
    """Return the ids of all components of some releases, with those of their designs."""
    ids: dict[str, dict[str, None]] = {}
    for release in releases:
        for component, design in release.designs:
            ids.setdefault(component.id, {})[design.id] = None
    return {component: list(designs) for component, designs in ids.items()}


def _limit_to(
    opened: OpenRelease, ids: Mapping[str, Sequence[str]], only: tuple[str, ...]
) -> OpenRelease:
    """Return a release with only the named components and designs, of those with these ids."""
    return replace(opened, release=opened.release.limit_to(find_named_ids(ids, only)))


def compare_open(
    old: OpenRelease, new: OpenRelease, watch: Watch, only: tuple[str, ...] = (), form: str = ""
) -> ComparedReleases:
    """Compare two open releases, or only some of their designs."""
    old = replace(old, release=align(old.release, new.release))
    if only:
        ids = _list_ids(old.release, new.release)
        old = _limit_to(old, ids, only)
        new = _limit_to(new, ids, only)
    comparer = FaceComparer(
        Rasteriser(old.fonts), Rasteriser(new.fonts), old.release.fonts, new.release.fonts
    )
    total = sum(len(component.designs) for component in new.release.components)
    with watch.stage("compare", total) as tick:
        difference = compare(old.release, new.release, comparer, tick)
        return ComparedReleases(old, new, comparer, replace(difference, only=only), form)


def record_rules(game: Game) -> tuple[RecordedRules, ...]:
    """Return the rules in each language, with a digest of their text and of their figures' sources.

    Pictures do not count, so figures that are only drawn differently do not change the rules. Nor
    do claims, which no reader sees.
    """
    if game.rules is None:
        return ()
    folder = PackFolder(game.folder)
    main_file = game.rules.file
    figures = _read_figures(folder)
    files = {
        game.language: main_file,
        **{name: translated_name(main_file, name) for name in folder.languages(main_file)},
    }
    return tuple(
        _record_language(language, folder.text(file), figures) for language, file in files.items()
    )


def _read_figures(folder: PackFolder) -> Node:
    if not (folder.root / FIGURES).is_file():
        return Node({}, folder.where(FIGURES))
    return parse_yaml(folder.text(FIGURES), folder.where(FIGURES).file)


def _record_language(language: str, text: str, figures: Node) -> RecordedRules:
    translated = translate(figures, language).plain()
    boards_without_claims = (
        {name: _drop_claims(figure) for name, figure in translated.items()}
        if isinstance(translated, dict)
        else translated
    )
    boards = json.dumps(boards_without_claims, ensure_ascii=False, sort_keys=True)
    return RecordedRules(language, text, sha256(f"{text}\0{boards}".encode()).hexdigest())


def _drop_claims(figure: object) -> object:
    """Return a figure's source without its claims."""
    return (
        {key: value for key, value in figure.items() if key != "claims"}
        if isinstance(figure, dict)
        else figure
    )
