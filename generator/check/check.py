"""`pnp check`: run all steps of a build without writing files, and report problems and poor print."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from generator.base.errors import Problem
from generator.base.units import format_count
from generator.check.faults import FaceInspector, find_faults
from generator.check.preflight import deck_lines, ink_table, preflight
from generator.draw.findings import Finding, gap_finding
from generator.impose.sheet import Job
from generator.pack.lint import find_gaps, find_slips
from generator.pack.translations import missing_translations
from generator.pdf.faces import compile_art, note_replacements
from generator.pipeline.notes import cramped_notes
from generator.pipeline.project import Project

EXAMPLES_PER_GROUP = 3
"""Faces, or texts without a translation, that the report names for each group; it counts the others."""


@dataclass(frozen=True)
class PackReport:
    """The results of a check, and the lines that print them."""

    warnings: tuple[Finding, ...]
    untranslated: tuple[Problem, ...]
    notes: tuple[Problem, ...]
    lines: tuple[str, ...]


def _warnings_of(project: Project, inspector: FaceInspector) -> list[Finding]:
    """Return all warnings: gaps in the pack, and faults of faces, of figures, and with `low_ink` of tints."""
    findings = [gap_finding(gap) for gap in find_gaps(project.game)]
    findings += [
        fault for component in project.components for fault in find_faults(component, inspector)
    ]
    if project.print_options.low_ink:
        from generator.check.low_ink_faults import low_ink_findings

        findings += low_ink_findings(
            project.game, project.components_in_full_ink, project.components, project.raster
        )
    if project.rules:
        from generator.pipeline.rulebook import hidden_by_overlays

        findings += hidden_by_overlays(project.figures)
    return findings


def _pixel_notes(project: Project) -> tuple[str, ...]:
    """Return the notes on art that is printed as an image because PDF cannot show it as vectors."""
    return note_replacements(
        compile_art(tuple(project.faces.values()), project.game.fonts, project.cache)
    )


def check_pack(project: Project, *, everything: bool = False, ink: bool = False) -> PackReport:
    """Run the steps of a build and report on them; raise the errors of a build.

    The lines group equal findings, unless `everything` is True. With `ink`, they end with a
    table of the inked share of each sheet for each paper.
    """
    limit = 0 if everything else EXAMPLES_PER_GROUP
    inspector = FaceInspector(project.raster, measures_ink=ink)
    jobs = [(paper.title, project.impose_some(paper).job) for paper in project.papers]
    findings = _warnings_of(project, inspector)
    rules = _rules_line(project)
    gaps = missing_translations(project.folder)
    notes = _notes(project, jobs, limit)
    lines = (
        *_count_lines(project, jobs, rules),
        *(f"note: {note}" for note in notes),
        *_warning_lines(findings, limit),
        *_untranslated_lines(gaps, limit),
        format_count(len(findings), "warning"),
        *_deck_lines(project),
        *("", "Preflight"),
        *(
            f"  {line}"
            for line in preflight(project.game, jobs, sum(finding.unsafe for finding in findings))
        ),
        *(_ink_lines(project, jobs, inspector) if ink else ()),
    )
    return PackReport(tuple(findings), gaps, notes, lines)


def _ink_lines(
    project: Project, jobs: list[tuple[str, Job]], inspector: FaceInspector
) -> Iterator[str]:
    for title, job in jobs:
        names = {
            at.face
            for sheet in job.sheets
            for side in (sheet.front, sheet.back)
            if side
            for at in side.placed
        }
        inks = {name: inspector.ink(project.faces[name]) for name in names}
        yield from ("", f"Ink on {title}", *ink_table(job, inks))


def _rules_line(project: Project) -> str:
    """Return a line on the rules; an empty string for a game without any."""
    rules = project.rules
    figures = project.figures
    if rules is None:
        return ""
    count = f"{format_count(len(figures), 'figure')}; all their claims hold"
    return f"{rules.title}: {count if figures else 'no figures'}"


def _deck_lines(project: Project) -> Iterator[str]:
    """Yield the section on decks, such as the sleeves that fit them; no lines for a game without decks."""
    glued = any(project.setup(paper).duplex.is_glued for paper in project.papers)
    lines = list(deck_lines(project.game.components, 2 if glued else 1))
    if lines:
        yield from ("", "Decks", *(f"  {line}" for line in lines))


def _count_lines(project: Project, jobs: list[tuple[str, Job]], rules: str) -> Iterator[str]:
    for component in project.components:
        spec = component.spec
        designs = format_count(len(spec.designs), "design")
        yield f"{spec.title}: {format_count(spec.count, 'piece')} of {designs}, {spec.outline}"
    for name, job in jobs:
        yield f"{name}: {job.summary}"
    if rules:
        yield f"rules: {rules}"


def _notes(project: Project, jobs: list[tuple[str, Job]], limit: int) -> tuple[Problem, ...]:
    """Return the notes, each once."""
    notices = chain.from_iterable(job.notices for _, job in jobs)
    placeless = (*cramped_notes(project, limit), *_pixel_notes(project), *notices)
    notes = (
        *(Problem(None, remark) for remark in project.game.remarks),
        *find_slips(project.game),
        *(Problem(None, note) for note in placeless),
    )
    return tuple(dict.fromkeys(notes))


def _warning_lines(findings: list[Finding], limit: int) -> Iterator[str]:
    """Yield the findings grouped by cause, frequent groups first, and in each group the most severe first."""
    groups: dict[tuple[str, str, str, str], list[Finding]] = {}
    for fault in findings:
        component = fault.face.partition(":")[0]
        key = (component, fault.group or fault.text, fault.source, fault.hint)
        groups.setdefault(key, []).append(fault)
    for (component, cause, source, hint), faults in sorted(
        groups.items(), key=lambda item: -len(item[1])
    ):
        if len(faults) == 1 or not limit:
            yield from (f"warning: {fault}" for fault in faults)
            continue
        worst = sorted(faults, key=lambda fault: -fault.weight)
        remainder = f"  … and {len(faults) - limit} more (--all)"
        lines = [f"  {fault.face}: {fault.text}" for fault in worst[:limit]] + (
            [remainder] if len(faults) > limit else []
        )
        yield "\n".join(
            [f"warning: {component}: {cause}, on {len(faults)} faces{source}", *lines, f"  {hint}"]
        )


def _untranslated_lines(gaps: tuple[Problem, ...], limit: int) -> Iterator[str]:
    """Yield the texts without a translation, grouped by file and column."""
    groups: dict[tuple[str, str], tuple[Problem, ...]] = {}
    for gap in gaps:
        key = (gap.where.file if gap.where else "", gap.found.partition(":")[0])
        groups[key] = (*groups.get(key, ()), gap)
    for (file, column), group in sorted(groups.items(), key=lambda item: -len(item[1])):
        if len(group) <= limit or not limit:
            yield from (f"untranslated: {gap}" for gap in group)
            continue
        lines = ", ".join(str(gap.where.line) for gap in group[:limit] if gap.where)
        yield f"untranslated: {file}: {column}: {len(group)} texts, in the lines {lines}, … (--all)"
