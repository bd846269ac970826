"""Every public callable with bad and odd arguments: it says clearly what is wrong, or gives something finite.

What is tried follows from the signatures: each argument in turn gets every bad scalar, or every bad array, while the
others are valid. A callable whose arguments are not known yet fails ``test_the_table_is_complete``: give its arguments
in ``VALID`` or ``OF_ITS_OWN`` below, or the reason why it is left out in ``LEFT_OUT``.
"""

from __future__ import annotations

import array
import collections
import datetime
import importlib
import inspect
import itertools
import math
import os
import pkgutil
import re
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from threadpoolctl import threadpool_limits

import ldp_book
import ldp_core
import livefig as live
from ldp_book import anonymity
from ldp_core import _validate, central, frequency, numeric, stream, synthetic
from ldp_core.central import exponential_probabilities

pytestmark = pytest.mark.filterwarnings("ignore")  # what is said on the way is not the question here
resource = pytest.importorskip("resource", reason="memory and time are limited as POSIX systems do it")

# ---- bad and odd values ------------------------------------------------------------------------------------------


class Odd:
    """An object that refuses to be an array and to be compared."""

    def __array__(self, *arguments: object, **options: object) -> np.ndarray:
        raise TypeError("no array")

    def __eq__(self, other: object) -> bool:
        raise TypeError("no comparison")

    __hash__ = object.__hash__


SCALARS: dict[str, Any] = {
    "nan": math.nan, "inf": math.inf, "-inf": -math.inf, "0.0": 0.0, "-0.0": -0.0, "10**400": 10**400,
    "-10**400": -(10**400), "1e-320": 1e-320, "1e-300": 1e-300, "1e300": 1e300, "1e308": 1e308, "-1.0": -1.0, "-1": -1,
    "0": 0, "1": 1, "0.5": 0.5, "2": 2, "3.7": 3.7, "2**31": 2**31, "2**63": 2**63, "2**64": 2**64, "10**18": 10**18,
    "True": True, "np.True_": np.True_, "text": "abc", "empty text": "", "text of a number": "1.0", "bytes": b"1",
    "None": None, "pd.NA": pd.NA, "pd.NaT": pd.NaT, "Decimal": Decimal("1.5"), "Decimal NaN": Decimal("NaN"),
    "signalling NaN": Decimal("sNaN"), "10**5000": 10**5000, "uint16": np.uint16(1),
    "Fraction": Fraction(1, 2), "huge Fraction": Fraction(10**400, 3), "complex": 1 + 2j, "float16": np.float16(0.5),
    "float32": np.float32(0.1), "long double": np.longdouble("1e4000"), "int8": np.int8(1),
    "uint64": np.uint64(2**64 - 1),
    "0-d": np.array(1.0), "1-d": np.array([1.0]), "list": [1.0], "empty list": [], "empty tuple": (), "dict": {},
    "set": {1}, "object": object(), "odd object": Odd(), "type": type, "Ellipsis": ..., "range": range(3),
    "datetime64": np.datetime64("2020-01-01"), "timedelta64": np.timedelta64(1, "D"), "date": datetime.date(2020, 1, 1),
    "np.ma.masked": np.ma.masked, "function": len,
}  # fmt: skip


class Subclass(np.ndarray):
    """An array that is one and yet another type."""


def arrays(valid: Any) -> dict[str, Callable[[], Any]]:
    """Bad and odd arrays, some of them made of a valid one; afresh each time, since a generator is used up."""
    good = np.asarray(valid)
    numbers = good if good.dtype.kind in "biuf" else np.ones(good.shape)
    floats = numbers.astype(np.float64)

    def with_entry(value: object) -> np.ndarray:
        changed = good.astype(object)
        changed.flat[0] = value
        return changed

    def read_only() -> np.ndarray:
        closed = good.copy()
        closed.flags.writeable = False
        return closed

    structured = [("a", "f8"), ("b", "i4")]
    return {
        "[]": lambda: [], "empty": lambda: np.empty(0), "empty 2-d": lambda: np.empty((0, 3)), "[[]]": lambda: [[]],
        "ragged": lambda: [[1, 2], [3]], "ragged arrays": lambda: [np.ones(2), np.ones(3)], "deep": lambda: [[[[1]]]],
        "3-d": lambda: good[None, None], "2-d": lambda: good[None], "flat": good.ravel, "0-d": lambda: np.array(1.0),
        "scalar": lambda: 1.0, "None": lambda: None, "text": lambda: "abc", "bytes": lambda: b"abc",
        "objects": lambda: good.astype(object), "with None": lambda: with_entry(None),
        "with pd.NA": lambda: with_entry(pd.NA), "with 10**400": lambda: with_entry(10**400),
        "with Decimal NaN": lambda: with_entry(Decimal("NaN")), "[10**400] * n": lambda: [10**400] * len(good.ravel()),
        "with a list": lambda: with_entry([1, 2]), "with Odd": lambda: with_entry(Odd()),
        "with NaN": lambda: with_entry(math.nan), "NaN": lambda: floats * math.nan,
        "inf": lambda: floats * 0 + math.inf,
        "negated": lambda: -floats - 1, "1e300": lambda: floats * 0 + 1e300, "1e-320": lambda: floats * 0 + 1e-320,
        "halves": lambda: floats + 0.5, "2**63": lambda: np.full(good.shape, 2**63, dtype=np.uint64),
        "2**62": lambda: np.full(good.shape, 2**62), "[10**400]": lambda: [10**400], "bools": lambda: floats > 0,
        "texts": lambda: good.astype(str), "words": lambda: np.full(good.shape, "z"),
        "S": lambda: np.full(good.shape, b"z"),
        "complex": lambda: floats + 1j, "all masked": lambda: np.ma.masked_array(good, mask=True),
        "masked": lambda: np.ma.masked_array(good, mask=np.arange(good.size).reshape(good.shape) == 0),
        "structured": lambda: np.zeros(good.shape, dtype=structured),
        "datetime64": lambda: np.zeros(good.shape, dtype="datetime64[D]"),
        "timedelta64": lambda: np.zeros(good.shape, dtype="timedelta64[s]"), "NaT": lambda: [pd.NaT],
        "float16": lambda: floats.astype(np.float16), "float32": lambda: floats.astype(np.float32),
        "long double": lambda: floats.astype(np.longdouble) * np.longdouble("1e4000"),
        "int8": lambda: floats.astype(np.int8), "uint8": lambda: np.abs(floats).astype(np.uint8),
        "read-only": read_only,
        "subclass": lambda: good.view(Subclass), "matrix": lambda: np.asmatrix(floats),
        "strided": lambda: np.repeat(good, 2, axis=-1)[..., ::2] if good.ndim else good,
        "reversed twice": lambda: np.flip(np.flip(good).copy()), "Fortran": lambda: np.asfortranarray(good),
        "big-endian": lambda: floats.astype(">f8"), "generator": lambda: (value for value in good.tolist()),
        "iterator": lambda: iter([1, 2]), "set": lambda: {1, 2}, "dict": lambda: {1: 2}, "range": lambda: range(3),
        "memoryview": lambda: memoryview(np.ones(3)), "array.array": lambda: array.array("d", [0.5, 1.0]),
        "Series": lambda: pd.Series(good.ravel()), "DataFrame": lambda: pd.DataFrame({"a": [1.0, 2.0]}),
        "Categorical": lambda: pd.Categorical(["a", "b"]), "Int64 with NA": lambda: pd.array([1, None], dtype="Int64"),
        "10**5 long": lambda: np.resize(good, (10**5, *good.shape[1:])), "list": good.tolist,
        "Decimals": lambda: [Decimal(1), Decimal(2)], "Fractions": lambda: [Fraction(1, 2), Fraction(1, 3)],
        "mixed": lambda: [1, "a"], "[None]": lambda: [None], "Odd": Odd,
    }  # fmt: skip


