"""Chapter 5 of a text book, measured again: naive Bayes with private reports, on six data sets.

The book is J. M. Chang, D. Zhuang and G. D. Samaraweera, Privacy-Preserving Machine Learning (Manning 2023). The code
of its experiments is public (github.com/nogrady/PPML, ``Ch5/LDP-NB.zip``); it tells five things that its text does not:

* **ε is that of one report**, and a person sends many (:class:`ldp_book.faults.learn.BlockNaiveBayes`). The columns
  that end in ``/report`` here keep to that; those that end in ``/record`` charge the same ε for everything that a
  person sends.
* **One split** of the rows, 94% to learn from and 6% to test on, drawn from a seed that stands in the code, carries
  all of a data set's points. A point is the mean over 100 draws of the noise, over one random fill of the blocks that
  are not a person's own. Parts called ``"…, published split"`` draw that very split; the others draw a new one in
  each repetition.
* **The first row** of each file is taken for a header and lost.
* **Mushroom** comes without ``stalk-root``, the one feature with missing answers, and the values of a feature are those
  that occur. The part ``"mushroom, published file"`` has it so; the other parts take the file and the values that UCI
  declares. The other three files are those of UCI.
* With numbers, **the class travels in the clear**: the rows are sorted by it before anybody perturbs anything
  (:class:`ClearGaussian`).

A repetition of the main parts is one new split with new noise, the same split for every model; where the test part is
small, the mean over a few of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.decomposition import PCA
from sklearn.naive_bayes import GaussianNB

from ldp_book.faults.learn import BlockNaiveBayes
from ldp_book.studies.running import Part
from ldp_core._arrays import Codes, Floats
from ldp_core.frequency import ThresholdHistogram
from ldp_core.learn import DCA, EqualWidthDiscretizer, LDPGaussianNB, LDPNaiveBayes
from ldp_core.numeric import Duchi, Laplace

__all__ = [
    "BINS", "EPSILONS", "GAUSSIANS", "LEFT_OUT", "ORACLES", "PROJECTIONS", "PUBLISHED", "PUBLISHED_PLAIN",
    "PUBLISHED_THETA_UNNAMED", "SPLITS", "STUDY", "THETAS", "ClearGaussian", "HalvedTwice", "discrete",
    "published_split",
]  # fmt: skip

#: ε for each of a person's reports, or for the whole record: the model that keeps to it.
ACCOUNTINGS: dict[str, Callable[..., Any]] = {"report": BlockNaiveBayes, "record": LDPNaiveBayes}

#: Budgets of the published tables that are looked at here.
EPSILONS = [0.05, 0.25, 0.45, 1.05, 2.0, 5.0]

#: The five oracles of the published tables; THE there has the threshold 0.
ORACLES = {"DE": "de", "SHE": "she", "THE": partial(ThresholdHistogram, theta=0.0), "SUE": "sue", "OUE": "oue"}

#: Per cent right at these budgets: ``LDP-NB/results`` in ``Ch5/LDP-NB.zip`` of nogrady/PPML, ``*_encMethod_*.csv``.
PUBLISHED = {
    "car": {
        "DE": [37.49, 61.82, 73.06, 82.34, 87.98, 90.97],
        "SHE": [24.38, 49.04, 61.52, 76.67, 81.78, 85.79],
        "THE": [42.69, 60.10, 72.79, 78.08, 83.94, 86.15],
        "SUE": [33.14, 54.77, 67.87, 80.48, 85.53, 90.74],
        "OUE": [37.81, 55.10, 68.20, 80.50, 85.60, 88.52],
    },
    "chess": {
        "DE": [52.34, 68.23, 76.70, 86.15, 90.59, 91.58],
        "SHE": [51.70, 58.48, 62.91, 77.00, 84.37, 90.33],
        "THE": [53.70, 60.57, 67.76, 80.99, 88.70, 90.31],
        "SUE": [51.20, 61.68, 69.95, 82.15, 88.81, 94.03],
        "OUE": [52.26, 61.88, 69.55, 81.88, 86.57, 91.05],
    },
    "mushroom": {
        "DE": [64.86, 86.11, 89.55, 92.49, 94.23, 95.70],
        "SHE": [57.41, 83.76, 88.68, 91.65, 92.90, 93.91],
        "THE": [56.50, 84.24, 90.37, 91.93, 92.27, 93.05],
        "SUE": [60.30, 86.99, 90.03, 92.24, 93.65, 94.57],
        "OUE": [60.95, 87.20, 89.94, 92.54, 93.83, 95.44],
    },
    "connect-4": {
        "DE": [64.97, 64.13, 66.69, 70.23, 72.41, 73.20],
        "SHE": [64.34, 63.23, 64.26, 67.36, 70.25, 72.66],
        "THE": [65.13, 62.88, 64.33, 68.41, 69.57, 71.28],
        "SUE": [64.49, 64.05, 65.19, 68.71, 70.84, 72.33],
        "OUE": [65.62, 64.13, 64.93, 68.64, 71.18, 72.61],
    },
}

#: Per cent right on Car with THE and a threshold that the file's name, ``car_encMethod_THE.csv``, does not tell.
PUBLISHED_THETA_UNNAMED = [37.70, 54.27, 74.99, 81.69, 81.73, 56.86]

#: Share right without privacy, the dashed lines of the published figures: ``maxAcc`` in ``results/showResults.py``.
PUBLISHED_PLAIN = {"car": 0.971, "chess": 0.9583, "mushroom": 0.9999, "connect-4": 0.7456}

#: Seeds of the published splits: ``rndSeed`` in ``expLNB.py``.
SEEDS = {"car": 496, "chess": 117, "mushroom": 10, "connect-4": 9999}

#: Feature of Mushroom that the file beside the published code does not have: the one with missing answers.
LEFT_OUT = "stalk-root"

#: Share of rows that is tested on, in the published splits and in new ones.
TEST_SHARE = 0.06

#: New splits in one repetition: more where the test part is small.
SPLITS = {"car": 6, "chess": 4, "mushroom": 3, "connect-4": 2, "australian": 4, "diabetes": 4}

#: Draws of the noise in one repetition on the published split.
NOISES = 10

#: Thresholds that are compared.
THETAS = [0.0, 0.25, 0.5, 0.75, 1.0]

#: Bins of a number: two for Australian, four for diabetes, says the text.
BINS = {"australian": 2, "diabetes": 4}

#: Columns as they are, or projected, and by what.
PROJECTIONS = ["raw", "PCA", "DCA"]

#: What the three Gaussian methods send: with ε for each report, in the public code, and with ε for the whole record.
GAUSSIANS = {
    "Laplace on all": ("laplace", "laplace"),
    "Laplace on one": ("sample", "sample"),
    "bit or Piecewise": ("duchi", "piecewise"),
}

#: Numbers of components.
COMPONENTS = {"australian": [1, 2, 3, 4, 6, 8, 10, 14], "diabetes": [1, 2, 3, 4, 5, 6, 7, 8]}

#: Budgets at which the number of components is varied.
COMPONENT_EPSILONS = [0.45, 5.0]

Scores = dict[str, Floats]


# ------------------------------------------------------------------------------------------------- splits of the rows


def published_split(name: str, n: int) -> tuple[Codes, Codes]:
    """Give the rows, of n, that the published experiment with this name learned from, and those that it tested on."""
    order = 1 + np.random.RandomState(SEEDS[name]).permutation(n - 1)  # NumPy's old generator: the same in any version
    kept = int((1 - TEST_SHARE) * (n - 1))
    return order[:kept], order[kept:]


def new_split(n: int, rng: np.random.Generator, share: float = TEST_SHARE) -> tuple[Codes, Codes]:
    """Draw a split of n rows of the same proportions, or with another share for the test."""
    order, kept = rng.permutation(n), int((1 - share) * n)
    return order[:kept], order[kept:]


# -------------------------------------------------------------------------------------------- features with few values


def discrete(data: Any, seed: int) -> Scores:
    """One repetition with new splits: every oracle under both accountings, and OUE with a sixteenth of the people.

    Columns: ``"DE/report"``, ``"DE/record"``, …, ``"OUE, fewer people/report"``, …, ``"no privacy"``,
    ``"commonest class"``.
    """
    X, y, schema = _coded(data)
    rng = np.random.default_rng(seed)
    runs: list[Scores] = []
    for _ in range(SPLITS[data.name]):
        train, test = new_split(len(y), rng)
        few = train[: len(train) // 16]
        scores = _levels(X, y, schema, train, test)
        for accounting, make in ACCOUNTINGS.items():
            all_tables, few_tables = (make(**schema).tabulate(X[rows], y[rows], rng=rng) for rows in (train, few))
            models = {name: (oracle, all_tables) for name, oracle in ORACLES.items()}
            models["OUE, fewer people"] = ("oue", few_tables)
            for name, (oracle, tables) in models.items():
                scores[f"{name}/{accounting}"] = np.array([
                    make(epsilon, oracle=oracle, **schema).fit_counts(tables, rng).score(X[test], y[test])
                    for epsilon in EPSILONS
                ])  # fmt: skip
        runs.append(scores)
    return _mean(runs)


def joint_code(data: Any, seed: int) -> Scores:
    """One repetition with new splits: the text's code, value and class in one, and still ε for each report.

    What differs from ``"/report"`` is the encoding only: one column for each feature, over all pairs of a value and a
    class, in place of a block of columns for each class. Columns: ``"DE"``, ``"SUE"``, ``"OUE"``.
    """
    X, y, schema = _coded(data)
    rng = np.random.default_rng(seed)
    reports = X.shape[1] + 1
    runs: list[Scores] = []
    for _ in range(SPLITS[data.name]):
        train, test = new_split(len(y), rng)
        tables = LDPNaiveBayes(report="split", **schema).tabulate(X[train], y[train])
        scores: Scores = {}
        for oracle in ("DE", "SUE", "OUE"):
            make = partial(LDPNaiveBayes, oracle=oracle.lower(), report="split", **schema)
            models = [make(epsilon=reports * epsilon).fit_counts(tables, rng) for epsilon in EPSILONS]
            scores[oracle] = np.array([model.score(X[test], y[test]) for model in models])
        runs.append(scores)
    return _mean(runs)


def published(data: Any, seed: int) -> Scores:
    """Ten draws of the noise over the published split and one fill: the mean right, for each oracle.

    Columns: the oracles, ``"THE, θ = 1, q halved twice"``, ``"no privacy"``, ``"commonest class"``.
    """
    return _published(data.name, *_coded(data), seed)


def published_file(data: Any, seed: int) -> Scores:
    """Do what :func:`published` does on Mushroom as the public code has it: without stalk-root, and the values seen."""
    X, y, schema = _coded(data)
    kept = [
        np.unique(column, return_inverse=True)
        for name, column in zip(data.features, X.T, strict=True)
        if name != LEFT_OUT
    ]
    codes = np.stack([column for _, column in kept], axis=1)
    return _published(data.name, codes, y, schema | {"categories": [len(seen) for seen, _ in kept]}, seed)


def _published(name: str, X: Codes, y: Codes, schema: dict[str, Any], seed: int) -> Scores:
    rng = np.random.default_rng(seed)
    train, test = published_split(name, len(y))
    tables = BlockNaiveBayes(**schema).tabulate(X[train], y[train])
    scores = _levels(X, y, schema, train, test)
    oracles: dict[str, Any] = {**ORACLES, "THE, θ = 1, q halved twice": partial(HalvedTwice, theta=1.0)}
    for column, oracle in oracles.items():
        make, fill = partial(OneFill, oracle=oracle, **schema), int(rng.integers(2**32))
        models = [
            [make(epsilon=epsilon).written(fill).fit_counts(tables, rng) for _ in range(NOISES)] for epsilon in EPSILONS
        ]
        scores[column] = np.array([np.mean([model.score(X[test], y[test]) for model in row]) for row in models])
    return {column: _rounded(values) for column, values in scores.items()}


class OneFill(BlockNaiveBayes):
    """Blocks as the public code fills them: once, and then perturbed again and again, at every budget.

    Its parameters (epsilon, oracle, categories, classes, random_state) are its base's.
    """

    def written(self, seed: int) -> OneFill:
        """Take the fill from a seed: the same seed, the same fill, in every fit."""
        self.seed = seed
        return self

    def fit_counts(self, tables: Any, rng: Any = None) -> BlockNaiveBayes:
        self._pen = np.random.default_rng(self.seed)
        return super().fit_counts(tables, rng)

    def _fill(self, people: int, values: int, rng: np.random.Generator) -> npt.NDArray[Any]:  # noqa: ARG002
        return super()._fill(people, values, self._pen)


def splits(data: Any, seed: int) -> Scores:
    """Share right without any privacy on a hundred new splits: what the luck of a split alone does."""
    X, y, schema = _coded(data)
    rng = np.random.default_rng(seed)
    tests = np.array([new_split(len(y), rng)[1] for _ in range(100)])
    return {"no privacy": _rounded(_plain(X, y, schema, tests))}


class HalvedTwice(ThresholdHistogram):
    """THE with the q of the public code in its estimator: ½·exp(−εθ/4), where reports have ½·exp(−εθ/2).

    Its parameters (epsilon, domain, theta) are its base's.
    """

    def estimate(self, counts: npt.ArrayLike, n: int) -> Floats:
        q = 0.5 * math.exp(-self.epsilon * self.theta / 4)
        return (np.asarray(counts) - n * q) / (self.p - q)


def thresholds(data: Any, seed: int) -> Scores:
    """One repetition with new splits: THE with every θ, ε for each report, with the right q and with that of the code.

    Columns: ``"right q"``, ``"q halved twice"``.
    """
    X, y, schema = _coded(data)
    rng = np.random.default_rng(seed)
    runs: list[Scores] = []
    for _ in range(SPLITS[data.name]):
        train, test = new_split(len(y), rng)
        tables = BlockNaiveBayes(**schema).tabulate(X[train], y[train])
        scores: Scores = {}
        for name, kind in {"right q": ThresholdHistogram, "q halved twice": HalvedTwice}.items():
            model = partial(BlockNaiveBayes, **schema)
            makers = [partial(model, oracle=partial(kind, theta=theta)) for theta in THETAS]
            scores[name] = np.array([
                [make(epsilon).fit_counts(tables, rng).score(X[test], y[test]) for epsilon in EPSILONS]
                for make in makers
            ])  # fmt: skip
        runs.append(scores)
    return _mean(runs)


def _coded(data: Any) -> tuple[Codes, Codes, dict[str, Any]]:
    """Codes of features and classes, and their domains; a missing answer is an answer."""
    coded = data.xy(missing="code")
    return coded.X, coded.y, coded.domains


def _levels(X: Codes, y: Codes, schema: dict[str, Any], train: Codes, test: Codes) -> Scores:
    """What needs no ε: naive Bayes without privacy, and always giving the answer that is the commonest in training."""
    always = np.mean(y[test] == np.bincount(y[train]).argmax())
    levels = {"no privacy": _plain(X, y, schema, test[None])[0], "commonest class": always}
    return {name: np.full(len(EPSILONS), level) for name, level in levels.items()}


def _plain(X: Codes, y: Codes, schema: dict[str, Any], tests: Codes) -> Floats:
    """Share right of naive Bayes without privacy and without smoothing, for many test parts of one table."""
    sizes, k = np.array(schema["categories"]), len(schema["classes"])
    codes = X + np.concatenate([[0], np.cumsum(sizes)[:-1]])  # one number for each value of each feature
    pairs = codes * k + y[:, None]

    def counts(rows: Codes) -> Floats:
        return np.bincount(pairs[rows].ravel(), minlength=int(sizes.sum()) * k).reshape(-1, k).astype(float)

    everybody, label = counts(np.arange(len(y))), np.bincount(y, minlength=k)
    right = []
    for test in tests:
        held = np.maximum(label - np.bincount(y[test], minlength=k), 1e-10)  # who is tested on is taken out again
        chance = np.log(np.maximum(everybody - counts(test), 1e-10) / held)
        right.append(np.mean(np.argmax(chance[codes[test]].sum(axis=1) + np.log(held), axis=1) == y[test]))
    return np.array(right)


# --------------------------------------------------------------------------------------------------------- numbers


class ClearGaussian(GaussianNB):  # type: ignore[misc]
    """Gaussian naive Bayes as the public code fits it: **the class in the clear**, ε for the numbers only.

    The rows are sorted by class before anything is perturbed. In each class the first half reports its numbers, the
    other half their squares. A variance that comes out negative or 0 becomes 0.1. The ``epsilon`` is that of a person's
    numbers. The method is "laplace", noise of scale 2h/ε on all h numbers; "sample", of scale 2/ε on one, drawn
    uniformly; or "duchi", Duchi's bit of one. All is drawn from ``rng``.
    """

    def __init__(self, epsilon: float, method: str, rng: np.random.Generator) -> None:
        super().__init__()
        self.epsilon, self.method, self.rng = epsilon, method, rng

    def fit(self, X: Floats, y: Codes) -> ClearGaussian:
        """Let everybody report, class by class, X in [−1, 1] and y, and estimate."""
        self.classes_, counts = np.unique(y, return_counts=True)
        self.class_prior_, self.n_features_in_ = counts / len(y), X.shape[1]
        self.theta_, self.var_ = np.empty((2, len(counts), X.shape[1]))
        for j, label in enumerate(self.classes_):
            own = X[y == label]
            half = len(own) // 2
            self.theta_[j] = self._reports(own[:half]).mean(axis=0)
            self.var_[j] = self._reports(own[half:] ** 2).mean(axis=0) - self.theta_[j] ** 2
        self.var_[self.var_ <= 0] = 0.1
        return self

    def _reports(self, t: Floats) -> Floats:
        n, h = t.shape
        if self.method == "laplace":
            return Laplace(self.epsilon, dim=h).perturb(t[:, 0] if h == 1 else t, self.rng).reshape(n, h)
        one = {"sample": Laplace, "duchi": Duchi}[self.method](self.epsilon)
        rows, asked, sent = np.arange(n), self.rng.integers(h, size=n), np.zeros((n, h))
        sent[rows, asked] = h * one.perturb(t[rows, asked], self.rng)
        return sent


def continuous(data: Any, seed: int) -> Scores:
    """One repetition with new splits, 80 to 20: bins and Gaussians, raw and on one component, under both accountings.

    Columns: ``"DE/raw/report"``, ``"Laplace on all/PCA/record"``, …, ``"bins/DCA/no privacy"``,
    ``"Gaussian/raw/no privacy"``, ``"commonest class"``.
    """
    X, y = _numbers(data)
    rng = np.random.default_rng(seed)
    runs: list[Scores] = []
    for _ in range(SPLITS[data.name]):
        train, test = new_split(len(y), rng, 0.2)
        scores = {"commonest class": np.full(len(EPSILONS), np.mean(y[test] == np.bincount(y[train]).argmax()))}
        for kind in PROJECTIONS:
            t = _projected(kind, 1, X, y, train)
            for method, (of_report, of_record) in GAUSSIANS.items():
                clear = partial(ClearGaussian, method=of_report, rng=rng)
                hidden = partial(LDPGaussianNB, method=of_record, classes=[0, 1], random_state=rng)
                scores[f"{method}/{kind}/report"] = _curve(clear, EPSILONS, t, y, train, test)
                scores[f"{method}/{kind}/record"] = _curve(hidden, EPSILONS, np.clip(t, -1, 1), y, train, test)
            scores[f"Gaussian/{kind}/no privacy"] = _curve(lambda _: GaussianNB(), EPSILONS, t, y, train, test)
            scores |= {
                f"{name.replace('/', f'/{kind}/')}": values
                for name, values in _binned(data.name, EPSILONS, t, y, train, test, rng).items()
            }
        runs.append(scores)
    return _mean(runs)


def components(data: Any, seed: int) -> Scores:
    """One repetition with new splits, 80 to 20: bins after one to all components, under both accountings.

    Columns: ``"DE/PCA/report"``, ``"bins/DCA/no privacy"``, ….
    """
    X, y = _numbers(data)
    rng = np.random.default_rng(seed)
    runs: list[Scores] = []
    for _ in range(SPLITS[data.name]):
        train, test = new_split(len(y), rng, 0.2)
        scores: dict[str, list[Floats]] = {}
        for number in COMPONENTS[data.name]:
            for kind in ("PCA", "DCA"):
                t = _projected(kind, number, X, y, train)
                for name, values in _binned(data.name, COMPONENT_EPSILONS, t, y, train, test, rng).items():
                    scores.setdefault(name.replace("/", f"/{kind}/"), []).append(values)
        runs.append({name: np.array(rows) for name, rows in scores.items()})
    return _mean(runs)


def _numbers(data: Any) -> tuple[Floats, Codes]:
    """Features between −1 and 1, as the public code has them: linear, from the smallest to the largest in the file."""
    seen = {name: data.frame[name].to_numpy() for name in data.bounds}
    scaled = data.scaled(bounds={name: (float(v.min()), float(v.max())) for name, v in seen.items()}, log={})
    return 2 * scaled.X - 1, scaled.y


def _projected(kind: str, number: int, X: Floats, y: Codes, train: Codes) -> Floats:
    """All rows on components that were learned from the raw training rows, divided by the largest among these."""
    if kind == "PCA":
        X = X @ PCA(number).fit(X[train]).components_.T
    elif kind == "DCA":
        X = X @ DCA(number).fit(X[train], y[train]).components_.T
    scaled: Floats = X / np.maximum(np.abs(X[train]).max(axis=0), 1e-12)
    return scaled


def _binned(
    name: str, epsilons: Iterable[float], t: Floats, y: Codes, train: Codes, test: Codes, rng: np.random.Generator
) -> Scores:
    """Bins of equal width between the training rows' ends, then DE and OUE under both accountings, and no privacy."""
    low, high = t[train].min(axis=0), t[train].max(axis=0)
    codes = EqualWidthDiscretizer(BINS[name], bounds=(low, high)).fit_transform(np.clip(t, low, high))
    schema = {"categories": [BINS[name]] * t.shape[1], "classes": [0, 1]}
    scores = {"bins/no privacy": np.full(len(list(epsilons)), _plain(codes, y, schema, test[None])[0])}
    for accounting, make in ACCOUNTINGS.items():
        tables = make(**schema).tabulate(codes[train], y[train], rng=rng)
        for oracle in ("DE", "OUE"):
            scores[f"{oracle}/{accounting}"] = np.array([
                make(e, oracle=oracle.lower(), **schema).fit_counts(tables, rng).score(codes[test], y[test])
                for e in epsilons
            ])  # fmt: skip
    return scores


