"""LDPBayes on the real files: accuracy against budget, and against a trusted curator (figures 2 and 3 of the paper).

The paper is H. Wang, Y. Chen and C. Peng, A high-utility naive Bayes classification scheme based on local differential
privacy, 2022 (in Chinese), of which this study had the text, without formulas and tables. Its figures are drawn, so
that what is judged is what its text says about them. It names the data sets, the budgets, the numbers of people and the
treatment of missing answers (rows deleted). It does not say into how many bins numbers were put, how accuracy was
measured, or how often; here it is eight bins of public width, two folds, and as many repetitions as a part states.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.naive_bayes import CategoricalNB

from ldp_book.datasets import Coded, Dataset
from ldp_book.studies.running import Part
from ldp_core._arrays import Floats
from ldp_core.learn import DPNaiveBayes, LDPBayes, repeated_cv, rivals

__all__ = ["BUDGETS", "PEOPLE", "SMALL_BUDGETS", "STUDY", "code"]

#: ε of the paper's figure 2.
BUDGETS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0)

#: ε and numbers of people of its figure 3.
SMALL_BUDGETS = (0.005, 0.01, 0.05, 0.1, 0.5, 1.0)
#: Numbers of people, where these vary.
PEOPLE = (5_000, 10_000, 50_000, 100_000)

#: Public bounds where the default, amounts on a logarithmic scale, does not fit: a column's lowest and highest value.
BOUNDS = {"adult": {"age": (17, 95)}, "bank": {"day": (1, 32)}}

#: What :func:`ldp_core.learn.rivals` makes: the paper's scheme, its rivals, the one it left out, and two of our own.
MODELS = tuple(rivals())

#: The curators of figure 3: what two neighbours differ in.
CURATORS = {"curator, replace": "replace", "curator, add or remove": "add-remove"}


def code(data: Dataset, name: str) -> Coded:
    """Return a data set, by its name, as the study uses it: numbers in eight bins of public width, no row with gaps."""
    return data.xy(bins=8, bounds=BOUNDS.get(name))


def accuracy(data: Dataset, seed: int) -> dict[str, Floats]:
    """Cross-validate every model at every budget, once: two folds, the same for all (figure 2).

    Columns are :data:`MODELS`; "no privacy", naive Bayes from the true counts; "commonest class", what needs no data.
    """
    coded = code(data, data.name)
    how: dict[str, Any] = {"repetitions": 1, "folds": 2, "rng": seed}
    makers = {model: _maker(model, coded.domains) for model in MODELS}
    scores = repeated_cv(makers, coded.X, coded.y, epsilons=BUDGETS, **how)
    plain = CategoricalNB(min_categories=coded.domains["categories"])
    exact = repeated_cv({"": lambda _epsilon, _rng: plain}, coded.X, coded.y, epsilons=BUDGETS[:1], **how)[""]
    columns = {model: runs[:, 0] for model, runs in scores.items()}
    columns["no privacy"] = np.full(len(BUDGETS), exact[0, 0])
    columns["commonest class"] = np.full(len(BUDGETS), np.bincount(coded.y).max() / len(coded.y))
    return columns


def curator(data: Dataset, seed: int) -> dict[str, Floats]:
    """Train on so many people of Adult with and without a curator, once (figure 3).

    5,000 rows are held out; people are drawn from the others with replacement, since 100,000 are more than Adult has.
    All models of one number of people learn from the same ones. Columns, measured on the rows held out, are LDPBayes
    ("local"); the curator's naive Bayes under both notions of neighbours; "no privacy"; "commonest class".
    """
    coded = code(data, data.name)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(coded.y))
    held_out, rest = order[:5_000], order[5_000:]
    rows, truth = coded.X[held_out], coded.y[held_out]
    kinds: dict[str, Callable[..., Any]] = {"local": LDPBayes}
    kinds |= {label: partial(DPNaiveBayes, neighbours=neighbours) for label, neighbours in CURATORS.items()}
    shape = len(PEOPLE), len(SMALL_BUDGETS)
    columns = {label: np.zeros(shape) for label in [*kinds, "no privacy", "commonest class"]}
    for i, m in enumerate(PEOPLE):
        drawn = rng.choice(rest, m)
        X, y = coded.X[drawn], coded.y[drawn]
        plain = CategoricalNB(min_categories=coded.domains["categories"]).fit(X, y)
        columns["no privacy"][i] = plain.score(rows, truth)
        columns["commonest class"][i] = np.bincount(truth).max() / len(truth)
        for j, epsilon in enumerate(SMALL_BUDGETS):
            for label, kind in kinds.items():
                model = kind(epsilon, random_state=rng, **coded.domains).fit(X, y)
                columns[label][i, j] = model.score(rows, truth)
    return columns


def _maker(model: str, schema: dict[str, Any]) -> Callable[[float, np.random.Generator], Any]:
    return lambda epsilon, rng: rivals(epsilon, random_state=rng, **schema)[model]


#: Its parts, by name.
STUDY: dict[str, Part] = {
    **{name: Part(name, {"epsilon": BUDGETS}, 50, accuracy) for name in ("adult", "nursery", "bank")},
    "curator": Part("adult", {"people": PEOPLE, "epsilon": SMALL_BUDGETS}, 40, curator),
}
