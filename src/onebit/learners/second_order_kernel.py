"""SecondOrderKernel: curved boundaries from few mistakes, by one dictionary and a regression for each class."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import isfinite, sqrt
from typing import ClassVar, NamedTuple

import numpy as np

from onebit.contract.class_axes import Part
from onebit.contract.compiled import Draw, Functions
from onebit.contract.kernel_learner import KernelLearner
from onebit.contract.layout import Layout
from onebit.contract.parameters import checked, number
from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError, FormatError
from onebit.core.registry import register
from onebit.ops.dictionary import copy_row, fill_block, resized, similarities, write_vector
from onebit.ops.flat import add_scaled, inner
from onebit.ops.gram import BLOCK, KernelValues
from onebit.ops.jit import jit, noinline
from onebit.ops.random import best_label, best_label_pmf, first_best, uniform
from onebit.ops.rows import Row
from onebit.ops.second_order import largest_form, sound_form
from onebit.ops.softmax import label_at, softmax

_FIRST_CAPACITY = 16
"""Room for so many vectors at the start; it doubles up to the budget."""

_MOST_BYTES = 8 * 2**30
"""Of the matrices that a budget may ask for."""


class Hyper(NamedTuple):
    """The kernel, a, b, τ, ε, η and the budget N."""

    kernel: KernelValues
    a: float
    b: float
    tau: float
    eps: float
    novelty: float
    budget: int
    random_ties: bool


class State(NamedTuple):
    """The dictionary (n vectors in blocks), M, and P_i, v_i, β_i for each class; and room to work.

    `size` holds n, and the n for which `k` is that of the row decided on last (-1 after a lesson).
    """

    blocks: FloatArray
    size: IntArray
    M: FloatArray
    P: FloatArray
    v: FloatArray
    beta: FloatArray
    k: FloatArray
    psi: FloatArray
    g: FloatArray
    own: FloatArray
    own_k: FloatArray
    x: FloatArray
    s: FloatArray
    q: FloatArray


@jit
def compare_with_dictionary(hyper: Hyper, state: State, row: Row) -> None:
    """k = k_D(x)."""
    copy_row(row, state.x)
    similarities(hyper.kernel, state.blocks, (state.size[0] + BLOCK - 1) // BLOCK, state.x, state.k)


@jit
def score(hyper: Hyper, state: State, row: Row, out: FloatArray) -> None:
    """s_i = β_i · k_D(x)."""
    compare_with_dictionary(hyper, state, row)
    n = state.size[0]
    N = state.beta.shape[1]
    for i in range(out.shape[0]):
        out[i] = inner(state.beta, i * N, state.k, 0, n)


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """The largest score if it is 0 or above; otherwise drawn from (1-ε) softmax(s/τ) + ε/K."""
    s = state.s
    q = state.q
    K = state.s.shape[0]
    score(hyper, state, row, s)
    state.size[1] = state.size[0]
    greedy, ties = best_label(s, hyper.random_ties, rng)
    if s[greedy] >= 0:
        labels[0] = greedy
        return 1 / ties, greedy, False
    softmax(s, 1 / hyper.tau, q)
    for i in range(K):
        q[i] = (1 - hyper.eps) * q[i] + hyper.eps / K
    labels[0] = label_at(q, uniform(rng))
    return q[labels[0]], greedy, True


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """The largest score if it is 0 or above; otherwise (1-ε) softmax(s/τ) + ε/K."""
    s = state.s
    score(hyper, state, row, s)
    if s[first_best(s)] >= 0:
        best_label_pmf(s, hyper.random_ties, out)
        return
    softmax(s, 1 / hyper.tau, out)
    for k in range(out.shape[0]):
        out[k] = (1 - hyper.eps) * out[k] + hyper.eps / out.shape[0]


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, f: float, rng: Rng) -> int:
    """A lesson (x, y), y = ±1, for the played class, unless its score says so by b already: y s ≥ b."""
    n = state.size[0]
    i = draw.labels[0]
    y = 2 * f - 1
    if not (draw.last and state.size[1] == n):
        compare_with_dictionary(hyper, state, row)
    state.size[1] = -1
    if not y * inner(state.beta, i * state.beta.shape[1], state.k, 0, n) < hyper.b:
        return 0
    copy_row(row, state.x)
    return second_order_step(hyper, state, i, y)


@noinline
def second_order_step(hyper: Hyper, state: State, i: int, y: float) -> int:
    """ψ = M k;  P_i, v_i by one second-order step;  β_i = Mᵀ v_i. Tells whether the kernel's numbers were sound."""
    M = state.M
    psi = state.psi
    g = state.g
    N = state.M.shape[0]
    n = state.size[0]
    # ψ, and what is left of k(x, x) beside it.
    fill_block(state.own, 0, state.x)
    similarities(hyper.kernel, state.own, 1, state.x, state.own_k)
    for j in range(n):
        psi[j] = inner(M, j * N, state.k, 0, j + 1)
    left = state.own_k[0] - inner(psi, 0, psi, 0, n)  # of k(x, x): what the dictionary does not explain
    if not isfinite(left):
        return 0
    # If it is much and there is room, x joins the dictionary, which explains it from then on.
    if n < hyper.budget and left > hyper.novelty * state.own_k[0]:
        append_to_dictionary(state, sqrt(left))
        for k in range(state.P.shape[0]):
            state.P[k, n, n] = min(state.P[k, n, n], largest_form(state.P) / left)
        n = n + 1
        left = 0.0
    # g = P_i ψ;  v_i += (y - v_i·ψ) g/r;  P_i -= g gᵀ/r.
    at = i * N * N
    spread = 0.0
    for j in range(n):
        g[j] = inner(state.P, at + j * N, psi, 0, n)
        spread += abs(psi[j]) * sqrt(max(state.P[i, j, j], 0.0))
    r = 1 + max(left, 0.0) / hyper.a + sound_form(state.P[i], g[:n], inner(psi, 0, g, 0, n), spread * spread)
    add_scaled(state.v, i * N, (y - inner(state.v, i * N, psi, 0, n)) / r, g, 0, n)
    for j in range(n):
        g[j] /= sqrt(r)
    for j in range(n):
        add_scaled(state.P, at + j * N, -g[j], g, 0, n)
    # β_i = Mᵀ v_i.
    for j in range(n):
        state.beta[i, j] = 0.0
    for j in range(n):
        add_scaled(state.beta, i * N, state.v[i, j], M, j * N, j + 1)
    return 1


