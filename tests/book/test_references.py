"""The bibliography as it is printed: nothing that an entry holds gets lost or gains a capital on the way."""

import re

import pytest
from pybtex.backends.plaintext import Backend
from pybtex.database import parse_file
from pybtex.style.formatting.plain import Style

from tools.toc import ROOT

ENTRIES = parse_file(ROOT / "book" / "references.bib").entries
PRINTED = {
    entry.key: entry.text.render(Backend())
    for entry in Style().format_bibliography(parse_file(ROOT / "book" / "references.bib"))
}


@pytest.mark.parametrize("key", ENTRIES)
def test_an_entry_is_printed_whole(key):
    fields, text = ENTRIES[key].fields, PRINTED[key]
    for field in ("volume", "number", "pages", "doi"):
        assert fields.get(field, "").replace("--", "–") in text, "without pages a volume is left out: a note can say it"
    assert not re.search(r"\. [A-Z]-[a-z]", text), "braces keep the k of k-anonymity small"


@pytest.mark.parametrize("key", [key for key, entry in ENTRIES.items() if "journal" in entry.fields])
def test_an_article_has_no_preprint_s_doi(key):
    assert not ENTRIES[key].fields.get("doi", "").startswith("10.48550/")


def test_a_paper_reader_finds_what_is_on_a_repository_s_host():
    """The theme shortens such links to a name, which tells a screen's reader where it leads, and no other."""
    for key, entry in ENTRIES.items():
        if (url := entry.fields.get("url", "")).startswith("https://github.com/"):
            assert "/".join(url.split("/")[3:5]) + " on GitHub" in PRINTED[key], key
