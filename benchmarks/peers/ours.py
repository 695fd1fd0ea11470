"""Our own contenders, through the fused loop: OneBit as its constructor makes it and without its kernel; Banditron as
a mark for speed.
"""

from __future__ import annotations

import onebit
from benchmarks.peers.measure import Meter, Played, Setting
from benchmarks.peers.rows import Game
from onebit.engine.match import Match

LEARNERS = {"OneBit": onebit.OneBit, "Banditron": onebit.Banditron}


def play(game: Game, setting: Setting, seed: int, limit: float, repeats: int) -> Played:
    """The best time of some plays, which are all the same; compilation, or fetching it from its cache, comes before."""
    options = {key: value for key, value in setting.items() if key not in ("rows", "learner")}
    stream, learner = game.stream(), LEARNERS[setting["learner"]](game.n_classes, **options)
    Match(learner, stream, onebit.Bit()).compile()
    found = [_once(learner, stream, seed) for _ in range(repeats)]
    return found[0]._replace(seconds=min(one.seconds for one in found))


def _once(learner: onebit.Learner, stream: onebit.streams.Stream, seed: int) -> Played:
    meter = Meter()
    with meter:
        result = onebit.simulate(learner, stream, onebit.Bit(), seeds=[seed], workers=1, progress=False)
    trace = result.traces[0]
    curve = {int(n): int(m) for n, m in zip(trace.rounds, trace.mistakes, strict=True)}
    return Played(int(trace.rounds[-1]), int(trace.mistakes[-1]), meter.seconds, meter.memory, curve)
