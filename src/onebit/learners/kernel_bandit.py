"""KernelBandit: BanditPerceptron in the space of a kernel, where curved boundaries are straight."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from onebit.contract.class_axes import Part
from onebit.contract.compiled import Draw, Functions
from onebit.contract.kernel_learner import KernelLearner
from onebit.contract.layout import Layout
from onebit.contract.parameters import checked
from onebit.contract.parameters import choice as one_of
from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError, FormatError
from onebit.core.registry import register
from onebit.kernels import Kernel
from onebit.learners.bandit_perceptron import CHOICES, nonnegative_pmf, play_nonnegative, step_factor
from onebit.ops.dictionary import Dictionary, blocks_for, copy_row, new_dictionary, put_vector, resized, weighted_sums
from onebit.ops.gram import BLOCK, KernelValues
from onebit.ops.jit import jit
from onebit.ops.monomials import Monomials, expand, monomial_count, monomials
from onebit.ops.random import below
from onebit.ops.rows import DenseRow, Row
from onebit.ops.weights import scores

PRIMAL_UP_TO = 2_000
"""Up to so many monomials, form="auto" takes the primal form."""

_MOST_WEIGHTS = 2**28
"""Of the primal form, over all classes."""

_HIGHEST_DEGREE = 60
"""Of the primal form: far beyond what rounding lets it gain."""


class Hyper(NamedTuple):
    """The kernel, the choice in S, how many vectors a class may keep (0: any number), whether others are corrected."""

    kernel: KernelValues
    choice: int
    budget: int
    random_removal: bool
    correct_others: bool


class State(NamedTuple):
    """Dual: J_i in blocks, weights y'. Primal: weights W over the monomials. Of the other form nothing; and room."""

    blocks: FloatArray
    owner: IntArray
    counts: IntArray
    oldest: IntArray
    values: FloatArray
    W: FloatArray
    plan: IntArray
    weight: FloatArray
    phi: FloatArray
    x: FloatArray
    s: FloatArray


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """Play from S = {i : s_i ≥ 0}."""
    score(hyper, state, row, state.s)
    return play_nonnegative(state.s, hyper.choice, rng, labels)


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """One of S = {i : s_i ≥ 0}, by the choice."""
    score(hyper, state, row, state.s)
    nonnegative_pmf(state.s, hyper.choice, out)


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, f: float, rng: Rng) -> int:
    """S empty and right: (x, +1) joins J_ỹ.  S not empty and wrong: (x, -1) joins J_ỹ.

    Where others are corrected, right: (x, -1) joins every other J_i with s_i ≥ 0.
    """
    played = draw.labels[0]
    own = step_factor(draw, f, played, True)
    if f == 0 or not hyper.correct_others:
        if own == 0:
            return 0
        read_row(state, row)
        add_example(hyper, state, played, own, rng)
        return 1
    s = state.s
    score(hyper, state, row, s)
    for k in range(s.shape[0]):
        if isnan(s[k]):  # a kernel in Python has failed
            return 0
    updates = 0
    for k in range(s.shape[0]):
        y = step_factor(draw, f, k, s[k] >= 0)
        if y != 0:
            add_example(hyper, state, k, y, rng)
            updates += 1
    return updates


@jit
def add_example(hyper: Hyper, state: State, k: int, y: float, rng: Rng) -> None:
    """(x, y) joins J_k, for the row that was read."""
    # Primal: a step along the monomials.
    if state.W.shape[1] > 0:
        for j in range(state.W.shape[1]):
            state.W[k, j] += y * state.weight[j] * state.phi[0, j]
        return
    # Dual: the row is kept, in place of another where the budget is used up.
    slot = state.counts[k]
    if hyper.budget > 0 and slot == hyper.budget:
        slot = below(rng, slot) if hyper.random_removal else state.oldest[k]
        state.oldest[k] = slot + 1 if slot + 1 < hyper.budget else 0
    put_vector(Dictionary(state.blocks, state.owner, state.counts, state.values), k, slot, state.x, y)