def frames(valid: pd.DataFrame) -> dict[str, Callable[[], Any]]:
    """Bad and odd tables, and what is no table."""

    def with_column(values: object) -> pd.DataFrame:
        return valid.assign(**{valid.columns[0]: values})

    return {
        "no rows": lambda: valid.iloc[:0], "no columns": lambda: valid[[]], "empty": pd.DataFrame,
        "a name twice": lambda: pd.concat([valid, valid], axis=1), "a column less": lambda: valid.iloc[:, 1:],
        "number as name": lambda: valid.set_axis(range(valid.shape[1]), axis=1), "one row": lambda: valid.iloc[:1],
        "NaN": lambda: with_column(math.nan), "NA": lambda: with_column(pd.array([pd.NA] * len(valid), dtype="Int64")),
        "None": lambda: with_column(None), "inf": lambda: with_column(math.inf), "texts": lambda: with_column("z"),
        "bools": lambda: with_column(True), "lists": lambda: with_column([[1, 2]] * len(valid)),
        "10**400": lambda: with_column([10**400] * len(valid)), "Odd cells": lambda: with_column([Odd()] * len(valid)),
        "int8": lambda: with_column(np.full(len(valid), -128, dtype=np.int8)),
        "Int8": lambda: with_column(pd.array([1] * len(valid), dtype="Int8")),
        "dates": lambda: with_column(pd.Timestamp("2020-01-01")), "category": lambda: valid.astype("category"),
        "complex": lambda: with_column(1j), "mixed": lambda: with_column([*[1] * (len(valid) - 1), "a"]),
        "levels of names": lambda: valid.set_axis(pd.MultiIndex.from_product([["x"], valid.columns]), axis=1),
        "one index label": lambda: valid.set_axis([0] * len(valid)), "Series": lambda: valid.iloc[:, 0],
        "array": valid.to_numpy, "dict": lambda: valid.to_dict("list"),
    }  # fmt: skip


# ---- valid arguments ---------------------------------------------------------------------------------------------

RNG = np.random.default_rng(0)
N, D = 8, 4
CODES = RNG.integers(0, D, size=N)
X = np.clip(RNG.normal(0, 0.4, size=(N, 3)), -1, 1)
C = RNG.integers(0, 2, size=(N, 2))
Y = np.arange(N) % 2
COUNTS = np.array([3, 2, 2, 1])
FRAME = pd.DataFrame({"age": [31, 33, 38, 42, 45, 47], "sex": list("fmfmfm"), "pay": [1, 1, 2, 2, 3, 3]})
HALF = np.array([[0.75, 0.25], [0.25, 0.75]])
SCORES = np.array([1.0, 3.0, 2.0])
TEXT = "abc"


def picture(**_: object) -> Any:
    """Draw next to nothing: what is drawn is not what is tried here."""
    from matplotlib.figure import Figure

    return Figure()


#: Valid values of arguments by name, for every callable that has no other in OF_ITS_OWN.
VALID: dict[str, Any] = {
    "epsilon": 1.0, "delta": 1e-6, "rng": 0, "random_state": 0, "seed": 0, "hash_seed": 0, "sensitivity": 1.0,
    "sigma": 2.0, "times": 3, "alpha": 2.0, "rho": 0.1, "rdp": 0.1, "k": 2, "c": 1, "threshold": 1.5, "n": N, "d": D,
    "g": 3, "size": 5, "level": 0.9, "theta": 0.8, "dim": 1, "f": 0.5, "on": 0.75, "off": 0.5, "rows": 4, "width": 8,
    "set_size": 1, "bits": 8, "count": 2, "total": 10.0, "times_": 1, "monotone": False, "bounds": (0.0, 4.0),
    "domain": ["a", "b", "c", "d"], "values": SCORES, "value": 1.0, "scores": SCORES, "answers": SCORES,
    "true_counts": COUNTS, "counts": COUNTS, "epsilons": [0.5, 1.0], "deltas": [1e-6], "upper": SCORES,
    "channel": HALF, "prior": np.array([0.5, 0.5]), "estimates": np.array([0.5, 0.7, -0.2]),
    "t": np.array([0.5, -0.5, 0.0]),
    "y": Y, "X": X, "columns": [0, 1], "sizes": [2, 2], "frame": FRAME, "quasi_identifiers": ["age", "sex"],
    "sensitive": "pay", "label": TEXT, "format": str, "alt": TEXT, "question": TEXT, "levels": {"age": 1},
    "hierarchies": {"age": anonymity.by_digits(1)}, "max_suppressed": 1, "reports": CODES, "table": COUNTS,
    "n_classes": 2, "bound": 1.0, "ridge": 0.1, "min_variance": 0.01, "n_features_to_select": 1, "classes": [0, 1],
    "origin": 0, "person": np.array([True, *[False] * 5]), "play": False, "caption": TEXT, "lo": 1.0, "hi": 10.0,
    "neighbours": "add-remove", "source": "standin", "name": "car", "draw": picture, "answer_scale": 2.0,
    "threshold_scale": 2.0, "proposed": 1.0, "distance": 30, "n_chunks": 2, "tolerance": 0.1, "low": 0.1, "high": 5.0,
    "group": 2, "sampling_rate": 0.5, "rho_beside": 0.001,
    "points": 20, "oracle": frequency.DirectEncoding(1.0, D), "lambda": 1.0, "fit_intercept": True,
    "alphabet": "abcd", "lengths": [1, 2], "words": ["ab", "cd"], "shares": [0.5, 0.2],
}  # fmt: skip

