"""What a chapter sees: `load`, its sources, its notice, its errors."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pandas as pd
import pytest

from ldp_book import datasets
from ldp_book.datasets import DataNotice, DataUnavailable, fetch
from ldp_book.datasets.registry import SOURCES

from . import conftest as web
from .conftest import FILE, Server


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the data set "adult" be a file of three rows, so that a download is short; the stand-in is Adult's."""
    monkeypatch.setitem(SOURCES, "adult", dataclasses.replace(SOURCES["adult"], files=(FILE,)))


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("source", ["auto", "uci"])
def test_real_file_by_download_then_from_the_cache(server: Server, cache: Path, source: str) -> None:
    for _ in range(2):
        adult = datasets.load("adult", source=source)
        assert (adult.source, len(adult.frame)) == ("uci", 3)
        assert "UCI Adult file" in adult.describe_source()
        assert "3 rows" in adult.describe_source()
    assert server.requests == 1


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("behaviour", [web.not_found, web.stalled])
def test_auto_gives_a_notice_and_the_standin_and_asks_once(server: Server, cache: Path, behaviour, monkeypatch) -> None:
    server.behaviour = behaviour
    web.hurry(monkeypatch, server, behaviour)
    with pytest.warns(DataNotice) as caught:
        adult = datasets.load("adult")
    assert [str(notice.message) for notice in caught] == [
        "UCI Adult: LDP_BOOK_DATA names no folder, and the file could not be had from UCI, so these are the rows of "
        "the packaged stand-in. "
        'datasets.load("adult", source="uci") says how to get the real file.'
    ]
    assert caught[0].filename == __file__
    assert (adult.source, len(adult.frame)) == ("standin", 32_561)
    server.behaviour = web.good
    with pytest.warns(DataNotice):
        again = datasets.load("adult")
    assert again.source == "standin"
    pd.testing.assert_frame_equal(again.frame, adult.frame)
    assert server.requests == 1
    assert not cache.exists()
    # Asked for by name, the real file is tried again; from then on "auto" finds it in the cache.
    assert datasets.load("adult", source="uci").source == "uci"
    assert datasets.load("adult").source == "uci"
    assert server.requests == 2


@pytest.mark.parametrize(("behaviour", "asked"), [(web.broken, 2), (web.stalled, 1)])
def test_a_server_that_answers_is_asked_for_other_sets_and_one_that_does_not_is_left_alone(
    server: Server, cache: Path, behaviour, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("adult", "car"):
        monkeypatch.setitem(SOURCES, name, dataclasses.replace(SOURCES["adult"], name=name, files=(FILE,)))
    monkeypatch.setattr(datasets.standin, "draw", lambda _: pd.DataFrame({"age": [1]}))
    server.behaviour = behaviour
    web.hurry(monkeypatch, server, behaviour)
    for _ in range(2):
        for name in ("adult", "car"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DataNotice)
                assert datasets.load(name).source == "standin"
    assert server.requests == asked


@pytest.mark.parametrize("filters", [[], ["-W", "default"], ["-W", "error"]])
def test_the_notice_is_shown_once_a_process_unless_the_reader_wants_otherwise(
    tmp_path: Path, filters: list[str]
) -> None:
    """Python's own filters decide, so no call's outcome hangs on which calls came before."""
    code = (
        "import warnings\nfrom ldp_book import datasets\nraised = 0\n"
        "for name in ('car', 'adult', 'car', 'adult'):\n"
        "    try:\n        datasets.load(name)\n    except datasets.DataNotice:\n        raised += 1\n"
        "    with warnings.catch_warnings():\n        warnings.simplefilter('always')  # as many packages do\n"
        "datasets.load('car', source='standin')\nprint(raised)"
    )
    root = str(Path(fetch.__file__).parents[2])
    environment = os.environ | {"LDP_BOOK_DATA": str(tmp_path), "LDP_BOOK_OFFLINE": "1"}
    command = [sys.executable, *filters, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, env=environment, check=True)
    shown = done.stderr.count("these are the rows of the packaged stand-in")
    expected = {"": (2, 0), "default": (4, 0), "error": (0, 4)}
    assert (shown, int(done.stdout)) == expected["".join(filters[1:])]


def test_standin_touches_neither_network_nor_cache(server: Server, cache: Path) -> None:
    adult = datasets.load("adult", source="standin")
    assert adult.source == "standin"
    assert "packaged stand-in for UCI Adult" in adult.describe_source()
    assert server.requests == 0
    assert not cache.exists()


@pytest.mark.usefixtures("three")
def test_in_the_browser_auto_is_the_standin_with_a_notice_of_its_own(
    server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.warns(DataNotice, match="Python in the browser cannot download from UCI"):
        assert datasets.load("adult").source == "standin"
    with pytest.raises(DataUnavailable, match="Python in the browser"):
        datasets.load("adult", source="uci")
    assert server.requests == 0


def test_dataset_is_frozen_and_its_frame_is_the_callers_own() -> None:
    adult = datasets.load("adult", source="standin")
    with pytest.raises(dataclasses.FrozenInstanceError):
        adult.source = "uci"
    adult.frame["age"] = 0
    assert datasets.load("adult", source="standin").frame["age"].min() == 17
