"""What one member of a bank makes of the quantities of a case: kernels to cases that it keeps, beside its weights.

    u = (√2 values of numbers / √d₊, values of places of vectors),   k(x, x') = exp(-‖u - u'‖²)

The encoder shows a number as z/√2, and a vector with norm 1. d₊ is how many numbers there are so far: so their part of
u has the mean square length 1, as a vector has. The scores are w_r·x + Σ_i V_ri k(x, x_i): one posterior over both, P_r
being diagonal on the columns and v K⁻¹ - Q_r on the kept cases, as for dense rows (`one_bit.curved`).
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray, IntArray
from onebit.features.cases.quantities import NUMBERS, PLACES, QUANTITIES
from onebit.learners.one_bit.curved.dictionary import (
    LEAST_NOVELTY,
    PRECISION,
    add_kernel,
    explained,
    join,
    padded,
    write_case,
)
from onebit.learners.one_bit.curved.dictionary import explain_by_kept as explain_by_kept
from onebit.ops.bit_likelihood import Beliefs, curvature
from onebit.ops.dictionary import resized
from onebit.ops.flat import add_scaled, inner
from onebit.ops.gram import BLOCK
from onebit.ops.jit import jit, noinline
from onebit.ops.packed import packed_add_outer, packed_length, packed_product
from onebit.ops.rows import Row, index, size, value

_LEAST_GRADIENT = 0.01
"""Classes of which an answer says less are left alone."""

_LEAST_SHRINKAGE = 0.1
"""Q_r is left as it is if a lesson would take a smaller share of the covariance along the row."""


class Kept(NamedTuple):
    """Kept cases, K⁻¹, and one member's weights on them."""

    u: FloatArray  # in blocks (`ops.gram`), single precision
    inverse: FloatArray  # K⁻¹, packed
    size: IntArray
    lesson: IntArray  # at which each was kept
    V: FloatArray  # the weights (K, N)
    Q: FloatArray  # what lessons have told (K, packed)
    variance: FloatArray  # v
    seen: IntArray  # numbers and places of vectors that there are so far
    quantities: FloatArray  # u of the row at hand, its squared length behind it
    k: FloatArray  # k(x, x_i) for it, (1, N)
    explained: FloatArray  # K⁻¹ k
    joining: FloatArray  # the vector by which K⁻¹ grows
    Pk: FloatArray  # P_r k (K, N)
    s: FloatArray  # kᵀP_r k


