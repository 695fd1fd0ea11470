"""OSLGBandit: least squares per class on the nodes of a graph, played with optimism."""

from __future__ import annotations

import numpy as np

from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import number
from onebit.core.registry import register
from onebit.learners import molgb
from onebit.learners.molgb import Hyper
from onebit.learners.molgf import State, first_state, schema


@register("oslg-bandit")
class OSLGBandit(Learner):
    """Online spectral learning on a graph with bandit feedback: a ridge regression per class, played with optimism.

    It is MOLGB in which every row weighs the same, and the played class learns in every round. What it plays is decided
    by the past alone, so propensities are 1. The rows are meant to be those of graph nodes
    (`onebit.streams.from_graph`).

        g_k = A_k⁻¹x,   q_k = x·g_k,   v_k = w_k·x/(1+q_k),   σ_k = q_k/(2(1+q_k)),   k = argmax v_k + η√σ_k
        then for k:   A_k += x xᵀ,   w_k += (C - w_k·x) A_k⁻¹x   with C = 1 if k was right and -1 if wrong

    The inverses are kept as update vectors until a class has d of them.

    Parameters: `b`, with A_k = bI at the start; `eta`, the width η of the optimism; the others as for every learner.

    Guarantee: none is claimed. The algorithm is reconstructed from descriptions.

    >>> import onebit
    >>> stream = onebit.streams.planted_graph(500, d=10)
    >>> result = onebit.simulate(onebit.OSLGBandit(stream.classes), stream, seeds=1)
    >>> bool(result.error < 0.05)
    True

    Reference: Gu, Han, "Online spectral learning on a graph with bandit feedback", ICDM 2014, as it appears in Yang,
    Zhao, Gao, IJCAI 2018.
    """

    b: float = number(default=10, low=0, open_low=True)
    eta: float = number(default=0.5, low=0)

    takes_noise = True
    functions = molgb.functions
    decides_in = ("z", "s", "C")

    def hyper(self) -> Hyper:
        """b and η for compiled code, with a = 1 and no margin."""
        return Hyper(self.b, 0.0, self.eta, False, False, self.ties == "random")

    def start(self, layout: Layout) -> State:
        """W = 0, A_k = bI."""
        return first_state(layout, layout.n_classes, "OSLGBandit", molgb.INSTEAD)

    def scoring_state(self, state: State) -> State:
        """The state with other room for `score`."""
        return state._replace(z=np.zeros_like(state.z), C=np.zeros_like(state.C))

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        return schema(layout, layout.n_classes)
