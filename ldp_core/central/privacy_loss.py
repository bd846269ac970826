r"""Privacy loss distributions: what many answers cost together, as an interval that is certain to hold the truth.

Between two laws P and Q of an output y, the privacy loss is :math:`L = \ln(P(y)/Q(y))` with y drawn from P. It says
everything: :math:`\delta(\varepsilon) = \mathbb E\left(1 - e^{\varepsilon - L}\right)_+`, and the losses of independent
answers add up, so that their law is a convolution. That is computed here on a grid, by a fast Fourier transform.

**Why the interval is certain.** A loss between two points of the grid, h apart, is moved to one of them, at random, so
that the probability of both ends under P *and* under Q stays what it was. Both laws then arise from a pair that is told
apart at least as easily (whoever sees the end of the grid can draw the loss between), so that the result is an upper
bound, however many answers are added up (Doroshenko et al., PoPETs 2022, who find it the least one on a given grid).
The move D obeys :math:`\mathbb E\,e^{-D} = 1`, hence :math:`0 \le \mathbb E D \le h^2/8`, and k moves exceed
:math:`kh^2/8 + t` with probability at most :math:`\eta = e^{-2t^2/(kh^2)}` (Hoeffding): less δ by η, less ε by that
distance, is a lower bound. What falls off the ends of the grid, and rounding errors, are counted for the upper and
against the lower end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import (
    check_epsilon,
    check_in_range,
    check_int,
    check_non_negative,
    check_option,
    check_positive,
    check_probability,
    check_vector,
    shown,
)

__all__ = ["Interval", "PrivacyLoss"]

#: Which law comes first: "remove" begins with the data that have the person, "add" with those that lack her.
Direction = Literal["remove", "add"]

#: Points of the grid, at most; probability that may fall off its ends; probability of an unlucky sum of moves, in δ.
_POINTS, _LOST, _UNLUCKY = 2**20, 1e-16, 1e-3

#: Points where the upper end is to be found quickly.
_ROUGH = 2**15

#: Largest pure ε of one answer: far beyond it, probabilities are no longer told from 0.
_LARGEST = 1e6

#: What shares may be wrong by, times h²: differences of neighbouring probabilities lose as many digits as h has, twice.
_ROUNDING = 2e-14

#: Largest number of answers: beyond it rounding errors would fill the interval.
_MOST = 10**7


class Interval(NamedTuple):
    """Two numbers, lower and upper, between which the truth lies for certain."""

    lower: float
    #: The one to rely on.
    upper: float

    @property
    def width(self) -> float:
        """How far apart they are."""
        return self.upper - self.lower


class _Tails(NamedTuple):
    """Probabilities of a loss below and above some places, under P and under Q; each exact where it is small."""

    p_below: Floats
    p_above: Floats
    q_below: Floats
    q_above: Floats


@dataclass(frozen=True)
class _Pair:
    """Two laws, by their privacy loss: single losses with their probabilities, and a continuous part."""

    losses: Floats
    p: Floats
    q: Floats
    #: Of the continuous part, if there is one.
    tails: Callable[[Floats], _Tails] | None
    #: For a probability: two losses, of which the continuous part falls below the first or above the second at most so
    #: often, under P and under Q.
    reach: Callable[[float], tuple[float, float]]
    #: The least and the largest loss, of outputs that both laws give.
    ends: tuple[float, float]
    #: Probability of an output that Q never gives, under P, and the other way round.
    only_p: float = 0.0
    only_q: float = 0.0
    #: Whether P and Q may be exchanged.
    symmetric: bool = False

    def turned(self) -> _Pair:
        """Exchange P and Q."""
        tails = None if self.tails is None else partial(_turned_tails, self.tails)
        reach, ends = partial(_turned_reach, self.reach), (-self.ends[1], -self.ends[0])
        return _Pair(-self.losses, self.q, self.p, tails, reach, ends, self.only_q, self.only_p, self.symmetric)

    def sampled(self, rate: float) -> _Pair:
        """Mix Q into P: the person is asked with probability `rate` only."""
        tails = None if self.tails is None else partial(_sampled_tails, self.tails, rate)
        reach = partial(_sampled_reach, self.reach, rate)
        losses, p, only_q = _sampled(rate, self.losses), rate * self.p + (1 - rate) * self.q, self.only_q
        if only_q:  # now P gives these outputs, too, with the least loss there is
            losses, p = np.append(losses, math.log1p(-rate)), np.append(p, (1 - rate) * only_q)
        q = np.append(self.q, only_q) if only_q else self.q
        least, most = (float(end) for end in _sampled(rate, np.array(self.ends)))
        ends = (math.log1p(-rate) if only_q else least, most)
        return _Pair(losses, p, q, tails, reach, ends, rate * self.only_p, 0.0)


def _check_pure(epsilon: object) -> float:
    return check_in_range(check_epsilon(epsilon), "epsilon", 0, _LARGEST)


# What a pair knows about its continuous part: functions of the module, so that a loss may be pickled.


def _turned_tails(tails: Callable[[Floats], _Tails], places: Floats) -> _Tails:
    seen = tails(-places)
    return _Tails(seen.q_above, seen.q_below, seen.p_above, seen.p_below)


def _turned_reach(reach: Callable[[float], tuple[float, float]], lost: float) -> tuple[float, float]:
    low, high = reach(lost)
    return -high, -low


def _sampled(rate: float, losses: npt.ArrayLike) -> Floats:
    """Turn losses of somebody who is asked into those of somebody who is asked with probability `rate`."""
    with np.errstate(over="ignore"):
        new: Floats = np.log1p(rate * np.expm1(losses))
    return np.where(np.isinf(new), np.asarray(losses) + math.log(rate), new)


def _sampled_tails(tails: Callable[[Floats], _Tails], rate: float, places: Floats) -> _Tails:
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        old = np.log1p(np.expm1(places) / rate)  # NaN below the least loss, ln(1 − rate)
        old = np.where(np.isinf(old) & (places > 0), places - math.log(rate), old)
    old = np.where(np.isnan(old), -np.inf, old)
    seen = tails(old)
    p_below = rate * seen.p_below + (1 - rate) * seen.q_below
    p_above = rate * seen.p_above + (1 - rate) * seen.q_above
    return _Tails(p_below, p_above, seen.q_below, seen.q_above)


def _sampled_reach(reach: Callable[[float], tuple[float, float]], rate: float, lost: float) -> tuple[float, float]:
    low, high = _sampled(rate, reach(lost))
    return float(low), float(high)


def _laplace_tails(epsilon: float, places: Floats) -> _Tails:
    v = np.clip(places, -epsilon, epsilon)
    # The loss is ε(1 − 2x) for an answer x between the two true values, 0 and 1.
    p_below = -np.exp((v - epsilon) / 2) * np.expm1(-(v + epsilon) / 2) / 2
    p_above = -np.expm1(-(epsilon - v) / 2) / 2
    q_below = -np.expm1(-(v + epsilon) / 2) / 2
    q_above = -np.exp(-(v + epsilon) / 2) * np.expm1(-(epsilon - v) / 2) / 2
    return _Tails(p_below, p_above, q_below, q_above)


def _laplace_reach(epsilon: float, _: float) -> tuple[float, float]:
    return -epsilon, epsilon


def _gaussian_tails(mu: float, places: Floats) -> _Tails:
    with np.errstate(invalid="ignore"):
        x = places / mu
    return _Tails(*_normal(x - mu / 2), *_normal(x + mu / 2))


def _gaussian_reach(mu: float, lost: float) -> tuple[float, float]:
    z = math.sqrt(-2 * math.log(lost)) + mu / 2
    return -mu * z, mu * z


def _nowhere(_: float) -> tuple[float, float]:
    return 0.0, 0.0


def _atoms(p: Floats, q: Floats, *, symmetric: bool = False) -> _Pair:
    both = (p > 0) & (q > 0)
    losses = np.log(p[both]) - np.log(q[both])
    only_p, only_q = float(p[q == 0].sum()), float(q[p == 0].sum())
    ends = (float(losses.min(initial=math.inf)), float(losses.max(initial=-math.inf)))
    return _Pair(losses, p[both], q[both], None, _nowhere, ends, only_p, only_q, symmetric)


def _normal(x: Floats) -> tuple[Floats, Floats]:
    """Standard normal probabilities below and above x; the smaller one is exact."""
    small = np.fromiter(map(math.erfc, (np.abs(x) / math.sqrt(2)).tolist()), dtype=float, count=len(x)) / 2
    return np.where(x < 0, small, 1 - small), np.where(x < 0, 1 - small, small)


class PrivacyLoss:
    """What answers about the same people cost together, exactly up to an interval whose width is known.

    Make one with :meth:`laplace`, :meth:`gaussian` and so on; :meth:`subsampled`, :meth:`compose` and
    :meth:`self_compose` give new ones, and nothing is computed before :meth:`delta` or :meth:`epsilon` asks.

    Parameters
    ----------
    parts : tuple
        Pairs of laws, and how often each; the class methods make them.
    directions : tuple of {"remove", "add"}
        Which law of each pair comes first.
    points : int
        Of the grid. A thirty-second of the usual number takes a thirtieth of the time; the upper end hardly moves.

    Examples
    --------
    >>> hundred = PrivacyLoss.laplace(0.1).self_compose(100)
    >>> lower, upper = hundred.epsilon(1e-5)
    >>> round(lower, 2), round(upper, 2)
    (4.22, 4.22)
    >>> both = hundred.compose(PrivacyLoss.gaussian(10.0))
    >>> both.epsilon(1e-5).upper > upper
    True
    """

    def __init__(
        self, parts: tuple[tuple[_Pair, int], ...], directions: tuple[Direction, ...], points: int | None = None
    ) -> None:
        self._parts, self._directions, self._points = parts, directions, points

    def __repr__(self) -> str:
        return f"<PrivacyLoss of {sum(times for _, times in self._parts):,} answers>"

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "_sums"}  # they can be made again

    @classmethod
    def _of(cls, pair: _Pair) -> PrivacyLoss:
        return cls(((pair, 1),), ("remove", "add"))

    # ---- where a loss comes from ---------------------------------------------------------------------------------

    @classmethod
    def laplace(cls, epsilon: float) -> PrivacyLoss:
        """Give the loss of a number with real-valued Laplace noise of scale Δ/ε."""
        epsilon = _check_pure(epsilon)
        ends = np.array([epsilon, -epsilon])
        p = np.array([0.5, 0.5 * math.exp(-epsilon)])  # beyond the two true values
        tails, reach = partial(_laplace_tails, epsilon), partial(_laplace_reach, epsilon)
        return cls._of(_Pair(ends, p, p[::-1], tails, reach, (-epsilon, epsilon), symmetric=True))

    @classmethod
    def gaussian(cls, sigma: float, sensitivity: float = 1.0) -> PrivacyLoss:
        """Give the loss of a number or vector with real-valued Gaussian noise of standard deviation sigma.

        The L2 sensitivity over sigma lies between 1e-6 and 30.
        """
        mu = check_positive(sensitivity, "sensitivity") / check_positive(sigma, "sigma")
        if not 1e-6 <= mu <= 30:
            raise ValueError(f"sensitivity / sigma must lie between 1e-6 and 30, got {mu:g}")
        none, tails, reach = np.zeros(0), partial(_gaussian_tails, mu), partial(_gaussian_reach, mu)
        return cls._of(_Pair(none, none, none, tails, reach, (-math.inf, math.inf), symmetric=True))

    @classmethod
    def discrete_laplace(cls, epsilon: float, sensitivity: int = 1) -> PrivacyLoss:
        """Give the loss of a whole number with :func:`ldp_core.central.discrete_laplace` noise.

        The sensitivity is at most 100,000.
        """
        epsilon, step = _check_pure(epsilon), check_int(sensitivity, "sensitivity", 1, 100_000)
        rate = epsilon / step
        x = np.arange(step + 1)
        law: Floats = np.exp(-rate * x) * math.tanh(rate / 2)
        law[0] = 1 / (1 + math.exp(-rate))  # with all that lies on its side
        law[-1] = math.exp(-epsilon) / (1 + math.exp(-rate))
        losses: Floats = np.linspace(epsilon, -epsilon, step + 1)
        return cls._of(_Pair(losses, law, law[::-1], None, _nowhere, (-epsilon, epsilon), symmetric=True))

    @classmethod
    def discrete_gaussian(cls, sigma: float, sensitivity: int = 1) -> PrivacyLoss:
        """Give the loss of a whole number with :func:`ldp_core.central.discrete_gaussian` noise.

        Its scale sigma is 0.05 to 10,000, and the sensitivity at most 30σ.
        """
        sigma = check_positive(sigma, "sigma")
        if not 0.05 <= sigma <= 10_000:
            raise ValueError(f"sigma must lie between 0.05 and 10,000, got {shown(sigma)}")
        step = check_int(sensitivity, "sensitivity", 1, max(1, math.floor(30 * sigma)))
        reach = math.ceil(9 * sigma) + 1  # beyond it lies less than 1e-17
        x = np.arange(-reach, step + reach + 1.0)
        p, q = np.exp(-((x / sigma) ** 2) / 2), np.exp(-(((x - step) / sigma) ** 2) / 2)
        losses = step * (step - 2 * x) / (2 * sigma**2)
        ends = (-math.inf, math.inf)
        return cls._of(_Pair(losses, p / p.sum(), q / q.sum(), None, _nowhere, ends, 1e-17, 1e-17, symmetric=True))

    @classmethod
    def randomized_response(cls, epsilon: float, d: int = 2) -> PrivacyLoss:
        """Give the loss of randomized response, or of direct encoding with d answers."""
        epsilon, d = _check_pure(epsilon), check_int(d, "d", 2)
        lie = math.exp(-epsilon) / (1 + (d - 1) * math.exp(-epsilon))
        truth = 1 / (1 + (d - 1) * math.exp(-epsilon))
        losses = np.array([epsilon, -epsilon, 0.0])
        p, q = (np.array([*pair, (d - 2) * lie]) for pair in ((truth, lie), (lie, truth)))
        return cls._of(_Pair(losses, p, q, None, _nowhere, (-epsilon, epsilon), symmetric=True))

    @classmethod
    def from_rows(cls, p: npt.ArrayLike, q: npt.ArrayLike) -> PrivacyLoss:
        """Give the loss of any mechanism with finitely many outputs, from its laws for two neighbours.

        The probabilities p and q have shape (outputs,) and sum to 1.

        Examples
        --------
        >>> exact = PrivacyLoss.from_rows([0.75, 0.25], [0.25, 0.75]).delta(0.0)
        >>> exact.lower <= 0.5 <= exact.upper, exact.width < 1e-15
        (True, True)
        """
        one = check_vector(p, "p")
        two = check_vector(q, "q", len(one))
        for name, law in (("p", one), ("q", two)):
            if law.min() < 0 or abs(law.sum() - 1) > 1e-9:
                raise ValueError(f"{name} must be probabilities that sum to 1, got {shown(law)}")
        symmetric = sorted(zip(one, two, strict=True)) == sorted(zip(two, one, strict=True))
        return cls._of(_atoms(one / one.sum(), two / two.sum(), symmetric=symmetric))

    # ---- what becomes of it --------------------------------------------------------------------------------------

    def subsampled(self, q: float, neighbours: str = "add-remove") -> PrivacyLoss:
        """Ask each person with probability q only, by a coin of their own (Poisson sampling), without telling whom.

        It is for the loss of one answer (sample each, then compose), and for ``neighbours`` "add-remove", or one
        direction of it alone, "remove" or "add".

        Notes
        -----
        Of the pair P (with the person) and Q (without) the sample makes (1 − q)Q + qP and Q. One record replaced by
        another is another matter, since both may be asked; it is bounded by one person less and one more.
        """
        rate = check_positive(check_in_range(q, "q", 0.0, 1.0), "q")
        option = check_option(neighbours, "neighbours", ("add-remove", "remove", "add"))
        directions: tuple[Direction, ...] = ("remove", "add") if option == "add-remove" else (option,)  # type: ignore[assignment]
        if len(self._parts) != 1 or self._parts[0][1] != 1:
            raise ValueError(f"subsampled must be called on the loss of one answer, got {self!r}")
        return PrivacyLoss(((self._parts[0][0].sampled(rate) if rate < 1 else self._parts[0][0], 1),), directions)

    def compose(self, other: PrivacyLoss) -> PrivacyLoss:
        """Add the answers of another, about the same people, with noise of its own: at most 10 million in all.

        It may have been chosen in the light of the first answers, as long as ``other`` is its loss whatever they were.
        """
        if not isinstance(other, PrivacyLoss):
            raise TypeError(f"other must be a PrivacyLoss, got {shown(other)}")
        directions = tuple(direction for direction in self._directions if direction in other._directions)
        if not directions:
            raise ValueError(f"other must know the direction {self._directions[0]!r}, got {other._directions}")
        return PrivacyLoss(self._parts + other._parts, directions)._checked()

    def self_compose(self, k: int) -> PrivacyLoss:
        """Give all answers k times, each with noise of its own."""
        k = check_int(k, "k", 1)
        return PrivacyLoss(tuple((pair, times * k) for pair, times in self._parts), self._directions)._checked()

    def roughly(self) -> PrivacyLoss:
        """Give the same on a coarse grid: as certain, quicker, and a wider interval, mostly at its lower end."""
        return PrivacyLoss(self._parts, self._directions, _ROUGH)

    def _checked(self) -> PrivacyLoss:
        if (total := sum(times for _, times in self._parts)) > _MOST:
            raise ValueError(f"there must be at most {_MOST:,} answers, got {total:,}")
        return self

    # ---- what it costs -------------------------------------------------------------------------------------------

    def delta(self, epsilon: float) -> Interval:
        """Give the smallest δ for an ε."""
        epsilon = check_non_negative(epsilon, "epsilon")
        intervals = [one.delta(epsilon) for one in self._sums]
        return Interval(max(f.lower for f in intervals), max(f.upper for f in intervals))

    def epsilon(self, delta: float) -> Interval:
        """Give the smallest ε ≥ 0 for a δ; infinite where δ is below what cannot be told to be 0."""
        delta = check_probability(delta, "delta")
        intervals = [one.epsilon(delta) for one in self._sums]
        return Interval(max(f.lower for f in intervals), max(f.upper for f in intervals))

    def errors(self) -> tuple[Floats, Floats]:
        """Give false alarms and missed detections of the most powerful tests that look for a loss of at least 0.

        Each is at least so small; between two tests lies a coin. :func:`ldp_core.audit.trade_off` draws the curve.
        """
        pairs = [one.errors() for one in self._sums]
        return np.concatenate([alphas for alphas, _ in pairs]), np.concatenate([betas for _, betas in pairs])

    @cached_property
    def _sums(self) -> list[_Sum]:
        """Add up the losses in every direction that matters."""
        directions = self._directions[:1] if all(pair.symmetric for pair, _ in self._parts) else self._directions
        turned = [(pair.turned(), times) for pair, times in self._parts]
        points = self._points or _POINTS
        return [_add_up(self._parts if direction == "remove" else tuple(turned), points) for direction in directions]


# ---- sums on a grid --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Sum:
    """The law of a sum of losses on a grid, at least as large as the true one, and how much larger it may be."""

    #: Losses from 0 on, rising, and their probabilities.
    losses: Floats
    mass: Floats
    #: Probability of an infinite loss.
    never: float
    #: k·h², of Hoeffding's bound, k·h (the most that it can be), and the mean of the moves; 0 where nothing was moved.
    spread: float
    most: float
    mean: float
    #: By how much probabilities may be wrong.
    error: float
    #: The largest sum there is, unless it is infinite.
    pure: float

    def at(self, epsilon: float) -> float:
        """δ of this law, between 0 and 1."""
        above = self.losses > epsilon
        total = float(np.sum(self.mass[above] * -np.expm1(epsilon - self.losses[above]))) + self.never
        return min(1.0, max(0.0, total))

    def moved(self, unlucky: float) -> float:
        """By how much all moves together raise the loss at most, but for so small a probability."""
        if unlucky <= 0:
            return self.most
        return min(self.most, self.mean + math.sqrt(-math.log(unlucky) * self.spread / 2))

    def delta(self, epsilon: float) -> Interval:
        if epsilon >= self.pure:
            return Interval(max(0.0, self.never - self.error), self.never)
        upper = self.at(epsilon)
        unlucky = _UNLUCKY * min(upper, 1e-6)
        lower = self.at(epsilon + self.moved(unlucky)) - (unlucky if self.most else 0.0)
        return Interval(float(max(0.0, lower - self.error)), float(min(1.0, upper + self.error)))

    def errors(self) -> tuple[Floats, Floats]:
        """Both errors of the tests that look for a loss of at least 0, …, and for none that is finite."""
        with np.errstate(over="ignore"):
            alphas = np.cumsum((self.mass * np.exp(-self.losses))[::-1])[::-1]
        betas = 1 - np.cumsum(self.mass[::-1])[::-1] - self.never - self.error
        return np.append(alphas, 0.0), np.maximum(np.append(betas, 1 - self.never - self.error), 0.0)

    def inverse(self, delta: float) -> float:
        """ε of this law, at least 0."""
        if delta <= self.never:
            return math.inf
        if self.at(0.0) <= delta:
            return 0.0
        # The first loss that is enough: between it and the one before, δ is A − e^(ε − loss) B, of what lies above.
        low, high = -1, len(self.losses) - 1
        if self.losses[high] < 600:
            total = np.cumsum(self.mass[::-1])[::-1] + self.never
            rest = np.cumsum((self.mass * np.exp(-self.losses))[::-1])[::-1]
            enough = total - np.exp(self.losses) * rest <= delta
            # The last loss is enough in any case, whatever rounding makes of the difference.
            high = int(np.argmax(enough)) if enough.any() else high
        else:  # e^loss would overflow
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if self.at(float(self.losses[middle])) <= delta else (middle, high)
        start, above = float(self.losses[high]), slice(high, None)
        a = float(self.mass[above].sum()) + self.never
        b = float(np.sum(self.mass[above] * np.exp(start - self.losses[above])))
        return max(0.0, start + min(0.0, math.log((a - delta) / b))) if b > 0 and a > delta else start

    def epsilon(self, delta: float) -> Interval:
        unlucky = _UNLUCKY * min(delta, 1e-6)
        more = delta + (unlucky if self.most else 0.0) + self.error
        lower = self.inverse(more) - self.moved(unlucky) if more < 1 else 0.0
        upper = math.inf if delta < self.never else min(self.inverse(delta - self.error), max(0.0, self.pure))
        return Interval(float(min(max(0.0, lower), upper)), float(upper))


def _add_up(parts: tuple[tuple[_Pair, int], ...], points: int) -> _Sum:
    """Convolve the losses of all parts on a grid of so many points."""
    k = sum(times for _, times in parts)
    told = max(pair.only_p for pair, _ in parts) >= 1  # some answer is never one that Q gives
    never = 1.0 if told else -math.expm1(sum(times * math.log1p(-pair.only_p) for pair, times in parts))
    ulps = 0.0 if told else 4e-16 * (len(parts) + 1) * never
    never = min(1.0, never + ulps)
    pure = sum(times * pair.ends[1] for pair, times in parts) * (1 + 4e-16)
    if k == 1 and parts[0][0].tails is None:
        pair = parts[0][0]
        order = np.argsort(pair.losses)
        losses, mass = pair.losses[order], pair.p[order]
        top = max(0.0, float(losses.max(initial=0.0))) + 1
        rounding = 2.3e-16 * top * max(1.0, math.log2(len(losses) + 1) / 2) + 2 * ulps
        return _Sum(losses[losses >= 0], mass[losses >= 0], never, 0.0, 0.0, 0.0, rounding, pure)

    coarse = [_on_grid(pair, _LOST / k, points=4000) for pair, _ in parts]
    finite = math.prod(float(grid.mass.sum()) ** times for grid, (_, times) in zip(coarse, parts, strict=True))
    if finite <= _LOST:  # all answers together as good as always tell P from Q
        none = np.zeros(0)
        return _Sum(none, none, min(1.0, never + finite), 0.0, 0.0, 0.0, finite + 2 * ulps, pure)
    (low, down), (high, up) = _window([(grid, times) for grid, (_, times) in zip(coarse, parts, strict=True)])
    # So fine that the sum fills the grid, unless single losses would not fit on one.
    h = max((high - low) / (0.98 * points), *(_widest(pair, _LOST / k, points) for pair, _ in parts), 1e-9)
    grids = [(_on_grid(pair, _LOST / k, step=h), times) for pair, times in parts]
    n = 2 ** max(4, math.ceil(math.log2((high - low) / h + 2)))
    first = math.floor(low / h)

    spectrum, offset, lost, clipped = np.ones(n // 2 + 1, dtype=complex), 0, 0.0, 0.0
    for grid, times in grids:
        folded = np.bincount(np.arange(len(grid.mass)) % n, weights=grid.mass, minlength=n)
        spectrum *= np.fft.rfft(folded) ** times
        offset += times * grid.first
        lost += times * grid.above
        clipped += times * grid.below
    mass = np.roll(np.fft.irfft(spectrum, n), (offset - first) % n)
    wrapped = _beyond(grids, first * h, -1, down) + _beyond(grids, (first + n - 1) * h, 1, up)
    rounding = 4e-16 * math.log2(n) * (k + 4) * math.sqrt(n * float(np.sum(mass**2)))
    places = (first + np.arange(n)) * h
    keep = places >= -h
    return _Sum(
        losses=places[keep], mass=np.maximum(mass[keep], 0.0), never=never + lost,
        spread=k * h * h, most=k * h, mean=k * (h * h / 8 + _ROUNDING / h),
        error=wrapped + clipped + lost + rounding + 2 * ulps, pure=pure,
    )  # fmt: skip


@dataclass(frozen=True)
class _Grid:
    """The law of one loss on a grid: places (first + i)·h, and what lies beyond its ends."""

    h: float
    first: int
    mass: Floats
    below: float
    above: float

    def most(self, sign: int) -> float:
        """Most that the loss can be, times sign."""
        return sign * self.h * (self.first + (len(self.mass) - 1 if sign > 0 else 0))

    def log_moment(self, t: float) -> float:
        """Logarithm of the mean of e^(tL)."""
        places, log_mass = self._logarithms
        terms = log_mass + t * places
        largest = terms.max()
        return float(largest + math.log(np.sum(np.exp(terms - largest))))

    @cached_property
    def _logarithms(self) -> tuple[Floats, Floats]:
        """Places, and logarithms of their probabilities."""
        places: Floats = (self.first + np.arange(len(self.mass), dtype=np.float64)) * self.h
        with np.errstate(divide="ignore"):
            return places, np.log(self.mass)


def _reach(pair: _Pair, lost: float) -> tuple[float, float]:
    """Give two losses that hold all but a little of the continuous part, and all of the rest."""
    low, high = pair.reach(lost)
    if len(pair.losses):
        low = min(float(pair.losses.min()), low if pair.tails else math.inf)
        high = max(float(pair.losses.max()), high if pair.tails else -math.inf)
    return low, high


def _widest(pair: _Pair, lost: float, points: int) -> float:
    """Give the finest step with which one loss fits in memory."""
    low, high = _reach(pair, lost)
    return (high - low) / (2 * points)


def _on_grid(pair: _Pair, lost: float, *, step: float | None = None, points: int = 0) -> _Grid:
    """Move losses to the ends of their intervals so that each keeps its probability under P and under Q."""
    low, high = _reach(pair, lost)
    h = max((high - low) / points, 1e-9) if step is None else step
    first, last = math.floor(low / h) - 1, math.ceil(high / h) + 1
    mass, below, above = np.zeros(last - first + 1), 0.0, 0.0
    if pair.tails is not None:
        edges: Floats = np.arange(first, last + 1, dtype=np.float64) * h
        seen = pair.tails(edges)
        below, above = float(seen.p_below[0]), float(seen.p_above[-1])
        p = _between(seen.p_below, seen.p_above)
        q = _between(seen.q_below, seen.q_above)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            odds = np.exp(edges[:-1] + np.log(q) - np.log(p))
        up = _share_up(np.where(p > 0, odds, 1.0), h)
        mass[:-1] += p * (1 - up)
        mass[1:] += p * up
        mass[0] += below
    if len(pair.losses):
        at = np.minimum(np.floor(pair.losses / h).astype(int) - first, len(mass) - 2)
        up = _share_up(np.exp((first + at) * h - pair.losses), h)
        mass += np.bincount(at, weights=pair.p * (1 - up), minlength=len(mass))
        mass += np.bincount(at + 1, weights=pair.p * up, minlength=len(mass))
    return _Grid(h, first, mass, below, above)


def _share_up(odds: Floats, h: float) -> Floats:
    """Share that goes to the upper end where e^(lower end)·Q/P is `odds`; rounded up, so that it errs on that side."""
    return np.clip((1 - odds) / -math.expm1(-h) + _ROUNDING / h**2, 0.0, 1.0)


def _between(below: Floats, above: Floats) -> Floats:
    """Probabilities between neighbouring places, from whichever tail is smaller."""
    use_below = below[1:] < above[:-1]
    return np.maximum(np.where(use_below, np.diff(below), -np.diff(above)), 0.0)


#: Orders of the exponential moments that bound the ends of a sum.
_ORDERS = np.geomspace(1e-4, 1e5, 120)


def _window(grids: list[tuple[_Grid, int]]) -> list[tuple[float, float]]:
    """Two losses beyond which the sum falls with probability at most :data:`_LOST` each, and the orders that say so."""
    ends = []
    for sign in (-1, 1):

        def bound(place: int, sign: int = sign) -> float:
            t = float(_ORDERS[place])
            return (sum(times * grid.log_moment(sign * t) for grid, times in grids) - math.log(_LOST)) / t

        # A convex function over its argument falls, then rises: halve the orders that are left.
        low, high = 0, len(_ORDERS) - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if bound(middle) <= bound(middle + 1) else (middle + 1, high)
        end, order = bound(low), float(_ORDERS[low])
        most = sum(times * grid.most(sign) for grid, times in grids) + grids[0][0].h
        ends.append((sign * min(end, most), order))
    return ends


def _beyond(grids: list[tuple[_Grid, int]], place: float, sign: int, order: float) -> float:
    """Bound the probability that the sum lies beyond a place, above it or below (Chernoff)."""
    if sign * place > sum(times * grid.most(sign) for grid, times in grids):
        return 0.0
    log = sum(times * grid.log_moment(sign * order) for grid, times in grids) - sign * order * place
    return math.exp(min(0.0, log))
