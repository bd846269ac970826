"""Frequency oracles by the names that the literature gives them, and one made for a budget and a domain."""

from __future__ import annotations

from collections.abc import Callable

from ldp_core._validate import shown
from ldp_core.frequency import (
    DirectEncoding,
    FrequencyOracle,
    LocalHashing,
    OptimizedUnary,
    SubsetSelection,
    SummationHistogram,
    SymmetricUnary,
    ThresholdHistogram,
)

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
    """Turn a name, a class or a function into something that makes an oracle from ε and a domain size.

    Parameters
    ----------
    oracle : str or callable
        A name in ``ORACLES``, a class of oracles, or a function called as ``oracle(epsilon, d)``.

    Returns
    -------
    callable
        Called as ``oracle(epsilon, d)``.
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
    """Make an oracle for a budget and a domain, and see that it is one for them.

    A function may return anything, with any budget: the guarantee must not hang on it.

    Parameters
    ----------
    oracle : str or callable
        As in :func:`resolve_oracle`.
    epsilon : float
        Privacy budget ε, finite and > 0.
    d : int
        Size of the domain, ≥ 2.

    Returns
    -------
    FrequencyOracle
        An oracle over 0, …, d − 1 that spends at most ε.

    Raises
    ------
    ValueError
        If there is no such name, ε or d are out of range, or the oracle has a larger ε or another domain.

    Examples
    --------
    >>> oracle = make_oracle("oue", 1.0, 4)
    >>> type(oracle).__name__, oracle.p
    ('OptimizedUnary', 0.5)
    """
    try:
        made = resolve_oracle(oracle)(epsilon, d)
    except TypeError as error:
        raise TypeError(f"oracle must be called as oracle(epsilon, domain): {error}") from error
    if not isinstance(made, FrequencyOracle):
        raise TypeError(f"oracle must make a FrequencyOracle, got {shown(made)}")
    if not made.epsilon <= epsilon or made.d != d:
        raise ValueError(f"oracle must use epsilon = {epsilon!r} and domain = {d}, got {shown(made)}")
    return made