def _curve(
    make: Callable[[float], Any], epsilons: Iterable[float], t: Floats, y: Codes, train: Codes, test: Codes
) -> Floats:
    return np.array([make(e).fit(t[train], y[train]).score(t[test], y[test]) for e in epsilons])


# ---------------------------------------------------------------------------------------------------------- the parts


def _rounded(values: npt.ArrayLike) -> Floats:
    """Four digits of a share are plenty, and keep the file small."""
    return np.round(np.asarray(values, dtype=float), 4)


def _mean(runs: list[Scores]) -> Scores:
    return {name: _rounded(np.mean([scores[name] for scores in runs], axis=0)) for name in runs[0]}


#: What is stored: ``studies.load("experiments")``.
STUDY: Mapping[str, Part] = {
    **{name: Part(name, {"epsilon": EPSILONS}, 30, discrete) for name in PUBLISHED},
    **{f"{name}, joint code": Part(name, {"epsilon": EPSILONS}, 30, joint_code) for name in PUBLISHED},
    "car, joint code, later": Part("car", {"epsilon": EPSILONS}, 120, joint_code),
    **{f"{name}, published split": Part(name, {"epsilon": EPSILONS}, 10, published) for name in PUBLISHED},
    "mushroom, published file": Part("mushroom", {"epsilon": EPSILONS}, 10, published_file),
    **{f"{name}, splits": Part(name, {"split": range(100)}, 10, splits) for name in PUBLISHED},
    **{
        f"{name}, thresholds": Part(name, {"theta": THETAS, "epsilon": EPSILONS}, 30, thresholds)
        for name in ("car", "mushroom")
    },
    **{name: Part(name, {"epsilon": EPSILONS}, 30, continuous) for name in BINS},
    **{
        f"{name}, components": Part(
            name, {"components": COMPONENTS[name], "epsilon": COMPONENT_EPSILONS}, 16, components
        )
        for name in BINS
    },
}
