"""Write a release of a game, with which `pnp patch` compares later versions."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from generator.base.errors import PnpError, Where, fail
from generator.base.files import Outbox, display
from generator.base.steps import Watch
from generator.export import WrittenFile
from generator.pack.load import PackForm
from generator.pack.translations import forms
from generator.pipeline.open_releases import OpenRelease, compare_open, open_release, record_current
from generator.pipeline.project import Project
from generator.release import report
from generator.release.compare_releases import ChangeKind, Difference
from generator.release.release_file import file_name, last_before, to_file


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write the release next to the sheets, with all variants and translations that can be drawn.

    Notes name those that cannot.
    """
    others = []
    lacking = []
    for form in forms(project.folder):
        try:
            others.append(_draw_in_form(project, form))
        except PnpError as error:
            lacking.append(f"the release lacks a variant or language: {error.problems[0]}")
    with project.watch.stage("release"):
        name = file_name(f"{project.game.slug}-{project.game.version}")
        path = outbox.write(name, to_file(record_current(project, tuple(others)).release))
    yield WrittenFile(
        path,
        "the release: keep it, so that pnp patch can print only later changes",
        tuple(lacking),
    )


@dataclass(frozen=True)
class SavedRelease:
    """A release that was stored: its file, whether it was written now, and the changes since the last one.

    `forms` are the variants and languages in the file, `lacks` those that the file lacks.
    """

    path: Path
    written: bool
    since: Difference | None
    forms: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


def _draw_in_form(project: Project, form: tuple[str, str]) -> Project:
    """Return the game in a variant and language, drawn; raise an error that names them."""
    other = project.in_form(PackForm(*form))
    try:
        other.components  # noqa: B018 - drawing raises the errors
    except PnpError as error:
        name = " in ".join(word for word in form if word)
        raise type(error)(
            [replace(problem, found=f"as {name}: {problem.found}") for problem in error.problems]
        ) from error
    return other


def save_release(project: Project, outbox: Outbox) -> SavedRelease:
    """Store the pack as a release; raise an error if another release of that version exists."""
    opened = record_current(
        project, tuple(_draw_in_form(project, form) for form in forms(project.folder))
    )
    release = opened.release
    name = file_name(release.version)
    path = outbox.folder / name
    before = last_before(outbox.folder, release.version)
    since = _compare_with_release(project, before, opened, outbox.folder) if before else None
    form_names = tuple(map(release.form_name, release.forms))
    if path.is_file():
        with open_release(project, release.version, outbox.folder) as existing:
            _check_same(path, existing, opened, project.watch)
            stored_forms = tuple(map(existing.release.form_name, existing.release.forms))
        lacks = tuple(name for name in form_names if name not in stored_forms)
        return SavedRelease(path, written=False, since=since, forms=stored_forms, lacks=lacks)
    with project.watch.stage("write"):
        outbox.write(name, to_file(release))
    return SavedRelease(path, written=True, since=since, forms=form_names)


def _compare_with_release(
    project: Project, version: str, opened: OpenRelease, place: Path
) -> Difference:
    """Return the changes since an older release."""
    with open_release(project, version, place) as before:
        return compare_open(before, opened, project.watch).difference


def _check_same(path: Path, existing: OpenRelease, now: OpenRelease, watch: Watch) -> None:
    """Raise an error if the pack looks different from a stored release, in any variant or language.

    Faces that were drawn anew but look as before are accepted.
    """
    _check_form(path, compare_open(existing, now, watch).difference, "")
    for form in now.release.forms:
        old, new = (opened.release.form(form.variant, form.language) for opened in (existing, now))
        if old and new:
            comparison = compare_open(
                replace(existing, release=old), replace(now, release=new), watch
            )
            _check_form(path, comparison.difference, f" in {now.release.form_name(form)}")


def _check_form(path: Path, difference: Difference, where: str) -> None:
    """Raise an error that lists the changes, if any is visible."""
    if (
        all(change.kinds == (ChangeKind.REDRAWN,) for change in difference.changes)
        and not difference.rules
    ):
        return
    _, *rows = report.list_changes(difference)
    what = "\n".join(f"  {row.strip()}" for row in rows)
    found = (
        f"release {difference.old.version} exists already and differs from the pack{where}:\n{what}"
    )
    hint = "give the pack a new version in game.yaml, or delete the file if nobody has printed that release"
    fail(Where(display(path)), found, hint=hint)
