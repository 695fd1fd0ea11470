"""The loop in plain Python, through a learner's public methods. Slow, readable, and it gives the same numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from time import thread_time
from typing import Any

import numpy as np

from onebit.contract.learner import Learner
from onebit.core.decision import Decision
from onebit.core.labels import told
from onebit.core.seeds import bit_generator
from onebit.engine.closing import Closing
from onebit.engine.match import Match
from onebit.engine.play import Trace, checkpoints
from onebit.feedback import Channel, draw_delay
from onebit.ops.random import pack
from onebit.streams.base import Stream


def play_reference(
    learner: Learner,
    stream: Stream,
    channel: Channel,
    seed: int,
    rounds: int | None = None,
    closed: float = 0.0,
    on_round: Callable[[int], None] = lambda played: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Trace:
    """Play a prepared learner for `rounds` rounds (None: one pass). Changes the learner.

    In each round each label is `closed` with this probability, also the true one; then no play is right. `on_round`
    hears how many rounds have been played; when `should_stop` says so, the play ends, and the trace is not complete.
    """
    match = Match(learner, stream, channel, closed)
    match.check()
    closing = Closing(closed, len(learner.classes), learner.set_size, seed)
    delay = channel.delay_range()
    rng = pack(bit_generator(seed, "channel"))
    under_way: dict[int, list[tuple[Decision, Any]]] = defaultdict(list)
    grid = set(checkpoints().tolist())
    points: list[tuple[int, int, int, int]] = []
    mistakes = greedy_mistakes = t = 0
    updates_before = learner.updates
    complete = True
    began = thread_time()

    for window in stream.windows(seed, rounds):
        for r in window.order:
            number = int(match.class_numbers[window.y[r]])
            y = learner.classes[number]
            among = [learner.classes[k] for k in closing.open_classes()] if closed else None
            decision = learner.decide(window.X[[r]] if stream.sparse and not stream.cases else window.X[r], among)
            hit = y in decision.labels
            said = channel.says(hit, number, rng)
            feedback = told(learner.classes[said]) if channel.kind == "label" else bool(said)
            under_way[t + draw_delay(delay, rng)].append((decision, feedback))
            for late in under_way.pop(t, []):
                learner.learn(*late)

            t += 1
            mistakes += not hit
            greedy_mistakes += decision.greedy != y
            if t in grid:
                points.append((t, mistakes, greedy_mistakes, learner.updates - updates_before))
            on_round(t)
            if should_stop():
                complete = False
                break
        if not complete:
            break

    if t and (not points or points[-1][0] != t):
        points.append((t, mistakes, greedy_mistakes, learner.updates - updates_before))
    at, played_wrong, believed_wrong, updates = np.array(points, dtype=np.int64).reshape(-1, 4).T
    return Trace(at, played_wrong, believed_wrong, updates, thread_time() - began, complete)
