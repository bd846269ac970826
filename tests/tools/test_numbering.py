"""Numbers by chapter, also where a page is left as it was and what it refers to has another number now."""

from types import SimpleNamespace

import pytest

from tools.site import numbering


@pytest.fixture
def build(monkeypatch):
    """One build after the other with the same environment: what Sphinx counts in, and the pages written anew."""
    env = SimpleNamespace(toc_fignumbers={}, all_docs={"one": 0, "two": 0, "refers": 0})
    app = SimpleNamespace(srcdir=".")

    def once(counted, chapters):
        monkeypatch.setattr(numbering.page, "numbers", lambda root: chapters)
        assert numbering._restore(app, env) == []
        before = env.toc_fignumbers
        env.toc_fignumbers = counted
        return before, numbering._number(app, env), env.toc_fignumbers

    return once


def test_pages_that_may_refer_to_a_changed_number_are_written_anew(build):
    counted = {"one": {"theorem": {"a": (1,)}}, "two": {"theorem": {"b": (2,)}}}
    everything = ["one", "refers", "two"]
    _, anew, numbers = build(counted, {"one": 1, "two": 2})
    assert anew == everything
    assert numbers == {"one": {"theorem": {"a": (1, 1)}}, "two": {"theorem": {"b": (2, 1)}}}
    before, anew, _ = build(counted, {"one": 1, "two": 2})
    assert before == counted, "Sphinx compares with its own numbers, not with ours"
    assert anew == []
    _, anew, numbers = build(counted, {"one": 1, "two": 3})  # a chapter is inserted
    assert numbers["two"] == {"theorem": {"b": (3, 1)}}
    assert anew == everything
    assert build({"one": counted["one"]}, {"one": 1})[1] == everything  # what is gone may be referred to as well


def test_the_search_keeps_the_terms_of_pages_that_were_not_written_anew():
    """Sphinx pickles them before it fills them: a second build would have those of the changed page only."""
    written = {"new": [("a term", "t", "")]}
    indexer = SimpleNamespace(
        _all_titles={"old": [], "new": []}, _mapping={}, _title_mapping={}, _index_entries=written
    )
    entries = {
        "old": [("single", "odds", "o", "", None)],
        "new": [("single", "a term", "t", "", None)],
        "gone": [("single", "lost", "l", "", None)],
    }
    env = SimpleNamespace(toc_fignumbers={}, domaindata={"index": {"entries": entries}})
    numbering._label(SimpleNamespace(builder=SimpleNamespace(indexer=indexer), env=env))
    assert indexer._index_entries == {"old": [("odds", "o", "")], **written}
