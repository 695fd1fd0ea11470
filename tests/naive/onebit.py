"""OneBit, obviously: every class at once, whole covariances, one formula after another.

Rows are dense arrays here too; `kind` says how their features are prepared. Answers: `learn` takes a bit,
`learn_label` the number of the true label. `played` is always the tuple of labels.
"""

from typing import Any

import numpy as np

from tests.naive.common import best_labels
from tests.naive.shadow import illinois, softmax


class Features:
    """Dense rows: standardised, cut at 4. Sparse rows: rare features weigh more. Then unit norm, and a bias."""

    def __init__(self, d: int, kind: str, standardize: bool) -> None:
        self.kind, self.standardize, self.seen = kind, standardize, 0
        self.mean, self.variance = np.zeros(d), np.zeros(d)
        self.counts, self.weights = np.zeros(d, dtype=int), np.zeros(d)

    def observe(self, x: Any) -> None:
        self.seen += 1
        if self.kind == "dense":
            before = x - self.mean
            self.mean = self.mean + before / self.seen
            self.variance = self.variance + (before * (x - self.mean) - self.variance) / self.seen
            return
        self.counts = self.counts + (x != 0)
        fresh = (x != 0) & ((self.counts & (self.counts - 1)) == 0)  # n_j is a power of two
        self.weights = np.where(fresh, np.log((1 + self.seen) / (1 + self.counts)) + 2, self.weights)

    def __call__(self, x: Any) -> Any:
        if self.standardize and self.kind == "dense":
            deviation = np.sqrt(self.variance)
            varies = deviation > 0
            x = np.where(varies, np.clip((x - self.mean) / np.where(varies, deviation, 1), -4, 4), 0)
        elif self.standardize:
            x = self.weights * x
        norm = np.sqrt((x * x).sum())
        return np.append(x / norm if norm > 0 else x, 0.1) / np.sqrt(1.01)


