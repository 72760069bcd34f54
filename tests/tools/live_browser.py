"""A live page and a real Chromium that looks at it, which asks nobody else for anything and finds no fault in it.

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
"""Seconds after which something never comes, however busy the machine is."""


@contextmanager
def live_page(folder, **options):
    serving = LiveRun(folder, PackForm(), **options)
    serving.start()
    try:
        yield serving
    finally:
        serving.stop()


class Chromium:
    """A browser.

    `faults` are its console messages, `foreign` the requests to other servers than the page's.
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
                "pages are looked at in Chromium, which is not here: apt-get install chromium",
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
        """Open a page at an address, by way of the key in it or of another page."""
        page = self._browser.new_context(**self.look).new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on(
            "console",
            lambda said: (
                self.faults.append(said.text) if said.type in {"error", "warning"} else None
            ),
        )
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        own = address.partition("?")[0]
        page.on(
            "request",
            lambda asked: (
                None
                if asked.url.startswith((own, entrance or own, "data:", "blob:"))
                else self.foreign.append(asked.url)
            ),
        )
        page.goto(entrance or address)
        if (
            entrance or address != own
        ):  # the key becomes a cookie, and the page goes on to where it stands
            page.wait_for_url(own)
        if place:
            page.goto(own + place)
        return page


def until(page, holds):
    """Wait for a condition.

    The page's policy allows no script of a test, so ask again after a redraw.
    """
    from playwright.sync_api import Error

    end = time.monotonic() + PATIENCE
    while True:
        why = "it never came"
        try:
            if holds():
                return
        except Error as error:
            why = str(error)
        assert time.monotonic() < end, why
        page.wait_for_timeout(50)


def shot(place, **options):
    """The picture of a page, or of something in it, also when that is just being drawn anew."""
    found = []
    until(
        getattr(place, "page", place),
        lambda: found.append(place.screenshot(timeout=5000, **options)) or found,
    )
    return Image.open(io.BytesIO(found[-1])).convert("RGB")


TOLD = """async () => {
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
        shown = session.state
        known = {side.key for card in shown.cards.values() for side in card.sides}
        number, keys = page.evaluate(TOLD)
        return number == shown.number and known.issuperset(keys)

    until(page, is_shown)


def save(path, text):
    """Write a file in one go, as editors do: nobody ever reads half of it."""
    fresh = path.with_name(f".{path.name}")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)


def box_of(place):
    """Return the place of an element on the screen, also during a redraw."""
    found = []
    until(place.page, lambda: found.append(place.bounding_box()) or found[-1])
    return found[-1]