#: Valid values that a callable does not share with others: by its name, or by its last part for a whole family.
OF_ITS_OWN: dict[str, dict[str, Any]] = {
    "anonymity.Hierarchy": {"steps": ()},
    "anonymity.Hierarchy.apply": {"column": FRAME["age"], "level": 1},
    "anonymity.by_digits": {"digits": 2},
    "anonymity.by_prefix": {"length": 3},
    "anonymity.by_tree": {"maps": ({"f": "x", "m": "x"},)},
    "anonymity.by_width": {"widths": (5, 10)},
    "anonymity.clip": {"bounds": {"age": (32, 45)}},
    "anonymity.difference": {"query": len},
    "anonymity.generalize": {"hierarchies": {"age": anonymity.by_digits(2)}},
    "anonymity.information_loss": {"original": FRAME, "released": FRAME, "columns": ["age", "sex"]},
    "anonymity.link": {"known": FRAME, "released": FRAME, "on": ["age", "sex"]},
    "anonymity.t_closeness": {"distance": "equal"},
    "anonymity.uniqueness": {"on": ["age", "sex"]},
    "anonymity.with_identities": {"age": "age", "on": datetime.date(1994, 3, 31), "places": 20},
    "attack_success": {"prior": None},
    "answers.answer_rows": {"rows": {"a": SCORES}, "truth": 2.0, "xlim": (0.0, 9.0), "x": TEXT, "title": TEXT},
    "audit.density_epsilon": {"densities": HALF},
    "audit.lower_bound": {"client": lambda value, rng: rng.random() < 0.5, "inputs": [0, 1], "n": 40},
    "audit.samples_needed": {"epsilon": 2.0, "claim": 1.0, "probability": 0.5},
    "audit.trade_off": {"mechanism": HALF},
    "audit.worst_pair": {
        "law": lambda scores: exponential_probabilities(scores, epsilon=1.0), "pairs": [([0.0, 1.0], [1.0, 0.0])],
    },
    "central.clipping_error": {"upper": SCORES},
    "central.Accountant.compare": {"rules": ["rdp", "exact"]},
    "central.Accountant.discrete_gaussian": {"sensitivity": 1},
    "central.quantile_interval": {"options": [1.0, 2.0, 3.0], "quantile": 0.5, "sample": 3},
    "central.rdp_to_dp": {"conversion": "improved"},
    "central.discrete_gaussian": {"value": 3},
    "central.discrete_laplace": {"value": 3, "sensitivity": 1},
    "central.laplace": {"value": SCORES},
    "central.laplace_l2": {"value": SCORES},
    "central.gaussian": {"value": SCORES},
    "central.gaussian_sigma": {},
    "central.sample_and_aggregate": {"statistic": np.mean, "values": np.arange(4.0)},
    "central.sparse_numeric": {},
    "chapter.check": {"answer": lambda x: x + 1, "cases": (((1,), 2),)},
    "chapter.one_run": {"estimate": 6.5, "truth": 6.4, "deviation": 0.1},
    "faults.central.average_by_position": {"statistic": len, "values": np.arange(4.0)},
    "faults.central.leaky_search_probabilities": {"variant": "one-one"},
    "faults.learn.BlockNaiveBayes": {"categories": [[0, 1], [0, 1]], "oracle": "oue"},
    "faults.learn.PublishedDPNaiveBayes": {"numeric": None, "categories": [[0, 1], [0, 1]]},
    "faults.learn.PublishedFELP": {"n_members": 2, "share": 0.9, "bounds": (-1.0, 1.0)},
    "floating": {"mechanism": numeric.Laplace(1.0), "value": 0.0, "other": 1.0, "reports": np.array([0.5, -0.3])},
    "floating.betrayed": {"reports": 100},
    "frequency.HierarchicalHistogram": {"low": "b", "high": "c"},
    "frequency.HaarHistogram": {"low": "b", "high": "c"},
    "frequency.SeveralAttributes": {
        "domains": [3, 3], "mode": "fake", "fakes": [[0.2, 0.3, 0.5]] * 2, "k": None, "n": N,
        "true_counts": [[3, 4, 1], [2, 2, 4]], "table": np.array([[1, 0, 2], [0, 3, 1], [1, 0, 0]]), "i": 0, "j": 1,
        "priors": [[0.2, 0.3, 0.5]] * 2,
    },
    "frequency.PrefixTree": {"counts": [[3, 2], [2, 4]]},
    "frequency.SketchTree": {"counts": [[3, 2], [2, 4]]},
    "frequency.findable_share": {"words": 100},
    "frequency.RapporClient": {"oracle": frequency.Rappor(["a", "b"]), "values": np.array(["a", "b"])},
    "faults.frequency.exact_bias": {"change": np.abs},
    "faults.frequency.NeverClearedUnary": {
        "optimized": True, "values": np.array(["a", "b", "d"]), "encoded": CODES, "reports": np.eye(D, dtype=np.uint8),
    },
    "faults.frequency.seen_only_counts": {},
    "learn.FELP": {"n_members": 2, "bounds": (-1.0, 1.0)},
    "learn.FWELL": {"bounds": (-1.0, 1.0)},
    "learn.DPNaiveBayes": {"numeric": None, "categories": [[0, 1], [0, 1]]},
    "learn.DPNaiveBayes.parts": {},
    "learn.EqualFrequencyDiscretizer": {"bounds": (-1.0, 1.0), "oracle": "oue", "n_bins": 3, "resolution": 16},
    "learn.EqualWidthDiscretizer": {"bounds": (-1.0, 1.0), "n_bins": 3},
    "learn.DPLogisticRegression": {"iterations": 3, "batch_rate": 0.5},
    "learn.LDPBayes": {"categories": [[0, 1], [0, 1]], "k": 1},
    "learn.LDPNaiveBayes": {"categories": [[0, 1], [0, 1]], "oracle": "oue"},
    "learn.LDPGaussianNB": {"oracle": "de", "bounds": (-1.0, 1.0)},
    "learn.make_consistent": {"tables": [np.ones((2, 2)), np.ones((2, 2))]},
    "learn.fwell_weights": {"margins": X, "ridge": 0.1},
    "learn.gradient_sum": {"theta": np.ones(2), "rows": np.ones((3, 2)), "signs": np.array([1, -1, 1]), "bound": 1.0},
    "learn.local_margins": {"rows": np.abs(X) % 1, "label": Y},
    "learn.longest_weights": {"ridge": 0.1},
    "learn.shorten": {"rows": X, "bound": 1.0},
    "learn.judge": {"differences": [(0.02, 0.001), (-0.01, 0.002)], "clear": 3.0},
    "learn.paired": {"first": SCORES, "second": SCORES * 1.1},
    "live.Chance": {"setting": None},
    "live.Chance.yeses": {"survey": frequency.RandomizedResponse(1.0), "yes": [3, 1], "no": [4, 0], "p": 0.7, "q": 0.3},
    "live.choice": {"options": (1, 2), "value": 1},
    "live.live": {"controls": {"p": live.choice(1, 2)}, "anchor": "figure", "predict": None},
    "live.log_slider": {"value": 2.0, "meaning": TEXT, "ends": ("low", "high")},
    "live.Look": {"role": "truth"},
    "live.register_looks": {"known": {}, "aliases": {}},
    "live.register_meaning": {"label": "of the fuzz", "meaning": str, "ends": ("low", "high")},
    "live.number": {"answer": 2.0, "unit": TEXT, "hint": TEXT, "explain": TEXT},
    "live.quiz": {"options": {"✓ a": "x", "b": "y"}},
    "live.lines": {"at": SCORES[[0, 2, 1]], "curves": {"a": SCORES}, "mark": 2.0, "points": {"p": (1, 2)}, "frame": {}},
    "live.band": {"at": SCORES[[0, 2, 1]], "bands": {"a": (SCORES,) * 3}, "mark": 2.0, "points": None, "frame": {}},
    "live.law": {"at": SCORES[[0, 2, 1]], "densities": {"a": SCORES}, "atoms": None, "frame": {}},
    "live.matrix": {"values": HALF, "rows": None, "columns": None, "limits": None, "text": None, "frame": {}},
    "live.bars": {"names": ["a", "b", "c"], "heights": SCORES, "text": None, "frame": {}},
    "live.dots": {"names": ["a", "b", "c"], "series": {"a": SCORES}, "bars": None, "ticks": None, "frame": {}},
    "live.panels": {"rows": 1, "columns": 2, "size": None, "title": TEXT},
    "pipeline.pipeline": {"title": TEXT},
    "postprocess": {"counts": [3, 2], "shares": SCORES, "levels": [0.25, 0.5]},
    "optimal": {"prior": np.full(4, 0.25)}, "optimal.OptimalChannel.variance": {"count": COUNTS[:4]},
    "plan.rehearse": {"column": "pay"},
    "plan.survey": {
        "question": "several", "held": 2, "share": 0.2, "half_width": 0.1, "belief": 0.75, "prior": 0.5,
        "bounds": (0.0, 1.0), "unit": "", "spread": None,
    },
    "verdicts.verdict_grid": {"rows": {"more help": {"Adult": "holds"}}, "corner": TEXT},
    "live.spread": {"runs": HALF},
    "live.slider": {"value": 2.0, "meaning": TEXT, "ends": ("low", "high")},
    "live.table": {"rows": [{"a": 1}, {"a": 2}]},
    "live.Control.named": {"name": "p"},
    "live.draws": {"pile": None},
    "live.follow": {
        "artist": live.panels(1, 1)[0].scatter([1], [1]), "x": None, "y": None,
        "seen": live.Chance().yeses(0.7, 0.3, [1], [1]),
    },
    "live.predict": {"options": ("a", "b"), "at": None, "answer": "a"},
    "live.Link": {"text": TEXT, "address": TEXT},
    "live.Picture": {"figure": picture()},
    "numeric.IntervalScaler": {"lo": 0.0, "hi": 10.0, "clip": True},
    "numeric.IntervalScaler.inverse_variance": {"variance": SCORES},
    "numeric.SquareWave.aggregate": {"bins": 4},
    "numeric.SquareWave.channel": {"bins": 4},
    "numeric.Moments": {"mechanism": numeric.Duchi(1.0)},
    "numeric.Moments.perturb": {"t": np.array([0.5, -0.5, 0.0, 0.25])},
    "numeric.Moments.estimate": {"values": SCORES / SCORES.max(), "squares": SCORES**2 / SCORES.max() ** 2},
    "measured.load": {"name": "numeric"},
    "central.smooth_noise_density": {"z": SCORES},
    "central.smooth_sensitivity_median": {"beta": 0.5},
    "central.PrivacyLoss.compose": {"other": central.PrivacyLoss.laplace(1.0)},
    "central.PrivacyLoss.subsampled": {"q": 0.5},
    "studies.load": {"name": "experiments"},
    "numeric.crossings": {"first": lambda e: e, "second": lambda e: 1.0},
    "numeric.Sums": {"mechanism": numeric.Duchi(1.0), "n": 3, "total": np.array([0.5]), "squares": np.array([1.0])},
    "faults.numeric.mean_report": {"channel": np.full((4, 4), 1 / 4), "t": np.array([0.5, 0.0]), "size": 1.0},
    "faults.numeric": {"dim": 3, "t": np.zeros((2, 3)) + 0.5},
    "faults.numeric.fair_coin_channel": {"t": np.array([0.5, -0.5, 0.0])},
    "poisoning": {"oracle": frequency.OptimizedUnary(1.0, D), "reports": np.eye(D, dtype=np.uint8), "targets": [1]},
    "poisoning.least_gain": {"low": 0.0, "high": 1.0},
    "poisoning.ones_test": {"most": 2},
    "shuffle": {"epsilon0": 1.0, "n": 50, "delta": 1e-4, "mechanism": None, "d": 3, "reports": CODES},
    "stream": {"mechanism": VALID["oracle"]},
    "stream.Tally.add": {},
    "stream.tally_blocks": {"blocks": [[0, 1], [2, 3]], "map": map},
    "synthetic": {"rows": C, "columns": [0, 1], "table": np.ones((2, 2))},
    "synthetic.fit_tree": {"tree": [(0, 1)]},
    "datasets.describe_sources": {"datasets": ()},
    "estimators.fit": {},
    "density": {"y": np.array([0.5, -0.5, 0.0])},
}  # fmt: skip

