"""A live page and a real Chromium that looks at it, which asks nobody else for anything and finds no fault in it.

Needs Chromium on the path (`apt-get install chromium`, or set CHROMIUM to its program).
"""

import os
import shutil
from contextlib import contextmanager

import pytest

from generator.live.serving import Serving
from generator.pack.load import PackForm


@contextmanager
def live_page(folder, **options):
    serving = Serving(folder, PackForm(), **options)
    serving.begin()
    try:
        yield serving
    finally:
        serving.end()


class Chromium:
    """A browser; `faults` is what its console says, `foreign` what was asked of anybody but the page's own server."""

    def __init__(self, **look):
        self.look = {"viewport": {"width": 1360, "height": 860}, **look}
        self.faults, self.foreign = [], []

    def __enter__(self):
        from playwright.sync_api import sync_playwright

        program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
        if not program:
            pytest.fail("pages are looked at in Chromium, which is not here: apt-get install chromium", pytrace=False)
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        return self

    def __exit__(self, *_):
        self._browser.close()
        self._playwright.stop()

    def open(self, address, place=""):
        page = self._browser.new_context(**self.look).new_page()
        page.on("console", lambda said: self.faults.append(said.text) if said.type in {"error", "warning"} else None)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on(
            "request",
            lambda asked: None if asked.url.startswith((address, "data:", "blob:")) else self.foreign.append(asked.url),
        )
        page.goto(address + place)
        return page


def until(page, holds):
    """Wait; the page's policy lets no test of ours do it inside."""
    for _ in range(200):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it never came")


def box_of(place):
    """Where something is on the screen, also when it is just being drawn anew."""
    found = []
    until(place.page, lambda: found.append(place.bounding_box()) or found[-1])
    return found[-1]
