"""Random choices that come from a tape of bytes, so that a case can be kept, played again and made smaller."""

from __future__ import annotations

import random


class Tape(random.Random):
    """Reads its choices from a tape; what lies beyond the end is drawn from a generator that the tape seeds.

    A short tape is a seed. A long one, as Hypothesis makes it, says each choice, and Hypothesis can simplify it.

    >>> Tape(b"").getrandbits(8) == Tape(b"").getrandbits(8)
    True
    >>> draw = Tape(bytes(7) + b"\\x80")
    >>> draw.random(), draw.getrandbits(8)
    (0.0, 128)
    """

    def __init__(self, tape: bytes) -> None:
        self._tape = tape
        self._at = 0
        super().__init__(tape)

    def getrandbits(self, k: int) -> int:
        """So many bits of the tape, in whole bytes."""
        size = (k + 7) // 8
        piece = self._tape[self._at : self._at + size]
        self._at += size
        if len(piece) < size:
            return super().getrandbits(k)
        return int.from_bytes(piece, "big") >> (8 * size - k)

    def random(self) -> float:
        """A number from 0 up to 1."""
        return self.getrandbits(53) / 2**53
