"""The server of the live page: one table of what may be asked for, and nothing else is answered.

It answers those who call it by the name that it gave them (a name that leads here from elsewhere is refused), tells
pages of other places nothing, and takes orders only from its own page, which alone knows the token.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from queue import Empty
from secrets import token_urlsafe
from socket import AF_INET, AF_INET6
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from generator.core.problems import PnpError, Wrong

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""What this machine calls itself."""
ANY = frozenset({"0.0.0.0", "::"})  # noqa: S104 - where somebody asks for it
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
LOCKED = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox allow-same-origin"
"""For what is made of a pack: it runs nothing, and fetches nothing."""
MOST = 1_000_000
"""Bytes of an order."""
MOST_CALLERS = 200
"""Connections at once."""
SILENCE = 30
"""Seconds after which one who says nothing is let go."""
TOKEN = "X-Pnp-Token"  # noqa: S105 - the name of a header
HEARTBEAT = 15.0
"""Seconds of silence after which a page is told that somebody is there still."""

JSON, PNG, HTML = "application/json", "image/png", "text/html; charset=utf-8"


@dataclass(frozen=True)
class Answer:
    """What is sent: its bytes, what they are, and how long they may be kept; `locked` is for what a pack brings."""

    data: bytes
    kind: str = JSON
    status: HTTPStatus = HTTPStatus.OK
    forever: bool = False
    locked: bool = False


@dataclass(frozen=True)
class Asked:
    """What is asked for: what follows the route's name, the values behind the `?`, and what an order says."""

    rest: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    order: Mapping[str, Any] = field(default_factory=dict)

    def word(self, name: str) -> str:
        """A text of the order, or behind the `?`."""
        found = self.order.get(name, self.values.get(name, ""))
        if not isinstance(found, str):
            raise Wrong(f"{name}: this is no text")
        return found


def told(value: object, status: HTTPStatus = HTTPStatus.OK) -> Answer:
    """Plain data."""
    return Answer(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"), JSON, status)


MISSING = told({"error": "there is nothing here"}, HTTPStatus.NOT_FOUND)
REFUSED = told({"error": "this is not for you"}, HTTPStatus.FORBIDDEN)

Route = Callable[[Asked], Answer]


@dataclass(frozen=True)
class Routes:
    """What may be asked for, by the first word of the address; what may be ordered; and the stream of news."""

    shown: Mapping[str, Route]
    ordered: Mapping[str, Route]
    news: Callable[[], Iterator[dict[str, Any] | None]]


class LiveServer(ThreadingHTTPServer):
    """Serves one page's routes; `token` is what its orders must bring."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128
    """Callers that wait to be let in: pages ask for many pictures at once, and who finds no room waits a second."""

    def __init__(self, host: str, port: int) -> None:
        self.address_family = AF_INET6 if ":" in host else AF_INET
        super().__init__((host, port), Handler)
        self.host = host
        self.token = token_urlsafe(24)
        self._room = BoundedSemaphore(MOST_CALLERS)
        self.routes = Routes({}, {}, lambda: iter(()))

    @property
    def address(self) -> str:
        """What to open."""
        name = LOOPBACK[0] if self.host in ANY else f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{name}:{self.server_port}/"

    @cached_property
    def is_private(self) -> bool:
        """Whether only this machine can call."""
        return self.host in {*LOOPBACK, "::1"}

    def answers_to(self, host: str) -> bool:
        """Whether a name is one of ours. Where others may call too, any bare address is: nobody can redirect it."""
        name, _, port = host.rpartition(":")
        if port != str(self.server_port):
            return False
        return name in LOOPBACK or name == self.host or (not self.is_private and _is_address(name))

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own, as long as not all of them are taken."""
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """The thread's part."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that is closed while it is answered is nothing to speak of."""


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: LiveServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = SILENCE
    server_version = "pnp"
    sys_version = ""

    def log_message(self, *_: Any) -> None:
        """The terminal is for what is wrong with the pack."""

    def do_GET(self) -> None:
        """Show something."""
        if not self._is_ours():
            return self._send(REFUSED)
        parts = _parts(self.path)
        name, _, rest = unquote(parts.path).lstrip("/").partition("/")
        if name == "events":
            return self._stream()
        route = self.server.routes.shown.get(name)
        values = {key: found[0] for key, found in parse_qs(parts.query).items()}
        return self._send(_answer(route, Asked(rest, values)) if route else MISSING)

    def do_POST(self) -> None:
        """Do something, for our own page alone."""
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MOST:
            self.close_connection = True
            return self._send(told({"error": "too much, or of no length"}, HTTPStatus.BAD_REQUEST))
        data = self.rfile.read(int(length))
        route = self.server.routes.ordered.get(_parts(self.path).path.lstrip("/"))
        if not self._is_ours() or not self._may_order():
            return self._send(REFUSED)
        if route is None:
            return self._send(MISSING)
        try:
            order = json.loads(data or b"{}")
        except (ValueError, RecursionError):
            order = None
        if not isinstance(order, dict):
            return self._send(told({"error": "this is no order"}, HTTPStatus.BAD_REQUEST))
        return self._send(_answer(route, Asked(order=order)))

    def _is_ours(self) -> bool:
        """Whether we are called by our own name, by no page of another place."""
        site, is_page = self.headers.get("Sec-Fetch-Site", "none"), self.headers.get("Sec-Fetch-Mode") == "navigate"
        asked = site in {"none", "same-origin"} or (is_page and self.path == "/")
        return asked and self.server.answers_to(self.headers.get("Host", ""))

    def _may_order(self) -> bool:
        origin = _parts(self.headers.get("Origin", ""))
        same = origin.scheme == "http" and origin.netloc == self.headers.get("Host", "")
        is_json = self.headers.get_content_type() == JSON
        return same and is_json and compare_digest(self.headers.get(TOKEN, "").encode(), self.server.token.encode())

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        self._head(answer)
        self.send_header("Content-Length", str(len(answer.data)))
        self.end_headers()
        self.wfile.write(answer.data)

    def _head(self, answer: Answer) -> None:
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Security-Policy", LOCKED if answer.locked else POLICY)
        self.send_header("Cache-Control", "private, max-age=31536000, immutable" if answer.forever else "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")

    def _stream(self) -> None:
        """News, as they come, until the page is closed or we stop."""
        self.send_response(HTTPStatus.OK)
        self._head(Answer(b"", "text/event-stream"))
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for news in self.server.routes.news():
            line = b": still here\n\n" if news is None else b"data: " + told(news).data + b"\n\n"
            self.wfile.write(line)


def _parts(address: str) -> SplitResult:
    """The parts of an address; of what is none, nothing."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _answer(route: Route, asked: Asked) -> Answer:
    """What a route gives; what is wrong with what was asked for is said in words, as an answer."""
    try:
        return route(asked)
    except Wrong as wrong:
        return told({"error": str(wrong.at(None))})
    except PnpError as error:
        return told({"error": str(error)})
    except Empty:
        return MISSING
    except Exception as error:  # noqa: BLE001 - one page's question ends nothing
        said = f"this is our bug, please report it: {type(error).__name__}: {str(error)[:200]}"
        return told({"error": said}, HTTPStatus.INTERNAL_SERVER_ERROR)
