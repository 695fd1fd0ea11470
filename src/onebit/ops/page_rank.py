"""Approximate personalised PageRank by local push, compiled.

A walk starts at a node of a seed distribution x, and at each step ends with probability α (the teleport) or goes on
along an edge, drawn by weight. ppr_x(i) is the chance that it ends at node i: ppr = α Σ_t (1-α)^t Wᵗ x. This is the
walk that moves at every step; the lazy one of the paper, which stays with probability ½, has the same ppr for
α' = α/(2-α), and takes about twice the pushes to find it.

The push keeps p ≤ ppr and a residual r that still has to walk, at first x, with ppr = p + α Σ_t (1-α)^t Wᵗ r always.
While some r(u) ≥ eps deg(u), it takes the first such node in the order in which they came (a queue), and

    p(u) += α r(u),   r(v) += (1-α) r(u) w_uv/deg(u) for every neighbour v,   r(u) = 0

so that 0 ≤ ppr(i) - p(i) ≤ eps deg(i) in the end, after edges have been followed at most 1/(eps α) times, however
large the graph. (Largest residual first would follow about 15 % fewer edges, and pay more than that for the order.)

All of it is divided by the degrees here: ρ = r/deg is what the queue asks for, p/deg what is wanted. Then only ρ is
read at random, and a share w_uv/deg(v) lies beside each edge.

Reference: Andersen, Chung, Lang, "Local graph partitioning using PageRank vectors", FOCS 2006, section 3.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray
from onebit.ops.jit import jit
from onebit.ops.rows import Row, index, size, value

_NODES_AHEAD = 10
_EDGES_AHEAD = 5
_RESIDUALS_AHEAD = 2
"""How many pushes ahead a node's place in memory is asked for, then its edges, then its neighbours' residuals."""

_NODES_IN_CACHE = 2**17
"""The residuals of more nodes do not fit into a core's own memory: only then it pays to ask for them."""

_CACHE_LINE = 64
"""Bytes that come at once."""

_ZERO_ALL_FROM = 4
"""All residuals are set to 0 if a push has followed at least one in so many edges per node; else only those reached."""

_MOST_STEPS = 2**24
"""A push ends after so many steps along edges, about a tenth of a second, whatever α and eps are: what still has to
walk then is left out, so p is a lower bound as ever, though not within eps."""


class Walk(NamedTuple):
    """A graph in CSR as the push reads it, with w_ij/deg_j beside each edge (i, j); α; and eps."""

    indptr: IntArray
    indices: NDArray[np.uint32]
    shares: FloatArray
    degrees: FloatArray
    teleport: float
    eps: float


class Room(NamedTuple):
    """Room for a push: ρ, all zeros between pushes, and a ring of waiting nodes."""

    residual: FloatArray
    queue: NDArray[np.uint32]


def new_room(n: int, dtype: str) -> Room:
    """Room for a graph of n nodes.

    >>> new_room(5, "float64").queue.shape
    (8,)
    """
    return Room(np.zeros(n, dtype), np.zeros(1 << n.bit_length(), np.uint32))


def edge_shares(
    indices: NDArray[np.int32], weights: FloatArray | None, degrees: FloatArray, dtype: str
) -> tuple[FloatArray, FloatArray]:
    """w_ij/deg_j for every edge (i, j), and the degrees, where a node without edges has 1.

    >>> edge_shares(np.array([1, 0], np.int32), None, np.array([1.0, 1.0, 0.0]), "float64")
    (array([1., 1.]), array([1., 1., 1.]))
    """
    degrees = np.where(degrees > 0, degrees, 1.0)
    shares = (1 / degrees)[indices] if weights is None else weights / degrees[indices]
    return shares.astype(dtype, copy=False), degrees.astype(dtype, copy=False)


