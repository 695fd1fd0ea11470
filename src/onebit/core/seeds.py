"""One tree of seeds: from the seed of a run to the generators of its stream, channel and learner."""

from __future__ import annotations

from typing import Literal

import numpy as np

from onebit.core.checks import check_whole

Branch = Literal["stream", "channel", "learner", "structure", "closing"]
_LARGEST = 2**128 - 1
_BRANCHES: dict[Branch, int] = {"stream": 0, "channel": 1, "learner": 2, "structure": 3, "closing": 4}


def check_seed(seed: object, name: str = "seed") -> int:
    """The seed as an int, or a `ConfigError`.

    >>> check_seed(7)
    7
    """
    return check_whole(name, seed, 0, most=_LARGEST)


def bit_generator(seed: int, branch: Branch) -> np.random.PCG64:
    """The PCG64 generator of one branch of the tree that grows from `seed`.

    >>> bit_generator(0, "learner").random_raw() == bit_generator(0, "stream").random_raw()
    False
    """
    return np.random.PCG64(np.random.SeedSequence(check_seed(seed), spawn_key=(_BRANCHES[branch],)))