#: What is not tried, and why.
LEFT_OUT = {
    "a base class, tried through its subclasses": (
        "frequency.FiniteOracle", "frequency.FrequencyOracle", "frequency.NoisyHistogram", "frequency.PureOracle",
        "frequency.RangeHistogram",
        "frequency.Sketch", "frequency.UnaryEncoding", "numeric.NumericMechanism",
    ),
    "a result, which the package makes": (
        "frequency.Level",
        "anonymity.Generalization", "anonymity.Linkage", "anonymity.Uniqueness", "central.Interval",
        "central.PrivacyLoss", "datasets.Coded", "datasets.Dataset",
        "datasets.Scaled", "live.Control", "live.Live", "live.Prediction", "plan.Plan",
        "plan.Rehearsal", "plan.Row", "plan.Trial", "poisoning.OnesTest",
        "numeric.MomentEstimate", "synthetic.TreeModel", "chapter.Verdict", "learn.ContingencyTables",
        "learn.RecordCounts", "learn.Schema", "studies.Study", "studies.Table",
    ),
    "takes anything": ("chapter.glue",),
    "has none": ("frequency.SketchTree.recall",),
    "a protocol, which only types refer to": ("stream.Map", "stream.Mechanism"),
    "takes a cluster, a fitted model or what another method made": (
        "stream.dask_map", "stream.bounded_map", "learn.DPNaiveBayes.parts", "learn.LDPBayes.fit_counts",
        "faults.learn.PublishedDPNaiveBayes.parts", "faults.learn.BlockNaiveBayes.fit_counts",
        "learn.LDPNaiveBayes.fit_counts", "learn.rivals", "learn.projection_bounds", "learn.repeated_cv",
        "datasets.describe_sources",
    ),
}  # fmt: skip


@cache
def fitted(label: str) -> Any:
    """A fitted estimator."""
    module, _, name = label.rpartition(".")
    made = getattr(importlib.import_module(PLACES[module]), name)
    return made(**{k: v for k, v in valid_arguments(label, made).items() if k in _names(made)}).fit(*data(name))


def data(name: str) -> tuple[np.ndarray, np.ndarray]:
    """What an estimator is fitted on: codes or numbers."""
    return (C if name.endswith(("DPNaiveBayes", "LDPBayes", "BlockNaiveBayes")) else X), Y


def instance(label: str, made: type) -> Any:
    """An object whose methods are tried."""
    if label in ("frequency.Rappor",):
        return made(VALID["domain"])
    if hasattr(made, "fit"):
        return fitted(label)
    if label == "synthetic.TreeModel":
        return synthetic.fit_tree(C, [2, 2], epsilon=math.inf)
    if label == "stream.Tally":
        tally = stream.Tally(VALID["oracle"])
        tally.add(CODES)
        return tally
    if label == "central.Accountant":
        ledger = central.Accountant()
        ledger.gaussian(sigma=2.0)
        return ledger
    if label == "live.Control":
        return live.choice(1, 2)
    if label == "central.PrivacyLoss":
        return central.PrivacyLoss.randomized_response(1.0)
    if label == "frequency.SeveralAttributes":
        arguments = valid_arguments(label, made)  # of every method but one
        return made(arguments["epsilon"], arguments["domains"], "split")
    return made(**valid_arguments(label, made))


def reports_of(label: str) -> Any:
    """Valid reports, encoded values or memories of a mechanism, by the name of the class."""
    module, name, _ = label.split(".")
    made = instance(f"{module}.{name}", getattr(importlib.import_module(PLACES[module]), name))
    if module == "numeric":
        return {"reports": made.perturb(VALID["t"], 0), "counts": np.array([2, 1, 1]), "values": VALID["t"]}
    if name in ("RapporClient", "PrefixTree", "SketchTree", "Level"):
        return {}
    if name == "SeveralAttributes":
        rows = np.array([[0, 1], [1, 2], [1, 0]])
        reports = made.perturb(rows, 0)
        return {"rows": rows, "encoded": rows, "reports": reports, "counts": made.aggregate(reports)}
    values = ["a", "b", "b", "d"] if name != "RandomizedResponse" else [True, False]
    if name == "SetSubsetSelection":
        values = [[value] for value in values]
    encoded = made.encode(values)
    perturbed = made.perturb(encoded, 0)
    given: dict[str, Any] = {"values": np.array(values), "encoded": encoded, "reports": perturbed}
    counts = made.aggregate(perturbed)
    given |= {"counts": counts, "sketch": counts, "true_counts": COUNTS[: made.d], "sets": np.array([[0], [1]])}
    given |= {"users": np.array([2, 3]), "kept": perturbed}
    return given


# ---- what is called ----------------------------------------------------------------------------------------------

#: Packages whose public modules are tried; those of ``livefig`` stand in the package itself.
PACKAGES = (ldp_core, ldp_book)

#: Where the callables of a label's first parts are: ``"central"`` in ``ldp_core.central``.
PLACES = {"live": "livefig"} | {
    name.partition(".")[2]: name
    for package in PACKAGES
    for _, name, _ in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not any(part.startswith("_") for part in name.split("."))
    and (name.count(".") == 1 or name.startswith("ldp_book.faults."))
}
MODULES = tuple(PLACES)


def _names(made: Callable[..., Any]) -> list[str]:
    return list(signature(made).parameters)


def signature(called: Callable[..., Any]) -> inspect.Signature:
    """Signature without self, whatever a metaclass does."""
    if inspect.isclass(called):
        whole = inspect.signature(called.__init__)
        return whole.replace(parameters=list(whole.parameters.values())[1:])
    return inspect.signature(called)