@intrinsic  # type: ignore[untyped-decorator]  # Numba is not typed
def _fetch(_: Any, array: Any, offset: Any) -> Any:
    """Ask for the array's memory at an `offset` in bytes, which may lie outside; waits for nothing."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(array)(context, builder, args[0]).data
        address = builder.gep(builder.bitcast(data, ir.IntType(8).as_pointer()), [args[1]])
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [address, number(1), number(3), number(1)])  # to write, keep it close, data
        return context.get_dummy_value()

    return types.void(array, types.int64), build


@jit
def add_page_rank(walk: Walk, room: Room, row: Row, counts: FloatArray, k: int, f: float) -> int:
    """counts[2k, i] += ppr(i)/deg_i, counts[2k+1, i] += f times that, for every node i; gives the number of pushes.

    The row holds weights over the nodes, of which negative ones count as 0. The weights are pushed as shares of
    their sum, and what comes out is multiplied by it: so eps is relative, and a row of large weights costs no more.

    >>> from onebit.ops.rows import DenseRow
    >>> shares, degrees = edge_shares(np.array([1, 0], np.int32), None, np.array([1.0, 1.0]), "float64")
    >>> walk = Walk(np.array([0, 1, 2]), np.array([1, 0], np.uint32), shares, degrees, 0.5, 1e-9)
    >>> counts = np.zeros((2, 2))
    >>> pushes = add_page_rank(walk, new_room(2, "float64"), DenseRow(np.array([[1.0, 0.0]]), 0, 1.0), counts, 0, 0.0)
    >>> counts[0].round(6)
    array([0.666667, 0.333333])
    """
    indptr = walk.indptr
    indices = walk.indices
    shares = walk.shares
    residual = room.residual
    queue = room.queue
    real = residual.dtype.type
    mask = queue.shape[0] - 1
    eps = real(walk.eps)
    onward = real(1 - walk.teleport)
    mass = _positive_sum(row)
    if not mass > 0:
        return 0
    # The seeds: their shares of the sum are the first residuals, and those large enough wait in the queue.
    head = 0
    tail = 0
    followed = 0
    for i in range(size(row)):
        if value(row, i) > 0:
            v = index(row, i)
            residual[v] = real(value(row, i) / mass) / walk.degrees[v]
            queue[tail] = v
            tail += residual[v] >= eps
    while head < tail and followed < _MOST_STEPS:
        # The next node in the queue gives up its residual: a part of it ends here.
        _fetch_ahead(walk, room, counts, k, head, tail)
        u = np.int64(queue[head & mask])
        rho = residual[u]
        residual[u] = 0
        first = indptr[u]
        last = indptr[u + 1]
        gain = rho * real(mass * (walk.teleport if first < last else 1.0))  # without edges, the walk ends here
        counts[2 * k, u] += gain
        counts[2 * k + 1, u] += real(f) * gain
        # The rest walks on to its neighbours; those that come to eps by it join the queue.
        rho *= onward
        for e in range(first, last):
            v = indices[e]
            old = residual[v]
            new = old + rho * shares[e]
            residual[v] = new
            queue[tail & mask] = v  # is kept if it has just come to eps; a jump would be foreseen badly
            tail += (old < eps) & (new >= eps)
        head += 1
        followed += last - first + 1
    _zero_residuals(walk, row, residual, queue, tail, followed)
    return tail


@jit
def _positive_sum(row: Row) -> float:
    """The sum of the positive entries."""
    mass = 0.0
    for i in range(size(row)):
        mass += max(value(row, i), 0.0)
    return mass


@jit
def _fetch_ahead(walk: Walk, room: Room, counts: FloatArray, k: int, head: int, tail: int) -> None:
    """Ask for what the nodes that wait will need: the graph lies all over a large memory."""
    residual = room.residual
    queue = room.queue
    indptr = walk.indptr
    mask = queue.shape[0] - 1
    u = np.int64(queue[min(head + _NODES_AHEAD, tail - 1) & mask])
    _fetch(indptr, u * indptr.itemsize)
    _fetch(counts, 2 * k * counts.strides[0] + u * counts.strides[1])
    first = indptr[queue[min(head + _EDGES_AHEAD, tail - 1) & mask]]
    _fetch(walk.indices, first * walk.indices.itemsize)
    _fetch(walk.shares, first * walk.shares.itemsize)
    _fetch(walk.shares, first * walk.shares.itemsize + _CACHE_LINE)
    if residual.shape[0] > _NODES_IN_CACHE:
        u = np.int64(queue[min(head + _RESIDUALS_AHEAD, tail - 1) & mask])
        for e in range(indptr[u], indptr[u + 1]):
            _fetch(residual, np.int64(walk.indices[e]) * residual.itemsize)


@jit
def _zero_residuals(
    walk: Walk, row: Row, residual: FloatArray, queue: NDArray[np.uint32], pushes: int, followed: int
) -> None:
    """ρ = 0 again: for all nodes, or where only few were reached, for the seeds and the neighbours of the pushed."""
    if _ZERO_ALL_FROM * followed >= residual.shape[0]:
        residual[:] = 0
        return
    for i in range(size(row)):
        residual[index(row, i)] = 0
    for i in range(pushes):  # fewer than the ring holds: they are all still there
        u = np.int64(queue[i])
        for e in range(walk.indptr[u], walk.indptr[u + 1]):
            residual[walk.indices[e]] = 0
