"""OneBit for raw cases, obviously: the members of the bank one after another, on dense arrays.

One of them may keep cases: `Kept` has its weights on these, and their whole covariances. What it shares with OneBit for
rows of numbers (flip rates, drift, calibration, exploration) it has from there.
"""

from typing import Any

import numpy as np

from tests.naive.common import best_labels
from tests.naive.onebit import Twin
from tests.naive.shadow import illinois, softmax

NUMBERS, PLACES = 256, 512  # columns of quantities: those of numbers, then those of vectors
CURVED = 1  # the member that keeps cases
NOVEL, NEWS, SHRINKS = 0.02, 0.01, 0.1


class Kept:
    """Cases that are kept, u in single precision, and one member's weights V and covariances P on them."""

    def __init__(self, K: int, variance: float, budget: int) -> None:
        self.v, self.budget = variance, budget
        self.u, self.squares = np.zeros((0, NUMBERS + PLACES)), np.zeros(0)
        self.inverse, self.V, self.P = np.zeros((0, 0)), np.zeros((K, 0)), np.zeros((K, 0, 0))

    def kernels(self, u: Any) -> Any:
        return np.exp(-(u @ u + self.squares - 2 * self.u @ u))

    def grow(self, u: Any, k: Any) -> Any:
        """With m = (-K⁻¹k, 1)/√δ: K⁻¹ ← (K⁻¹ ⊕ 0) + m mᵀ, P_r ← (P_r ⊕ 0) + v m mᵀ; k to what is kept then."""
        left = 1 - k @ self.inverse @ k
        if len(k) >= self.budget or left <= NOVEL:
            return k
        m = np.append(-self.inverse @ k, 1) / np.sqrt(left)
        self.inverse = np.pad(self.inverse, (0, 1)) + np.outer(m, m)
        self.P = np.pad(self.P, ((0, 0), (0, 1), (0, 1))) + self.v * np.outer(m, m)
        self.V = np.pad(self.V, ((0, 0), (0, 1)))
        self.u = np.vstack([self.u, np.float32(u)])
        self.squares = np.append(self.squares, np.float32(u @ u))
        return np.append(k, 1)


