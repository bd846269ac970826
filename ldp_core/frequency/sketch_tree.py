"""The rival of the prefix tree: people report a sketch at once, and the server looks extensions up in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ldp_core._arrays import Codes
from ldp_core.frequency.base import FrequencyOracle
from ldp_core.frequency.count_mean import CountMeanSketch
from ldp_core.frequency.prefix_tree import PrefixTree

__all__ = ["SketchTree"]


class SketchTree(PrefixTree):
    """Find words in count-mean sketches of their prefixes, by the search and the bars of a :class:`PrefixTree`.

    A person hashes the prefix of her word whatever it is. So she need not wait to be told candidates, and a
    level's sketch answers for any of them; but prefixes that share columns are taken for each other, which more
    people do not mend. Its parameters (epsilon, alphabet, lengths, rows, width, hash_seed, kept, sigmas) are those of
    :class:`PrefixTree` and :class:`Sketch`.

    Notes
    -----
    Sketches of fragments are the idea of Apple's sequence fragment puzzle. As pure-LDP has it, a fragment may stand
    anywhere in the word, and carries a hash of the word that says which ones belong together; here it is a prefix.

    The simulated hash is one of the prefixes in play, numbered: any two collide with probability 1/width, as under a
    hash of all texts. There is no exact probability of being found: all words share what collisions add.

    References
    ----------
    Apple Differential Privacy Team. Learning with privacy at scale. Apple Machine Learning Journal 1(8), 2017.

    Examples
    --------
    >>> tree = SketchTree(2.0, "abcd", [1, 2, 3], rows=64, width=256)
    >>> tree.simulate(["bad", "cab", "dad"], [[50_000, 30_000, 300]] * 3, rng=0)[-1].found
    ('bad', 'cab')
    """

    _names = ("epsilon", "alphabet", "lengths", "rows", "width", "hash_seed", "kept", "sigmas")

    def __init__(
        self, epsilon: float, alphabet: str, lengths: Sequence[int], *, rows: int = 16, width: int = 64,
        hash_seed: int = 0, kept: int = 100, sigmas: float = 4.0,
    ) -> None:  # fmt: skip
        self.rows, self.width, self.hash_seed = rows, width, hash_seed
        self._sketch = partial(CountMeanSketch, rows=rows, width=width, hash_seed=hash_seed)
        super().__init__(epsilon, alphabet, lengths, kept=kept, sigmas=sigmas, oracle=self._sketch)

    def _ask(self, _: int, candidates: list[str], prefixes: list[str]) -> tuple[FrequencyOracle, Codes]:
        domain = [*candidates, *sorted(set(prefixes).difference(candidates))]
        place = {prefix: code for code, prefix in enumerate(domain)}
        oracle = self._sketch(self.epsilon, max(2, len(domain)))
        return oracle, np.array([place[prefix] for prefix in prefixes], dtype=np.int64)
