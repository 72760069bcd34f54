"""The page's request for a build, and the files that it made.

The build is `pnp build` in a process of its own. So the page gets the files and messages that the
command gives, the command's limits on memory and time hold, and a crash ends no page.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from generator.base.errors import InvalidValueError
from generator.base.files import OUTPUT
from generator.live.server import HTML, MISSING, Request, Response, Route, json_response
from generator.live.session import Session

# What a newcomer prints: the sheets with the page on how to make the game, and the rules.
BUILT_OUTPUTS = ("sheets", "making", "rules")
# Only these files are listed, because a browser can show them.
SHOWN_TYPES = {".pdf": "application/pdf", ".html": HTML}
# Lines of the output of a crashed build that are reported.
MAX_CRASH_LINES = 5


@dataclass
class BuildRoutes:
    """Builds the displayed pack, one build at a time, and serves the files of the last build."""

    session: Session
    output: Path = Path(OUTPUT)
    read_only: bool = False
    _last: Mapping[str, Any] | None = None
    _files: Mapping[str, Path] = field(default_factory=dict)
    _process: subprocess.Popen[str] | None = None
    _is_stopped: bool = False
    _building: Lock = field(default_factory=Lock)
    _lock: Lock = field(default_factory=Lock)

    @property
    def actions(self) -> Mapping[str, Route]:
        """The routes for requests that write files."""
        return {} if self.read_only else {"build": self.build}

    @property
    def queries(self) -> Mapping[str, Route]:
        """The routes for queries."""
        return {"built": lambda _: json_response(self._last), "files": self.send_file}

    def build(self, _: Request) -> Response:
        """Build the PDFs as displayed, and return their names and all problems."""
        with self._building:
            self._last, self._files = self._read_report(*self._run())
            return json_response(self._last)

    def send_file(self, request: Request) -> Response:
        """Return a file of the last build by its name."""
        path = self._files.get(request.subpath)
        if path is None or not path.is_file() or path.resolve() != path:  # replaced by a link since
            return MISSING
        media_type = SHOWN_TYPES[path.suffix]
        return Response(path.read_bytes(), media_type, is_pack_content=media_type == HTML)

    def stop(self) -> None:
        """End a running build."""
        with self._lock:
            self._is_stopped = True
            if self._process:
                self._process.terminate()

    def _run(self) -> tuple[str, str]:
        """Run `pnp build` and return its report and its other messages."""
        form = self.session.form
        # -P: a folder `generator` in the working folder, which may be a stranger's, is not run.
        words = [sys.executable, "-P", "-m", "generator", "build", "--json"]
        words += ["-o", str(self.output)]
        words += [word for name in BUILT_OUTPUTS for word in ("--what", name)]
        words += [f"--variant={form.variant}"] if form.variant else []
        words += [f"--lang={form.language}"] if form.language else []
        with self._lock:
            if self._is_stopped:
                raise InvalidValueError("pnp live has ended")
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [*words, "--", str(self.session.folder.resolve())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        try:
            return self._process.communicate()
        finally:
            with self._lock:
                self._process = None

    def _read_report(self, report: str, messages: str) -> tuple[dict[str, Any], dict[str, Path]]:
        """Return the report of a build as JSON for the page, and its files by name."""
        try:
            result = json.loads(report)
        except ValueError:
            end = "\n".join(messages.splitlines()[-MAX_CRASH_LINES:])
            raise InvalidValueError(f"the build ended without an answer: {end}") from None
        game = self.session.state.game
        top = (self.output / game.slug).resolve() if game else None
        files = {}
        for file in result["files"]:
            path = Path(file["path"]).resolve()
            with suppress(ValueError):
                if top and path.suffix in SHOWN_TYPES:
                    files[path.relative_to(top).as_posix()] = path
        about = {Path(file["path"]).resolve(): file["about"] for file in result["files"]}
        rows = [{"name": name, "about": about[path]} for name, path in files.items()]
        return {
            "folder": top.as_posix() if top else "",
            "files": rows,
            "problems": result["problems"],
            "failed": result["exit_code"] != 0,
        }, files