class BankTwin(Twin):
    def __init__(self, K: int, d: int, draw: np.random.Generator, curved: bool = False, **parameters: Any) -> None:
        variance = parameters.pop("variance", "auto")
        self.budget = parameters.pop("budget", 256)
        m = parameters.get("m", 1)
        self.v = [0.3 * K / m, 5 * K / m, 300 * K / m] if variance == "auto" else [variance / m]
        self.handicap = np.array([20.0, 10.0, 0.0] if variance == "auto" else [0.0])
        self.curved, self.seen = curved, np.zeros(2, dtype=int)
        if curved:
            self.v.insert(CURVED, self.v[0])
            self.handicap = np.insert(self.handicap, CURVED, 10.0)
        super().__init__(K, d, draw, "sparse", curvature="diagonal", **parameters)

    def begin(self) -> None:
        super().begin()
        self.kept = Kept(self.K, 100 / self.m * self.trust, self.budget if self.curved else 0)
        B = len(self.v)
        self.W = np.zeros((B, self.K, self.d))
        self.information = np.zeros((self.K, self.d))
        self.evidence = np.zeros(B)
        self.share = np.exp(-self.handicap) / np.exp(-self.handicap).sum()

    def count_row(self, row: Any) -> None:
        """Which numbers and places there are so far is seen from their columns."""
        super().count_row(row)
        for i, part in enumerate([row[:NUMBERS], row[NUMBERS : NUMBERS + PLACES]]):
            self.seen[i] = max([self.seen[i], *(np.flatnonzero(part) + 1)])

    def quantities(self, row: Any) -> Any:
        """u: numbers times √2/√d₊, places of vectors as they are."""
        return np.append(row[:NUMBERS] * np.sqrt(2 / max(self.seen[0], 1)), row[NUMBERS : NUMBERS + PLACES])

    def scores_of(self, b: int, row: Any) -> Any:
        """z of one member: those of the member that keeps cases are the sum over both parts."""
        z = self.W[b] @ self.features(row)
        if self.curved and b == CURVED:
            z = z + self.kept.V @ self.kept.kernels(self.quantities(row))
        return z

    def beliefs(self, row: Any) -> Any:
        """p of each member, and of all together."""
        each = np.array([softmax(self.scores_of(b, row)) for b in range(len(self.v))])
        return each, self.share @ each

    def decide(self, row: Any, among: Any = None) -> tuple[tuple[int, ...], int, float, bool]:
        self.count_row(row)
        self.waiting += 1
        is_open = self.inside(range(self.K) if among is None else among)
        p = np.where(is_open, self.beliefs(row)[1], -1)
        A = best_labels(p, self.m)
        greedy = int(np.argmax(p))
        if not is_open.all():
            p = np.where(is_open, p / p[is_open].sum(), 0)
        chance = np.where(is_open, self.swaps_among(p, A, is_open.sum()), 0)
        self.exploration += (chance.sum() - self.exploration) / min(self.t, 100)
        u = self.draw.random()
        for r, sum_ in enumerate(np.cumsum(chance)):
            if u < sum_:
                return (*A[:-1], r), greedy, chance[r], True
        return A, greedy, 1 - chance.sum(), False

    def swaps_among(self, p: Any, A: tuple[int, ...], n: int) -> Any:
        """`swaps` where there are n labels."""
        every, self.K = self.K, n
        K, w, chance, outside = n, A[-1], np.zeros(every), np.ones(every, dtype=bool)
        outside[list(A)] = False
        c = p[outside].sum()
        steep = (20 if self.lying else 40) * self.trust * np.sqrt(K * self.t)
        chance[outside] = (1 - self.gamma) * c / (K * c + steep * (p[w] - p[outside])) + self.gamma / K
        self.K = every
        return chance

    def learn(self, row: Any, played: Any, greedy: int, propensity: float, explored: bool, bit: int) -> None:
        A, rho = self.inside(played), (self.rho[0], self.rho[1])
        doubt = 0 if bit else 0.02 / self.K**2
        p = self.answer(row, A, A, bit, bit, rho, lambda p: posterior(p, A, bit, rho, doubt))
        lies = self.estimate and self.hear(posterior(p, A, bit, rho, 0)[A].sum(), p[A].sum(), explored, bit)
        self.restart_if(self.drifts(not bit), lies)

    def learn_label(self, row: Any, played: Any, greedy: int, propensity: float, explored: bool, y: int) -> None:
        label = np.eye(self.K)[y]
        hit = int(y in played)
        self.answer(row, self.inside(played), label > 0, hit, 1, (0.0, 0.0), lambda p: label)
        self.restart_if(self.drifts(not hit), False)

    def answer(self, row: Any, A: Any, asked: Any, hit: int, bit: int, rho: Any, posterior_of: Any) -> Any:
        """What lessons of both kinds share: A was played, and the answer is about the labels `asked`."""
        if self.waiting == 0:
            self.count_row(row)
        self.waiting = max(0, self.waiting - 1)
        self.n += 1
        x = self.features(row)
        each, p = self.beliefs(row)
        self.calibrate(np.log(np.maximum(p, 1e-300)), A, hit, rho)
        h = np.zeros(self.K)
        P = [1 / (1 / (v * self.trust) + self.information) for v in self.v]
        for b in np.flatnonzero(self.share).tolist():
            yes = rho[0] + (1 - sum(rho)) * each[b][asked].sum()
            self.evidence[b] = 0.999 * self.evidence[b] - 2 * (bit - yes) ** 2
            h += self.share[b] * self.member_step(b, row, x, P[b], posterior_of)
        self.information = self.information + np.outer(h, x**2)
        behind = self.handicap - self.evidence
        behind = behind - behind[self.share > 0].min()
        asleep = (self.share == 0) | ((behind > 50) & (self.n >= 5000))
        self.share = np.where(asleep, 0, np.maximum(np.exp(-np.maximum(behind, 0)), 1e-3))
        self.share /= self.share.sum()
        return p

    def member_step(self, b: int, row: Any, x: Any, P: Any, posterior_of: Any) -> Any:
        """w_r += τ g_r P_r x; returns the curvature at the end. V_r += τ g_r P_r k and so on where cases are kept."""
        z = self.scores_of(b, row)
        p = softmax(z)
        g = posterior_of(p) - p
        if np.abs(g).max() < min(0.3 / self.K, 0.05):
            return np.zeros(self.K)
        s = (P * x**2).sum(axis=1)
        kept = self.kept
        steps = self.curved and b == CURVED
        if steps:
            u = self.quantities(row)
            k = kept.kernels(u)
            k = kept.grow(u, k) if self.seen.any() else k
            Pk = kept.P @ k
            on_kept = np.where(np.abs(g) >= NEWS, Pk @ k, 0)
            s = s + on_kept
        D = s * g
        V = (D * g).sum()

        def excess(tau: float) -> float:
            p = softmax(z + tau * D)
            return float((D * (posterior_of(p) - p)).sum() - tau * V)

        tau = illinois(excess, V)
        p = softmax(z + tau * D)
        q = posterior_of(p)
        self.W[b] += (tau * g)[:, None] * P * x
        h = np.maximum(0, p * (1 - p) - q * (1 - q))
        if steps:
            moved = np.abs(g) >= NEWS
            kept.V += np.where(moved, tau * g, 0)[:, None] * Pk
            shrink = np.where(moved, h / (1 + h * on_kept), 0)
            shrink = np.where(shrink * on_kept < SHRINKS, 0, shrink)
            kept.P -= shrink[:, None, None] * Pk[:, :, None] * Pk[:, None, :]
        return h

    def lies_show(self) -> bool:
        """Asked after 10K, 20K, ... 1280K bits, by four deviations."""
        if self.n not in [10 * self.K * 2**i for i in range(8)]:
            return False
        shown = 0.1 * self.N + 4 * np.sqrt(self.N) < self.F
        return bool(shown or (self.n >= 80 * self.K and self.rho[1] > 0.3))


def posterior(p: Any, A: Any, bit: int, rho: tuple[float, float], doubt: float) -> Any:
    """q_r ∝ (p_r + doubt) P(bit | r); if the bit is all but impossible, uniform over the labels it allows."""
    yes = np.where(A, 1 - rho[1], rho[0])
    likelihood = yes if bit else 1 - yes
    prior = p + doubt
    if (p * likelihood).sum() < 1e-12:
        prior = np.ones(len(p))
    return prior * likelihood / (prior * likelihood).sum()
