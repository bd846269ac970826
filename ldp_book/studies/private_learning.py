r"""Noisy gradient descent on the census: how many steps, where to clip, and the same descent without noise beside it.

A logistic regression on Adult (who earns more than 50,000), by descent on the sum of clipped gradients with Gaussian
noise. Neighbours differ in one record (replace-one): a sum of gradients of length at most b moves by at most 2b, and T
steps are one Gaussian mechanism of sensitivity :math:`2b\sqrt T`. In every repetition the people are dealt anew into
four fifths to learn from and one fifth held out, on which all accuracies are measured, and all noise is drawn anew.
Beside every noisy descent runs its **twin**: the same people, steps, rate and clipping, and no noise.

* ``steps``: accuracy by ε and number of steps, b = 1.
* ``bound``: accuracy by ε and clipping norm, 100 steps; with the rate matched to the norm (η = 4/b: steps stay equally
  long whatever is cut), gradients or rows being shortened, and with a rate that stays (η = 1).
* ``batches``: the same budget spent on everybody in every step or on random batches, q of the people on average. One
  person more or less (add/remove), all steps together (ε, 10⁻⁶) by a certified bound on the sum of privacy losses.
* ``people``: the same people asked by a curator and on their own devices.
* ``listing``: the conditions of a published listing [1]_, its features, rate, steps, ε and clipping. Its own file holds
  about 45,000 complete rows, as the number of people held out shows; ours, the first part of the same census, 30,162.

References
----------
.. [1] J. P. Near and C. Abuah. Programming Differential Privacy, 2021, chapter on machine learning
   (uvm-plaid/programming-dp, ``notebooks/ch12.ipynb``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from ldp_book.studies.running import Part
from ldp_core._arrays import Codes, Floats
from ldp_core.central import gaussian_sigma, sampled_gaussian_sigma
from ldp_core.learn import LDPNaiveBayes

__all__ = ["BOUNDS", "BUDGETS", "DELTA", "NUMBERS", "PUBLISHED", "RATES", "STEPS", "STUDY", "WORDS"]

Singles = npt.NDArray[np.float32]
Clip = Literal["gradient", "features"]

#: Columns of numbers.
NUMBERS = ("age", "education-num", "hours-per-week", "capital-gain", "capital-loss")
#: Columns of categories.
WORDS = ("workclass", "marital-status", "occupation", "relationship", "sex")
#: Budgets; infinite: the twin without noise.
BUDGETS = (0.03, 0.1, 0.3, 1.0, 3.0, math.inf)
#: Some of them, and those at which people are asked on their own devices.
SOME_BUDGETS, LOCAL_BUDGETS = (0.1, 1.0, math.inf), (0.1, 0.3, 1.0, 3.0)
#: The δ of all guarantees.
DELTA = 1e-6
#: Steps of a descent.
STEPS = (3, 10, 30, 100, 300, 1000)
#: Steps of a descent with batches.
BATCH_STEPS = (10, 100, 1000)
#: Shares of the people that a step asks.
RATES = (0.01, 0.1, 1.0)
#: Clipping norms, each twice the one before.
BOUNDS = tuple(2.0**power for power in range(-5, 4))

#: What the listing's English edition prints after each run: accuracy on its held-out fifth.
PUBLISHED = {
    "10 steps, no noise": 0.7787,
    "100 steps, no noise": 0.82,  # "about"
    "10 noisy steps, gradients clipped": 0.7797,
    "10 noisy steps, rows clipped": 0.7808,
}


@dataclass(frozen=True)
class People:
    """Rows (with a column of ones) and classes, those to learn from times their sign, and those held out."""

    signed: Singles  #: Rows of the people to learn from; negative where the class is "no".
    length: Singles  #: Lengths of these rows.
    other: Singles  #: Rows of the people held out.
    other_class: Codes  #: Their classes.

    @property
    def trivial(self) -> float:
        """Accuracy of always saying what is more frequent."""
        share = float(self.other_class.mean())
        return max(share, 1 - share)

    def accuracy(self, weights: npt.NDArray[Any]) -> Floats:
        """Share of the people held out that each column of weights, shape (features, models), classifies rightly."""
        right: Floats = np.mean((self.other @ weights > 0) == self.other_class[:, None], axis=0)
        return right

    def without_privacy(self) -> float:
        """Accuracy of the model that scikit-learn fits to the same people; their rows end in a one."""
        sign = self.signed[:, -1]
        model = LogisticRegression(max_iter=2000, fit_intercept=False).fit(self.signed * sign[:, None], sign)
        return float(self.accuracy(model.coef_.T)[0])


def deal(data: Any, rng: np.random.Generator) -> People:
    """Deal the people into those to learn from, four fifths, and those held out, drawn from ``rng``."""
    scaled = data.scaled([*NUMBERS, *WORDS], one_hot=True)
    return _split(np.column_stack([scaled.X, np.ones(len(scaled.y))]).astype(np.float32), scaled.y, rng)


def _split(rows: Singles, label: Codes, rng: np.random.Generator) -> People:
    train, test = np.split(rng.permutation(len(label)), [int(0.8 * len(label))])
    signed = np.where(label[train], 1, -1)[:, None].astype(np.float32) * rows[train]
    return People(signed, np.linalg.norm(signed, axis=1)[:, None], rows[test], label[test])


def noise(epsilon: float, steps: int, bound: float) -> float:
    """Give σ for every entry of every sum of gradients up to bound, for all steps at ε; 0 for an infinite epsilon."""
    whole = 2 * bound * math.sqrt(steps)
    return 0.0 if epsilon == math.inf else gaussian_sigma(epsilon=epsilon, delta=DELTA, sensitivity=whole)


def descend(
    people: People,
    sigma: Sequence[float] | Floats,
    *,
    steps: int,
    bound: float,
    rate: float,
    clip: Clip = "gradient",
    share: float = 1.0,
    rng: np.random.Generator,
) -> Singles:
    """Descend once for each σ, side by side; the weights have shape (d, len(sigma)), one column a descent.

    ``sigma`` is the noise in every entry of every sum (0 for none), ``steps`` their number, ``bound`` the clipping norm
    (math.inf: nothing is cut), ``rate`` the learning rate η of the mean gradient and ``clip`` what is shortened. With
    probability ``share`` each of the people is in the batch of a step, whose sum is divided by this share of all.
    Batches, if any, and noise are drawn from ``rng``.
    """
    n, rows, most = len(people.signed), people.signed, (bound / people.length).astype(np.float32)
    if clip == "features":
        rows, most = rows * np.minimum(1, most), np.full_like(most, np.inf)
    scale = np.asarray(sigma)
    weights = np.zeros((rows.shape[1], len(scale)), dtype=np.float32)
    for _ in range(steps):
        drawn = np.flatnonzero(rng.random(n) < share) if share < 1 else slice(None)
        batch = rows[drawn]
        pull = np.minimum(expit(-(batch @ weights)), most[drawn])  # each gradient is its pull times the row
        noisy = batch.T @ pull + scale * rng.normal(size=weights.shape)
        weights += (rate / (share * n) * noisy).astype(np.float32)
    return weights


def by_steps(data: Any, seed: int) -> dict[str, Floats]:
    """Descend at every budget with every number of steps; b = 1, η = 4."""
    rng = np.random.default_rng(seed)
    people = deal(data, rng)
    accuracies = [
        people.accuracy(descend(people, [noise(e, t, 1.0) for e in BUDGETS], steps=t, bound=1.0, rate=4.0, rng=rng))
        for t in STEPS
    ]
    shape = len(BUDGETS), len(STEPS)
    return {
        "accuracy": np.array(accuracies).T,
        "without privacy": np.full(shape, people.without_privacy()),
        "always no": np.full(shape, people.trivial),
    }


def by_bound(data: Any, seed: int) -> dict[str, Floats]:
    """Take 100 steps at some budgets with every clipping norm, in three ways.

    Columns: "gradients" (η = 4/b), "features" (η = 4/b², and 4/b where b > 1), "gradients, rate stays" (η = 1).
    """
    rng = np.random.default_rng(seed)
    people = deal(data, rng)
    ways: dict[str, tuple[Clip, Callable[[float], float]]] = {
        "gradients": ("gradient", lambda b: 4 / b),
        "features": ("features", lambda b: 4 / b / min(b, 1.0)),
        "gradients, rate stays": ("gradient", lambda _: 1.0),
    }
    columns: dict[str, Floats] = {}
    for way, (clip, rate) in ways.items():
        accuracies = []
        for b in BOUNDS:
            sigma = [noise(e, 100, b) for e in SOME_BUDGETS]
            weights = descend(people, sigma, steps=100, bound=b, rate=rate(b), clip=clip, rng=rng)
            accuracies.append(people.accuracy(weights))
        columns[way] = np.array(accuracies).T
    return columns


def by_batches(data: Any, seed: int) -> dict[str, Floats]:
    """Descend at every budget, with everybody or with batches, for some numbers of steps; b = 1, η = 4.

    The number of people counts as public here, as in the other parts, so that all of the budget goes to the steps.
    """
    rng = np.random.default_rng(seed)
    people = deal(data, rng)
    accuracies = np.empty((len(BUDGETS), len(RATES), len(BATCH_STEPS)))
    for i, share in enumerate(RATES):
        for j, t in enumerate(BATCH_STEPS):
            sigma = [
                0.0 if e == math.inf else sampled_gaussian_sigma(epsilon=e, delta=DELTA, sampling_rate=share, times=t)
                for e in BUDGETS
            ]
            weights = descend(people, sigma, steps=t, bound=1.0, rate=4.0, share=share, rng=rng)
            accuracies[:, i, j] = people.accuracy(weights)
    return {"accuracy": accuracies}


def locally(data: Any, seed: int) -> dict[str, Floats]:
    """Let the same people be asked by a curator, and on their own devices.

    Columns: "curator, 300 steps"; "local gradients, 30 steps", where everybody adds the noise to the own gradient, so
    that a sum has √n times as much; "local naive Bayes", learnt from everybody's report at pure ε, numbers in four
    bins; "always no".
    """
    rng = np.random.default_rng(seed)
    people = deal(data, rng)
    n = len(people.signed)
    curator = descend(people, [noise(e, 300, 1.0) for e in LOCAL_BUDGETS], steps=300, bound=1.0, rate=4.0, rng=rng)
    each = [math.sqrt(n) * noise(e, 30, 1.0) for e in LOCAL_BUDGETS]
    gradients = descend(people, each, steps=30, bound=1.0, rate=4.0, rng=rng)
    coded = data.xy([*NUMBERS, *WORDS], bins=4)
    train, test = np.split(rng.permutation(len(coded.y)), [n])
    counted = []
    for e in LOCAL_BUDGETS:
        model = LDPNaiveBayes(e, categories=coded.sizes, classes=[0, 1], random_state=rng)
        counted.append(model.fit(coded.X[train], coded.y[train]).score(coded.X[test], coded.y[test]))
    return {
        "curator, 300 steps": people.accuracy(curator),
        "local gradients, 30 steps": people.accuracy(gradients),
        "local naive Bayes": np.array(counted),
        "always no": np.full(len(LOCAL_BUDGETS), people.trivial),
    }


def listing(data: Any, seed: int) -> dict[str, Floats]:
    """Run the published listing under its own conditions: all columns, η = 1, b = 5, ε = 0.1 and δ = 10⁻⁵ in each step.

    Numbers are divided by their largest value and categories are ones and zeros, without a column of ones; each step
    has the noise of the classic formula, and sums are divided by a noisy number of people. Columns: "accuracy", in the
    order of :data:`PUBLISHED`, and "always no".
    """
    frame = data.frame.dropna()
    features = frame.drop(columns=["income", "education-num"])
    words = features.select_dtypes("category")
    numbers = pd.concat([features.drop(columns=words.columns), frame["education-num"]], axis=1)
    ones = pd.get_dummies(words.apply(lambda column: column.cat.remove_unused_categories()))
    rows = np.column_stack([numbers / numbers.max(), ones]).astype(np.float32)
    rng = np.random.default_rng(seed)
    people = _split(rows, np.asarray(frame["income"] == ">50K"), rng)
    n, b = len(people.signed), 5.0
    sigma = b * math.sqrt(2 * math.log(1.25 / 1e-5)) / 0.1
    counted = n / (n + rng.laplace(scale=1 / 0.1))  # the rate of a sum that is divided by the noisy count
    runs = [
        descend(people, [0.0], steps=10, bound=math.inf, rate=1.0, rng=rng),
        descend(people, [0.0], steps=100, bound=math.inf, rate=1.0, rng=rng),
        descend(people, [sigma], steps=10, bound=b, rate=counted, rng=rng),
        descend(people, [sigma], steps=10, bound=b, rate=counted, clip="features", rng=rng),
    ]
    return {
        "accuracy": np.array([people.accuracy(weights)[0] for weights in runs]),
        "always no": np.full(4, people.trivial),
    }


#: Repetitions of each setting.
REPETITIONS = 20

_BUDGETS, _SOME = ([str(e) for e in budgets] for budgets in (BUDGETS, SOME_BUDGETS))
#: Its parts, by name.
STUDY: dict[str, Part] = {
    "steps": Part("adult", {"epsilon": _BUDGETS, "steps": STEPS}, REPETITIONS, by_steps),
    "bound": Part("adult", {"epsilon": _SOME, "bound": BOUNDS}, REPETITIONS, by_bound),
    "batches": Part("adult", {"epsilon": _BUDGETS, "share": RATES, "steps": BATCH_STEPS}, REPETITIONS, by_batches),
    "people": Part("adult", {"epsilon": LOCAL_BUDGETS}, REPETITIONS, locally),
    "listing": Part("adult", {"run": tuple(PUBLISHED)}, REPETITIONS, listing),
}
