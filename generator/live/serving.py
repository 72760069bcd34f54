"""One live page from its beginning to Ctrl-C."""

import gc
import signal
import webbrowser
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from generator.core.problems import Kind, Problem, error_of
from generator.live.editing import Desk
from generator.live.orders import Orders
from generator.live.playing import Boards
from generator.live.puller import Puller
from generator.live.routes import LivePage
from generator.live.server import LiveServer
from generator.live.session import Session
from generator.live.views import Views
from generator.pack.folder import PackFolder
from generator.pack.load import PackForm

SELDOM = (20_000, 50, 50)
"""After how many objects garbage is looked for."""


@dataclass
class Serving:
    """A pack's session and its server."""

    folder: Path
    wish: PackForm
    host: str = "127.0.0.1"
    port: int = 0
    editor: str = ""
    read_only: bool = False
    pull: float = 0.0
    near: bool = False
    ended: Event = field(default_factory=Event)
    session: Session = field(init=False)
    server: LiveServer = field(init=False)
    views: Views = field(init=False)
    _answering: Thread | None = None

    def __post_init__(self) -> None:
        self.session = Session(self.folder, self.wish)
        self.server = _listening(self.host, self.port)
        orders = Orders(self.session, Desk(PackFolder(self.folder)), self.editor, self.read_only)
        self.views = Views(self.session)
        self.server.routes = LivePage(self.session, self.server, self.views, orders, Boards(self.session)).routes

    def begin(self) -> None:
        """Read the pack and answer; gives back at once."""
        self.session.start()
        Puller(self.session, self.pull, self.near).start()
        self._answering = Thread(target=self.server.serve_forever, args=(0.1,), daemon=True)
        self._answering.start()

    def end(self) -> None:
        """Answer nobody any more; a server that never began to answer would wait for its end for ever."""
        self.ended.set()
        self.session.stop()
        self.views.end()
        if self._answering:
            self.server.shutdown()
        self.server.server_close()

    def serve(self, *, opened: bool) -> None:
        """Until Ctrl-C, or until the system asks us to end.

        What is kept for long is not looked through for garbage again and again.
        """
        before = signal.signal(signal.SIGTERM, lambda *_: self.ended.set())
        try:
            self.begin()
            gc.freeze()
            gc.set_threshold(*SELDOM)
            if opened:
                Thread(target=webbrowser.open, args=(self.server.address,), daemon=True).start()
            while not self.ended.wait(0.5):
                pass
        except KeyboardInterrupt:
            pass
        finally:
            self.end()
            signal.signal(signal.SIGTERM, before)


def _listening(host: str, port: int) -> LiveServer:
    """A server at an address; one that is taken, or is none of this machine's, is wrong usage."""
    try:
        return LiveServer(host, port)
    except OSError as error:
        found = f"no page can be served at {host}, port {port}: {error.strerror or error}"
        raise error_of([Problem(None, found, "a free port: leave --port out", kind=Kind.USAGE)]) from error
