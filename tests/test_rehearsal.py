"""A rehearsal is the oracles' own simulation of a column's counts; how a column becomes answers is a stated rule."""

import math

import numpy as np
import pandas as pd
import pytest

from ldp_core import frequency, plan

TINY = ["0", *(str(float(f"{i}e-323")) for i in range(1, 14))]
COLOURS = {"colour": np.repeat(["red", "blue", "green", ""], [600, 250, 100, 50])}


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_each_mechanism_has_its_own_draw_of_the_same_seed(epsilon):
    made = plan.rehearse(COLOURS, "colour", epsilon=epsilon, rng=7)
    assert made.answers == ("blue", "green", "red", "missing")
    assert made.true_counts.tolist() == [250, 100, 600, 50]
    assert made.plan == plan.survey("one", 1000, d=4, epsilon=epsilon)
    assert [trial.mechanism for trial in made.trials] == [row.mechanism for row in made.plan.rows]
    for trial in made.trials:
        oracle = getattr(frequency, trial.mechanism)(epsilon, 4)
        draw = getattr(oracle, "simulate_marginals" if trial.mechanism == "LocalHashing" else "simulate")
        counts = draw(made.true_counts, 7)
        np.testing.assert_array_equal(trial.estimates, oracle.estimate(counts, 1000))
        np.testing.assert_array_equal([trial.low, trial.high], oracle.interval(counts, 1000))
        assert trial.error == pytest.approx(np.linalg.norm(trial.estimates - made.true_counts) / 2)
        promised = math.sqrt(oracle.variance(1000, made.true_counts).mean())
        assert trial.promised == pytest.approx(promised, rel=1e-9), "the plan's error is the exact one, for any shares"


def test_a_rehearsal_prints_what_it_read_and_a_line_for_each_mechanism():
    made = plan.rehearse(COLOURS, "colour", epsilon=1.0, rng=0)
    note, head, *lines = str(made).splitlines()
    assert note == made.note
    assert "public knowledge" in note
    assert "1,000 people" in head
    assert {len(line) for line in lines} == {len(head)}
    for i, (line, trial) in enumerate(zip(lines, made.trials, strict=True)):
        inside = np.sum((trial.low <= made.true_counts) & (made.true_counts <= trial.high))
        assert line[2:].split() == [
            trial.mechanism, f"{trial.error / 10:.3g}", f"{trial.promised / 10:.3g}", str(inside), "of", "4",
        ]  # fmt: skip
        assert (line[0] == "*") == (i == made.plan.best)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([True, False, True, False], {"False": 2, "True": 2}), ([True, False, True], {"True": 2, "other": 1}),
        ([3.0, 3.0, math.nan, 1.0, 1.0], {"1": 2, "3": 2, "missing": 1}),
        ([0.5] * 2 + [10] * 2 + [2] * 3, {"0.5": 2, "2": 3, "10": 2}),
        ([" a", "a ", "b", "b", None, "  "], {"a": 2, "b": 2, "missing": 2}),
        (["other", "other", "x", "y", "z", "z", "missing", "missing", None], {"z": 2, "other": 4, "missing": 3}),
        ([1, 1, "1", "b", "b"], {"1": 3, "b": 2}),
        (pd.Series([1, None, 1, 2, 2], dtype="Int64"), {"1": 2, "2": 2, "missing": 1}),
        (pd.Categorical(["u", "v", "v", "u", None]), {"u": 2, "v": 2, "missing": 1}),
        (["a"] * 3000 + ["b"] * 2000 + ["c"] * 5 + ["d"] * 6, {"a": 3000, "b": 2000, "d": 6, "other": 5}),
        (np.repeat([f"{i:02}" for i in range(30)], 10), {f"{i:02}": 10 for i in range(24)} | {"other": 60}),
        (np.repeat(np.arange(24), 2), {str(i): 2 for i in range(24)}),
        (np.arange(25), {f"{i} to {i + 2}": 2 for i in range(0, 24, 2)} | {"24 to 26": 1}),
        (np.arange(-13, 17), {"-14 to -12": 1} | {f"{i} to {i + 2}": 2 for i in range(-12, 16, 2)} | {"16 to 18": 1}),
        (1_700_000_000_000 + 500 * np.arange(30), {f"{i}000 to {i + 1}000": 2 for i in range(1700000000, 1700000015)}),
        (5e-324 * np.arange(25), {f"{TINY[i]} to {TINY[i + 1]}": 2 - (i == 12) for i in range(13)}),
        ([*range(100), 1e6], {f"{i} to {i + 50000}": {0: 100, 10**6: 1}.get(i, 0) for i in range(0, 1000001, 50000)}),
    ],
)  # fmt: skip
def test_a_column_becomes_answers_by_the_stated_rule(values, expected):
    table = {"x": values} if not isinstance(values, pd.Series | pd.Categorical) else pd.DataFrame({"x": values})
    if isinstance(values, list):
        table["x"] = np.array(values, dtype=object)
    made = plan.rehearse(table, "x", epsilon=1.0, rng=0)
    assert list(zip(made.answers, made.true_counts.tolist(), strict=True)) == list(expected.items())


@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 7.7, 1e250])
def test_ranges_are_the_fewest_that_the_rule_allows(scale):
    values = np.random.default_rng(3).normal(2, 1, size=400) * scale
    made = plan.rehearse({"x": values}, "x", epsilon=1.0, rng=0)
    ends = [float(answer.partition(" to ")[0]) for answer in made.answers]
    width = ends[1] - ends[0]
    assert f"{width:.0e}"[0] in "125"
    assert width == pytest.approx(float(f"{width:.0e}"), rel=1e-6)
    finer = width / 2 if f"{width:.0e}"[0] != "5" else width / 2.5
    assert len(ends) <= 24 < np.floor(values.max() / finer) - np.floor(values.min() / finer) + 1
    expected = np.histogram(values, [*ends, ends[-1] + width])[0]
    np.testing.assert_array_equal(made.true_counts, expected)


@pytest.mark.parametrize(
    ("frame", "column", "error", "message"),
    [
        (COLOURS, "size", ValueError, "column must be the name of a column"), ("colour", 0, TypeError, "frame must"),
        ({"x": ["a", "a"]}, "x", ValueError, "at least two answers"), ({"x": []}, "x", ValueError, "at least one row"),
        ({"x": [[1], [2]]}, "x", ValueError, "one column"), (pd.DataFrame([[1, 2]] * 3, columns=["a", "a"]), "a",
        ValueError, "one column"), ({"x": [f"person {i}" for i in range(50)]}, "x", ValueError, "50 that are rare"),
        ({"x": [f"day {i % 90}" for i in range(900)]}, "x", ValueError, "answers that people share"),
        ({"x": np.array(["2020-01-01"] * 3, dtype="datetime64[D]")}, "x", TypeError, "astype"),
        ({"x": [1.0, math.inf]}, "x", ValueError, r"up to 1e\+290"), ({"x": [{}, {}]}, "x", TypeError, "hash"),
    ],
)  # fmt: skip
def test_what_cannot_be_rehearsed_is_refused_by_name(frame, column, error, message):
    rng = np.random.default_rng(0)
    with pytest.raises(error, match=message):
        plan.rehearse(frame, column, epsilon=1.0, rng=rng)
    assert rng.bit_generator.state == np.random.default_rng(0).bit_generator.state
