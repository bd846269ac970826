"""Privacy loss distributions: intervals that hold closed forms, sums by hand, and published values."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from ldp_core.central import PrivacyLoss, gaussian_delta, gaussian_epsilon

DELTA = 1e-5


def exact_delta(p, q, epsilon):
    """δ of two finite laws."""
    return float(np.maximum(np.asarray(p) - math.exp(epsilon) * np.asarray(q), 0).sum())


def holds(interval, value, slack=1e-12):
    return interval.lower - slack <= value <= interval.upper + slack


@pytest.mark.parametrize(("sigma", "k"), [(10, 100), (1.0, 1), (0.3, 2), (400.0, 10_000)])
def test_gaussians_are_one_gaussian(sigma, k):
    loss = PrivacyLoss.gaussian(sigma).self_compose(k)
    together = sigma / math.sqrt(k)
    found = loss.epsilon(DELTA)
    assert holds(found, gaussian_epsilon(sigma=together, delta=DELTA))
    assert found.width < 0.005 * found.upper
    for epsilon in (0.0, 0.5, 2.0):
        assert holds(loss.delta(epsilon), gaussian_delta(sigma=together, epsilon=epsilon))


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize(("epsilon", "k"), [(0.1, 100), (1.0, 7), (3.0, 2), (0.01, 5000)])
def test_randomized_response_is_binomial(epsilon, k):
    yes = np.arange(k + 1)
    p = stats.binom.pmf(yes, k, 1 / (1 + math.exp(-epsilon)))
    loss = PrivacyLoss.randomized_response(epsilon).self_compose(k)
    for at in np.linspace(0, 0.9, 4) * k * epsilon:
        assert holds(loss.delta(at), exact_delta(p, p[::-1], at))


@pytest.mark.usefixtures("coarse")
def test_one_laplace_answer_in_closed_form():
    """δ(ε′) = 1 − e^((ε′ − ε)/2)."""
    loss = PrivacyLoss.laplace(2.0)
    for epsilon in (0.0, 0.7, 1.9):
        assert holds(loss.delta(epsilon), -math.expm1((epsilon - 2.0) / 2))
    assert loss.delta(2.0).upper < 1e-4
    assert holds(loss.epsilon(0.2), 2.0 + 2 * math.log(0.8))


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("step", [1, 2, 5])
def test_discrete_noise_against_its_law(step):
    x = np.arange(-400, 401)
    a = math.exp(-0.8 / step)
    one, two = (a ** np.abs(x - shift) * (1 - a) / (1 + a) for shift in (0, step))
    loss = PrivacyLoss.discrete_laplace(0.8, step)
    g_one, g_two = (np.exp(-(((x - shift) / 3.0) ** 2) / 2) for shift in (0, step))
    gauss = PrivacyLoss.discrete_gaussian(3.0, step)
    for epsilon in (0.0, 0.2, 0.5, 0.79):
        assert holds(loss.delta(epsilon), exact_delta(one, two, epsilon))
        assert holds(gauss.delta(epsilon), exact_delta(g_one / g_one.sum(), g_two / g_two.sum(), epsilon))


def convolved(rows):
    """All outputs of independent answers, one pair of laws."""
    p, q = [1.0], [1.0]
    for one, two in rows:
        p, q = np.outer(p, one).ravel(), np.outer(q, two).ravel()
    return p, q


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("seed", range(9))
def test_any_ledger_of_channels_holds_the_enumerated_truth(seed):
    rng = np.random.default_rng(seed)
    rows = [rng.dirichlet(np.full(3, rng.choice([0.3, 3.0])), size=2) for _ in range(int(rng.integers(1, 8)))]
    if seed % 3 == 0:
        rows[0] = np.array([[0.1, 0.9, 0.0], [0.0, 0.95, 0.05]])  # outputs that only one of the two can give
    loss = PrivacyLoss.from_rows(*rows[0])
    for p, q in rows[1:]:
        loss = loss.compose(PrivacyLoss.from_rows(p, q))
    p, q = convolved(rows)
    for epsilon in (0.0, 0.4, 1.5, 4.0):
        truth = max(exact_delta(p, q, epsilon), exact_delta(q, p, epsilon))
        found = loss.delta(epsilon)
        assert holds(found, truth), (epsilon, truth, found)
        assert found.width < 0.01 * truth + 1e-9
        if 1e-6 < truth < 1 and epsilon:  # where δ is flat, a smaller ε is enough
            back = loss.epsilon(truth)
            assert back.lower <= epsilon + 1e-6
            if math.isinf(back.upper):  # up to rounding, δ is what no ε helps against
                assert truth <= loss.delta(1e5).upper
            else:
                assert holds(loss.delta(back.upper), truth, 1e-6)


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("rate", [0.01, 0.3, 0.9])
def test_sampling_in_both_directions(rate):
    p, q = np.array([0.6, 0.3, 0.1, 0.0]), np.array([0.2, 0.3, 0.4, 0.1])
    mixed = rate * p + (1 - rate) * q
    base = PrivacyLoss.from_rows(p, q)
    for epsilon in (0.0, 0.05, 0.3, 1.0):
        remove, add = exact_delta(mixed, q, epsilon), exact_delta(q, mixed, epsilon)
        assert holds(base.subsampled(rate, "remove").delta(epsilon), remove)
        assert holds(base.subsampled(rate, "add").delta(epsilon), add)
        assert holds(base.subsampled(rate).delta(epsilon), max(remove, add))
    three = base.subsampled(rate).self_compose(3)
    one, two = convolved([(mixed, q)] * 3)
    for epsilon in (0.1, 0.5):
        assert holds(three.delta(epsilon), max(exact_delta(one, two, epsilon), exact_delta(two, one, epsilon)))


def test_sums_of_losses_beyond_what_doubles_can_raise_e_to():
    """Ten thousand answers with ε = 1: a normal law, as near as its ninth digit needs not be."""
    found = PrivacyLoss.randomized_response(1.0).self_compose(10_000).epsilon(DELTA)
    p = 1 / (1 + math.exp(-1))
    yes = np.arange(10_001)
    losses = 2 * yes - 10_000
    for epsilon, wanted in ((found.upper, -1), (found.lower, 1)):
        mass = stats.binom.pmf(yes, 10_000, p)
        delta = float(np.sum(mass * np.maximum(-np.expm1(np.minimum(epsilon - losses, 0.0)), 0)))
        assert (delta - DELTA) * wanted >= -1e-8
    assert found.width < 0.005 * found.upper


def test_a_delta_that_cannot_be_had_is_said():
    only = PrivacyLoss.from_rows([0.5, 0.5, 0.0], [0.0, 0.5, 0.5])
    assert only.epsilon(0.1).upper == math.inf
    assert only.epsilon(0.6) == (0.0, 0.0)
    assert holds(only.delta(50.0), 0.5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PrivacyLoss.gaussian(0.01), "sensitivity / sigma must lie"),
        (lambda: PrivacyLoss.discrete_gaussian(1.0, 31), "sensitivity must"),
        (lambda: PrivacyLoss.from_rows([0.5, 0.6], [0.5, 0.5]), "p must be probabilities"),
        (lambda: PrivacyLoss.from_rows([0.5, 0.5], [1.0]), "q must"),
        (lambda: PrivacyLoss.laplace(1.0).self_compose(2).subsampled(0.5), "one answer"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_directions_that_do_not_meet_are_refused():
    one, two = (PrivacyLoss.gaussian(1.0).subsampled(0.5, direction) for direction in ("add", "remove"))
    with pytest.raises(ValueError, match="direction"):
        one.compose(two)


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("epsilon", [1e-300, 50.0, 709.0, 1e6])
@pytest.mark.parametrize("kind", ["laplace", "randomized_response", "discrete_laplace"])
def test_extreme_budgets(kind, epsilon):
    """No warning, no NaN, and never more than the sum; overflow warnings are errors here."""
    one = getattr(PrivacyLoss, kind)(epsilon)
    with np.errstate(all="raise", under="ignore", divide="ignore"):
        lower, upper = one.self_compose(3).epsilon(1e-6)
        assert 0 <= lower <= upper <= 3 * epsilon * (1 + 1e-15)
        if epsilon > 10:
            assert lower > 0.98 * 3 * epsilon
        sampled = one.subsampled(0.1).epsilon(1e-6)
    amplified = math.log1p(0.1 * math.expm1(min(epsilon, 700))) + max(0, epsilon - 700)
    assert 0 <= sampled.lower <= sampled.upper <= amplified * (1 + 1e-14)
    if epsilon > 10:
        assert sampled.lower == pytest.approx(epsilon + math.log(0.1), rel=0.01)


@pytest.mark.usefixtures("coarse")
def test_laws_without_a_common_output_and_laws_that_are_one():
    never = PrivacyLoss.from_rows([1.0, 0.0], [0.0, 1.0])
    assert never.self_compose(5).epsilon(0.5) == (math.inf, math.inf)
    assert holds(never.subsampled(0.1).self_compose(5).delta(3.0), 1 - 0.9**5)
    assert PrivacyLoss.from_rows([0.5, 0.5], [0.5, 0.5]).self_compose(500).epsilon(1e-9) == (0.0, 0.0)
    found = PrivacyLoss.from_rows([1e-300, 1 - 1e-300], [0.5, 0.5]).self_compose(5)
    assert found.epsilon(1e-6).lower > 0.99 * 5 * math.log(0.5e300)  # the other law first


def test_a_delta_next_to_rounding_is_not_rounded_to_no_loss():
    """Where rounding makes the largest loss look too small, it is enough all the same, and no smaller one is."""
    for epsilon in np.linspace(0.1, 5.0, 100):
        assert PrivacyLoss.randomized_response(epsilon, 3).epsilon(1.0001e-16).upper >= epsilon * (1 - 1e-12)
    rng = np.random.default_rng(0)
    for _ in range(300):
        p, q = rng.dirichlet([1.0] * 4), rng.dirichlet([1.0] * 4)
        p[0], q[0] = p[0] + p[3], q[0] + q[3]
        only = PrivacyLoss.from_rows([*p[:3], 0.0], [0.0, q[0], q[1], q[2]])
        delta = only.delta(50.0).upper + 2.3e-16  # hardly more than can be had at any ε
        if delta < 1:
            assert only.delta(only.epsilon(delta).upper).lower <= delta + 1e-15


def test_small_deltas_of_many_batches_are_known_to_many_digits():
    """Bounds at the ends of the grid are those of the best exponential moment, not of a nearby one."""
    found = PrivacyLoss.gaussian(1.0).subsampled(0.01).self_compose(1000).delta(3.0)
    assert found.upper < 1.1 * found.lower < 1.2e-9


def test_a_rough_grid_is_as_certain():
    fine = PrivacyLoss.gaussian(1.0).subsampled(0.05).self_compose(200)
    rough = fine.roughly()
    assert rough.epsilon(DELTA).lower <= fine.epsilon(DELTA).lower
    assert fine.epsilon(DELTA).upper * (1 - 1e-9) <= rough.epsilon(DELTA).upper < 1.001 * fine.epsilon(DELTA).upper


def test_the_last_digit_is_within_the_interval():
    """Truths in fractions: what is certain is so to the last bit, also where nothing is left to compute."""
    third = Fraction(1 / 3)
    cases = [
        (PrivacyLoss.from_rows([1 / 3, 0, 2 / 3], [0, 1 / 3, 2 / 3]), 1.0, third / (third + Fraction(2 / 3))),
        (PrivacyLoss.from_rows([0.3, 0.7], [0.0, 1.0]).self_compose(2), 3.0, 1 - Fraction(0.7) ** 2),
        (PrivacyLoss.gaussian(10.0).subsampled(0.1, "add"), 1.0, Fraction(0)),
        (PrivacyLoss.from_rows([0.5, 0, 0.5], [0, 0.5, 0.5]).self_compose(60), 1.0, 1 - Fraction(1, 2**60)),
    ]
    for loss, epsilon, truth in cases:
        found = loss.delta(epsilon)
        assert Fraction(found.lower) <= truth <= Fraction(found.upper)
        assert found.width < 1e-12


@pytest.mark.parametrize("epsilon", [0.7, 2.5, 4.99])
def test_one_randomized_response_to_the_last_digit(epsilon):
    """The truth to 40 digits: 1/(1 + e^−5) − e^ε/(1 + e^5)."""
    with localcontext(prec=40):
        five, asked = Decimal(5).exp(), Decimal(epsilon).exp()
        truth = (five - asked) / (1 + five)
        found = PrivacyLoss.randomized_response(5.0).delta(epsilon)
        assert Decimal(found.lower) <= truth <= Decimal(found.upper)
