"""What the table and the figures share: the graphs, the learners as the paper sets them, and what is tuned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from onebit.core.aliases import Label
from onebit.learners.confidit import Confidit
from onebit.learners.molgb import MOLGB
from onebit.learners.molgf import MOLGF
from onebit.learners.msg import MSG
from onebit.learners.oslg import OSLG
from onebit.learners.oslg_bandit import OSLGBandit
from onebit.learners.page_rank_ucb import PageRankUCB
from onebit.learners.soba import SOBA
from onebit.papers.base import Row, elsewhere
from onebit.plots.style import COLOURS, GREY
from onebit.streams.base import Stream
from onebit.streams.datasets import load
from onebit.sweep.plan import Arm

PAPER = "Yang, Zhao, Gao, Bandit online learning on graphs via adaptive optimization (IJCAI 2018)"

COMPARED = "so that rows on these say what holds there, without a verdict"

PHIS = (0.01, 0.1, 1.0, 10.0)
"""The margins φ that MOLG-F and MOLG-B are tuned over."""

D = 100
"""The eigenvectors in a row, but for Figure 2."""

COLOUR = {
    "MOLG-F": COLOURS[0],
    "MOLG-B": COLOURS[1],
    "OSLG": COLOURS[2],
    "OSLG-Bandit": COLOURS[3],
    "MSG": COLOURS[4],
    "Banditron": COLOURS[5],
    "GPA": COLOURS[6],
    "PageRankUCB": GREY,
}


class PaperGraph(NamedTuple):
    """A graph of the paper, the data set played here, whether the two are the same, and the paper's b for it.

    >>> IMDB.title, IMDB.stream_name(d=10), CORA.stream_name(unit=False)
    ('IMDB (stand-in wiki_movies_big)', 'wiki_movies_big d=10', 'cora raw')
    """

    name: str
    data: str
    exact: bool
    b: float

    @property
    def title(self) -> str:
        """The paper's name, and what stands in for the graph.

        >>> CORA.title
        'Cora'
        """
        return self.name if self.exact else f"{self.name} (stand-in {self.data})"

    def stream_name(self, d: int = D, unit: bool = True) -> str:
        """What results call the stream of its nodes with such rows.

        >>> PUBMED.stream_name()
        'pubmed'
        """
        return self.data + ("" if d == D else f" d={d}") + ("" if unit else " raw")

    def row(self, row: Row) -> Row:
        """A row about the graph: without a verdict where another one stands in.

        >>> IMDB.row(Row("IMDB: MOLG-B is ahead", "always", "10 % to 12 %", "reproduces")).verdict
        'not comparable'
        """
        return row if self.exact or row.verdict == "ours" else elsewhere(row, "another graph")

    def stream(self, d: int = D, unit: bool = True) -> Stream:
        """Its nodes by rows of d eigenvectors, scaled to unit norm or raw."""
        stream = load(self.data, d=d, unit=unit)
        stream.name = self.stream_name(d, unit)
        return stream


COAUTHOR = PaperGraph("Coauthor", "dblp_coauthor", False, 10)
CORA = PaperGraph("Cora", "cora", True, 10)
IMDB = PaperGraph("IMDB", "wiki_movies_big", False, 100)
PUBMED = PaperGraph("PubMed", "pubmed", True, 100)


def arms(classes: Sequence[Label], b: float, names: Iterable[str]) -> list[Arm]:
    """The arms of these names, for a graph of the paper's parameter b.

    MOLG-F and MOLG-B are tuned over the paper's φ, and the bandits of others over small grids; MSG has the φ whose
    updates on Cora come near the printed ones. Banditron, the better of Confidit and SOBA, is two arms.

    >>> [(arm.name, dict(arm.grid)) for arm in arms(range(3), 10, ["OSLG", "MOLG-B"])]
    [('OSLG', {}), ('MOLG-B', {'phi': (0.01, 0.1, 1.0, 10.0)})]
    """
    known: dict[str, tuple[Any, dict[str, list[float]]]] = {
        "MSG": (MSG(classes, b=b), {}),
        "OSLG": (OSLG(classes, b=b), {}),
        "MOLG-F": (MOLGF(classes, b=b), {"phi": list(PHIS)}),
        "Confidit": (Confidit(classes, covariance="full"), {"eta": [0.001, 0.01, 0.1]}),
        "SOBA": (SOBA(classes), {"gamma": [2**-4, 2**-3, 2**-2]}),
        "OSLG-Bandit": (OSLGBandit(classes), {"b": [10, 100]}),
        "MOLG-B": (MOLGB(classes, b=b), {"phi": list(PHIS)}),
        "PageRankUCB": (PageRankUCB(classes), {}),
    }
    return [Arm(known[name][0], known[name][1], name=name) for name in names]
