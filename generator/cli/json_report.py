"""The answer of a command with `--json`: one object with its problems, files and names."""

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Literal

import click

from generator.base.errors import Problem, Where
from generator.base.files import display

if TYPE_CHECKING:
    from generator.cli.output import WrittenFiles

JSON_OPTION = "--json"

Severity = Literal["error", "warning", "note"]

JSON_KEY = "generator.json"
"""The key in click's context of the report of a command with --json."""


@dataclass
class JsonReport:
    """The answer of a command with --json: its problems, the files that it wrote, and the names that it lists."""

    command: str
    problems: list[dict[str, object]] = field(default_factory=list)
    files: list[dict[str, str]] = field(default_factory=list)
    names: list[dict[str, str]] = field(default_factory=list)

    def add(self, problem: Problem, severity: Severity) -> None:
        """Add a problem with its place."""
        layer = problem.layer
        self.problems.append(
            {
                "severity": severity,
                **asdict(problem.where or Where("")),
                "layer": {"kind": layer.kind, **asdict(layer.where)} if layer else None,
                "message": problem.found,
                "expected": problem.expected,
                "hint": problem.hint,
            }
        )

    def add_files(self, files: "WrittenFiles") -> None:
        """Add the files that a command wrote, and the warnings that are known without rendering pictures."""
        from generator.pipeline.notes import quick_warnings

        about = {file.path: file.about for file in files.written if file.path}
        paths = [files.folder / name for name in files.names]
        self.files += ({"path": display(path), "about": about.get(path, "")} for path in paths)
        if files.project.has_run("components"):
            for finding in quick_warnings(files.project):
                self.add(finding.problem, "warning")

    def text(self, exit_code: int) -> str:
        """Return the report as JSON."""
        return json.dumps({**asdict(self), "exit_code": exit_code}, indent=2, ensure_ascii=False)


def find_json_report() -> JsonReport | None:
    """Return the report of the running command, if it answers with JSON."""
    context = click.get_current_context(silent=True)
    report = context.meta.get(JSON_KEY) if context else None
    return report if isinstance(report, JsonReport) else None


class JsonOption(click.Option):
    """The option --json of commands that answer with a `JsonReport`."""
