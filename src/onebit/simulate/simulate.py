"""simulate: a learner against a stream, over many seeds."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from onebit.contract.idle_columns import idle_columns, warn_of_idle
from onebit.contract.learner import Learner
from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError
from onebit.core.registry import registered_name
from onebit.engine.match import Match
from onebit.feedback import Channel, check_channel, usual_channel
from onebit.simulate.log_plan import LogPlan
from onebit.simulate.progress import progress_bar
from onebit.simulate.replicas import Replica, play_replicas
from onebit.simulate.result import Result
from onebit.simulate.settings import run_settings
from onebit.streams.base import Stream
from onebit.streams.graph import GraphStream
from onebit.streams.river.stream import as_stream

MOST_ROUNDS = 10**15
"""Of one play: learning curves end there, and so would the patience of anybody."""
MOST_SEEDS = 100_000
"""Of one play: more are a slip of the pen."""
MOST_WORKERS = 4096
"""Threads or processes at a time."""


def simulate(
    learner: Learner,
    stream: Any,
    feedback: Channel | None = None,
    rounds: float | None = None,
    seeds: int | Iterable[int] = 1,
    *,
    closed: float = 0.0,
    log: str | os.PathLike[str] | None = None,
    log_features: bool | None = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> Result:
    """Play a learner against a stream, once per seed, and count its mistakes.

    The learner is a pattern: a fresh clone plays for each seed, and the one given is never changed. The stream is one
    of `onebit.streams`, or a data set of River.

    Parameters: `feedback`, the channel (default: `Bit()`, or `Full()` for a learner that needs labels);
    `rounds`, how many (default: one pass; more than a finite stream has goes on with reshuffled passes);
    `seeds`, how many (0 .. n-1) or exactly which; `workers`, how many threads (default: one per core; the
    results do not depend on it); `progress`, whether to draw a bar (default: if stderr is a terminal).

    `closed`, the probability with which each label cannot be played in a round (`decide(row, among=...)`): the true one
    is closed as often as any, and then every play is a mistake; as many as are played at a time stay open. Such plays
    go through a loop in plain Python, some 50 times slower.

    `log`, a path, asks for a log of every decision (Parquet, see `onebit.log`); with several seeds it must
    contain `{seed}`. Logged is the number of each row where the stream is a table in memory, and its
    features elsewhere, or where `log_features` says so.

    Ctrl-C stops at the next chunk and returns what was played, with `complete=False` and a warning.

    >>> import onebit
    >>> stream = onebit.streams.synsep(5000)
    >>> result = onebit.simulate(onebit.Banditron(9, gamma=0.02), stream, seeds=3)
    >>> bool(0.05 < result.error < 0.5), result.seeds, result.complete
    (True, (0, 1, 2), True)
    """
    if not isinstance(learner, Learner):
        raise ConfigError(f"learner={learner!r}: must be a learner, such as onebit.Banditron(classes=9)")
    channel = usual_channel(learner.feedback) if feedback is None else check_channel(feedback)
    match = Match.of(learner, as_stream(stream), channel, closed)
    result = simulate_match(
        match, rounds, seeds, log=log, log_features=log_features, workers=workers, progress=progress
    )
    warn_of_idle(match.stream.name, idle_columns(result.learners))
    return result


def simulate_match(
    match: Match,
    rounds: float | None = None,
    seeds: int | Iterable[int] = 1,
    *,
    log: str | os.PathLike[str] | None = None,
    log_features: bool | None = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> Result:
    """`simulate`, for three that have been brought together; does not tell of columns that cannot teach."""
    total = check_rounds("rounds", rounds)
    chosen = check_seeds(seeds)
    threads = check_workers(workers) or os.cpu_count() or 1
    plan = None if log is None else LogPlan(log, log_features, chosen)
    compute_rows(match.stream, progress)
    match.compile()

    learner = match.learner
    stream = match.stream
    each = total or stream.rounds
    title = f"{registered_name(learner)} on {stream.name}"
    with progress_bar(progress, title, each and each * len(chosen)) as update:
        replicas, complete = play_replicas(match, total, chosen, threads, update, plan)
    if not complete:
        warnings.warn(_interrupted(replicas, chosen, each), stacklevel=2)
    description = stream.describe()
    return Result(
        learner=learner.clone(),
        stream=description,
        channel=match.channel,
        seeds=tuple(replica.seed for replica in replicas),
        traces=tuple(replica.trace for replica in replicas),
        learners=tuple(replica.learner for replica in replicas),
        settings=run_settings(learner, description, match.channel, each, chosen, match.closed),
        complete=complete,
        source=stream,
    )


def compute_rows(stream: Stream, progress: bool | None = None) -> None:
    """Compute the rows of a graph's stream, if they are not at hand, with a bar meanwhile; others have theirs.

    >>> import onebit
    >>> compute_rows(onebit.streams.load("iris"))
    """
    if isinstance(stream, GraphStream):
        with progress_bar(progress, f"rows of {stream.name}", stream.facts["d"], "eigenpairs") as update:
            stream.ready(lambda what, done, total: update(done))


def check_rounds(name: str, value: Any) -> int | None:
    """A whole number above 0, or None. 1e6 is one too.

    >>> check_rounds("rounds", 1e6)
    1000000
    """
    return None if value is None else check_whole(name, value, most=MOST_ROUNDS, floats=True)


def check_workers(workers: Any) -> int | None:
    """How many work at a time, or None.

    >>> check_workers(2)
    2
    """
    return None if workers is None else check_whole("workers", workers, most=MOST_WORKERS, floats=True)


def check_seeds(seeds: Any, name: str = "seeds") -> tuple[int, ...]:
    """The seeds, from their number or a list of them.

    >>> check_seeds(3), check_seeds([7, 9])
    ((0, 1, 2), (7, 9))
    """
    if isinstance(seeds, Iterable) and not isinstance(seeds, str | bytes):
        chosen = tuple(check_whole(name, seed, 0) for seed in islice(seeds, MOST_SEEDS + 1))
        if len(chosen) > MOST_SEEDS:
            raise ConfigError(f"{name}: there are more than {MOST_SEEDS:,}; give fewer")
        if not chosen or len(set(chosen)) != len(chosen):
            raise ConfigError(f"{name}={list(chosen)}: give at least one, and none twice")
        return chosen
    return tuple(range(check_whole(name, seeds, most=MOST_SEEDS, instead="a list of seeds")))


def _interrupted(replicas: Sequence[Replica], seeds: Sequence[int], rounds: int | None) -> str:
    """How far each seed got."""
    played = ", ".join(f"{int(replica.trace.rounds[-1]):,} (seed {replica.seed})" for replica in replicas)
    of = f" of {rounds:,}" if rounds else ""
    idle = len(seeds) - len(replicas)
    return f"interrupted; rounds played{of}: {played}" + (f"; {idle} more seeds never began" if idle else "")
