"""BanditPerceptron: K binary perceptrons, each of which says whether it may be played."""

from __future__ import annotations

from typing import NamedTuple

from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import choice as one_of
from onebit.contract.schema import reals, room
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.registry import register
from onebit.ops.jit import jit
from onebit.ops.random import first_best, uniform
from onebit.ops.rows import Row
from onebit.ops.weights import add, scores

CHOICES = ("random", "first", "largest")
"""How a label is chosen among those whose score is 0 or above."""

_RANDOM, _FIRST, _LARGEST = range(3)
"""Their numbers in compiled code."""


class Hyper(NamedTuple):
    """The choice in S, as its number in `CHOICES`; whether a right answer corrects the other classes."""

    choice: int
    correct_others: bool


class State(NamedTuple):
    """W (K × d), and room for K scores."""

    W: FloatArray
    s: FloatArray


@jit
def play_nonnegative(s: FloatArray, rule: int, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """Play one of S = {i : s_i ≥ 0} by the rule, or a uniform label if S is empty, which counts as exploring.

    Two numbers are drawn in every round, used or not: learners with the same scores draw alike.
    """
    # Draw before anything is decided.
    K = s.shape[0]
    any_label = uniform(rng)
    any_member = uniform(rng)
    greedy = first_best(s)
    # How many are in S; without any, a uniform label.
    n = 0
    for k in range(K):
        n += s[k] >= 0
    if n == 0:
        labels[0] = min(int(any_label * K), K - 1)
        return 1 / K, greedy, True
    if rule == _LARGEST:
        labels[0] = greedy
        return 1.0, greedy, False
    # The first of S, or the one that was drawn.
    skip = min(int(any_member * n), n - 1) if rule == _RANDOM else 0
    for k in range(K):
        if s[k] >= 0:
            if skip == 0:
                labels[0] = k
                break
            skip -= 1
    return (1 / n if rule == _RANDOM else 1.0), greedy, False


@jit
def nonnegative_pmf(s: FloatArray, rule: int, out: FloatArray) -> None:
    """How likely `play_nonnegative` is to play each label."""
    K = s.shape[0]
    n = 0
    first = K
    for k in range(K):
        n += s[k] >= 0
        first = k if s[k] >= 0 and first == K else first
    # A uniform label, one of S, or the one that the rule names.
    for k in range(K):
        if n == 0:
            out[k] = 1 / K
        elif rule == _RANDOM:
            out[k] = 1 / n if s[k] >= 0 else 0.0
        else:
            out[k] = 1.0 if k == (first_best(s) if rule == _LARGEST else first) else 0.0


@jit
def step_factor(draw: Draw, f: float, k: int, says_yes: bool) -> float:
    """By how much x is added to class k; 0 is no lesson.

    The played class: f where S was empty, f - 1 elsewhere. Any other: -f, if it is to be corrected where it says yes.
    """
    if k == draw.labels[0]:
        return f if draw.explored else f - 1
    return -f if says_yes else 0.0


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """Play from S = {i : w_i · x ≥ 0}."""
    scores(state.W, row, state.s)
    return play_nonnegative(state.s, hyper.choice, rng, labels)


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """One of S = {i : w_i · x ≥ 0}, by the choice."""
    scores(state.W, row, state.s)
    nonnegative_pmf(state.s, hyper.choice, out)


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, f: float, rng: Rng) -> int:
    """S empty: w_ỹ += f x.  Otherwise: w_ỹ -= (1 - f) x.  Others that say yes, if they are corrected: w_j -= f x."""
    played = draw.labels[0]
    if not hyper.correct_others:
        step = step_factor(draw, f, played, True)
        if step == 0:
            return 0
        add(state.W, played, row, step)
        return 1
    s = state.s
    scores(state.W, row, s)
    updates = 0
    for k in range(s.shape[0]):
        step = step_factor(draw, f, k, s[k] >= 0)
        if step != 0:
            add(state.W, k, row, step)
            updates += 1
    return updates


@register("bandit-perceptron")
class BanditPerceptron(Learner):
    """K binary perceptrons under bandit feedback: play one that says yes, correct it if it is wrong.

    S holds the classes whose perceptron says yes. One of them is played and, if wrong, corrected; if none says
    yes, a uniform label is played and, if right, learned.

        S = {i : w_i · x ≥ 0};   S empty: ỹ uniform, w_ỹ += f x;   otherwise ỹ ∈ S, w_ỹ -= (1 - f) x

    Parameters: `choice`, which of S is played: "random", "first" or "largest" score; `correct_others`, whether a right
    answer also corrects every other class that says yes, w_j -= f x where w_j · x ≥ 0 at the time of learning, as the
    code of its authors does (with `choice="largest"`) and the paper does not; the others as for every learner. There is
    no bias: append a constant feature if the data want one.

    Guarantee: for strongly separable data with margin γ in a ball of radius R, at most (K-1)⌊4(R/γ)²⌋ expected
    mistakes (`onebit.bounds`), whether or not others are corrected. On other data there is none, and it can err almost
    always.

    >>> import onebit
    >>> stream = onebit.streams.synsep(20_000)
    >>> result = onebit.simulate(onebit.BanditPerceptron(9), stream, seeds=1)
    >>> bool(result.error < 0.1)
    True

    Reference: Beygelzimer, Pál, Szörényi, Thiruvenkatachari, Wei, Zhang, "Bandit multiclass linear classification:
    efficient algorithms for the separable case", ICML 2019, Algorithm 1.
    """

    choice: str = one_of(*CHOICES, default="random")
    correct_others: bool = one_of(False, True, default=False, later=True)

    takes_noise = True
    zero_divides = True
    functions = Functions(decide, learn, linear_score, pmf=pmf)
    decides_in = ("s",)

    def hyper(self) -> Hyper:
        """The choice by its number."""
        return Hyper(CHOICES.index(self.choice), self.correct_others)

    def start(self, layout: Layout) -> State:
        """W = 0."""
        return State(layout.per_feature(), layout.per_class())

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        K = layout.n_classes
        d = layout.n_features
        return State(W=reals(K, d), s=room(K))
