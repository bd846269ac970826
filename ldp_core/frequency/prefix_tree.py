"""Words that nobody listed: letter by letter, from people each of whom is asked once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Floats
from ldp_core._binomial import binomial
from ldp_core._frozen import Comparable
from ldp_core._validate import (
    Rng,
    as_array,
    check_counts,
    check_epsilon,
    check_int,
    check_iterable,
    check_positive,
    check_rng,
    check_text,
    check_vector,
    first_where,
    shown,
)
from ldp_core.frequency.base import FrequencyOracle
from ldp_core.frequency.names import MakeOracle, make_oracle
from ldp_core.frequency.pure import PureOracle

__all__ = ["Level", "PrefixTree"]

MAX_CANDIDATES = 2**20  # of a level: each is a text of its own


class Level(NamedTuple):
    """What a group was asked about and said: all candidates, their shares in the group, and which are kept."""

    candidates: tuple[str, ...]
    shares: Floats  # unbiased estimates, given what was asked about
    kept: npt.NDArray[np.bool_]

    @property
    def found(self) -> tuple[str, ...]:
        """The candidates that are kept; of the last level, the words."""
        return tuple(itertools.compress(self.candidates, self.kept))


class PrefixTree(Comparable):
    r"""Find the words of many people without a list of words: the prefix extending method, asked in rounds.

    People are cut into as many groups as there are ``lengths``. The first is asked for one of all prefixes of the first
    length; each further one which extension of a kept prefix her word has, or none. Everybody answers once, with ε.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of the one report of a person.
    alphabet : str
        The letters, at least two, each once. A word that is shorter than others is filled up with one of them.
    lengths : sequence of int
        Letters of the prefix that each group is asked about, rising; the last is the length of all words.
    kept : int, default 100
        Most prefixes that are kept of a level: the best.
    sigmas : float, default 4.0
        The bar: so many standard deviations of the estimate of a prefix that nobody has.
    oracle : str, class or function, default "oue"
        What groups answer by, called as ``oracle(epsilon, d)``; ``levels`` are theirs. Domains do not depend on what is
        found: they have room for all extensions of ``kept`` prefixes, and the last value for "none".

    Notes
    -----
    *A choice.* Groups could all report at once, about one of all prefixes, by local hashing, as in pure-LDP's PEM. Here
    candidates are sent to the group, so that any oracle will do; where p and q do not depend on the domain (unary
    encoding, local hashing) a candidate's count has the same law either way. And beside the k best, which alone could
    be words that nobody holds, there is a bar.

    *Recall.* Let the people be a random sample of a population. The count of a prefix with share θ in a group of m is
    then Binomial(m, q + θ (p − q)), and groups are independent. So the probability that a word passes every bar is a
    product of binomial tails, :meth:`recall`: that of being found, unless more than ``kept`` prefixes pass.

    References
    ----------
    T. Wang, N. Li and S. Jha. Locally differentially private heavy hitter identification. arXiv:1708.06674, 2017.

    Examples
    --------
    >>> tree = PrefixTree(epsilon=2.0, alphabet="abcd", lengths=[1, 2, 3])
    >>> tree.simulate(["bad", "cab", "dad"], [[50_000, 30_000, 300]] * 3, rng=0)[-1].found
    ('bad', 'cab')
    >>> tree.recall([0.5, 0.02, 0.01], n=240_900).round(3).tolist()
    [1.0, 0.995, 0.252]
    """

    _names: tuple[str, ...] = ("epsilon", "alphabet", "lengths", "kept", "sigmas", "oracle")

    def __init__(
        self, epsilon: float, alphabet: str, lengths: Sequence[int], *, kept: int = 100, sigmas: float = 4.0,
        oracle: str | MakeOracle = "oue",
    ) -> None:  # fmt: skip
        self.epsilon, self.oracle = check_epsilon(epsilon), oracle
        self.alphabet = check_text(alphabet, "alphabet")
        if len(alphabet) < 2 or len(set(alphabet)) < len(alphabet):
            raise ValueError(f"alphabet must have at least two letters, each once, got {shown(alphabet)}")
        given = check_iterable(lengths, "lengths", "whole numbers", ordered=True)
        self.lengths = tuple(check_int(length, f"lengths[{i}]", 1, 2**10) for i, length in enumerate(given))
        self._steps = tuple(b - a for a, b in itertools.pairwise((0, *self.lengths)))
        if not self._steps or min(self._steps) < 1:
            raise ValueError(f"lengths must rise, and be at least one, got {shown(lengths)}")
        self.kept = check_int(kept, "kept", 1, MAX_CANDIDATES)
        self.sigmas = check_positive(sigmas, "sigmas")
        sizes = [(self.kept if level else 1) * len(alphabet) ** step for level, step in enumerate(self._steps)]
        if max(sizes) > MAX_CANDIDATES:
            raise ValueError(
                f"lengths must leave at most 2**20 candidates a level, got {shown(lengths)} and {max(sizes)}"
            )
        self.levels = tuple(make_oracle(oracle, self.epsilon, size + 1) for size in sizes)

    def sizes(self, n: int) -> npt.NDArray[np.int64]:
        """Give how many of n people are in each group, shape (len(lengths),): as many, or one more."""
        whole, rest = divmod(check_int(n, "n", len(self.lengths), 10**12), len(self.lengths))
        return whole + (np.arange(len(self.lengths)) < rest)

    def collect(self, words: Sequence[str], rng: Rng = None) -> tuple[Level, ...]:
        """Ask people one by one; the i-th, who holds ``words[i]``, is in group i modulo the number of groups.

        Returns a level for each length; the words that are found are ``found`` of the last.
        """
        held = self._check_words(words)
        self.sizes(len(held))  # at least one person a group
        generator = check_rng(rng, law=self._coins())
        distinct = sorted(set(held))
        place = {word: code for code, word in enumerate(distinct)}
        who = np.array([place[word] for word in held], dtype=np.int64)

        def answers(level: int, oracle: FrequencyOracle, codes: Codes) -> tuple[npt.NDArray[Any], int]:
            group = codes[who[level :: len(self.lengths)]]
            return oracle.aggregate(oracle.perturb(group, generator)), len(group)

        return self._grow(distinct, answers)

    def simulate(self, words: Sequence[str], counts: npt.ArrayLike, rng: Rng = None) -> tuple[Level, ...]:
        """Draw what :meth:`collect` would find, from its exact law, at a cost that does not depend on how many people.

        Parameters
        ----------
        words : sequence of str, length w
            The words that people hold: all of the same length, the last of ``lengths``.
        counts : array_like of int, shape (len(lengths), w)
            How many people of each group hold each word: of a random sample from a population with given ``shares``,
            NumPy's ``rng.multinomial(tree.sizes(n), shares)``.
        """
        held = self._check_words(words)
        rows = as_array(counts, "counts")
        if rows.shape != (len(self.lengths), len(held)):
            raise ValueError(f"counts must have shape {(len(self.lengths), len(held))}, got {rows.shape}")
        groups = [check_counts(row, f"counts[{i}]", len(held)) for i, row in enumerate(rows)]
        if not all(group.any() for group in groups):
            raise ValueError("counts must hold at least one person in each group, got a row of zeros")
        generator = check_rng(rng, law=self._coins())

        def answers(level: int, oracle: FrequencyOracle, codes: Codes) -> tuple[npt.NDArray[Any], int]:
            true = np.zeros(oracle.d, dtype=np.int64)
            np.add.at(true, codes, groups[level])
            return oracle.simulate(true, generator), int(true.sum())

        return self._grow(held, answers)

    def recall(self, shares: npt.ArrayLike, n: int) -> Floats:
        """Give the exact probability that a word's prefixes pass the bars up to each level, shape (len(lengths),).

        The n people are a random sample of a population, of which ``shares`` says how much has each prefix, shape
        (len(lengths),). The last entry is the word's recall: see Notes.
        """
        theta, sizes = check_vector(shares, "shares", len(self.lengths)), self.sizes(n)
        if (outside := ~((theta >= 0) & (theta <= 1))).any():
            raise ValueError(f"shares must lie in [0, 1], got {first_where(theta, outside)}")
        passed = []
        for oracle, share, m in zip(self.levels, theta.tolist(), sizes.tolist(), strict=True):
            if not isinstance(oracle, PureOracle):
                raise TypeError(f"oracle must have p and q for an exact probability, got {shown(oracle)}")
            gap = oracle.p - oracle.q
            count, chance = binomial(m, oracle.q + share * gap)
            passed.append(chance[count >= m * oracle.q + gap * self._bar(oracle, m)].sum())
        return np.minimum(np.cumprod(passed), 1.0)

    def _bar(self, oracle: FrequencyOracle, m: int) -> float:
        return self.sigmas * math.sqrt(oracle.variance(m, 0))

    def _grow(self, words: Sequence[str], answers: Callable[..., tuple[npt.NDArray[Any], int]]) -> tuple[Level, ...]:
        """Go from group to group; ``answers`` gives what an oracle counts in one of them, and its size."""
        levels = [Level(("",), np.ones(1), np.ones(1, dtype=np.bool_))]
        for level, (step, length) in enumerate(zip(self._steps, self.lengths, strict=True)):
            endings = list(map("".join, itertools.product(self.alphabet, repeat=step)))
            candidates = [prefix + ending for prefix in levels[-1].found for ending in endings]
            oracle, codes = self._ask(level, candidates, [word[:length] for word in words])
            counts, m = answers(level, oracle, codes)
            estimates = oracle.estimate(counts, m)[: len(candidates)]
            kept = np.zeros(len(candidates), dtype=np.bool_)
            kept[np.argsort(-estimates, kind="stable")[: self.kept]] = True
            kept &= estimates >= self._bar(oracle, m)
            levels.append(Level(tuple(candidates), estimates / m, kept))
        return tuple(levels[1:])

    def _ask(self, level: int, candidates: list[str], prefixes: list[str]) -> tuple[FrequencyOracle, Codes]:
        """Give the oracle of a group, whose first values are the candidates, and the value of each prefix."""
        oracle = self.levels[level]
        place = {candidate: code for code, candidate in enumerate(candidates)}
        return oracle, np.array([place.get(prefix, oracle.d - 1) for prefix in prefixes], dtype=np.int64)

    def _check_words(self, words: Iterable[str]) -> list[str]:
        if not (held := list(check_iterable(words, "words", "texts", ordered=True))):
            raise ValueError("words must hold at least one, got none")
        length, letters = self.lengths[-1], set(self.alphabet)
        for i, word in enumerate(held):
            if not isinstance(word, str):
                raise TypeError(f"words must be texts, got {shown(word)} at index {i}")
            if len(word) != length or not letters.issuperset(word):
                raise ValueError(f"words must have {length} letters of the alphabet, got {shown(word)} at index {i}")
        return held

    def _law(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._names}

    def _coins(self) -> tuple[object, ...]:
        oracles = tuple(oracle._coins() for oracle in self.levels)  # a function's name is not the same in every run
        return (type(self).__name__, self.alphabet, self.lengths, self.kept, self.sigmas, oracles)