@dataclass(frozen=True)
class Target:
    """A callable of the package, and how it is called with arguments by name."""

    label: str
    signature: inspect.Signature
    call: Callable[..., Any]


def targets(module: str) -> Iterator[Target]:
    """Every public function, constructor and method of a module that takes an argument."""
    loaded = importlib.import_module(PLACES[module])
    own = [n for n, o in vars(loaded).items() if n[0] != "_" and getattr(o, "__module__", "") == loaded.__name__]
    left_out = set(itertools.chain(*LEFT_OUT.values()))
    for name in sorted(getattr(loaded, "__all__", own)):
        made, label = getattr(loaded, name), f"{module}.{name}"
        if not callable(made) or (inspect.isclass(made) and issubclass(made, Exception)):
            continue
        if label in left_out and label not in ("central.PrivacyLoss", "live.Control", "synthetic.TreeModel"):
            continue
        if not inspect.isclass(made):
            yield Target(label, signature(made), made)
            continue
        if label not in left_out and made.__init__ is not object.__init__:
            if hasattr(made, "fit"):
                yield Target(label, signature(made), _fit(made))
            else:
                yield Target(label, signature(made), made)
        for method, function in inspect.getmembers(made, inspect.isfunction):
            ours = function.__module__.startswith(("ldp_core", "ldp_book", "livefig"))
            if method[0] == "_" or not ours or f"{label}.{method}" in left_out:
                continue
            shape = signature(function)
            arguments = list(shape.parameters.values())[1:]
            if arguments:
                yield Target(f"{label}.{method}", shape.replace(parameters=arguments), _bound(label, made, method))


def _fit(made: type) -> Callable[..., Any]:
    return lambda **arguments: made(**arguments).fit(*data(made.__name__))


def _bound(label: str, made: type, method: str) -> Callable[..., Any]:
    """Call a method of an object that is the same for stateless ones, and new for those that keep something."""
    if hasattr(made, "fit"):
        if method == "fit":
            start = {k: v for k, v in valid_arguments(label, made).items() if k in _names(made)}
            return lambda **arguments: made(**start).fit(**arguments)
        return getattr(fitted(label), method)
    if label in ("central.Accountant", "stream.Tally"):
        return lambda **arguments: getattr(instance(label, made), method)(**arguments)
    if method == "sampled_posterior":
        return frequency.SeveralAttributes(1.0, [3, 3], "fake").sampled_posterior
    return getattr(instance(label, made), method)


def valid_arguments(label: str, called: Callable[..., Any]) -> dict[str, Any]:
    """Valid values of the arguments; without those that are not known."""
    return _valid(label, signature(called))


def _valid(label: str, shape: inspect.Signature) -> dict[str, Any]:
    module, _, last = label.rpartition(".")
    own: dict[str, Any] = {}
    if label.count(".") == 2 and label.startswith(("frequency.", "numeric.", "optimal.")) and "exhibits" not in label:
        own |= reports_of(label) if not label.startswith(("numeric.IntervalScaler", "numeric.Moments")) else {}
    name = module.rpartition(".")[2]
    if label.startswith(("learn.", "faults.learn.")) and name[0].isupper():
        own |= dict(zip("Xy", data(name), strict=True)) | {"counts": np.ones(N, dtype=int)}
    for key in (module, last, label):
        own |= OF_ITS_OWN.get(key, {})
    found = {}
    for name, parameter in shape.parameters.items():
        if name in own:
            found[name] = own[name]
        elif parameter.default not in (parameter.empty, None) and isinstance(parameter.default, (str, bool)):
            found[name] = parameter.default
        elif name in VALID:
            found[name] = VALID[name]
        elif parameter.default not in (parameter.empty, None):
            found[name] = parameter.default
    return found


def called_with(target: Target, arguments: dict[str, Any]) -> Any:
    """Call by name, or by place where the signature asks for it."""
    places, names = [], dict(arguments)
    kinds = {name: parameter.kind for name, parameter in target.signature.parameters.items()}
    if inspect.Parameter.VAR_POSITIONAL in kinds.values():
        for name, kind in kinds.items():
            if kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
                places.append(names.pop(name))
            elif kind is inspect.Parameter.VAR_POSITIONAL:
                places.extend(names.pop(name))
    for name, kind in kinds.items():
        if kind is inspect.Parameter.VAR_KEYWORD and name in names:
            names |= names.pop(name)
    return target.call(*places, **names)


