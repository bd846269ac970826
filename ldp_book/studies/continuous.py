"""Numbers about people, classified in private: bins or Gaussians, and what a projection learned in public is worth.

The rows are those of the real Adult file, the features age, years of education and hours of work, brought to [−1, 1] by
public bounds. In every repetition a third of the people is drawn afresh for the test, and takes no part in anything
else; the others report once, on a budget of ε for everything that they send. What is stored is always the share of the
test's people who are classified rightly.

Five parts, each with its own draws:

- *open*: the models without privacy, and the commonest class: what there is to win;
- *methods*: three ways to perturb a matrix of numbers, and four bins of equal width;
- *bins*: how many bins, and who pays for edges of equal frequency;
- *public*: one component of DCA or PCA, learned from few or many public rows, or from the private ones;
- *components*: one component, two, or all three.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn.decomposition import PCA
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from ldp_book.datasets.dataset import Dataset
from ldp_book.studies.running import Part
from ldp_core._arrays import Codes, Floats
from ldp_core.learn import (
    DCA,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    LDPGaussianNB,
    LDPNaiveBayes,
    PrivacyLeakWarning,
    projection_bounds,
)

__all__ = ["STUDY"]

FEATURES = ("age", "education-num", "hours-per-week")
EPSILONS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
METHODS = ("laplace", "piecewise", "sample")
BINS = (2, 4, 8, 16)
#: Rows that a projection is learned from, when it is learned in public; 0 stands for all the private ones.
ROWS = (20, 100, 500, 4000, 0)
POOL = max(ROWS)
NUMBERS = range(1, len(FEATURES) + 1)
PROJECTIONS: dict[str, Callable[[int], Any]] = {"DCA": DCA, "PCA": PCA}


def people(data: Dataset) -> tuple[Floats, Codes]:
    """Return everybody's numbers in [−1, 1], shape (n, 3), and everybody's class, 0 or 1."""
    scaled = data.scaled(FEATURES)
    return 2 * scaled.X - 1, scaled.y


def split(n: int, rng: np.random.Generator, public: int = 0) -> tuple[Codes, Codes, Codes]:
    """Draw, by ``rng``, which of n rows are in the test (a third), which are public (so many), and which report."""
    test, pool, private = np.split(rng.permutation(n), [n // 3, n // 3 + public])
    return test, pool, private


def openly(data: Dataset, seed: int) -> dict[str, float]:
    """Score what needs no noise: the models when everybody hands over the row, and a guess that needs no row at all."""
    T, y = people(data)
    test, _, train = split(len(y), np.random.default_rng(seed))
    shares = {"commonest class": float(np.mean(y[test] == np.bincount(y[train]).argmax()))}
    shares["Gaussian"] = GaussianNB().fit(T[train], y[train]).score(T[test], y[test])
    coded = EqualWidthDiscretizer(4).fit_transform(T)
    four = CategoricalNB(min_categories=4).fit(coded[train], y[train])
    shares["four bins"] = four.score(coded[test], y[test])
    for name, kind in PROJECTIONS.items():
        one = kind(1).fit(T[train], y[train]).transform(T)
        shares[f"Gaussian on {name}"] = GaussianNB().fit(one[train], y[train]).score(one[test], y[test])
    return shares


def methods(data: Dataset, seed: int) -> dict[str, Floats]:
    """Score the three Gaussian models and four bins, all on the same people."""
    T, y = people(data)
    rng = np.random.default_rng(seed)
    test, _, train = split(len(y), rng)
    shares: dict[str, list[float]] = {name: [] for name in (*METHODS, "four bins")}
    coded = EqualWidthDiscretizer(4).fit_transform(T)
    for epsilon in EPSILONS:
        for method in METHODS:
            model = LDPGaussianNB(epsilon, method=method, classes=[0, 1], random_state=rng)
            shares[method].append(model.fit(T[train], y[train]).score(T[test], y[test]))
        bayes = _categorical(epsilon, 4, rng).fit(coded[train], y[train])
        shares["four bins"].append(bayes.score(coded[test], y[test]))
    return {name: np.array(scores) for name, scores in shares.items()}


def bins(data: Dataset, seed: int) -> dict[str, Floats]:
    """Score naive Bayes on bins of equal width, and of equal frequency with edges that cost nothing, people, or budget.

    "raw" reads the edges off the private rows, which no guarantee covers; "asked of a third" asks a third of the people
    for the edges, at ε, and the others for the classifier; "half of ε" asks everybody twice, at ε/2.
    """
    T, y = people(data)
    rng = np.random.default_rng(seed)
    test, _, train = split(len(y), rng)
    some, rest = train[: len(train) // 3], train[len(train) // 3 :]

    def score(edges: Any, who: Codes, epsilon: float, size: int) -> float:
        model = _categorical(epsilon, size, rng).fit(edges.transform(T[who]), y[who])
        return float(model.score(edges.transform(T[test]), y[test]))

    def asked(epsilon: float, size: int, who: Codes) -> Any:
        return EqualFrequencyDiscretizer(epsilon, n_bins=size, random_state=rng).fit(T[who])

    shares = {
        name: np.zeros((len(EPSILONS), len(BINS))) for name in ("equal width", "raw", "asked of a third", "half of ε")
    }
    for j, size in enumerate(BINS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PrivacyLeakWarning)  # that it leaks is the point of the comparison
            raw = asked(math.inf, size, train)
        width = EqualWidthDiscretizer(size).fit(T)
        for i, epsilon in enumerate(EPSILONS):
            shares["equal width"][i, j] = score(width, train, epsilon, size)
            shares["raw"][i, j] = score(raw, train, epsilon, size)
            shares["asked of a third"][i, j] = score(asked(epsilon, size, some), rest, epsilon, size)
            shares["half of ε"][i, j] = score(asked(epsilon / 2, size, train), train, epsilon / 2, size)
    return shares


def projected(data: Dataset, seed: int, fits: Sequence[tuple[int, int]]) -> dict[str, Floats]:
    """Score a Gaussian model on components, and on all features.

    Each fit is a number of components, and that of the public rows that taught them (0: all private ones). The model's
    bounds are those of the projected box: public.
    """
    T, y = people(data)
    rng = np.random.default_rng(seed)
    test, pool, private = split(len(y), rng, POOL)

    def score(projection: Any, epsilon: float) -> float:
        seen = T if projection is None else projection.transform(T)
        bounds = (-1.0, 1.0) if projection is None else projection_bounds(projection)
        model = LDPGaussianNB(epsilon, bounds=bounds, classes=[0, 1], random_state=rng)
        return float(model.fit(seen[private], y[private]).score(seen[test], y[test]))

    shares = {name: np.zeros((len(EPSILONS), len(fits))) for name in ("no projection", *PROJECTIONS)}
    for i, epsilon in enumerate(EPSILONS):
        shares["no projection"][i] = score(None, epsilon)
        for name, kind in PROJECTIONS.items():
            for j, (number, rows) in enumerate(fits):
                learned_from = pool[:rows] if rows else private
                shares[name][i, j] = score(kind(number).fit(T[learned_from], y[learned_from]), epsilon)
    return shares


def _categorical(epsilon: float, size: int, rng: np.random.Generator) -> LDPNaiveBayes:
    """Naive Bayes on the features' bins: one input a person, drawn at random, by optimized unary encoding."""
    return LDPNaiveBayes(epsilon, categories=[size] * len(FEATURES), classes=[0, 1], random_state=rng)


#: Its parts, by name.
STUDY = {
    "open": Part("adult", {}, 60, openly),
    "methods": Part("adult", {"epsilon": EPSILONS}, 150, methods),
    "bins": Part("adult", {"epsilon": EPSILONS, "bins": BINS}, 60, bins),
    "public": Part(
        "adult", {"epsilon": EPSILONS, "rows": ROWS}, 60, partial(projected, fits=[(1, rows) for rows in ROWS])
    ),
    "components": Part(
        "adult", {"epsilon": EPSILONS, "components": NUMBERS}, 60, partial(projected, fits=[(k, POOL) for k in NUMBERS])
    ),
}
