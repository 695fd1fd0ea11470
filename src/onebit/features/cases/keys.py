"""A key of 64 bits for every feature of a case: its column, the view of it, and what is seen there.

Two features share a key with probability 2^-64, so they are taken for the same only where keys are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from onebit.ops.jit import jit

Hash = Any  # 64 bits, unsigned
Key = Any  # 64 bits with a sign, odd

_PRIME = np.uint64(0x100000001B3)  # of FNV-1a
_BASIS = np.uint64(0xCBF29CE484222325)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # what follows are the constants of SplitMix64
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_ONE = np.uint64(1)
_30 = np.uint64(30)
_27 = np.uint64(27)
_31 = np.uint64(31)

NO_KEY = 0
"""What stands where no feature is."""

GAP = np.uint64(1)
WHOLE = np.uint64(2)
WORD = np.uint64(3)
BIGRAM = np.uint64(4)
LETTERS = np.uint64(5)
NUMBER = np.uint64(6)
NODE = np.uint64(7)
ITEM = np.uint64(8)
WEEKDAY = np.uint64(9)
MONTH = np.uint64(10)
HOUR = np.uint64(11)
TURN = np.uint64(12)
PLACE = np.uint64(13)
PAIR = np.uint64(14)
EDGE = np.uint64(15)


@jit
def mixed(h: Hash) -> Hash:
    """Every bit of the result depends on every bit of h.

    >>> int(mixed(np.uint64(1))) == 0x5692161D100B05E5
    True
    """
    h = (h ^ (h >> _30)) * _FIRST
    h = (h ^ (h >> _27)) * _SECOND
    return h ^ (h >> _31)


@jit
def key_of(field: Hash, view: Hash, what: Hash) -> Key:
    """The key of what is seen in this view of a field."""
    return np.int64(mixed(mixed(field + view * _GOLDEN) ^ what) | _ONE)


@jit
def hash_bytes(text: NDArray[np.uint8], start: int, stop: int) -> Hash:
    """The hash of these bytes: eight by eight, then the rest as FNV-1a has it."""
    h = _BASIS
    i = start
    while i + 8 <= stop:
        eight = np.uint64(0)
        for j in range(8):
            eight |= np.uint64(text[i + j]) << np.uint64(8 * j)
        h = (h ^ eight) * _FIRST
        h ^= h >> _31
        i += 8
    while i < stop:
        h = (h ^ np.uint64(text[i])) * _PRIME
        i += 1
    return h


@jit
def hash_four(text: NDArray[np.uint8], start: int) -> Hash:
    """The same of four bytes."""
    h = _BASIS
    for j in range(4):
        h = (h ^ np.uint64(text[start + j])) * _PRIME
    return h


@jit
def hash_three(text: NDArray[np.uint8], start: int) -> Hash:
    """The same of three bytes."""
    h = _BASIS
    for j in range(3):
        h = (h ^ np.uint64(text[start + j])) * _PRIME
    return h


@jit
def joined(a: Hash, b: Hash) -> Hash:
    """The hash of one after the other."""
    return mixed(a * _PRIME + b)


@jit
def paired(a: Key, b: Key) -> Key:
    """The key of two keys in any order."""
    return key_of(np.uint64(a ^ b), PAIR, np.uint64(a + b))
