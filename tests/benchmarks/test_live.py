"""Measure the live page in a browser: `pytest -m benchmark -s` with this file.

Measures the time from a saved cell to the picture on the screen, memory after many saves, and the
frames while thousands of faces scroll by.
"""

import os
import resource
import statistics
import time
from pathlib import Path

import pytest

from generator.base.steps import peak_memory
from tests.tools.large_deck import deck
from tests.tools.live_browser import Chromium, live_page

pytestmark = pytest.mark.benchmark
SAVES = 12

SEEN = """() => new Promise((done) => {
  const piece = document.querySelector('.card[data-name="cards:d0"] .piece');
  const before = piece.dataset.at;
  const look = new MutationObserver(() => {
    if (piece.dataset.at === before) return;
    look.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.timeOrigin + performance.now())));
  });
  look.observe(piece, { attributes: true });
  setTimeout(() => done(0), 15000);
})"""


def wait_until_rendered(session):
    """Wait until all sides of a session are rendered in the background."""
    keys = [side.key for card in session.state.cards.values() for side in card.sides]
    while not all(map(session.renderer.is_rendered, keys)):
        time.sleep(0.1)


@pytest.mark.parametrize(("designs", "max_seconds"), [(60, 0.1), (600, 0.3), (6000, 5.0)])
def test_a_saved_cell_is_seen_soon(tmp_path, designs, max_seconds):
    folder = deck(tmp_path / "deck", designs)
    with live_page(folder) as live, Chromium() as browser:
        page = browser.open(live.server.address)
        page.wait_for_selector('.card[data-name="cards:d0"] .piece[data-at]')
        wait_until_rendered(live.session)
        delays = []
        for index in range(SAVES):
            table = folder / "cards.csv"
            text = table.read_text("utf-8")
            page.evaluate(f"void (globalThis.seen = ({SEEN})())")
            table.write_text(
                text.replace(text.split("\n")[1].split(",")[1], f"Saved {index}", 1), "utf-8"
            )
            saved = time.time()
            delays.append(page.evaluate("globalThis.seen") / 1000 - saved)
            time.sleep(0.1 + index * 0.003)
        middle = statistics.median(delays)
        print(
            f"\n{designs} designs: from saving to the screen {1000 * min(delays):.0f} ms at the least, "
            f"{1000 * middle:.0f} in the middle, {1000 * max(delays):.0f} at the most; {peak_memory() / 1e6:.0f} MB; "
            f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        )
        assert page.locator(".card").count() < 100
        assert min(delays) < max_seconds


def resident_bytes():
    """Return the resident bytes of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def test_memory_is_flat_after_many_saves(tmp_path):
    folder = deck(tmp_path / "deck", 60)
    table = folder / "cards.csv"
    text = table.read_text("utf-8")
    title = text.split("\n")[1].split(",")[1]
    with live_page(folder) as live, Chromium() as browser:
        page = browser.open(live.server.address)
        page.wait_for_selector('.card[data-name="cards:d0"] .piece[data-at]')
        tools = page.context.new_cdp_session(page)
        samples = []
        for index in range(1, 501):
            number = live.session.state.number
            table.write_text(text.replace(title, f"Saved {index}", 1), "utf-8")
            while live.session.state.number == number:
                page.wait_for_timeout(5)
            if index % 100 == 0:
                page.wait_for_timeout(500)
                tools.send("HeapProfiler.collectGarbage")
                samples.append((resident_bytes(), tools.send("Runtime.getHeapUsage")["usedSize"]))
        for hundreds, (process_bytes, page_bytes) in enumerate(samples, 1):
            print(
                f"\nafter {100 * hundreds} saves: {process_bytes / 1e6:.0f} MB, "
                f"and {page_bytes / 1e6:.1f} MB in the page",
                end="",
            )
        print()
        assert samples[-1][0] - samples[0][0] < 15e6
        assert samples[-1][1] - samples[0][1] < 2e6


STEPS = 180
"""Frames, in each of which the cards move by 240 pixels."""
SCROLL = """(steps) => new Promise((done) => {
  const place = document.querySelector('.scroll');
  let most = 0, left = steps;
  const step = () => {
    place.scrollTop += 240;
    most = Math.max(most, document.querySelectorAll('.card').length);
    left -= 1;
    if (left) requestAnimationFrame(step); else done(most);
  };
  requestAnimationFrame(step);
})"""


def test_thousands_of_faces_scroll_smoothly(tmp_path):
    """Measure the CPU time of the page's thread, which does not depend on other processes."""
    folder = deck(tmp_path / "deck", 6000)
    with live_page(folder) as live, Chromium() as browser:
        page = browser.open(live.server.address)
        page.wait_for_selector('.card[data-name="cards:d0"] .piece[data-at]')
        tools = page.context.new_cdp_session(page)
        tools.send("Performance.enable", {"timeDomain": "threadTicks"})

        def spent():
            metrics = tools.send("Performance.getMetrics")["metrics"]
            return next(
                1000 * metric["value"] for metric in metrics if metric["name"] == "TaskDuration"
            )

        frames = []
        for _ in range(3):
            before = spent()
            card_count = page.evaluate(SCROLL, STEPS)
            frames.append((spent() - before) / STEPS)
        print(
            f"\n6000 faces scroll by: {min(frames):.1f} ms of work a frame; at most {card_count} cards in the page"
        )
        assert card_count < 200
        assert min(frames) < 16.7