@jit
def append_to_dictionary(state: State, root: float) -> None:
    """x joins the dictionary: M gets the row (-ψᵀM, 1)/√left, and ψ the entry √left."""
    M = state.M
    psi = state.psi
    n = state.size[0]
    N = state.M.shape[0]
    # The new row of M, and the new coordinate.
    for j in range(n):
        add_scaled(M, n * N, -psi[j] / root, M, j * N, j + 1)
    M[n, n] = 1 / root
    psi[n] = root
    # The vector itself.
    if n % BLOCK == 0:
        fill_block(state.blocks, n // BLOCK, state.x)
    write_vector(state.blocks, n, state.x, 0.0)
    state.size[0] = n + 1


@register("second-order-kernel")
class SecondOrderKernel(KernelLearner):
    """Kernel ridge regression of each class on its own right and wrong: hundreds of mistakes where others make 10^5.

    A dictionary D of at most N vectors spans a part of the kernel's space, with coordinates ψ(x) there; it takes in
    a lesson's row if more than a share η of it lies outside. In these coordinates each class regresses y = +1 (right)
    and -1 (wrong) on the rows for which it was played, by second-order steps, and plays as KernelBandit does, but by
    the largest score. A score that is sure of the answer, by b, teaches nothing.

        ψ = M k_D(x), M = L⁻¹, L Lᵀ = K_DD;   s_i = v_i · ψ(x) = β_i · k_D(x)
        S = {i : s_i ≥ 0};  ỹ = argmax s;  S empty: ỹ ~ (1-ε) softmax(s/τ) + ε/K
        y s_ỹ < b:  v_i, P_i of i = ỹ by  P⁻¹ += ψψᵀ/c,  v += (y - v·ψ) Pψ/c,  c = 1 + (k(x,x) - ψ·ψ)/a,  from P = I/a

    While every lesson's row is taken in, this is exactly the dual form s_i = y_iᵀ(aI + G_i)⁻¹ k_i(x) over the lessons
    of the class; then time and memory stay bounded, whatever the data: n kernels a round, n² numbers per class.

    Parameters: `kernel`, as for `KernelBandit`; `a`, the ridge; `b`, up to which score a lesson is taken; `tau` and
    `eps`, the temperature τ and the uniform share ε of the exploration where no class says yes; `novelty`, the share
    η; `budget`, the most vectors in the dictionary, N, for all classes together; the others as for every learner.

    Guarantee: none proved. On group separable data it is meant to make hundreds of mistakes, and no more with time.

    >>> import onebit
    >>> stream = onebit.streams.group_separable(20_000)
    >>> result = onebit.simulate(onebit.SecondOrderKernel(9), stream)
    >>> bool(result.error < 0.03), result.learners[0].stored < 100
    (True, True)

    Reference: ours; the second-order perceptron is that of Cesa-Bianchi, Conconi, Gentile, SIAM J. Computing 2005, and
    the growing dictionary that of Engel, Mannor, Meir, "The kernel recursive least-squares algorithm", 2004.
    """

    a: float = number(default=1e-3, low=1e-9)
    b: float = number(default=0.8, low=0)
    tau: float = number(default=0.2, low=0, open_low=True)
    eps: float = number(default=0.05, low=0, high=1)
    novelty: float = number(default=1e-5, low=1e-10, high=1)
    budget: int = checked(default=300, check=partial(check_whole, of="vectors"))

    no_noise_because: ClassVar[str] = "whether it learns depends on the bit, so its step is not linear in it"
    zero_divides = True
    functions = Functions(decide, learn, score, pmf=pmf)
    decides_in = ("s", "q", "k", "x", "size")

    def hyper(self) -> Hyper:
        """The numbers for compiled code."""
        ties = self.ties == "random"
        return Hyper(self.kernel_values(), self.a, self.b, self.tau, self.eps, self.novelty, self.budget, ties)

    def start(self, layout: Layout) -> State:
        """An empty dictionary, P = I/a, v = 0."""
        self.check_layout(layout)
        K = layout.n_classes
        d = layout.n_features
        needed = (K + 1) * self.budget**2 * 8
        if needed > _MOST_BYTES:
            raise ConfigError(
                f"budget={self.budget}: {K} classes would keep {needed / 2**30:.0f} GiB of matrices; give a smaller one"
            )
        empty = State(
            blocks=np.zeros((0, d + 2, BLOCK), dtype=layout.dtype), size=np.array([0, -1], dtype=np.int64),
            M=np.zeros((0, 0)), P=np.zeros((K, 0, 0)), v=np.zeros((K, 0)), beta=np.zeros((K, 0)), k=np.zeros(0),
            psi=np.zeros(0), g=np.zeros(0), own=np.zeros((1, d + 2, BLOCK), dtype=layout.dtype), own_k=np.zeros(BLOCK),
            x=np.zeros(d + 1, dtype=layout.dtype), s=layout.per_class(), q=np.zeros(K),
        )  # fmt: skip
        return self.resized(empty, self.capacity(empty, 1))

    def scoring_state(self, state: State) -> State:
        """With other room for the row and its kernels."""
        return state._replace(x=state.x.copy(), k=state.k.copy())

    def capacity(self, state: State, lessons: int) -> int:
        """Vectors, as a power of two up to the budget."""
        needed = int(state.size[0]) + lessons
        return min(self.budget, max(_FIRST_CAPACITY, 1 << (needed - 1).bit_length()))

    def resized(self, state: State, capacity: int) -> State:
        """With room for so many vectors; where there are none, P = I/a and the rest 0."""
        n = int(state.size[0])
        K = len(state.s)
        blocks = -(-capacity // BLOCK)
        M = np.zeros((capacity, capacity))
        P = np.zeros((K, capacity, capacity))
        P[:, np.arange(capacity), np.arange(capacity)] = 1 / self.a
        M[:n, :n] = state.M[:n, :n]
        P[:, :n, :n] = state.P[:, :n, :n]
        return state._replace(
            blocks=resized(state.blocks, blocks), M=M, P=P, v=resized(state.v.T, capacity).T.copy(),
            beta=resized(state.beta.T, capacity).T.copy(), k=resized(state.k, blocks * BLOCK),
            psi=resized(state.psi, capacity), g=resized(state.g, capacity),
        )  # fmt: skip

    def regrouped(self, state: State, layout: Layout, capacity: int, kept: Sequence[int], n_classes: int) -> State:
        """P of a new class is bounded along the dictionary, as that of the others was when it grew."""
        after: State = super().regrouped(state, layout, capacity, kept, n_classes)
        for k in range(len(kept), n_classes):
            _bound_along_dictionary(after, k)
        return after

    def put_class_part(self, state: State, layout: Layout, capacity: int, k: int, part: Part) -> State:
        """P of a class that returns is bounded along what the dictionary has gained since."""
        after: State = super().put_class_part(state, layout, capacity, k, part)
        _bound_along_dictionary(after, k)
        return after

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it, with room for so many vectors."""
        self.check_width(layout)
        K = layout.n_classes
        d = layout.n_features
        N = capacity
        if not min(self.budget, _FIRST_CAPACITY) <= N <= self.budget:
            raise FormatError(f"capacity {N}")
        blocks = -(-N // BLOCK)
        return State(
            blocks=reals(blocks, d + 2, BLOCK), size=whole(2, low=-1, high=N), M=reals(N, N, dtype="float64"),
            P=reals(K, N, N, dtype="float64"), v=reals(K, N, dtype="float64"), beta=reals(K, N, dtype="float64"),
            k=room(blocks * BLOCK, dtype="float64"), psi=room(N, dtype="float64"), g=room(N, dtype="float64"),
            own=room(1, d + 2, BLOCK), own_k=room(BLOCK, dtype="float64"), x=room(d + 1), s=room(K),
            q=room(K, dtype="float64"),
        )  # fmt: skip

    def check_state(self, state: State) -> None:
        """The number of vectors is one."""
        if state.size[0] < 0:
            raise FormatError(f"array size says that there are {state.size[0]} vectors")

    @property
    def stored(self) -> int:
        """How many vectors are kept.

        >>> import onebit
        >>> learner = onebit.SecondOrderKernel(3)
        >>> learner.learn(learner.decide([0.5, 0.2]), False)
        >>> learner.stored
        1
        """
        return 0 if self._session.layout is None else int(self._session.state.size[0])


def _bound_along_dictionary(state: State, k: int) -> None:
    """What `second_order_step` does to P when a vector joins the dictionary, for one class and all vectors there."""
    j = np.arange(state.size[0])
    state.P[k, j, j] = np.minimum(state.P[k, j, j], largest_form(state.P) * state.M[j, j] ** 2)
