"""What many private answers give away together: sequential, parallel, advanced, Rényi and concentrated accounting."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from ldp_core._validate import check_epsilon, check_int, check_real
from ldp_core.central._checks import check_positive, check_probability

#: The two forms of advanced composition that are in print.
Form = Literal["dwork-roth", "constant-two"]

#: Orders of Rényi divergence over which conversions are minimised.
ORDERS = tuple(
    [1 + i / 100 for i in range(1, 100)] + [2 + i / 10 for i in range(80)] + [10.0 * 1.1**i for i in range(80)]
)


def sequential(epsilons: Iterable[float], deltas: Iterable[float] = ()) -> tuple[float, float]:
    """Add up: answers about the same people.

    Parameters
    ----------
    epsilons : iterable of float
        ε of each answer, > 0.
    deltas : iterable of float
        δ of each, ≥ 0; none for pure privacy.

    Returns
    -------
    epsilon, delta : float
        The guarantee of all answers together.
    """
    return sum(map(check_epsilon, epsilons)), sum(check_real(delta, "delta") for delta in deltas)


def parallel(epsilons: Iterable[float]) -> float:
    """Take the largest: answers about disjoint groups of people, each counted in one group only.

    Parameters
    ----------
    epsilons : iterable of float
        ε of each answer, > 0.

    Returns
    -------
    float
        Their maximum.

    Notes
    -----
    For neighbours that differ by one person more or less. If a record is *replaced*, the person may leave one group and
    join another, and the two largest ε add up.
    """
    return max(map(check_epsilon, epsilons))


def advanced(epsilon: float, k: int, *, delta: float, form: Form = "dwork-roth") -> float:
    r"""Give the ε of k answers of ε each, at the price of a δ.

    Parameters
    ----------
    epsilon : float
        ε of each answer, > 0.
    k : int
        How many, ≥ 1.
    delta : float
        δ' that may be added, strictly between 0 and 1.
    form : {"dwork-roth", "constant-two"}, default "dwork-roth"
        "dwork-roth": :math:`\sqrt{2k\ln(1/\delta')}\,\varepsilon + k\varepsilon(e^{\varepsilon}-1)`, a theorem for
        every ε. "constant-two": :math:`2\varepsilon\sqrt{2k\ln(1/\delta')}`, which follows from it where the second
        term is at most the first, and does not beyond.

    Returns
    -------
    float
        ε of all answers together, for δ'.

    References
    ----------
    C. Dwork and A. Roth. The algorithmic foundations of differential privacy. 2014, theorem 3.20.
    """
    epsilon, k = check_epsilon(epsilon), check_int(k, "k", 1)
    root = math.sqrt(2 * k * math.log(1 / check_probability(delta, "delta"))) * epsilon
    if form == "dwork-roth":
        return root + k * epsilon * math.expm1(epsilon)
    if form == "constant-two":
        return 2 * root
    raise ValueError(f"form must be 'dwork-roth' or 'constant-two', got {form!r}")


def advanced_pays_from(epsilon: float, *, delta: float, form: Form = "dwork-roth", most: int = 10**9) -> int | None:
    """Give the smallest number of answers for which advanced composition beats adding up.

    Parameters
    ----------
    epsilon : float
        ε of each answer.
    delta : float
        δ' that may be added.
    form : {"dwork-roth", "constant-two"}
        See :func:`advanced`.
    most : int
        Look no further.

    Returns
    -------
    int or None
        The crossing; None if there is none up to ``most``.

    Examples
    --------
    >>> advanced_pays_from(0.1, delta=1e-5), advanced_pays_from(0.1, delta=1e-5, form="constant-two")
    (29, 93)
    """
    if not advanced(epsilon, most, delta=delta, form=form) < most * epsilon:
        return None
    low, high = 0, most  # advanced/sequential falls with k: bisection
    while high - low > 1:
        middle = (low + high) // 2
        better = advanced(epsilon, middle, delta=delta, form=form) < middle * epsilon
        low, high = (low, middle) if better else (middle, high)
    return high


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

    References
    ----------
    I. Mironov. Rényi differential privacy. CSF 2017, corollary 3.
    """
    return _check_order(alpha) * zcdp_gaussian(sigma=sigma, sensitivity=sensitivity)


