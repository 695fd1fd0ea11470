"""The paper's table of graph learners, ours beside its: error and updates over 20 fresh permutations.

python -m benchmarks.graphs.table                   # Cora and PubMed
python -m benchmarks.graphs.table dblp_coauthor     # or others: citeseer, wiki_movies, ...
python -m benchmarks.graphs.table --quick           # two permutations of other seeds

MOLGF and MOLGB are as section 4.1 of the paper sets them (d = 100; b = 10, on PubMed 100), the learners of other
authors at the settings that did best on other seeds. Reported are seeds 1001 to 1020. GPA plays raw spectral rows. The
paper's row "Banditron" is the better of Confidit and SOBA. A row of the paper reproduces if our error lies within one
point of its, or one of its deviations where that is more. The last rows have no counterpart in the paper, and
neither have its graphs Coauthor and IMDB here: dblp_coauthor and wiki_movies_big resemble them, no more.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from statistics import stdev
from typing import Any, NamedTuple

import onebit
from onebit.core.text import text_table
from onebit.streams.graph import GraphStream

SEEDS, QUICK = tuple(range(1001, 1021)), (11, 12)
HEADER = ("learner", "error %", "updates", "bar", "", "paper: error %", "updates", "the paper's row")


class Printed(NamedTuple):
    """A row of the paper's Table 1 for one graph."""

    error: float
    deviation: float
    updates: float


class Entry(NamedTuple):
    """A learner on some rows of a graph, what the paper printed of it, and what is asked of ours."""

    name: str
    make: Callable[[Any], onebit.Learner]
    rows: tuple[tuple[str, Any], ...] = ()
    paper: Printed | None = None
    error: tuple[float, float] = (0, 100)  # at least, at most
    updates: tuple[float, float] = (0, 1e9)

    @property
    def bar(self) -> str:
        """What is asked, in words."""
        low, high = self.error
        parts = [f"{low:.1f} to {high:.1f}" if low else f"≤ {high:.1f}"] if high < 100 else []
        if self.updates[1] < 1e9:
            parts.append(f"{self.updates[0]:.0f} to {self.updates[1]:.0f}")
        return ", ".join(parts)


def _confidit(classes: Any, eta: float) -> onebit.Learner:
    return onebit.Confidit(classes, eta=eta, covariance="full")


def _onebit(classes: Any) -> onebit.Learner:
    """OneBit for rows that are scaled already, of unit norm."""
    return onebit.OneBit(classes, kernel=None, standardize=False, variance=1)


RAW, WORDS = (("unit", False),), (("features", True),)
WIDE = (("d", 400), ("weights", "1/lambda"))

CORA = (
    Entry("GPA", lambda c: onebit.GPA(c), RAW, Printed(58.49, 2.03, 4970)),
    Entry("MSG", lambda c: onebit.MSG(c), (), Printed(18.95, 0.44, 3810.8)),
    Entry("OSLG", lambda c: onebit.OSLG(c), (), Printed(20.77, 0.31, 3612.7), (19.7, 21.3)),
    Entry("MOLGF", lambda c: onebit.MOLGF(c), (), Printed(18.16, 0.39, 2629.7), (0, 18.8), (2484, 2644)),
    Entry("Confidit", lambda c: _confidit(c, 0.001), (), Printed(41.49, 0.53, 2485)),
    Entry("OSLGBandit", lambda c: onebit.OSLGBandit(c), (), Printed(28.56, 1.54, 2485), (0, 20.7)),
    Entry("MOLGB", lambda c: onebit.MOLGB(c), (), Printed(23.87, 1.48, 1363.8), (0, 21.0), (1235, 1355)),
    Entry("MOLGB, d = 400, 1/λ, b = 3", lambda c: onebit.MOLGB(c, b=3), WIDE),
    Entry("MOLGB, words", lambda c: onebit.MOLGB(c), WORDS, error=(0, 16.2)),
    Entry("PageRankUCB", lambda c: onebit.PageRankUCB(c), error=(0, 19.6)),
    Entry("OneBit", lambda c: onebit.OneBit(c)),
    Entry("OneBit, variance 1, as they come", _onebit),
    Entry("the same, words", _onebit, WORDS),
)

