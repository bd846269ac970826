"""The reference in a browser: from a chapter's code to an entry to its source, on a phone too."""

import pytest

from livefig.tests.browser.axe import in_order, legible

pytestmark = [pytest.mark.browser, pytest.mark.site]


def test_from_code_to_words_to_source(open_page, site):
    page = open_page(site / "book" / "frequency" / "direct-encoding.html")
    page.locator("a.api-link:visible", has_text="DirectEncoding").first.click()
    entry = page.locator("dt[id='ldp_core.frequency.DirectEncoding']")
    assert entry.evaluate("e => Math.abs(e.getBoundingClientRect().top) < innerHeight / 2"), "in view"
    entry.get_by_text("[source]").click()
    assert "class DirectEncoding(PureOracle)" in page.locator("div.viewcode-block#DirectEncoding").inner_text()


def test_every_page_fits_a_phone(open_page, site):
    page = open_page(site / "book" / "appendix" / "api.html", viewport={"width": 360, "height": 740})
    pages = [site / "book" / "appendix" / "api.html", *sorted((site / "api").glob("*.html"))]
    pages.append(next((site / "_modules").rglob("direct.html")))
    wide = []
    for path in pages:
        page.goto(path.as_uri())
        page.wait_for_load_state("load")
        if page.evaluate("document.documentElement.scrollWidth") > 360:
            wide.append(path.name)
    assert not wide


@pytest.mark.parametrize("name", ["api/frequency", "_modules/ldp_core/frequency/direct"])
def test_accessibility(open_page, site, name):
    page = open_page(site / f"{name}.html")
    assert in_order(page) + legible(page) == []
