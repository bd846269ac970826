"""The sparse vector technique: many questions, pay only for those whose answer is above a threshold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import (
    LARGEST_SCALE,
    LARGEST_VALUE,
    Rng,
    check_bool,
    check_epsilon,
    check_in_range,
    check_int,
    check_iterable,
    check_positive,
    check_rng,
    check_scale,
    check_vector,
)
from ldp_core.central._panels import BLOCK, panels
from ldp_core.central.noise import add_laplace

__all__ = ["above_threshold", "above_threshold_probabilities", "sparse", "sparse_numeric"]


def above_threshold(
    answers: Iterable[float], threshold: float, *, epsilon: float, sensitivity: float = 1.0, rng: Rng = None
) -> int | None:
    """Find the first answer that is above a threshold, roughly; pay once, however many were looked at.

    The threshold gets noise of scale 2Δ/ε, every answer fresh noise of scale 4Δ/ε; the first noisy answer that reaches
    the noisy threshold ends the search. The threshold is public. The answers come in a fixed order, lazily if they are
    a generator: what comes after the one found is never looked at. Without a finding the result is None (an arbitrary
    position in its place, as one may read, would be taken for a finding). Δ is the sensitivity of any single answer.

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
    scale, numbers = check_scale(sensitivity, epsilon, 2), check_answers(answers)
    threshold = _check_size(threshold, "threshold")
    generator = check_rng(rng, law=("above threshold", scale, threshold))
    return next(findings(numbers, threshold, scale, 2 * scale, generator), None)


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
    ε/c is private too, and less accurate. The answers, the threshold and Δ are as in :func:`above_threshold`, and
    ``monotone`` says whether all answers change in the same direction between neighbouring data sets, as counts do
    under add/remove.

    References
    ----------
    M. Lyu, D. Su and N. Li. Understanding the sparse vector technique for differential privacy. PVLDB 10(6), 2017,
    algorithm 7, theorems 4 and 5.

    Examples
    --------
    >>> sparse([0, 900, 10, 500, 20], 100, c=2, epsilon=1.0, rng=0)
    [1, 3]
    """
    scale_t, scale_a = _scales(c, epsilon, sensitivity, monotone)
    numbers, threshold = check_answers(answers), _check_size(threshold, "threshold")
    generator = check_rng(rng, law=("sparse", scale_t, scale_a, c, threshold))
    return list(islice(findings(numbers, threshold, scale_t, scale_a, generator), c))


def findings(
    answers: Iterable[float], threshold: float, scale_t: float, scale_a: float, rng: np.random.Generator
) -> Iterator[int]:
    """Give one position after another whose noisy answer reaches one noisy threshold."""
    noisy_threshold = add_laplace(threshold, scale_t, rng)
    for position, answer in enumerate(answers):
        if add_laplace(answer, scale_a, rng) >= noisy_threshold:
            yield position


def _scales(c: int, epsilon: float, sensitivity: float, monotone: bool) -> tuple[float, float]:
    """Return the scales of the noise on the threshold and on the answers of :func:`sparse`."""
    c, epsilon = check_int(c, "c", 1), check_epsilon(epsilon)
    factor = 1.0 if check_bool(monotone, "monotone") else 2.0
    share = 1 / (1 + (factor * c) ** (2 / 3))
    return check_scale(sensitivity, epsilon, 1 / share), check_scale(sensitivity, epsilon, factor * c / (1 - share))


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

    All arguments (answers, threshold, c, monotone) are as in :func:`sparse`; ε is for positions and values together. A
    value has Laplace noise of scale 2cΔ/ε. (Reusing the noise of the comparison, as one published variant does, is not
    private.)

    Examples
    --------
    >>> [(i, round(value, 6)) for i, value in sparse_numeric([0, 900, 10], 100, c=1, epsilon=1.0, rng=0)]
    [(1, 899.394991)]
    """
    half = check_epsilon(epsilon) / 2
    scale, threshold = check_scale(sensitivity, half, check_int(c, "c", 1)), _check_size(threshold, "threshold")
    generator = check_rng(rng, law=("sparse numeric", scale, c, threshold, check_bool(monotone, "monotone")))
    listed = list(check_answers(answers))
    places = sparse(listed, threshold, c=c, epsilon=half, sensitivity=sensitivity, monotone=monotone, rng=generator)
    return [(place, float(add_laplace(listed[place], scale, generator))) for place in places]


