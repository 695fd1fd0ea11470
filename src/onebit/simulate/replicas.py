"""Replicas: one clone of a learner per seed, played side by side in threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from threading import Event
from typing import NamedTuple

from onebit.contract.idle_columns import silent
from onebit.contract.learner import Learner
from onebit.core.errors import DataError
from onebit.engine.match import Match
from onebit.engine.play import Trace, play_seed
from onebit.engine.reference import play_reference
from onebit.simulate.log_plan import LogPlan

_PROGRESS_SECONDS = 0.1  # between two reports of how far it is


class Replica(NamedTuple):
    """One seed: the trained clone and what was counted."""

    seed: int
    learner: Learner
    trace: Trace


def play_replicas(
    match: Match,
    rounds: int | None,
    seeds: Sequence[int],
    workers: int,
    on_progress: Callable[[int], None],
    log: LogPlan | None = None,
) -> tuple[list[Replica], bool]:
    """Play every seed on `workers` threads. Gives them in the order of `seeds`, and whether all ended.

    Compiled code releases the GIL, so threads are enough. Each replica has its own generators, so nothing
    depends on how many threads there are or which seed comes first. On Ctrl-C the replicas stop at the end
    of their chunk and are returned as far as they got; those that never began are left out.
    """
    stop = Event()
    played = [0] * len(seeds)

    def one(at: int) -> Replica:
        def heard(rounds_so_far: int) -> None:
            played[at] = rounds_so_far

        player = match.player(seeds[at])
        with log.writing(player, match, seeds[at]) if log else nullcontext():
            trace = _play(match, player, seeds[at], rounds, heard, stop.is_set)
        return Replica(seeds[at], player, trace)

    pool = ThreadPoolExecutor(min(workers, len(seeds)), thread_name_prefix="onebit")
    futures: list[Future[Replica]] = []
    interrupted = False
    try:
        futures += [pool.submit(one, at) for at in range(len(seeds))]
        _wait(futures, lambda: on_progress(sum(played)))
    except KeyboardInterrupt:
        interrupted = True
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
    replicas = [future.result() for future in futures if not future.cancelled()]
    begun = [replica for replica in replicas if len(replica.trace.rounds)]
    if not begun and interrupted:
        raise KeyboardInterrupt
    if not begun:
        raise DataError(f"{match.stream.name}: gives no rows; there is nothing to play")
    return begun, len(begun) == len(seeds) and all(replica.trace.complete for replica in begun)


def _play(
    match: Match,
    player: Learner,
    seed: int,
    rounds: int | None,
    on_rounds: Callable[[int], None],
    should_stop: Callable[[], bool],
) -> Trace:
    """Play one seed: by the compiled loop, or where labels are closed by the readable one, which knows of that."""
    if not match.closed:
        return play_seed(match, player, seed, rounds, on_rounds, should_stop)
    with silent([player]):
        return play_reference(
            player, match.stream, match.channel, seed, rounds, match.closed, on_round=on_rounds, should_stop=should_stop
        )


def _wait(futures: Sequence[Future[Replica]], report: Callable[[], None]) -> None:
    """Wait until all have ended or one has failed, with a report now and then."""
    left = set(futures)
    while left:
        done, left = wait(left, timeout=_PROGRESS_SECONDS, return_when=FIRST_EXCEPTION)
        if any(future.exception() for future in done):
            return
        report()
