"""MOLGF: least squares on the nodes of a graph, weighted by doubt; it is told the true label."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from onebit.contract.compiled import Draw, Functions
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import checked, number
from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.errors import ConfigError
from onebit.core.registry import register
from onebit.learners.perceptron import decide, pmf
from onebit.learners.soba import best_rival
from onebit.ops.jit import jit
from onebit.ops.low_rank import (
    Inverses,
    add_outer,
    downdate_inverse,
    quadratic_form,
    sound_inverse_times_row,
)
from onebit.ops.rows import Row, squared_norm
from onebit.ops.weights import scores

_LARGEST_OF_UNIT_ROWS = 1 - 2.0**-20
"""q stays below 1 for rows of unit norm, in exact arithmetic; so near to it 1/(1-q) is rounding, not doubt."""


class Hyper(NamedTuple):
    """b, the margin φ, and whether a row weighs a = 1/(1-q) or 1."""

    b: float
    phi: float
    adaptive: bool
    random_ties: bool


class State(NamedTuple):
    """W (K × d); inverses, as `Inverses` keeps them: U, n, z, T; room for K scores s, K targets C, and g = A⁻¹x.

    W is A⁻¹B of the paper, which changes along g whenever A and B change along x; so s = W x is B·g.
    """

    W: FloatArray
    U: FloatArray
    n: IntArray
    z: FloatArray
    T: FloatArray
    s: FloatArray
    C: FloatArray
    g: FloatArray


def first_state(layout: Layout, count: int, learner: str, instead: str) -> State:
    """W = 0 and so many inverses, none of which has made a step."""
    d = layout.n_features
    dtype = layout.dtype
    stack = layout.matrices(count + 1, d, learner, instead)
    n = np.zeros(count, dtype=np.int64)
    z = np.zeros((1, d), dtype=dtype)
    g = np.zeros(d, dtype=dtype)
    s = layout.per_class()
    C = layout.per_class()
    return State(layout.per_feature(), stack[:-1], n, z, stack[-1], s, C, g)


def schema(layout: Layout, count: int) -> State:
    """What a file may hold of a state with so many inverses."""
    K = layout.n_classes
    d = layout.n_features
    return State(
        W=reals(K, d),
        U=reals(count, d, d),
        n=whole(count, high=d),
        z=room(1, d),
        T=room(d, d),
        s=room(K),
        C=room(K),
        g=room(d),
    )


def check_unit_rows(name: str, normalize: Any) -> bool:
    """True, or a `ConfigError` that says why rows must be scaled to unit norm.

    >>> check_unit_rows("normalize", True)
    True
    """
    if normalize is not True:
        raise ConfigError(
            f"{name}={normalize!r}: must be True; a row weighs 1/(1-q), q = xᵀA⁻¹x, and only unit rows keep q below 1 "
            "(MSG, OSLG and OSLGBandit take rows of any norm)"
        )
    return True


@jit
def inverses(b: float, state: State) -> Inverses:
    """The A⁻¹ of the state."""
    return Inverses(state.U, state.n, state.z, state.T, b)


@jit
def effect_of_row(q: float, adaptive: bool) -> tuple[float, float, float]:
    """For a row with q = xᵀA⁻¹x and weight a, about to be added to A: 1/(1+aq), a/(1+aq), and σ.

    The first is by how much xᵀA⁻¹x shrinks, the second how much of g gᵀ leaves A⁻¹, σ = a² q/(2(1+aq)) the doubt.

    >>> effect_of_row(0.5, True), effect_of_row(1.0, False)
    ((0.5, 1.0, 0.5), (0.5, 0.5, 0.25))
    """
    if adaptive:
        q = min(q, _LARGEST_OF_UNIT_ROWS)
        return 1 - q, 1.0, q / (2 * (1 - q))
    return 1 / (1 + q), 1 / (1 + q), q / (2 * (1 + q))


@jit
def add_example(b: float, state: State, factor: float) -> None:
    """A += a x xᵀ, B += a x Cᵀ: in terms of g = A⁻¹x, W += factor (C - s) gᵀ and A⁻¹ -= factor g gᵀ."""
    s = state.s
    C = state.C
    for k in range(s.shape[0]):
        C[k] = factor * (C[k] - s[k])
    add_outer(state.W, C, state.g)
    downdate_inverse(inverses(b, state), 0, state.g, factor)


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, y: int, rng: Rng) -> int:
    """If ŷ ≠ y or f_y - f_j < φσ: A += a x xᵀ;  B_y += a x;  B_j -= a x."""
    s = state.s
    C = state.C
    P = inverses(hyper.b, state)
    # Whether the margin over the best rival is large enough to leave the row.
    q = sound_inverse_times_row(P, 0, row, state.g, state.W, (0, s.shape[0]))
    scores(state.W, row, s)
    j = best_rival(s, y)
    shrink, factor, sigma = effect_of_row(q, hyper.adaptive)
    if draw.labels[0] == y and shrink * (float(s[y]) - float(s[j])) >= hyper.phi * sigma:
        return 0
    # If not, it joins the least-squares problem, for y and against j.
    C[:] = 0
    C[y] = 1
    C[j] = -1
    add_example(hyper.b, state, factor)
    return 2


@jit
def score(hyper: Hyper, state: State, row: Row, out: FloatArray) -> None:
    """f = W x, shrunk as if the row had been added to A. Works in z."""
    scores(state.W, row, out)
    q = quadratic_form(inverses(hyper.b, state), 0, row, squared_norm(row))
    shrink, _, _ = effect_of_row(q, hyper.adaptive)
    for k in range(out.shape[0]):
        out[k] *= shrink


functions = Functions(decide, learn, score, pmf=pmf)


@register("molg-f")
class MOLGF(Learner):
    """Online learning on a graph by adaptive optimization, with full information (MOLG-F).

    One least-squares problem for all classes, in which a row counts the more the less is known in its direction. It
    is told every label, and learns where it was wrong or its margin over the best rival j does not exceed the doubt
    σ by a factor φ. Its rows are meant to be those of graph nodes (`onebit.streams.from_graph`), of unit norm.

        g = A⁻¹x,   q = x·g,   a = 1/(1-q),   f = (1-q) B g,   σ = q/(2(1-q)),   ŷ = argmax f
        if ŷ ≠ y or f_y - f_j < φσ:   A += a x xᵀ (so A⁻¹ -= g gᵀ),   B_y += a x,   B_j -= a x

    A⁻¹ is kept as update vectors until there are d of them. Two updates are counted for a lesson, one for each class.

    Parameters: `b`, above 1, with A = bI at the start; `phi`, the margin φ; `normalize`, here always True, since q
    must stay below 1; the others as for every learner.

    Guarantee: for φ = 1 the paper bounds the mistakes by Σ a ℓ(U) + ½ tr(UᵀAU) + b/(b-1) log|A/b| - D, for every U,
    with ℓ the hinge loss over the rounds that taught, D of them without a mistake. It reads this as O(log T) regret,
    for which the second term must stay small too: it can grow with the number of lessons.

    >>> import onebit
    >>> stream = onebit.streams.planted_graph(500, d=10)
    >>> result = onebit.simulate(onebit.MOLGF(stream.classes), stream, onebit.Full(), seeds=1)
    >>> bool(result.error < 0.05)
    True

    Reference: Yang, Zhao, Gao, "Bandit online learning on graphs via adaptive optimization", IJCAI 2018, Algorithm 1.
    """

    normalize: bool = checked(default=True, check=check_unit_rows)
    b: float = number(default=10, low=1, open_low=True)
    phi: float = number(default=10, low=0)

    feedback = "label"
    no_noise_because = "it is told the true label, not a bit"
    functions = functions
    decides_in = ("s",)

    def hyper(self) -> Hyper:
        """b and φ for compiled code, with a = 1/(1-q)."""
        return Hyper(self.b, self.phi, True, self.ties == "random")

    def start(self, layout: Layout) -> State:
        """W = 0, A = bI."""
        return first_state(layout, 1, "MOLGF", "GPA")

    def scoring_state(self, state: State) -> State:
        """The state with other room for `score`."""
        return state._replace(z=np.zeros_like(state.z))

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        return schema(layout, 1)
