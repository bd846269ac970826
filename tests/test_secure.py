"""Randomness from the operating system: right laws, never repeated, accepted wherever a generator is."""

import copy
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import stats

import ldp_core
from ldp_core.central import laplace
from ldp_core.frequency import DirectEncoding, OptimizedUnary
from ldp_core.numeric import Piecewise


def test_laws():
    """Five Kolmogorov-Smirnov or chi-square tests, false alarm 1e-6 each; fresh entropy, so no seed can be fixed."""
    rng = ldp_core.secure_rng()
    assert stats.kstest(rng.random(20_000), "uniform").pvalue > 1e-6
    assert stats.kstest(rng.normal(size=20_000), "norm").pvalue > 1e-6
    assert stats.kstest(rng.laplace(size=20_000), "laplace").pvalue > 1e-6
    assert stats.chisquare(np.bincount(rng.integers(7, size=20_000), minlength=7)).pvalue > 1e-6
    assert stats.chisquare(np.bincount(np.frombuffer(rng.bytes(20_000), dtype=np.uint8), minlength=256)).pvalue > 1e-6


def test_nothing_repeats_it():
    """Equal numbers among six times a hundred would be a repetition: by chance, 2e-11 at most."""
    rng = ldp_core.secure_rng()
    others = [copy.copy(rng), copy.deepcopy(rng), pickle.loads(pickle.dumps(rng)), *rng.spawn(2)]
    numbers = np.concatenate([generator.random(100) for generator in (rng, *others)])
    assert len(np.unique(numbers)) == numbers.size


def test_a_failing_system_never_becomes_the_number_zero(monkeypatch):
    """Entropy that comes only at the third request, and an interrupt in the middle: the draw goes on as if nothing."""
    real, answers = os.urandom, [OSError("too many open files"), ValueError("another signal's handler"), None]

    def broken(size):
        if answers and (problem := answers.pop(0)):
            raise problem
        return real(size)

    monkeypatch.setattr(os, "urandom", broken)
    rng = ldp_core.secure_rng()
    numbers = rng.random(3 * 2**13)
    assert not answers
    assert len(np.unique(numbers)) == numbers.size
    assert len(np.unique(rng.random(100))) == 100


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_process_draws_for_itself(tmp_path):
    code = (
        "import os, sys, ldp_core\nrng = ldp_core.secure_rng(); rng.random()\n"
        "pid = os.fork()\nprint(rng.random(3).tolist(), flush=True)\n"
        "if pid == 0: os._exit(0)\nos.wait()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    assert first != second


def test_it_is_accepted_everywhere_and_in_threads():
    rng = ldp_core.secure_rng()
    assert DirectEncoding(1.0, 4).privatize([0, 1, 2], rng).shape == (3,)
    assert OptimizedUnary(1.0, 4).simulate([1, 2, 3, 4], rng).shape == (4,)
    assert Piecewise(1.0, 3).perturb(np.zeros((5, 3)), rng).shape == (5, 3)
    assert isinstance(laplace(1.0, epsilon=1.0, sensitivity=1.0, rng=rng), float)
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda _: rng.random(5_000), range(8)))
    assert len(np.unique(parts)) == pytest.approx(40_000, abs=1)
