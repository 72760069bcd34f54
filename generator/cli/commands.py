"""The class of all commands: examples and groups of options in the help, --quiet and --verbose, and --json."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import click

from generator.base.errors import Problem, Where
from generator.base.files import display

if TYPE_CHECKING:
    from generator.cli.project import WrittenFiles


RUN_KEY = "generator.run"
"""The key in click's context of the settings that change no file, such as --quiet and --jobs."""

GENERAL_GROUP = "Options"
"""The heading in the help of the options without a group of their own."""

JSON_OPTION = "--json"
JSON_KEY = "generator.json"
"""The key in click's context of the report of a command with --json."""

Severity = Literal["error", "warning", "note"]


def store_in(key: str) -> Callable[[click.Context, click.Parameter, object], None]:
    """Return the callback of an option whose value is stored in click's context, and not passed to the command."""

    def store(ctx: click.Context, param: click.Parameter, value: object) -> None:
        ctx.meta.setdefault(key, {})[param.name] = value

    return store


def run_settings() -> Mapping[str, Any]:
    """Return the settings of the running command by the names of their options; empty outside a command."""
    ctx = click.get_current_context(silent=True)
    return ctx.meta.get(RUN_KEY, {}) if ctx else {}


def is_quiet() -> bool:
    """Return True if the running command prints problems and warnings only."""
    return run_settings().get("verbosity") == "quiet"


def is_verbose() -> bool:
    """Return True if the running command prints all details."""
    return run_settings().get("verbosity") == "verbose"


class GroupedOption(click.Option):
    """An option that the help lists under the heading of its group."""

    def __init__(self, *args: Any, group: str = GENERAL_GROUP, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.group = group


class PnpCommand(click.Command):
    """A command with examples, grouped options, `--quiet` and `--verbose`.

    `prints_result` marks a command whose output is its purpose, such as `pnp list`: it has neither
    option.
    """

    def __init__(
        self,
        *args: Any,
        examples: Sequence[str] = (),
        prints_result: bool = False,
        **attributes: Any,
    ) -> None:
        super().__init__(*args, **attributes)
        self.examples = tuple(examples)
        if not prints_result:
            self.params += (
                _make_verbosity_option("-q", "--quiet", "Print problems and warnings only."),
                _make_verbosity_option(
                    "-v", "--verbose", "Print all notes in full, and the time of each stage."
                ),
            )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; with --json, begin the report first, so that it contains mistakes in them."""
        # `pnp diff` prints its own JSON: its option has another name in Python.
        if JSON_OPTION in args and any(param.name == "json" for param in self.params):
            ctx.meta[JSON_KEY] = JsonReport(self.name or "")
        return super().parse_args(ctx, args)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the description, then the examples without wrapping them."""
        super().format_help_text(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by group, the general ones first."""
        groups: dict[str, list[tuple[str, str]]] = {GENERAL_GROUP: []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record:
                group = param.group if isinstance(param, GroupedOption) else GENERAL_GROUP
                groups.setdefault(group, []).append(record)
        for title, records in groups.items():
            with formatter.section(title):
                formatter.write_dl(records)


def _make_verbosity_option(short: str, long: str, help_text: str) -> click.Option:
    """Return `--quiet` or `--verbose`; if both are given, the last one wins."""
    return click.Option(
        [short, long, "verbosity"],
        flag_value=long.removeprefix("--"),
        expose_value=False,
        callback=store_in(RUN_KEY),
        help=help_text,
    )


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
