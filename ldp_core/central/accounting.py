"""The ledger: what has been asked about the same people, and what it comes to by every rule."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ldp_core._validate import (
    Neighbours,
    check_epsilon,
    check_in_range,
    check_int,
    check_iterable,
    check_neighbours,
    check_option,
    check_positive,
    check_probability,
)
from ldp_core.central._entries import Entry, Gaussian, Pure
from ldp_core.central.composition import advanced_of
from ldp_core.central.noise import gaussian_epsilon
from ldp_core.central.privacy_loss import Interval, PrivacyLoss
from ldp_core.central.renyi import check_order, converted, improved, zcdp_gaussian, zcdp_to_dp

__all__ = ["Accountant"]

#: Orders of Rényi divergence over which conversions are minimized.
ORDERS = tuple(
    [1 + i / 100 for i in range(1, 100)] + [2 + i / 10 for i in range(80)] + [10.0 * 1.1**i for i in range(80)]
)

RULES = ("sequential", "advanced", "zcdp", "rdp", "rdp_improved", "gaussian", "exact")


class Accountant:
    """A ledger of what has been asked about the same people, all of it for the same neighbours.

    Every entry keeps what is known about it: a pure ε, that the noise is Laplace's, or the σ of Gaussian noise. What
    they come to together depends on the rule; each rule is sound, so the smallest result counts. What is (ε, δ)-private
    itself, like :func:`ldp_core.central.propose_test_release`, is added to the ledger's result by :func:`sequential`.

    Parameters
    ----------
    neighbours : {"add-remove", "replace"}, default "add-remove"
        What all entries compare: one person more or less, or one record for another. It enters through the
        sensitivity of each entry, which is up to you. Random batches may be entered under "add-remove" only.

    Examples
    --------
    >>> ledger = Accountant()
    >>> ledger.laplace(epsilon=0.1, times=100)
    >>> {rule: round(value, 2) for rule, value in ledger.compare(delta=1e-5).items()}
    {'sequential': 10.0, 'advanced': 5.85, 'zcdp': 5.3, 'rdp': 5.07, 'rdp_improved': 4.53, 'exact': 4.22}
    >>> lower, upper = ledger.interval(delta=1e-5)
    >>> round(lower, 2), round(upper, 2)
    (4.22, 4.22)
    >>> ledger.gaussian(sigma=1.0, sampling_rate=0.01, times=1000)
    >>> round(ledger.epsilon(delta=1e-5), 2)
    4.69
    """

    def __init__(self, *, neighbours: Neighbours = "add-remove") -> None:
        self._neighbours = check_neighbours(neighbours)
        self._entries: list[Entry] = []
        self._losses: dict[int, PrivacyLoss] = {}  # by size of the group, until there is another entry

    def __repr__(self) -> str:
        return f"<Accountant of {sum(entry.times for entry in self._entries):,} answers, {self._neighbours}>"

    def __getstate__(self) -> dict[str, object]:
        """Copies and pickles have entries of their own, and add up again."""
        return {**self.__dict__, "_entries": list(self._entries), "_losses": {}}

    def _enter(self, entry: Entry) -> None:
        self._entries.append(entry)
        self._losses = {}

    # ---- entries -------------------------------------------------------------------------------------------------

    def pure(self, *, epsilon: float, times: int = 1) -> None:
        """Enter ``times`` answers of any mechanism that is purely ε-private: none costs more than randomized response.

        :func:`ldp_core.central.discrete_laplace`, :func:`ldp_core.central.exponential` and its relatives,
        :func:`ldp_core.central.above_threshold`, :func:`ldp_core.central.sparse`, sample-and-aggregate, and whatever a
        local mechanism reports.
        """
        self._enter(Pure(check_int(times, "times", 1), check_epsilon(epsilon)))

    def laplace(self, *, epsilon: float, times: int = 1) -> None:
        r"""Enter ``times`` numbers or vectors with real-valued Laplace noise, as :func:`ldp_core.central.laplace` has.

        Not for whole-number noise (:func:`ldp_core.central.discrete_laplace`), the exponential mechanism, sparse
        vectors, propose-test-release or anything else: their losses are spread differently and may add up to more.
        What is pure among them is for :meth:`pure`.

        Notes
        -----
        A vector whose entries change by Δ in all costs at most what a number that changes by Δ does. Let two entries
        have shares :math:`b \le a` of ε. Averaged over the loss of the second, the first has, for every
        :math:`\varepsilon' \ge 0`,
        :math:`\delta = 1 - e^{-(\varepsilon - \varepsilon')/2}(1 + \tfrac14(\varepsilon - \varepsilon'))` if ε − ε′ is
        below 2b, else :math:`1 - e^{-(\varepsilon - \varepsilon')/2}(1 + \tfrac b2)`: less than the
        :math:`1 - e^{-(\varepsilon - \varepsilon')/2}` of a number. More entries follow one by one.
        """
        self._enter(Pure(check_int(times, "times", 1), check_epsilon(epsilon), "laplace"))

    def randomized_response(self, *, epsilon: float, d: int = 2, times: int = 1) -> None:
        """Enter ``times`` answers by randomized response, or by direct encoding with d categories, at ε each."""
        self._enter(Pure(check_int(times, "times", 1), check_epsilon(epsilon), "direct", check_int(d, "d", 2)))

    def gaussian(self, *, sigma: float, sensitivity: float = 1.0, times: int = 1, sampling_rate: float = 1.0) -> None:
        """Enter ``times`` answers, numbers or vectors, with real-valued Gaussian noise.

        Parameters
        ----------
        sigma : float
            Standard deviation; at least about 1e-154 times the sensitivity.
        sampling_rate : float, default 1.0
            q in (0, 1]. Below 1, each answer is about a batch of its own, which holds everybody with probability q, by
            a coin of each person's own that is never shown (Poisson sampling); σ and Δ are those of the batch's answer.
            Not for batches of a fixed size, nor for people dealt into batches that take turns. Only under "add-remove".
        """
        times = check_int(times, "times", 1)
        rate = check_positive(check_in_range(sampling_rate, "sampling_rate", 0, 1), "sampling_rate")
        zcdp_gaussian(sigma=sigma, sensitivity=sensitivity)  # which checks them
        if rate < 1 and self._neighbours == "replace":
            raise ValueError(
                f'sampling_rate must be 1 where neighbours is "replace", got {rate!r}: a ledger of random batches is '
                'for "add-remove"'
            )
        self._enter(Gaussian(times, float(sigma), float(sensitivity), rate))

    def discrete_gaussian(self, *, sigma: float, sensitivity: int = 1, times: int = 1) -> None:
        """Enter ``times`` whole numbers with whole-number Gaussian noise, :func:`ldp_core.central.discrete_gaussian`.

        It is as concentrated as real-valued noise, but sums of it are no discrete Gaussians: the closed form is not for
        it. Its scale is sigma.
        """
        times, step = check_int(times, "times", 1), check_int(sensitivity, "sensitivity", 1)
        zcdp_gaussian(sigma=sigma, sensitivity=step)
        self._enter(Gaussian(times, float(sigma), step, whole_numbers=True))

    # ---- what they come to ---------------------------------------------------------------------------------------

    @property
    def rho(self) -> float:
        """ρ of everything: those of single entries add up. Infinite where it overflows; batches count in full."""
        return sum(entry.rho for entry in self._entries)

    def rdp(self, alpha: float) -> float:
        """Give the Rényi privacy of everything at an order alpha > 1: that of single entries adds up."""
        alpha = check_order(alpha)
        return sum(entry.rdp(alpha) for entry in self._entries)

    def compare(self, *, delta: float, group: int = 1, rules: Iterable[str] = RULES) -> dict[str, float]:
        """Give the ε for a δ by every rule that applies.

        Parameters
        ----------
        group : int, default 1
            How many people may have joined or left, or how many records may have been replaced, by what the ledger's
            neighbours are; 1 is the usual guarantee.
        rules : iterable of str, optional
            Only these; "exact" takes up to a second, the others next to nothing.

        Returns
        -------
        dict of str to float
            "sequential" (pure entries only: their exact sum), "advanced" (pure entries of one ε only), "zcdp", "rdp"
            and "rdp_improved" (composed by Rényi orders, then converted by Mironov's formula or by that of Canonne,
            Kamath and Steinke, see :func:`rdp_to_dp`), "gaussian" (real-valued Gaussian noise about everybody only: k
            answers are one, of ρ = Σρᵢ, whose ε is known exactly) and "exact": the upper end of :meth:`interval`. A
            rule whose result is too large for a double, or which is too wide to compute, is left out.
        """
        delta, group = check_probability(delta, "delta"), check_int(group, "group", 1)
        asked = {check_option(rule, "rules", RULES) for rule in check_iterable(rules, "rules", "names")}
        if not asked:
            raise ValueError("rules must name a rule, got none")
        if not self._entries:
            raise ValueError("the ledger must have an entry, got none")
        results = self._by_rules(delta, group, asked)
        if "exact" in asked and (exact := self._exact(delta, group)) is not None:
            results["exact"] = exact.upper
        results = {rule: epsilon for rule, epsilon in results.items() if rule in asked and math.isfinite(epsilon)}
        if not results:
            raise ValueError("the ledger's epsilon must be finite in double precision: its entries add up to too much")
        return results

    def interval(self, *, delta: float, group: int = 1) -> Interval:
        """Give two numbers between which the smallest ε for a δ lies for certain.

        The ends come from :class:`PrivacyLoss`, and are equal for a ledger of real-valued Gaussian noise alone. The
        truth is that of the worst answers that the entries allow: of an entry by :meth:`pure`, of randomized response.
        For a group of g nothing but gε is known of an entry by :meth:`pure`, nor of one by :meth:`randomized_response`:
        both count as the former. For a group and random batches, the upper end walks from one neighbour to the next,
        and the lower end is that of one person. Where losses cannot be added up (more than ten million answers, say, or
        δ below rounding errors), the upper end is the best of the other rules and the lower end 0.
        """
        delta, group = check_probability(delta, "delta"), check_int(group, "group", 1)
        if not self._entries:
            raise ValueError("the ledger must have an entry, got none")
        exact = self._exact(delta, group)
        if exact is None:
            return Interval(0.0, min(self.compare(delta=delta, group=group, rules=RULES[:-1]).values()))
        return exact

    def epsilon(self, *, delta: float, group: int = 1) -> float:
        """Give the smallest ε for a δ, and a group, that any rule proves.

        For a ledger of real-valued Gaussian noise alone it is exact, and may be 0.
        """
        return min(self.compare(delta=delta, group=group).values())

    # ---- rule by rule --------------------------------------------------------------------------------------------

    def _by_rules(self, delta: float, group: int, asked: set[str]) -> dict[str, float]:
        """Apply all rules but the last."""
        if group > 1 and self._batches:
            return {}
        entries = [entry.group(group) for entry in self._entries]
        pure = [entry for entry in entries if isinstance(entry, Pure)]
        results: dict[str, float] = {}
        if len(pure) == len(entries):
            results["sequential"] = sum(entry.epsilon * entry.times for entry in pure)
            if len({entry.epsilon for entry in pure}) == 1:
                results["advanced"] = advanced_of(pure[0].epsilon, sum(entry.times for entry in pure), delta)
        rho = sum(entry.rho for entry in entries)
        if not math.isfinite(rho):
            return results
        results["zcdp"] = zcdp_to_dp(rho, delta=delta)
        if asked & {"rdp", "rdp_improved"}:
            # The best order of a Gaussian ledger is known; the grid serves the others.
            best = 1 + math.sqrt(-math.log(delta)) / math.sqrt(rho)
            # At an order of 1, to the last digit, nothing can be said; nor at one beyond what batches are known for.
            orders = (*ORDERS, best) if 1 < best < 1e5 or (best > 1 and not self._batches) else ORDERS
            curve = self._curve(orders, group)
            results["rdp"] = min(converted(alpha, rdp, delta) for alpha, rdp in curve)
            results["rdp_improved"] = min(improved(alpha, rdp, delta) for alpha, rdp in curve)
        if self._closed:
            results["gaussian"] = gaussian_epsilon(delta=delta, sigma=1 / math.sqrt(2 * rho))
        return results

    def _curve(self, orders: Iterable[float], group: int = 1) -> list[tuple[float, float]]:
        """Orders with the Rényi divergence of everything at each; infinite where it is too large for a double."""
        entries = [entry.group(group) for entry in self._entries]
        return [(alpha, sum(_or_infinite(entry, alpha) for entry in entries)) for alpha in orders]

    @property
    def _batches(self) -> bool:
        return any(isinstance(entry, Gaussian) and entry.rate < 1 for entry in self._entries)

    @property
    def _closed(self) -> bool:
        """Whether all entries together are a single Gaussian answer."""
        return all(_is_plain(entry) for entry in self._entries)

    def _exact(self, delta: float, group: int) -> Interval | None:
        """Return the interval, or None where losses cannot be added up."""
        if self._closed:
            results = self._by_rules(delta, group, {"gaussian"})
            return Interval(results["gaussian"], results["gaussian"]) if "gaussian" in results else None
        try:
            if group > 1 and self._batches:
                one = self._loss(1)
                return Interval(one.epsilon(delta).lower, _of_group(one, self._curve(ORDERS), delta, group))
            interval = self._loss(group).epsilon(delta)
        except ValueError:  # a loss, or a number of answers, beyond what PrivacyLoss knows
            return None
        if not math.isfinite(interval.upper):
            return None
        added = self._by_rules(delta, group, set()).get("sequential", math.inf)
        return Interval(min(interval.lower, added), min(interval.upper, added))

    def _loss(self, group: int) -> PrivacyLoss:
        """Return the loss of everything, with all Gaussian answers about everybody as one."""
        if group not in self._losses:
            entries = [entry.group(group) for entry in self._entries]
            rho = sum(entry.rho for entry in entries if _is_plain(entry))
            losses = [PrivacyLoss.gaussian(1 / math.sqrt(2 * rho))] if rho else []
            losses += [entry.loss() for entry in entries if not _is_plain(entry)]
            whole = losses[0]
            for loss in losses[1:]:
                whole = whole.compose(loss)
            self._losses = {group: whole}
        return self._losses[group]


def _is_plain(entry: Entry) -> bool:
    """Whether an entry is real-valued Gaussian noise about everybody."""
    return isinstance(entry, Gaussian) and entry.rate == 1 and not entry.whole_numbers


def _or_infinite(entry: Entry, alpha: float) -> float:
    """Rényi divergence of an entry; infinite where it is too large for a double."""
    try:
        return entry.rdp(alpha)
    except ValueError:
        return math.inf


def _of_group(one: PrivacyLoss, curve: list[tuple[float, float]], delta: float, group: int) -> float:
    r"""Give ε for a group from the guarantees for one person.

    From (ε, δ) for one follows :math:`(g\varepsilon, \delta\sum_{i<g} e^{i\varepsilon})` for g, one neighbour after the
    other. Which ε of one is best is found by bisection; whatever it ends at is sound. Where δ is too small for the
    loss's law, Rényi orders know it.
    """

    def enough(epsilon: float) -> bool:
        log = min((a - 1) * (rdp - epsilon) + a * math.log1p(-1 / a) - math.log(a - 1) for a, rdp in curve)
        if (delta_of_one := one.delta(epsilon).upper) > 0:
            log = min(log, math.log(delta_of_one))
        many = group * epsilon + math.log1p(-math.exp(-group * epsilon)) - math.log(math.expm1(epsilon))
        return log + many <= math.log(delta)

    high = 1e-3
    while not enough(high):
        high *= 2
        if high > 500:
            return math.inf
    low = high / 2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return group * high
