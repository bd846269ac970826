"""What many private answers give away together: sequential, parallel, advanced, Rényi and concentrated accounting."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable

from ldp_core._validate import (
    Neighbours,
    check_epsilon,
    check_in_range,
    check_int,
    check_iterable,
    check_neighbours,
    check_non_negative,
    check_positive,
    check_probability,
    check_real,
    shown,
)
from ldp_core.central.noise import gaussian_epsilon

__all__ = [
    "Accountant",
    "advanced",
    "advanced_pays_from",
    "dp_to_zcdp",
    "parallel",
    "rdp_gaussian",
    "rdp_laplace",
    "rdp_pure",
    "rdp_to_dp",
    "sequential",
    "zcdp_gaussian",
    "zcdp_pure",
    "zcdp_to_dp",
]

#: Orders of Rényi divergence over which conversions are minimized.
ORDERS = tuple(
    [1 + i / 100 for i in range(1, 100)] + [2 + i / 10 for i in range(80)] + [10.0 * 1.1**i for i in range(80)]
)


def sequential(epsilons: Iterable[float], deltas: Iterable[float] = ()) -> tuple[float, float]:
    """Add up: answers about the same people, all for the same neighbours.

    Parameters
    ----------
    epsilons : iterable of float
        ε of each answer, > 0. All have to mean the same neighbours: an ε for one person more or less is at most 2ε for
        a replaced record, and there is no way back.
    deltas : iterable of float
        δ of each, in [0, 1]; none for pure privacy.

    Returns
    -------
    epsilon, delta : float
        The guarantee of all answers together.

    Raises
    ------
    ValueError
        If a number is out of range, or the sum too large for a double.
    TypeError
        If an argument is no iterable of numbers.

    Examples
    --------
    >>> sequential([0.5, 0.25], [1e-6])
    (0.75, 1e-06)
    """
    total = sum(map(check_epsilon, _listed(epsilons, "epsilons")))
    return _finite(total, "epsilons", epsilons), sum(
        check_in_range(delta, "deltas", 0, 1) for delta in _listed(deltas, "deltas")
    )


def parallel(epsilons: Iterable[float], *, neighbours: Neighbours = "add-remove") -> float:
    """Take the largest: answers about disjoint groups of people, each counted in one group only.

    Parameters
    ----------
    epsilons : iterable of float
        ε of each answer, > 0, for one person who joins or leaves its group; at least one. A guarantee for replaced
        records alone is none for this: groups have other sizes once somebody moves.
    neighbours : {"add-remove", "replace"}, default "add-remove"
        For whom the guarantee of all answers is meant. One person more or less is in one group: the largest ε. A
        replaced record is one who leaves and one who joins, perhaps the same group: twice the largest.

    Returns
    -------
    float
        The guarantee of all answers together.

    Raises
    ------
    ValueError
        If there is no ε, or one is not > 0, or neighbours is none of the two.
    TypeError
        If epsilons is no iterable of numbers.

    Notes
    -----
    Twice the largest is attained where a group is asked for a histogram of its own, and where two groups have the
    largest ε. Only if each answer keeps its ε for a record that is replaced *within* its group as well, as a single
    count does, would the sum of the two largest ε do.

    Examples
    --------
    >>> parallel([0.5, 0.25, 1.0]), parallel([0.5, 0.25, 1.0], neighbours="replace")
    (1.0, 2.0)
    """
    listed = list(map(check_epsilon, _listed(epsilons, "epsilons")))
    if not listed:
        raise ValueError("epsilons must not be empty, got none")
    steps = 1 if check_neighbours(neighbours) == "add-remove" else 2
    return _finite(steps * max(listed), "epsilons", epsilons)


def advanced(epsilon: float, k: int, *, delta: float) -> float:
    r"""Give the ε of k answers of ε each, at the price of a δ.

    .. math::  \sqrt{2k\ln(1/\delta')}\,\varepsilon + k\varepsilon(e^{\varepsilon}-1)

    A shorter form with a constant 2 in place of the second term does not hold for every ε
    (:func:`ldp_core.faults.central.constant_two`).

    Parameters
    ----------
    epsilon : float
        ε of each answer, > 0.
    k : int
        How many, ≥ 1.
    delta : float
        δ' that may be added, strictly between 0 and 1.

    Returns
    -------
    float
        ε of all answers together, for δ'.

    Raises
    ------
    ValueError
        If an argument is out of range, or the result too large for a double.

    References
    ----------
    C. Dwork and A. Roth. The algorithmic foundations of differential privacy. 2014, theorem 3.20.
    """
    epsilon, k, delta = check_epsilon(epsilon), check_int(k, "k", 1), check_probability(delta, "delta")
    return _finite(_advanced(epsilon, k, delta), "epsilon", epsilon)


def advanced_pays_from(epsilon: float, *, delta: float, most: int = 10**9) -> int | None:
    """Give the smallest number of answers for which advanced composition beats adding up.

    Parameters
    ----------
    epsilon : float
        ε of each answer.
    delta : float
        δ' that may be added.
    most : int, default 10**9
        Look no further; at least 1.

    Returns
    -------
    int or None
        The crossing; None if there is none up to ``most``.

    Raises
    ------
    ValueError
        If an argument is out of range.
    TypeError
        If an argument is not a number, or most no integer.

    Examples
    --------
    >>> advanced_pays_from(0.1, delta=1e-5)
    29
    """
    epsilon, most, delta = check_epsilon(epsilon), check_int(most, "most", 1), check_probability(delta, "delta")
    if not _advanced(epsilon, most, delta) < most * epsilon:
        return None
    low, high = 0, most  # advanced/sequential falls with k: bisection
    while high - low > 1:
        middle = (low + high) // 2
        better = _advanced(epsilon, middle, delta) < middle * epsilon
        low, high = (low, middle) if better else (middle, high)
    return high


def _advanced(epsilon: float, k: int, delta: float) -> float:
    """Advanced composition of checked arguments; infinite where it overflows."""
    root = math.sqrt(-2 * k * math.log(delta)) * epsilon
    return root + k * epsilon * (math.expm1(epsilon) if epsilon < 700 else math.inf)


# ---- Rényi and concentrated privacy ------------------------------------------------------------------------------


def rdp_gaussian(alpha: float, *, sigma: float, sensitivity: float = 1.0) -> float:
    r"""Give the Rényi privacy of Gaussian noise at an order: :math:`\alpha\Delta^2/(2\sigma^2)`.

    Parameters
    ----------
    alpha : float
        Order α > 1.
    sigma : float
        Standard deviation > 0.
    sensitivity : float, default 1.0
        L2 sensitivity Δ > 0.

    Returns
    -------
    float
        The bound ε̄ on the Rényi divergence of order α; it is attained.

    Raises
    ------
    ValueError
        If an argument is out of range, or the result not finite in double precision.
    TypeError
        If an argument is not a number.

    References
    ----------
    I. Mironov. Rényi differential privacy. CSF 2017, corollary 3.

    Examples
    --------
    >>> rdp_gaussian(3.0, sigma=2.0)
    0.375
    """
    return _finite(_check_order(alpha) * zcdp_gaussian(sigma=sigma, sensitivity=sensitivity), "alpha", alpha)


def rdp_laplace(alpha: float, *, epsilon: float) -> float:
    r"""Give the Rényi privacy of real-valued Laplace noise of scale Δ/ε at an order.

    .. math::  \frac{1}{\alpha-1}\ln\left(\frac{\alpha}{2\alpha-1}e^{(\alpha-1)\varepsilon}
        + \frac{\alpha-1}{2\alpha-1}e^{-\alpha\varepsilon}\right)

    Parameters
    ----------
    alpha : float
        Order α > 1.
    epsilon : float
        Its pure ε > 0, to which this tends as α grows.

    Returns
    -------
    float
        The Rényi divergence at two neighbouring data sets that differ by the whole sensitivity. Of a vector whose
        changes add up to the sensitivity it is an upper bound, as this is convex in ε. That of noise in whole numbers
        may be larger: see :func:`rdp_pure`.

    Raises
    ------
    ValueError
        If an argument is out of range, or the result not finite in double precision.
    TypeError
        If an argument is not a number.

    References
    ----------
    I. Mironov. Rényi differential privacy. CSF 2017, proposition 6.

    Examples
    --------
    >>> round(rdp_laplace(2.0, epsilon=1.0), 4)
    0.6191
    """
    alpha, epsilon = _check_order(alpha), check_epsilon(epsilon)
    a, b = (alpha - 1) * epsilon, alpha * epsilon
    if b > 1:
        first = a - math.log1p((alpha - 1) / alpha)
        second = -math.log(2 + 1 / (alpha - 1)) - b
        return _finite((first + math.log1p(math.exp(second - first))) / (alpha - 1), "epsilon", epsilon)
    # The logarithm's argument is 1 + ab/(a + b)·(g(a) − g(−b)) with g(x) = (e^x − 1)/x: small ε does not cancel.
    if b < 1e-3:
        slope = 1 / 2 + (a - b) / 6 + (a * a - a * b + b * b) / 24 + (a - b) * (a * a + b * b) / 120
    else:
        slope = (math.expm1(a) / a + math.expm1(-b) / b) / (a + b)
    return math.log1p(a * b * slope) / (alpha - 1)


def rdp_pure(alpha: float, *, epsilon: float) -> float:
    r"""Give the Rényi privacy of any pure ε-private mechanism at an order: that of randomized response.

    .. math::  \frac{1}{\alpha-1}\ln\frac{e^{\alpha\varepsilon} + e^{(1-\alpha)\varepsilon}}{1 + e^{\varepsilon}}

    Parameters
    ----------
    alpha : float
        Order α > 1.
    epsilon : float
        Pure ε > 0, to which this tends as α grows.

    Returns
    -------
    float
        The largest Rényi divergence that a pure ε allows. Randomized response attains it, and so does
        :func:`ldp_core.central.discrete_laplace` at sensitivity 1, whose loss has the same two values.

    Raises
    ------
    ValueError
        If an argument is out of range, or the result not finite in double precision.
    TypeError
        If an argument is not a number.

    Notes
    -----
    Every ε-private mechanism, seen at two neighbours, is randomized response with something done to its answer
    afterwards (Kairouz, Oh and Viswanath), and nothing done afterwards makes a divergence larger.

    References
    ----------
    M. Bun and T. Steinke. Concentrated differential privacy. TCC 2016, proposition 3.3.
    P. Kairouz, S. Oh and P. Viswanath. The composition theorem for differential privacy. ICML 2015, theorem 10.

    Examples
    --------
    >>> round(rdp_pure(2.0, epsilon=1.0), 4)
    0.7353
    """
    alpha, epsilon = _check_order(alpha), check_epsilon(epsilon)
    if alpha * epsilon > 30:
        excess = math.log1p(math.exp(-(2 * alpha - 1) * epsilon)) - math.log1p(math.exp(-epsilon))
        return _finite(epsilon + excess / (alpha - 1), "epsilon", epsilon)
    # The quotient is cosh((α − ½)ε)/cosh(ε/2), written without cancellation for small ε.
    above_one = 2 * math.sinh(alpha * epsilon / 2) * math.sinh((alpha - 1) * epsilon / 2) / math.cosh(epsilon / 2)
    return math.log1p(above_one) / (alpha - 1)


def rdp_to_dp(alpha: float, rdp: float, *, delta: float) -> float:
    r"""Convert (α, ε̄)-Rényi privacy to the ε of (ε, δ): :math:`\bar\varepsilon + \ln(1/\delta)/(\alpha-1)`.

    Parameters
    ----------
    alpha : float
        Order α > 1.
    rdp : float
        ε̄ ≥ 0.
    delta : float
        δ strictly between 0 and 1.

    Returns
    -------
    float
        ε.

    Raises
    ------
    ValueError
        If an argument is out of range, or the result not finite in double precision.
    TypeError
        If an argument is not a number.

    References
    ----------
    I. Mironov. Rényi differential privacy. CSF 2017, proposition 3.

    Examples
    --------
    >>> round(rdp_to_dp(5.0, 0.3, delta=math.exp(-8)), 4)
    2.3
    """
    alpha, rdp = _check_order(alpha), check_non_negative(rdp, "rdp")
    return _finite(rdp - math.log(check_probability(delta, "delta")) / (alpha - 1), "rdp", rdp)


def zcdp_gaussian(*, sigma: float, sensitivity: float = 1.0) -> float:
    r"""Give the ρ of Gaussian noise: :math:`\rho = \Delta^2/(2\sigma^2)`.

    Parameters
    ----------
    sigma : float
        Standard deviation > 0.
    sensitivity : float, default 1.0
        L2 sensitivity Δ > 0.

    Returns
    -------
    float
        ρ: the Rényi divergence of every order α is at most ρα. Where it underflows, the smallest normal double.

    Raises
    ------
    ValueError
        If an argument is out of range, or the result not finite in double precision.
    TypeError
        If an argument is not a number.

    References
    ----------
    M. Bun and T. Steinke. Concentrated differential privacy. TCC 2016, proposition 1.6.

    Examples
    --------
    >>> zcdp_gaussian(sigma=2.0)
    0.125
    """
    ratio = check_positive(sensitivity, "sensitivity") / check_positive(sigma, "sigma")
    return _finite(_half_square(ratio), "sensitivity / sigma", ratio)


def zcdp_pure(epsilon: float) -> float:
    r"""Give the ρ of a pure guarantee: :math:`\rho = \varepsilon^2/2` (Bun and Steinke, proposition 1.4).

    Parameters
    ----------
    epsilon : float
        ε > 0.

    Returns
    -------
    float
        ρ. Where it underflows, the smallest normal double.

    Raises
    ------
    ValueError
        If ε is not > 0, or the result not finite in double precision.
    TypeError
        If ε is not a number.

    Examples
    --------
    >>> zcdp_pure(0.5)
    0.125
    """
    return _finite(_half_square(check_epsilon(epsilon)), "epsilon", epsilon)


def zcdp_to_dp(rho: float, *, delta: float) -> float:
    r"""Convert ρ-zCDP to the ε of (ε, δ): :math:`\rho + 2\sqrt{\rho\ln(1/\delta)}`.

    Parameters
    ----------
    rho : float
        ρ > 0.
    delta : float
        δ strictly between 0 and 1.

    Returns
    -------
    float
        ε. It is the smallest of :func:`rdp_to_dp` over all orders.

    Raises
    ------
    ValueError
        If an argument is out of range, or the result not finite in double precision.
    TypeError
        If an argument is not a number.

    References
    ----------
    M. Bun and T. Steinke. Concentrated differential privacy. TCC 2016, proposition 1.3.

    Examples
    --------
    >>> round(zcdp_to_dp(0.5, delta=math.exp(-8)), 4)
    4.5
    """
    rho, delta = check_positive(rho, "rho"), check_probability(delta, "delta")
    return _finite(rho + 2 * math.sqrt(rho) * math.sqrt(-math.log(delta)), "rho", rho)


def dp_to_zcdp(epsilon: float, *, delta: float) -> float:
    """Give the largest ρ that :func:`zcdp_to_dp` turns into at most ε.

    Parameters
    ----------
    epsilon : float
        ε > 0.
    delta : float
        δ strictly between 0 and 1.

    Returns
    -------
    float
        ρ.

    Raises
    ------
    ValueError
        If an argument is out of range.
    TypeError
        If an argument is not a number.

    Examples
    --------
    >>> round(zcdp_to_dp(dp_to_zcdp(1.0, delta=1e-6), delta=1e-6), 4)
    1.0
    """
    epsilon = check_epsilon(epsilon)
    log = -math.log(check_probability(delta, "delta"))
    # The root of ρ + 2√(ρL) = ε in √ρ, written without cancellation.
    return (epsilon / (math.sqrt(log + epsilon) + math.sqrt(log))) ** 2


class Accountant:
    """A ledger of what has been asked about the same people, all of it for the same neighbours.

    Every entry keeps what is known about it: a pure ε, that the noise is Laplace's, or the σ of Gaussian noise. What
    they come to together depends on the rule; each rule is sound, so the smallest result counts. What is (ε, δ)-private
    itself, like :func:`ldp_core.central.propose_test_release`, is added to the ledger's result by :func:`sequential`.

    Examples
    --------
    >>> ledger = Accountant()
    >>> ledger.gaussian(sigma=20.0, times=100)
    >>> {rule: round(value, 2) for rule, value in ledger.compare(delta=1e-5).items()}
    {'zcdp': 2.52, 'rdp': 2.52, 'gaussian': 1.99}
    >>> ledger.pure(epsilon=0.05)
    >>> {rule: round(value, 2) for rule, value in ledger.compare(delta=1e-5).items()}
    {'zcdp': 2.54, 'rdp': 2.54}
    """

    def __init__(self) -> None:
        self._pure: list[tuple[float, int, Callable[..., float]]] = []  # ε, how many, their Rényi privacy
        self._gaussian: list[tuple[float, int]] = []  # ρ, how many
        self._continuous = True  # whether all Gaussian noise is real-valued

    def pure(self, *, epsilon: float, times: int = 1) -> None:
        """Enter answers of any mechanism that is purely ε-private, as :func:`rdp_pure` bounds them all.

        :func:`ldp_core.central.discrete_laplace`, :func:`ldp_core.central.exponential` and its relatives,
        :func:`ldp_core.central.above_threshold`, :func:`ldp_core.central.sparse`, sample-and-aggregate, and whatever a
        local mechanism reports.

        Parameters
        ----------
        epsilon : float
            Pure ε of each.
        times : int, default 1
            How many.

        Raises
        ------
        ValueError
            If an argument is out of range.
        TypeError
            If epsilon is not a number, or times no integer.
        """
        self._pure.append((check_epsilon(epsilon), check_int(times, "times", 1), rdp_pure))

    def laplace(self, *, epsilon: float, times: int = 1) -> None:
        """Enter numbers or vectors with real-valued Laplace noise, as :func:`ldp_core.central.laplace` adds it.

        Not for whole-number noise (:func:`ldp_core.central.discrete_laplace`), the exponential mechanism, sparse
        vectors, propose-test-release or anything else: their losses are spread differently and may add up to more.
        What is pure among them is for :meth:`pure`.

        Parameters
        ----------
        epsilon : float
            Pure ε of each.
        times : int, default 1
            How many.

        Raises
        ------
        ValueError
            If an argument is out of range.
        TypeError
            If epsilon is not a number, or times no integer.
        """
        self._pure.append((check_epsilon(epsilon), check_int(times, "times", 1), rdp_laplace))

    def gaussian(self, *, sigma: float, sensitivity: float = 1.0, times: int = 1) -> None:
        """Enter answers, numbers or vectors, with real-valued Gaussian noise.

        Parameters
        ----------
        sigma : float
            Standard deviation; at least about 1e-154 times the sensitivity.
        sensitivity : float, default 1.0
            L2 sensitivity.
        times : int, default 1
            How many.

        Raises
        ------
        ValueError
            If an argument is out of range, or ρ not finite in double precision.
        TypeError
            If an argument is not a number, or times no integer.
        """
        rho, times = zcdp_gaussian(sigma=sigma, sensitivity=sensitivity), check_int(times, "times", 1)
        self._gaussian.append((rho, times))

    def discrete_gaussian(self, *, sigma: float, sensitivity: int = 1, times: int = 1) -> None:
        """Enter answers with whole-number Gaussian noise, :func:`ldp_core.central.discrete_gaussian`.

        It is as concentrated as real-valued noise, but sums of it are no discrete Gaussians: the exact rule is not for
        it.

        Parameters
        ----------
        sigma : float
            Scale σ.
        sensitivity : int, default 1
            Largest change of the answer.
        times : int, default 1
            How many.

        Raises
        ------
        ValueError
            If an argument is out of range, or ρ not finite in double precision.
        TypeError
            If sigma is not a number, or sensitivity or times no integer.
        """
        self.gaussian(sigma=sigma, sensitivity=check_int(sensitivity, "sensitivity", 1), times=times)
        self._continuous = False

    @property
    def rho(self) -> float:
        """ρ of everything: those of single entries add up. Infinite where it overflows."""
        return sum(_half_square(e) * k for e, k, _ in self._pure) + sum(rho * k for rho, k in self._gaussian)

    def rdp(self, alpha: float) -> float:
        """Rényi privacy of everything at an order: that of single entries adds up.

        Parameters
        ----------
        alpha : float
            Order α > 1.

        Returns
        -------
        float
            ε̄.

        Raises
        ------
        ValueError
            If alpha is not > 1.
        TypeError
            If it is not a number.
        """
        alpha = _check_order(alpha)
        pure = sum(divergence(alpha, epsilon=e) * k for e, k, divergence in self._pure)
        return pure + sum(alpha * rho * k for rho, k in self._gaussian)

    def compare(self, *, delta: float) -> dict[str, float]:
        """Give the ε for a δ by every rule that applies.

        Parameters
        ----------
        delta : float
            δ strictly between 0 and 1.

        Returns
        -------
        dict of str to float
            "sequential" (pure entries only), "advanced" (pure entries of one ε only), "zcdp", "rdp", and "gaussian"
            (real-valued Gaussian noise only): k answers with Gaussian noise are one, of ρ = Σρᵢ, whose ε is known
            exactly. A rule whose result is too large for a double is left out.

        Raises
        ------
        ValueError
            If nothing has been entered, or every result is too large.
        """
        delta = check_probability(delta, "delta")
        if not self._pure and not self._gaussian:
            raise ValueError("the ledger must have an entry, got none")
        found: dict[str, float] = {}
        if not self._gaussian:
            found["sequential"] = sum(e * k for e, k, _ in self._pure)
            if len({e for e, _, _ in self._pure}) == 1:
                count = sum(k for _, k, _ in self._pure)
                found["advanced"] = _advanced(self._pure[0][0], count, delta)
        rho = self.rho
        if math.isfinite(rho):
            found["zcdp"] = zcdp_to_dp(rho, delta=delta)
            # The best order of a Gaussian ledger is known; the grid serves the others.
            best = 1 + math.sqrt(-math.log(delta)) / math.sqrt(rho)
            # At an order of 1, to the last digit, nothing can be said.
            orders = (*ORDERS, best) if best > 1 else ORDERS
            found["rdp"] = min(self.rdp(alpha) - math.log(delta) / (alpha - 1) for alpha in orders)
            if not self._pure and self._continuous:
                found["gaussian"] = gaussian_epsilon(delta=delta, sigma=1 / math.sqrt(2 * rho))
        found = {rule: epsilon for rule, epsilon in found.items() if math.isfinite(epsilon)}
        if not found:
            raise ValueError("the ledger's epsilon must be finite in double precision: its entries add up to too much")
        return found

    def epsilon(self, *, delta: float) -> float:
        """Give the smallest ε for a δ that any rule proves.

        Parameters
        ----------
        delta : float
            δ strictly between 0 and 1.

        Returns
        -------
        float
            ε. For a ledger of real-valued Gaussian noise alone it is exact, and may be 0.

        Raises
        ------
        ValueError
            If delta is out of range, nothing has been entered, or every result is too large.
        TypeError
            If delta is not a number.
        """
        return min(self.compare(delta=delta).values())


def _check_order(alpha: object) -> float:
    order = check_real(alpha, "alpha")
    if order <= 1:
        raise ValueError(f"alpha must be > 1, got {alpha!r}")
    return order


def _half_square(x: float) -> float:
    """x²/2, rounded up where it underflows, so that no ledger forgets an entry; infinite where it overflows."""
    return max(x * x / 2, sys.float_info.min)


def _listed(values: Iterable[float], name: str) -> list[float]:
    """Return an iterable's numbers, which the caller checks one by one."""
    return list(check_iterable(values, name, "numbers"))


def _finite(result: float, name: str, value: object) -> float:
    """Return a result; where it overflows, say which argument is to blame."""
    if not math.isfinite(result):
        raise ValueError(f"{name} is out of range: the result is not finite in double precision, got {shown(value)}")
    return result
