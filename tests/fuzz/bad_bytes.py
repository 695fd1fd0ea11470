"""Bytes that went bad: what a disk, a transfer or a hostile hand may do to any file."""

from __future__ import annotations

import random


def mutated(data: bytes, draw: random.Random) -> bytes:
    """The bytes with one to four changes.

    >>> mutated(b"abc", random.Random(1)) == mutated(b"abc", random.Random(1))
    True
    """
    for _ in range(draw.choice([1, 1, 2, 4])):
        data = draw.choice(_CHANGES)(data, draw)
    return data


def _flip(data: bytes, draw: random.Random) -> bytes:
    if not data:
        return data
    at = draw.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << draw.randrange(8))]) + data[at + 1 :]


def _cut(data: bytes, draw: random.Random) -> bytes:
    return data[: draw.randint(0, len(data))]


def _drop(data: bytes, draw: random.Random) -> bytes:
    at = draw.randint(0, len(data))
    return data[:at] + data[at + draw.randint(1, 16) :]


def _insert(data: bytes, draw: random.Random) -> bytes:
    at = draw.randint(0, len(data))
    return data[:at] + draw.randbytes(draw.randint(1, 16)) + data[at:]


def _overwrite(data: bytes, draw: random.Random) -> bytes:
    at = draw.randint(0, len(data))
    piece = draw.choice([b"\x00" * 8, b"\xff" * 8, b"\x7f" * 4, draw.randbytes(4)])
    return data[:at] + piece + data[at + len(piece) :]


def _repeat(data: bytes, draw: random.Random) -> bytes:
    at = draw.randint(0, len(data))
    piece = data[at : at + draw.randint(1, 64)]
    return data[:at] + piece * draw.randint(2, 4) + data[at:]


_CHANGES = (_flip, _flip, _cut, _drop, _insert, _overwrite, _repeat)
