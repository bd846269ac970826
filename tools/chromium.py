"""A headless Chromium, for tests of pages and for the book on paper: where it is, and what it is told."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: The first opens no windows that nobody sees, which saves time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # letters stand on paper where they are as wide as on a screen
]
#: Milliseconds after which what is waited for does not come any more, on a machine ten times busier than any.
PATIENCE = 300_000
MISSING = "no Chromium: install Debian's package chromium-headless-shell or chromium, or set CHROMIUM to its path"


def executable() -> str | None:
    """Path of Chromium on this machine: CHROMIUM, or the first that is found; None if there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def headless(*flags: str) -> Iterator[Browser]:
    """Start it, with flags besides :data:`FLAGS`, and end it afterwards."""
    found = executable()
    if not found:
        raise FileNotFoundError(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=[*FLAGS, *flags], timeout=PATIENCE)
        try:
            yield browser
        finally:
            browser.close()
