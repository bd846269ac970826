"""Accounting against independent routes: quadrature of divergences, exact δ of Gaussians, convolution of losses.

What a ledger says is compared with the truth for every kind of mechanism: the δ at its ε, exact or from below (losses
rounded down), may not exceed the δ that was asked for.
"""

import copy
import itertools
import math
import pickle
import sys
from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy import integrate, stats

from ldp_core.central import (
    Accountant,
    PrivacyLoss,
    advanced,
    advanced_pays_from,
    dp_to_zcdp,
    gaussian_delta,
    gaussian_epsilon,
    parallel,
    rdp_gaussian,
    rdp_laplace,
    rdp_pure,
    rdp_sampled_gaussian,
    rdp_to_dp,
    sampled_gaussian_sigma,
    sequential,
    zcdp_gaussian,
    zcdp_to_dp,
)


def test_sequential_and_parallel():
    assert sequential([0.5, 0.25], [1e-6, 1e-6]) == (0.75, 2e-6)
    assert parallel([0.5, 0.25]) == 0.5
    assert parallel([0.5, 0.25, 0.4], neighbours="replace") == 1.0
    assert parallel([0.5], neighbours="replace") == 1.0


@pytest.mark.parametrize("alpha", [1.5, 2.0, 8.0])
@pytest.mark.parametrize("scale", [0.7, 2.0])
def test_gaussian_divergences_by_quadrature(alpha, scale):
    f, g = stats.norm(0, scale), stats.norm(1, scale)
    value = integrate.quad(lambda y: math.exp(alpha * f.logpdf(y) + (1 - alpha) * g.logpdf(y)), -60, 60, limit=500)[0]
    assert rdp_gaussian(alpha, sigma=scale) == pytest.approx(math.log(value) / (alpha - 1), rel=1e-6)


@pytest.mark.parametrize("epsilon", [1e-9, 9e-4, 1.1e-3, 2.0, 40.0])
def test_divergences_of_pure_mechanisms_have_all_their_digits(epsilon):
    """Against the formulas in print, in 60 digits: in doubles they cancel, down to negative divergences."""
    for alpha in (1.0001, 1.01, 2.0, 30.0, 1000.0):
        with localcontext() as context:
            context.prec = 60
            a, e = Decimal(alpha), Decimal(epsilon)
            pure = (((a * e).exp() + ((1 - a) * e).exp()) / (1 + e.exp())).ln() / (a - 1)
            first, second = a / (2 * a - 1) * ((a - 1) * e).exp(), (a - 1) / (2 * a - 1) * (-a * e).exp()
            laplace = (first + second).ln() / (a - 1)
        assert rdp_pure(alpha, epsilon=epsilon) == pytest.approx(float(pure), rel=1e-12)
        assert rdp_laplace(alpha, epsilon=epsilon) == pytest.approx(float(laplace), rel=1e-11)
        slack = 1 + 1e-12
        assert float(laplace) <= float(pure) * slack
        assert float(pure) <= min(epsilon, alpha * epsilon**2 / 2) * slack


@pytest.mark.parametrize(("sigma", "times"), [(0.2, 1), (5.0, 1), (10.0, 50), (40.0, 1000), (1e4, 3)])
@pytest.mark.parametrize("delta", [1e-9, 1e-5, 0.1])
def test_a_gaussian_ledger_is_exact_and_the_other_rules_are_sound(sigma, times, delta):
    """k Gaussians are one with σ/√k: the δ of that one at each rule's ε, and what a little less ε would cost."""
    ledger = ledger_of(("gaussian", {"sigma": 2 * sigma, "sensitivity": 2.0, "times": times}))
    found = ledger.compare(delta=delta)
    assert set(found) == {"zcdp", "rdp", "rdp_improved", "gaussian", "exact"}
    one = sigma / math.sqrt(times)
    for epsilon in found.values():
        assert gaussian_delta(epsilon=epsilon, sigma=one) <= delta * (1 + 1e-11)
    exact = ledger.epsilon(delta=delta)
    assert (
        exact
        == found["gaussian"]
        == found["exact"]
        == pytest.approx(gaussian_epsilon(delta=delta, sigma=one), rel=1e-9, abs=1e-12)
    )
    assert exact == 0 or gaussian_delta(epsilon=exact * (1 - 1e-6), sigma=one) > delta
    assert found["rdp"] == pytest.approx(found["zcdp"], rel=1e-9)
    assert found["zcdp"] == pytest.approx(zcdp_to_dp(times * zcdp_gaussian(sigma=sigma), delta=delta))


