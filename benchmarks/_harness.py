"""What all benchmarks share: times, memory, what they ran on, options, and where results go."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import inspect
import json
import os
import platform
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ldp_book import measured


def least(call: Callable[[], Any], repeat: int, limit: float = float("inf")) -> tuple[float, Any]:
    """Least time of several runs, since others may use the machine, and the last answer; no new run after `limit` s."""
    times: list[float] = []
    started = time.perf_counter()
    while len(times) < repeat and (not times or time.perf_counter() - started < limit):
        start = time.perf_counter()
        answer = call()
        times.append(time.perf_counter() - start)
    return min(times), answer


def right(call: Callable[[np.random.Generator], Any], truth: Any, allowed: Any, repeat: int) -> float:
    """Least time of a call with several seeds; an error if it ever finds something else than the truth."""
    best = float("inf")
    for seed in range(repeat):
        rng = np.random.default_rng(seed)
        taken, found = least(lambda rng=rng: call(rng), 1)
        best = min(best, taken)
        if not np.all(np.abs(found - truth) < allowed):
            raise AssertionError(f"{call!r} does not find the truth")
    return best


def peak(call: Callable[[], Any]) -> tuple[float, Any]:
    """MB that a call allocates at most, and its answer."""
    tracemalloc.start()
    answer = call()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6, answer


def machine(*packages: str, others: tuple[str, ...] = ()) -> dict[str, Any]:
    """Versions of Python, of packages and of such others as are installed, and the number of processors."""
    installed = [name for name in others if importlib.util.find_spec(name.replace("-", "_"))]
    versions = {name: importlib.metadata.version(name) for name in (*packages, *installed)}
    return {"python": platform.python_version(), **versions, "cpus": os.cpu_count()}


def ratios(row: dict[str, Any], names: list[str], width: int, digits: int, unit: str = "", scale: float = 1) -> str:
    """Cells of a printed row: the time of each way, and how many times ours it is; blank where it was not measured."""
    cells = ""
    for name in names:
        if name in row:
            ratio = row[name] / row["ours"]
            cells += f"{row[name] * scale:,.{digits}f}{unit} ({ratio:,.{0 if ratio >= 10 else 1}f}×)".rjust(width)
        else:
            cells += " " * width
    return cells


def main(
    doc: str | None, name: str, measure: Callable[..., dict[str, Any]], show: Callable[[dict[str, Any]], None]
) -> None:
    """Read the options, which are the arguments of `measure`, run it, print, and write JSON where asked to."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for parameter in inspect.signature(measure).parameters.values():
        option = "--" + parameter.name.replace("_", "-")
        parser.add_argument(option, type=type(parameter.default), default=parameter.default)
    parser.add_argument("--json", type=Path, help="write the measurements there")
    parser.add_argument("--save", action="store_true", help="let the book show them")
    options = vars(parser.parse_args())
    file, save = options.pop("json"), options.pop("save")
    result = measure(**options)
    show(result)
    if save:
        file = Path(measured.__file__).parent / f"{name}.json"
    if file is not None:
        file.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
