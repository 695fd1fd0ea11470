"""BanditPA: passive-aggressive steps on the class that was played."""

from __future__ import annotations

from typing import NamedTuple

from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import number
from onebit.core.aliases import Rng
from onebit.core.registry import register
from onebit.learners.banditron import State, decide, pmf, schema
from onebit.ops.jit import jit
from onebit.ops.rows import Row, squared_norm
from onebit.ops.weights import add, dot


class Hyper(NamedTuple):
    """γ, the share of uniform exploration, and C, the aggressiveness."""

    gamma: float
    random_ties: bool
    C: float


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, bit: float, rng: Rng) -> int:
    """ℓ = max(0, 1 - σ w_ỹ·x);  w_ỹ += σ ℓ / (‖x‖² + 1/(2C)) x."""
    played = draw.labels[0]
    sigma = 1.0 if bit else -1.0
    loss = 1 - sigma * dot(state.W, played, row)
    if loss <= 0:
        return 0
    add(state.W, played, row, sigma * loss / (squared_norm(row) + 1 / (2 * hyper.C)))
    return 1


@register("bandit-pa")
class BanditPA(Learner):
    """Bandit Passive-Aggressive: one binary problem per class, "is it mine?", answered by the bit.

    It plays the best label, or with probability γ a uniform one. Only the played class learns: its score
    should be at least 1 when the label was right and at most -1 when it was wrong, and the smallest
    change of its weights that (softly) makes it so is taken. No propensity enters, so nothing blows up.

        σ = ±1 (right, wrong),   ℓ = max(0, 1 - σ w_ỹ·x),   w_ỹ += σ ℓ / (‖x‖² + 1/(2C)) x

    Parameters: `gamma`, the exploration γ from 0 to 1; `C` above 0, the aggressiveness: the larger, the
    closer each step comes to removing the whole loss; the others as for every learner.

    Guarantee: for the squared hinge losses of the played classes, the bound of the binary algorithm PA-II
    (Crammer et al., JMLR 2006, Theorem 5). None for the number of mistakes under exploration.

    >>> import onebit
    >>> result = onebit.simulate(onebit.BanditPA(9), onebit.streams.synsep(20_000), seeds=1)
    >>> bool(result.error < 0.02)
    True

    Reference: Zhong, Daucé, "Passive-aggressive bounds in bandit feedback classification", ECML PKDD
    2015.
    """

    gamma: float = number(default=2**-13, low=0, high=1)
    C: float = number(default=1.0, low=0, open_low=True)

    no_noise_because = "its step is not linear in the bit, and weighing both steps by h(f) and 1 - h(f) does it harm"
    functions = Functions(decide, learn, linear_score, pmf=pmf)
    decides_in = ("s",)

    def hyper(self) -> Hyper:
        """γ and C for compiled code."""
        return Hyper(self.gamma, self.ties == "random", self.C)

    def start(self, layout: Layout) -> State:
        """W = 0."""
        return State(layout.per_feature(), layout.per_class())

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        return schema(layout)
