"""Results as tables: cells for a printer, records for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from onebit.core.readable_numbers import seeds_text, spread
from onebit.plots.result_names import result_names
from onebit.simulate.result import Result

HEADER = ("learner", "feedback", "error", "greedy error", "updates", "ns/round")


def results_title(results: Sequence[Result]) -> str:
    """What all results of a run share: the stream, the rounds and the seeds."""
    first = results[0]
    stream = first.stream
    played = [n for result in results for n in result.rounds]
    rounds = f"{min(played):,}" + (f" to {max(played):,}" if min(played) != max(played) else "")
    seeds = f"seeds {seeds_text(first.seeds)}" if len(first.seeds) > 1 else f"seed {first.seeds[0]}"
    sizes = f"{stream['features']:,} features, {stream['classes']} classes"
    return f"{stream['name']}: {sizes}; {rounds} rounds, {seeds}"


def results_rows(results: Sequence[Result]) -> list[list[str]]:
    """One row of cells per result, under `HEADER`.

    >>> import onebit
    >>> result = onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(1000))
    >>> results_rows([result])[0][:2]
    ['banditron', 'bit']
    """
    rows = []
    for name, result in zip(result_names(results), results, strict=True):
        rows.append(
            [
                name.partition(" (")[0],
                result.channel.text_with_delay,
                spread(result.errors),
                spread(result.greedy_errors),
                f"{result.updates:,}",
                f"{result.nanoseconds:,.0f}",
            ]
        )
    return rows


def result_record(result: Result) -> dict[str, Any]:
    """Everything about a result but its learners' states, ready for JSON.

    >>> import onebit
    >>> result = onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(1000))
    >>> result_record(result)["curve"]["rounds"][-1]
    1000
    """
    traces = result.traces
    return {
        "learner": result.settings["learner"]["name"],
        "error": result.error,
        "greedy_error": result.greedy_error,
        "updates": result.updates,
        "complete": result.complete,
        "seeds": list(result.seeds),
        "rounds": result.rounds,
        "errors": result.errors,
        "greedy_errors": result.greedy_errors,
        "seconds": result.seconds,
        "settings": result.settings,
        "curve": {
            "seed": [seed for seed, trace in zip(result.seeds, traces, strict=True) for _ in trace.rounds],
            "rounds": [int(n) for trace in traces for n in trace.rounds],
            "error": [float(rate) for trace in traces for rate in trace.mistakes / trace.rounds],
            "greedy_error": [float(rate) for trace in traces for rate in trace.greedy_mistakes / trace.rounds],
            "updates": [int(n) for trace in traces for n in trace.updates],
        },
    }
