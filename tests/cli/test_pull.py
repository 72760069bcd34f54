"""Test `pnp pull` against a server on this machine, which `--near` allows."""

import socket
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from generator.pipeline.new_pack import csv_address
from tests.tools.make_pack import problems

CSV = "id,title,count,value,icon,text\nfox,The New Fox,3,2,star,Words.\nelk,The Elk,1,4,leaf,More words.\n"
PULL_OUTPUT = "cards.csv: 2 rows (1 new: elk; 2 gone: oak, brook; 1 changed: fox)\n"
PAGES = {
    "/cards.csv": (200, CSV),
    "/semi.csv": (200, CSV.replace(",", ";")),
    "/login": (200, "<!doctype html><title>Sign in</title>"),
    "/other.csv": (200, "name,number\na,1\n"),
    "/quotes.csv": (200, 'id,text\none,"' + "x" * 200_000),
    "/columns.csv": (200, "id,name,count\nfox,The Fox,3\n"),
    "/counts.csv": (200, CSV.replace("3,2,star", "three,2,star")),
    "/icons.csv": (200, CSV.replace("star", "stra")),
    "/gone": (404, "no"),
    "/short": (200, CSV[:49]),
    "/part": (206, CSV),
    "/open": (200, CSV + 'owl,"The Owl,1\n'),
    "/head": (200, "id,title\n"),
    "/drip": (200, "id,title\n"),
    "/ftp": (302, ""),
    "/file": (302, ""),
    "/round": (302, ""),
    "/on": (302, ""),
}
HEADERS = {
    "/short": {"Content-Length": "5000"},
    "/ftp": {"Location": "ftp://127.0.0.1/cards.csv"},
    "/file": {"Location": "file:///etc/passwd"},
    "/round": {"Location": "/round"},
    "/on": {"Location": "http://127.0.0.1:{port}/cards.csv"},
}


@pytest.fixture
def server():
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            code, body = PAGES[self.path]
            self.send_response(code)
            for name, value in HEADERS.get(self.path, {}).items():
                self.send_header(name, value.format(port=running.server_port))
            self.end_headers()
            self.wfile.write(body.encode())
            while self.path == "/drip" and not stopping.wait(0.05):
                self.wfile.write(b"x")
                self.wfile.flush()

        def log_message(self, *args):
            pass

    stopping = threading.Event()
    before = {*threading.enumerate()}

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        stopping.set()
        running.shutdown()
        thread.join()
        for left in {*threading.enumerate()} - before:
            left.join(60)
            assert not left.is_alive(), "every download has ended"


@pytest.fixture
def pack(starter):
    folder = starter("cards")

    def with_sources(*addresses):
        text = (folder / "game.yaml").read_text("utf-8")
        text = text.replace(
            "    data: cards.csv\n", f"    data: cards.csv\n    source: {addresses[0]}\n"
        )
        for index, address in enumerate(addresses[1:]):
            more = (
                text.split("  cards:\n")[1]
                .split("print:")[0]
                .replace("data: cards.csv", f"data: more{index}.csv")
            )
            more = more.replace(addresses[0], address)
            text = text.replace("print:", f"  more{index}:\n{more}print:")
        (folder / "game.yaml").write_text(text, "utf-8")
        return folder

    return with_sources


def test_pulled_table_is_written_and_builds(pack, server, pnp):
    folder = pack(f"{server}/cards.csv")
    assert pnp("pull", folder, "--near").output == PULL_OUTPUT
    assert (folder / "cards.csv").read_text("utf-8") == CSV
    built = pnp("build", folder, "--what", "sheets")
    assert built.output.startswith("output/pack/pack-1-sheets-a4.pdf  4 pieces")
    assert pnp("pull", folder, "--near").output == "cards.csv: 2 rows, as before\n"


def test_table_with_semicolons_is_pulled_as_csv(pack, server, pnp):
    assert pnp("pull", pack(f"{server}/semi.csv"), "--near").output == PULL_OUTPUT


def test_failing_source_leaves_all_tables_unchanged(pack, server, pnp):
    folder = pack(f"{server}/cards.csv", f"{server}/gone")
    before = sorted((path.name, path.read_bytes()) for path in folder.iterdir() if path.is_file())
    result = pnp("pull", folder, "--near")
    assert result.exit_code == 3
    assert "source: " in result.stderr
    assert "Not Found" in result.stderr
    assert (
        sorted((path.name, path.read_bytes()) for path in folder.iterdir() if path.is_file())
        == before
    )


@pytest.mark.parametrize("page", ["/login", "/other.csv"])
def test_download_without_id_column_is_refused(pack, server, pnp, page):
    folder = pack(server + page)
    result = pnp("pull", folder, "--near")
    assert result.exit_code == 3
    assert (
        "pack/game.yaml:19: source: the download is not a table with a column 'id'" in result.stderr
    )
    assert "Publish to web" in result.stderr


