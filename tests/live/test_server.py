"""Test the server of the live page: its answers, and the requests that it refuses."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from urllib.parse import urlsplit

import pytest

from generator.base.errors import PnpError
from generator.live import server
from generator.live.server import MAX_CALLER_CONNECTIONS, MAX_CONNECTIONS, MAX_STREAMS, Routes
from generator.live.session import PackReader, Session, read_stamps
from generator.live.start import LiveRun
from generator.pack.load import PackForm
from tests.tools.live_browser import PATIENCE, save
from tests.tools.make_pack import make

TABLE = "id,title,count\none,One,2\ntwo,\\<script>alert(1)\\</script>,1\n"
LAYOUT = "- fill: red\n- text: $title\n  box: [2, 2, 36, 30]\n  style: body\n"


@pytest.fixture
def live(tmp_path):
    serving = LiveRun(make(tmp_path / "pack", LAYOUT, TABLE), PackForm())
    before = {*threading.enumerate()}
    serving.start()
    yield serving
    serving.stop()
    wait_until(lambda: not {*threading.enumerate()} - before)


def ask(live, path, method="GET", body=None, **headers):
    """Send a request with the cookie of the page, and return the answer and its body."""
    port = live.server.server_port
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    cookie = f"other=1; {live.server.cookie}={live.server.session}"
    named = {
        "Host": f"127.0.0.1:{port}",
        "Cookie": cookie,
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    connection.request(method, path, body, named)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer, data


def test_page_has_a_content_policy_and_serves_all_its_files(live):
    answer, page = ask(live, "/")
    assert answer.status == 200
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert live.server.token.encode() in page
    for name in ("page.css", "style.css", "app.js", "cards.js"):
        answer, data = ask(live, f"/page/{name}")
        assert answer.status == 200
        assert b"http://" not in data.replace(b"http://www.w3.org/", b"")
        assert b"https://" not in data
        assert b"innerHTML" not in data


def test_state_lists_the_cards_and_the_addresses_of_their_faces(live):
    _, data = ask(live, "/state")
    state = json.loads(data)
    assert [card["name"] for card in state["cards"]] == ["cards:one", "cards:two"]
    assert state["cards"][1]["title"] == r"\<script>alert(1)\</script>"
    assert state["components"][0]["size"] == [40, 40]
    answer, png = ask(live, f"/face/{state['cards'][0]['sides'][0]['key']}-4.png")
    assert png.startswith(b"\x89PNG")
    assert "sandbox" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Host": "127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Cookie": ""},
        {"Cookie": "pnp=guessed; pnp-1=guessed"},
    ],
)
def test_request_from_another_site_or_without_the_cookie_is_refused(live, headers):
    answer, data = ask(live, "/state", **headers)
    assert answer.status == 403
    assert b"cards" not in data


@pytest.mark.parametrize(
    "path",
    [
        "/page/../session.py",
        "/page/%2e%2e/session.py",
        "/page//etc/passwd",
        "/face/../../game.yaml",
        "/game.yaml",
        "/face/none-4.png",
        "/face/none-99999.png",
        "/other",
    ],
)
def test_addresses_outside_the_page_are_not_served(live, path):
    answer, data = ask(live, path)
    assert answer.status == 404
    assert data == b'{"error":"there is nothing at this address"}'


def test_layers_are_named_by_their_content(tmp_path):
    layout = """- fill: $red
- text: $title
  box: [2, 2, 36, 9]
  style: body
- text: Worth ${value} points
  box: [2, 12, 36, 9]
  style: body
- shape: {circle: [30, 30], r: 4mm, fill: $blue}
- frame: {stroke: 1mm $ink}
- icon: star
  at: center
  size: 9mm
