"""A generator fed by the operating system's entropy, for randomness that nobody can predict or repeat."""

from __future__ import annotations

import _thread
import ctypes
import os
import sys
import threading
import time
import weakref
from functools import partial
from typing import Any

import numpy as np

#: Bytes that are asked of the operating system at a time.
CHUNK = 2**16

#: How often a failing request for entropy is repeated, a hundredth of a second apart.
PATIENCE = 500

_UINT64 = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)
_UINT32 = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)
_DOUBLE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)


class _Bitgen(ctypes.Structure):
    """NumPy's C interface of a source of bits, ``bitgen_t``: part of its documented, stable interface."""

    _fields_ = (
        ("state", ctypes.c_void_p),
        ("next_uint64", _UINT64),
        ("next_uint32", _UINT32),
        ("next_double", _DOUBLE),
        ("next_raw", _UINT64),
    )


def _next_word(words: list[int]) -> int:
    """Take a word, and fetch more when there are none. Nothing may leave this function but a word.

    An exception that left it would be swallowed by ctypes, and the draw would go on with the number 0: no noise at all.
    So an interrupt waits until the draw is over, and a system that gives no entropy ends the program.
    """
    failures = 0
    while True:
        try:
            if not words:
                words.extend(np.frombuffer(os.urandom(CHUNK), dtype=np.uint64).tolist())
            return words.pop()
        except OSError:
            failures += 1
            if failures > PATIENCE:
                sys.stderr.write(
                    "ldp_core.secure_rng: the operating system gives no entropy; nothing private can go on\n"
                )
                os.abort()
            time.sleep(0.01)
        except KeyboardInterrupt:
            threading.Timer(0.05, _thread.interrupt_main).start()
        except BaseException:  # another signal's handler raised here: the word matters more
            continue


#: Generators whose buffers a forked child must not share.
_ALIVE: weakref.WeakSet[SystemBits] = weakref.WeakSet()


def _forget() -> None:
    for bits in _ALIVE:
        bits._words.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


class SystemBits(np.random.BitGenerator):
    """A bit generator in NumPy's sense that hands on what ``os.urandom`` gives.

    There is no seed and no state to save: a copy, a pickle, a child and a forked process draw entropy of their own.
    """

    def __init__(self) -> None:
        super().__init__(0)  # NumPy wants a seed here, and nothing uses it
        self._words: list[int] = []
        word = partial(_next_word, self._words)
        # NumPy keeps pointers, not the functions: this object keeps those alive, and a Generator keeps this object.
        self._functions = (
            _UINT64(lambda _: word()),
            _UINT32(lambda _: word() >> 32),
            _DOUBLE(lambda _: (word() >> 11) * 2.0**-53),
            _UINT64(lambda _: word()),
        )
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        bitgen = _Bitgen.from_address(pointer(self.capsule, b"BitGenerator"))
        bitgen.next_uint64, bitgen.next_uint32, bitgen.next_double, bitgen.next_raw = self._functions
        _ALIVE.add(self)

    def spawn(self, n_children: int) -> list[SystemBits]:
        """Give independent bit generators, as ``Generator.spawn`` asks for."""
        return [SystemBits() for _ in range(n_children)]

    def __deepcopy__(self, memo: dict[int, Any]) -> SystemBits:
        return SystemBits()

    def __reduce__(self) -> Any:
        return SystemBits, ()


def secure_rng() -> np.random.Generator:
    """Return a generator whose every bit comes from the operating system, for use as ``rng``.

    ``numpy.random.default_rng`` is made for simulation: its output can be told from a few hundred draws, and with it
    all noise of past and future, and a seed can be found by trying. This generator cannot be predicted, seeded or
    repeated; a copy of it draws anew. It costs about a hundred times as much per number (``benchmarks/secure.py``).

    It mends one of the gaps between a teaching package and a deployment, not the others: floating-point noise still
    gives values away in its last bits, and running times are not constant.

    Returns
    -------
    numpy.random.Generator
        A generator that takes ``rng``'s place everywhere in this package.

    Examples
    --------
    >>> from ldp_core.frequency import DirectEncoding
    >>> DirectEncoding(epsilon=1.0, domain=4).privatize([0, 1, 2], rng=secure_rng()).shape
    (3,)
    """
    return np.random.Generator(SystemBits())
