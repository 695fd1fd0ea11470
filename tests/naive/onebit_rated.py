"""OneBit on sparse rows, by a grid of flip rates, obviously: whole matrices, one formula of it after another.

x is the row as features have it, z_e = W_e x the scores of expert e, and P_e its covariances: whole in the first 500
lessons where it has a warm-up, then their diagonals. How experts are mixed, heard, calibrated and restarted is as on
dense rows; there is no dictionary, so nothing grows.
"""

from typing import Any

import numpy as np

from tests.naive.onebit import Features
from tests.naive.onebit_curved import CurvedTwin
from tests.naive.shadow import illinois, softmax

WARM_UP = 500


class RatedTwin(CurvedTwin):
    def __init__(
        self, K: int, d: int, draw: np.random.Generator, rates: tuple[float, ...], warm: bool = True,
        variance: float | str = "auto", standardize: bool = True, **parameters: Any,
    ) -> None:  # fmt: skip
        """`rates` are those of the experts where noise is "auto", both ways."""
        self.warm = warm
        super().__init__(K, d, draw, rates, standardize=standardize, **parameters)
        kappa = 1 - self.rates.sum(axis=1)
        usual = 10_000 if variance == "auto" else float(variance)
        self.v = usual / self.m * np.where(kappa >= 0.95, 1, kappa**3)
        self.features = Features(d, "sparse", standardize)
        self.begin()

    def begin(self) -> None:
        """The prior: W = 0, P_e = v_e I; the statistics of the features stay."""
        super().begin()
        self.full = self.warm
        self.W = np.zeros((len(self.rates), self.K, self.d))
        one = np.eye(self.d) if self.full else np.ones(self.d)
        self.P = np.stack([np.stack([v * one] * self.K) for v in self.v])

    def kernels(self, row: Any) -> Any:
        """x itself."""
        return self.features(row)

    def grow(self, row: Any, k: Any, moved: float) -> Any:
        return k

    def expert_step(self, e: int, k: Any, posterior_of: Any) -> None:
        """w_r += τ g_r P_r x;  P_r -= h_r/(1 + h_r s_r) P_r x xᵀP_r, of which diagonals keep the diagonal.

        No step where no |g_r| is .01 (.001 with diagonals); whole matrices also leave single classes alone, and what
        would change by less than a thousandth.
        """
        z = (self.W[e] * k).sum(axis=1)
        p = softmax(z)
        g = posterior_of(p) - p
        if self.share[e] == 0 or np.abs(g).max() < (0.01 if self.full else 0.001):
            return
        if self.full:
            g = np.where(np.abs(g) < 0.01, 0, g)
        Px, s = self.spread_of(e, k)
        D = s * g
        V = (D * g).sum()

        def excess(tau: float) -> float:
            p = softmax(z + tau * D)
            return float((D * (posterior_of(p) - p)).sum() - tau * V)

        tau = illinois(excess, V)
        p = softmax(z + tau * D)
        q = posterior_of(p)
        h = np.maximum(0, p * (1 - p) - q * (1 - q))
        shrink = np.where(g != 0, h / (1 + h * s), 0)
        self.W[e] += (tau * g)[:, None] * Px
        if self.full:
            shrink = np.where(shrink * s < 1e-3, 0, shrink)
            self.P[e] -= shrink[:, None, None] * Px[:, :, None] * Px[:, None, :]
        else:
            self.P[e] -= shrink[:, None] * Px**2

    def spread_of(self, e: int, x: Any) -> tuple[Any, Any]:
        """P_r x, and s_r = xᵀP_r x, for every class."""
        Px = (self.P[e] * x).sum(axis=-1) if self.full else self.P[e] * x
        return Px, (Px * x).sum(axis=1)

    def watch(self, hit: int, comparable: bool) -> None:
        """After 500 lessons only diagonals are kept; then drift."""
        if self.full and self.n == WARM_UP:
            self.full, self.P = False, np.diagonal(self.P, axis1=2, axis2=3).copy()
        super().watch(hit, comparable)
