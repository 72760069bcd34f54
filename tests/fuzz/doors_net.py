"""Doors to the network: requests to the live page, and answers of servers to `pnp pull`."""

import json
import shutil
import socket
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread

from generator.base.fetch import fetch
from generator.live import server
from generator.live.start import LiveRun
from generator.pack.load import PackForm
from generator.pipeline.pull import _check_table
from tests.tools.make_pack import make

ROOT = Path(__file__).parents[2]
HEAD = "Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nX-Pnp-Token: {token}\r\nCookie: {cookie}\r\n"


class Live:
    """Requests to the live page: GET, POST, and bytes that are no request."""

    def __init__(self, folder: Path) -> None:
        pack = Path(shutil.copytree(ROOT / "generator" / "starters" / "cards", folder / "live"))
        (pack / "rules.md").write_text("# A\n\nb\n")
        self.serving = LiveRun(pack, PackForm("", ""))
        self.faults: list[BaseException] = []
        self.serving.start()
        live_server = self.serving.server
        cookie = f"{live_server.cookie}={live_server.session}"
        self.head = HEAD.format(
            port=live_server.server_port, token=live_server.token, cookie=cookie
        )
        keys = [
            side.key for card in self.serving.session.state.cards.values() for side in card.sides
        ]
        paths = [
            "",
            "state",
            "actions",
            f"face/{keys[0]}-4.png",
            f"layers/{keys[0]}",
            "sheets/a4",
            "rules",
            "releases",
        ]
        paths += [
            "changes/1",
            "old-face/1/0-front-now.png",
            "board",
            f"source/{keys[0]}/1",
            "row/cards:c1",
        ]
        paths += ["palette", "forms", "page/app.js"]
        orders: dict[str, dict[str, object]] = {
            "move": {"key": keys[0], "layer": 1, "dx": 1, "dy": 1, "digest": "x"},
            "cell": {"card": "cards:sun", "column": "title", "value": "a", "digest": "x"},
            "colour": {"name": "ink", "value": "#000000", "digest": "x"},
            "undo": {},
            "form": {"variant": "", "language": ""},
            "judge": {"figure": "a", "pieces": [{"at": [0, 0], "design": "tiles:a", "turn": 90}]},
        }
        self.seeds = [f"GET /{item} HTTP/1.1\r\n{self.head}\r\n".encode() for item in paths]
        self.seeds += [_post(name, json.dumps(order), self.head) for name, order in orders.items()]

    def run(self, data: bytes) -> None:
        """Send a request and read the answer; no answer is a fault."""
        errors: list[BaseException] = []
        server.REQUEST_SECONDS = 2
        server.LiveServer.handle_error = lambda *_: errors.append(_current())  # type: ignore[method-assign]
        if data.startswith(b"POST"):
            head, _, body = data.partition(b"\r\n\r\n")
            length = f"\r\nContent-Length: {len(body)}".encode()
            data = head.partition(b"\r\nContent-Length")[0] + length + b"\r\n\r\n" + body
        with (
            suppress(OSError),
            socket.create_connection(self.serving.server.server_address[:2], 60) as call,
        ):
            call.sendall(data)
            call.shutdown(socket.SHUT_WR)
            while b"event" not in data and call.recv(65536):
                pass
        for error in errors:
            if not isinstance(error, ConnectionError | TimeoutError | BrokenPipeError):
                raise error


def _current() -> BaseException:
    error = sys.exc_info()[1]
    assert error is not None
    return error


def _post(name: str, order: str, head: str) -> bytes:
    return f"POST /{name} HTTP/1.1\r\n{head}Content-Type: application/json\r\n\r\n{order}".encode()


class Web:
    """Answers of a web server to `pnp pull`."""

    def __init__(self, folder: Path) -> None:
        self.folder = make(folder / "web")
        self.seeds = [
            b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\nContent-Type: text/csv\r\n\r\nid,count\na,1",
            b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/x\r\nContent-Length: 0\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nid\na\n\r\n0\r\n\r\n",
            b"HTTP/1.0 206 Partial\r\nContent-Range: bytes 0-4/9\r\n\r\nid\na\n",
        ]
        self.answer = b""
        self.listening = socket.create_server(("127.0.0.1", 0))
        Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            call, _ = self.listening.accept()
            with call, suppress(OSError):
                call.settimeout(5)
                call.recv(65536)
                call.sendall(self.answer)

    def run(self, data: bytes) -> None:
        self.answer = data
        _check_table(
            self.folder,
            "cards.csv",
            fetch(f"http://127.0.0.1:{self.listening.getsockname()[1]}/a", near=True),
        )
