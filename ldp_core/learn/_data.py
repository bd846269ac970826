"""Data as scikit-learn reads them, with errors that name the argument."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from ldp_core._validate import as_array


def read_labelled(estimator: Any, X: Any, y: Any, dtype: Any = None) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Features (n, h) and classes (n,) as arrays of one length, nothing missing."""
    with _clear_errors("X and y"):
        features, target = validate_data(estimator, _plain(X, "X"), _plain(y, "y"), dtype=dtype)
    with _clear_errors("y"), warnings.catch_warnings():
        # That every other row has a class of its own may hang on one row.
        warnings.filterwarnings("ignore", message="The number of unique classes")
        check_classification_targets(target)
    return features, target


def read_rows(estimator: Any, X: Any, dtype: Any = None, reset: bool = False) -> npt.NDArray[Any]:
    """Features (n, h) as an array; unless reset, as many as the model was fitted on."""
    with _clear_errors("X"):
        rows: npt.NDArray[Any] = validate_data(estimator, _plain(X, "X"), dtype=dtype, reset=reset)
    return rows


@contextmanager
def _clear_errors(name: str) -> Iterator[None]:
    """Let errors of scikit-learn, and of NumPy below it, name the argument; their own words stay in them."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # scikit-learn's first test adds everything up
            yield
    except OverflowError:
        raise ValueError(f"{name} must be finite in double precision, got an integer beyond it") from None
    except (ValueError, TypeError) as error:
        if re.search(r"\b(X|y)\b", str(error)):
            raise
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name} must be arrays of numbers or of texts, none of them missing: {error}") from error


def _plain(data: Any, name: str) -> Any:
    """Refuse what would lose its mask or its order, ragged lists, dates, and complex numbers; frames stay frames."""
    odd = (np.ma.MaskedArray, Set, Mapping, Iterator, list, tuple)
    plain = as_array(data, name) if isinstance(data, odd) else data
    for dtype in np.ravel(np.asarray(getattr(plain, "dtypes", getattr(plain, "dtype", None)), dtype=object)):
        if getattr(dtype, "kind", "O") == "c":  # the words that scikit-learn's conventions want, without the rows
            raise ValueError(f"{name} must be real numbers or texts: Complex data not supported, got dtype {dtype}")
        if getattr(dtype, "kind", "O") in "mMV":
            raise TypeError(f"{name} must be real numbers or texts, got dtype {dtype}")
    return plain
