"""On a platform with 32-bit indices, as a browser's Python is: the same reports, counts and estimates as elsewhere.

NumPy's default integer and its indices have 32 bits there, while a generator's draws keep 64, and what counts or
repeats takes nothing wider than indices ("Cannot cast array data from dtype('int64') to dtype('int32')"). The fixture
shows the package such a NumPy, as far as functions go; tests/browser/test_lite.py runs its examples on a real one.
"""

import sys
from functools import partial

import numpy as np
import pytest

from ldp_core.audit import exact_epsilon
from ldp_core.central import above_threshold, gaussian, laplace, report_noisy_max
from ldp_core.central.sensitivity import sample_and_aggregate
from ldp_core.frequency import (
    CountMeanSketch,
    DirectEncoding,
    DiscreteSummationHistogram,
    HaarHistogram,
    HadamardCountMeanSketch,
    HadamardResponse,
    HierarchicalHistogram,
    LocalHashing,
    OptimizedUnary,
    RandomizedResponse,
    Rappor,
    SetSubsetSelection,
    SubsetSelection,
    SummationHistogram,
    SymmetricUnary,
    ThresholdHistogram,
)
from ldp_core.numeric import DiscreteLaplace, Duchi, Hybrid, Laplace, Piecewise
from ldp_core.plan import rehearse

D = 6


class Narrow:
    """NumPy with indices of 32 bits: what it returns as indices has 32, and nothing wider is taken for a count."""

    intp = np.int32

    def __getattr__(self, name):
        found = getattr(np, name)
        if name in {"argsort", "count_nonzero", "digitize", "flatnonzero", "lexsort", "nonzero", "searchsorted"}:
            return lambda *rest, **options: narrow(found(*rest, **options))
        return found

    def arange(self, *bounds, dtype=None):
        return narrow(np.arange(*bounds)) if dtype is None else np.arange(*bounds, dtype=dtype)

    def bincount(self, x, *rest, **options):
        return narrow(np.bincount(index(x), *rest, **options))

    def repeat(self, a, repeats, *rest, **options):
        return np.repeat(a, index(repeats), *rest, **options)

    def unique(self, values, *rest, **options):
        found = np.unique(values, *rest, **options)
        return (found[0], *map(narrow, found[1:])) if isinstance(found, tuple) else found


def narrow(found):
    if isinstance(found, tuple):
        return tuple(map(narrow, found))
    return found.astype(np.int32) if getattr(found, "dtype", None) == np.int64 else found


def index(values):
    kind = getattr(values, "dtype", np.int32)  # lists of Python's integers are as wide as need be
    if not np.can_cast(kind, np.int32):
        raise TypeError(f"Cannot cast array data from {kind!r} to dtype('int32') according to the rule 'safe'")
    return values


@pytest.fixture
def thirty_two_bit(monkeypatch):
    for name, module in list(sys.modules.items()):
        if name.startswith("ldp_core.") and getattr(module, "np", None) is np:
            monkeypatch.setattr(module, "np", Narrow())


def of_oracle(kind, *given, **options):
    """All that an oracle computes, for one seed."""
    oracle = kind(*given, **options)
    values = np.arange(40) % oracle.d
    if isinstance(oracle, SetSubsetSelection):
        values = np.column_stack([values, (values + 1) % oracle.d])
    reports = oracle.privatize(values, rng=3)
    counts = oracle.aggregate(reports)
    true = np.full(oracle.d, 500)
    if isinstance(oracle, SetSubsetSelection):
        return [reports, counts, oracle.estimate(counts, n=40)]
    few, many = oracle.simulate(true // 100, rng=4), oracle.simulate(true, rng=5, size=3)
    return [reports, counts, oracle.estimate(counts, n=40), oracle.variance(40), few, many]


def test_counts_beyond_32_bits_stay_what_they_are(thirty_two_bit):
    oracle = DirectEncoding(1.0, D)
    counts = oracle.simulate(np.full(D, 2**31), rng=0)
    assert counts.dtype == np.int64
    assert int(counts.sum()) == D * 2**31
    assert np.abs(oracle.estimate(counts, n=D * 2**31) - 2**31).max() < 6 * np.sqrt(oracle.variance(D * 2**31, 2**31))


def of_mechanism(kind, dim):
    m = kind(1.0, dim=dim)
    t = np.linspace(-1, 1, 12) if dim == 1 else np.linspace(-1, 1, 12 * dim).reshape(12, dim)
    return [m.perturb(t, rng=1), m.variance(t), m.simulate_mean(t, counts=np.full(12, 50), rng=2, size=2)]


def of_curator():
    rows = np.arange(60.0)
    return [
        laplace(100, epsilon=1.0, sensitivity=1, rng=0),
        gaussian(100, epsilon=0.5, delta=1e-6, sensitivity=1, rng=0),
        report_noisy_max([1, 5, 3], epsilon=1.0, rng=0),
        above_threshold([1, 50, 3], threshold=10, epsilon=1.0, rng=0),
        sample_and_aggregate(rows, np.mean, n_chunks=6, bounds=(0, 60), epsilon=1.0, neighbours="add-remove", rng=0),
        exact_epsilon(DirectEncoding(1.0, 4).channel()),
    ]


def of_rehearsal(values):
    made = rehearse({"x": values}, "x", epsilon=1.0, rng=1)
    return [made.true_counts, *(trial.estimates for trial in made.trials)]


ALL = [
    *(partial(of_oracle, kind, 1.0, D) for kind in (DirectEncoding, SymmetricUnary, OptimizedUnary, SubsetSelection)),
    *(partial(of_oracle, kind, 1.0, D) for kind in (SummationHistogram, DiscreteSummationHistogram)),
    *(partial(of_oracle, kind, 1.0, D) for kind in (ThresholdHistogram, LocalHashing, HadamardResponse, HaarHistogram)),
    *(partial(of_oracle, HierarchicalHistogram, 1.0, D, branching=b) for b in (2, 6)),
    *(partial(of_oracle, kind, 1.0, D, rows=4, width=8) for kind in (CountMeanSketch, HadamardCountMeanSketch)),
    partial(of_oracle, RandomizedResponse, 1.0),
    partial(of_oracle, Rappor, D),
    partial(of_oracle, SetSubsetSelection, 1.0, D, 2),
    *(partial(of_mechanism, kind, d) for kind in (Laplace, Duchi, Piecewise, Hybrid, DiscreteLaplace) for d in (1, 3)),
    of_curator,
    *(partial(of_rehearsal, values) for values in (np.arange(40) * 1e12, np.arange(40) % 7, ["a", "b"] * 20)),
]


@pytest.mark.parametrize("call", ALL)
def test_it_gives_the_same_there(call, request):
    here = call()
    request.getfixturevalue("thirty_two_bit")
    for one, other in zip(here, call(), strict=True):
        np.testing.assert_array_equal(one, other)
