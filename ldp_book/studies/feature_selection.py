r"""Private feature selection, judged on the four files that its study names.

The study [1]_ draws accuracy against ε (its figure 1) and against the number of features (its figure 2), one curve
each, without a spread. Here the same protocol runs again and again: k = 20 bags of ⌈0.9 n⌉ training rows, drawn without
replacement as its lemma has it; margins z as it defines them, *not* divided by √d; noise for its Δ = 2/(nλ); a tenth of
the features; 3-nearest neighbours and a linear support-vector machine with C = 1; ten folds, features selected from the
nine that train. What it does not say, or not enough:

* **λ** "is adjusted by cross-validation", without a word on the values tried. Two are run: λ = 0.01, and λ = 1,
  beyond which weights and noise fall nearly alike with λ.
* **Scaling**: all values lie in [0, 1], by public bounds.
* **Blind** choice is added: the ranking of the noise alone, without a look at the data. It has a spread of its own.
* **Chunks** are added: 20 disjoint ones in place of the bags, and the noise that they really need, Δ = 2B/20 with
  :math:`B = \sqrt{W(1/e)/(2\lambda)}`, which holds for margins of any length.

In a fold, all settings share one noise vector, stretched to what each needs: differences between settings can so be
taken in pairs, and at the smallest ε the ranking is nearly that of the blind choice, as it should be. Between folds and
repetitions everything is drawn anew. The spread over repetitions is that of dealing the rows and of the noise; it says
nothing about other patients.

References
----------
.. [1] Z. Liu. An ensemble feature selection algorithm with differential privacy based on local learning. Computer
   Technology and Development 28(10), 2018 (in Chinese).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from ldp_book.studies.running import Part
from ldp_core._arrays import Codes, Floats
from ldp_core.central import laplace_l2
from ldp_core.learn import fwell_weights, local_margins, longest_weights

__all__ = ["BUDGETS", "RIDGES", "SELECTED", "STUDY", "deal", "ensemble"]

#: Number of bags, or of chunks.
BAGS = 20
#: Share of the training rows in a bag, β.
SHARE = 0.9
#: Weights λ of the ridge.
RIDGES = (0.01, 1.0)
#: Budgets of figure 1. "blind": the noise alone ranks; "no noise": the ensemble as it is.
BUDGETS = ("blind", "0.01", "0.1", "1", "10", "100", "no noise")
#: Some of them, where the number of features varies.
FEW_BUDGETS = ("blind", "0.01", "no noise")
#: Numbers of features of figure 2.
SELECTED = {
    "arcene": (1, 10, 100, 1000, 5000),
    "wdbc": (1, 2, 3, 5, 10, 20),
    "breast": (1, 2, 3, 5, 7),
    "soybean": (1, 2, 4, 8, 16, 24),
}


def read(data: Any) -> tuple[Floats, Codes]:
    """Give rows scaled to [0, 1] by public bounds, and classes; a missing answer counts as the lowest value."""
    scaled = data.scaled(missing="lowest")
    return scaled.X, np.unique(scaled.y, return_inverse=True)[1]


def folds(label: Codes, seed: int) -> Iterator[tuple[Codes, Codes, np.random.Generator]]:
    """Deal the rows into ten folds by label: who trains, who tests, and a generator for the fold."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # Soybean has a class with a single plant
        split = list(StratifiedKFold(10, shuffle=True, random_state=seed).split(label, label))
    for number, (train, test) in enumerate(split):
        yield train, test, np.random.default_rng([seed, number])


def deal(n: int, how: str, rng: np.random.Generator) -> list[Codes]:
    """Say which of n rows are in which member of the ensemble.

    By ``how`` the members are "bags" of ⌈0.9 n⌉ rows without replacement, disjoint "chunks", "bootstrap" (bags with
    replacement), or "copies dropped" (those without the copies); ``rng`` draws them.
    """
    size = math.ceil(SHARE * n)
    if how == "chunks":
        return np.array_split(rng.permutation(n), BAGS)
    if how == "bags":
        return [rng.permutation(n)[:size] for _ in range(BAGS)]
    drawn: list[Codes] = [rng.integers(n, size=size) for _ in range(BAGS)]
    if how == "copies dropped":
        drawn = [np.unique(bag) for bag in drawn]
    return drawn


def ensemble(rows: Floats, label: Codes, members: Sequence[Codes], ridges: Sequence[float] = RIDGES) -> list[Floats]:
    """Average the weights of all members (from :func:`deal`) without noise, for each λ in ridges; rows have a label."""
    total = [np.zeros(rows.shape[1]) for _ in ridges]
    for part in members:
        margins = local_margins(rows[part], label[part]) * math.sqrt(rows.shape[1])  # as the study has them
        for weights, ridge in zip(total, ridges, strict=True):
            weights += fwell_weights(margins, ridge=ridge)
    return [weights / len(members) for weights in total]


