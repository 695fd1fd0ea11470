"""Perceptron: the multiclass Perceptron, which is told the true label."""

from __future__ import annotations

from typing import NamedTuple

from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.registry import register
from onebit.learners.banditron import State, schema
from onebit.ops.jit import jit
from onebit.ops.random import best_label, best_label_pmf
from onebit.ops.rows import Row
from onebit.ops.weights import add, scores


class Hyper(NamedTuple):
    """How ties are broken; there is nothing to tune."""

    random_ties: bool


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """ŷ = argmax s, always."""
    scores(state.W, row, state.s)
    greedy, ties = best_label(state.s, hyper.random_ties, rng)
    labels[0] = greedy
    return 1 / ties, greedy, False


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """ŷ = argmax s, always."""
    scores(state.W, row, state.s)
    best_label_pmf(state.s, hyper.random_ties, out)


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, y: int, rng: Rng) -> int:
    """If ŷ ≠ y: w_y += x;  w_ŷ -= x."""
    if draw.greedy == y:
        return 0
    add(state.W, y, row, 1.0)
    add(state.W, draw.greedy, row, -1.0)
    return 1


@register("perceptron")
class Perceptron(Learner):
    """The multiclass Perceptron, with full information: what a learner could do that sees every label.

    It plays the label with the largest score. After a mistake it moves the weights of the true label
    towards the row, and those of the played label away from it.

        ŷ = argmax_r w_r·x,   if ŷ ≠ y:   w_y += x,   w_ŷ -= x

    Parameters: none of its own.

    Guarantee: at most 2 R²/δ² mistakes in any sequence of rows with ‖x‖ ≤ R that some W of norm 1
    separates with margin δ.

    >>> import onebit
    >>> stream = onebit.streams.synsep(20_000)
    >>> result = onebit.simulate(onebit.Perceptron(9), stream, feedback=onebit.Full(), seeds=1)
    >>> bool(result.error < 0.005)
    True

    Reference: Crammer, Singer, "Ultraconservative online algorithms for multiclass problems", JMLR 2003;
    of its family of updates, the one that takes from the best label only.
    """

    feedback = "label"
    no_noise_because = "it is told the true label, not a bit"
    functions = Functions(decide, learn, linear_score, pmf=pmf)
    decides_in = ("s",)

    def hyper(self) -> Hyper:
        """The tie rule for compiled code."""
        return Hyper(self.ties == "random")

    def start(self, layout: Layout) -> State:
        """W = 0."""
        return State(layout.per_feature(), layout.per_class())

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        return schema(layout)