def rdp_laplace(alpha: float, *, epsilon: float) -> float:
    r"""Give the Rényi privacy of Laplace noise of scale Δ/ε at an order.

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
        The Rényi divergence at two neighbouring data sets that differ by the whole sensitivity.

    References
    ----------
    I. Mironov. Rényi differential privacy. CSF 2017, proposition 6.
    """
    alpha, epsilon = _check_order(alpha), check_epsilon(epsilon)
    first = math.log(alpha / (2 * alpha - 1)) + (alpha - 1) * epsilon
    second = math.log((alpha - 1) / (2 * alpha - 1)) - alpha * epsilon
    return (first + math.log1p(math.exp(second - first))) / (alpha - 1)


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

    References
    ----------
    I. Mironov. Rényi differential privacy. CSF 2017, proposition 3.
    """
    alpha, rdp = _check_order(alpha), check_real(rdp, "rdp")
    if rdp < 0:
        raise ValueError(f"rdp must be >= 0, got {rdp!r}")
    return rdp + math.log(1 / check_probability(delta, "delta")) / (alpha - 1)


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
        ρ: the Rényi divergence of every order α is at most ρα.

    References
    ----------
    M. Bun and T. Steinke. Concentrated differential privacy. TCC 2016, proposition 1.6.
    """
    return (check_positive(sensitivity, "sensitivity") / check_positive(sigma, "sigma")) ** 2 / 2


def zcdp_pure(epsilon: float) -> float:
    r"""Give the ρ of a pure guarantee: :math:`\rho = \varepsilon^2/2` (Bun and Steinke, proposition 1.4).

    Parameters
    ----------
    epsilon : float
        ε > 0.

    Returns
    -------
    float
        ρ.
    """
    return check_epsilon(epsilon) ** 2 / 2


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

    References
    ----------
    M. Bun and T. Steinke. Concentrated differential privacy. TCC 2016, proposition 1.3.
    """
    rho = check_positive(rho, "rho")
    return rho + 2 * math.sqrt(rho * math.log(1 / check_probability(delta, "delta")))


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
    """
    epsilon = check_epsilon(epsilon)
    log = math.log(1 / check_probability(delta, "delta"))
    # The root of ρ + 2√(ρL) = ε in √ρ, written without cancellation.
    return (epsilon / (math.sqrt(log + epsilon) + math.sqrt(log))) ** 2


class Accountant:
    """A ledger of what has been asked about the same people.

    Every entry keeps what is known exactly about it: pure ε of Laplace-like noise, or the σ of Gaussian noise. What
    they come to together depends on the rule; each rule is sound, so the smallest result counts.

    Examples
    --------
    >>> ledger = Accountant()
    >>> ledger.gaussian(sigma=20.0, times=100)
    >>> ledger.laplace(epsilon=0.05)
    >>> {rule: round(value, 2) for rule, value in ledger.compare(delta=1e-5).items()}
    {'zcdp': 2.54, 'rdp': 2.54}
    """

    def __init__(self) -> None:
        self._pure: list[tuple[float, int]] = []
        self._gaussian: list[tuple[float, int]] = []  # ρ of each

    def laplace(self, *, epsilon: float, times: int = 1) -> None:
        """Enter answers with Laplace noise.

        Parameters
        ----------
        epsilon : float
            Pure ε of each.
        times : int, default 1
            How many.
        """
        self._pure.append((check_epsilon(epsilon), check_int(times, "times", 1)))

    def gaussian(self, *, sigma: float, sensitivity: float = 1.0, times: int = 1) -> None:
        """Enter answers with Gaussian noise.

        Parameters
        ----------
        sigma : float
            Standard deviation.
        sensitivity : float, default 1.0
            L2 sensitivity.
        times : int, default 1
            How many.
        """
        self._gaussian.append((zcdp_gaussian(sigma=sigma, sensitivity=sensitivity), check_int(times, "times", 1)))

    @property
    def rho(self) -> float:
        """ρ of everything: those of single entries add up."""
        return sum(zcdp_pure(e) * k for e, k in self._pure) + sum(rho * k for rho, k in self._gaussian)

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
        """
        alpha = _check_order(alpha)
        pure = sum(rdp_laplace(alpha, epsilon=e) * k for e, k in self._pure)
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
            "sequential" (pure entries only) and "advanced" (equal pure entries only), "zcdp", "rdp".

        Raises
        ------
        ValueError
            If nothing has been entered.
        """
        check_probability(delta, "delta")
        if not self._pure and not self._gaussian:
            raise ValueError("the ledger must have an entry, got none")
        found: dict[str, float] = {}
        if not self._gaussian:
            found["sequential"] = sum(e * k for e, k in self._pure)
            if len({e for e, _ in self._pure}) == 1:
                found["advanced"] = advanced(self._pure[0][0], sum(k for _, k in self._pure), delta=delta)
        found["zcdp"] = zcdp_to_dp(self.rho, delta=delta)
        # The best order of a Gaussian ledger is known; the grid serves the others.
        best = 1 + math.sqrt(math.log(1 / delta) / self.rho)
        found["rdp"] = min(rdp_to_dp(alpha, self.rdp(alpha), delta=delta) for alpha in (*ORDERS, best))
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
            ε.
        """
        return min(self.compare(delta=delta).values())


def _check_order(alpha: object) -> float:
    order = check_real(alpha, "alpha")
    if order <= 1:
        raise ValueError(f"alpha must be > 1, got {alpha!r}")
    return order
