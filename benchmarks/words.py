"""How long does it take to find words that nobody listed? The prefix tree against pure-LDP's, one user at a time.

Words of six letters, their shares falling as 1/rank; the same ε, lengths and k for all, and a million users:

* people: ``PrefixTree.collect`` by Hadamard response, every device's report drawn and counted
* simulate: ``PrefixTree.simulate`` by optimized unary encoding, of as many users
* pure-ldp: ``PEMClient`` and ``PEMServer`` of a public package by optimized local hashing, as its interface asks for,
  timed on fewer users and scaled up linearly (to add up a report about whole words its server hashes all 8**6 of them);
  only where installed, never required. It needs an xxhash below 4, scikit-learn and statsmodels beside it

Every way must find the most common word before its time counts.

    python -m benchmarks.words [--n 1000000] [--loop-users 2000] [--save]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import _harness
from ldp_core.frequency import HadamardResponse, PrefixTree

#: With less 2,000 users do not find the most common word.
EPSILON, KEPT = 6.0, 10


def pure_ldp(words: list[str], alphabet: str) -> str:
    """Client and server of pure-ldp, which draws its noise and its groups from global states."""
    from pure_ldp.heavy_hitters.prefix_extending.pem_client import PEMClient
    from pure_ldp.heavy_hitters.prefix_extending.pem_server import PEMServer

    # groups of 2, 3, 4, 5 and 6 letters
    common = {"epsilon": EPSILON, "start_length": 1, "max_string_length": 6, "fragment_length": 1, "alphabet": alphabet}
    common["index_mapper"] = lambda word: sum(alphabet.index(c) * len(alphabet) ** i for i, c in enumerate(word))
    server, client = PEMServer(**common), PEMClient(**common)
    for word in words:
        server.aggregate(client.privatise(word))
    return str(server.find_heavy_hitters(k=KEPT)[0][0])


def measure(n: int = 1_000_000, repeat: int = 3, loop_users: int = 2_000) -> dict[str, Any]:
    """All rows of the table."""
    rng, alphabet = np.random.default_rng(1), "abcdefgh"
    words = sorted({"".join(rng.choice(list(alphabet), 6)) for _ in range(1_000)})
    shares = 1 / np.arange(1, len(words) + 1)
    shares /= shares.sum()
    people = rng.choice(words, n, p=shares).tolist()

    def found(call: Callable[[], str], times: int) -> float:
        taken, word = _harness.least(call, times)
        if word != words[0]:
            raise AssertionError(f"{call!r} finds {word!r}, not {words[0]!r}")
        return taken

    lengths = (2, 3, 4, 5, 6)
    one_by_one = PrefixTree(EPSILON, alphabet, lengths, kept=KEPT, oracle=HadamardResponse)
    law = PrefixTree(EPSILON, alphabet, lengths, kept=KEPT)
    counts = rng.multinomial(law.sizes(n), shares)

    def best(levels: Any) -> str:
        return str(levels[-1].candidates[int(np.argmax(levels[-1].shares))])

    row: dict[str, Any] = {"mechanism": "PrefixTree"}
    row["ours"] = found(lambda: best(one_by_one.collect(people, 0)), repeat)
    row["simulate"] = found(lambda: best(law.simulate(words, counts, 0)), repeat)
    machine = _harness.machine("numpy", others=("pure-ldp",))
    if "pure-ldp" in machine:
        few = people[:loop_users]
        row["pure-ldp"] = found(lambda: pure_ldp(few, alphabet), 1) * n / loop_users
    return {"n": n, "epsilon": EPSILON, "loop_users": loop_users, **machine, "rows": [row]}


def show(result: dict[str, Any]) -> None:
    """Print seconds, and how many times ours."""
    print(f"n = {result['n']:,}, ε = {result['epsilon']:g}; seconds until the words are found")
    for row in result["rows"]:
        print(f"{row['mechanism']:12}{row['ours']:>8.3f}{_harness.ratios(row, ['pure-ldp'], width=24, digits=0)}")
        print(f"{'simulate':12}{row['simulate'] * 1e3:>8.1f} ms")


if __name__ == "__main__":
    _harness.main(__doc__, "words", measure, show)
