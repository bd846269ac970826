r"""What floating point gives away: reports that a value cannot have led to, whatever the random numbers were.

A proof of ε-local differential privacy speaks of real numbers. A computer's noise has gaps, which differ from value
to value: a report that lies in the gap of t′ tells with certainty that the value was not t′. Under real-valued noise
there are no such reports; if their share under t is s, no guarantee (ε, δ) with δ < s holds, whatever ε.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import Rng, as_array, check_in_range, check_int, check_rng, shown
from ldp_core.frequency import DiscreteSummationHistogram, FrequencyOracle, PureOracle, SummationHistogram
from ldp_core.numeric import DiscreteLaplace, Duchi, Hybrid, Laplace, NumericMechanism, Piecewise
from ldp_core.numeric.piecewise import UNIFORM_BITS, PiecewiseLaw

__all__ = ["betrayed", "impossible"]

Bools = npt.NDArray[np.bool_]

#: Reports that are looked at by default: a share is then known to within half a percentage point.
REPORTS = 100_000

#: Most reports that can be asked for.
MOST_REPORTS = 10**8


def impossible(mechanism: NumericMechanism | FrequencyOracle, reports: npt.ArrayLike, value: float) -> Bools:
    """Say which reports this package's sampler cannot make from a value.

    The test is one-sided: it allows random numbers that the generator may never give, so it finds some of the reports
    that are impossible, and never one that is possible.

    Laplace and summation histograms report fl(z + t), a sum rounded to a double: the test asks whether any double z
    leads there. Piecewise maps one of 2^53 places in [0, 1) to a report, step by step, and never turns round on the
    way: the test searches these places for one that leads there. Hybrid is either that or one of Duchi's two reports.
    The mechanism is one-dimensional; for oracles with p and q, and for the discrete mechanisms, no report is ever
    impossible. The value is a number in [−1, 1], or a code of an oracle.

    References
    ----------
    I. Mironov. On significance of the least significant bits for differential privacy. CCS 2012.

    Examples
    --------
    >>> from ldp_core.numeric import Laplace
    >>> impossible(Laplace(1.0), [0.25, 0.25 + 2**-54], 1.0)
    array([False,  True])
    """
    if isinstance(mechanism, FrequencyOracle):
        return _impossible_for_oracle(mechanism, reports, check_int(value, "value", 0, mechanism.d - 1))
    _check_known(mechanism)
    y, t = mechanism._check_reports(reports)[:, 0], np.float64(check_in_range(value, "value", -1.0, 1.0))
    if isinstance(mechanism, Laplace):
        return ~_is_sum(y, t)
    if isinstance(mechanism, Piecewise):
        return ~_is_piecewise(mechanism._one, y, t)
    if isinstance(mechanism, Hybrid):
        signs = np.isin(y, mechanism.atoms)
        return ~(signs | _is_piecewise(mechanism._one.pieces, y, t)) if mechanism.alpha > 0 else ~signs
    return np.zeros(y.shape, dtype=np.bool_)


def betrayed(
    mechanism: NumericMechanism | FrequencyOracle,
    value: float,
    other: float,
    *,
    reports: int = REPORTS,
    rng: Rng = None,
) -> float:
    """Measure the share of a mechanism's reports on a value that cannot come from an ``other`` one: :func:`impossible`.

    So many ``reports``, up to 10**8, are drawn from ``rng``. The share is an estimate, from below, of a δ without which
    no guarantee holds: 0 for mechanisms that send bits or whole numbers.

    Examples
    --------
    >>> from ldp_core.numeric import DiscreteLaplace, Laplace
    >>> betrayed(Laplace(5.0), 0.0, 1.0, rng=0) > 0.3
    True
    >>> betrayed(DiscreteLaplace(5.0), 0.0, 1.0, rng=0)
    0.0
    """
    n = check_int(reports, "reports", 1, MOST_REPORTS)
    generator = check_rng(rng)
    if isinstance(mechanism, FrequencyOracle):
        code, other = (check_int(v, name, 0, mechanism.d - 1) for v, name in ((value, "value"), (other, "other")))
        drawn: npt.NDArray[Any] = mechanism.perturb(np.full(n, code), generator)
    else:
        _check_known(mechanism)
        t, other = (check_in_range(v, name, -1.0, 1.0) for v, name in ((value, "value"), (other, "other")))
        drawn = mechanism.perturb(np.full(n, t), generator)
    return float(impossible(mechanism, drawn, other).mean())


def _check_known(mechanism: object) -> None:
    if not isinstance(mechanism, (Laplace, DiscreteLaplace, Duchi, Piecewise, Hybrid)):
        raise TypeError(f"mechanism must be one of this package, whose sampler is known, got {shown(mechanism)}")
    if mechanism.dim != 1:
        raise ValueError(f"mechanism must have dim = 1, got dim = {mechanism.dim}")


def _impossible_for_oracle(oracle: FrequencyOracle, reports: npt.ArrayLike, code: int) -> Bools:
    if isinstance(oracle, SummationHistogram):
        # Noise that is added to 0 stays as it is: only the component at the code can tell.
        return ~_is_sum(oracle._check_vectors(reports)[:, code], np.float64(1.0))
    if isinstance(oracle, DiscreteSummationHistogram):
        return np.zeros(len(oracle._check_vectors(reports)), dtype=np.bool_)
    if isinstance(oracle, PureOracle):
        array = as_array(reports, "reports")
        if array.ndim == 0:
            raise ValueError(f"reports must be an array of at least one dimension, got {shown(reports)}")
        return np.zeros(len(array), dtype=np.bool_)
    raise TypeError(f"mechanism must be one of this package, whose sampler is known, got {oracle!r}")


def _is_sum(y: Floats, t: np.float64) -> Bools:
    """Whether some double z has fl(z + t) = y: the double next to y − t, or one of its neighbours."""
    nearest = y - t
    candidates = nearest, np.nextafter(nearest, np.inf), np.nextafter(nearest, -np.inf)
    reached = np.zeros(y.shape, dtype=np.bool_)
    for z in candidates:
        reached |= z + t == y
    return reached


def _is_piecewise(law: PiecewiseLaw, y: Floats, t: np.float64) -> Bools:
    value = np.full(y.shape, t)
    return _is_reached(lambda place: law.on_plateau(value, place), y) | _is_reached(
        lambda place: -law.beside_plateau(value, place), -y
    )


def _is_reached(report: Callable[[Floats], Floats], y: Floats) -> Bools:
    """Whether some place k/2^53 leads to y, for a function that never falls: bisection for the first not below y."""

    def at(k: npt.NDArray[np.int64]) -> Floats:
        return report(np.ldexp(k.astype(np.float64), -UNIFORM_BITS))

    low, high = np.zeros(y.shape, dtype=np.int64), np.full(y.shape, 2**UNIFORM_BITS - 1)
    for _ in range(UNIFORM_BITS):
        middle = (low + high) // 2
        below = at(middle) < y
        low, high = np.where(below, np.minimum(middle + 1, high), low), np.where(below, high, middle)
    reached: Bools = at(low) == y
    return reached
