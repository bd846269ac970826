"""Randomness from the operating system: right laws, never repeated, accepted wherever a generator is."""

import copy
import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import ldp_core
from ldp_core.central import laplace
from ldp_core.frequency import DirectEncoding, OptimizedUnary
from ldp_core.numeric import Piecewise


def test_nothing_repeats_it():
    """Equal numbers among six times a hundred would be a repetition: by chance, 2e-11 at most."""
    rng = ldp_core.secure_rng()
    others = [copy.copy(rng), copy.deepcopy(rng), pickle.loads(pickle.dumps(rng)), *rng.spawn(2)]
    numbers = np.concatenate([generator.random(100) for generator in (rng, *others)])
    assert len(np.unique(numbers)) == numbers.size


def test_a_failing_system_never_becomes_a_number(monkeypatch):
    """A draw in which entropy runs out is an error, and so is each draw after it."""
    real, left = os.urandom, [True] * 3

    def broken(size):
        if not left:
            raise OSError("too many open files")
        left.pop()
        return real(size)

    monkeypatch.setattr(os, "urandom", broken)
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)  # what ctypes swallows is printed
    rng = ldp_core.secure_rng()
    assert 0 < rng.random() < 1
    for draw in (rng.random, rng.laplace):
        with pytest.raises(OSError, match="no entropy"):
            draw(size=100)


INTERRUPTED = """
import random, signal, numpy as np, ldp_core
rng, sent, seen, twice = ldp_core.secure_rng(), 0, 0, 0
def arrive(*_):
    global sent
    sent += 1
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, arrive)
draws = (rng.random, rng.laplace, lambda size: rng.integers(2**63, size=size),
         lambda size: rng.integers(2**32, size=size, dtype=np.uint32))
for k in range(400):
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-4, 4e-3))
        while sent == seen:  # whatever a machine's speed is: until the signal comes
            numbers = draws[k % 4](size=3_000)
            twice += (numbers == 0).sum() + (numbers[1:] == numbers[:-1]).sum()
    except KeyboardInterrupt:
        seen += 1
print(sent, seen, twice < 3)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such signals on this system")
def test_an_interrupt_in_a_draw_arrives_and_no_word_is_used_twice():
    """Of 400 real signals; each used to leave a word that was 0 or its neighbour's.

    By chance there are three among ten million of 32 bits with probability 2e-8.
    """
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("400 400 True\n", "")


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
