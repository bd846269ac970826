"""What a built page may run and load: a content security policy, in a tag of its head, so that any host will do.

Should text ever get into a page as markup, by an address, by what a browser remembers or by a notebook's output, the
browser does not run it: scripts run if they are files of the site, or were in the page when it was built. Then their
hashes are in its policy. So this comes last, when nothing changes the pages any more.

JupyterLite's pages have none. They are there to run what a reader types, evaluate code, and load from other hosts what
that code asks for; a policy that lets all this pass would keep nothing out. Nor can a hash vouch for Pyodide from
jsDelivr: the page never loads it, and the worker that does (run-worker.js) could hash its first file only, which then
imports the others by itself; of these Pyodide compares the packages with the checksums in its own list.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from sphinx.application import Sphinx

#: The site's own files. Browsers disagree on whether 'self' means those beside a page that was opened from a disk.
OWN = "'self' file:"
#: Each kind of content, and why it may come from there.
SOURCES = {
    "default-src": "'none'",
    "script-src": OWN,  # figures' frames are scripts, too; hashes of what is in the page are added
    "style-src": f"{OWN} 'unsafe-inline'",  # pictures in SVG, formulas and sliders' ticks have styles of their own
    "img-src": f"{OWN} data:",  # small images of style sheets, and of Matplotlib inside its SVG
    "font-src": OWN,
    "connect-src": OWN,  # the search, and the code of exercises
    # The worker that fetches Python, from jsDelivr if need be, after a click that says so. A policy in a page does not
    # bind a worker that has a file of its own; so no other host stands here.
    "worker-src": OWN,
    "form-action": OWN,
    "base-uri": "'none'",
    "object-src": "'none'",
}

TAG = re.compile(r'\s*<meta http-equiv="Content-Security-Policy"[^>]*>')
CHARSET = re.compile(r'<meta charset="[^"]*"\s*/?>')
INLINE = re.compile(r"<script\b(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)
#: The theme's buttons carry what they do in an attribute, which no hash should allow: book.js does it for them.
HANDLER = re.compile(r' onclick="(window\.print|toggleFullScreen)\(\)"')


def meta(page: str) -> str:
    """The tag for a page's text, which belongs before everything that loads or runs something."""
    scripts = dict.fromkeys(INLINE.findall(page))
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'" for code in scripts]
    allowed = SOURCES | {"script-src": " ".join([SOURCES["script-src"], *hashes])}
    said = "; ".join(f"{kind} {sources}" for kind, sources in allowed.items())
    return f'<meta http-equiv="Content-Security-Policy" content="{said}" />'


def protect(text: str) -> str:
    """Give a page its policy, in place of an older one, after its encoding, which browsers look for at the very top."""
    text = HANDLER.sub(r' data-calls="\1"', TAG.sub("", text))
    return CHARSET.sub(lambda match: f"{match[0]}\n    {meta(text)}", text, count=1)


def _write(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    folder = Path(app.outdir)
    for path in folder.rglob("*.html"):
        if path.relative_to(folder).parts[0] not in ("lite", "_static"):
            text = path.read_text(encoding="utf-8")
            if (new := protect(text)) != text:
                path.write_text(new, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Write the policies when the pages are done."""
    app.connect("build-finished", _write, priority=900)
