"""Frequency oracles by the names that the literature gives them, and one made for a budget and a domain."""

from __future__ import annotations

from collections.abc import Callable

from ldp_core._validate import shown
from ldp_core.frequency.base import FrequencyOracle
from ldp_core.frequency.direct import DirectEncoding
from ldp_core.frequency.hashing import LocalHashing
from ldp_core.frequency.histogram import SummationHistogram
from ldp_core.frequency.subset import SubsetSelection
from ldp_core.frequency.unary import OptimizedUnary, SymmetricUnary, ThresholdHistogram

__all__ = ["ORACLES", "MakeOracle", "make_oracle", "resolve_oracle"]

#: The oracles by name.
ORACLES: dict[str, type[FrequencyOracle]] = {
    "de": DirectEncoding,
    "sue": SymmetricUnary,
    "oue": OptimizedUnary,
    "she": SummationHistogram,
    "the": ThresholdHistogram,
    "ss": SubsetSelection,
    "olh": LocalHashing,
}

#: What makes an oracle from a budget and the size of a domain.
MakeOracle = Callable[[float, int], FrequencyOracle]


def resolve_oracle(oracle: object) -> MakeOracle:
    """Turn an oracle into something that is called as ``oracle(epsilon, d)`` and makes one.

    It is a name in ``ORACLES``, a class of oracles, or such a function.
    """
    if isinstance(oracle, str):
        if oracle not in ORACLES:
            raise ValueError(f"oracle must be one of {list(ORACLES)}, a class or a function, got {oracle!r}")
        return ORACLES[oracle]
    if not callable(oracle) or (isinstance(oracle, type) and not issubclass(oracle, FrequencyOracle)):
        raise TypeError(
            f"oracle must be one of {list(ORACLES)}, a FrequencyOracle class or a function, got {shown(oracle)}"
        )
    return oracle


def make_oracle(oracle: object, epsilon: float, d: int) -> FrequencyOracle:
    """Make an oracle (see :func:`resolve_oracle`) over 0, …, d − 1, and see that it spends at most epsilon.

    A function may return anything, with any budget: the guarantee must not hang on it.

    Examples
    --------
    >>> oracle = make_oracle("oue", 1.0, 4)
    >>> type(oracle).__name__, oracle.p
    ('OptimizedUnary', 0.5)
    """
    try:
        instance = resolve_oracle(oracle)(epsilon, d)
    except TypeError as error:
        raise TypeError(f"oracle must be called as oracle(epsilon, domain): {error}") from error
    if not isinstance(instance, FrequencyOracle):
        raise TypeError(f"oracle must make a FrequencyOracle, got {shown(instance)}")
    if not instance.epsilon <= epsilon or instance.d != d:
        raise ValueError(f"oracle must use epsilon = {epsilon!r} and domain = {d}, got {shown(instance)}")
    return instance
