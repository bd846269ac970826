"""What the benchmarks of the repository found, as the book shows it: ``python -m benchmarks.NAME --save`` renews it."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from ldp_core._validate import check_option

__all__ = ["load", "names"]


def names() -> tuple[str, ...]:
    """Return the names of the benchmarks whose results are here."""
    files = (file.name for file in resources.files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in files if name.endswith(".json")))


def load(name: str) -> dict[str, Any]:
    """Return the results of the benchmark of that name: its settings, and ``rows``, a list of dictionaries.

    Examples
    --------
    >>> load("frequency")["rows"][0]["oracle"]
    'DirectEncoding'
    """
    check_option(name, "name", tuple(names()))
    text = resources.files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
