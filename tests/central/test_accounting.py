"""Accounting against independent routes: quadrature of divergences, exact δ of Gaussians, convolution of losses."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from ldp_core.central import (
    Accountant,
    advanced,
    advanced_pays_from,
    dp_to_zcdp,
    gaussian_delta,
    parallel,
    rdp_gaussian,
    rdp_laplace,
    rdp_to_dp,
    sequential,
    zcdp_gaussian,
    zcdp_pure,
    zcdp_to_dp,
)


def test_sequential_and_parallel():
    assert sequential([0.5, 0.25], [1e-6, 1e-6]) == (0.75, 2e-6)
    assert parallel([0.5, 0.25]) == 0.5


@pytest.mark.parametrize("alpha", [1.5, 2.0, 8.0])
@pytest.mark.parametrize("scale", [0.7, 2.0])
def test_renyi_divergences_by_quadrature(alpha, scale):
    f, g = stats.norm(0, scale), stats.norm(1, scale)
    value = integrate.quad(lambda y: math.exp(alpha * f.logpdf(y) + (1 - alpha) * g.logpdf(y)), -60, 60, limit=500)[0]
    assert rdp_gaussian(alpha, sigma=scale) == pytest.approx(math.log(value) / (alpha - 1), rel=1e-6)
    f, g = stats.laplace(0, scale), stats.laplace(1, scale)
    value = sum(
        integrate.quad(lambda y: math.exp(alpha * f.logpdf(y) + (1 - alpha) * g.logpdf(y)), a, b, limit=500)[0]
        for a, b in ((-80, 0), (0, 1), (1, 80))
    )
    assert rdp_laplace(alpha, epsilon=1 / scale) == pytest.approx(math.log(value) / (alpha - 1), rel=1e-6)


def test_laplace_tends_to_pure_privacy_and_stays_below_its_zcdp():
    assert rdp_laplace(1e6, epsilon=0.7) == pytest.approx(0.7, rel=1e-5)
    for alpha in (1.1, 2.0, 5.0, 50.0):
        assert rdp_laplace(alpha, epsilon=0.7) <= zcdp_pure(0.7) * alpha


@pytest.mark.parametrize(("sigma", "times"), [(5.0, 1), (10.0, 50), (40.0, 1000)])
@pytest.mark.parametrize("delta", [1e-9, 1e-5])
def test_a_gaussian_ledger_is_sound_and_not_far_from_exact(sigma, times, delta):
    """k Gaussians are one with σ/√k; its exact δ at the accounted ε must be at most δ."""
    ledger = Accountant()
    ledger.gaussian(sigma=sigma, times=times)
    epsilon = ledger.epsilon(delta=delta)
    assert gaussian_delta(epsilon=epsilon, sigma=sigma / math.sqrt(times)) <= delta
    assert gaussian_delta(epsilon=0.6 * epsilon, sigma=sigma / math.sqrt(times)) > delta
    found = ledger.compare(delta=delta)
    assert found["rdp"] == pytest.approx(found["zcdp"], rel=1e-9)
    assert found["zcdp"] == pytest.approx(zcdp_to_dp(times * zcdp_gaussian(sigma=sigma), delta=delta))


def exact_delta_of_randomized_response(epsilon0, k, epsilon):
    """k answers of pure ε₀ in the worst case (randomized response): the loss is binomial, δ(ε) is a finite sum."""
    p = 1 / (1 + math.exp(-epsilon0))
    j = np.arange(k + 1)
    loss = (2 * j - k) * epsilon0
    return float(np.sum(stats.binom.pmf(j, k, p) * -np.expm1(np.minimum(0, epsilon - loss))))


def delta_of_laplace(epsilon0, k, epsilon, cells=500):
    """δ of k answers with Laplace noise from below: losses rounded down to a grid, convolved by Fourier transform."""
    step = 2 * epsilon0 / cells
    law = np.zeros(k * cells + 1)
    edges = np.linspace(0, 1, cells + 1)  # y between the two means: the loss falls from ε₀ to −ε₀
    law[:cells] = -np.diff(np.exp(-epsilon0 * edges))[::-1] / 2
    law[cells] += 0.5
    law[0] += math.exp(-epsilon0) / 2
    total = np.fft.irfft(np.fft.rfft(law, 2 * len(law)) ** k, 2 * len(law))[: len(law)]
    loss = step * np.arange(len(law)) - k * epsilon0
    return float(np.sum(np.maximum(total, 0) * -np.expm1(np.minimum(0, epsilon - loss))))


@pytest.mark.parametrize(("epsilon0", "k"), [(0.1, 30), (0.1, 300), (0.5, 40), (1.0, 100)])
@pytest.mark.parametrize("delta", [1e-6, 1e-3])
def test_every_rule_for_pure_answers_is_sound(epsilon0, k, delta):
    ledger = Accountant()
    ledger.laplace(epsilon=epsilon0, times=k)
    found = ledger.compare(delta=delta)
    assert set(found) == {"sequential", "advanced", "zcdp", "rdp"}
    for rule, epsilon in found.items():
        if rule == "rdp":  # uses that the noise is Laplace's, which is less than the worst of pure ε
            assert delta_of_laplace(epsilon0, k, epsilon) <= delta
            continue
        assert (
            exact_delta_of_randomized_response(epsilon0, k, epsilon) <= (0 if rule == "sequential" else delta) + 1e-15
        )
    assert ledger.epsilon(delta=delta) == min(found.values())


def test_the_form_with_constant_two_promises_too_much_for_large_epsilon():
    """At ε = 3 and k = 200 it lies below what Dwork and Roth prove, and the exact δ shows that it is wrong."""
    promised = advanced(3.0, 200, delta=1e-5, form="constant-two")
    assert promised < advanced(3.0, 200, delta=1e-5)
    assert exact_delta_of_randomized_response(3.0, 200, promised) > 1e-5


@pytest.mark.parametrize("form", ["dwork-roth", "constant-two"])
def test_crossing_by_search(form):
    k = advanced_pays_from(0.1, delta=1e-4, form=form)
    better = [j for j in range(1, 300) if advanced(0.1, j, delta=1e-4, form=form) < j * 0.1]
    assert k == better[0]
    assert better == list(range(k, 300))
    # the constant-two form crosses at k = 8 ln(1/δ), whatever ε
    if form == "constant-two":
        assert k == math.floor(8 * math.log(1e4)) + 1
    assert advanced_pays_from(2.0, delta=1e-4) is None


@pytest.mark.parametrize("rho", [1e-4, 0.1, 3.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-2])
def test_conversions(rho, delta):
    epsilon = zcdp_to_dp(rho, delta=delta)
    assert dp_to_zcdp(epsilon, delta=delta) == pytest.approx(rho)
    orders = 1 + np.logspace(-4, 6, 4001)
    assert min(rdp_to_dp(float(a), rho * float(a), delta=delta) for a in orders) == pytest.approx(epsilon, rel=1e-4)


def test_known_answers():
    """Figures that anybody can check with a pocket calculator, from the formulas in print."""
    assert zcdp_to_dp(0.5, delta=math.exp(-8)) == pytest.approx(0.5 + 2 * 2)
    assert zcdp_gaussian(sigma=10, sensitivity=2) == pytest.approx(0.02)
    assert rdp_to_dp(5.0, 0.3, delta=math.exp(-8)) == pytest.approx(0.3 + 2)
    assert advanced(0.1, 50, delta=math.exp(-4), form="constant-two") == pytest.approx(0.2 * 20)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: sequential([0.0]), "epsilon"),
        (lambda: advanced(1.0, 0, delta=0.1), "k must"),
        (lambda: advanced(1.0, 1, delta=0.0), "delta"),
        (lambda: advanced(1.0, 1, delta=0.1, form="x"), "form"),
        (lambda: rdp_gaussian(1.0, sigma=1), "alpha"),
        (lambda: rdp_to_dp(2.0, -1.0, delta=0.1), "rdp"),
        (lambda: zcdp_to_dp(0.0, delta=0.1), "rho"),
        (lambda: Accountant().compare(delta=0.1), "ledger"),
        (lambda: Accountant().gaussian(sigma=0), "sigma"),
        (lambda: Accountant().laplace(epsilon=1, times=0), "times"),
    ],
)
def test_bad_input(call, name):
    with pytest.raises(ValueError, match=name):
        call()