def above_threshold_probabilities(
    answers: npt.ArrayLike, threshold: float, *, threshold_scale: float, answer_scale: float
) -> Floats:
    """Give the exact law of the first finding, by numerical integration over the noise of the threshold.

    The result has shape (m + 1,) for answers of shape (m,): the probability of each position, and of "none" last, to
    about 1e-12 in size: ratios of tiny ones need closed forms. :func:`above_threshold` adds noise of scale 2Δ/ε to the
    threshold (threshold_scale) and 4Δ/ε to answers (answer_scale); published variants have others, 0 for none at all.

    Examples
    --------
    >>> above_threshold_probabilities([0.0, 9.0], 5.0, threshold_scale=2.0, answer_scale=4.0).round(4)
    array([0.1773, 0.6259, 0.1968])
    """
    values, threshold = check_vector(answers, "answers"), _check_size(threshold, "threshold")
    _check_size(values[np.argmax(np.abs(values))], "answers")
    scale_t = check_positive(check_in_range(threshold_scale, "threshold_scale", 0, LARGEST_SCALE), "threshold_scale")
    scale_a = check_in_range(answer_scale, "answer_scale", 0, LARGEST_SCALE)
    distance = values - threshold
    with np.errstate(over="ignore"):  # an answer that the threshold's noise never reaches
        nodes, weights = _rule(distance / scale_t, scale_a / scale_t)
    result = np.zeros(len(values) + 1)
    step = max(1, BLOCK // len(values))
    for i in range(0, len(nodes), step):
        z = nodes[i : i + step]
        gap = scale_t * z - distance[:, None]  # an answer's noise must be at least this
        if scale_a > 0:
            with np.errstate(over="ignore"):
                tail = np.exp(-np.abs(gap) / scale_a) / 2
            hit = np.where(gap > 0, tail, 1 - tail)
        else:
            hit = (gap <= 0).astype(np.float64)
        still = np.cumprod(np.vstack([np.ones_like(z), 1 - hit]), axis=0)
        mass = weights[i : i + step] * np.exp(-np.abs(z)) / 2
        result += np.append((still[:-1] * hit) @ mass, still[-1] @ mass)
    return result


def _rule(place: Floats, reach: float) -> tuple[Floats, Floats]:
    """Give nodes and weights for integrals over [−40, 40] of functions that bend within ``reach`` of some places.

    Panels end at all corners, half a unit apart at most; where ``reach`` is less than that, they grow from a place
    outwards with the distance, up to where the exponential law of that reach has died away.
    """
    corners = [place, np.linspace(-40, 40, 161)]
    if reach < 1:
        outwards = reach * np.array([0.5, 1, 2, 4, 8, 16, 32, 64])
        corners += [(place[:, None] + sign * outwards).ravel() for sign in (-1, 1)]
    ends = np.unique(np.concatenate(corners))
    ends = ends[np.abs(ends) <= 40]
    return panels(ends, 16)


def check_answers(answers: Iterable[float]) -> Iterator[float]:
    """Check that answers come in an order, then check each as it comes."""
    numbers = check_iterable(answers, "answers", "numbers in a fixed order", ordered=True)
    return (_check_size(answer, "answers") for answer in numbers)


def _check_size(value: object, name: str) -> float:
    """Return a finite number to which noise can be added."""
    return check_in_range(value, name, -LARGEST_VALUE, LARGEST_VALUE)
