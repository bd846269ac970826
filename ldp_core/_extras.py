"""What is not there because an extra is not installed is named, with what installs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["wanted"]


@contextmanager
def wanted(part: str, extra: str) -> Iterator[None]:
    """Say of a missing package that a part of ours needs it, and which extra installs it.

    Parameters
    ----------
    part : str
        Name of the part.
    extra : str
        What installs the package.

    Raises
    ------
    ModuleNotFoundError
        If a package of others that is imported inside is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "ldp_core").partition(".")[0]
        if missing == "ldp_core":
            raise
        raise ModuleNotFoundError(
            f'{part} needs {missing}, which the extra "{extra}" of ldp_core installs, as in: pip install ".[{extra}]"',
            name=missing,
        ) from None
