"""What a page weighs and how quickly its sliders follow, in headless Chromium over the built site.

For every page with a slider: the bytes that its first view fetches, and the time from moving a slider to the next
painted frame with the new picture, median and worst over all positions of the page's first slider. A position that
shows the same picture as the one before has nothing to wait for and is left out. Needs the built book (``make book``),
Playwright and Chromium, as the browser tests do.

    python -m benchmarks.browser [--json out.json] [--save]
"""

from __future__ import annotations

import functools
import statistics
import sys
import threading
from typing import Any

from playwright.sync_api import Browser

from benchmarks import _harness
from tools import chromium
from tools.serve import open_server
from tools.toc import ROOT, contents

MOVE = """async (figure) => {
  const input = figure.querySelector("input[type=range]"), stage = figure.querySelector(".lf-stage");
  const times = [];
  for (let value = Number(input.min); value <= Number(input.max); value++) {
    if (value === Number(input.value)) continue;
    const before = stage.innerHTML, start = performance.now();
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    while (stage.innerHTML === before && performance.now() - start < 2000) await new Promise(requestAnimationFrame);
    if (stage.innerHTML === before) continue;  // this position's picture is the one before it
    await new Promise(requestAnimationFrame);
    times.push(performance.now() - start);
  }
  return times;
}"""

WEIGHT = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, entry) => sum + entry.decodedBodySize, 0)"""


def measure_page(browser: Browser, address: str) -> dict[str, Any] | None:
    """Open one page, add up what it fetches, move its first slider through all positions."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(chromium.PATIENCE)
    page.goto(address, wait_until="networkidle")
    weight: int = page.evaluate(WEIGHT)
    figure = page.locator("figure.lf-live:has(input[type=range])").first
    if not figure.count():
        page.close()
        return None
    figure.scroll_into_view_if_needed()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)
    times: list[float] = figure.evaluate(MOVE)
    page.close()
    return {"megabytes": weight / 1e6, "median_ms": statistics.median(times), "worst_ms": max(times)}


def measure() -> dict[str, Any]:
    """All pages with a slider."""
    html = ROOT / "_build" / "html"
    if not (html / "index.html").is_file():
        sys.exit("the site is not built: run make book first")
    server = open_server(html, 8400)
    threading.Thread(target=functools.partial(server.serve_forever, 0.05), daemon=True).start()
    rows = []
    with chromium.headless() as browser:
        for name in contents():
            if found := measure_page(browser, f"http://127.0.0.1:{server.server_address[1]}/{name}.html"):
                rows.append({"page": name.removeprefix("book/"), **found})
        version = browser.version
    server.shutdown()
    return {"chromium": version, "rows": rows}


def show(result: dict[str, Any]) -> None:
    """Print a table."""
    print(f"{'page':40} {'MB':>6} {'median ms':>10} {'worst ms':>9}")
    for row in result["rows"]:
        print(f"{row['page']:40} {row['megabytes']:6.2f} {row['median_ms']:10.1f} {row['worst_ms']:9.1f}")


if __name__ == "__main__":
    _harness.main(__doc__, "browser", measure, show)