"""
    pack = make(tmp_path / "pack", layout, "id,title,value\none,One,2\n")
    serving = LiveRun(pack, PackForm())
    serving.start()
    try:
        key = serving.session.state.cards["cards:one"].sides[0].key
        layers = json.loads(ask(serving, f"/layers/{key}")[1])
        assert [(layer["kind"], layer["name"]) for layer in layers] == [
            ("fill", "red"),
            ("text", "title"),
            ("text", "Worth ${value} points"),
            ("shape", "circle"),
            ("frame", "ink"),
            ("icon", "star"),
        ]
    finally:
        serving.stop()


def test_problem_moves_with_its_line(tmp_path):
    table = f"id,title\none,{'A title without room ' * 5}\n"
    pack = make(tmp_path / "pack", LAYOUT.replace("36, 30", "36, 3"), table)
    layout = pack / "layouts" / "front.yaml"
    session = Session(pack)
    lines = []
    for added in ("", "# one\n", "# two\n# three\n"):
        layout.write_text(added + layout.read_text("utf-8"), "utf-8")
        session.refresh(read_stamps(pack))
        lines += [problem.where.line for problem in session.state.cards["cards:one"].problems]
    session.stop()
    assert lines == [2, 3, 5]


def test_layer_reports_the_number_of_its_cards(tmp_path):
    layout = "- fill: red\n- text: $title\n  when: rare\n  box: [2, 2, 36, 9]\n  style: body\n"
    table = "id,title,rare\none,One,yes\ntwo,Two,\nsix,Six,yes\n"
    serving = LiveRun(make(tmp_path / "pack", layout, table), PackForm())
    serving.start()
    try:
        key = serving.session.state.cards["cards:one"].sides[0].key
        counts = [json.loads(ask(serving, f"/source/{key}/{nth}")[1])["cards"] for nth in range(2)]
        assert counts == [3, 2]
    finally:
        serving.stop()


def test_saved_cell_is_announced_with_its_card(live):
    queue = live.session.subscribe()
    save(live.folder / "cards.csv", TABLE.replace("One", "Eins"))
    before, now = queue.get(timeout=PATIENCE)
    changed = [name for name, card in now.cards.items() if before.cards[name] != card]
    assert changed == ["cards:one"]
    assert now.cards["cards:one"].design.title == "Eins"


def test_changes_since_a_release_have_old_and_new_pictures(live):
    from click.testing import CliRunner

    from generator.cli import main

    assert CliRunner().invoke(main, ["release", str(live.folder)]).exit_code == 0
    queue = live.session.subscribe()
    save(live.folder / "cards.csv", TABLE.replace("One", "Eins") + "three,Drei,1\n")
    queue.get(timeout=PATIENCE)
    changes = json.loads(ask(live, "/changes/1")[1])
    assert [(change["name"], change["kinds"]) for change in changes["changes"]] == [
        ("cards:one", ["changed", "renamed"]),
        ("cards:three", ["added"]),
    ]
    side = changes["changes"][0]["sides"][0]
    before, now = (ask(live, f"/old-face/1/{side[when]}")[1] for when in ("before", "now"))
    assert before.startswith(b"\x89PNG")
    assert before != now
    assert "before" not in changes["changes"][1]["sides"][0]


LINKED = """
links:
  road: {width: 9mm, fill: "#888888"}
matching:
  sides: equal
scoring:
  longest: {count: road}
