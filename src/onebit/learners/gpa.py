"""GPA: the Perceptron on the nodes of a graph; it is told the true label."""

from __future__ import annotations

from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.core.aliases import Rng
from onebit.core.registry import register
from onebit.learners.banditron import State
from onebit.learners.perceptron import Hyper, Perceptron, decide, pmf
from onebit.learners.soba import best_rival
from onebit.ops.jit import jit
from onebit.ops.rows import Row
from onebit.ops.weights import add, scores


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, y: int, rng: Rng) -> int:
    """w_y += x;  w_j -= x for the best rival j of y."""
    scores(state.W, row, state.s)
    j = best_rival(state.s, y)
    add(state.W, y, row, 1.0)
    add(state.W, j, row, -1.0)
    return 2


@register("gpa")
class GPA(Perceptron):
    """The graph Perceptron: a step in every round, towards the true label and away from its best rival.

    It is meant for rows of graph nodes that are not scaled to unit norm (`onebit.streams.from_graph` with
    `unit=False`): their products are then those of the graph's kernel.

        ŷ = argmax_r w_r·x,   j = argmax_{r ≠ y} w_r·x,   w_y += x,   w_j -= x

    Parameters: none of its own. Two updates are counted for a lesson, one for each class.

    Guarantee: none is claimed for a step in every round; the Perceptron, which steps after mistakes only, has one. The
    algorithm is reconstructed from a description by others, who count two updates per round for it.

    >>> import onebit
    >>> stream = onebit.streams.planted_graph(500, d=10, unit=False)
    >>> result = onebit.simulate(onebit.GPA(stream.classes), stream, onebit.Full(), seeds=1)
    >>> bool(result.error < 0.05)
    True

    Reference: Herbster, Pontil, "Prediction on a graph with a perceptron", NIPS 2006, as it appears in Yang, Zhao, Gao,
    IJCAI 2018.
    """

    functions = Functions(decide, learn, linear_score, pmf=pmf)
    decides_in = ("s",)
