"""Test builds from the live page: their files, their messages, and refused requests."""

import json

import pytest

from generator.live.start import LiveRun
from generator.pack.load import PackForm
from tests.live.test_server import ask
from tests.tools.live_browser import Chromium, caught_up, live_page, save
from tests.tools.make_pack import make

RULES = {"rules.md": "# Play\n\nLay a card.\n"}


@pytest.fixture
def output(tmp_path, monkeypatch):
    """Return the output folder of builds, with a separate cache."""
    monkeypatch.setenv("PNP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "made"


@pytest.fixture
def live(tmp_path, output):
    pack = make(tmp_path / "pack", more="rules: {file: rules.md}", files=RULES)
    with live_page(pack, output=output) as serving:
        yield serving


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return a page that has built its pack, and the folder of the build."""
    folder = tmp_path_factory.mktemp("built")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PNP_CACHE", str(folder / "cache"))
        with live_page(make(folder / "pack"), output=folder / "made") as serving:
            assert not json.loads(request_build(serving)[1])["failed"]
            yield serving, folder / "made"


def request_build(live, path="/build", **headers):
    own = {
        "Origin": f"http://127.0.0.1:{live.server.server_port}",
        "Content-Type": "application/json",
        "X-Pnp-Token": live.server.token,
        **headers,
    }
    return ask(live, path, "POST", "{}", **own)


def test_build_from_the_page_writes_and_serves_sheets_and_rules(live, output):
    assert ask(live, "/built")[1] == b"null"
    result = json.loads(request_build(live)[1])
    names = [file["name"] for file in result["files"]]
    assert "pack-1-sheets-a4.pdf" in names
    assert "pack-1-rules.pdf" in names
    assert not result["failed"]
    answer, data = ask(live, "/files/pack-1-sheets-a4.pdf")
    assert answer.headers["Content-Type"] == "application/pdf"
    assert data == (output / "pack" / "pack-1-sheets-a4.pdf").read_bytes()
    assert json.loads(ask(live, "/built")[1]) == result, "a reloaded page gets the same result"


@pytest.mark.parametrize(
    "wrong",
    [
        {"Cookie": "pnp-1=guessed"},
        {"X-Pnp-Token": "guessed"},
        {"Origin": "http://evil.example"},
        {"Content-Type": "text/plain"},
    ],
)
def test_build_is_refused_to_requests_from_outside_the_page(live, output, wrong):
    assert request_build(live, **wrong)[0].status == 403
    assert not output.exists()


def test_build_is_refused_on_a_read_only_page(tmp_path, output):
    with live_page(make(tmp_path / "pack"), output=output, read_only=True) as live:
        assert b'"build"' not in ask(live, "/actions")[1]
        assert request_build(live)[0].status == 404
    assert not output.exists()


def test_only_files_of_the_last_build_are_served(built):
    live, output = built
    (output / "secret.pdf").write_bytes(b"%PDF secret")
    (output / "pack" / "other.pdf").write_bytes(b"%PDF other")
    (output / "pack" / "pack-1-sheets-letter.pdf").unlink()
    for path in (
        "/files/../secret.pdf",
        "/files/%2e%2e/secret.pdf",
        f"/files/{output}/secret.pdf",
        "/files/other.pdf",
        "/files/pack-1-sheets-letter.pdf",
        "/files/",
    ):
        assert ask(live, path)[0].status == 404, path
    assert ask(live, "/files/pack-1-sheets-a4.pdf", Cookie="")[0].status == 403


def test_file_of_a_build_that_became_a_link_is_not_served(built, tmp_path):
    live, output = built
    secret = tmp_path / "secret.pdf"
    secret.write_bytes(b"%PDF secret")
    sheets = output / "pack" / "pack-1-sheets-a4.pdf"
    sheets.rename(tmp_path / "sheets.pdf")
    sheets.symlink_to(secret)
    assert ask(live, f"/files/{sheets.name}")[0].status == 404
    sheets.unlink()
    (tmp_path / "sheets.pdf").rename(sheets)
    assert ask(live, f"/files/{sheets.name}")[0].status == 200


def test_errors_of_a_build_are_reported_with_their_place(tmp_path, output):
    table = "id,title\none,A title that is much too long for such a box\n"
    layout = "- text: $title\n  box: [2, 2, 9, 4]\n  style: body\n"
    with live_page(make(tmp_path / "pack", layout, table), output=output) as live:
        result = json.loads(request_build(live)[1])
    (problem,) = (item for item in result["problems"] if item["severity"] == "error")
    assert problem["file"].endswith("layouts/front.yaml")
    assert "box" in problem["message"]
    assert result["failed"]
    assert result["files"] == []
    assert not output.exists()


def test_build_is_of_the_displayed_variant(tmp_path, output):
    pack = make(tmp_path / "pack", more="variants: {big: {}}")
    serving = LiveRun(pack, PackForm("big"), output=output)
    serving.start()
    try:
        names = [file["name"] for file in json.loads(request_build(serving)[1])["files"]]
    finally:
        serving.stop()
    assert any("big" in name for name in names), names


def test_build_runs_no_program_of_the_working_folder(live, tmp_path, monkeypatch):
    (tmp_path / "generator").mkdir()
    (tmp_path / "generator/__init__.py").write_text("")
    (tmp_path / "generator/__main__.py").write_text("raise SystemExit('a stranger ran')")
    monkeypatch.chdir(tmp_path)
    assert not json.loads(request_build(live)[1])["failed"]


@pytest.mark.browser
@pytest.mark.parametrize("look", [{}, {"viewport": {"width": 360, "height": 740}}])
def test_button_makes_the_pdfs_and_links_to_them(live, output, look):
    with Chromium(**look) as chromium:
        page = chromium.open(live.server.address)
        page.get_by_role("button", name="Make PDFs").click()
        assert not page.locator(".build").evaluate("it => it.scrollWidth > it.clientWidth")
        link = page.get_by_role("link", name="pack-1-sheets-a4.pdf")
        link.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        data = page.request.get(live.server.origin + link.get_attribute("href")).body()
        assert data == (output / "pack" / "pack-1-sheets-a4.pdf").read_bytes()
        save(live.folder / "layouts/front.yaml", "- image: art/none.png\n")
        caught_up(page, live)
        page.get_by_role("button", name="Make them again").click()
        page.locator(".build .mistake", has_text="layouts/front.yaml:1").wait_for()
        assert page.locator(".files a").count() == 0
        assert not chromium.faults
