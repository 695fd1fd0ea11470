"""Typed aliases."""

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Label = Hashable
FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.int64]
Rng = NDArray[np.uint64]
"""The state of one PCG64 generator, as `onebit.ops.random` keeps it."""
Progress = Callable[[str, int, int], None]
"""Hears of long work: what is done, how much of it so far, and of how much in all."""
