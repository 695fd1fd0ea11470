"""What a learner cannot do without."""

from typing import Any

import numpy as np

from onebit.contract.kernel_learner import KernelLearner
from onebit.core.registry import learner_class
from onebit.graph import Graph


def small_world(n: int, weighted: bool = False) -> Graph:
    """A ring of n nodes with some chords, whose edges weigh 1, or differ."""
    draw = np.random.default_rng(n)
    matrix = np.triu(np.roll(np.eye(n), 1, axis=1) + (draw.random((n, n)) < 2 / n), 1) > 0
    matrix[0, n - 1] = True
    weights = draw.uniform(0.5, 2, size=(n, n)) if weighted else np.ones((n, n))
    upper = np.where(matrix, weights, 0)
    return Graph.of(upper + upper.T)


def needed(name: str, n_features: int) -> dict[str, Any]:
    """What a learner needs for rows of so many features, and any norm: a graph to walk, a kernel of the distance."""
    cls: Any = learner_class(name)
    walks = {"graph": small_world(n_features)} if cls.walks_graph else {}
    return walks | ({"kernel": "rbf"} if issubclass(cls, KernelLearner) else {})
