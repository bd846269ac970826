import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from livefig import choice, draws, log_slider, say, slider
from livefig.controls import register_meaning, slug


@pytest.mark.parametrize(
    ("lo", "hi", "n", "value", "hit"),
    [
        (0.1, 8, 16, 1.1, [0.1, 0.3, 0.5, 1, 1.1, 3, 5]),
        (0.1, 6, 17, 1.1, [0.1, 0.3, 0.5, 1, 1.1, 3, 5]),
        (0.05, 5, 25, None, [0.1, 0.3, 0.5, 1, 3]),
        (0.1, 10, 5, 1.0, [0.1, 0.3, 1, 3, 10]),
        (1e-5, 1, 11, 1e-3, [1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1]),
        (30, 3e9, 9, 3e5, [30, 300, 3e3, 3e4, 3e5, 3e6, 3e7, 3e8, 3e9]),
    ],
)
def test_round_values_are_hit_exactly(lo, hi, n, value, hit):
    control = log_slider(lo, hi, n, value=value)
    assert set(hit) <= set(control.values)
    assert len(control.values) == n
    assert value is None or control.values[control.start] == value


def test_powers_of_two_stay():
    assert log_slider(0.125, 8, 7, value=1.0).values == (0.125, 0.25, 0.5, 1, 2, 4, 8)


def test_ticks_are_round_and_have_room():
    control = log_slider(0.1, 8, n=16, value=1.1)
    assert [control.values[i] for i in control.ticks] == [0.1, 0.3, 1, 3, 5, 8]
    people = log_slider(30, 3e9, 9, format=lambda v: f"{v:,.0f}")
    for i, j in zip(people.ticks, people.ticks[1:], strict=False):
        assert (j - i) / 8 * 250 > 3 * (len(people.texts[i]) + len(people.texts[j])), "on a phone"
    assert slider(0, 10).ticks == (0, 2, 5, 8, 10)
    halves = log_slider(0.25, 8, 6)
    assert [halves.values[i] for i in halves.ticks] == [0.25, 0.5, 1, 2, 4, 8]
    assert slider(-1.0, 1.0, 3).texts == ("−1", "0", "1")
    # At the end a number stands inside the rail, and the one before it gives way.
    rows = log_slider(10, 1000, 9, format=lambda v: f"{v:,.0f}")
    assert [rows.texts[i] for i in rows.ticks] == ["10", "30", "50", "100", "300", "1,000"]
    people = log_slider(100, 1e6, 9, format=lambda v: f"{v:,.0f}")
    assert [people.texts[i] for i in people.ticks] == ["100", "300", "1,000", "10,000", "1,000,000"]


def test_a_slider_says_what_its_label_means():
    control = log_slider(0.1, 10, 5, value=1.0).named("epsilon")
    assert control.meanings[2] == "1 in words"
    assert control.ends == ("less", "more")
    with_delta = log_slider(0.1, 10).named("epsilon", ["epsilon", "delta"])
    assert (with_delta.meaning, with_delta.ends) == (None, ("less", "more"))
    with pytest.raises(TypeError, match="meaning must be a function"):
        register_meaning("ε", "words", ("less", "more"))
    with pytest.raises(TypeError, match="ends must be two texts"):
        register_meaning("ε", str, ("less",))
    assert log_slider(0.1, 10, label="ε", meaning="in all").named("budget").meanings[0] == "in all"
    assert not any(log_slider(0.1, 10, meaning="").named("epsilon").meanings)
    assert not any(log_slider(0.1, 10).named("sigma").meanings)
    assert not any(choice(0.1, 10, "none").named("epsilon").meanings)
    assert slider(0, 2, meaning=lambda k: f"{k} bits").meanings == ("0 bits", "1 bits", "2 bits")


@given(st.floats(1e-3, 1e8), st.sampled_from([-1, 1]))
@example(999.6, 1)
@example(9_999.6, 1)
@example(99_999.6, -1)
def test_what_is_said_to_be_a_bound_is_one(size, sign):
    value = sign * size
    low, high = (float(say(value, bound).replace(",", "").replace("−", "-")) for bound in ("at least", "at most"))
    slack = 1e-9 * size
    assert low - slack <= value <= high + slack
    assert high - low <= 0.011 * size
    assert say(value) in (say(value, "at least"), say(value, "at most"))


def test_texts_of_sliders_and_choices():
    assert log_slider(1e-6, 1e4, 6).texts == ("10⁻⁶", "0.0001", "0.01", "1", "100", "10,000")
    assert slider(-2_000, 0.0, 3).texts == ("−2,000", "−1,000", "0")
    assert choice(True, False, 1234567890, 1e12).texts == ("True", "False", "1,234,567,890", "10¹²")


def test_bounds_of_round_numbers_are_these_numbers():
    for value, text in ((math.exp(math.log(3)), "3"), (1 - 1e-15, "1"), (0, "0"), (1e12, "10¹²"), (math.inf, "∞")):
        assert say(value, "at least") == say(value, "at most") == text
    assert (say(999.6), say(999.6, "at least"), say(-999.6, "at least")) == ("1,000", "999", "−1,000")
    assert (say(-0.0), say(1.7976e308, "at most")) == ("0", "∞")
    with pytest.raises(ValueError, match="bound"):
        say(1, "at worst")


