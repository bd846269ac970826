"""A study runs repetition by repetition, and is stored with what it was computed from."""

import json
import random

import numpy as np
import pytest

from ldp_book import datasets
from ldp_book.datasets.registry import find
from ldp_book.studies import running, stored

#: What is drawn here to be computed again is another piece in every run of the suite; every piece must agree.
LOT = random.SystemRandom()


def coins(_, seed):
    rng = np.random.default_rng(seed)
    return {"heads": rng.integers(2, size=3), "tails": rng.integers(2, size=3)}


def wrong(_, seed):
    return {"heads": [seed]}


@pytest.fixture
def study(monkeypatch):
    """A study of coins, in place of those of the package; the stand-in is in place of the real file."""
    parts = {"coins": running.Part("car", {"toss": [1, 2, 3]}, 4, coins)}
    monkeypatch.setattr(running, "parts", lambda _: parts)
    load = datasets.load
    monkeypatch.setattr(running.datasets, "load", lambda name, source: load(name, source="standin"))
    return parts


def test_every_repetition_can_be_computed_alone(study, tmp_path):
    tables = {"coins": running.run("toy", "coins", jobs=1)}
    table = stored.from_json(json.loads(running.save("toy", tables, tmp_path).read_text(encoding="utf-8"))["coins"])
    assert table.at == {"toss": [1, 2, 3]}
    assert table["heads"].shape == (3, table.repetitions) == (3, 4)
    for r in range(4):
        for column, values in running.repetition("toy", "coins", r).items():
            np.testing.assert_array_equal(values, table[column][:, r])
    assert len({running.seed("toy", "coins", r) for r in range(1000)}) == 1000


def test_storing_one_part_keeps_the_others_and_drops_what_the_study_lost(study, tmp_path):
    table = running.run("toy", "coins", jobs=1)
    study["again"] = study["coins"]
    running.save("toy", {"coins": table, "again": table}, tmp_path)
    del study["coins"]
    file = running.save("toy", {}, tmp_path)
    assert list(json.loads(file.read_text(encoding="utf-8"))) == ["again"]
    assert [path.name for path in tmp_path.iterdir()] == ["toy.json"]


def test_a_column_that_does_not_fit_the_settings_is_refused(study):
    study["coins"] = running.Part("car", {"toss": [1, 2, 3]}, 4, wrong)
    with pytest.raises(ValueError, match=r"column 'heads' of toy/coins must have shape \(3,\), got \(1,\)"):
        running.repetition("toy", "coins", 0)


def test_what_is_not_there_is_refused(study):
    for r in (-1, 4, 0.5):
        with pytest.raises((TypeError, ValueError), match="r must be"):
            running.repetition("toy", "coins", r)
    with pytest.raises(ValueError, match="part must be one of 'coins'"):
        running.repetition("toy", "dice", 0)
    with pytest.raises(ValueError, match="name must be"):
        stored.load("../toy")


def test_every_study_is_stored_and_the_other_way_round():
    assert stored.names() == running.defined()


@pytest.mark.parametrize("name", running.defined())
class TestStored:
    def test_results_are_those_of_the_study_as_it_is_now(self, name):
        found, parts = stored.load(name), running.parts(name)
        assert list(found) == list(parts)
        for part, table in found.items():
            what = parts[part]
            assert table.at == {setting: list(places) for setting, places in what.at.items()}
            shape = (*map(len, table.at.values()), what.repetitions)
            assert {values.shape for values in table.values()} == {shape}, part
            assert all(np.all(np.isfinite(values)) for values in table.values())
            assert table.seconds > 0

    def test_every_part_names_the_files_it_read(self, name):
        for part, table in stored.load(name).items():
            about = find(running.parts(name)[part].data)
            assert table.files == {file.path: file.sha256 for file in about.files}
            assert table.rows.startswith(about.title)
        assert "real files" in stored.load(name).describe()

    @pytest.mark.data
    def test_a_piece_drawn_by_lot_comes_out_again(self, name):
        """Two repetitions by lot; shares may differ by a row or two, where another sum breaks a tie."""
        found, parts = stored.load(name), running.parts(name)
        for _ in range(2):
            part = LOT.choice(list(parts))
            r = LOT.randrange(parts[part].repetitions)
            try:
                again = running.repetition(name, part, r)
            except datasets.DataUnavailable:
                pytest.skip("LDP_BOOK_DATA names no folder with the real files")
            rows = len(datasets.load(parts[part].data).frame)
            for column, values in again.items():
                message = f"{name}/{part}, repetition {r}, {column}"
                stored_one = found[part][column][..., r]
                np.testing.assert_allclose(values, stored_one, rtol=1e-4, atol=max(2e-3, 4 / rows), err_msg=message)