def test_unreadable_table_is_refused(pack, server, pnp):
    result = pnp("pull", pack(f"{server}/quotes.csv"), "--near")
    assert result.exit_code == 3
    assert "source: the download is not a table (field larger than field limit" in result.stderr


def test_pull_through_a_link_out_of_pack_is_refused(pack, server, pnp, tmp_path):
    folder = pack(f"{server}/cards.csv")
    (tmp_path / "outside").mkdir()
    (folder / "there").symlink_to(tmp_path / "outside")
    game = folder / "game.yaml"
    game.write_text(
        game.read_text("utf-8").replace("data: cards.csv", "data: there/cards.csv"), "utf-8"
    )
    result = pnp("pull", folder, "--near")
    assert result.exit_code == 3
    assert "data: no file to download into" in result.stderr
    assert list((tmp_path / "outside").iterdir()) == []


def test_unreachable_server_is_reported(pack, pnp):
    folder = pack("http://127.0.0.1:9/cards.csv")
    result = pnp("pull", folder, "--near")
    assert result.exit_code == 3
    assert "cannot be downloaded" in result.stderr


@pytest.mark.parametrize("address", ["http://[::1", "https://a..b/x.csv", "http://x:port/"])
def test_malformed_address_is_reported(pack, pnp, address):
    result = pnp("pull", pack(address), "--near")
    assert result.exit_code == 3
    assert "cannot be downloaded" in result.stderr


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://example.org/x.csv", "cards"])
def test_address_other_than_http_is_refused(pack, pnp, address):
    result = pnp("pull", pack(address), "--near")
    assert result.exit_code == 3
    assert "is not an address" in result.stderr


def test_pull_without_source_explains_what_to_write(starter, pnp):
    result = pnp("pull", starter("cards"))
    assert result.exit_code == 3
    assert "no component names a source" in result.stderr


def test_build_does_not_download(pack, pnp):
    folder = pack("http://127.0.0.1:9/cards.csv")
    assert pnp("build", folder, "--what", "sheets").exit_code == 0


BAD = {
    "/short": "stopped after 49 of 5000 bytes",
    "/part": "answered with status 206, not with a file",
    "/open": "the download is not a table",
    "/head": "a header but no rows",
    "/ftp": "it redirects to ftp://",
    "/file": "edirection to url 'file:///etc/passwd' is not allowed",
    "/round": "cannot be downloaded",
}


@pytest.mark.parametrize("page", BAD)
def test_incomplete_download_leaves_table_unchanged(pack, server, pnp, page):
    folder = pack(server + page)
    before = (folder / "cards.csv").read_bytes()
    result = pnp("pull", folder, "--near")
    assert result.exit_code == 3
    assert BAD[page] in result.stderr
    assert (folder / "cards.csv").read_bytes() == before


def test_slow_download_ends_at_time_limit(pack, server, pnp, monkeypatch):
    monkeypatch.setattr("generator.base.fetch.DOWNLOAD_SECONDS", 0.5)
    result = pnp("pull", pack(f"{server}/drip"), "--near")
    assert result.exit_code == 3
    assert "was not sent within 0 seconds" in result.stderr


def test_redirect_is_followed(pack, server, pnp):
    assert pnp("pull", pack(f"{server}/on"), "--near").output == PULL_OUTPUT


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"])
def test_local_address_without_near_option_is_refused(pack, server, pnp, host, no_proxy):
    result = pnp("pull", pack(f"{server}/cards.csv".replace("127.0.0.1", host)))
    assert result.exit_code == 3
    assert (
        "on this machine or the network around it" in result.stderr
        or "cannot be downloaded" in result.stderr
    )


def test_tls_handshake_starts_only_after_address_is_checked(pack, pnp, no_proxy):
    """Connect to a refused machine and send no byte."""
    received = []

    def listen():
        call, _ = listening.accept()
        with call:
            call.settimeout(20)
            with suppress(OSError):
                received.append(call.recv(100))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=listen)
        thread.start()
        result = pnp("pull", pack(f"https://127.0.0.1:{listening.getsockname()[1]}/cards.csv"))
        thread.join()
    assert result.exit_code == 3
    assert "on this machine or the network around it" in result.stderr
    assert received == [b""]


@pytest.fixture
def no_proxy(monkeypatch):
    """Unset the machine's proxy."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def proxy(monkeypatch, no_proxy):
    """Start a proxy that answers every request; return the first lines of the requests."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.requestline)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(CSV.encode())

        def do_CONNECT(self):
            requests.append(self.requestline)
            self.send_error(403)

        def log_message(self, *args):
            pass

    requests = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        for name in ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, f"http://me:secret@127.0.0.1:{running.server_port}")
        yield requests
        running.shutdown()
        thread.join()


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_proxy_without_proxy_option_is_refused(pack, pnp, proxy, scheme):
    folder = pack(f"{scheme}://cards.example/cards.csv")
    result = pnp("pull", folder)
    assert result.exit_code == 2
    assert "game.yaml:19: source: a proxy is set (127.0.0.1:" in result.stderr
    assert "if you trust the proxy: --proxy" in result.stderr
    assert "secret" not in result.stderr
    assert proxy == []
    result = pnp("pull", folder, "--proxy")
    if scheme == "http":
        assert result.output == PULL_OUTPUT
        assert proxy == ["GET http://cards.example/cards.csv HTTP/1.1"]
    else:
        assert result.exit_code == 3
        assert [line.rpartition(" ")[0] for line in proxy] == ["CONNECT cards.example:443"]


