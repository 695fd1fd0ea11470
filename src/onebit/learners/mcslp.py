"""MCSLP: a set of labels played by a learner that is told the true one."""

from __future__ import annotations

from typing import NamedTuple

from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.parameters import choice
from onebit.contract.schema import reals, room
from onebit.contract.set_learner import SetLearner
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.registry import register
from onebit.ops.jit import jit
from onebit.ops.rows import Row
from onebit.ops.sets import best_labels
from onebit.ops.weights import add_all, scores


class Hyper(NamedTuple):
    """m, and whether to learn only where there is a loss."""

    m: int
    gated: bool


class State(NamedTuple):
    """W (K × d), and room for K scores and K factors of the update."""

    W: FloatArray
    s: FloatArray
    U: FloatArray


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """Ŷ = the m labels with the largest scores, always."""
    m = hyper.m
    scores(state.W, row, state.s)
    best_labels(state.s, labels[m:])
    for i in range(m):
        labels[i] = labels[m + i]
    return 1.0, labels[0], False


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """The m labels with the largest scores, always."""
    scores(state.W, row, state.s)
    best_labels(state.s, labels[hyper.m :])
    out[:] = 0
    for i in range(hyper.m, 2 * hyper.m):
        out[labels[i]] = 1


@jit
def _loss(m: int, s: FloatArray, draw: Draw, y: int) -> float:
    """1 - s_y + (1/m) Σ_{i∈Ŷ} s_i."""
    sum_ = 0.0
    for i in range(m, 2 * m):
        sum_ += s[draw.labels[i]]
    return 1 - float(s[y]) + sum_ / m


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, y: int, rng: Rng) -> int:
    """w_y += x;  w_i -= x/m for i ∈ Ŷ; if gated, only where L > 0."""
    m = hyper.m
    U = state.U
    if m == 1 and draw.greedy == y:
        return 0
    if hyper.gated:
        scores(state.W, row, state.s)
        if _loss(m, state.s, draw, y) <= 0:
            return 0
    for r in range(U.shape[0]):
        U[r] = r == y
    for i in range(m, 2 * m):
        U[draw.labels[i]] -= 1 / m
    add_all(state.W, U, row)
    return 1


@register("mc-slp")
class MCSLP(SetLearner):
    """Multiclass classification with subset label prediction: plays m labels, and is told the true one.

    It plays the m labels with the largest scores and follows the gradient of the average hinge loss L. The
    paper's algorithm takes the step in every round, also where L is 0; with the gate, which is our default, it
    rests there (greedy error on MNIST at m = 2: .10 in place of .23). With m = 1 it is
    the Perceptron.

        Ŷ = the m labels with the largest scores,   L = [1 - w_y·x + (1/m) Σ_{i∈Ŷ} w_i·x]₊
        if L > 0 (or not gated):   w_y += x,   w_i -= x/m for i ∈ Ŷ

    Parameters: `m`, how many labels it plays, 1 to K-1; `gated`, False for the paper's algorithm; `normalize`, here
    by default, since the gate compares scores with 1; the others as for every learner.

    Guarantee: the paper states none.

    >>> import onebit
    >>> stream = onebit.streams.synsep(20_000)
    >>> result = onebit.simulate(onebit.MCSLP(9, m=2), stream, feedback=onebit.Full(), seeds=1)
    >>> bool(result.error < 0.01)
    True

    Reference: Batra, Manwani, "Multiclass classification using dilute bandit feedback", 2021, Algorithm 1.
    """

    normalize: bool = choice(False, True, default=True)
    gated: bool = choice(True, False, default=True)

    feedback = "label"
    no_noise_because = "it is told the true label, not a bit"
    functions = Functions(decide, learn, linear_score, pmf=pmf)
    decides_in = ("s",)

    def hyper(self) -> Hyper:
        """m and the gate for compiled code."""
        return Hyper(self.m, self.gated)

    def start(self, layout: Layout) -> State:
        """W = 0."""
        return State(layout.per_feature(), layout.per_class(), layout.per_class())

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        K = layout.n_classes
        d = layout.n_features
        return State(W=reals(K, d), s=room(K), U=room(K))
