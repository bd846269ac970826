"""Theorems, definitions and exercises are numbered by their chapter: Theorem 5.2 stands in chapter 5.

Sphinx counts them through the whole book, or by sections that it has numbered in all headings. Numbers that run through
the book say nothing about a place, and all change when a chapter is inserted. The search finds them by these numbers
(book/assets/search.js).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.index_entries import split_index_msg

from tools.site import page

#: By page, kind (such as "theorem") and id: what stands between the dots of a number.
Numbers = dict[str, dict[str, dict[str, tuple[int | str, ...]]]]

#: What stands before the numbers of all pages that are no chapters.
ASIDE = "A"
#: What the search's index holds for a theorem's title: " (Laplace noise)", " (Forced answers (level 1))".
TITLE = re.compile(r" \((.+?)( \((?:level [123]|transfer)\))?\)")


def by_chapter(counted: Numbers, chapters: Mapping[str, int]) -> Numbers:
    """Number what is counted within each chapter, and elsewhere through all pages, as A1, A2 and so on.

    Examples
    --------
    >>> counted = {"one": {"theorem": {"a": (1,), "b": (2,)}}, "more": {"theorem": {"c": (3,)}}}
    >>> by_chapter(counted, {"one": 7})
    {'one': {'theorem': {'a': (7, 1), 'b': (7, 2)}}, 'more': {'theorem': {'c': ('A1',)}}}
    """
    found: Numbers = {}
    aside: Counter[str] = Counter()
    for name, kinds in counted.items():
        found[name] = {}
        for kind, ids in kinds.items():
            if name in chapters:
                found[name][kind] = {key: (chapters[name], i) for i, key in enumerate(ids, start=1)}
            else:
                found[name][kind] = {key: (f"{ASIDE}{i}",) for i, key in enumerate(ids, start=aside[kind] + 1)}
                aside[kind] += len(ids)
    return found


def _restore(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Give Sphinx its own numbers back, which it compares with its new ones to know what to write anew."""
    env.toc_fignumbers = getattr(env, "ldp_counted", env.toc_fignumbers)
    return []


def _number(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Put our numbers in the place of Sphinx's; return all pages if one changed: any may refer to what it counts."""
    old: Numbers = getattr(env, "ldp_numbers", {})
    new = by_chapter(env.toc_fignumbers, page.numbers(Path(app.srcdir)))  # type: ignore[arg-type]
    env.ldp_counted, env.ldp_numbers = env.toc_fignumbers, new  # type: ignore[attr-defined]
    env.toc_fignumbers = dict(new)  # type: ignore[arg-type]  # Sphinx takes out the pages that it reads anew
    return sorted(env.all_docs) if new != old else []


def labelled(
    titles: list[tuple[str, str]], kinds: Mapping[str, Mapping[str, tuple[int | str, ...]]]
) -> list[tuple[str, str]]:
    """Let what is numbered on a page be found by its name, and by its number.

    Examples
    --------
    >>> labelled([("Noise", "noise"), (" (A coin (level 2))", "ex-coin")], {"exercise": {"ex-coin": (5, 3)}})
    [('Noise', 'noise'), ('A coin', 'ex-coin'), ('Exercise 5.3 (A coin)', 'ex-coin')]
    """
    labels = {
        key: f"{kind.capitalize()} {'.'.join(map(str, number))}"
        for kind, ids in kinds.items()
        for key, number in ids.items()
    }
    found = []
    for title, key in titles:
        if key in labels and (name := TITLE.fullmatch(title)):
            found += [(name[1], key), (f"{labels[key]} ({name[1]})", key)]
        else:
            found.append((title, key))
    return found


def _label(app: Sphinx) -> list[object]:
    """Write the numbers into the search's index, which Sphinx has filled but not yet saved; no page is added.

    Letters by themselves are taken out, and the terms of ``{index}`` put back: Sphinx keeps those of the pages that it
    has just written only.
    """
    titles = app.builder.indexer._all_titles  # type: ignore[attr-defined]
    app.builder.indexer._index_entries = {  # type: ignore[attr-defined]
        name: sorted(
            {(term, target, main) for kind, value, target, main, _ in entries for term in split_index_msg(kind, value)}
        )
        for name, entries in app.env.domaindata["index"]["entries"].items()
        if name in titles
    }
    for name, kinds in app.env.toc_fignumbers.items():
        if name in titles:
            titles[name] = labelled(titles[name], kinds)
    for terms in (app.builder.indexer._mapping, app.builder.indexer._title_mapping):  # type: ignore[attr-defined]
        for letter in [term for term in terms if len(term) == 1 and term.isascii()]:
            del terms[letter]  # the k of k-anonymity is on every page
    return []


def setup(app: Sphinx) -> None:
    """Number after Sphinx has, and let the search know."""
    app.connect("html-collect-pages", _label)
    app.connect("env-get-updated", _restore, priority=100)
    app.connect("env-get-updated", _number, priority=900)