PUBMED = (
    Entry("GPA", lambda c: onebit.GPA(c), RAW, Printed(57.95, 0.29, 39434)),
    Entry("MSG, b = 100", lambda c: onebit.MSG(c, b=100), (), Printed(22.64, 0.10, 27336)),
    Entry("OSLG, b = 100", lambda c: onebit.OSLG(c, b=100), (), Printed(25.51, 0.39, 15087)),
    Entry("MOLGF, b = 100", lambda c: onebit.MOLGF(c, b=100), (), Printed(20.96, 0.07, 17198), (0, 22.0)),
    Entry("Confidit", lambda c: _confidit(c, 0.01), (), Printed(24.53, 0.15, 19717)),
    Entry("OSLGBandit", lambda c: onebit.OSLGBandit(c), (), Printed(21.07, 0.18, 19717)),
    Entry("MOLGB, b = 100", lambda c: onebit.MOLGB(c, b=100), (), Printed(20.74, 0.18, 13633), (0, 21.2)),
    Entry("MOLGB, d = 300", lambda c: onebit.MOLGB(c), (("d", 300),)),
    Entry("PageRankUCB", lambda c: onebit.PageRankUCB(c), error=(0, 19.4)),
    Entry("OneBit", lambda c: onebit.OneBit(c)),
    Entry("OneBit, variance 1, as they come", _onebit),
)

ELSEWHERE = tuple(entry._replace(paper=None, error=(0, 100), updates=(0, 1e9)) for entry in CORA)


@cache
def stream_of(graph: str, rows: tuple[tuple[str, Any], ...]) -> GraphStream:
    """The graph's stream with these options."""
    stream = onebit.streams.load(graph, **dict(rows))
    assert isinstance(stream, GraphStream)
    return stream


def verdict(ours: float, updates: float, paper: Printed | None) -> str:
    """Whether the paper's row reproduces."""
    if paper is None:
        return ""
    apart, more = ours - paper.error, updates / paper.updates - 1
    if abs(apart) > max(1.0, paper.deviation):
        return f"does not reproduce: ours is {abs(apart):.1f} {'lower' if apart < 0 else 'higher'}"
    return "reproduces" + (
        f", with {abs(more):.0%} {'fewer' if more < 0 else 'more'} updates" if abs(more) > 0.1 else ""
    )


def lines(graph: str, entries: Sequence[Entry], seeds: Sequence[int]) -> Iterator[tuple[list[str], bool]]:
    """The rows of the table, each with whether its bar is met."""
    for entry in entries:
        stream = stream_of(graph, entry.rows)
        result = onebit.simulate(entry.make(stream.classes), stream, seeds=seeds, progress=False)
        error, updates = 100 * result.error, sum(learner.updates for learner in result.learners) / len(seeds)
        spread = 100 * stdev(result.errors)
        met = entry.error[0] <= error <= entry.error[1] and entry.updates[0] <= updates <= entry.updates[1]
        paper = entry.paper
        printed = [f"{paper.error:.2f} ± {paper.deviation:.2f}", f"{paper.updates:.0f}"] if paper else ["", ""]
        said = ("met" if met else "MISS") if entry.bar else ""
        ours = [entry.name, f"{error:.2f} ± {spread:.2f}", f"{updates:.0f}", entry.bar, said]
        yield [*ours, *printed, verdict(error, updates, paper)], met


def main(arguments: list[str]) -> int:
    """Print the tables asked for; 1 if a bar was missed."""
    seeds = QUICK if "--quick" in arguments else SEEDS
    met = True
    for graph in [name for name in arguments if name != "--quick"] or ["cora", "pubmed"]:
        entries = {"cora": CORA, "pubmed": PUBMED}.get(graph, ELSEWHERE)
        if graph != "citeseer":
            entries = tuple(entry for entry in entries if graph == "cora" or entry.rows != WORDS)
        table = []
        for line, fine in lines(graph, entries, seeds):
            table.append(line)
            met = met and (fine or seeds is QUICK)
            print(f"  {graph}: {line[0]} {line[1]}", file=sys.stderr, flush=True)
        print(f"\n{stream_of(graph, ()).graph!r}, {graph}, {len(seeds)} permutations\n")
        print("\n".join(text_table(HEADER, table, right=HEADER[1:3])), flush=True)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