def exact_delta_of_randomized_response(epsilon0, k, epsilon):
    """k answers of pure ε₀ in the worst case (randomized response): the loss is binomial, δ(ε) is a finite sum."""
    p = 1 / (1 + math.exp(-epsilon0))
    j = np.arange(k + 1)
    loss = (2 * j - k) * epsilon0
    return float(np.sum(stats.binom.pmf(j, k, p) * -np.expm1(np.minimum(0, epsilon - loss))))


GRID = [(1.0, 100, 1e-5), (2.0, 50, 1e-6), (0.5, 100, 1e-9), (0.05, 40, 1e-3), (5.0, 10, 1e-8)]


@pytest.mark.parametrize(("epsilon0", "k", "delta"), GRID)
def test_a_pure_ledger_is_never_below_the_truth(epsilon0, k, delta):
    """Randomized response, the worst of all pure ones, by exact sums."""
    ledger = ledger_of(("pure", {"epsilon": epsilon0, "times": k}))
    found = ledger.compare(delta=delta)
    assert set(found) == {"sequential", "advanced", "zcdp", "rdp", "rdp_improved", "exact"}
    assert ledger.epsilon(delta=delta) == min(found.values())
    for epsilon in found.values():
        assert exact_delta_of_randomized_response(epsilon0, k, epsilon) <= delta + 1e-15


@pytest.mark.parametrize("epsilon0", [5e-324, 1e-170, 1e-9, 710.0, 1e6, 1e200])
@pytest.mark.parametrize("kind", ["pure", "laplace"])
def test_ledgers_of_any_size_have_an_answer(kind, epsilon0):
    """Rules that overflow are left out, entries that underflow are rounded up: adding up is always there."""
    ledger = ledger_of((kind, {"epsilon": epsilon0, "times": 3}))
    found = ledger.compare(delta=1e-6)
    assert all(math.isfinite(value) for value in found.values())
    assert all(found[rule] > 0 for rule in ("sequential", "advanced", "zcdp") if rule in found)
    assert found["sequential"] == 3 * epsilon0
    lower, upper = ledger.interval(delta=1e-6)
    assert 0 <= lower <= upper <= 3 * epsilon0
    if epsilon0 < 1:  # no two answers differ by more than δ
        assert ledger.epsilon(delta=1e-6) == 0
    else:
        assert ledger.epsilon(delta=1e-6) == pytest.approx(3 * epsilon0, rel=1e-6)


# ---- exact accounting ----------------------------------------------------------------------------------------------


def ledger_of(*entries):
    book = Accountant()
    for kind, arguments in entries:
        getattr(book, kind)(**arguments)
    return book


REFERENCES = [
    (("gaussian", {"sigma": 10.0, "times": 100}), 4.3772),
    (("gaussian", {"sigma": 20.0, "times": 100}), 1.9931),
    (("gaussian", {"sigma": 50.0, "times": 1000}), 2.5944),
    (("laplace", {"epsilon": 0.1, "times": 100}), 4.2203),
    (("laplace", {"epsilon": 0.05, "times": 400}), 4.3167),
    (("gaussian", {"sigma": 1.0, "sampling_rate": 0.01, "times": 1000}), 1.8282),
    (("gaussian", {"sigma": 2.0, "sampling_rate": 0.1, "times": 500}), 5.5555),
    (("gaussian", {"sigma": 0.8, "sampling_rate": 0.004, "times": 10_000}), 3.5349),
]


@pytest.mark.parametrize(("entry", "truth"), REFERENCES)
def test_published_values_through_the_ledger(entry, truth):
    book = ledger_of(entry)
    lower, upper = book.interval(delta=1e-5)
    assert upper == pytest.approx(truth, rel=5e-4)
    assert upper == book.compare(delta=1e-5)["exact"] == book.epsilon(delta=1e-5)
    assert 0.997 * upper < lower <= upper


ENTRIES = {
    "pure": ({"epsilon": 0.3}, PrivacyLoss.randomized_response(0.3)),  # the worst case
    "randomized_response": ({"epsilon": 0.7, "d": 4}, PrivacyLoss.randomized_response(0.7, 4)),
    "laplace": ({"epsilon": 0.4}, PrivacyLoss.laplace(0.4)),
    "gaussian": ({"sigma": 4.0, "sensitivity": 2.0, "sampling_rate": 0.2}, PrivacyLoss.gaussian(2.0).subsampled(0.2)),
    "discrete_gaussian": ({"sigma": 3.0, "sensitivity": 2}, PrivacyLoss.discrete_gaussian(3.0, 2)),
}


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize(("one", "other"), list(itertools.combinations_with_replacement(ENTRIES, 2)))
def test_a_ledger_of_any_two_entries_costs_what_their_losses_add_up_to(one, other):
    """The losses themselves are held to closed forms and enumerations in test_privacy_loss.py."""
    book = ledger_of((one, ENTRIES[one][0] | {"times": 3}), (other, ENTRIES[other][0] | {"times": 2}))
    truth = ENTRIES[one][1].self_compose(3).compose(ENTRIES[other][1].self_compose(2))
    for delta in (1e-2, 1e-5):
        (lower, upper), exact, found = book.interval(delta=delta), truth.epsilon(delta), book.compare(delta=delta)
        assert max(lower, exact.lower) <= min(upper, exact.upper)
        assert upper - lower <= 0.03 * upper + 1e-3
        assert all(epsilon >= lower for epsilon in found.values())
        assert found["exact"] * (1 - 1e-3) <= found["rdp_improved"] <= found["rdp"]


