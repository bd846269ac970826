"""The sparse vector technique: many questions, pay only for those whose answer is above a threshold."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from ldp_core._validate import Rng, check_epsilon, check_int, check_real, check_rng
from ldp_core.central._checks import Floats, check_positive


def above_threshold(
    answers: Iterable[float], threshold: float, *, epsilon: float, sensitivity: float = 1.0, rng: Rng = None
) -> int | None:
    r"""Find the first answer that is above a threshold, roughly; pay once, however many were looked at.

    The threshold gets noise of scale 2Δ/ε, every answer fresh noise of scale 4Δ/ε; the first noisy answer that reaches
    the noisy threshold ends the search.

    Parameters
    ----------
    answers : iterable of float
        True answers, computed lazily if it is a generator: what comes after the one found is never looked at.
    threshold : float
        What is asked for; public.
    epsilon : float
        Privacy budget ε of the whole search.
    sensitivity : float, default 1.0
        Largest change Δ of any single answer between neighbouring data sets.
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    int or None
        Position of the answer; None if none was found. (An arbitrary position in place of None, as one may read,
        would be taken for a finding.)

    References
    ----------
    C. Dwork and A. Roth. The algorithmic foundations of differential privacy. 2014, algorithm 1 and theorem 3.23.

    Examples
    --------
    >>> above_threshold([0, 10, 500, 20], 100, epsilon=1.0, rng=0)
    2
    >>> above_threshold([0, 0], 100, epsilon=1.0, rng=0) is None
    True
    """
    epsilon, sensitivity = check_epsilon(epsilon), check_positive(sensitivity, "sensitivity")
    threshold, generator = check_real(threshold, "threshold"), check_rng(rng)
    noisy_threshold = threshold + generator.laplace(scale=2 * sensitivity / epsilon)
    for position, answer in enumerate(answers):
        if check_real(answer, "answers") + generator.laplace(scale=4 * sensitivity / epsilon) >= noisy_threshold:
            return position
    return None


def sparse(
    answers: Iterable[float],
    threshold: float,
    *,
    c: int,
    epsilon: float,
    sensitivity: float = 1.0,
    monotone: bool = False,
    rng: Rng = None,
) -> list[int]:
    r"""Find up to c answers that are above a threshold, with one noisy threshold for all.

    The threshold gets noise of scale Δ/ε₁, every answer of scale 2cΔ/ε₂ (cΔ/ε₂ if monotone), with
    :math:`\varepsilon_1 : \varepsilon_2 = 1 : (2c)^{2/3}`, which is close to optimal. Restarting the search c times at
    ε/c is private too, and less accurate.

    Parameters
    ----------
    answers : iterable of float
        True answers.
    threshold : float
        Public.
    c : int
        Most findings, ≥ 1; then the search ends.
    epsilon : float
        Privacy budget ε of the whole search.
    sensitivity : float, default 1.0
        Largest change Δ of any single answer.
    monotone : bool, default False
        Whether all answers change in the same direction between neighbouring data sets, as counts do under add/remove.
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    list of int
        Positions, ascending, at most c.

    References
    ----------
    M. Lyu, D. Su and N. Li. Understanding the sparse vector technique for differential privacy. PVLDB 10(6), 2017,
    algorithm 7, theorems 4 and 5.
    """
    c, epsilon = check_int(c, "c", 1), check_epsilon(epsilon)
    sensitivity, threshold = check_positive(sensitivity, "sensitivity"), check_real(threshold, "threshold")
    factor = 1.0 if monotone else 2.0
    share = 1 / (1 + (factor * c) ** (2 / 3))
    first, second = epsilon * share, epsilon * (1 - share)
    generator = check_rng(rng)
    noisy_threshold = threshold + generator.laplace(scale=sensitivity / first)
    found: list[int] = []
    for position, answer in enumerate(answers):
        noise = generator.laplace(scale=factor * c * sensitivity / second)
        if check_real(answer, "answers") + noise >= noisy_threshold:
            found.append(position)
            if len(found) == c:
                break
    return found


def sparse_numeric(
    answers: Iterable[float],
    threshold: float,
    *,
    c: int,
    epsilon: float,
    sensitivity: float = 1.0,
    monotone: bool = False,
    rng: Rng = None,
) -> list[tuple[int, float]]:
    """Find up to c answers above a threshold, and give those with fresh noise: half the budget for each step.

    Parameters
    ----------
    answers, threshold, c, epsilon, sensitivity, monotone, rng
        As in :func:`sparse`. ε is for positions and values together.

    Returns
    -------
    list of (int, float)
        Position and noisy value of each finding; a value has Laplace noise of scale 2cΔ/ε. (Reusing the noise of the
        comparison, as one published variant does, is not private.)
    """
    listed = [check_real(answer, "answers") for answer in answers]
    half, generator = check_epsilon(epsilon) / 2, check_rng(rng)
    settings = {"c": c, "epsilon": half, "sensitivity": sensitivity, "monotone": monotone}
    places = sparse(listed, threshold, rng=generator, **settings)  # type: ignore[arg-type]
    scale = c * check_positive(sensitivity, "sensitivity") / half
    return [(place, listed[place] + float(generator.laplace(scale=scale))) for place in places]


def above_threshold_probabilities(
    answers: npt.ArrayLike,
    threshold: float,
    *,
    threshold_scale: float,
    answer_scale: float,
) -> Floats:
    r"""Give the exact law of the first finding, by numerical integration over the noise of the threshold.

    Parameters
    ----------
    answers : array_like, shape (m,)
        True answers.
    threshold : float
        The threshold.
    threshold_scale, answer_scale : float
        Scales of the Laplace noise, ≥ 0. :func:`above_threshold` has 2Δ/ε and 4Δ/ε; published variants have others,
        0 for none at all.

    Returns
    -------
    ndarray of float64, shape (m + 1,)
        Probability of each position, and of "none" last.
    """
    values = np.asarray(answers, dtype=np.float64)
    scale_t, scale_a = check_real(threshold_scale, "threshold_scale"), check_real(answer_scale, "answer_scale")
    if scale_t <= 0 or scale_a < 0:
        raise ValueError(f"threshold_scale must be > 0 and answer_scale >= 0, got {scale_t!r} and {scale_a!r}")
    # Panels between all corners of the integrand, in units of the threshold's noise.
    corners = np.unique(np.concatenate([(values - threshold) / scale_t, np.linspace(-40, 40, 161)]))
    corners = corners[np.abs(corners) <= 40]
    nodes, weights = np.polynomial.legendre.leggauss(16)
    half = np.diff(corners) / 2
    z = ((corners[:-1] + half)[:, None] + half[:, None] * nodes).ravel()
    mass = (half[:, None] * weights).ravel() * np.exp(-np.abs(z)) / 2
    gap = threshold + scale_t * z - values[:, None]  # an answer's noise must be at least this
    if scale_a:
        reach = np.where(gap > 0, np.exp(-np.abs(gap) / scale_a) / 2, 1 - np.exp(-np.abs(gap) / scale_a) / 2)
    else:
        reach = (gap <= 0).astype(np.float64)
    still = np.cumprod(np.vstack([np.ones_like(z), 1 - reach]), axis=0)
    return np.append((still[:-1] * reach) @ mass, still[-1] @ mass)