"""


def test_tile_may_be_placed_only_where_links_match(tmp_path):
    table = "id,road\nbend,n-e:road\nline,n-s:road\n"
    pack = make(tmp_path / "pack", "- fill: red\n- links: {}\n", table, LINKED, "links: road")
    serving = LiveRun(pack, PackForm())
    serving.start()
    try:
        about = json.loads(ask(serving, "/board")[1])
        assert (about["tiles"], about["has_rules"], about["turn_step"]) == (["cards"], True, 90)
        origin = {
            "Origin": f"http://127.0.0.1:{serving.server.server_port}",
            "Content-Type": "application/json",
        }
        headers = {**origin, "X-Pnp-Token": serving.server.token}

        def lay(turn):
            board = [{"component": "cards", "id": "line", "column": 5, "row": 5, "turn": 0}]
            piece = {"component": "cards", "id": "bend", "column": 5, "row": 6, "turn": turn}
            body = json.dumps({"board": board, "piece": piece})
            return json.loads(ask(serving, "/judge", "POST", body, **headers)[1])

        assert lay(0)["legal"]
        assert not lay(90)["legal"]
        assert "F6" in lay(90)["why"][0]
        assert (
            ask(serving, "/judge", "POST", "{}", **{**headers, "X-Pnp-Token": "guessed"})[0].status
            == 403
        )
    finally:
        serving.stop()


@pytest.mark.parametrize(
    "wrong",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"X-Pnp-Token": ""},
        {"X-Pnp-Token": "é"},
        {"Content-Type": "text/plain"},
        {"Host": "evil.example:80"},
        {"Cookie": ""},
    ],
)
def test_actions_are_accepted_only_from_our_own_page(live, wrong):
    port = live.server.server_port
    headers = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
    headers |= {"X-Pnp-Token": live.server.token, **wrong}
    digest = json.loads(ask(live, "/row/cards:one")[1])["digest"]
    body = json.dumps({"card": "cards:one", "column": "title", "value": "Hacked", "digest": digest})
    encoded = {name: value.encode("utf-8") for name, value in headers.items()}
    assert ask(live, "/cell", "POST", body, **encoded)[0].status == 403
    assert (live.folder / "cards.csv").read_text("utf-8") == TABLE


@pytest.mark.parametrize(
    "body", ["[]", "{", "null", "[" * 100_000, '{"card": 5}', '{"card": "cards:none"}', "{}"]
)
def test_malformed_actions_change_no_file(live, body):
    port = live.server.server_port
    headers = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
    for name in ("cell", "move", "colour", "undo", "judge"):
        answer, data = ask(
            live, f"/{name}", "POST", body, **headers, **{"X-Pnp-Token": live.server.token}
        )
        assert answer.status in {200, 400}, name
        assert b"error" in data or name == "judge"
    assert (live.folder / "cards.csv").read_text("utf-8") == TABLE


def test_read_only_page_accepts_no_edits(tmp_path):
    serving = LiveRun(make(tmp_path / "pack", LAYOUT, TABLE), PackForm(), read_only=True)
    assert set(serving.server.routes.actions) == {"judge", "form"}
    serving.server.server_close()


def test_page_shows_the_selected_variant(tmp_path):
    pack = make(
        tmp_path / "pack", "- fill: $red\n", more="variants:\n  pale: {palette: {red: '#ffcccc'}}\n"
    )
    serving = LiveRun(pack, PackForm())
    serving.start()
    try:
        port = serving.server.server_port
        headers = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
        headers["X-Pnp-Token"] = serving.server.token
        before = json.loads(ask(serving, "/state")[1])["cards"][0]["sides"][0]["key"]
        assert json.loads(ask(serving, "/forms")[1])["variants"] == ["", "pale"]
        ask(serving, "/form", "POST", json.dumps({"variant": "pale", "language": ""}), **headers)
        after = json.loads(ask(serving, "/state")[1])
        assert after["game"]["variant"] == "pale"
        assert after["cards"][0]["sides"][0]["key"] != before
    finally:
        serving.stop()


def test_occupied_port_is_a_usage_error(live):
    with pytest.raises(PnpError, match="no page can be served"):
        LiveRun(live.folder, PackForm(), port=live.server.server_port)


@pytest.mark.parametrize(
    "version",
    ["%2f{out}%2f1.pnprelease", "..%2f1.pnprelease", "..%2freleases%2f1.pnprelease", "%00", "2"],
)
def test_changes_since_a_file_outside_the_releases_are_refused(live, pnp, tmp_path, version):
    assert pnp("release", live.session.folder).exit_code == 0
    assert pnp("release", live.session.folder, "-o", tmp_path / "out").exit_code == 0
    _, data = ask(
        live, f"/changes/{version.format(out=str(tmp_path / 'out').strip('/').replace('/', '%2f'))}"
    )
    assert "unknown release" in json.loads(data)["error"]
    _, data = ask(live, "/changes/1")
    assert json.loads(data)["version"] == "1"


@pytest.mark.parametrize("callers", [["127.0.0.1"], [f"127.0.0.{n}" for n in range(1, 40)]])
def test_slow_callers_do_not_keep_others_out(live, callers):
    """Connections with unfinished requests are closed in favour of new ones."""
    slow = []
    for index in range(2 * MAX_CONNECTIONS):
        source = (callers[index % len(callers)], 0)
        slow.append(socket.create_connection(live.server.server_address[:2], source_address=source))
        slow[-1].sendall(b"GET /st")
    assert is_answered(live)
    most = MAX_CALLER_CONNECTIONS if len(callers) == 1 else MAX_CONNECTIONS
    wait_until(
        lambda: (
            len([None for thread in threading.enumerate() if "process_request" in thread.name])
            <= most
        )
    )
    for item in slow:
        item.close()


def test_head_of_a_request_has_a_deadline(live, monkeypatch):
    """The deadline holds even if a byte arrives now and then."""
    monkeypatch.setattr(server, "REQUEST_SECONDS", 0.5)
    with socket.create_connection(live.server.server_address[:2], timeout=PATIENCE) as caller:
        caller.sendall(b"GET /state HTTP/1.1\r\n")
        begun = time.monotonic()
        with suppress(ConnectionError):
            while time.monotonic() < begun + PATIENCE:
                caller.sendall(b"X")
                time.sleep(0.05)
        assert time.monotonic() - begun < PATIENCE / 2


def test_oldest_stream_of_a_caller_ends_when_there_are_too_many(live):
    (_, first), *others = [stream(live) for _ in range(MAX_STREAMS + 1)]
    assert first.read().startswith(b"data: ")
    assert is_answered(live)
    assert [answer.readline()[:6] for _, answer in others] == [b"data: "] * MAX_STREAMS
    for connection, answer in others:
        answer.close()
        connection.close()


def stream(live):
    port = live.server.server_port
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request(
        "GET", "/events", headers={"Cookie": f"{live.server.cookie}={live.server.session}"}
    )
    return connection, connection.getresponse()


def test_key_in_the_address_becomes_a_cookie(live):
    address = urlsplit(live.server.address)
    answer, _ = ask(live, f"{address.path}?{address.query}", Cookie="")
    assert answer.status == 200
    cookie, *attributes = answer.headers["Set-Cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} == set(attributes)
    assert live.server.key not in cookie
    answer, page = ask(live, "/", Cookie=cookie)
    assert answer.status == 200
    assert live.server.token.encode() in page
    for path in (
        "/",
        "/?key=guessed",
        f"/state?{address.query}",
        "/page/app.js",
        "/events",
        "/none",
    ):
        answer, data = ask(live, path, Cookie="")
        assert answer.status == 403, path
        assert "Set-Cookie" not in answer.headers
        assert b"open the address that pnp live printed" in data
        assert live.server.token.encode() not in data


@pytest.mark.skipif(
    sys.platform in {"win32", "darwin"}, reason="commands' arguments are not for all to see there"
)
def test_browser_command_never_contains_the_key(tmp_path, monkeypatch):
    """The browser opens a private file, which is removed once the page is open."""
    addresses = Queue()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("webbrowser.open", addresses.put)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    live = LiveRun(make(tmp_path / "pack", LAYOUT, TABLE), PackForm())
    serving = Thread(target=live.serve, kwargs={"opened": True}, daemon=True)
    serving.start()
    entrance = Path(urlsplit(addresses.get(timeout=PATIENCE)).path)
    assert (entrance.parent, entrance.stat().st_mode & 0o077) == (tmp_path, 0)
    wait_until(lambda: live.server.address in entrance.read_text("utf-8"))
    address = urlsplit(live.server.address)
    ask(live, f"/?{address.query}", Cookie="")
    wait_until(lambda: not entrance.exists())
    live.stop_requested.set()
    serving.join(PATIENCE)


def is_answered(live):
    try:
        return ask(live, "/state")[0].status == 200
    except (ConnectionError, http.client.HTTPException):
        return False


def wait_until(is_so):
    """Wait until a condition holds: connections begin and end a moment after the request."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("path", ["//[a/state", "/%5b", "/page/%ff"])
