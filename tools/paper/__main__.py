"""Print the built book, or chapters of it, as a PDF: ``make pdf``, ``make pdf CHAPTER=numeric/one-number``."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tools import chromium, publish, settings, toc
from tools.paper import book, press, proof
from tools.results import say


def main() -> int:
    """Print, read what came out, and say what is wrong with it."""
    parser = argparse.ArgumentParser(prog="python -m tools.paper", description=__doc__)
    parser.add_argument("chapters", nargs="*", help="such as numeric/one-number; none: the whole book")
    parser.add_argument("--paper", choices=list(press.SIZES), default="a4", type=str.lower, help="size of a page")
    parser.add_argument("--site", type=Path, default=toc.ROOT / "_build" / "html", help="the built site")
    parser.add_argument("--to", type=Path, default=toc.ROOT / "_build" / "pdf", help="folder that the PDF goes into")
    arguments = parser.parse_args()
    start = time.perf_counter()
    try:
        names = book.chosen(arguments.chapters)
        bound = book.bound(arguments.site, names, settings.address())
        with chromium.headless() as browser:
            made = press.printed(browser, bound, arguments.paper)
    except (OSError, ValueError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    name = "-".join([publish.NAME, *(page.key for page in bound.pages if arguments.chapters)])
    arguments.to.mkdir(parents=True, exist_ok=True)
    file = arguments.to / f"{name}.pdf"
    file.write_bytes(made.data)
    if made.untyped:
        say(f"This machine has no type for Chinese: {made.untyped} words of it are left out (Debian: fonts-noto-cjk)")
    found = proof.faults(made, bound)
    for fault in found:
        print(f"    {fault}", file=sys.stderr)
    answers = sum(len(page.answers) for page in bound.pages)
    codes = sum(len(page.body.select("a.qr")) for page in bound.pages)
    say(
        f"Printed: {file} ({len(made.data) / 1e6:.0f} MB, {made.pages} pages, {time.perf_counter() - start:.0f} s): "
        f"{len(names)} page{'s' * (len(names) > 1)}, {codes} codes, {answers} solutions and answers "
        "at the end"
    )
    if found:
        print(f"{len(found)} faults, see above", file=sys.stderr)
        return 1
    say("Read: bookmarks, contents and pages agree; no answer before the end; no raw TeX; nothing on a margin")
    return 0


if __name__ == "__main__":
    sys.exit(main())