def tries(target: Target) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every bad value of every argument: the argument's name, the value's, and all the arguments."""
    valid = _valid(target.label, target.signature)
    for name, value in valid.items():
        kind = target.signature.parameters[name].kind
        several = kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        bad: dict[str, Callable[[], Any]]
        if isinstance(value, pd.DataFrame):
            bad = frames(value) | {key: lambda v=v: v for key, v in SCALARS.items()}
        elif isinstance(value, pd.Series):
            bad = {key: lambda f=f: f().iloc[:, 0] for key, f in frames(value.to_frame()).items()} | arrays(value)
        elif isinstance(value, (np.ndarray, list, tuple)) and not several:
            bad = arrays(value)
        else:
            bad = {key: lambda v=v: v for key, v in SCALARS.items()}
        if callable(value):  # a function may raise what it likes
            bad = {key: make for key, make in bad.items() if key not in ("type", "function")}
        for key, make in bad.items():
            if key == "10**5 long" and f"{target.label}({name})" in SLOW:
                continue
            if f"{target.label}({name})" in IGNORED:
                continue
            try:
                made = make()
            except (ValueError, TypeError, IndexError, AttributeError, OverflowError):
                continue  # this valid value has no such variant
            if several:
                made = (made,) if kind is inspect.Parameter.VAR_POSITIONAL else {"p": made}
            yield name, key, {**valid, name: made}


# ---- what comes of it --------------------------------------------------------------------------------------------

#: A call hangs that takes more of the processor than so many yardsticks of the same process do; none takes 20.
PATIENCE = 400

#: Arguments whose 10**5 entries take their time, all pairs or one integral each: their number is the caller's choice.
SLOW = {
    "audit.worst_pair(pairs)",
    "central.above_threshold_probabilities(answers)",
    "faults.central.leaky_search_probabilities(answers)",
    "stream.tally_blocks(blocks)",
}

#: Arguments that only scikit-learn's interface asks for.
IGNORED = {"learn.EqualFrequencyDiscretizer.fit(y)", "learn.EqualWidthDiscretizer.fit(y)"}

#: Memory that a call may ask for above what the process has, in bytes.
MEMORY = 3 * 2**30

#: Where Linux says how many pages the process has.
STATUS = Path("/proc/self/statm")

#: Results that may be infinite or NaN, as their documentation says.
NOT_FINITE = {
    "audit.exact_epsilon": "inf where an output is possible under one input only",
    "audit.lower_bound": "the inputs are the client's",
    "audit.posterior": "NaN where the output is impossible",
    "central.quantile_interval": "an end is infinite where there are few people",
    "synthetic.fit_tree": "costs infinity without noise",
}


class Hang(BaseException):
    """The call took too long; not an Exception, so that nobody catches it by accident."""


#: How scikit-learn's own checks say it, which its estimators share.
CUSTOMARY = (
    "inconsistent numbers of samples|Unknown label type|not supported|contains NaN|contains infinity|is required"
)


def is_clear(error: Exception, argument: str) -> bool:
    """Whether a message names the argument or says what must be."""
    return bool(re.search(rf"\b(?:{re.escape(argument)}|must|got|needs|missing|{CUSTOMARY})\b", str(error)))


def is_finite(result: Any, depth: int = 3) -> bool:
    """Whether every number in a result is finite; tables of people are none of our business."""
    if isinstance(result, (float, complex, np.inexact)):
        return bool(np.isfinite(result))
    if isinstance(result, np.ndarray):
        return result.dtype.kind not in "fc" or bool(np.isfinite(result).all())
    if depth and isinstance(result, (list, tuple)):
        return all(is_finite(part, depth - 1) for part in result[:100])
    if depth and isinstance(result, dict):
        return all(is_finite(part, depth - 1) for part in itertools.islice(result.values(), 100))
    if (
        depth
        and type(result).__module__.startswith(("ldp_core", "ldp_book", "livefig"))
        and hasattr(result, "__dict__")
    ):
        # The logarithm of a probability of 0, and what a model without noise has cost, are what they should be.
        fine = {name for name in vars(result) if "log_pr" in name or name in ("epsilon", "epsilon_spent_")}
        return all(is_finite(part, depth - 1) for name, part in vars(result).items() if name not in fine)
    return True


def outcome(target: Target, argument: str, arguments: dict[str, Any], patience: float) -> tuple[str, str]:
    """Class of what a call does, and its message."""
    signal.setitimer(signal.ITIMER_PROF, patience)
    try:
        result = called_with(target, arguments)
        signal.setitimer(signal.ITIMER_PROF, 0)
        if isinstance(arguments[argument], np.ma.MaskedArray) and np.ma.is_masked(arguments[argument]):
            return "accepted, mask and all", repr(result)[:80]
        good = target.label in NOT_FINITE or is_finite(result)
        return ("accepted", "") if good else ("accepted, not finite", repr(result)[:80])
    except (ValueError, TypeError) as error:
        clear = is_clear(error, argument)
        return ("clear error", "") if clear else (f"unclear {type(error).__name__}", str(error)[:120])
    except MemoryError as error:
        return "MemoryError", str(error)[:120]
    except Hang:
        return "hang", f"more than {patience:.1f} s of the processor"
    except Exception as error:
        return f"other: {type(error).__name__}", str(error)[:120]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def yardstick() -> float:
    """Seconds of the processor, the least of three: arrays of a few entries, as in most calls, and one large one."""
    best = math.inf
    for _ in range(3):
        start = time.process_time()
        for k in range(10_000):
            np.asarray([k, 1.0]).max()
        np.sort(np.cos(np.arange(300_000.0)))
        best = min(best, time.process_time() - start)
    return best


def run(module: str) -> list[str]:
    """Try a whole module; calls that do neither say clearly what is wrong nor give something finite."""
    findings = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        tried = list(targets(module))
        for target in tried:  # what is imported late comes before memory is short
            called_with(target, _valid(target.label, target.signature))
        with limits():
            patience = PATIENCE * yardstick()
            for target in tried:
                for argument, value, arguments in tries(target):
                    what, message = outcome(target, argument, arguments, patience)
                    if what not in ("accepted", "clear error"):
                        findings.append(f"{target.label}({argument} = {value}): {what}: {message}")
    return findings


@contextmanager
def limits() -> Iterator[None]:
    """Stop calls that hang, and refuse memory without end."""

    def stop(*_: object) -> None:
        raise Hang

    before, memory = signal.signal(signal.SIGPROF, stop), resource.getrlimit(resource.RLIMIT_AS)
    if STATUS.exists():  # elsewhere memory is not limited
        used = int(STATUS.read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, memory[1]))
    try:
        with threadpool_limits(1):  # arrays of a few entries: more threads only wait for each other
            yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, memory)
        signal.signal(signal.SIGPROF, before)


# ---- the tests ---------------------------------------------------------------------------------------------------


#: What draws by a law that no argument of the table changes.
ONE_LAW = ("frequency.Rappor", "numeric.Moments")


@pytest.mark.parametrize(
    "module", ["central", "frequency", "learn", "numeric", "stream", "synthetic", "faults.frequency", "faults.learn"]
)
def test_one_seed_is_another_stream_at_another_budget(module, monkeypatch):
    """Of one stream the noise of two laws would cancel: twice Lap(1) is Lap(2)."""
    streams: dict[str, list[set[Any]]] = collections.defaultdict(list)
    seen: set[Any] = set()

    def spied(seed: int, use: str, *key: int) -> np.random.Generator:
        seen.update([key] if use in ("noise", "memory", "reports", "block") else [])
        return real(seed, use, *key)

    real = _validate.seeded
    for holder in (_validate, stream):
        monkeypatch.setattr(holder, "seeded", spied)
    for budget in (1.0, 2.0):
        for name, value in {"epsilon": budget, "sigma": budget, "oracle": frequency.DirectEncoding(budget, D)}.items():
            monkeypatch.setitem(VALID, name, value)
        monkeypatch.setitem(OF_ITS_OWN, "stream", {"mechanism": VALID["oracle"]})
        fitted.cache_clear()
        for target in targets(module):
            if not target.label.startswith(ONE_LAW):
                arguments = _valid(target.label, target.signature)
                seen.clear()
                called_with(target, arguments)
                streams[target.label].append(set(seen))
    fitted.cache_clear()
    drawn = {label: sets for label, sets in streams.items() if sets[0]}
    assert drawn
    assert not {label for label, (first, second) in drawn.items() if first & second}


#: Types of a number that NumPy computes with in their own way: −np.uint8(1) is 255, np.float16(1) / 3 has four digits.
OTHER_TYPES = (np.int8, np.uint8, np.uint16, np.uint64, np.float16, np.float32, np.longdouble)


def numbers_of(result: Any, depth: int = 3) -> list[float]:
    """All numbers in a result, in order."""
    if isinstance(result, np.ndarray):
        return result.astype(float).ravel().tolist() if result.dtype.kind in "biuf" else []
    if isinstance(result, (bool, int, float, np.number)):
        return [float(result)]
    if isinstance(result, dict):
        result = list(result.values())
    elif depth and type(result).__module__.startswith(("ldp_core", "ldp_book")) and hasattr(result, "__dict__"):
        return numbers_of(vars(result), depth - 1)
    return [n for part in result for n in numbers_of(part, depth)] if isinstance(result, (list, tuple)) else []


@pytest.mark.parametrize("module", [module for module in MODULES if module != "live"])
def test_a_number_of_another_type_is_the_same_number(module):
    """Budgets, sizes and scales: no result differs by a bit."""
    differ = []
    for target in targets(module):
        arguments = _valid(target.label, target.signature)
        for name in set(arguments) & set(target.signature.parameters):
            good = arguments[name]
            if isinstance(good, (bool, np.ndarray)) or not isinstance(good, (int, float)) or not 0 < good < 100:
                continue
            expected = numbers_of(called_with(target, arguments))
            for kind in OTHER_TYPES:
                other = kind(good)
                whole = issubclass(kind, np.integer)
                if float(other) == good and (whole or isinstance(good, float)):
                    found = numbers_of(called_with(target, arguments | {name: other}))
                    if not np.array_equal(found, expected, equal_nan=True):
                        differ.append(f"{target.label}({name} = {other!r})")
    assert not differ


@pytest.mark.parametrize("module", MODULES)
def test_the_table_is_complete(module):
    missing = [
        f"{target.label}({name})"
        for target in targets(module)
        for name in target.signature.parameters
        if name not in _valid(target.label, target.signature)
    ]
    assert not missing


@pytest.mark.parametrize("module", MODULES)
def test_bad_arguments_are_refused_clearly(module):
    findings = run(module)
    assert not findings, "\n".join(findings[:50])


#: Mechanisms that are made of a budget.
ORACLES, NUMBERS = (
    [t.label for t in targets(module) if "epsilon" in t.signature.parameters and isinstance(t.call, type)]
    for module in ("frequency", "numeric")
)
#: What is no number, though some of it could be read as one.
NO_NUMBERS = (True, "1", b"1", None, 1j, [1], np.array(1.0), Decimal(1), pd.NA, np.timedelta64(1))
NO_SEEDS = ("x", True, 1.5, [1], np.random.RandomState(1))

#: What an argument of this name may never be, wherever it stands; or that of one callable, beside valid others.
OUT_OF_RANGE: dict[str, tuple[Any, ...]] = {
    "epsilon": (0, -1.0, math.nan, -math.inf, 10**400, *NO_NUMBERS), "epsilon0": (0, -1.0, math.nan),
    "epsilons": ([0.0], []), "delta": (0.0, -0.1, 1.0, math.nan), "sensitivity": (0, -1.0), "sigma": (0, -1.0),
    "rho": (0, -1.0), "rdp": (-1.0,), "rng": (-1, *NO_SEEDS), "random_state": (-1, *NO_SEEDS), "seed": (-1, 0.5),
    "hash_seed": (-1, RNG), "neighbours": ("both", None), "level": (0.0, 1.0), "n": (0, -5, 1.5, 10**400, *NO_NUMBERS),
    "d": (0, 1), "dim": (0, 1.0), "g": (1, 2.0), "k": (0, 1.5), "c": (0,), "size": (0, 2**53), "times": (0,),
    "group": (0,), "sampling_rate": (0, 1.1), "batch_rate": (0.0, 1.1, "x"), "bits": (0,), "alpha": (0, -1.0, math.nan),
    "bins": (1, 2**13, 4.0),
    "theta": (-0.1, 1.1, math.nan), "set_size": (0,), "rows": (0,), "width": (1,), "grid": (0, 1.0, True, 2**21),
    "bounds": (3, (1.0, 0.0), (1, 1), (0,), ([0, 0], [1, 1, 1]), ([0, 0], [1, 1])), "monotone": ("no", 1, None),
    "most": (0,), "ridge": (-1.0, math.nan), "iterations": (0,), "learning_rate": (-1.0, 1e101), "bound": (0, "1"),
    "n_members": (0,), "n_bins": (1,), "min_variance": (-1.0,), "n_chunks": (0,), "proposed": (0,), "distance": (-1,),
    "threshold": (math.nan,), "threshold_scale": (0,), "answer_scale": (-1.0,), "total": (0, -1.0),
    "postprocess": ("x",), "report": ("x",),
    "alphabet": ("a", "aa", 3), "lengths": ([], [2, 1], [0, 1], 3), "words": ([], ["a"], ["az"], [3], 2),
    "kept": (0, 2**20), "sigmas": (0, -1.0, math.nan), "probability": (0.0, 1.0),
    "frequency.PrefixTree.recall(shares)": ([0.5], [0.5, 1.1], [-0.1, 0.0], [0.5, math.nan]),
    "oracle": ("x", 3, lambda e, d: None, lambda e, d: frequency.DirectEncoding(2 * e, d)), "method": ("x",),
    "noise": ("x",), "calibration": ("x",), "conversion": ("x",), "ties": ("x", None), "clip": ("x",), "f": (-0.1, 1.0),
    "on": (1.5,), "off": (-0.1,), "count": (-1,), "reports": (0, []), "share": (0, 1.1), "values": ([], None),
    "scores": ([], [math.nan]), "answers": ([math.nan], "12"), "window": (0,), "value": (math.nan,),
    "bootstrap": ("yes",), "consistent": ("yes",), "folds": (1,), "repetitions": (0,), "resolution": (1,),
    "frame": (FRAME.iloc[:0],), "title": (3,), "quasi_identifiers": ("age", [], ["z"]), "sensitive": ("z",),
    "places": (0,), "digits": (0,), "length": (0,), "widths": ((), (0,)), "max_suppressed": (-1,),
    "levels": ({}, {"z": 1}, {"age": -1}), "columns": ([], ["z"], [-1], [9], [0, 0]), "hierarchies": (3,),
    "estimates": ([], [math.nan]), "prior": ("x", [1.0], [1, 1]),
    "channel": ([0.5, 0.5], [[1.0]], [[0.5, 0.6], [0.5, 0.5]], [[1.5, -0.5], [0.5, 0.5]]), "variant": ("x",),
    "low": (0, 9.0), "numeric": ([0], {5: (0, 1)}, {"age": (0, 1)}, {0: (0, 1, 2)}),
    "categories": ([2], 2, {2, 3}, [2, 0], [2, 1]), "classes": ({0, 1}, [1], [0, 2]), "n_components": (6,),
    "n_features_to_select": (31, 1.5), "squares": ([-1.0], ["a"]),
    "tables": ([], {1}, [[[1, 2]], [[1]]], [[[1, math.nan]]]), "differences": ([], [0.1], [(0.1, -0.1)]),
    "mechanism": ("x", 3), "pairs": (5, [], [1, 2], [(1, 2, 3)]), "law": (5,),
    "densities": ([[1.0]], [[1.0, -1.0]] * 2), "encoded": ([], [-1], [99], [0.5], 0), "kind": ("x",), "statistic": (5,),
    "true_counts": ([], [-1, 1, 1, 1], [0.5, 1, 1, 1], [0] * D, [2**62] * D),
    "t": ([1.5], [-1.0000001], [math.nan], ["a"], [True, False]), "tolerance": (math.nan, math.inf, -1e-9),
    "audit.exact_delta(epsilon)": (math.inf,), "audit.worst_pair(law)": (lambda x: [0.5, 0.6], lambda x: "ab"),
    "anonymity.Hierarchy(steps)": ([len],), "anonymity.by_prefix(length)": (10**9,),
    "anonymity.by_width(widths)": ((4, 6), (4, 4)), "anonymity.clip(bounds)": ({"age": (3, 1)}, {"sex": (0, 1)}),
    "anonymity.difference(person)": ([0] * 6, [True], [True] * 6),
    "anonymity.difference(query)": (lambda rows: math.nan,), "anonymity.information_loss(released)": (FRAME[["age"]],),
    "anonymity.l_diversity(sensitive)": ("age",), "anonymity.link(known)": ([1], FRAME.assign(known_row=0)),
    "anonymity.link(on)": ("age", ["z"], ["age", "age"]), "anonymity.search(hierarchies)": ({"age": None},),
    "anonymity.search(k)": (7,), "anonymity.suppress(quasi_identifiers)": ([["age"]],),
    "anonymity.t_closeness(distance)": ("x",), "anonymity.with_identities(age)": ("years", "sex"),
    "central.Accountant.gaussian(sigma)": (1e-200,), "central.PrivacyLoss.compose(other)": (1.0,),
    "central.PrivacyLoss.self_compose(k)": (10**8,), "central.PrivacyLoss.subsampled(neighbours)": ("replace",),
    "central.PrivacyLoss.subsampled(q)": (0.0,), "central.above_threshold_probabilities(threshold)": (math.inf,),
    "central.advanced(epsilon)": (1000.0,), "central.clipping_error(upper)": ([0.0],),
    "central.clipping_error(values)": ([-1.0],), "central.gaussian_epsilon(sigma)": (1e-200,),
    "central.propose_test_release(delta)": (0.7,), "central.rdp_pure(alpha)": (1.0,),
    "central.rdp_sampled_gaussian(alpha)": (1.0,), "central.sample_and_aggregate(n_chunks)": (10**7,),
    "central.sampled_gaussian_sigma(delta)": (1e-100,), "central.sampled_gaussian_sigma(rho_beside)": (9.0,),
    "central.sequential(epsilons)": ([1e308, 1e308],), "central.sparse(epsilon)": (1e-320,),
    "central.sparse_numeric(answers)": ([1.0, 1e308],), "central.sparse_numeric(epsilon)": (1e-305,),
    "central.zcdp_gaussian(sigma)": (1e-200,), "central.zcdp_pure(epsilon)": (1e200,), "chapter.check(answer)": (3,),
    "chapter.check(cases)": ((), (5,), (((1,),),), ((1, 2),), (("x", 2),)), "chapter.one_run(deviation)": (0.0, []),
    "chapter.one_run(estimate)": (math.nan,), "faults.central.average_by_position(n_chunks)": (5,),
    "faults.central.composed_channel(k)": (10**6,), "faults.central.constant_two(epsilon)": (1e308,),
    "faults.frequency.exact_bias(change)": (np.sum,), "faults.frequency.exact_bias(count)": (N + 1,),
    "faults.frequency.exact_bias(n)": (20_001,),
    "faults.frequency.support_law(oracle)": (frequency.SummationHistogram(1.0, D),),
    "faults.numeric.closed_ties_channel(dim)": (13,), "faults.numeric.mean_report(channel)": (np.eye(3),),
    "faults.numeric.unequal_ties_channel(dim)": (13,),
    "floating.betrayed(mechanism)": (numeric.Laplace(1.0, 2), numeric.Duchi(1.0, 3), None),
    "floating.betrayed(other)": (1.5,), "floating.betrayed(value)": (1.5,), "floating.impossible(value)": ([0.0, 1.0],),
    "frequency.HierarchicalHistogram(branching)": (1, 2**25),
    "frequency.LocalHashing(g)": (2**31 + 1,), "frequency.Rappor(off)": (0.75,),
    "frequency.SetSubsetSelection(set_size)": (4, 9), "frequency.SetSubsetSelection.simulate_sets(sets)": ([[9], [1]],),
    "frequency.SetSubsetSelection.simulate_sets(users)": ([-1, 1], [0, 0], [1]), "frequency.SubsetSelection(k)": (4, 9),
    "frequency.optimal_k(set_size)": (4,), "learn.DPLogisticRegression(classes)": ([0, 1, 2], [0]),
    "learn.DPLogisticRegression(neighbours)": ("replace",), "learn.DPLogisticRegression(ridge)": (2.1,),
    "learn.DPLogisticRegression.fit(y)": (np.arange(N) % 3,), "learn.EqualFrequencyDiscretizer(n_bins)": (17,),
    "learn.fwell_weights(margins)": ([1.0],), "learn.gradient_sum(signs)": ([1, 0, 1], [1], [True, False, True]),
    "learn.gradient_sum(theta)": ([1.0], [[1.0, 2.0]]),
    "learn.local_margins(label)": ([0], np.array([1, "a"] * 4, dtype=object), np.array([None, "a"] * 4, dtype=object)),
    "learn.local_margins(rows)": (np.full((N, 3), 1.5),), "learn.paired(first)": ([0.5],),
    "learn.paired(second)": ([0.5, 0.6],),
    **{f"learn.{name}.tabulate(counts)": ([0] * N, [1, 2], [-1] * N) for name in ("LDPBayes", "LDPNaiveBayes")},
    "numeric.IntervalScaler(lo)": (10.0, 11.0, -math.inf, "a", [[0]]), "numeric.Moments.estimate(squares)": ([0.1],),
    "numeric.Moments.perturb(t)": ([0.1, 0.2, 0.3],), "pipeline.pipeline(encoded)": (" ", "0" * 80),
    "pipeline.pipeline(names)": (("a", "b"), "four", ("a", "b", "c", 4), ("a", "b", "c", ""), ("a" * 80, *"bcd")),
    "pipeline.pipeline(trusted)": ("yes",), "postprocess.normalize(estimates)": ([0.0, 0.0], [1.0, -2.0]),
    **{f"postprocess.{fit}(counts)": ([0, 0], [-1, 2], [1, 2, 3], 5) for fit in ("em", "ems")},
    "poisoning.gain(targets)": ([1, 1], [D], []), "poisoning.ones_test(most)": (0, D + 1),
    "postprocess.quantile(levels)": (1.5, [-0.1]), "postprocess.quantile(shares)": ([], [-1.0, 2.0], [0.0, 0.0]),
    "shuffle.needed_epsilon0(epsilon)": (1e300,), "shuffle.shuffled_epsilon(epsilon0)": (501.0,),
    "shuffle.shuffled_epsilon(mechanism)": (frequency.DirectEncoding(2.0, D), frequency.OptimizedUnary(1.0, D)),
    "shuffle.shuffled_epsilon(n)": (10**11,), "synthetic.consistent(total)": (1e-320,),
    "synthetic.edge_score(table)": ([[1.0, -1.0]], [1.0, 2.0]), "synthetic.fit_tree(tree)": ([(0, 1.5)], [(0, 1, 2)]),
    "synthetic.marginal(rows)": (C * 1.0, C + 3), "synthetic.marginal(sizes)": ([2.9, 3], [2, True]),
    "synthetic.noisy_marginal(epsilon)": (math.inf,), "synthetic.sample(n)": (10**10,),
    "synthetic.sample(table)": (np.zeros((2, 2)), [[-1.0, 2.0]]), **{f"{name}(epsilon)": (1e-17,) for name in ORACLES},
    **{f"{name}(epsilon)": (5e-324,) for name in NUMBERS}, **{f"{name}.perturb(t)": ([],) for name in NUMBERS},
    **{f"{name}.density(y)": (math.inf,) for name in NUMBERS},
}  # fmt: skip
#: Where it may be, and means something.
WITHIN_ITS_RANGE = {
    "audit.exact_delta(epsilon=0)",
    "audit.lower_bound(delta=0.0)", "audit.samples_needed(delta=0.0)", "poisoning.least_gain(low=0)",
    "central.PrivacyLoss.delta(epsilon=0)", "central.gaussian_delta(epsilon=0)",
    "central.quantile_interval(values=[])",  # a refusal would tell how many people there are
    "central.share_interval(count=-1)",  # noise makes it so
    "central.sequential(epsilons=[])", "learn.make_consistent(n=0)", "numeric.IntervalScaler.transform(values=[])",
    "faults.numeric.mean_report(size=0)", f"faults.numeric.mean_report(size={2**53})", "live.slider(n=None)",
    "numeric.IntervalScaler.inverse(t=[1.5])", "numeric.IntervalScaler.inverse(t=[-1.0000001])",
    "looks.odds(epsilon=0)", "pipeline.pipeline(report='x')", "plan.survey(epsilon=None)",
    "live.say(value=nan)", "live.matrix(columns=[0, 0])",
    "faults.frequency.cut_decimals(estimates=[])", "faults.frequency.at_least_one(estimates=[])",
}  # fmt: skip


def test_every_place_that_is_named_is_there():
    every = itertools.chain.from_iterable(map(targets, MODULES))
    known = {f"{target.label}({name})" for target in every for name in target.signature.parameters}
    assert {key for key in OUT_OF_RANGE if "(" in key} <= known


#: Searches ask one answer after the other.
DRAWN_BEFORE = {f"central.{search}(answers=[nan])" for search in ("above_threshold", "sparse")}


@pytest.mark.parametrize("module", MODULES)
def test_what_is_out_of_range_is_refused_before_anything_is_drawn(module):
    accepted, unclear, drawn = [], [], []
    for target in targets(module):
        valid = _valid(target.label, target.signature)
        for name in valid:
            for bad in (*OUT_OF_RANGE.get(name, ()), *OUT_OF_RANGE.get(f"{target.label}({name})", ())):
                rng = np.random.default_rng(0)
                state = rng.bit_generator.state
                generator = dict.fromkeys({"rng", "random_state"} & valid.keys(), rng)
                try:
                    called_with(target, valid | generator | {name: bad})
                    accepted.append(f"{target.label}({name}={bad!r})")
                except (ValueError, TypeError) as error:
                    if not is_clear(error, name):
                        unclear.append(f"{target.label}({name}={bad!r}): {error}")
                    if rng.bit_generator.state != state:
                        drawn.append(f"{target.label}({name}={bad!r})")
    assert (set(accepted) - WITHIN_ITS_RANGE, unclear, set(drawn) - DRAWN_BEFORE) == (set(), [], set())