def test_malformed_address_is_not_found(live, path):
    assert ask(live, path)[0].status == 404
    answer, _ = ask(
        live, "/undo", "POST", b"{}", Origin="http://[a", Content_Type="application/json"
    )
    assert answer.status == 403


def test_bug_in_pnp_is_answered_with_an_error(live, monkeypatch):
    queries = {**live.server.routes.queries, "state": lambda _: 1 // 0}
    monkeypatch.setattr(live.server, "routes", Routes(queries, {}, live.server.routes.news))
    answer, data = ask(live, "/state")
    assert answer.status == 500
    assert "this is a bug in pnp; please report it: ZeroDivisionError" in json.loads(data)["error"]


def restore_interrupts():
    """Restore Ctrl-C, which shells disable for jobs in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
def test_live_command_prints_its_address_and_ends_on_ctrl_c(tmp_path):
    """An open page, which listens for news, does not prevent the end."""
    pack = make(tmp_path / "pack", LAYOUT, TABLE)
    command = [
        sys.executable,
        "-m",
        "generator",
        "live",
        str(pack),
        "--no-browser",
        "--host",
        "0.0.0.0",  # noqa: S104
    ]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes, preexec_fn=restore_interrupts) as live:  # noqa: PLW1509 - it calls one function
        address = urlsplit(live.stdout.readline().split()[0])
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE)
        connection.request("GET", f"/?{address.query}")
        answer = connection.getresponse()
        answer.read()
        connection.request(
            "GET", "/events", headers={"Cookie": answer.headers["Set-Cookie"].partition(";")[0]}
        )
        assert connection.getresponse().readline().startswith(b"data: ")
        live.send_signal(signal.SIGINT)
        output, errors = live.communicate(timeout=PATIENCE)
        connection.close()
    assert (live.returncode, output) == (0, "ended\n")
    assert errors == (
        "note: everyone who has this address and can reach 0.0.0.0 can see this pack, and change it: --read-only\n"
    )


def send_action(live, path, **what):
    headers = {
        "Origin": f"http://127.0.0.1:{live.server.server_port}",
        "Content-Type": "application/json",
    }
    return json.loads(
        ask(live, path, "POST", json.dumps(what), **headers, **{"X-Pnp-Token": live.server.token})[
            1
        ]
    )


def test_page_may_move_a_layer_again_before_news_of_its_last_move(live):
    """The digest proves that nobody else wrote meanwhile.

    Files changed since their last display are not described.
    """
    queue = live.session.subscribe()
    layout = live.folder / "layouts/front.yaml"
    (side,) = live.session.state.cards["cards:one"].sides
    digest = json.loads(ask(live, f"/source/{side.key}/1")[1])["digest"]
    for index in range(1, 4):
        answer = send_action(live, "/move", key=side.key, layer=1, dx=1, dy=0, digest=digest)
        digest = answer["digest"]
        assert f"box: [{2 + index}, 2, 36, 30]" in layout.read_text("utf-8")
        queue.get(timeout=PATIENCE)
    assert "has changed" in json.loads(ask(live, f"/source/{side.key}/1")[1])["error"]
    assert len(json.loads(ask(live, f"/layers/{side.key}")[1])) == 2
    assert "has changed" in json.loads(ask(live, "/layers/none")[1])["error"]
    layout.write_text(layout.read_text("utf-8") + "# mine\n", "utf-8")
    assert (
        "has changed in the meantime"
        in send_action(live, "/move", key=side.key, layer=1, dx=1, dy=0, digest=digest)["error"]
    )


def test_variant_selected_last_is_shown_in_the_end(live, monkeypatch):
    """A variant is selected while the pack is still being read without it."""
    game = live.folder / "game.yaml"
    save(game, game.read_text("utf-8") + "variants:\n  pale: {palette: {red: '#ffcccc'}}\n")
    wait_until(lambda: live.session.stamps == read_stamps(live.folder))
    reads = PackReader.read
    begun = Event()
    goes_on = Event()

    def slow(reader, now):
        reading = reads(reader, now)
        if not reader.form.variant:
            begun.set()
            goes_on.wait(PATIENCE)
        return reading

    monkeypatch.setattr(PackReader, "read", slow)
    first = Thread(target=live.session.refresh, args=(live.session.stamps,))
    first.start()
    begun.wait(PATIENCE)
    second = Thread(target=live.session.display_form, args=(PackForm("pale"),))
    second.start()
    second.join(0.2)
    goes_on.set()
    first.join()
    second.join()
    assert live.session.state.game.variant == "pale"


def test_ctrl_c_during_the_first_reading_ends_the_page(tmp_path, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    serving = LiveRun(make(tmp_path / "pack"), PackForm())
    monkeypatch.setattr(Session, "start", interrupted)
    ending = Thread(target=serving.stop, daemon=True)
    with pytest.raises(KeyboardInterrupt):
        serving.start()
    ending.start()
    ending.join(PATIENCE)
    assert not ending.is_alive()


def test_ended_page_renders_nothing_and_sends_no_news(tmp_path):
    threads_before = set(threading.enumerate())
    serving = LiveRun(make(tmp_path / "pack", "- fill: $red\n"), PackForm())
    serving.start()
    session = serving.session
    number = session.state.number
    key = next(iter(session.state.cards.values())).sides[0].key
    assert set(threading.enumerate()) > threads_before
    serving.stop()
    assert set(threading.enumerate()) <= threads_before
    session.refresh(session.stamps)
    assert session.state.number == number
    assert session.render_png(key, 3) is None


@pytest.mark.parametrize("length", ["", "-1", "x", "²", "1000001", "9" * 5000])
def test_action_without_a_valid_length_is_refused(live, length):
    """A caller may announce more bytes than fit in memory."""
    port = live.server.server_port
    head = f"POST /undo HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {length}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as call:
        call.sendall(head.encode("latin-1"))
        answer = b""
        while data := call.recv(65536):  # the server closes the connection
            answer += data
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"too large or has no length" in answer


def test_unknown_action_is_not_found(live):
    port = live.server.server_port
    own = {
        "Origin": f"http://127.0.0.1:{port}",
        "X_Pnp_Token": live.server.token,
        "Content_Type": "application/json",
    }
    answer, _ = ask(live, "/nothing", "POST", "{}", **own)
    assert answer.status == 404


def test_page_open_to_other_machines_answers_to_addresses_but_not_names():
    """Foreign names lead here only by DNS rebinding."""
    open_to_all = server.LiveServer("0.0.0.0", 0)  # noqa: S104 - never served
    private = server.LiveServer("127.0.0.1", 0)
    try:
        port = open_to_all.server_port
        assert open_to_all.is_own_host(f"192.168.1.7:{port}")
        assert open_to_all.is_own_host(f"[fe80::1]:{port}")
        assert not open_to_all.is_own_host(f"evil.example:{port}")
        assert not open_to_all.is_own_host(f"192.168.1.7:{port + 1}")
        assert private.is_own_host(f"localhost:{private.server_port}")
        assert not private.is_own_host(f"192.168.1.7:{private.server_port}")
    finally:
        open_to_all.server_close()
        private.server_close()


def test_connection_beyond_the_limit_is_closed_when_all_are_busy(live, monkeypatch):
    """Busy connections are not closed in favour of new ones."""
    monkeypatch.setattr(server, "MAX_CONNECTIONS", 1)
    port = live.server.server_port
    cookie = f"{live.server.cookie}={live.server.session}"
    head = f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as busy:
        busy.sendall(head.encode())
        assert busy.recv(100).startswith(b"HTTP/1.1 200 ")
        with (
            socket.create_connection(("127.0.0.1", port), PATIENCE) as another,
            suppress(ConnectionResetError),
        ):
            assert another.recv(100) == b""
        busy.setblocking(False)
        with suppress(BlockingIOError):
            assert busy.recv(65536)
