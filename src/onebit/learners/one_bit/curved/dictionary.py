"""The dictionary: cases that were kept because they were news, and kernels k(x, x') between a row and each of them.

    k(x, x') = .25 exp(-‖a - a'‖²) + .55 exp(-‖b - b'‖²) + .2 ⟨b, b'⟩

over the two views of a row (`views`). A kept case stays as it was seen when it was kept, in single precision. K⁻¹, the
inverse of the kernels among the kept ones, tells how much of a row the dictionary does not explain:
δ = k(x, x) - kᵀK⁻¹k. Once as many are kept as may be, the dictionary is closed, and stays as it is until it is emptied.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray, IntArray
from onebit.learners.one_bit.curved.views import Views
from onebit.ops.dictionary import fill_block, resized, write_vector
from onebit.ops.flat import inner
from onebit.ops.gram import BLOCK
from onebit.ops.jit import jit, noinline
from onebit.ops.packed import STRIP, packed_add_outer, packed_length, packed_product
from onebit.ops.simd import DOUBLES, broadcast, exponential, load_doubles, load_full, scale_add, store

LEAST_NOVELTY = 0.02
"""δ: a row of which the dictionary leaves no more unexplained is not kept."""

SHARES = (0.25, 0.55)
"""Of both views in the kernel. The second counts for more: of many columns most are noise, and small."""

LINEAR = 0.2
"""Of what is flat, by the second view: for many columns and few answers, as with embeddings."""

NARROWNESS = 1.0
"""Of both kernels: by how much a squared distance counts in the exponent."""

PRECISION = "float32"


class Dictionary(NamedTuple):
    """Kept cases in blocks (`ops.gram`), one for each view; K⁻¹, packed; how many, since when; and room for one row."""

    a: FloatArray
    b: FloatArray
    inverse: FloatArray
    size: IntArray
    closed: IntArray  # 1 once it has been full
    lesson: IntArray  # at which each was kept
    k: FloatArray  # k(x, x') for the row at hand, (1, N): a row of the dictionary's own features
    explained: FloatArray  # K⁻¹ k for it
    joining: FloatArray  # the vector by which K⁻¹ grows


def new_dictionary(d: int) -> Dictionary:
    """An empty one without room.

    >>> new_dictionary(3).k.shape
    (1, 0)
    """
    return Dictionary(
        a=np.zeros((0, d + 2, BLOCK), PRECISION),
        b=np.zeros((0, d + 2, BLOCK), PRECISION),
        inverse=np.zeros(0),
        size=np.zeros(1, np.int64),
        closed=np.zeros(1, np.int64),
        lesson=np.zeros(0, np.int64),
        k=np.zeros((1, 0)),
        explained=np.zeros(0),
        joining=np.zeros(0),
    )


def padded(capacity: int) -> int:
    """The length of vectors with a number for each kept case, in whole strips.

    >>> padded(9)
    16
    """
    return -(-capacity // STRIP) * STRIP


def with_room(dictionary: Dictionary, capacity: int) -> Dictionary:
    """The same with room for so many cases."""
    blocks = -(-capacity // BLOCK)
    N = padded(capacity)
    return dictionary._replace(
        a=resized(dictionary.a, blocks),
        b=resized(dictionary.b, blocks),
        inverse=resized(dictionary.inverse, packed_length(capacity)),
        lesson=resized(dictionary.lesson, N),
        k=resized(dictionary.k[0], N)[None],
        explained=resized(dictionary.explained, N),
        joining=resized(dictionary.joining, N),
    )


def dictionary_schema(d: int, capacity: int) -> Dictionary:
    """What a file may hold of it; what is known of the last row counts for as long as it is known."""
    blocks = -(-capacity // BLOCK)
    N = padded(capacity)
    return Dictionary(
        a=reals(blocks, d + 2, BLOCK, dtype=PRECISION),
        b=reals(blocks, d + 2, BLOCK, dtype=PRECISION),
        inverse=reals(packed_length(capacity), dtype="float64"),
        size=whole(1, high=capacity),
        closed=whole(1, high=1),
        lesson=whole(N),
        k=reals(1, N, dtype="float64"),
        explained=room(N, dtype="float64"),
        joining=room(N, dtype="float64"),
    )


def vectors_of(blocks: FloatArray, n: int) -> FloatArray:
    """The first n vectors of blocks, as rows.

    >>> vectors_of(np.zeros((1, 5, BLOCK)), 2).shape
    (2, 3)
    """
    d = blocks.shape[1] - 2
    vectors: FloatArray = blocks[:, :d].transpose(0, 2, 1).reshape(-1, d)[:n].astype(np.float64)
    return vectors


@jit
def compare(dictionary: Dictionary, views: Views) -> None:
    """k = k(x, x') for every kept case, 0 behind them."""
    k = dictionary.k
    n = dictionary.size[0]
    for i in range(k.shape[1]):
        k[0, i] = 0.0
    features = ((0, views.a.shape[0] - 1),)
    add_kernel(SHARES[0], 0.0, dictionary.a, views.a, features, n, k)
    add_kernel(SHARES[1], LINEAR, dictionary.b, views.b, features, n, k)
    for i in range(n, k.shape[1]):  # the last register reaches beyond them
        k[0, i] = 0.0


@noinline
def add_kernel(
    share: float,
    linear: float,
    blocks: FloatArray,
    x: FloatArray,
    features: tuple[tuple[int, int], ...],
    n: int,
    k: FloatArray,
) -> None:
    """k_i += share · exp(-‖x - x_i‖²) + linear · ⟨x, x_i⟩ for the first n vectors.

    Features are 0 outside of those from one to another.
    """
    d = x.shape[0] - 1
    size = (d + 2) * BLOCK
    for i in range(0, n, 4 * DOUBLES):  # four registers of vectors share each feature of x
        at = i // BLOCK * size + i % BLOCK
        p = broadcast(0.0)
        q = broadcast(0.0)
        r = broadcast(0.0)
        s = broadcast(0.0)
        for first, stop in features:
            for j in range(first, stop):
                here = at + j * BLOCK
                p = scale_add(p, x[j], load_doubles(blocks, here, DOUBLES))
                q = scale_add(q, x[j], load_doubles(blocks, here + DOUBLES, DOUBLES))
                r = scale_add(r, x[j], load_doubles(blocks, here + 2 * DOUBLES, DOUBLES))
                s = scale_add(s, x[j], load_doubles(blocks, here + 3 * DOUBLES, DOUBLES))
        norms = at + d * BLOCK
        _add_few(share, linear, p, x[d], blocks, norms, k, i, n)
        _add_few(share, linear, q, x[d], blocks, norms + DOUBLES, k, i + DOUBLES, n)
        _add_few(share, linear, r, x[d], blocks, norms + 2 * DOUBLES, k, i + 2 * DOUBLES, n)
        _add_few(share, linear, s, x[d], blocks, norms + 3 * DOUBLES, k, i + 3 * DOUBLES, n)


@jit
def _add_few(
    share: float,
    linear: float,
    z: FloatArray,
    norm: float,
    blocks: FloatArray,
    norms: int,
    k: FloatArray,
    i: int,
    n: int,
) -> None:
    """The same for one register of vectors, from z = ⟨x, x_i⟩."""
    squares = scale_add(scale_add(broadcast(norm), 1.0, load_doubles(blocks, norms, DOUBLES)), -2.0, z)
    near = exponential(squares, 0.0, -NARROWNESS, min(n - i, DOUBLES))
    if i < n:
        store(k, i, DOUBLES, scale_add(scale_add(load_full(k, i), share, near), linear, z))


@jit
def explain_by_kept(dictionary: Any) -> None:
    """K⁻¹ k for the row at hand."""
    packed_product(dictionary.inverse, dictionary.k[0], dictionary.size[0], dictionary.explained)


@jit
def keep_if_novel(dictionary: Dictionary, views: Views, lesson: int, budget: int) -> bool:
    """Keep the row of a lesson if there is room and it is not explained; K⁻¹k must be there, and follows."""
    n = dictionary.size[0]
    if n >= budget:
        dictionary.closed[0] = 1
    if dictionary.closed[0]:
        return False
    own = kernel_with_itself(views)
    left = own - explained(dictionary)
    if not left > LEAST_NOVELTY:
        return False
    write_case(dictionary.a, n, views.a)
    write_case(dictionary.b, n, views.b)
    join(dictionary, own, left, lesson)
    return True


@jit
def kernel_with_itself(views: Views) -> float:
    """k(x, x).

    >>> kernel_with_itself(Views(np.array([3.0, 9.0]), np.array([1.0, 1.0])))
    1.0
    """
    return SHARES[0] + SHARES[1] + LINEAR * views.b[-1]


@jit
def explained(dictionary: Any) -> float:
    """kᵀK⁻¹k: how much of a row the kept ones explain; K⁻¹k must be there."""
    return inner(dictionary.k, 0, dictionary.explained, 0, dictionary.size[0])


@jit
def write_case(blocks: FloatArray, n: int, view: FloatArray) -> None:
    """The n-th case, as it is seen now."""
    if n % BLOCK == 0:
        fill_block(blocks, n // BLOCK, view)
    write_vector(blocks, n, view, 0.0)


@jit
def join(dictionary: Any, own: float, left: float, lesson: int) -> None:
    """K⁻¹ gets a row for the row at hand, for which k(x, x) is its `own`, and δ is `left` unexplained.

    K⁻¹ ← (K⁻¹ ⊕ 0) + m mᵀ with m = (-K⁻¹k, 1)/√δ; then k gets the entry k(x, x), and K⁻¹k is 1 there and 0 elsewhere.
    """
    k = dictionary.k
    explained = dictionary.explained
    joining = dictionary.joining
    n = dictionary.size[0]
    for i in range(n):
        joining[i] = -explained[i]
        explained[i] = 0.0
    joining[n] = 1.0
    for i in range(n + 1, (n // STRIP + 1) * STRIP):
        joining[i] = 0.0
    packed_add_outer(dictionary.inverse, joining, 1 / left, n + 1)
    k[0, n] = own
    explained[n] = 1.0
    dictionary.lesson[n] = lesson
    dictionary.size[0] = n + 1


@noinline
def forget_kept(dictionary: Dictionary) -> None:
    """Empty again."""
    for i in range(dictionary.inverse.shape[0]):
        dictionary.inverse[i] = 0.0
    for i in range(dictionary.k.shape[1]):
        dictionary.k[0, i] = 0.0
    dictionary.size[0] = 0
    dictionary.closed[0] = 0
