"""What is wrong with a game, and what would not print well: all steps of a build, and nothing is written."""

from collections.abc import Iterator

from generator.app.project import Project
from generator.check.findings import Finding, findings
from generator.check.preflight import preflight
from generator.core.words import without_words
from generator.impose.sheet import Job
from generator.pack.translations import missing_translations


def checked(project: Project) -> Iterator[str]:
    """All of it in lines; raises where a build would."""
    found = [fault for component in project.drawn for fault in findings(component, project.raster)]
    rules = _rules(project)
    jobs = [(paper, project.laid(paper).job) for paper in project.papers]
    yield from _counted(project, jobs, rules)
    yield from _told(project, jobs, found)
    yield from ("", "Preflight")
    for line in preflight(project.game, jobs, sum(fault.unsafe for fault in found)):
        yield f"  {line}"


def _rules(project: Project) -> str:
    """A line on the rules, empty where a game has none."""
    rules, figures = project.rules, project.figures
    if rules is None:
        return ""
    shown = f"{len(figures)} figure{'' if len(figures) == 1 else 's'}, and all that they claim holds"
    return f"{rules.title}: {shown if figures else 'no figures'}"


def _counted(project: Project, jobs: list[tuple[str, Job]], rules: str) -> Iterator[str]:
    for component in project.drawn:
        spec = component.spec
        yield f"{spec.title}: {spec.count} pieces of {len(spec.designs)} designs, {spec.outline}"
    for name, job in jobs:
        yield f"{name}: {job.summary}"
    if rules:
        yield f"rules: {rules}"


def _told(project: Project, jobs: list[tuple[str, Job]], found: list[Finding]) -> Iterator[str]:
    spoken = filter(None, [without_words(project.game.language), *project.game.notes])
    for notice in dict.fromkeys([*spoken, *(notice for _, job in jobs for notice in job.notices)]):
        yield f"note: {notice}"
    for fault in found:
        yield f"warning: {fault}"
    for gap in missing_translations(project.folder):
        yield f"untranslated: {gap}"
    yield f"{len(found)} warnings" if len(found) != 1 else "1 warning"
