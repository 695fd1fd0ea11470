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


def best_labels(s: Any, m: int) -> tuple[int, ...]:
    """The m labels with the largest scores, the lowest label first among equals."""
    return tuple(sorted(range(len(s)), key=lambda r: (-s[r], r))[:m])


def corrected(bit: int, noise: Any) -> float:
    """h(f), for flip rates (rho_0, rho_1); f itself if there are none."""
    rho_0, rho_1 = noise or (0.0, 0.0)
    return (1 - rho_0 if bit else -rho_0) / (1 - rho_0 - rho_1)


def from_the_willing(s: Any, choice: str, draw: np.random.Generator) -> tuple[int, int, float, bool]:
    """Play one of S = {i : s_i ≥ 0}, or anything if S is empty: played, greedy, propensity, whether S was empty."""
    K, u, v = len(s), draw.random(), draw.random()
    greedy = int(np.argmax(s))
    S = [i for i in range(K) if s[i] >= 0]
    if not S:
        return int(u * K), greedy, 1 / K, True
    if choice == "largest":
        return greedy, greedy, 1.0, False
    if choice == "first":
        return S[0], greedy, 1.0, False
    return S[int(v * len(S))], greedy, 1 / len(S), False
