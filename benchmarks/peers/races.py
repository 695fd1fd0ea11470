"""The two races: a long one among linear models, and a short one for everybody, on more streams."""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.peers.contenders import LINEAR_PEERS, PEERS
from benchmarks.peers.rows import IMAGES, NAMES, ROUNDS, STREAMS

WIDE = (*IMAGES, "newsgroups20", "cifar10_features")
"""Streams with so many features that the short race is shorter on them."""


class Rung(NamedTuple):
    """A round of the knock-out: how long a setting is played, on how many seeds, and how many settings stay.

    No rung is longer than the race.
    """

    rounds: int
    seeds: int
    limit: float
    stay: int


class Size(NamedTuple):
    """How much is played: rounds, seeds from the first on, and CPU seconds at most for one play."""

    rounds: int
    seeds: int
    limit: float


class Race(NamedTuple):
    """Who plays what, how long, and how peers are tuned for it."""

    name: str
    contenders: tuple[str, ...]
    rounds: dict[str, int]
    seeds: int
    limit: float
    rungs: tuple[Rung, ...]
    to_win: int
    """Streams on which OneBit is to be at or below the best peer."""

    @property
    def streams(self) -> tuple[str, ...]:
        """In the order of the page."""
        return tuple(self.rounds)

    def size(self, stream: str) -> Size:
        """Of the plays on a stream."""
        return Size(self.rounds[stream], self.seeds, self.limit)


LONG = Race(
    "long",
    ("OneBit", "OneBit linear", "Banditron", *LINEAR_PEERS),
    dict.fromkeys(STREAMS, ROUNDS),
    5,
    30,
    (Rung(4_000, 1, 2, 6), Rung(20_000, 1, 6, 2), Rung(ROUNDS, 2, 20, 1)),
    6,
)
SHORT = Race(
    "short",
    ("OneBit", "OneBit linear", *PEERS),
    {name: 5_000 if name in WIDE else 10_000 for name in NAMES},
    2,
    20,
    (Rung(2_000, 1, 4, 2), Rung(5_000, 1, 20, 1)),
    11,
)
RACES = {race.name: race for race in (LONG, SHORT)}