def new_kept(K: int, variance: float, capacity: int) -> Kept:
    """Nothing kept, with room for so many cases.

    >>> new_kept(3, 100.0, 64).V.shape
    (3, 64)
    """
    N = padded(capacity)
    width = QUANTITIES + 2 if capacity else 0
    return Kept(
        u=np.zeros((-(-capacity // BLOCK), width, BLOCK), PRECISION),
        inverse=np.zeros(packed_length(capacity)),
        size=np.zeros(1, np.int64),
        lesson=np.zeros(N, np.int64),
        V=np.zeros((K, N)),
        Q=np.zeros((K, packed_length(capacity))),
        variance=np.array([variance]),
        seen=np.zeros(2, np.int64),
        quantities=np.zeros(QUANTITIES + 1),
        k=np.zeros((1, N)),
        explained=np.zeros(N),
        joining=np.zeros(N),
        Pk=np.zeros((K, N)),
        s=np.zeros(K),
    )


def with_room(kept: Kept, capacity: int) -> Kept:
    """The same with room for so many cases."""
    empty = new_kept(len(kept.V), kept.variance.item(), capacity)
    per_class = {name: resized(getattr(kept, name).T, getattr(empty, name).shape[1]).T.copy() for name in ("V", "Q")}
    return empty._replace(
        u=resized(kept.u, len(empty.u)),
        inverse=resized(kept.inverse, len(empty.inverse)),
        size=kept.size,
        lesson=resized(kept.lesson, len(empty.lesson)),
        seen=kept.seen,
        quantities=kept.quantities,
        k=resized(kept.k[0], empty.k.shape[1])[None],
        **per_class,
    )


def kept_schema(K: int, capacity: int) -> Kept:
    """What a file may hold of it; what is known of the last row counts for as long as it is known."""
    N = padded(capacity)
    width = QUANTITIES + 2 if capacity else 0
    return Kept(
        u=reals(-(-capacity // BLOCK), width, BLOCK, dtype=PRECISION),
        inverse=reals(packed_length(capacity), dtype="float64"),
        size=whole(1, high=capacity),
        lesson=whole(N),
        V=reals(K, N, dtype="float64"),
        Q=reals(K, packed_length(capacity), dtype="float64"),
        variance=reals(1, dtype="float64", low=1e-300),
        seen=whole(2, high=max(NUMBERS, PLACES)),
        quantities=reals(QUANTITIES + 1, dtype="float64"),
        k=reals(1, N, dtype="float64"),
        explained=room(N, dtype="float64"),
        joining=room(N, dtype="float64"),
        Pk=room(K, N, dtype="float64"),
        s=room(K, dtype="float64"),
    )


def with_own_room(kept: Kept) -> Kept:
    """The same with other room for a row, so that scoring changes nothing."""
    return kept._replace(quantities=kept.quantities.copy(), k=kept.k.copy())


@jit
def has_room(kept: Kept) -> bool:
    """Whether a member keeps cases at all.

    >>> has_room(new_kept(3, 100.0, 0)), has_room(new_kept(3, 100.0, 8))
    (False, True)
    """
    return kept.lesson.shape[0] > 0


@jit
def look(kept: Kept, row: Row, new: bool) -> None:
    """Write u of a row; one that is new may bring numbers and places that there were not."""
    seen = kept.seen
    u = kept.quantities
    if new:
        for i in range(size(row)):
            j = np.int64(index(row, i))
            if j < NUMBERS:
                seen[0] = max(seen[0], j + 1)
            elif j < QUANTITIES:
                seen[1] = max(seen[1], j + 1 - NUMBERS)
    u[: seen[0]] = 0.0
    u[NUMBERS : NUMBERS + seen[1]] = 0.0
    each = sqrt(2.0 / max(seen[0], 1))
    square = 0.0
    for i in range(size(row)):
        j = np.int64(index(row, i))
        if j < seen[0] or NUMBERS <= j < NUMBERS + seen[1]:
            u[j] = np.float64(value(row, i)) * (each if j < NUMBERS else 1.0)
            square += u[j] * u[j]
    u[QUANTITIES] = square


@jit
def compare(kept: Kept) -> None:
    """k = k(x, x_i) for every kept case, 0 behind them."""
    k = kept.k
    for i in range(k.shape[1]):
        k[0, i] = 0.0
    spans = ((0, kept.seen[0]), (NUMBERS, NUMBERS + kept.seen[1]))
    add_kernel(1.0, 0.0, kept.u, kept.quantities, spans, kept.size[0], k)


@jit
def add_scores(kept: Kept, z: FloatArray) -> None:
    """z_r += V_r·k."""
    V = kept.V
    K, N = V.shape
    for r in range(K):
        z[r] += inner(kept.k, 0, V, r * N, kept.size[0])


@noinline
def keep_if_novel(kept: Kept, lesson: int, budget: int) -> None:
    """K⁻¹k of the row; and the row is kept, if there is room and it is not explained by those that are."""
    explain_by_kept(kept)
    if kept.seen[0] + kept.seen[1] == 0 or kept.size[0] >= budget:
        return
    left = 1.0 - explained(kept)
    if left > LEAST_NOVELTY:
        write_case(kept.u, kept.size[0], kept.quantities)
        join(kept, 1.0, left, lesson)


@noinline
def add_spreads(kept: Kept, trust: float, g: FloatArray, s: FloatArray) -> None:
    """s_r += kᵀP_r k for the classes of which the answer says enough; K⁻¹k must be there."""
    K, N = kept.V.shape
    for r in range(K):
        kept.s[r] = 0.0
        if abs(g[r]) >= _LEAST_GRADIENT:
            spread_over_kept(kept, kept.variance[0] * trust, r)
            kept.s[r] = max(0.0, inner(kept.k, 0, kept.Pk, r * N, kept.size[0]))
            s[r] += kept.s[r]


@jit
def spread_over_kept(kept: Kept, variance: float, r: int) -> None:
    """P_r k = v K⁻¹k - Q_r k; K⁻¹k must be there."""
    Pk = kept.Pk[r]
    packed_product(kept.Q[r], kept.k[0], kept.size[0], Pk)
    for i in range(kept.size[0]):
        Pk[i] = variance * kept.explained[i] - Pk[i]


@noinline
def step_on_kept(kept: Kept, member: Beliefs, tau: float) -> None:
    """V_r += τ g_r P_r k, and Q_r gains h_r/(1 + h_r s_r) P_r k kᵀP_r; p and q must be those at the end of the step."""
    K, N = kept.V.shape
    n = kept.size[0]
    for r in range(K):
        if abs(member.g[r]) >= _LEAST_GRADIENT:
            add_scaled(kept.V, r * N, tau * member.g[r], kept.Pk, r * N, n)
            h = curvature(member.p, member.q, r)
            shrink = h / (1 + h * kept.s[r])
            if shrink * kept.s[r] >= _LEAST_SHRINKAGE:
                packed_add_outer(kept.Q[r], kept.Pk[r], shrink, n)


@noinline
def forget_on_kept(kept: Kept) -> None:
    """Nothing kept and nothing learned."""
    kept.size[0] = 0
    for i in range(kept.inverse.shape[0]):
        kept.inverse[i] = 0.0
    for i in range(kept.k.shape[1]):
        kept.k[0, i] = 0.0
    for r in range(kept.V.shape[0]):
        for i in range(kept.V.shape[1]):
            kept.V[r, i] = 0.0
        for i in range(kept.Q.shape[1]):
            kept.Q[r, i] = 0.0
