"""One run of `pnp live`, from start to Ctrl-C."""

import gc
import os
import signal
import sys
import tempfile
import webbrowser
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from generator.base.errors import Kind, PnpError, Problem
from generator.base.files import OUTPUT
from generator.base.html import Html, html
from generator.live.board_api import BoardRoutes
from generator.live.build_api import BuildRoutes
from generator.live.edit_api import EditRoutes
from generator.live.file_editor import PackEditor
from generator.live.routes import LiveRoutes
from generator.live.server import LiveServer
from generator.live.session import Session, TablePuller
from generator.live.views import Views
from generator.pack.folder import PackFolder
from generator.pack.load import PackForm

REDIRECT_PAGE = """<!doctype html>
<meta charset="utf-8">
<title>pnp live</title>
<meta http-equiv="refresh" content="0; url=$address">
<a href="$address">Open the page</a>
"""
# Thresholds of the garbage collector: a large game holds many long-lived objects, and each search
# through them delays answers.
GC_THRESHOLDS = (20_000, 50, 50)
# Seconds until the server notices that it shall stop: as often as the session looks at the files.
STOP_POLL_SECONDS = 0.02


@dataclass
class LiveRun:
    """A pack's session and its server.

    `editor` is the command that opens a file, or empty. Linked tables are downloaded every
    `pull_seconds`, with 0 never; with `near`, also from this machine and the local network, and with
    `proxy`, through the user's proxy.
    """

    folder: Path
    form: PackForm
    host: str = "127.0.0.1"
    port: int = 0
    editor: str = ""
    read_only: bool = False
    pull_seconds: float = 0.0
    near: bool = False
    proxy: bool = False
    output: Path = Path(OUTPUT)
    stop_requested: Event = field(default_factory=Event)
    session: Session = field(init=False)
    server: LiveServer = field(init=False)
    views: Views = field(init=False)
    builds: BuildRoutes = field(init=False)
    _answering: Thread | None = None

    def __post_init__(self) -> None:
        self.session = Session(self.folder, self.form)
        self.server = _make_server(self.host, self.port)
        edits = EditRoutes(
            self.session, PackEditor(PackFolder(self.folder)), self.editor, self.read_only
        )
        self.views = Views(self.session)
        self.builds = BuildRoutes(self.session, self.output, self.read_only)
        self.server.routes = LiveRoutes(
            self.session, self.server, self.views, edits, BoardRoutes(self.session), self.builds
        ).routes

    def start(self) -> None:
        """Read the pack, start answering in a thread, and return."""
        self.session.start()
        TablePuller(self.session, self.pull_seconds, self.near, self.proxy).start()
        self._answering = Thread(
            target=self.server.serve_forever, args=(STOP_POLL_SECONDS,), daemon=True
        )
        self._answering.start()

    def stop(self) -> None:
        """Stop answering.

        `shutdown` of a server that never started would block forever, so it is called only after
        `start`.
        """
        self.stop_requested.set()
        self.session.stop()
        self.views.stop()
        self.builds.stop()
        if self._answering:
            self.server.shutdown()
        self.server.server_close()

    def serve(self, *, opened: bool) -> None:
        """Serve until Ctrl-C or SIGTERM; if `opened`, open the page in the browser."""
        before = signal.signal(signal.SIGTERM, lambda *_: self.stop_requested.set())
        redirect_file: Path | None = None
        try:
            self.start()
            gc.freeze()  # excludes the present, long-lived objects from all later collections
            gc.set_threshold(*GC_THRESHOLDS)
            if opened:
                redirect_file = _open_browser(self.server.address)
            while not self.stop_requested.wait(0.5):
                if redirect_file and self.server.is_opened:
                    redirect_file.unlink(missing_ok=True)
                    redirect_file = None
        except KeyboardInterrupt:
            pass
        finally:
            if redirect_file:
                redirect_file.unlink(missing_ok=True)
            self.stop()
            signal.signal(signal.SIGTERM, before)


def redirect_page(address: str) -> Html:
    """Return a page that leads to an address."""
    return html(REDIRECT_PAGE, address=address)


def _open_browser(address: str) -> Path | None:
    """Open an address in the browser; return the file that leads there, if one was written.

    On Linux and BSD every account can read the arguments of the browser's command, and with them
    the key. So the browser is given a file that only its owner can read. The file lies in the home
    folder, by a name without a dot: browsers in a snap see neither temporary folders nor hidden
    files.
    """
    redirect_file = None
    place = address
    if sys.platform not in {"win32", "darwin"}:
        try:
            # mkstemp gives the file the mode 0600.
            handle, name = tempfile.mkstemp(prefix="pnp-live-", suffix=".html", dir=Path.home())
        except (OSError, RuntimeError):
            return None  # the terminal shows the address
        redirect_file = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(redirect_page(address))
        place = redirect_file.as_uri()
    Thread(target=webbrowser.open, args=(place,), daemon=True).start()
    return redirect_file


def _make_server(host: str, port: int) -> LiveServer:
    """Return a server at an address.

    Raise a usage error if the address is taken or belongs to another machine.
    """
    try:
        return LiveServer(host, port)
    except OSError as error:
        found = f"no page can be served at {host}, port {port}: {error.strerror or error}"
        raise PnpError(
            [Problem(None, found, "a free port: leave --port out", kind=Kind.USAGE)]
        ) from error