def test_how_an_address_names_values():
    assert log_slider(0.1, 10, 3).keys == ("0.1", "1", "10")
    assert log_slider(1e-5, 1, 6).keys[0] == "1e-05"
    assert choice(1_000, 32_561).keys == ("1000", "32561")
    assert choice("ages of 301", "Hours!").keys == ("ages-of-301", "hours")
    assert choice("+ +", "− −").keys == ("1", "2"), "texts without letters are counted"
    assert slug("Zürich’s ½ ε, θ") == "zurichs-1-2-epsilon-theta"


@given(st.floats(1e-3, 10), st.floats(1.5, 1e4), st.integers(2, 40))
def test_log_slider_grid(lo, factor, n):
    hi = lo * factor
    control = log_slider(lo, hi, n)
    assert len(control.values) == n
    assert control.values[0] == lo
    assert control.values[-1] == hi
    assert all(a < b for a, b in zip(control.values, control.values[1:], strict=False))
    steps = [math.log(b / a) for a, b in zip(control.values, control.values[1:], strict=False)]
    assert max(steps) < 2.5 * math.log(factor) / (n - 1), "roughly equal steps in the logarithm"


def test_log_slider_is_rounded():
    assert all(len(f"{v:g}".replace(".", "").strip("0")) <= 2 for v in log_slider(0.1, 8, value=1.1).values)


@pytest.mark.parametrize(("lo", "hi"), [(0.1, 1e308), (1e-320, 10), (5e-324, 1.7e308), (1, 1 + 1e-12)])
def test_sliders_have_distinct_finite_positions_at_any_ends(lo, hi):
    for control in (log_slider(lo, hi), log_slider(lo, hi, value=hi)):
        assert len(set(control.values)) == 25
        assert all(math.isfinite(v) for v in control.values)
        assert list(control.values) == sorted(control.values)
    assert all(math.isfinite(v) for v in slider(float(lo), 1e308).values)


def test_values_that_cannot_be_compared_can_be_chosen():
    first, second = np.zeros(2), np.ones(2)
    assert choice(first, second, value=second).start == 1
    assert choice(pd.NA, 1).values == (pd.NA, 1)


def test_a_slider_starts_where_it_is_told():
    assert len(slider(0.0, 1.0).values) == 25
    assert slider(0, 10, value=7).start == 7
    assert slider(0.0, 1.0, n=5, value=0.3).values == (0.0, 0.3, 0.5, 0.75, 1.0)


def test_draws():
    control = draws(3)
    assert control.values == (0, 1, 2)
    assert control.texts == ("draw 1 of 3", "draw 2 of 3", "draw 3 of 3")
    assert control.keys == ("1", "2", "3")
    assert len(draws().values) == 8


def test_labels_are_symbols_where_there_is_one():
    assert log_slider(0.1, 1).named("epsilon").label == "ε"
    assert slider(0, 3).named("number_of_users").label == "number of users"
    assert slider(0, 3, label="k").named("epsilon").label == "k"
    assert choice({"few": 10, "many": 1000}, label="users").texts == ("few", "many")


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda: log_slider(0, 8), ValueError, "0 < lo < hi"),
        (lambda: log_slider(8, 0.1), ValueError, "0 < lo < hi"),
        (lambda: log_slider(0.1, math.inf), ValueError, "hi must be finite"),
        (lambda: log_slider("0.1", 8), TypeError, "lo must be a real number"),
        (lambda: log_slider(0.1, 8, n=1), ValueError, "n must be between 2 and 600"),
        (lambda: log_slider(0.1, 8, value=9), ValueError, "value must lie in"),
        (lambda: log_slider(1, 1 + 1e-15), ValueError, "leave room for 25 positions"),
        (lambda: log_slider(1, 2, n=10**18), ValueError, "n must be between"),
        (lambda: log_slider(1, 2, format=3), TypeError, "format must be a function"),
        (lambda: log_slider(1, 2, format=len), TypeError, "format must turn each value into text, but for 1.0"),
        (lambda: log_slider(1, 2, label=3), TypeError, "label must be text"),
        (lambda: log_slider(1, 2, meaning=3), TypeError, "meaning must be text"),
        (lambda: log_slider(1, 2, meaning=len).meanings, TypeError, "meaning must turn each value into text"),
        (lambda: slider(1, 2, ends="few"), TypeError, "ends must be two texts"),
        (lambda: draws(3, pile=3), TypeError, "pile must be a function"),
        (lambda: draws(3, piled=3), TypeError, "piled must be text"),
        (lambda: slider(1.0, 1 + 1e-15), ValueError, "leave room for 25 positions"),
        (lambda: slider(-1e308, 1e308), ValueError, "finite difference"),
        (lambda: slider(0, 10**9), ValueError, "less than 600 apart"),
        (lambda: slider(0.0, 1.0, n=10**9), ValueError, "n must be between"),
        (lambda: draws(10**9), ValueError, "k must be between"),
        (lambda: choice(pd.NA, pd.NA), ValueError, "must differ"),
        (lambda: choice(1, 2).named(3), TypeError, "name must be text"),
        (lambda: slider(1, 1), ValueError, "lo < hi"),
        (lambda: slider(0, 5, value=2.5), ValueError, "value must be an integer"),
        (lambda: choice(1), ValueError, "at least 2 values"),
        (lambda: choice(1, 1), ValueError, "must differ"),
        (lambda: choice(1, 2, value=3), ValueError, "value must be one of"),
        (lambda: draws(1), ValueError, "k must be between 2 and 600"),
        (lambda: draws(2.5), TypeError, "k must be an integer"),
    ],
)
def test_bad_input(make, error, match):
    with pytest.raises(error, match=match):
        make()