@jit
def read_row(state: State, row: Row) -> None:
    """Copy the row to its room, and in primal form its monomials to theirs."""
    copy_row(row, state.x)
    if state.W.shape[1] > 0:
        expand(state.plan, state.x, state.phi[0])


@jit
def score(hyper: Hyper, state: State, row: Row, out: FloatArray) -> None:
    """s_i = Σ y' k(x', x) over (x', y') in J_i, or the same as W_i φ(x). Reads the row."""
    read_row(state, row)
    if state.W.shape[1] > 0:
        scores(state.W, DenseRow(state.phi, 0, 1.0), out)
    else:
        dictionary = Dictionary(state.blocks, state.owner, state.counts, state.values)
        weighted_sums(hyper.kernel, dictionary, state.x, out)


def _check_budget(name: str, value: Any) -> int | None:
    return None if value is None else check_whole(name, value, of="vectors per class", instead="None")


@register("kernel-bandit")
class KernelBandit(KernelLearner):
    """BanditPerceptron with a kernel: one bit, and boundaries that may curve.

    Each class keeps the examples it has learned from, J_i, with a sign; its score for a row is the sum of their
    kernels with it. One class with a score of 0 or above is played, and if it is wrong the row joins its examples
    with a minus; if there is none, a uniform label is played, and if it is right the row joins with a plus.

        s_i = Σ y' k(x', x) over (x', y') ∈ J_i,   S = {i : s_i ≥ 0}
        S empty: ỹ uniform, right: (x, +1) joins J_ỹ;   otherwise: ỹ ∈ S, wrong: (x, -1) joins J_ỹ

    Parameters: `kernel`, "rational" (for rows in the unit ball), "rbf", "polynomial", "matern", "linear", with
    parameters as in "rbf:0.5", a value from `onebit.kernels`, or a Python function of two tables of rows (slow);
    `choice`, which of S is played: "random", "first" or "largest" score; `form`, "dual" (keeps examples, time and
    memory grow with the lessons), "primal" (weights over all monomials up to a degree, constant time and memory,
    for kernels that are power series of ⟨x, x'⟩ and few features), or "auto", which takes the primal form up to
    2,000 monomials; `degree`, of the primal form of the rational kernel: 18 has it to 10^-10, 27 to rounding;
    `budget`, the most examples a class may keep, for streams that never separate (dual); `removal`, which one
    makes room for a new one: the "oldest", or a "random" one; `correct_others`, whether a right answer also corrects
    every other class that says yes: (x, -1) joins each J_i with s_i ≥ 0 at the time of learning, as in the code of the
    authors of BanditPerceptron (with `choice="largest"`); the others as for every learner.

    Guarantee: finitely many expected mistakes if the classes are strongly separable in the kernel's space, which
    group weak separability of margin γ gives for the rational kernel; the number is astronomic (`onebit.bounds`),
    and what is seen far smaller. With a budget, or on other data, none.

    >>> import onebit
    >>> stream = onebit.streams.group_separable(50_000)
    >>> curved = onebit.simulate(onebit.KernelBandit(9), stream).error
    >>> straight = onebit.simulate(onebit.BanditPerceptron(9), stream).error
    >>> bool(curved < 0.5 < straight)
    True

    Reference: Fakcharoenphol, Prompak, "Bandit multiclass linear classification for the group linear separable case",
    2024, Algorithm 1; a budget kept by removing random examples is that of Cavallanti, Cesa-Bianchi, Gentile,
    "Tracking the best hyperplane with a simple budget perceptron", Machine Learning 2007.
    """

    choice: str = one_of(*CHOICES, default="random")
    form: str = one_of("auto", "dual", "primal", default="auto")
    degree: int = checked(default=18, check=partial(check_whole, high=_HIGHEST_DEGREE))
    budget: int | None = checked(default=None, check=_check_budget)
    removal: str = one_of("oldest", "random", default="oldest")
    correct_others: bool = one_of(False, True, default=False, later=True)

    takes_noise = True
    zero_divides = True
    functions = Functions(decide, learn, score, pmf=pmf)
    decides_in = ("s", "x", "phi", "values")

    def check(self) -> None:
        """The primal form is for power series, and keeps no vectors."""
        if self.form != "primal":
            return
        if self.budget is not None:
            raise ConfigError(f"budget={self.budget}: is for form='dual'; the primal form keeps no examples")
        if not isinstance(self.kernel, Kernel) or self.kernel.coefficients(1) is None:
            raise ConfigError(
                f"form='primal': the kernel {self.kernel} is not a power series of ⟨x, x'⟩; use form='dual', or a "
                "linear learner on onebit.features.RandomFourier"
            )

    def hyper(self) -> Hyper:
        """Names as numbers."""
        choice = CHOICES.index(self.choice)
        return Hyper(self.kernel_values(), choice, self.budget or 0, self.removal == "random", self.correct_others)

    def start(self, layout: Layout) -> State:
        """No examples, or W = 0."""
        self.check_layout(layout)
        K = layout.n_classes
        d = layout.n_features
        dtype = layout.dtype
        plan = self._monomials(layout)
        F = len(plan.weight)
        blocks = 0 if F else self._blocks(np.zeros(K + 1, dtype=np.int64), 1)
        dual = new_dictionary(blocks, d, K, dtype, self._values_for(blocks))
        return State(
            blocks=dual.blocks, owner=dual.owner, counts=dual.counts, oldest=np.zeros(K, dtype=np.int64),
            values=dual.values, W=layout._replace(n_features=F, kind="dense").per_feature(), plan=plan.blocks,
            weight=plan.weight, phi=np.zeros((1, F), dtype=dtype), x=np.zeros(d + 1, dtype=dtype), s=layout.per_class(),
        )  # fmt: skip

    def scoring_state(self, state: State) -> State:
        """With other room for the row and its monomials."""
        return state._replace(x=state.x.copy(), phi=state.phi.copy(), values=state.values.copy())

    def capacity(self, state: State, lessons: int) -> int:
        """Blocks for the examples; none in primal form."""
        return 0 if state.W.shape[1] else self._blocks(state.counts, lessons)

    def _blocks(self, counts: IntArray, lessons: int) -> int:
        """Blocks for the examples kept and for those of so many lessons more: one each, or one of every class."""
        K = len(counts) - 1
        needed = blocks_for(counts, lessons * K if self.correct_others else lessons)
        return needed if self.budget is None else min(needed, K * -(-self.budget // BLOCK))

    def resized(self, state: State, capacity: int) -> State:
        """With so many blocks."""
        return state._replace(
            blocks=resized(state.blocks, capacity),
            owner=resized(state.owner, capacity),
            values=resized(state.values, self._values_for(capacity)),
        )

    def regrouped(self, state: State, layout: Layout, capacity: int, kept: Sequence[int], n_classes: int) -> State:
        """In dual form the blocks of the classes kept, in their order."""
        if not capacity:
            return super().regrouped(state, layout, capacity, kept, n_classes)  # type: ignore[no-any-return]  # a state
        after: State = self.start(layout._replace(n_classes=n_classes))
        used = int(state.counts[-1])
        number = np.full(layout.n_classes, -1)
        number[list(kept)] = np.arange(len(kept))
        owner = number[state.owner[:used]]
        after.counts[: len(kept)] = state.counts[list(kept)]
        after.oldest[: len(kept)] = state.oldest[list(kept)]
        return self._with_blocks(after, state.blocks[:used][owner >= 0], owner[owner >= 0])

    def bring_back(self, state: State, part: State, layout: Layout, capacity: int) -> None:
        """Nothing: deciding writes only to room, and the blocks of some classes stand in other places."""

    def class_part(self, state: State, layout: Layout, capacity: int, k: int) -> Part:
        """In dual form the blocks of the class, how many vectors they hold, and which is the oldest."""
        if not capacity:
            return super().class_part(state, layout, capacity, k)
        mine = np.flatnonzero(state.owner[: state.counts[-1]] == k)
        return state.blocks[mine], state.counts[k : k + 1].copy(), state.oldest[k : k + 1].copy()

    def put_class_part(self, state: State, layout: Layout, capacity: int, k: int, part: Part) -> State:
        """In dual form its blocks stand behind all others."""
        if not capacity:
            return super().put_class_part(state, layout, capacity, k, part)  # type: ignore[no-any-return]  # a state
        blocks, count, oldest = part
        used = int(state.counts[-1])
        state.counts[k] = count[0]
        state.oldest[k] = oldest[0]
        owner = np.concatenate([state.owner[:used], np.full(len(blocks), k)])
        return self._with_blocks(state, np.concatenate([state.blocks[:used], blocks]), owner)

    def _with_blocks(self, state: State, blocks: FloatArray, owner: IntArray) -> State:
        """The state with these blocks in use, and room for one lesson more."""
        state.counts[-1] = len(blocks)
        after = self.resized(state, self.capacity(state, 1))
        after.blocks[: len(blocks)] = blocks
        after.owner[: len(owner)] = owner
        return after

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it: in dual form so many blocks, one for each class at least; in primal form none."""
        self.check_width(layout)
        K = layout.n_classes
        d = layout.n_features
        F = self._monomial_count(layout)
        if capacity < K if F == 0 else capacity != 0:
            raise FormatError(f"capacity {capacity}")
        return State(
            blocks=reals(capacity, d + 2, BLOCK), owner=whole(capacity, high=K - 1),
            counts=whole(K + 1, high=capacity * BLOCK), oldest=whole(K, high=(self.budget or 1) - 1),
            values=room(self._values_for(capacity), dtype="float64"), W=reals(K, F), plan=whole(None, 4, high=F),
            weight=reals(F, dtype="float64"), phi=room(1, F), x=room(d + 1), s=room(K),
        )  # fmt: skip

    def check_state(self, state: State) -> None:
        """Each class has as many blocks as its vectors fill, and no more vectors than the budget; the plan is ours."""
        counts = state.counts[:-1]
        used = int(state.counts[-1])
        if used > len(state.owner):
            raise FormatError(f"array counts says that {used} blocks are in use, and there are {len(state.owner)}")
        filled = np.bincount(state.owner[:used], minlength=len(counts))
        if not np.array_equal(filled, -(-counts // BLOCK)) or counts.max() > (self.budget or counts.max()):
            raise FormatError("its arrays counts and owner do not fit together")
        fresh = self._monomials(Layout(len(state.s), len(state.x) - 1, "dense", self.dtype))
        if not (np.array_equal(fresh.blocks, state.plan) and np.array_equal(fresh.weight, state.weight)):
            raise FormatError("its arrays plan and weight are not those of the kernel")

    @property
    def stored(self) -> int:
        """How many vectors are kept; 0 in primal form.

        >>> import onebit
        >>> learner = onebit.KernelBandit(3, form="dual")
        >>> learner.learn(learner.decide([0.5, 0.2]), False)
        >>> learner.stored
        1
        """
        return 0 if self._session.layout is None else int(self._session.state.counts[:-1].sum())

    def _monomials(self, layout: Layout) -> Monomials:
        """The monomials of the primal form; none for the dual."""
        if self._monomial_count(layout) == 0:
            return Monomials(np.zeros((0, 4), dtype=np.int64), np.zeros(0))
        return monomials(layout.n_features, self._coefficients())

    def _monomial_count(self, layout: Layout) -> int:
        """How many monomials the primal form has; 0 for the dual."""
        found = self._coefficients()
        if self.form == "dual" or self.budget is not None or found is None:
            return 0
        features = monomial_count(layout.n_features, len(found) - 1)
        if self.form == "auto" and features > PRIMAL_UP_TO:
            return 0
        if features * layout.n_classes > _MOST_WEIGHTS:
            raise ConfigError(
                f"form='primal': {layout.n_features} features have {features:,} monomials up to degree "
                f"{len(found) - 1}; use form='dual', a smaller degree, or fewer features"
            )
        return features

    def _coefficients(self) -> Any:
        """Those of the kernel as a power series, if it is one."""
        return self.kernel.coefficients(self.degree) if isinstance(self.kernel, Kernel) else None

    def _values_for(self, blocks: int) -> int:
        """Room for what a kernel in Python says; compiled ones need none."""
        return 0 if isinstance(self.kernel, Kernel) else blocks * BLOCK
