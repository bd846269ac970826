"""A generator fed by the operating system's entropy, for randomness that nobody can predict or repeat.

NumPy asks a bit generator for each word by a C function. Here that is a callback of ctypes, which swallows an exception
and hands on whatever stood in memory: 0, or the word before, which is no noise at all or somebody else's. So

* a callback runs no line of Python, where an interrupt would be raised, only iterators written in C;
* before each draw it is tried that callbacks can be entered, and after it that no stream of words has broken off:
  numbers of a draw that failed are never handed out.
"""

from __future__ import annotations

import ctypes
import functools
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain, islice, repeat
from operator import mul, rshift
from typing import Any

import numpy as np
import numpy.typing as npt

#: Bytes that are asked of the operating system at a time: of so few, a signal never keeps any back.
CHUNK = 256

_UINT64 = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)
_UINT32 = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)
_DOUBLE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)

#: Marks that a callback leaves when it is entered: ctypes says nothing when it could not be.
_REACHED: set[int] = set()
_REACH = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_REACHED.add)


class _Bitgen(ctypes.Structure):
    """NumPy's C interface of a source of bits, ``bitgen_t``: part of its documented, stable interface."""

    _fields_ = (
        ("state", ctypes.c_void_p),
        ("next_uint64", _UINT64),
        ("next_uint32", _UINT32),
        ("next_double", _DOUBLE),
        ("next_raw", _UINT64),
    )


def _arrays(kind: type[np.unsignedinteger[Any]]) -> Iterator[npt.NDArray[Any]]:
    return map(functools.partial(np.frombuffer, dtype=kind), map(os.urandom, repeat(CHUNK)))


def _stream(arrays: Iterator[npt.NDArray[Any]]) -> Iterator[Any]:
    """Go through arrays number by number; a stream that failed once has ended for good."""
    return chain.from_iterable(map(np.ndarray.tolist, arrays))


class SystemBits(np.random.BitGenerator):
    """A bit generator in NumPy's sense that hands on what ``os.urandom`` gives.

    There is no seed and no state to save: a copy, a pickle, a child and a forked process draw entropy of their own.
    """

    def __init__(self) -> None:
        super().__init__(0)  # NumPy wants a seed here, and nothing uses it
        shifted = map(rshift, _arrays(np.uint64), repeat(np.uint64(11)))
        words, halves = _stream(_arrays(np.uint64)), _stream(_arrays(np.uint32))
        units = _stream(map(mul, shifted, repeat(2.0**-53)))
        self._streams, self._process = (words, halves, units), os.getpid()
        # NumPy keeps pointers, not the functions: this object keeps those alive, and a Generator keeps this object.
        self._functions = (
            _UINT64(functools.partial(next, words)),
            _UINT32(functools.partial(next, halves)),
            _DOUBLE(functools.partial(next, units)),
        )
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        bitgen = _Bitgen.from_address(pointer(self.capsule, b"BitGenerator"))
        bitgen.next_uint64, bitgen.next_uint32, bitgen.next_double = self._functions
        bitgen.next_raw = self._functions[0]

    def check(self) -> None:
        """Raise an error unless words can be drawn from here, and could be drawn since the last check."""
        token = object()
        mark = id(token)  # no other thread has this address as long as the token lives
        _REACHED.discard(mark)  # an interrupted check may have left the mark of a token that was here before
        with suppress(ctypes.ArgumentError):
            _REACH(mark)
        if mark not in _REACHED:
            raise RecursionError("no room is left on the stack for a draw of the operating system's entropy")
        _REACHED.remove(mark)
        with self.lock:  # iterators are not made for several threads
            if self._process != os.getpid():  # forked: what is left of each chunk belongs to the parent
                for stream in self._streams:
                    deque(islice(stream, CHUNK), maxlen=0)
                self._process = os.getpid()
            if any(next(stream, None) is None for stream in self._streams):
                raise OSError("the operating system gave no entropy, and no number of this draw is handed out")

    def spawn(self, n_children: int) -> list[SystemBits]:
        """Give independent bit generators, as ``Generator.spawn`` asks for."""
        return [SystemBits() for _ in range(n_children)]

    def __deepcopy__(self, memo: dict[int, Any]) -> SystemBits:
        return SystemBits()

    def __reduce__(self) -> Any:
        return SystemBits, ()


class SystemGenerator(np.random.Generator):
    """NumPy's generator over :class:`SystemBits`; a draw whose callbacks failed is an error."""

    def __reduce__(self) -> Any:
        return secure_rng, ()


def _checked(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def draw(self: SystemGenerator, *args: Any, **kwargs: Any) -> Any:
        bits: Any = self.bit_generator
        bits.check()
        drawn = method(self, *args, **kwargs)
        bits.check()
        return drawn

    return draw


for _name, _method in vars(np.random.Generator).items():
    if callable(_method) and not _name.startswith("_"):
        setattr(SystemGenerator, _name, _checked(_method))


def secure_rng() -> np.random.Generator:
    """Return a generator whose every bit comes from the operating system, for use as ``rng``.

    ``numpy.random.default_rng`` is made for simulation: its output can be told from a few hundred draws, and with it
    all noise of past and future, and a seed can be found by trying. This generator cannot be predicted, seeded or
    repeated; a copy of it draws anew. It costs about a hundred times as much per number (``benchmarks/secure.py``).

    It mends one of the gaps between a teaching package and a deployment, not the others: floating-point noise still
    gives values away in its last bits, and running times are not constant.

    Examples
    --------
    >>> from ldp_core.frequency import DirectEncoding
    >>> DirectEncoding(epsilon=1.0, domain=4).privatize([0, 1, 2], rng=secure_rng()).shape
    (3,)
    """
    return SystemGenerator(SystemBits())
