"""OneBit on dense rows, obviously: whole matrices, one formula of its definition after another.

k is the kernel of a row to every kept case, z_e = W_e k the scores of expert e, and P_e its covariances, whole: they
grow with the dictionary. What all forms of OneBit share (drift, calibration, exploration) it has from there.

Sums over kept cases are written as such, and not as matrix products, which round alike rows in different ways: classes
of which the bits so far say the same must tie, here as there.
"""

from typing import Any

import numpy as np

from tests.naive.common import best_labels
from tests.naive.onebit import Twin, posterior
from tests.naive.shadow import illinois, softmax

SHARES = 0.25, 0.55
LINEAR = 0.2
NOVEL = 0.02  # δ
NEWS = 0.01  # |q - p|
NEWS_IN_DOUBT = 0.003  # the same where κ < .75
SHRINKS = 0.1  # h s/(1 + h s)


class Views:
    """a: columns of equal standing; b: columns as they are. Statistics are of the type of the rows."""

    def __init__(self, d: int, standardize: bool, dtype: str) -> None:
        self.standardize, self.seen = standardize, 0
        self.mean, self.variance = np.zeros((2, d), dtype)

    def observe(self, x: Any) -> None:
        """Welford."""
        self.seen += 1
        share = self.mean.dtype.type(1 / self.seen)
        before = x - self.mean
        self.mean = self.mean + share * before
        self.variance = self.variance + share * (before * (x - self.mean) - self.variance)

    def __call__(self, x: Any) -> tuple[Any, Any]:
        x, mean, variance = (np.asarray(v, np.float64) for v in (x, self.mean, self.variance))
        if not self.standardize:
            return cut(unit(x)), cut(unit(x))
        varies = variance > 0
        if not varies.any():
            return np.zeros(len(x)), np.zeros(len(x))
        deviations = (x - mean) / np.where(varies, np.sqrt(variance), 1)
        a = np.where(varies, np.clip(deviations, -4, 4), 0) / np.sqrt(varies.sum())
        b = (x - mean) / np.sqrt(variance.sum())
        return cut(a), cut(b)


def first_shares(E: int) -> Any:
    """Nine tenths for the first expert, which trusts the bits, the rest for the others in equal parts."""
    return np.array([0.9, *[0.1 / (E - 1)] * (E - 1)]) if E > 1 else np.ones(1)


def unit(x: Any) -> Any:
    length = np.sqrt(x @ x)
    return x / length if length > 0 else x


def cut(view: Any) -> Any:
    """No longer than 2."""
    length = np.sqrt(view @ view)
    return view * 2 / length if length > 2 else view


class Kept:
    """One view of the kept cases, in single precision, and so are their squared lengths."""

    def __init__(self, d: int) -> None:
        self.rows, self.squares = np.zeros((0, d)), np.zeros(0)

    def add(self, view: Any) -> None:
        self.rows = np.vstack([self.rows, single(view)])
        self.squares = np.append(self.squares, single(view @ view))

    def kernels(self, view: Any) -> Any:
        """exp(-‖x - x'‖²)."""
        return np.exp(-(view @ view + self.squares - 2 * self.rows @ view))


def single(x: Any) -> Any:
    return np.float64(np.float32(x))


