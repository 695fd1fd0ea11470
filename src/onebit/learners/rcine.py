"""RCINE: RCNBF that estimates the flip rates while it learns."""

from __future__ import annotations

from functools import partial
from typing import Any

from onebit.contract.compiled import Functions
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import checked, choice, number
from onebit.core.checks import check_whole
from onebit.core.registry import register
from onebit.learners.rcnbf import NOT_AVERAGED_AMONG, Hyper, State, decide, first_state, learn, pmf, schema, score
from onebit.noise.live import Reestimated, check_estimator
from onebit.noise.tail_moment import TailMoment


@register("rcine")
class RCINE(Learner):
    """RCNBF with Implicit Noise Estimation: Banditron when the bit lies at rates that nobody knows.

    It is RCNBF that starts with ρ̂ = (0, 0), keeps its last N_s lessons (row, label, propensity, bit), and
    after every N_s of them estimates ρ̂ again. `noise_history` has the estimates.

        h(1) = (1-ρ̂0)/β̂,   h(0) = -ρ̂0/β̂,   w_ỹ += (h(f) / p_ỹ) x,   w_ŷ -= x
        every N_s lessons:   ρ̂ = estimator.fit(rows, played, propensity, bit)

    Parameters: `gamma`, the exploration γ between 0 and 0.5; `estimator`, `onebit.noise.TailMoment()` by
    default, `onebit.noise.NREst()` for the paper's, or any object with such a `fit`; `N_s`, which should be
    at least 20,000 for an estimate that can be trusted; `average` as for RCNBF; the others as for every
    learner. The lesson that completes a window waits for the estimate: about a second for 60,000 rows of
    784 features.

    Guarantee: RCNBF's, were the estimates exact.

    >>> import onebit
    >>> stream, noise = onebit.streams.synsep(60_000), onebit.NoisyBit(0.3, 0.2)
    >>> result = onebit.simulate(onebit.RCINE(9, gamma=0.2, N_s=30_000), stream, feedback=noise)
    >>> [estimate.lessons for estimate in result.learners[0].noise_history]
    [30000, 60000]
    >>> rates = result.learners[0].noise_rates
    >>> bool(abs(rates.rho_0 - 0.3) < 0.03 and abs(rates.rho_1 - 0.2) < 0.03)
    True

    Reference: Agarwal, Manwani, "Learning multiclass classifier under noisy bandit feedback", PAKDD 2021,
    Algorithm 2 (which prints ŷ where ỹ belongs).
    """

    gamma: float = number(default=2**-3, low=0, high=0.5, open_low=True, open_high=True)
    estimator: Any = checked(default=TailMoment(), check=check_estimator)
    N_s: int = checked(default=20_000, check=partial(check_whole, of="lessons", floats=True))
    average: bool = choice(False, True, default=False)

    no_noise_because = "it has an estimator of its own; give that as estimator=..."
    functions = Functions(decide, learn, score, pmf=pmf)
    decides_in = ("s",)

    @property
    def no_among_because(self) -> str:
        """When averaging, ŷ of the update is the best of all labels, and may be one that could not be played."""
        return NOT_AVERAGED_AMONG if self.average else ""

    def hyper(self) -> Hyper:
        """γ and whether to average, for compiled code."""
        return Hyper(self.gamma, self.ties == "random", self.average)

    def flip_rates(self) -> Reestimated:
        """Estimated every N_s lessons."""
        return Reestimated(self.estimator, self.N_s)

    def start(self, layout: Layout) -> State:
        """W = 0, U = 0."""
        return first_state(layout, self.average)

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        return schema(layout, self.average)
