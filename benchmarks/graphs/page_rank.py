"""PageRankUCB on a graph of a million nodes: error, speed and memory of one process; and what eps does to them.

python -m benchmarks.graphs.page_rank                     # 10^6 nodes, 5·10^6 edges: about two minutes
python -m benchmarks.graphs.page_rank 200000 1000000      # so many nodes and edges
python -m benchmarks.graphs.page_rank eps                 # Cora, PubMed and 10^5 nodes at several eps; or: large eps

The large graphs are planted partitions of five classes, where four edges of five begin and end in the same one. Speed
is by CPU time, of one thread, and memory the peak of the whole process, with the graph and what it took to make it.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator

import onebit
from benchmarks.onebit.streams import FIRST_REPORT, Line, Plan, main, spread
from onebit.engine.match import Match
from onebit.engine.play import play_seed
from onebit.streams import load, planted_graph
from onebit.streams.base import Stream
from onebit.streams.graph import GraphStream

CLASSES, INSIDE, PERMUTATIONS = 5, 0.8, 20
NODES, EDGES, MIDDLE = 1_000_000, 5_000_000, 100_000
BARS = {"cora": 0.196, "pubmed": 0.194}


def planted(nodes: int, edges: int) -> GraphStream:
    return planted_graph(nodes, classes=CLASSES, degree=2 * edges / nodes, inside=INSIDE)


def one_pass(stream: Stream, eps: float, seeds: range) -> tuple[list[float], float]:
    """The error of each permutation, and how many nodes were played in a second."""
    match = Match.of(onebit.PageRankUCB(stream.classes, eps=eps), stream, onebit.Bit())
    match.compile()
    errors, began, rounds = [], time.process_time(), stream.rounds
    assert rounds is not None
    for seed in seeds:
        trace = play_seed(match, match.player(seed), seed)
        errors.append(int(trace.mistakes[-1]) / rounds)
    return errors, len(seeds) * rounds / (time.process_time() - began)


def large(plan: Plan) -> Iterator[Line]:
    """One pass over a large graph."""
    nodes = NODES // 50 if plan.quick else NODES
    yield from large_lines(nodes, nodes * EDGES // NODES)


def large_lines(nodes: int, edges: int) -> Iterator[Line]:
    stream = planted(nodes, edges)
    (error,), speed = one_pass(stream, 1e-4, range(FIRST_REPORT, FIRST_REPORT + 1))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Line("PageRankUCB, peak memory, MB", peak, 4000, repr(stream.graph))
    yield Line("nodes per second", speed, None, f"{1e6 / speed:.0f} µs a round")
    yield Line("error, %", 100 * error, None, f"one pass; chance is {100 * (1 - 1 / CLASSES):.0f} %")


def eps(plan: Plan) -> Iterator[Line]:
    """What eps does to error and speed."""
    permutations = 2 if plan.quick else PERMUTATIONS
    streams = [load("cora"), load("pubmed"), planted(MIDDLE, 5 * MIDDLE)]
    for stream, count in zip(streams, (permutations, permutations, 1), strict=True):
        for size in (1e-3, 1e-4, 1e-5):
            if plan.quick and size < 1e-4:
                continue
            seeds = range(FIRST_REPORT, FIRST_REPORT + (count if size >= 1e-4 else min(count, 3)))
            errors, speed = one_pass(stream, size, seeds)
            bar = BARS.get(stream.name) if size == 1e-4 else None
            detail = f"{spread(errors)} over {len(seeds)}; {speed:,.0f} nodes per second"
            what = f"{stream.name}, {stream.rounds:,} nodes, eps = {size:g}: error, %"
            yield Line(what, 100 * sum(errors) / len(errors), None if bar is None else 100 * bar, detail)


def run(arguments: list[str]) -> int:
    if len(arguments) == 2 and all(word.isdigit() for word in arguments):
        nodes, edges = map(int, arguments)
        return main({"large": lambda plan: large_lines(nodes, edges)}, [], "A graph of this size")
    return main({"large": large, "eps": eps}, arguments, "PageRankUCB", default=("large",))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
