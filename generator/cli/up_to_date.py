"""Skip a repeated command whose arguments, pack and output files are unchanged."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli.commands import find_json_report, is_verbose, run_settings
from generator.cli.options import OPTIONS_KEY
from generator.cli.output import print_message, print_notes, print_result
from generator.cli.project import is_cache_off, open_cache

if TYPE_CHECKING:
    from generator.cli.project import WrittenFiles

FILES_KIND = "files"
"""The kind of the cache's entries about finished files."""


@dataclass(frozen=True)
class RepeatedCommand:
    """Skips a repeated command if its arguments, the pack and the files that it wrote are unchanged."""

    game: str
    output: str

    @cached_property
    def _key(self) -> str:
        """The fingerprint of everything that goes into the files; empty if the command must not be skipped."""
        from generator.base.cache import key_of

        ctx = click.get_current_context()
        pack = _find_pack(self.game)
        asks_for_details = ctx.params.get("draft") or run_settings().get("timings") or is_verbose()
        if pack is None or is_cache_off() or asks_for_details:
            return ""
        digest = _digest_pack(pack, Path(self.output).resolve())
        options = sorted(ctx.meta.get(OPTIONS_KEY, {}).items())
        return digest and key_of(
            ctx.info_name,
            str(Path.cwd()),
            sorted(ctx.params.items()),
            options,
            digest,
            _digest_printers(options),
            find_json_report() is not None,
        )

    def is_current(self) -> bool:
        """Return True and print the stored report if all output files are current.

        First remove temporary files of killed builds: a skipped build opens no outbox, which would
        remove them.
        """
        from generator.base.cache import get_json
        from generator.base.files import clear_leftovers

        if not self._key:
            return False
        with open_cache() as cache:
            stored = get_json(cache, FILES_KIND, self._key)
        if not stored:
            return False
        folder = Path(stored["folder"])
        clear_leftovers(folder)
        if not all(
            _digest_file(folder / name) == digest for name, digest in stored["files"].items()
        ):
            return False
        if report := find_json_report():
            report.files += stored["files_made"]
            report.problems += stored["problems"]
            return True
        for line in stored["lines"]:
            print_result(line)
        print_notes(stored["notes"])
        print_result("Everything is up to date; no files were written.")
        if stored["last"]:
            print_message(stored["last"])
        return True

    def store(self, files: "WrittenFiles", lines: Sequence[str], last: str = "") -> None:
        """Store the digests of the files and the printed lines; `last` is the last line, if any."""
        from generator.base.cache import put_json

        if self._key:
            folder = files.folder.resolve()
            digests = {name: _digest_file(folder / name) for name in files.names}
            report: dict[str, object] = {
                "folder": str(folder),
                "files": digests,
                "lines": list(lines),
                "notes": list(files.notes),
                "last": last,
            }
            if json_report := find_json_report():
                report |= {"files_made": json_report.files, "problems": json_report.problems}
            with open_cache() as cache:
                put_json(cache, FILES_KIND, self._key, report)


def _find_pack(game: str) -> Path | None:
    """Return the folder of a pack or a bundled game; None without one, which the command reports later."""
    from generator.base.files import bundled_folder

    path = Path(game)
    places = (path.parent if path.name == "game.yaml" else path, bundled_folder("templates") / game)
    return next((place for place in places if (place / "game.yaml").is_file()), None)


def _digest_pack(pack: Path, output: Path) -> str:
    """Return the digest of a pack's files, without hidden files and output.

    Empty if there are too many.
    """
    from generator.base.errors import InvalidValueError
    from generator.base.values import folder_digest

    try:
        return folder_digest(pack, output)
    except InvalidValueError:
        return ""


def _digest_printers(options: Sequence[tuple[str, object]]) -> str:
    """Return the digest of the printer profiles if the job needs one.

    The job reports mistakes in them.
    """
    if not dict(options).get("printer"):
        return ""
    from generator.base.errors import InvalidValueError
    from generator.base.settings import settings_folder
    from generator.impose.printer import PROFILES_FILE

    try:
        return _digest_file(settings_folder() / PROFILES_FILE)
    except InvalidValueError:
        return ""


def _digest_file(path: Path) -> str:
    """Return the digest of a file; empty if it cannot be read."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
