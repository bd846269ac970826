"""Objects that stay as they were made: a mechanism that says ε = 0.1 must be the one that adds that noise."""

from __future__ import annotations

import inspect
from abc import ABCMeta, abstractmethod
from typing import Any


class FrozenMeta(ABCMeta):
    """Freezes each new object once its constructor, with those of all subclasses, has run."""

    @property
    def __signature__(cls) -> inspect.Signature:
        """The constructor's, for ``help`` and ``inspect.signature``; they would show that of ``__call__``."""
        whole = inspect.signature(cls.__init__)  # type: ignore[misc]
        return whole.replace(parameters=list(whole.parameters.values())[1:])

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make an object, check it as a whole, then close it."""
        instance = super().__call__(*args, **kwargs)
        instance._check_made()
        instance.__dict__["_frozen"] = True
        return instance


class Frozen(metaclass=FrozenMeta):
    """A base whose attributes can be set in ``__init__`` only; make a new object for other values."""

    def _check_made(self) -> None:
        """Check what depends on attributes of several classes: called when the constructors of all have run."""

    def __setattr__(self, name: str, value: object) -> None:
        self._refuse_change(name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        self._refuse_change(name)
        super().__delattr__(name)

    def _refuse_change(self, name: str) -> None:
        if "_frozen" in self.__dict__:
            kind = type(self).__name__
            raise AttributeError(f"{name} of a {kind} cannot be changed, it is computed with: make a new {kind}")


class Comparable(Frozen):
    """A frozen object that is what its arguments make it: equal, with one hash, to those with the same, to the bit."""

    @abstractmethod
    def _law(self) -> dict[str, Any]:
        """All arguments that make an equal object, by name."""

    def _coins(self) -> tuple[object, ...]:
        """Name the law for the stream of an integer seed, see :func:`ldp_core._validate.check_rng`."""
        return (type(self).__name__, *self._law().values())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Comparable):
            return NotImplemented
        return type(self) is type(other) and self._law() == other._law()

    def __hash__(self) -> int:
        return hash((type(self), *self._law().values()))

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={_digits(value)}" for name, value in self._law().items())
        return f"{type(self).__name__}({arguments})"


def _digits(value: object) -> str:
    """Write a value as short as can be read back exactly."""
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else repr(value)
