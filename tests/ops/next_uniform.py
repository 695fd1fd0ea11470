"""A generator made to give a certain number next."""

from typing import Any

import numpy as np

_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645


def generator_giving(u: float) -> Any:
    """A generator for compiled code whose next uniform number is u: PCG64, one step back from a state that gives it."""
    increment, wanted = 1, int(u * 2**53) << 11  # where the high word of the state is 0, the low word is the output
    state = (wanted - increment) * pow(_MULTIPLIER, -1, 2**128) % 2**128
    words = [half for number in (state, increment) for half in divmod(number, 2**64)]
    return np.array(words, dtype=np.uint64)
