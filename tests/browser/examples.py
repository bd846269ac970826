"""Runs every example in the docstrings of the mechanisms; in this Python, or in a browser's, which has NumPy only."""

import doctest
import importlib
import pkgutil
import re

import numpy as np

PARTS = ["frequency", "numeric", "central", "audit"]


class Checker(doctest.OutputChecker):
    """An array of 64-bit integers says its type where these are not the default."""

    def check_output(self, want, got, optionflags):
        return super().check_output(self._plain(want), self._plain(got), optionflags)

    def _plain(self, text):
        return re.sub(r",\s*dtype=int(32|64)\)", ")", text)


def run():
    """How many examples ran, and what went wrong."""
    said = []
    runner = doctest.DocTestRunner(Checker(), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    finder = doctest.DocTestFinder()
    for part in PARTS:
        package = importlib.import_module(f"ldp_core.{part}")
        inside = pkgutil.iter_modules(getattr(package, "__path__", []), f"{package.__name__}.")
        for module in [package, *(importlib.import_module(found.name) for found in inside)]:
            for test in finder.find(module, extraglobs={"np": np}):
                runner.run(test, out=said.append)
    return runner.tries, "".join(said)
