"""From saving a cell to the picture on the screen, in a real browser: `pytest -m benchmark -s` with this file."""

import shutil
import statistics
import time

import pytest
from decks import deck
from live_browser import Chromium, live_page

from generator.core.timing import peak_memory

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


@pytest.mark.skipif(not shutil.which("chromium"), reason="no chromium")
@pytest.mark.parametrize(("designs", "most"), [(60, 0.1), (600, 0.3), (6000, 5.0)])
def test_a_saved_cell_is_seen_soon(tmp_path, designs, most):
    folder = deck(tmp_path / "deck", designs)
    with live_page(folder) as live, Chromium() as browser:
        page = browser.open(live.server.address)
        page.wait_for_selector('.card[data-name="cards:d0"] .piece[data-at]')
        while live.session._undrawn:
            time.sleep(0.1)
        taken = []
        for nth in range(SAVES):
            table = folder / "cards.csv"
            text = table.read_text("utf-8")
            page.evaluate(f"void (globalThis.seen = ({SEEN})())")
            table.write_text(text.replace(text.split("\n")[1].split(",")[1], f"Saved {nth}", 1), "utf-8")
            saved = time.time()
            taken.append(page.evaluate("globalThis.seen") / 1000 - saved)
            time.sleep(0.1 + nth * 0.003)
        middle = statistics.median(taken)
        print(
            f"\n{designs} designs: from saving to the screen {1000 * middle:.0f} ms, "
            f"{1000 * min(taken):.0f} to {1000 * max(taken):.0f}; {peak_memory() / 1e6:.0f} MB"
        )
        assert page.locator(".card").count() < 100
        assert middle < most