def test_proxy_is_not_used_for_addresses_in_no_proxy(pack, server, pnp, proxy, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert pnp("pull", pack(f"{server}/cards.csv"), "--near").output == PULL_OUTPUT
    assert proxy == []


def test_two_sources_for_one_table_are_refused(pack, server, pnp):
    folder = pack(f"{server}/cards.csv", f"{server}/semi.csv")
    game = folder / "game.yaml"
    game.write_text(
        game.read_text("utf-8").replace("data: more0.csv", "data: ./cards.csv"), "utf-8"
    )
    result = pnp("pull", folder, "--near")
    assert result.exit_code == 3
    assert "two components are downloaded into" in result.stderr


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("/columns.csv", "unknown name '$title'"),
        ("/counts.csv", "pack/cards.csv:2: count: 'three' is not a whole number"),
        ("/icons.csv", "pack/cards.csv:2: icon: unknown icon 'stra'"),
    ],
)
def test_table_that_would_not_build_leaves_table_unchanged(pack, server, pnp, page, message):
    folder = pack(server + page)
    before = (folder / "cards.csv").read_bytes()
    result = pnp("pull", folder, "--near")
    assert result.exit_code == 3
    assert message in result.stderr
    assert "the download for cards.csv was discarded" in result.stderr
    assert (folder / "cards.csv").read_bytes() == before


def test_earlier_mistake_in_pack_does_not_stop_pull(pack, server, pnp):
    folder = pack(f"{server}/cards.csv")
    (folder / "game.yaml").write_text(
        (folder / "game.yaml").read_text("utf-8") + "\nnonsense: 1\n", "utf-8"
    )
    assert pnp("pull", folder, "--near").output == PULL_OUTPUT


@pytest.mark.parametrize(
    ("address", "table"),
    [
        (
            "https://docs.google.com/spreadsheets/d/1aB-c/edit?gid=7#gid=7",
            "1aB-c/export?format=csv&gid=7",
        ),
        (
            "https://docs.google.com/spreadsheets/d/1aB-c/edit?usp=sharing",
            "1aB-c/export?format=csv",
        ),
        ("https://docs.google.com/spreadsheets/d/e/2PACX/pubhtml", "e/2PACX/pub?output=csv"),
        ("https://docs.google.com/spreadsheets/d/e/2PACX/pub?output=csv", "e/2PACX/pub?output=csv"),
    ],
)
def test_address_of_google_sheet_becomes_address_of_its_csv(address, table):
    assert csv_address(address) == f"https://docs.google.com/spreadsheets/d/{table}"
    assert csv_address("https://example.org/cards.csv") == "https://example.org/cards.csv"


MESSY = 'My Deck\n\n"Card\nName",Qty,Text\nFox,2x,Pay :leaf:.\nElk,,Rest.\n'
LATER = MESSY.replace("Rest.", "Sleep.") + "Owl,3,Fly.\n"


def test_published_sheet_makes_a_pack_that_can_be_pulled_again(tmp_path, monkeypatch, server, pnp):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(PAGES, "/messy.csv", (200, MESSY))
    created = pnp("new", "mine", "--from", f"{server}/messy.csv", "--near")
    assert created.exit_code == 0, created.stderr
    assert "'Card\\nName' is now called 'title'" in created.output
    before = (tmp_path / "mine/cards.csv").read_text("utf-8")
    assert pnp("pull", "mine", "--near").output.startswith("cards.csv: 2 rows, as before\n")
    assert (tmp_path / "mine/cards.csv").read_text("utf-8") == before
    monkeypatch.setitem(PAGES, "/messy.csv", (200, LATER))
    pulled = pnp("pull", "mine", "--near").output
    assert pulled.startswith("cards.csv: 3 rows (1 new: owl; 1 changed: elk)\n")
    assert "- row 6: there is no count; one copy is printed" in pulled
    assert problems(tmp_path / "mine") == ""


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("login", "the download is a web page, not a table"),
        ("gone", "cannot be downloaded"),
        ("head", "has no cards"),
    ],
)
def test_unreadable_sheet_makes_no_pack(tmp_path, monkeypatch, server, pnp, page, message):
    monkeypatch.chdir(tmp_path)
    result = pnp("new", "mine", "--from", f"{server}/{page}", "--near")
    assert result.exit_code == 3
    assert message in result.stderr
    assert not (tmp_path / "mine").exists()
