"""What the package says once, while it works: noise that repeats, secrets in the model, values cut off."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ldp_core._arrays import Floats
    from ldp_core.numeric.scaling import IntervalScaler

#: Code that stands between a user's line and the place that has something to say about it.
_BETWEEN = ("ldp_core.", "sklearn.", "joblib.")


class RepeatedNoiseWarning(UserWarning):
    """An integer seed gives every fit the same noise, which the difference of two fits takes away.

    Said once in a session. Where that is on purpose, as in a figure that shall come out the same every time, silence it
    by its name: ``warnings.filterwarnings("ignore", category=RepeatedNoiseWarning)``.
    """


class PrivacyLeakWarning(UserWarning):
    """Something that no guarantee covers was read off the private data: categories, classes, ends of bins.

    Said once for each line of code. Where it is public anyway, declare it, or silence the notice by its name:
    ``warnings.filterwarnings("ignore", category=PrivacyLeakWarning)``.
    """


class OutOfBoundsWarning(UserWarning):
    """More than half of a feature's values lay outside the default bounds and were moved to the nearer one.

    Probably nobody chose those bounds for these values. The notice is for whoever holds the data, on whose side it
    appears; a single record can bring it about only where half of the others lie outside.
    """


#: What was said: a kind of notice, and the line of code that it was said to unless it is said but once.
_SAID: set[tuple[type[UserWarning], str, int]] = set()


def announce(kind: type[UserWarning], text: str, *, once: bool = False) -> None:
    """Warn, at the line of code that called the package, directly or through scikit-learn.

    Once for each line, or once in all. Python keeps such a record as well, but loses it whenever a filter changes, as
    it does within scikit-learn at every fit. A filter that asks for every warning, or for errors, is obeyed each time.
    """
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(_BETWEEN):
        frame, level = frame.f_back, level + 1
    place = (kind, "", 0) if once else (kind, frame.f_code.co_filename, frame.f_lineno)
    asked = _asked(kind)
    if asked == "ignore":  # silenced here, not said: elsewhere it may still be news
        return
    if place not in _SAID or asked in ("always", "all", "error"):
        _SAID.add(place)
        warnings.warn(text, kind, stacklevel=level)


def _asked(kind: type[UserWarning]) -> str:
    """What the first filter wants done with such a notice, of those that hold for all texts and modules."""
    filters = ((action, text, category, module) for action, text, category, module, _ in warnings.filters)
    whole = (
        action for action, text, category, module in filters if issubclass(kind, category) and not (text or module)
    )
    return next(whole, "default")


def announce_read(estimator: object, names: list[str]) -> None:
    """Say which parameters were left to the data."""
    if names:
        what = " and ".join(names)
        announce(
            PrivacyLeakWarning,
            f"{type(estimator).__name__} reads its {what} off the data, and no guarantee covers that list: one person "
            f"can put a value on it. If it is public, declare it: {', '.join(name + '=' for name in names)}",
        )


def announce_outside(scaler: IntervalScaler, values: Floats, default: tuple[float, float] = (-1.0, 1.0)) -> None:
    """Say if most values of some feature will be moved to one of the default bounds, which nobody chose for them."""
    outside = ((values < scaler.lo) | (values > scaler.hi)).mean(axis=0)
    if np.all(scaler.lo == default[0]) and np.all(scaler.hi == default[1]) and outside.max() > 0.5:
        announce(
            OutOfBoundsWarning,
            f"more than half of the values of feature {int(outside.argmax())} lie outside the default bounds "
            f"({default[0]:g}, {default[1]:g}) and are moved to the nearer one: give bounds= that everybody knows, in "
            "the unit of the values",
        )
