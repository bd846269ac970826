"""Oracles by name: each name makes its class, for the budget and the domain that it was asked for, or says why not."""

import math

import pytest

from ldp_core.frequency import DirectEncoding, FrequencyOracle
from ldp_core.frequency.names import ORACLES, make_oracle, resolve_oracle


@pytest.mark.parametrize("name", list(ORACLES))
def test_a_name_makes_its_oracle(name):
    made = make_oracle(name, 0.7, 5)
    assert type(made) is ORACLES[name]
    assert isinstance(made, FrequencyOracle)
    assert (made.epsilon, made.d) == (0.7, 5)
    assert resolve_oracle(ORACLES[name]) is resolve_oracle(name)


def test_a_function_may_spend_less_and_not_more():
    assert make_oracle(lambda e, d: DirectEncoding(e / 2, d), 1.0, 4).epsilon == 0.5
    with pytest.raises(ValueError, match=r"oracle must use epsilon = 1\.0 and domain = 4, got Direct"):
        make_oracle(lambda e, d: DirectEncoding(math.nextafter(e, 2), d), 1.0, 4)


@pytest.mark.parametrize(
    ("oracle", "error", "match"),
    [
        ("grr", ValueError, "oracle must be one of .*'de'.* got 'grr'"),
        (3, TypeError, "oracle must be one of .* got 3"),
        (int, TypeError, "oracle must be one of .* FrequencyOracle class"),
        (lambda: None, TypeError, "oracle must be called as"),
        (lambda e, d: None, TypeError, "oracle must make a FrequencyOracle, got None"),
        (lambda e, d: DirectEncoding(e, d + 1), ValueError, "oracle must use"),
    ],
)
def test_what_makes_no_oracle_for_them_is_refused(oracle, error, match):
    with pytest.raises(error, match=match):
        make_oracle(oracle, 1.0, 4)
