"""What the book's figures know of its subject."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_book.looks import MECHANISMS, odds
from livefig import log_slider
from livefig.figure import Palette


def test_no_two_mechanisms_that_stand_beside_each_other_look_alike():
    """Told apart without colour, too: no two of a family share dash and marker."""
    assert all(m.role in Palette.__dataclass_fields__ for m in MECHANISMS.values())
    for family in (("DE", "SUE", "OUE", "SHE", "THE", "subset", "OLH"), ("Laplace", "Duchi", "Piecewise", "Hybrid")):
        seen = [MECHANISMS[name] for name in family]
        assert len({m.role for m in seen}) == len(seen)
        assert len({m.marker for m in seen}) == len(seen)
        assert len({(m.dash, m.marker) for m in seen}) == len(seen)


@pytest.mark.parametrize(
    ("epsilon", "factor"),
    [
        (1.1, "3.01"), (math.log(3), "3"), (0.5, "1.65"), (8, "2,981"), (0.003, "1.0031"), (0.01, "1.011"),
        (1e-300, "1.00000001"), (50, "10²²"), (1e4, "10⁴³⁴³"),
    ],
)  # fmt: skip
def test_odds(epsilon, factor):
    assert odds(epsilon) == f"odds move by at most a factor {factor}"


@given(st.floats(1e-3, 14))
def test_odds_move_by_no_more_than_is_said_and_not_much_less(epsilon):
    factor = float(odds(epsilon).rpartition(" ")[2].replace(",", ""))
    assert math.exp(epsilon) * (1 - 1e-9) <= factor <= math.exp(epsilon) * 1.011


def test_a_slider_of_epsilon_says_them():
    control = log_slider(0.1, 10, 5, value=1.0).named("epsilon")
    assert control.meanings[2] == "odds move by at most a factor 2.72"
    assert control.ends == ("more private", "more exact")
