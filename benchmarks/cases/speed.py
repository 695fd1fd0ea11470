"""What reading one case costs, and deciding and learning it with five labels."""

from __future__ import annotations

import time

import onebit
from onebit.features.cases.encoder import MEET, Encoder

CASE = {
    "subject": "please send me my money back because the parcel never came and nobody at all answers the phone",
    "amount": 12.5,
    "team": "north",
    "plan": "gold",
    "sent": "2026-11-02",
    "age": 41,
    "open": True,
    "tags": ["late", "parcel"],
    "city": None,
    "score": 0.3,
}


def speed() -> None:
    """Print both, the best of forty times two hundred."""
    encoder = Encoder(onebit.Cases())
    learner = onebit.OneBit(5, cases=onebit.Cases())

    def decide_and_learn() -> None:
        learner.learn(learner.decide(CASE), True)

    for name, call in (("read a case, µs", lambda: encoder.row(CASE, MEET)), ("decide + learn, µs", decide_and_learn)):
        call()
        best = float("inf")
        for _ in range(40):
            began = time.perf_counter()
            for _ in range(200):
                call()
            best = min(best, (time.perf_counter() - began) / 200)
        print(f"{name:24}{best * 1e6:8.1f}")