@pytest.mark.parametrize("sigma", [0.7, 2.0, 9.0])
@pytest.mark.parametrize("rate", [0.001, 0.2, 1.0])
@pytest.mark.parametrize("alpha", [1.5, 2, 20])
def test_sampled_gaussian_divergences_by_quadrature(sigma, rate, alpha):
    y, step = np.linspace(-14 * sigma, 14 * sigma + alpha, 100_001, retstep=True)
    one, two = stats.norm.logpdf(y, 1, sigma), stats.norm.logpdf(y, 0, sigma)
    mixed = np.logaddexp(math.log(rate) + one, math.log1p(-rate) + two) if rate < 1 else one
    remove, add = (
        math.log(np.exp(alpha * p + (1 - alpha) * q).sum() * step) / (alpha - 1)
        for p, q in ((mixed, two), (two, mixed))
    )
    bound = rdp_sampled_gaussian(alpha, sigma=2 * sigma, sensitivity=2.0, sampling_rate=rate)
    assert add <= remove * (1 + 1e-6) + 1e-9
    if alpha == int(alpha):
        assert bound == pytest.approx(remove, rel=1e-5, abs=1e-9)
    else:
        assert bound >= remove - 1e-9


def test_the_improved_conversion_by_its_proof():
    """The largest δ that a divergence of order α allows, by search over two-point losses."""
    for alpha, rdp, delta in ((1.5, 0.2, 1e-5), (4.0, 0.5, 1e-3), (30.0, 2.0, 1e-9)):
        old, new = (rdp_to_dp(alpha, rdp, delta=delta, conversion=c) for c in ("classic", "improved"))
        assert new < old
        # δ = max_l (1 − e^{ε−l}) · Pr[L = l] with Pr[L = l] e^{(α−1)l} ≤ e^{(α−1)ε̄}
        losses = new + np.linspace(1e-6, 60, 2_000_001) / (alpha - 1)
        worst = np.max(-np.expm1(new - losses) * np.exp((alpha - 1) * (rdp - losses)))
        assert worst == pytest.approx(delta, rel=1e-6)
    assert rdp_to_dp(2.0, 0.0, delta=0.9, conversion="improved") == 0.0
    with pytest.raises(ValueError, match="conversion"):
        rdp_to_dp(2.0, 0.1, delta=0.1, conversion="new")


@pytest.mark.usefixtures("coarse")
def test_copies_and_pickles_of_a_ledger_are_books_of_their_own():
    """What is entered in one is not forgotten there, nor half known to the other, whoever was asked before."""
    book = ledger_of(("gaussian", {"sigma": 2.0, "sampling_rate": 0.1, "times": 50}))
    first = book.interval(delta=1e-5)
    for again in (copy.copy(book), copy.deepcopy(book), pickle.loads(pickle.dumps(book))):
        assert again.interval(delta=1e-5) == first
        again.laplace(epsilon=0.5)
        assert again.interval(delta=1e-5).lower > first.upper
        assert book.interval(delta=1e-5) == first
        assert book.compare(delta=1e-5)["exact"] == first.upper
    assert repr(book) == "<Accountant of 50 answers, add-remove>"


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("size", [2, 5])
def test_groups(size):
    """Gaussian and Laplace noise see a larger sensitivity; a pure ε grows; batches walk from neighbour to neighbour."""
    one = ledger_of(("gaussian", {"sigma": 40.0, "times": 9}))
    assert one.epsilon(delta=1e-6, group=size) == pytest.approx(
        gaussian_epsilon(delta=1e-6, sigma=40 / 3, sensitivity=size)
    )
    pure = ledger_of(("pure", {"epsilon": 0.2}), ("randomized_response", {"epsilon": 0.1, "d": 4}))
    assert pure.compare(delta=1e-6, group=size)["sequential"] == pytest.approx(0.3 * size)
    answers = ledger_of(("randomized_response", {"epsilon": 0.1, "d": 4, "times": 9}))
    as_pure = ledger_of(("pure", {"epsilon": 0.1 * size, "times": 9}))
    assert answers.interval(delta=1e-6, group=size) == as_pure.interval(delta=1e-6)
    double = ledger_of(("laplace", {"epsilon": 0.3, "times": 20})).interval(delta=1e-5, group=size)
    assert double == ledger_of(("laplace", {"epsilon": 0.3 * size, "times": 20})).interval(delta=1e-5)
    batches = ledger_of(("gaussian", {"sigma": 2.0, "sampling_rate": 0.02, "times": 100}))
    lower, upper = batches.interval(delta=1e-5, group=size)
    assert lower == batches.interval(delta=1e-5).lower
    # the whole group in the batch with one coin: a lower bound of the truth for a family that is asked as one
    x = np.linspace(-30, 40, 200_001)
    law = {j: stats.norm.pdf(x, j, 2.0) * (x[1] - x[0]) for j in range(size + 1)}
    p = sum(stats.binom.pmf(j, size, 0.02) * law[j] for j in law)
    truth = PrivacyLoss.from_rows(p / p.sum(), law[0] / law[0].sum()).self_compose(100).epsilon(1e-5)
    assert lower <= truth.lower <= upper