def noise_needed(how: str, n: int, ridge: float) -> float:
    """Give Δ at n training rows and ridge λ: what the study claims for bags, and what is true of chunks (``how``)."""
    return 2 / (n * ridge) if how == "bags" else 2 * longest_weights(ridge) / BAGS


def ranking(weights: Floats, noise: Floats, delta: float, budget: str) -> Codes:
    """Sort the features by their noisy weights at a budget; the noise is that for delta/ε = 1."""
    if budget == "blind":
        return np.argsort(-noise)
    return np.argsort(-(weights if budget == "no noise" else weights + noise * delta / float(budget)))


def scores(rows: Floats, label: Codes, train: Codes, test: Codes, chosen: Codes) -> Floats:
    """Give how many test rows 3-NN and the SVM get right when they see the chosen features only."""
    seen = rows[:, chosen]
    models = (KNeighborsClassifier(3), SVC(kernel="linear", C=1.0))
    return np.array([np.sum(m.fit(seen[train], label[train]).predict(seen[test]) == label[test]) for m in models])


def by_budget(data: Any, seed: int) -> dict[str, Floats]:
    """Run one pass of ten folds with a tenth of the features: accuracies of "3-NN, bags" and so on."""
    rows, label = read(data)
    number = max(2, math.ceil(rows.shape[1] / 10))
    kinds, models = ("bags", "chunks"), ("3-NN", "SVM")
    right = np.zeros((len(kinds), len(RIDGES), len(BUDGETS), 2))
    for train, test, rng in folds(label, seed):
        noise = laplace_l2(np.zeros(rows.shape[1]), epsilon=1.0, sensitivity=1.0, rng=rng)
        blind = scores(rows, label, train, test, ranking(noise, noise, 0.0, "blind")[:number])
        for k, how in enumerate(kinds):
            weights = ensemble(rows[train], label[train], deal(len(train), how, rng))
            for r, ridge in enumerate(RIDGES):
                delta = noise_needed(how, len(train), ridge)
                for b, budget in enumerate(BUDGETS):
                    ranked = ranking(weights[r], noise, delta, budget)[:number]
                    right[k, r, b] += blind if budget == "blind" else scores(rows, label, train, test, ranked)
    share = right / len(label)
    return {f"{model}, {how}": share[k, ..., m] for k, how in enumerate(kinds) for m, model in enumerate(models)}


def by_number(data: Any, seed: int) -> dict[str, Floats]:
    """Run one pass of ten folds with several numbers of features, bags as published, λ = 1: for "3-NN" and "SVM"."""
    rows, label = read(data)
    selected = SELECTED[data.name]
    right = np.zeros((len(FEW_BUDGETS), len(selected), 2))
    for train, test, rng in folds(label, seed):
        noise = laplace_l2(np.zeros(rows.shape[1]), epsilon=1.0, sensitivity=1.0, rng=rng)
        (weights,) = ensemble(rows[train], label[train], deal(len(train), "bags", rng), (1.0,))
        for b, budget in enumerate(FEW_BUDGETS):
            ranked = ranking(weights, noise, noise_needed("bags", len(train), 1.0), budget)
            for s, number in enumerate(selected):
                right[b, s] += scores(rows, label, train, test, ranked[:number])
    return dict(zip(("3-NN", "SVM"), np.moveaxis(right / len(label), -1, 0), strict=True))


def by_sampling(data: Any, seed: int) -> dict[str, Floats]:
    """Run one pass of ten folds without noise, a tenth of the features, with three ways to draw the bags."""
    rows, label = read(data)
    number = max(2, math.ceil(rows.shape[1] / 10))
    right = np.zeros((len(RIDGES), 3, 2))
    for train, test, rng in folds(label, seed):
        for h, how in enumerate(("bags", "bootstrap", "copies dropped")):
            weights = ensemble(rows[train], label[train], deal(len(train), how, rng))
            for r in range(len(RIDGES)):
                right[r, h] += scores(rows, label, train, test, np.argsort(-weights[r])[:number])
    return dict(zip(("3-NN", "SVM"), np.moveaxis(right / len(label), -1, 0), strict=True))


#: Passes of ten folds for each setting; for figure 2 on Arcene fewer.
PASSES = 20

#: Its parts, by name; ten thousand columns take their time.
STUDY: dict[str, Part] = {
    **{name: Part(name, {"ridge": RIDGES, "budget": BUDGETS}, PASSES, by_budget) for name in SELECTED},
    **{
        f"{name}, number": Part(
            name, {"budget": FEW_BUDGETS, "selected": numbers}, 6 if name == "arcene" else PASSES, by_number
        )
        for name, numbers in SELECTED.items()
    },
    "soybean, sampling": Part(
        "soybean",
        {"ridge": RIDGES, "drawn": ("without replacement", "with replacement", "copies dropped")},
        PASSES,
        by_sampling,
    ),
}
