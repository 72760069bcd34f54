"""The server of the live page: it answers the routes of one table and nothing else.

A caller proves who it is with the key in the address that `pnp live` prints. The page then gets a
cookie, and every other request needs that cookie: other accounts of this machine, and other
machines, get 403. The server answers only to its own name, so no other name can be pointed at it
(DNS rebinding), and accepts changes only from its own page, which has the token.
"""

import io
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from queue import Empty
from secrets import token_urlsafe
from socket import AF_INET, AF_INET6, SHUT_RDWR, socket
from threading import Lock
from time import monotonic
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from generator.base.errors import InvalidValueError, PnpError
from generator.base.ui_strings import ENGLISH, has_words
from generator.base.units import parse_whole_number

# Names of this machine.
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
ANY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - only if the user sets --host
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
# Policy for content made from a pack: it runs no scripts and loads nothing.
PACK_CONTENT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox "
    "allow-same-origin"
)
# Largest body of a request.
MAX_REQUEST_BYTES = 1_000_000
# Connections at once.
MAX_CONNECTIONS = 200
# Connections of one caller; browsers open six to a server.
MAX_CALLER_CONNECTIONS = 50
# Event streams of one caller; every tab with the page reads one.
MAX_STREAMS = 20
# Time for the head of a request, including the wait for it, and again for its body.
REQUEST_SECONDS = 30.0
# Time for a caller to take a response.
RESPONSE_SECONDS = 30
# Bytes read at once from the body of a refused request.
READ_BLOCK_BYTES = 65_536
TOKEN_HEADER = "X-Pnp-Token"  # noqa: S105 - the name of a header
# Pause without news after which a comment is sent, so that both ends notice a lost connection.
HEARTBEAT_SECONDS = 15.0

JSON = "application/json"
PNG = "image/png"
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Response:
    """A response: its body, media type, status and caching.

    `is_pack_content` marks content made from a pack, which gets `PACK_CONTENT_POLICY`.
    """

    data: bytes
    media_type: str = JSON
    status: HTTPStatus = HTTPStatus.OK
    is_immutable: bool = False
    is_pack_content: bool = False


@dataclass(frozen=True)
class Request:
    """A request: the path after the route's name, the query values, and the JSON body.

    `language` is the language of our texts that the caller's browser prefers.
    """

    subpath: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    language: str = ENGLISH

    def get_text(self, name: str) -> str:
        """Return a text from the body or the query; raise InvalidValueError if it is no text."""
        value = self.body.get(name, self.values.get(name, ""))
        if not isinstance(value, str):
            raise InvalidValueError(f"{name}: this is not text")
        return value


