"""Whom a mistake is reported to: nobody by default, a mail address or a page if the publisher names one."""

import pytest

from tools.site import contact
from tools.toc import ROOT


def test_nobody_is_named_by_default():
    assert contact.contact_of("") == contact.contact_of("  ") == ("", "")
    assert "http" not in contact.NOBODY


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("errata@example.org", "mailto:errata@example.org?subject=Erratum"),
        (" a.b+c@sub.example.org ", "mailto:a.b+c@sub.example.org?subject=Erratum"),
        ("https://example.org/report", "https://example.org/report"),
    ],
)
def test_addresses(text, target):
    assert contact.contact_of(text) == (text.strip(), target)


@pytest.mark.parametrize("text", ["somebody", "http://example.org", "javascript:alert(1)", "a@b", "x@y.z <script>"])
def test_what_is_no_address(text):
    with pytest.raises(ValueError, match=r"LDP_BOOK_CONTACT must be .*got"):
        contact.contact_of(text)


def test_the_page_has_the_contact_and_the_list():
    page = (ROOT / "book" / "appendix" / "errata.md").read_text(encoding="utf-8")
    assert "```{errata-contact}" in page
    assert page.count("\n| ") > 20