def test_batches_are_for_one_person_more_or_less():
    book = Accountant(neighbours="replace")
    with pytest.raises(ValueError, match="sampling_rate must be 1 where neighbours"):
        book.gaussian(sigma=1.0, sampling_rate=0.1)
    book.gaussian(sigma=1.0, sampling_rate=1.0)
    assert book.epsilon(delta=1e-5) > 0
    assert "replace" in repr(book)


def test_what_cannot_be_added_up_has_an_interval_nevertheless():
    many = ledger_of(("pure", {"epsilon": 1e-3, "times": 10**8}))
    assert "exact" not in many.compare(delta=1e-5)
    lower, upper = many.interval(delta=1e-5)
    assert (lower, upper) == (0.0, many.compare(delta=1e-5)["rdp_improved"])
    assert upper == many.epsilon(delta=1e-5)


@pytest.mark.parametrize(
    ("epsilon", "rate", "times"), [(1.0, 0.01, 100), (0.2, 0.3, 10), (4.0, 0.9, 3), (1.0, 1.0, 50)]
)
@pytest.mark.usefixtures("coarse")
def test_noise_for_batches_is_enough_and_hardly_more(epsilon, rate, times):
    wanted = {"epsilon": epsilon, "delta": 1e-6, "sampling_rate": rate, "times": times}
    sigma = sampled_gaussian_sigma(**wanted)
    found = ledger_of(("gaussian", {"sigma": sigma, "sampling_rate": rate, "times": times})).interval(delta=1e-6)
    assert found.upper <= epsilon
    assert found.upper > 0.998 * epsilon
    assert sampled_gaussian_sigma(**wanted, sensitivity=3.0) == pytest.approx(3 * sigma)
    more = sampled_gaussian_sigma(**wanted, rho_beside=zcdp_gaussian(sigma=60.0))
    assert more > sigma
    both = ledger_of(
        ("gaussian", {"sigma": more, "sampling_rate": rate, "times": times}), ("gaussian", {"sigma": 60.0})
    )
    assert both.epsilon(delta=1e-6) <= epsilon * (1 + 1e-9)


def test_crossing_by_search():
    k = advanced_pays_from(0.1, delta=1e-4)
    better = [j for j in range(1, 300) if advanced(0.1, j, delta=1e-4) < j * 0.1]
    assert k == better[0]
    assert better == list(range(k, 300))
    assert advanced_pays_from(2.0, delta=1e-4) is None


@pytest.mark.parametrize("rho", [1e-4, 0.1, 3.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-2])
def test_conversions(rho, delta):
    epsilon = zcdp_to_dp(rho, delta=delta)
    assert dp_to_zcdp(epsilon, delta=delta) == pytest.approx(rho)
    orders = 1 + np.logspace(-4, 6, 4001)
    assert min(rdp_to_dp(float(a), rho * float(a), delta=delta) for a in orders) == pytest.approx(epsilon, rel=1e-4)


def test_an_empty_ledger_has_no_answer():
    for question in (Accountant().compare, Accountant().interval):
        with pytest.raises(ValueError, match="ledger"):
            question(delta=0.1)


def test_the_largest_budget_has_a_rho():
    assert dp_to_zcdp(sys.float_info.max, delta=1e-6) == pytest.approx(sys.float_info.max, rel=1e-12)
