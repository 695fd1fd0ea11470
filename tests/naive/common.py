"""What several twins share."""

from typing import Any

import numpy as np


def gamma_greedy(s: Any, gamma: float, draw: np.random.Generator) -> tuple[int, int, float, bool]:
    """One uniform u: below γ it explores, and u/γ picks the label."""
    K = len(s)
    greedy = int(np.argmax(s))
    u = draw.random()
    played = int(u / gamma * K) if u < gamma else greedy
    p = np.full(K, gamma / K)
    p[greedy] += 1 - gamma
    return played, greedy, p[played], u < gamma
