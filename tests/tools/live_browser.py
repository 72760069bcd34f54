"""Open the live page in Chromium, and record console errors and requests to other servers.

Needs Chromium on the path (`apt-get install chromium`, or set CHROMIUM to its program).
"""

import io
import os
import shutil
import time
from contextlib import contextmanager

import pytest
from PIL import Image

from generator.live.session import read_stamps
from generator.live.start import LiveRun
from generator.pack.load import PackForm

PATIENCE = 60
"""Seconds to wait for an event, enough for a busy machine."""


@contextmanager
def live_page(folder, **options):
    serving = LiveRun(folder, PackForm(), **options)
    serving.start()
    try:
        yield serving
    finally:
        serving.stop()


class Chromium:
    """A browser without a window.

    `faults` are its errors and warnings, `foreign` the addresses that pages request from other servers.
    """

    def __init__(self, **look):
        self.look = {"viewport": {"width": 1360, "height": 860}, **look}
        self.faults = []
        self.foreign = []

    def __enter__(self):
        from playwright.sync_api import sync_playwright

        program = (
            os.environ.get("CHROMIUM")
            or shutil.which("chromium")
            or shutil.which("chromium-browser")
        )
        if not program:
            pytest.fail(
                "these tests need Chromium: apt-get install chromium",
                pytrace=False,
            )
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"]
        )
        return self

    def __exit__(self, *_):
        self._browser.close()
        self._playwright.stop()

    def open(self, address, place="", entrance=""):
        """Return a page at an address that contains the key, or that the page `entrance` leads to."""
        page = self._browser.new_context(**self.look).new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on(
            "console",
            lambda message: (
                self.faults.append(message.text) if message.type in {"error", "warning"} else None
            ),
        )
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        origin = address.partition("?")[0]
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((origin, entrance or origin, "data:", "blob:"))
                else self.foreign.append(request.url)
            ),
        )
        page.goto(entrance or address)
        # The server stores the key as a cookie, and redirects to the address without it.
        if entrance or address != origin:
            page.wait_for_url(origin)
        if place:
            page.goto(origin + place)
        return page


def until(page, condition):
    """Wait until a condition is true.

    The page's content policy forbids playwright's own `wait_for_function`, so the test polls.
    """
    from playwright.sync_api import Error

    end = time.monotonic() + PATIENCE
    while True:
        why = "the condition stayed false"
        try:
            if condition():
                return
        except Error as error:
            why = str(error)
        assert time.monotonic() < end, why
        page.wait_for_timeout(50)


def shot(place, **options):
    """Return a screenshot of a page or an element; try again if the page is just being redrawn."""
    pictures = []
    until(
        getattr(place, "page", place),
        lambda: pictures.append(place.screenshot(timeout=5000, **options)) or pictures,
    )
    return Image.open(io.BytesIO(pictures[-1])).convert("RGB")


DISPLAYED_STATE = """async () => {
  const { state } = await import("/page/store.js");
  const pictures = [...document.querySelectorAll(".piece img[src]")];
  return [state.number, pictures.map((each) => each.closest(".piece").dataset.key ?? "")];
}"""


def caught_up(page, live):
    """Wait until the page shows the current files, with all pictures."""
    session = live.session

    def is_shown():
        if session.stamps != read_stamps(live.folder):
            return False
        state = session.state
        keys_shown = {side.key for card in state.cards.values() for side in card.sides}
        number, keys = page.evaluate(DISPLAYED_STATE)
        return number == state.number and keys_shown.issuperset(keys)

    until(page, is_shown)


def save(path, text):
    """Write a file under another name and rename it, as editors do, so that readers never see half of it."""
    fresh = path.with_name(f".{path.name}")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)


def box_of(place):
    """Return the box of an element on the screen; try again if the page is just being redrawn."""
    boxes = []
    until(place.page, lambda: boxes.append(place.bounding_box()) or boxes[-1])
    return boxes[-1]
