"""Download of one file: complete or not at all, in bounded time and size, and only from public machines.

`pnp pull` downloads tables with it. A pack's address is text from a stranger. It may lead neither to other schemes nor
to this machine or its network, unless the caller allows that. An interrupted download is an error.
"""

import socket
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPMessage, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from threading import Thread
from typing import IO, Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    getproxies,
    proxy_bypass,
)

from generator import __version__
from generator.base.errors import InvalidValueError, Kind

ANSWER_SECONDS = 30.0
"""Longest wait for an answer, or for the next bytes of one."""
DOWNLOAD_SECONDS = 120.0
"""Longest time for the whole download."""
MAX_DOWNLOAD_BYTES = 20_000_000
"""Size limit of a download; no honest table is larger."""
MAX_REDIRECTS = 5

SCHEMES = ("https://", "http://")
_AN_ADDRESS = "an address that answers without signing in"


def _download(address: str, *, near: bool, proxy: bool) -> bytes:
    request = Request(address, headers={"User-Agent": f"pnp/{__version__}"})  # noqa: S310 - checked before
    with _opener(near=near, proxy=proxy).open(request, timeout=ANSWER_SECONDS) as answer:
        if answer.status != 200:
            raise InvalidValueError(
                f"{address} answered with status {answer.status}, not with a file", _AN_ADDRESS
            )
        data = bytes(answer.read(MAX_DOWNLOAD_BYTES + 1))
        length = answer.headers.get("Content-Length", "")
    if len(data) > MAX_DOWNLOAD_BYTES:
        raise InvalidValueError(
            f"{address} sends more than {MAX_DOWNLOAD_BYTES // 1_000_000} MB", "a smaller file"
        )
    if length.isdecimal() and int(length) != len(data):
        raise InvalidValueError(
            f"{address} stopped after {len(data)} of {length} bytes",
            "the complete file",
            "try again",
        )
    return data


def fetch(address: str, *, near: bool = False, proxy: bool = False) -> bytes:
    """Return the file at an address.

    With `near`, the address may be on this machine or its network. With `proxy`, a proxy that this
    user has set is asked for the file; without, such a proxy is an error.
    """
    if not address.startswith(SCHEMES):
        raise InvalidValueError(f"{address!r} is not an address", "one that begins with https://")
    if not proxy and (host := _find_proxy(address)):
        raise InvalidValueError(
            f"a proxy is set ({host}), so pnp cannot check which machine answers",
            "no proxy for this address",
            "if you trust the proxy: --proxy",
            Kind.USAGE,
        )
    downloaded: list[bytes] = []
    errors: list[Exception] = []

    def download() -> None:
        try:
            downloaded.append(_download(address, near=near, proxy=proxy))
        except Exception as error:  # noqa: BLE001 - answers are wrong in ways for which the library has no error
            errors.append(error)

    # A thread of its own can be abandoned if it takes too long.
    thread = Thread(target=download, daemon=True)
    thread.start()
    thread.join(DOWNLOAD_SECONDS)
    if thread.is_alive():
        raise InvalidValueError(
            f"{address} was not sent within {DOWNLOAD_SECONDS:.0f} seconds", "a table", "try again"
        )
    for error in errors:
        if isinstance(error, HTTPError):
            error.close()
        if isinstance(error, InvalidValueError):
            raise error
        reason = getattr(error, "reason", None) or error
        raise InvalidValueError(f"{address} cannot be downloaded: {reason}", _AN_ADDRESS) from error
    return downloaded[0]


def _find_proxy(address: str) -> str:
    """Return the host and port of the proxy that this user has set for an address.

    Empty for none.
    """
    try:
        parts = urlsplit(address)
        proxies = getproxies()
        proxy = proxies.get(parts.scheme) or proxies.get("all", "")
        if not proxy or proxy_bypass(parts.hostname or ""):
            return ""
        # The address of a proxy may hold a password, which no message may show.
        return urlsplit(proxy if "://" in proxy else f"//{proxy}").netloc.rpartition("@")[2]
    except ValueError:  # not an address; the download says so
        return ""


def _opener(*, near: bool, proxy: bool) -> OpenerDirector:
    """Return an opener for web addresses only."""
    opener = OpenerDirector()
    http, https = (HTTPHandler(), HTTPSHandler()) if near else (_Http(), _Https())
    proxies = ProxyHandler() if proxy else ProxyHandler({})
    for handler in (
        proxies,
        http,
        https,
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
        _Redirects(),
    ):
        opener.add_handler(handler)
    return opener


class _Redirects(HTTPRedirectHandler):
    """Follows a few redirects, between web addresses only."""

    max_redirections = MAX_REDIRECTS
    max_repeats = 2

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        """Return the next request; refuse other schemes, and http after https."""
        if not newurl.startswith(SCHEMES) or (
            req.full_url.startswith("https:") and newurl.startswith("http:")
        ):
            raise HTTPError(req.full_url, code, f"it redirects to {newurl[:200]}", headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _Http(HTTPHandler):
    """Opens plain connections, to public machines only unless a proxy stands between."""

    def http_open(self, req: Request) -> HTTPResponse:
        """Open a connection."""
        return self.do_open(HTTPConnection if req.has_proxy() else _PublicHttpConnection, req)


class _Https(HTTPSHandler):
    """Opens encrypted connections, to public machines only unless a proxy stands between."""

    def https_open(self, req: Request) -> HTTPResponse:
        """Open a connection."""
        return self.do_open(HTTPSConnection if req.has_proxy() else _PublicHttpsConnection, req)


class _PublicHttpConnection(HTTPConnection):
    """A connection that sends nothing before its peer's address is checked.

    A proxy that tunnels may be anywhere.
    """

    is_tunnel = False

    def set_tunnel(
        self, host: str, port: int | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        """Let a proxy connect to the host. urllib does so for https.

        `Request.has_proxy` is true only for http.
        """
        self.is_tunnel = True
        super().set_tunnel(host, port, headers)

    def connect(self) -> None:
        """Connect, and check the peer's address."""
        super().connect()
        if not self.is_tunnel:
            _check_public(self.sock, self.close)


# HTTPSConnection.connect calls super().connect() to open the socket, and begins TLS on it.
# _PublicHttpConnection stands between them in the order of base classes, so the peer's address is
# checked before the first byte of TLS. The address is that of the open socket, not of a second look-up: a name server
# that changes its answer (DNS rebinding) gains nothing.
class _PublicHttpsConnection(HTTPSConnection, _PublicHttpConnection):
    """An encrypted connection that begins TLS only after its peer's address is checked."""


def _check_public(sock: socket.socket, close: Callable[[], Any]) -> None:
    peer = ip_address(sock.getpeername()[0].partition("%")[0])
    if not peer.is_global:
        close()
        raise InvalidValueError(
            f"the address leads to {peer}, on this machine or the network around it",
            "a public address",
            "if it is yours: pnp pull --near",
        )
