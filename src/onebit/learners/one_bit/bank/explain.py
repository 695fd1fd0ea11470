"""What the kept cases of a bank's member add to the scores of one row, by differences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray
from onebit.features.cases.quantities import QUANTITIES
from onebit.learners.one_bit.bank.kept import Kept
from onebit.learners.one_bit.bank.state import CURVED, BankState
from onebit.learners.one_bit.curved.dictionary import vectors_of
from onebit.ops.packed import packed_product


class OnKept(NamedTuple):
    """What kept cases add: for the entry of each quantity (K, entries), all the rest (K), and kᵀP_r k (K)."""

    by_entry: FloatArray
    rest: FloatArray
    spread: FloatArray


def on_kept(state: BankState, columns: NDArray[np.int64]) -> OnKept | None:
    """The part of the kept cases in the leading member's scores of the row that was scored last; None if it has none.

    `columns` are those of the row. The part of a quantity is V·k less what that would be with it at its mean.
    """
    kept = state.kept
    n = kept.size.item()
    if int(np.argmax(state.bank.share)) != CURVED or n == 0:
        return None
    k = kept.k[0, :n]
    V = kept.V[:, :n]
    own = kept.quantities[:QUANTITIES]
    theirs = vectors_of(kept.u, n)
    by_entry = np.zeros((len(V), len(columns)))
    for i, j in enumerate(columns.tolist()):
        if j < QUANTITIES:
            without = k * np.exp((own[j] - theirs[:, j]) ** 2 - theirs[:, j] ** 2)
            by_entry[:, i] = V @ (k - without)
    return OnKept(by_entry, V @ k - by_entry.sum(axis=1), _spreads(kept, state.lies.trust.item()))


def _spreads(kept: Kept, trust: float) -> FloatArray:
    """The doubt about V_r·k, for every label."""
    n = kept.size.item()
    k = kept.k[0]
    room = np.zeros_like(k)
    packed_product(kept.inverse, k, n, room)
    prior = kept.variance.item() * trust * float(k @ room)
    found = []
    for Q in kept.Q:
        packed_product(Q, k, n, room)
        found.append(max(0.0, prior - float(k @ room)))
    return np.array(found)
