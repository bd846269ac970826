"""Noise of a curator: exact laws, exact δ, and that no other module of the central model draws by itself."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy import integrate, stats

from ldp_book.faults.central import classic_sigma
from ldp_core.audit import density_epsilon
from ldp_core.central import gaussian, gaussian_delta, gaussian_epsilon, gaussian_sigma, laplace

from .conftest import Recorder


def test_laplace_has_its_law():
    noise = laplace(np.zeros(50_000), epsilon=0.7, sensitivity=3, rng=1)
    assert stats.kstest(noise, stats.laplace(scale=3 / 0.7).cdf).pvalue > 1e-6
    assert isinstance(laplace(3, epsilon=1.0, sensitivity=1, rng=2), float)
    assert laplace([[1, 2]], epsilon=1.0, sensitivity=1, rng=2).shape == (1, 2)


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize(("epsilon", "sensitivity"), [(0.8, 2.0), (3.0, 1.0)])
def test_epsilon_of_a_vector_is_exact_with_the_scale_that_is_drawn(k, epsilon, sensitivity):
    """Neighbours whose answers differ by Δ₁ in all, spread over the entries: entries' losses add up to ε."""
    answer = np.zeros(k)
    rng = Recorder()
    assert laplace(answer, epsilon=epsilon, sensitivity=sensitivity, rng=rng).shape == (k,)
    (scale,) = rng.scales
    one = stats.laplace(scale=scale)
    y = np.linspace(-10, 10, 401)
    per_entry = density_epsilon([one.pdf(y), one.pdf(y - sensitivity / k)])
    assert k * per_entry == pytest.approx(epsilon, rel=1e-9)


def test_gaussian_has_its_law():
    noise = gaussian(np.zeros(50_000), epsilon=0.5, delta=1e-5, sensitivity=2, rng=1)
    sigma = gaussian_sigma(epsilon=0.5, delta=1e-5, sensitivity=2)
    assert stats.kstest(noise, stats.norm(scale=sigma).cdf).pvalue > 1e-6


@pytest.mark.parametrize("epsilon", [0.0, 1.0])
@pytest.mark.parametrize("sigma", [0.3, 5.0])
def test_gaussian_delta_is_the_integral_of_what_exceeds(epsilon, sigma):
    """δ(ε) = ∫ max(0, f(y) − e^ε g(y)) dy, by quadrature; the integrand is positive from a known point on."""
    start = sigma**2 * epsilon - 0.5  # mean 0 against mean −1 … f > e^ε g to the right of this point
    f, g = stats.norm(0, sigma).pdf, stats.norm(-1, sigma).pdf
    value = integrate.quad(
        lambda y: f(y) - math.exp(epsilon) * g(y), start, start + 40 * sigma + 40, epsabs=1e-13, limit=400
    )[0]
    assert gaussian_delta(epsilon=epsilon, sigma=sigma) == pytest.approx(value, rel=1e-6, abs=1e-11)


def normal_law(x, digits):
    """Φ(x) as a Decimal, by the Taylor series of the error function and Machin's π; call with digits to spare."""

    def arctan_of_inverse(n):
        term = total = Decimal(1) / n
        k = 1
        while abs(term) > Decimal(10) ** -digits:
            term, k = -term / (n * n), k + 2
            total += term / k
        return total

    pi = 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))
    term = total = x
    n = 0
    while n <= x * x or abs(term) > Decimal(10) ** -digits:
        n += 1
        term = -term * x * x / (2 * n)
        total += term / (2 * n + 1)
    return Decimal(1) / 2 + total / (2 * pi).sqrt()


def delta_in_many_digits(epsilon, sigma, digits=450):
    """The formula of Balle and Wang, with digits enough for what cancels in it."""
    with localcontext() as context:
        context.prec = digits + 50
        e, s = Decimal(epsilon), Decimal(sigma)
        near, far = 1 / (2 * s) - e * s, -1 / (2 * s) - e * s
        return normal_law(near, digits) - e.exp() * normal_law(far, digits)


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [
        (1e-16, 1e-20), (1e-12, 0.3), (1e-9, 1e-100), (1e-4, 1e-6), (0.3, 1e-12), (1.0, 1e-5), (5.0, 1e-100),
        (50.0, 1 - 1e-9),
    ],
)  # fmt: skip
def test_sigma_in_many_digits(epsilon, delta):
    """The two terms of δ cancel: taken as their difference in doubles, δ is 1,080 times too large at (1e-16, 1e-20)."""
    sigma = gaussian_sigma(epsilon=epsilon, delta=delta)
    true = delta_in_many_digits(epsilon, sigma)
    assert abs(float(true / Decimal(delta)) - 1) < 2e-12
    assert abs(gaussian_delta(epsilon=epsilon, sigma=sigma) / float(true) - 1) < 2e-13
    assert gaussian_epsilon(delta=delta, sigma=sigma) == pytest.approx(epsilon, rel=1e-6, abs=1e-3 * delta / sigma)


def test_noise_and_sensitivity_that_do_not_go_into_one_quotient():
    assert gaussian_delta(epsilon=0, sigma=1e300, sensitivity=5e-324) == 0
    assert gaussian_delta(epsilon=0, sigma=1.0, sensitivity=5e-324) == 0
    assert gaussian_delta(epsilon=1.0, sigma=1e-300, sensitivity=1e300) == 1
    assert gaussian_epsilon(delta=1e-300, sigma=1.0, sensitivity=5e-324) == 0


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 50.0, 2000.0])
@pytest.mark.parametrize("delta", [1e-12, 0.1])
def test_analytic_sigma_is_just_enough(epsilon, delta):
    sigma = gaussian_sigma(epsilon=epsilon, delta=delta)
    assert gaussian_delta(epsilon=epsilon, sigma=sigma) <= delta
    assert gaussian_delta(epsilon=epsilon, sigma=sigma * (1 - 1e-6)) > delta
    assert gaussian_sigma(epsilon=epsilon, delta=delta, sensitivity=7) == pytest.approx(7 * sigma)


def test_the_classic_formula_fails_for_large_epsilon_and_is_refused():
    sigma = classic_sigma(epsilon=20.0, delta=1e-5)
    assert gaussian_delta(epsilon=20.0, sigma=sigma) > 1e-5
    with pytest.raises(ValueError, match="epsilon must be < 1"):
        gaussian_sigma(epsilon=1.0, delta=1e-5, calibration="classic")
