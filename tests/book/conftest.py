"""The pages of the built site, read once for all that is asked of them."""

import re
from html.parser import HTMLParser

import pytest

from tools.toc import ROOT

HTML = ROOT / "_build" / "html"
#: (tag, attribute) pairs that make a browser fetch something without being asked.
LOADS = {
    ("script", "src"), ("img", "src"), ("img", "srcset"), ("iframe", "src"), ("source", "src"), ("source", "srcset"),
    ("video", "src"), ("audio", "src"), ("embed", "src"), ("object", "data"), ("input", "src"), ("track", "src"),
}  # fmt: skip
FETCHING_RELATIONS = {
    "stylesheet", "preload", "modulepreload", "icon", "prefetch", "preconnect", "dns-prefetch", "manifest",
}  # fmt: skip

#: Two thirds of all tags: colours of code, of which nothing is asked.
SPANS = re.compile(r'</?span(?: class="[^"]*")?>')


class Page(HTMLParser):
    """What a page loads, its links (address, class, text), its ids, its images."""

    def __init__(self, path):
        super().__init__()
        self.loads, self.links, self.ids, self.images, self.open = [], [], [], [], None
        self.text = path.read_text(encoding="utf-8")
        self.feed(SPANS.sub("", self.text))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.ids += [attributes["id"]] if attributes.get("id") else []
        self.loads += [value for key, value in attrs if value and (tag, key) in LOADS]
        if tag == "link" and set((attributes.get("rel") or "").split()) & FETCHING_RELATIONS:
            self.loads.append(attributes.get("href") or "")
        if tag == "a" and attributes.get("href"):
            self.open = [attributes["href"], attributes.get("class", ""), ""]
            self.links.append(self.open)
        if tag == "img":
            self.images.append(attributes)

    def handle_endtag(self, tag):
        if tag == "a":
            self.open = None

    def handle_data(self, data):
        if self.open:
            self.open[2] += data


@pytest.fixture(scope="session")
def built():
    if not (HTML / "index.html").is_file():
        pytest.fail("the site is not built: run make book first (make test does)")
    pages = (path for path in HTML.rglob("*.html") if not {"lite", "_static"} & set(path.relative_to(HTML).parts))
    return {path.relative_to(HTML).as_posix(): Page(path) for path in pages}
