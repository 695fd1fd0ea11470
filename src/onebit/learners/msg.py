"""MSG: least squares on the nodes of a graph, with an adaptive margin; it is told the true label."""

from __future__ import annotations

import numpy as np

from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import number
from onebit.core.registry import register
from onebit.learners import molgf
from onebit.learners.molgf import Hyper, State


@register("msg")
class MSG(Learner):
    """Multiclass selective learning on a graph: MOLGF in which every row weighs the same.

    It is told every label, and learns where it was wrong or its margin over the best rival j does not exceed the doubt
    σ by a factor φ. The rows are meant to be those of graph nodes (`onebit.streams.from_graph`).

        g = A⁻¹x,   q = x·g,   f = B g/(1+q),   σ = q/(2(1+q)),   ŷ = argmax f
        if ŷ ≠ y or f_y - f_j < φσ:   A += x xᵀ,   B_y += x,   B_j -= x

    A⁻¹ is kept as update vectors until there are d of them. Two updates are counted for a lesson, one for each class.

    Parameters: `b`, with A = bI at the start; `phi`, the margin φ; the others as for every learner.

    Guarantee: none is claimed. The algorithm is reconstructed from a description by others, who compare with it, and
    its margin may differ from the original's.

    >>> import onebit
    >>> stream = onebit.streams.planted_graph(500, d=10)
    >>> result = onebit.simulate(onebit.MSG(stream.classes), stream, onebit.Full(), seeds=1)
    >>> bool(result.error < 0.05)
    True

    Reference: Yang, Zhao, Hai, Liu, Hoi, Li, "Efficient multi-class selective sampling on graphs", UAI 2016, as it
    appears in Yang, Zhao, Gao, IJCAI 2018.
    """

    b: float = number(default=10, low=0, open_low=True)
    phi: float = number(default=30, low=0)

    feedback = "label"
    no_noise_because = "it is told the true label, not a bit"
    functions = molgf.functions
    decides_in = ("s",)

    def hyper(self) -> Hyper:
        """b and φ for compiled code, with a = 1."""
        return Hyper(self.b, self.phi, False, self.ties == "random")

    def start(self, layout: Layout) -> State:
        """W = 0, A = bI."""
        return molgf.first_state(layout, 1, "MSG", "GPA")

    def scoring_state(self, state: State) -> State:
        """The state with other room for `score`."""
        return state._replace(z=np.zeros_like(state.z))

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        return molgf.schema(layout, 1)