def json_response(value: object, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """Return a JSON response."""
    return Response(
        json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"),
        JSON,
        status,
    )


def error_response(message: str, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """Return the response that the page shows as an error."""
    return json_response({"error": message}, status)


MISSING = error_response("there is nothing at this address", HTTPStatus.NOT_FOUND)
REFUSED = error_response(
    "open the address that pnp live printed: its key lets you in", HTTPStatus.FORBIDDEN
)
# The page that a caller with the key gets together with the cookie; its script goes on to the real page.
COOKIE_PAGE = Response(
    b'<!doctype html><title>pnp live</title><script src="page/enter.js"></script>', HTML
)

Route = Callable[[Request], Response]


@dataclass(frozen=True)
class Routes:
    """The routes for queries and for actions, by the first word of the path, and the event stream."""

    queries: Mapping[str, Route]
    actions: Mapping[str, Route]
    news: Callable[[], Iterator[dict[str, Any] | None]]


class LiveServer(ThreadingHTTPServer):
    """An HTTP server for one page's routes.

    `key` is in the address that lets a caller in, `session` is the value of the cookie that the
    caller then has, and `token` is in the page: actions must bring cookie and token.
    """

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128
    """Connections that wait to be accepted: a page requests many pictures at once.

    A connection that finds the queue full is repeated by the system only after a second.
    """

    def __init__(self, host: str, port: int) -> None:
        self.address_family = AF_INET6 if ":" in host else AF_INET
        super().__init__((host, port), Handler)
        self.host = host
        self.key = token_urlsafe(24)
        self.session = token_urlsafe(24)
        self.token = token_urlsafe(24)
        self.is_opened = False
        self.routes = Routes({}, {}, lambda: iter(()))
        self._lock = Lock()
        self._callers: dict[socket, str] = {}
        self._waiting: dict[socket, None] = {}
        self._streams: dict[socket, str] = {}

    @property
    def origin(self) -> str:
        """The address without its key."""
        name = (
            LOOPBACK_NAMES[0]
            if self.host in ANY_ADDRESS
            else f"[{self.host}]"
            if ":" in self.host
            else self.host
        )
        return f"http://{name}:{self.server_port}/"

    @property
    def address(self) -> str:
        """The address to open, with the key that lets its reader in."""
        return f"{self.origin}?key={self.key}"

    @property
    def cookie(self) -> str:
        """The name of the cookie: it has the port, because browsers share cookies among the ports of a host."""
        return f"pnp-{self.server_port}"

    def is_key(self, key: str) -> bool:
        """Return True if a key is the one in the address."""
        return compare_digest(key.encode(), self.key.encode())

    def has_session(self, header: str) -> bool:
        """Return True if a Cookie header has our cookie.

        The header is split by hand: `http.cookies` drops all cookies if it rejects the cookie of
        another program on this host.
        """
        ours = f"{self.cookie}={self.session}".encode()
        return any(compare_digest(item.strip().encode(), ours) for item in header.split(";"))

    @cached_property
    def is_private(self) -> bool:
        """True if only this machine can connect."""
        return self.host in {*LOOPBACK_NAMES, "::1"}

    def is_own_host(self, host: str) -> bool:
        """Return True if a Host header names this server.

        If other machines may connect, any IP address is accepted: DNS rebinding needs a name.
        """
        name, _, port = host.rpartition(":")
        if port != str(self.server_port):
            return False
        return (
            name in LOOPBACK_NAMES
            or name == self.host
            or (not self.is_private and _is_address(name))
        )

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a connection in a thread of its own, or close it if there are too many.

        A new connection takes the place of the one that has waited longest for the head of a
        request: callers who send slowly, or nothing, cannot keep others out.
        """
        with self._lock:
            connections = [
                other for other, caller in self._callers.items() if caller == client_address[0]
            ]
            if len(connections) >= MAX_CALLER_CONNECTIONS:
                is_free = self._close_waiting(connections)
            else:
                is_free = len(self._callers) < MAX_CONNECTIONS or self._close_waiting(self._callers)
            if is_free:
                self._callers[request] = client_address[0]
        if is_free:
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer one connection; the thread's part."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._callers.pop(request, None)
                self._waiting.pop(request, None)

    def _close_waiting(self, connections: Collection[socket]) -> bool:
        """Close the one of some connections that has waited longest for a head; return False if none waits."""
        for waiting in self._waiting:
            if waiting in connections:
                del self._waiting[waiting]
                self._callers.pop(waiting, None)  # its thread ends in a moment
                with suppress(OSError):
                    waiting.shutdown(SHUT_RDWR)
                return True
        return False

    def note_waiting(self, connection: socket, *, is_waiting: bool) -> None:
        """Note that a connection waits for the head of a request, or that the head has come."""
        with self._lock:
            self._waiting.pop(connection, None)
            if is_waiting and connection in self._callers:
                self._waiting[connection] = None

    @contextmanager
    def stream(self, connection: socket, caller: str) -> Iterator[None]:
        """Count a stream of news while it is open; close the caller's oldest stream if there are too many.

        The oldest often belongs to a closed page, which the server notices only when it sends.
        """
        with self._lock:
            streams = [other for other, owner in self._streams.items() if owner == caller]
            if len(streams) >= MAX_STREAMS:
                del self._streams[streams[0]]
                with suppress(OSError):
                    streams[0].shutdown(SHUT_RDWR)
            self._streams[connection] = caller
        try:
            yield
        finally:
            with self._lock:
                self._streams.pop(connection, None)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of connections: a page may be closed while it is answered."""


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class Handler(BaseHTTPRequestHandler):
    """The handler of one connection."""

    server: LiveServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = RESPONSE_SECONDS
    server_version = "pnp"
    sys_version = ""

    def setup(self) -> None:
        """Read the connection with a deadline for a complete head or body, not for each part that arrives."""
        super().setup()
        self._raw = DeadlineReader(self.connection)
        self.rfile.close()
        self.rfile = io.BufferedReader(self._raw)

    def handle_one_request(self) -> None:
        """Wait for a request, and answer it."""
        self._raw.deadline = monotonic() + REQUEST_SECONDS
        self.server.note_waiting(self.connection, is_waiting=True)
        super().handle_one_request()

    def parse_request(self) -> bool:
        """Read the head of a request; return False if it is none."""
        is_read = super().parse_request()
        self.server.note_waiting(self.connection, is_waiting=False)
        self._raw.deadline = monotonic() + REQUEST_SECONDS
        return is_read

    def log_message(self, *_: Any) -> None:
        """Log nothing: the terminal is for problems of the pack."""

    def do_GET(self) -> None:
        """Answer a caller with the cookie; give the cookie to a caller with the key."""
        parts = _split_address(self.path)
        values = {key: texts[0] for key, texts in parse_qs(parts.query).items()}
        if not self._is_ours():
            return self._send(REFUSED)
        if parts.path == "/" and self.server.is_key(values.get("key", "")):
            return self._send(COOKIE_PAGE, is_opening=True)
        if not self._is_known():
            return self._send(REFUSED)
        name, _, subpath = unquote(parts.path).lstrip("/").partition("/")
        if name == "events":
            return self._stream()
        route = self.server.routes.queries.get(name)
        language = preferred_language(self.headers.get("Accept-Language", ""))
        request = Request(subpath, values, language=language)
        return self._send(_respond(route, request) if route else MISSING)

    def do_POST(self) -> None:
        """Run an action for our own page, which has the cookie and the token."""
        length = parse_whole_number(self.headers.get("Content-Length", ""))
        if length is None or length > MAX_REQUEST_BYTES:
            self.close_connection = True
            found = "the request is too large or has no length"
            return self._send(error_response(found, HTTPStatus.BAD_REQUEST))
        if not self._is_ours() or not self._is_known() or not self._has_token():
            # Unread, the body would cut the response off.
            for left in range(length, 0, -READ_BLOCK_BYTES):
                self.rfile.read(min(left, READ_BLOCK_BYTES))
            return self._send(REFUSED)
        data = self.rfile.read(length)
        route = self.server.routes.actions.get(_split_address(self.path).path.lstrip("/"))
        if route is None:
            return self._send(MISSING)
        try:
            body = json.loads(data or b"{}")
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            found = "the request is not a JSON object"
            return self._send(error_response(found, HTTPStatus.BAD_REQUEST))
        return self._send(_respond(route, Request(body=body)))

    def _is_ours(self) -> bool:
        """Return True if a request names this server and comes from its own page or from the address bar."""
        site = self.headers.get("Sec-Fetch-Site", "none")
        is_page = self.headers.get("Sec-Fetch-Mode") == "navigate"
        is_from_page = site in {"none", "same-origin"} or (
            is_page and _split_address(self.path).path == "/"
        )
        return is_from_page and self.server.is_own_host(self.headers.get("Host", ""))

    def _is_known(self) -> bool:
        """Return True if the caller has the cookie."""
        return any(map(self.server.has_session, self.headers.get_all("Cookie", [])))

    def _has_token(self) -> bool:
        """Return True if an action is requested by our own page, which has the token."""
        origin = _split_address(self.headers.get("Origin", ""))
        is_same_origin = origin.scheme == "http" and origin.netloc == self.headers.get("Host", "")
        is_json = self.headers.get_content_type() == JSON
        return (
            is_same_origin
            and is_json
            and compare_digest(
                self.headers.get(TOKEN_HEADER, "").encode(), self.server.token.encode()
            )
        )

    def _send(self, response: Response, *, is_opening: bool = False) -> None:
        self.connection.settimeout(RESPONSE_SECONDS)
        self.send_response(response.status)
        self._head(response)
        if is_opening:
            self.send_header(
                "Set-Cookie",
                f"{self.server.cookie}={self.server.session}; Path=/; HttpOnly; SameSite=Strict",
            )
            self.server.is_opened = True
        self.send_header("Content-Length", str(len(response.data)))
        self.end_headers()
        self.wfile.write(response.data)

    def _head(self, response: Response) -> None:
        self.send_header("Content-Type", response.media_type)
        self.send_header(
            "Content-Security-Policy", PACK_CONTENT_POLICY if response.is_pack_content else POLICY
        )
        self.send_header(
            "Cache-Control",
            "private, max-age=31536000, immutable" if response.is_immutable else "no-store",
        )
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")

    def _stream(self) -> None:
        """Send news until the page is closed or the server stops."""
        with self.server.stream(self.connection, self.client_address[0]):
            self.connection.settimeout(RESPONSE_SECONDS)
            self.send_response(HTTPStatus.OK)
            self._head(Response(b"", "text/event-stream"))
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            for news in self.server.routes.news():
                line = (
                    b": still here\n\n"
                    if news is None
                    else b"data: " + json_response(news).data + b"\n\n"
                )
                self.wfile.write(line)


class DeadlineReader(io.RawIOBase):
    """A connection's reader with a deadline on the monotonic clock.

    A timeout of the socket alone would restart with each byte.
    """

    def __init__(self, connection: socket) -> None:
        self._connection = connection
        self.deadline = monotonic() + REQUEST_SECONDS

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read available bytes; raise `TimeoutError` after the deadline."""
        left = self.deadline - monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


def preferred_language(header: str) -> str:
    """Return the first language of an Accept-Language header that has texts, or English.

    Browsers list languages in order of preference, so their weights (`;q=0.8`) are not read.
    """
    languages = (item.partition(";")[0].strip() for item in header.split(","))
    return next((language for language in languages if has_words(language)), ENGLISH)


def _split_address(address: str) -> SplitResult:
    """Return the parts of an address; empty for an invalid one."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _respond(route: Route, request: Request) -> Response:
    """Run a route; report errors as JSON."""
    try:
        return route(request)
    except InvalidValueError as error:
        return error_response(str(error.at(None)))
    except PnpError as error:
        return error_response(str(error))
    except Empty:
        return MISSING
    except Exception as error:  # noqa: BLE001 - a failed request must not end the server
        message = (
            f"this is a bug in pnp; please report it: {type(error).__name__}: {str(error)[:200]}"
        )
        return error_response(message, HTTPStatus.INTERNAL_SERVER_ERROR)
