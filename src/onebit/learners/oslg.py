"""OSLG: a second-order Perceptron on the nodes of a graph; it is told the true label."""

from __future__ import annotations

from typing import NamedTuple

from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import number
from onebit.core.aliases import Rng
from onebit.core.registry import register
from onebit.learners.molgf import State, add_example, effect_of_row, first_state, inverses, schema
from onebit.learners.perceptron import decide, pmf
from onebit.ops.jit import jit
from onebit.ops.low_rank import sound_inverse_times_row
from onebit.ops.rows import Row
from onebit.ops.weights import scores


class Hyper(NamedTuple):
    """b, and how ties are broken."""

    b: float
    random_ties: bool


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, y: int, rng: Rng) -> int:
    """If ŷ ≠ y: A += x xᵀ;  B_y += x;  B_k -= x for every other k."""
    if draw.labels[0] == y:
        return 0
    C = state.C
    q = sound_inverse_times_row(inverses(hyper.b, state), 0, row, state.g, state.W, (0, C.shape[0]))
    scores(state.W, row, state.s)
    _, factor, _ = effect_of_row(q, False)
    C[:] = -1
    C[y] = 1
    add_example(hyper.b, state, factor)
    return len(C)


@register("oslg")
class OSLG(Learner):
    """Online spectral learning on a graph: a second-order Perceptron that is told the true label.

    After a mistake, and only then, the row joins a least-squares problem as an example for the true label and against
    every other. The rows are meant to be those of graph nodes (`onebit.streams.from_graph`).

        ŷ = argmax_k B_k·A⁻¹x,   if ŷ ≠ y:   A += x xᵀ,   B_y += x,   B_k -= x for every k ≠ y

    A⁻¹ is kept as update vectors until there are d of them. K updates are counted for a lesson, one for each class.

    Parameters: `b`, with A = bI at the start; the others as for every learner.

    Guarantee: none is claimed. The algorithm is reconstructed from descriptions; that K updates per mistake fit the
    counts which others report for it speaks for the form above.

    >>> import onebit
    >>> stream = onebit.streams.planted_graph(500, d=10)
    >>> result = onebit.simulate(onebit.OSLG(stream.classes), stream, onebit.Full(), seeds=1)
    >>> bool(result.error < 0.05)
    True

    Reference: Gu, Han, "Online spectral learning on a graph with bandit feedback", ICDM 2014, as it appears in Yang,
    Zhao, Gao, IJCAI 2018.
    """

    b: float = number(default=10, low=0, open_low=True)

    feedback = "label"
    no_noise_because = "it is told the true label, not a bit"
    functions = Functions(decide, learn, linear_score, pmf=pmf)
    decides_in = ("s",)

    def hyper(self) -> Hyper:
        """b for compiled code."""
        return Hyper(self.b, self.ties == "random")

    def start(self, layout: Layout) -> State:
        """W = 0, A = bI."""
        return first_state(layout, 1, "OSLG", "GPA")

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        return schema(layout, 1)