class CurvedTwin(Twin):
    def __init__(
        self, K: int, d: int, draw: np.random.Generator, rates: tuple[float, ...],
        m: int = 1, gamma: float = 0, noise: Any = "auto", variance: float | str = "auto", budget: int = 256,
        drift: str | None = "restart", standardize: bool = True, dtype: str = "float64",
    ) -> None:  # fmt: skip
        """`rates` are those of the experts where noise is "auto", both ways."""
        self.rates = np.array([(rate, rate) for rate in rates] if noise == "auto" else [noise or (0.0, 0.0)])
        kappa = 1 - self.rates.sum(axis=1)
        trusted = kappa >= 0.95
        self.v = (100 if variance == "auto" else float(variance)) / m * np.where(trusted, 1, 0.3 * np.sqrt(kappa))
        self.c = np.where(trusted, 1, kappa**2 / 2)
        self.news = np.where(kappa >= 0.75, NEWS, NEWS_IN_DOUBT)
        self.columns, self.budget = d, budget
        self.forecast = 0.0, 1.0, 10 * np.eye(2)
        super().__init__(K, d, draw, m=m, gamma=gamma, noise=noise, drift=drift, standardize=standardize)
        self.features: Any = Views(d, standardize, dtype)

    def begin(self) -> None:
        """Nothing is kept, and nothing learned; the statistics of the features stay."""
        E = len(self.rates)
        self.t = self.n = 0
        self.bits = self.wrong = self.excess = 0.0
        self.kept = Kept(self.columns), Kept(self.columns)
        self.lessons: list[int] = []
        self.inverse = np.zeros((0, 0))
        self.W = np.zeros((E, self.K, 0))
        self.P = np.zeros((E, self.K, 0, 0))
        self.share = first_shares(E)

    def kernels(self, row: Any) -> Any:
        """k(x, x') = .25 exp(-‖a - a'‖²) + .55 exp(-‖b - b'‖²) + .2 ⟨b, b'⟩."""
        a, b = self.features(row)
        flat = LINEAR * self.kept[1].rows @ b
        return SHARES[0] * self.kept[0].kernels(a) + SHARES[1] * self.kept[1].kernels(b) + flat

    def beliefs(self, k: Any) -> tuple[Any, Any]:
        """p_e = softmax(W_e k) of every expert, and their mixture."""
        each = np.array([softmax((W * k).sum(axis=1)) for W in self.W])
        return each, (self.share[:, None] * each).sum(axis=0)

    def log_p(self, row: Any) -> Any:
        return np.log(np.maximum(self.beliefs(self.kernels(row))[1], 1e-300))

    # Play

    def decide(self, row: Any, among: Any = None) -> tuple[tuple[int, ...], int, float, bool]:
        self.count_row(row)
        self.waiting += 1
        is_open = self.inside(range(self.K) if among is None else among)
        p = self.beliefs(self.kernels(row))[1]
        A = best_labels(np.where(is_open, p, -1), self.m)
        if not is_open.all():
            p = np.where(is_open, p / p[is_open].sum(), 0)
        chance = self.chances(p, A, is_open)
        self.exploration += (chance.sum() - self.exploration) / min(self.t, 100)
        u, greedy = self.draw.random(), A[0]
        for r, sum_ in enumerate(np.cumsum(chance)):
            if u < sum_:
                return (*A[:-1], r), greedy, chance[r], True
        return A, greedy, 1 - chance.sum(), False

    def chances(self, p: Any, A: tuple[int, ...], is_open: Any) -> Any:
        """How likely each open label outside A is to take the place of w, the last in A."""
        K, w, outside = is_open.sum(), A[-1], ~self.inside(A)
        steep = 40 * np.sqrt(K * self.t) * (self.share @ self.c)
        c = max(p[outside].sum(), 1e-300)
        chance = np.zeros(self.K)
        swaps = outside & is_open
        chance[swaps] = (1 - self.gamma) * c / (K * c + steep * (p[w] - p[swaps])) + self.gamma / K
        return chance

    # Learn

    def learn(
        self, row: Any, played: Any, greedy: int, propensity: float, explored: bool, bit: int, restricted: bool = False
    ) -> None:
        """`restricted`: the decision was drawn among some of the labels."""
        A = self.inside(played)
        k, each, p = self.row_now(row)
        rho = self.share @ self.rates
        self.calibrate(np.log(np.maximum(p, 1e-300)), A, bit, (rho[0], rho[1]))
        self.calibrate_forecast(rho[0] + (1 - rho.sum()) * p[A].sum(), bit)
        moved = (posterior(p, A, bit, (rho[0], rho[1])) - p)[A].sum()
        self.hear(each[:, A].sum(axis=1), bit)
        k = self.grow(row, k, abs(moved))
        for e, (rho_0, rho_1) in enumerate(self.rates.tolist()):
            self.expert_step(e, k, lambda p, rho=(rho_0, rho_1): posterior(p, A, bit, rho))
        self.watch(bit, not restricted or (self.m == 1 and int(np.argmax(p)) == greedy))

    def learn_label(
        self, row: Any, played: Any, greedy: int, propensity: float, explored: bool, y: int, restricted: bool = False
    ) -> None:
        """q = e_y for every expert; a label says nothing of lies."""
        label = np.eye(self.K)[y]
        k, _, p = self.row_now(row)
        hit = int(y in played)
        self.calibrate(np.log(np.maximum(p, 1e-300)), self.inside(played), hit, (0.0, 0.0))
        k = self.grow(row, k, 1 - p[y])
        for e in range(len(self.rates)):
            self.expert_step(e, k, lambda p: label)
        self.watch(hit, not restricted or (self.m == 1 and int(np.argmax(p)) == greedy))

    def calibrate_forecast(self, forecast: float, bit: int) -> None:
        """The same Newton step for another line, that of the forecast of the bit as it is heard."""
        of_labels = self.a, self.b, self.S
        self.a, self.b, self.S = self.forecast
        self.calibrate(np.log(np.array([1 - forecast, forecast])), np.array([False, True]), bit, (0.0, 0.0))
        self.forecast = self.a, self.b, self.S
        self.a, self.b, self.S = of_labels

    def row_now(self, row: Any) -> tuple[Any, Any, Any]:
        """k and what is believed of the row as of now; it is new if no decision is left that the lesson is about."""
        if self.waiting == 0:
            self.count_row(row)
        self.waiting = max(0, self.waiting - 1)
        self.n += 1
        k = self.kernels(row)
        return k, *self.beliefs(k)

    def hear(self, inside: Any, bit: int) -> None:  # type: ignore[override]
        """w_e ∝ w_e π_e^f (1-π_e)^(1-f); after 500 lessons those below 10^-18 sleep."""
        rho_0, rho_1 = self.rates.T
        yes = np.clip(rho_0 + (1 - rho_0 - rho_1) * inside, 1e-6, 1 - 1e-6)
        self.share = self.share * (yes if bit else 1 - yes)
        self.share /= self.share.sum()
        if self.n >= 500:
            self.share = np.where(self.share < 1e-18, 0, self.share)
            self.share /= self.share.sum()

    def grow(self, row: Any, k: Any, moved: float) -> Any:
        """Keep the row if there is room, the answer is news, and δ = k(x, x) - kᵀK⁻¹k is large: k to what is kept then.

        With m = (-K⁻¹k, 1)/√δ: K⁻¹ ← (K⁻¹ ⊕ 0) + m mᵀ, P_er ← (P_er ⊕ 0) + v_e m mᵀ.
        """
        b = self.features(row)[1]
        own = sum(SHARES) + LINEAR * b @ b
        left = own - k @ self.inverse @ k
        if len(k) >= self.budget or moved <= NEWS or left <= NOVEL:
            return k
        m = np.append(-self.inverse @ k, 1) / np.sqrt(left)
        self.inverse = np.pad(self.inverse, (0, 1)) + np.outer(m, m)
        self.P = np.pad(self.P, ((0, 0), (0, 0), (0, 1), (0, 1))) + self.v[:, None, None, None] * np.outer(m, m)
        self.W = np.pad(self.W, ((0, 0), (0, 0), (0, 1)))
        for kept, view in zip(self.kept, self.features(row), strict=True):
            kept.add(view)
        self.lessons.append(self.n)
        return np.append(k, own)

    def expert_step(self, e: int, k: Any, posterior_of: Any) -> None:
        """w_r += τ g_r P_r k;  P_r -= h_r/(1 + h_r s_r) P_r k kᵀP_r, both only where g_r is not too small."""
        z = (self.W[e] * k).sum(axis=1)
        p = softmax(z)
        g = posterior_of(p) - p
        if self.share[e] == 0 or np.abs(g).max() < self.news[e]:
            return
        g = np.where(np.abs(g) < self.news[e], 0, g)
        Pk = (self.P[e] * k).sum(axis=2)
        s = (Pk * k).sum(axis=1)
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
        shrink = np.where(shrink * s < SHRINKS, 0, shrink)
        self.W[e] += (tau * g)[:, None] * Pk
        self.P[e] -= shrink[:, None, None] * Pk[:, :, None] * Pk[:, None, :]

    def watch(self, hit: int, comparable: bool) -> None:
        """Drift; after it everything begins again."""
        if comparable and self.drifts(not hit):
            self.restarts[0] += 1
            self.begin()