class Twin:
    def __init__(
        self, K: int, d: int, draw: np.random.Generator, kind: str = "dense", m: int = 1, gamma: float = 0,
        noise: Any = "auto", curvature: str = "full", variance: float | str = "auto",
        drift: str | None = "restart", standardize: bool = True,
    ) -> None:  # fmt: skip
        self.K, self.d, self.m, self.gamma, self.draw = K, d + 1, m, gamma, draw
        self.features, self.curvature = Features(d, kind, standardize), curvature  # "warm": full for 500 lessons
        self.estimate, self.drift, self.standardize = noise == "auto", drift is not None, standardize
        self.rho = [0.05, 0.05] if self.estimate else list(noise or (0.0, 0.0))
        self.trust = 1.0 if self.estimate else (1 - sum(self.rho)) ** 2
        self.lying = self.trust < 1
        usual = 10_000 if kind == "sparse" else 100 if d <= 80 else 8_000 / d
        self.prior = (usual if variance == "auto" else float(variance)) / m
        self.N0 = self.F0 = self.N1 = self.F1 = self.N = self.F = 0.0
        self.a, self.b, self.S = 0.0, 1.0, 10 * np.eye(2)
        self.restarts, self.exploration, self.waiting = [0, 0], 1.0, 0
        self.begin()

    def begin(self) -> None:
        """The prior, and nothing heard; rates and explored plays are known already after a restart."""
        self.t = self.n = 0
        self.W = np.zeros((self.K, self.d))
        self.full = self.curvature != "diagonal"
        P = self.prior * self.trust * np.eye(self.d)
        self.P = np.stack([P if self.full else np.diag(P)] * self.K)
        self.N0 = self.F0 = self.N1 = self.F1 = 0.0
        self.bits = self.wrong = self.excess = 0.0

    def scores(self, x: Any) -> Any:
        return (self.W * self.features(x)).sum(axis=1)

    def spread(self, x: Any) -> tuple[Any, Any]:
        """P_r x, and s_r = xᵀP_r x, for every class."""
        Px = (self.P * x).sum(axis=-1) if self.full else self.P * x
        return Px, (Px * x).sum(axis=1)

    def inside(self, played: Any) -> Any:
        A = np.zeros(self.K, dtype=bool)
        A[list(played)] = True
        return A

    def count_row(self, row: Any) -> None:
        self.t += 1
        if self.standardize:
            self.features.observe(row)

    # Play

    def decide(self, row: Any) -> tuple[tuple[int, ...], int, float, bool]:
        self.count_row(row)
        self.waiting += 1
        z, x = self.scores(row), self.features(row)
        optimism = max(1, 5 / np.sqrt(self.d)) if self.curvature == "full" and self.d <= 64 else 0
        raised = z + optimism * np.sqrt(self.spread(x)[1])
        A = best_labels(raised, self.m)
        chance = self.swaps(softmax(raised), A)
        self.exploration += (chance.sum() - self.exploration) / min(self.t, 100)
        u, greedy = self.draw.random(), int(np.argmax(z))
        for r, sum_ in enumerate(np.cumsum(chance)):
            if u < sum_:
                return (*A[:-1], r), greedy, chance[r], True
        return A, greedy, 1 - chance.sum(), False

    def swaps(self, p: Any, A: tuple[int, ...]) -> Any:
        """How likely each label is to take the place of w, the last in A: those in A never."""
        K, w, chance, outside = self.K, A[-1], np.zeros(self.K), ~self.inside(A)
        c = p[outside].sum()
        steep = (20 if self.lying else 40) * self.trust * np.sqrt(K * self.t)
        chance[outside] = (1 - self.gamma) * c / (K * c + steep * (p[w] - p[outside])) + self.gamma / K
        return chance

    # Learn

    def recall(self, row: Any) -> tuple[Any, Any]:
        """x and z, as of now; the row is new if there is no decision that the lesson can be about."""
        if self.waiting == 0:
            self.count_row(row)
        self.waiting = max(0, self.waiting - 1)
        self.n += 1
        return self.features(row), self.scores(row)

    def learn(self, row: Any, played: Any, greedy: int, propensity: float, explored: bool, bit: int) -> None:
        (x, z), rho = self.recall(row), (self.rho[0], self.rho[1])
        p, A = softmax(z), self.inside(played)
        q = posterior(p, A, bit, rho)
        self.calibrate(z, A, bit, rho)
        self.step(x, z, lambda p: posterior(p, A, bit, rho))
        self.keep_diagonals()
        lies = self.estimate and self.hear(q[A].sum(), p[A].sum(), explored, bit)
        self.restart_if(self.drifts(not bit), lies)

    def learn_label(self, row: Any, played: Any, greedy: int, propensity: float, explored: bool, y: int) -> None:
        x, z = self.recall(row)
        self.calibrate(z, self.inside(played), int(y in played), (0.0, 0.0))
        self.step(x, z, lambda p: np.eye(self.K)[y])
        self.keep_diagonals()
        self.restart_if(self.drifts(y not in played), False)

    def step(self, x: Any, z: Any, posterior_of: Any) -> None:
        """w_r += τ g_r P_r x;  P_r -= h_r/(1 + h_r s_r) P_r x xᵀP_r, both only where g_r is not too small."""
        p = softmax(z)
        g = posterior_of(p) - p
        if np.abs(g).max() < (0.01 if self.full else 0.001):
            return
        if self.full:
            g = np.where(np.abs(g) < 0.01, 0, g)
        Px, s = self.spread(x)
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
        if self.full:
            shrink = np.where(shrink * s < 1e-3, 0, shrink)
        self.W = self.W + (tau * g)[:, None] * Px
        if self.full:
            self.P = self.P - shrink[:, None, None] * Px[:, :, None] * Px[:, None, :]
        else:
            self.P = self.P - shrink[:, None] * Px**2

    def keep_diagonals(self) -> None:
        """Of whole covariances only the diagonals are kept once it is warm."""
        if self.curvature == "warm" and self.n == 500:
            self.full, self.P = False, np.stack([np.diag(P) for P in self.P])

    # What the bits say of themselves

    def hear(self, inside: float, believed: float, explored: bool, bit: int) -> bool:
        """Online EM; moments of explored plays; whether bits lie so often that one should begin again."""
        keep = 1 - 1 / (self.n / 2 + 20)
        self.N1, self.F1 = keep * self.N1 + inside, keep * self.F1 + inside * (1 - bit)
        self.N0, self.F0 = keep * self.N0 + 1 - inside, keep * self.F0 + (1 - inside) * bit
        if self.m == 1 and explored:
            self.N += 1 - believed
            self.F += bit - believed * (1 - self.rho[1])
        rate = min(max(self.F / (self.N + 2), 0), 0.45)
        found = self.m == 1 and not self.lying and self.lies_show()
        self.lying = self.lying or found
        if found:
            self.rho = [rate, max(rate, min(self.rho[1], 0.45))]
        elif self.lying:
            self.rho = [rate, min(0.45, (self.F1 + 20 * rate) / (self.N1 + 20))]
        else:
            self.rho = [min(0.49, (self.F0 + 1) / (self.N0 + 20)), min(0.49, (self.F1 + 1) / (self.N1 + 20))]
        self.trust = (1 - sum(self.rho)) ** 2 if self.lying else 1.0
        return found

    def lies_show(self) -> bool:
        """Asked after 10K, 20K, ... 1280K bits."""
        if self.n not in [10 * self.K * 2**i for i in range(8)]:
            return False
        shown = 0.1 * self.N + 0.8 * np.sqrt(self.N) < self.F
        return bool(shown or (self.n >= 80 * self.K and self.rho[1] > 0.3))

    def drifts(self, wrong: bool) -> bool:
        """Page and Hinkley: whether wrong answers have become more frequent."""
        self.bits += 1
        self.wrong += wrong
        if self.bits > 50:
            self.excess = max(0.0, self.excess + wrong - self.wrong / self.bits - 0.15)
        return self.drift and self.excess > 25

    def restart_if(self, drift: bool, lies: bool) -> None:
        """Back to the prior; after drift the flip rates are unknown again, after lies bits are trusted less."""
        if drift and self.estimate:
            self.lying, self.trust, self.rho = False, 1.0, [0.05, 0.05]
            self.N = self.F = 0.0
        if drift or lies:
            self.restarts[0 if drift else 1] += 1
            self.begin()

    def calibrate(self, z: Any, A: Any, bit: int, rho: tuple[float, float]) -> None:
        """One Newton step for (a, b), with the information S about them; after a while for every fourth bit only."""
        if self.n > 4096 and self.n % 4:
            return
        log_odds = np.logaddexp.reduce(z[A]) - np.logaddexp.reduce(z[~A])
        v = np.array([1.0, np.clip(log_odds, -12, 12)])
        sure = 1 / (1 + np.exp(-(self.a * v[0] + self.b * v[1])))
        honest = 1 - rho[0] - rho[1]
        yes = rho[0] + honest * sure
        slope, variance = honest * sure * (1 - sure), max(yes * (1 - yes), 1e-9)
        self.S = self.S + slope**2 / variance * np.outer(v, v) + (10 * np.eye(2) - self.S) / (self.n / 2 + 100)
        step = np.linalg.solve(self.S, v) * (bit - yes) * slope / variance
        self.a, self.b = self.a + step[0], float(np.clip(self.b + step[1], 0.05, 10))


def posterior(p: Any, A: Any, bit: int, rho: tuple[float, float]) -> Any:
    """q_r ∝ p_r P(bit | r); if the bit is all but impossible, uniform over the labels it allows."""
    yes = np.where(A, 1 - rho[1], rho[0])
    likelihood = yes if bit else 1 - yes
    if (p * likelihood).sum() < 1e-12:
        p = np.ones(len(p))
    return p * likelihood / (p * likelihood).sum()
