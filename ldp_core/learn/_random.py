"""Where an estimator's noise comes from: anew in every fit, every fold and every copy, unless a seed forbids it."""

from __future__ import annotations

import hashlib
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from ldp_core._secure import SystemBits
from ldp_core._validate import _NO_NUMBERS, LARGEST_VALUE, Rng, check_rng, shown
from ldp_core.learn._notices import RepeatedNoiseWarning, announce


class FreshNoise(BaseEstimator):  # type: ignore[misc]
    """A base of estimators with a ``random_state``: copies never share a generator's stream.

    scikit-learn clones an estimator for every fold, candidate and member of an ensemble, and copies its parameters. A
    copied generator would give each of them the same noise, and two models with the same noise show, by their
    difference, what the noise should hide. Here each clone, copy and pickle gets a child of the original's generator,
    another one each time; for one start of the generator the children are always the same.

    What a copy or a pickle holds does not lead back: whoever is handed a fitted model finds in it no state from which
    the noise of its fit could be drawn again and taken off. The generator itself is part of the secret.

    Out of reach are a generator in a grid of parameters, which scikit-learn copies itself; ensembles that set
    ``random_state`` themselves, as bagging does (they hand out integers, and the members say so); one pickle that is
    read twice, and a process that is forked with the model: both repeat the noise of their next fit.
    """

    random_state: Rng

    def __sklearn_clone__(self) -> Any:
        copy = super().__sklearn_clone__()
        if isinstance(self.random_state, np.random.Generator):
            copy.random_state = child(self.random_state)
        return copy

    def __getstate__(self) -> dict[str, Any]:
        """Give what ``copy``, ``deepcopy`` and ``pickle`` take, hence what a process of its own works with."""
        state = dict(super().__getstate__())
        if isinstance(self.random_state, np.random.Generator):
            state["random_state"] = sealed(self.random_state)
        return state

    def _noise(self, rng: Rng = None, *, shape: tuple[object, ...]) -> np.random.Generator:
        """Return the generator of a fit's noise: ``rng`` where a method is given one, else ``random_state``.

        A seed has a stream for each law. Of that are all parameters, since a scale may come from public bounds, and
        ``shape``, numbers of features and values, since a share of the budget may.
        """
        named = (self.random_state, "random_state") if rng is None else (rng, "rng")
        seeded = named[0] is not None and not isinstance(named[0], np.random.Generator)
        law = {name: value for name, value in self.get_params(deep=False).items() if name != "random_state"}
        known = (_told(law), _told(shape)) if seeded else ()
        return noise_source(*named, law=(type(self).__name__, *known))

    def _draws(self, rng: Rng = None) -> np.random.Generator:
        """Return the generator that draws who is asked, likewise."""
        return draw_source(self.random_state) if rng is None else draw_source(rng, "rng")


def _told(value: Any) -> Any:
    """Say what a parameter is, in the same words for equal ones of whatever type: 1, 1.0 and ``np.int64(1)``."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, numbers.Real):
        size: Any = abs(value)  # a fraction is compared before it is made a float: it may be too large for one
        return shown(value) if size > LARGEST_VALUE else float(value)
    if isinstance(value, Mapping):
        return tuple((_told(name), _told(entry)) for name, entry in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(map(_told, value))
    return value if value is None or isinstance(value, str) else getattr(value, "__qualname__", type(value).__name__)


def child(generator: np.random.Generator) -> np.random.Generator:
    """Give a generator with a stream of its own, another one at each call."""
    try:
        return generator.spawn(1)[0]
    except (TypeError, AttributeError):  # its bits come from something that cannot have children
        return np.random.default_rng(generator.integers(2**32, size=8, dtype=np.uint32))


def sealed(generator: np.random.Generator) -> np.random.Generator:
    """Give a child that does not know its parent: NumPy's own children carry the seed of the whole family."""
    descendant = child(generator)
    if isinstance(descendant.bit_generator, SystemBits):
        return descendant  # has no state at all
    return np.random.default_rng(int.from_bytes(hashlib.sha256(descendant.bytes(32)).digest(), "big"))


def noise_source(random_state: Rng, name: str = "random_state", law: tuple[object, ...] = ()) -> np.random.Generator:
    """Return the generator of a fit's noise; a seed says that it repeats, and has a stream for each law."""
    source = _checked(random_state, name)
    if isinstance(source, int):
        announce(
            RepeatedNoiseWarning,
            "an integer as random_state or rng repeats the same noise in every fit, which is for teaching and not "
            "private: the difference of two fits, of folds or of neighbouring data, is free of it. Leave random_state "
            "at None, or hand over a numpy.random.Generator. Where repeating is the purpose, ignore "
            "RepeatedNoiseWarning",
            once=True,
        )
    return check_rng(source, law=law)


def draw_source(random_state: Rng, name: str = "random_state") -> np.random.Generator:
    """Return the generator that draws who is asked, on which no guarantee hangs: a seed's is not that of its noise."""
    source = _checked(random_state, name)
    return check_rng(source, "assignment")


def _checked(random_state: Rng, name: str) -> Rng:
    """Return a generator, a Python integer or None; errors call the argument by the name it has here."""
    if random_state is None or isinstance(random_state, np.random.Generator):
        return random_state
    allowed = f"{name} must be a numpy.random.Generator, an int seed or None"
    if isinstance(random_state, np.random.RandomState):
        raise TypeError(f"{allowed}, got a RandomState, the older kind: numpy.random.default_rng() gives a Generator")
    if isinstance(random_state, _NO_NUMBERS) or not isinstance(random_state, numbers.Integral):
        raise TypeError(f"{allowed}, got {shown(random_state)}")
    if random_state < 0:
        raise ValueError(f"{name} must be a non-negative seed, got {shown(random_state)}")
    return int(random_state)
