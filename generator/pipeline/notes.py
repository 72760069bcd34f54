"""Warnings and notes on a game that need no rendering, so that `pnp build` can give them too."""

from generator.draw.findings import MAX_NAMED_FACES, Finding, component_findings, gap_finding
from generator.draw.findings import cramped_notes as notes_on_components
from generator.pack.lint import find_gaps
from generator.pipeline.project import Project


def quick_warnings(project: Project) -> tuple[Finding, ...]:
    """Return the warnings of `pnp check` that are known without rendering.

    Figures are looked at only if the command has drawn them.
    """
    findings = [gap_finding(gap) for gap in find_gaps(project.game)]
    for component in project.components:
        findings += component_findings(component)
    if project.has_run("figures"):
        from generator.pipeline.rulebook import hidden_by_overlays

        findings += hidden_by_overlays(project.figures)
    return tuple(findings)


def cramped_notes(project: Project, limit: int = MAX_NAMED_FACES) -> tuple[str, ...]:
    """Return a note for each kind of feature that has too little room; each names `limit` faces.

    There are none if the command drew only some designs: drawing the others could fail.
    """
    if not project.has_run("components"):
        return ()
    return tuple(notes_on_components(project.components, limit))
