"""What the experts believe about one row, each by itself and all together: room for it, and how it comes about."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray, IntArray
from onebit.learners.one_bit.rated.rates import Rates
from onebit.learners.one_bit.state import BELIEFS
from onebit.ops.bit_likelihood import Beliefs, new_beliefs
from onebit.ops.jit import jit
from onebit.ops.rows import DenseRow, Row, SparseRow, body, by_row
from onebit.ops.softmax import softmax
from onebit.ops.weights import scores


class Mixture(NamedTuple):
    """Room for what is believed of one row, and whether anything is known of the last one decided."""

    z: FloatArray  # the scores of each expert (E, K), of the type of its weights
    believed: FloatArray  # what each believes (E, K)
    p: FloatArray  # what they believe together (K)
    inside: FloatArray  # how likely each holds the play to be right (E)
    expert: Beliefs  # of one expert in its step
    s: FloatArray  # s_r = xᵀP_r x, of the type of the weights
    open: FloatArray  # p among the open labels
    told: IntArray  # a label that is told
    known: IntArray  # of the last decision: NOTHING, or BELIEFS


def new_mixture(E: int, K: int, dtype: str = "float64") -> Mixture:
    """Room for E experts and K classes, for weights of this type.

    >>> new_mixture(4, 3).z.shape
    (4, 3)
    """
    p, among = np.zeros((2, K))
    return Mixture(
        z=np.zeros((E, K), dtype),
        believed=np.zeros((E, K)),
        p=p,
        inside=np.zeros(E),
        expert=new_beliefs(K),
        s=np.zeros(K, dtype),
        open=among,
        told=np.zeros(1, np.int64),
        known=np.zeros(1, np.int64),
    )


def mixture_schema(E: int, K: int, dtype: str = "float64") -> Mixture:
    """What a file may hold of it: beliefs are read for as long as the last row is known. "" is the learner's type."""
    one: Any = room(K, dtype="float64")
    believed: Any = reals(E, K, dtype="float64")
    return Mixture(
        z=reals(E, K, dtype=dtype),
        believed=believed,
        p=reals(K, dtype="float64"),
        inside=room(E, dtype="float64"),
        expert=Beliefs(one, one, one, one, one, one),
        s=room(K, dtype=dtype),
        open=one,
        told=whole(1, high=K - 1),
        known=whole(1, high=BELIEFS),
    )


@by_row
def expert_scores(W: FloatArray, e: int, x: Row, z: FloatArray) -> None:
    """z = W_e x; the weights of an expert are laid out as the row wants them."""
    raise TypeError("only inside compiled code")


@body(expert_scores, "dense")
def _(W: FloatArray, e: int, x: DenseRow, z: FloatArray) -> None:
    scores(W[e], x, z)


@body(expert_scores, "sparse")
def _(W: FloatArray, e: int, x: SparseRow, z: FloatArray) -> None:
    scores(W[e].T, x, z)


@jit
def mix(W: FloatArray, rates: Rates, x: Row, mixture: Mixture) -> None:
    """z_e = W_e x and p_e = softmax(z_e) of the experts that are awake, and p = Σ share_e p_e."""
    p = mixture.p
    for r in range(p.shape[0]):
        p[r] = 0.0
    for e in range(rates.share.shape[0]):
        if rates.share[e] > 0:
            expert_scores(W, e, x, mixture.z[e])
            softmax(mixture.z[e], 1.0, mixture.believed[e])
            for r in range(p.shape[0]):
                p[r] += rates.share[e] * mixture.believed[e, r]
