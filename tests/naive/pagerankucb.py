"""PageRankUCB, obviously: p and r of the push as whole vectors, N and R as whole tables."""

from collections import deque
from typing import Any

import numpy as np

from tests.naive.common import corrected


def page_rank(S: Any, x: Any, teleport: float, eps: float) -> Any:
    """Pushes from the weights x, of which negative ones count as 0, until no node is left with r ≥ eps deg."""
    n, edges = len(S), S.sum(axis=1)
    deg = np.where(edges > 0, edges, 1)
    mass = x.clip(0).sum()
    if mass == 0:
        return np.zeros(n)
    p, r = np.zeros(n), x.clip(0) / mass
    waiting = deque(i for i in range(n) if r[i] >= eps * deg[i])
    while waiting:
        u = waiting.popleft()
        p[u] += teleport * r[u] if edges[u] > 0 else r[u]
        onward, r[u] = (1 - teleport) * r[u], 0
        for v in np.flatnonzero(S[u]).tolist():
            r[v] += onward * S[u, v] / deg[u]
            if r[v] >= eps * deg[v] and v not in waiting:
                waiting.append(v)
    return mass * p


class Twin:
    def __init__(
        self, K: int, d: int, draw: np.random.Generator, graph: Any, teleport: float = 0.05, eps: float = 1e-4,
        tau: float = 0.1, eta: float = 0.5, ties: str = "first", noise: Any = None,
    ) -> None:  # fmt: skip
        self.S, self.N, self.R = graph.matrix.toarray(), np.zeros((K, d)), np.zeros((K, d))
        self.teleport, self.eps, self.tau, self.eta = teleport, eps, tau, eta
        self.ties, self.noise, self.draw = ties, noise, draw

    def scores(self, x: Any) -> Any:
        return (self.R @ x + self.tau / len(self.N)) / (np.maximum(self.N @ x, 0) + self.tau)

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        s = self.scores(x)
        upper = s + self.eta * np.sqrt(self.tau / (np.maximum(self.N @ x, 0) + self.tau))
        tied = np.flatnonzero(upper == upper.max()) if self.ties == "random" else [np.argmax(upper)]
        played = tied[int(self.draw.random() * len(tied))] if len(tied) > 1 else tied[0]
        return int(played), int(np.argmax(s)), 1 / len(tied), False

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, bit: int) -> None:
        edges = self.S.sum(axis=1)
        reached = page_rank(self.S, x, self.teleport, self.eps) / np.where(edges > 0, edges, 1)
        self.N[played] += reached
        self.R[played] += corrected(bit, self.noise) * reached
