"""Test every page of a stranger's pack in Chromium: no script runs, and no other host is asked."""

import pytest

from tests.tools.hostile_files import DRAWN
from tests.tools.live_browser import Chromium, live_page, until
from tests.tools.make_pack import make, svg

pytestmark = pytest.mark.browser

EVIL = (
    "<img src=http://evil/ onerror=alert(1)><script>alert(2)</script></script><svg onload=alert(3)>"
)
ESCAPED_EVIL = EVIL.replace("<", "\\<")
"""The text with its markup escaped for a text layer."""
MORE = f"""credits: ["{EVIL}"]
rules: {{file: rules.md}}
variants:
  other: {{title: '{EVIL}', palette: {{red: "#00ff00"}}}}
"""
RULES = f"""# {EVIL}

{EVIL} <style>@import "http://evil/"</style> [a](javascript:alert(4)) ((cards:c1))

<iframe src="http://evil/"></iframe>

::: components
:::
"""
TABLE = "id,title\n" + "".join(f'c{index},"{ESCAPED_EVIL}"\n' for index in range(len(DRAWN)))
LAYOUT = "- svg: $id.svg\n  box: [0, 0, 30, 20]\n- text: $title\n  box: [2, 22, 36, 16]\n  style: body\n  fit: 0.5mm\n"


@pytest.fixture(scope="module")
def pages(tmp_path_factory, pnp):
    """Return the pack, and the folder with every page that commands make from the pack."""
    folder = tmp_path_factory.mktemp("pages")
    files = {
        f"c{index}.svg": svg(f'{body}<circle id="seen" r="2"/>') for index, body in enumerate(DRAWN)
    }
    pack = make(folder / "pack", LAYOUT, TABLE, MORE, files={**files, "rules.md": RULES})
    main = pack / "game.yaml"
    for plain in ("name: Small", "    title: Cards"):
        evil = f"{plain.partition(':')[0]}: '{EVIL}'"
        main.write_text(main.read_text("utf-8").replace(plain, evil), "utf-8")
    results = [
        pnp("check", pack),
        pnp("build", pack, "-o", folder / "one", "--what", "web", "--what", "gallery"),
    ]
    results.append(pnp("build", pack, "-o", folder / "two", "--what", "gallery", "--single"))
    results.append(pnp("release", pack))
    main.write_text(main.read_text("utf-8").replace("#ff0000", "#00ffff"), "utf-8")
    (pack / "cards.csv").write_text(TABLE.replace("c1,", "c99,"), "utf-8")
    (pack / "c99.svg").write_text(files["c1.svg"], "utf-8")
    results.append(pnp("diff", pack, "--from", "1", "--html", folder / "diff.html"))
    assert [entry.exit_code for entry in results] == [0] * len(results), "\n".join(
        item.output for item in results
    )
    return pack, folder


def open_and_record_dialogs(browser, address):
    """Return a page and the list of dialogs that its scripts open."""
    opened = []
    page = browser.open(address)
    page.on("dialog", lambda box: (opened.append(box.message), box.dismiss()))
    return page, opened


def click_if_visible(item):
    """Click an item, and return True if that was possible: a picture that closes hides its parts."""
    from playwright.sync_api import Error

    try:
        item.click(force=True)
    except Error as error:
        if "not visible" not in error.message:
            raise
        return False
    return True


def test_pages_on_disk_run_no_foreign_script_and_request_nothing(pages):
    _, folder = pages
    paths = sorted(path for path in folder.rglob("*.html"))
    assert len(paths) == 4
    for path in paths:
        with Chromium() as browser:
            page, opened = open_and_record_dialogs(browser, path.as_uri())
            page.reload()
            page.wait_for_load_state("networkidle")
            items = page.query_selector_all("button, summary, [role=tab], .piece, .card, figure")
            clicked_items = [item for item in items[:8] if click_if_visible(item)]
            text = page.inner_text("body")
            foreign = [
                address
                for address in browser.foreign
                if not address.startswith(path.parent.as_uri())
            ]
        assert (opened, foreign, browser.faults) == ([], [], []), path.name
        assert clicked_items or not items, path.name
        assert "alert(2)" in text, "the markup is visible as text"


def test_live_page_runs_no_foreign_script_and_requests_nothing(pages):
    pack, _ = pages
    with live_page(pack) as live, Chromium() as browser:
        page, opened = open_and_record_dialogs(browser, live.server.address)
        until(page, lambda: page.query_selector(".piece img[src]"))
        for view in ("rules", "sheets", "changes", "table"):
            page.goto(f"{live.server.origin}#{view}")
            page.wait_for_timeout(200)
        assert (opened, browser.foreign, browser.faults) == ([], [], [])
