"""OneBit: one posterior update for every kind of answer."""

from __future__ import annotations

from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.registry import register
from onebit.core.types import FloatArray, IntArray, Rng
from onebit.learners.kernels import Draw, Functions, linear_score
from onebit.learners.layout import Layout
from onebit.learners.parameters import choice, number, checked
from onebit.learners.sets import SetLearner
from onebit.ops.bit_likelihood import Answer, Beliefs, curvature, gradient, implicit_step, mass, posterior
from onebit.ops.inputs import Room, Statistics, held, holds, new_room, new_statistics, observe, prepare
from onebit.ops.jit import jit
from onebit.ops.posterior import forget, is_full, move, spreads
from onebit.ops.random import first_best, uniform
from onebit.ops.rows import Row, index, is_sparse, scores, size, value
from onebit.ops.sets import best_labels, contains
from onebit.ops.softmax import softmax


class Hyper(NamedTuple):
    m: int
    gamma: float
    noise: bool          # estimate
    rho_0: float
    rho_1: float
    drift: bool
    standardize: bool
    # research
    optimism: int
    prior: float
    x: tuple


class State(NamedTuple):
    W: FloatArray
    P: FloatArray
    t: IntArray          # decisions, lessons, restarts, fresh
    seen: IntArray
    mean: FloatArray
    variance: FloatArray
    raw: FloatArray
    x: FloatArray
    scale: FloatArray
    indices: NDArray[np.uint32]
    size: IntArray
    z: FloatArray
    moved: FloatArray
    p: FloatArray
    q: FloatArray
    g: FloatArray
    D: FloatArray
    s: FloatArray
    hope: FloatArray     # p~, then the play's probabilities
    G: FloatArray        # P_r x
    rho: FloatArray
    em: FloatArray       # N0, F0, N1, F1
    ph: FloatArray       # n, wrong, ph


@jit
def _room(state: State) -> Room:
    return Room(state.raw, state.x, state.scale, state.indices, state.size)


@jit
def _statistics(state: State) -> Statistics:
    return Statistics(state.seen, state.mean, state.variance)


@jit
def believe(hyper: Hyper, state: State, row: Row) -> Row:
    """z, p, and where optimism needs it s."""
    room = _room(state)
    prepare(_statistics(state), hyper.standardize, row, room)
    x = held(room, row)
    scores(state.W, x, state.z)
    softmax(state.z, 1.0, state.p)
    state.t[3] = 1
    return x


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    K, d = state.W.shape
    state.t[0] += 1
    if hyper.standardize:
        observe(_statistics(state), row)
    x = believe(hyper, state, row)
    hope = state.hope
    if is_full(state.P) and d <= hyper.optimism:
        for k in range(K):
            hope[k] = 1.0
        spreads(state.P, x, hope, state.G, state.s)
        for k in range(K):
            state.moved[k] = state.z[k] + sqrt(state.s[k])
        softmax(state.moved, 1.0, hope)
    else:
        for k in range(K):
            hope[k] = state.p[k]
    best = first_best(hope)
    top = hope[best]
    c = 0.0
    for k in range(K):
        c += hope[k] if k != best else 0.0
    steep = 30 * sqrt(state.t[0])
    share = 1 - hyper.gamma
    best_labels(hope, labels)
    u, drawn = uniform(rng), best
    for k in range(K):
        if k != best:
            chance = share * (c / (K * c + steep * (top - hope[k]))) + hyper.gamma / K if c > 0 else hyper.gamma / K
            hope[k] = chance
            if u >= 0 and u < chance:
                drawn = k
            u -= chance
    rest = 1.0
    for k in range(K):
        rest -= hope[k] if k != best else 0.0
    hope[best] = rest
    m = labels.shape[0]
    inside = contains(labels, drawn)
    if inside:
        propensity = mass(hope, labels) if m > 1 else hope[labels[0]]
    else:
        labels[m - 1] = drawn
        propensity = hope[drawn]
    if m == 1:
        labels[0] = drawn
        propensity = hope[drawn]
    return propensity, first_best(state.z), drawn != best


@jit
def step(hyper: Hyper, state: State, row: Row, played: IntArray, bit: int, rho_0: float, rho_1: float, hit: bool, is_bit: bool) -> int:
    K, d = state.W.shape
    room = _room(state)
    fresh = state.t[3] == 1 and holds(room, row)
    if not fresh:
        believe(hyper, state, row)
    x = held(room, row)
    answer = Answer(played, bit, rho_0, rho_1)
    beliefs = Beliefs(state.z, state.moved, state.p, state.q, state.g, state.D)
    p, q, g, s = state.p, state.q, state.g, state.s
    posterior(p, answer, q)
    Q = mass(q, played)
    most = gradient(p, q, g)
    state.t[1] += 1
    t = state.t[1]
    changed = 0
    full = is_full(state.P)
    if most >= (.01 if full else .001):
        changed = 1
        if full:
            for k in range(K):
                if abs(g[k]) < .01:
                    s[k] = 0.0
                    g[k] = 0.0
        if not (full and fresh and d <= hyper.optimism):
            spreads(state.P, x, g, state.G, s)
        tau = implicit_step(beliefs, answer, s)
        for k in range(K):
            h = curvature(p, q, k)
            g[k] *= tau
            state.D[k] = h / (1 + h * s[k])
        move(state.W, state.P, x, g, state.D, s, state.G)
        state.t[3] = 0
    if is_bit and hyper.noise:
        keep = 1 - 1 / (t / 2 + 20)
        em = state.em
        for i in range(4):
            em[i] *= keep
        em[0] += 1 - Q
        em[1] += (1 - Q) * bit
        em[2] += Q
        em[3] += Q * (1 - bit)
        for i in range(2):
            state.rho[i] = min(.49, (em[2 * i + 1] + 1.0) / (em[2 * i] + 20))
    if hyper.drift:
        ph = state.ph
        ph[0] += 1
        wrong = 0.0 if hit else 1.0
        ph[1] += wrong
        if ph[0] > 50:
            ph[2] = max(0.0, ph[2] + wrong - ph[1] / ph[0] - .15)
            if ph[2] > 25:
                restart(hyper, state)
    return changed


@jit
def restart(hyper: Hyper, state: State) -> None:
    state.t[0] = 0
    state.t[1] = 0
    state.t[2] += 1
    state.t[3] = 0
    forget(state.W, state.P, hyper.prior)
    for i in range(3):
        state.ph[i] = 0
    for i in range(4):
        state.em[i] = 0
    if hyper.noise:
        state.rho[0] = state.rho[1] = .05


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, bit: float, rng: Rng) -> int:
    f = int(bit)
    return step(hyper, state, row, draw.labels, f, state.rho[0], state.rho[1], f == 1, True)


@register("one-bit")
class OneBit(SetLearner):
    """The flagship.

    >>> import onebit
    """

    m: int = checked(default=1, check=lambda n, v: int(v))
    gamma: float = number(default=0.0, low=0, high=1)
    noise: Any = checked(default="auto", check=lambda n, v: v)
    curvature: str = choice("auto", "full", "diagonal", default="auto")
    drift: Any = choice("restart", None, default="restart")
    standardize: bool = choice(True, False, default=True)
    optimism: int = checked(default=64, check=lambda n, v: v)
    x: Any = checked(default=(0.0,) * 8, check=lambda n, v: tuple(map(float, v)) + (0.0,) * (8 - len(v)))
    prior: float = number(default=0, low=0)

    against_noise = ""
    functions = Functions(decide, learn, linear_score)

    @property
    def top_size(self) -> int:
        return 0

    def flips(self) -> None:
        return None

    def _full(self, d: int) -> bool:
        return self.curvature == "full" or (self.curvature == "auto" and d <= 300)

    def hyper(self) -> Hyper:
        r = self.noise if isinstance(self.noise, tuple) else (0., 0.)
        return Hyper(self.m, self.gamma, self.noise == "auto", float(r[0]), float(r[1]), self.drift is not None, self.standardize, self.optimism, 0.0, self.x)

    def start(self, layout: Layout) -> State:
        """W = 0."""
        K, d = layout.n_classes, layout.n_features + 1
        wide = layout._replace(n_features=d)
        full = self._full(d)
        prior = self.prior or (100.0 if full else 1e4)
        P = wide.identities(K, d, prior, "OneBit", "curvature='diagonal'") if full else wide.per_feature(prior)
        self._run.hyper = self._run.hyper._replace(prior=prior)
        stats, room = new_statistics(layout.n_features, layout.kind, layout.dtype), new_room(layout.n_features, layout.kind, layout.dtype)
        K_ = lambda: np.zeros(K)
        rho = np.array([.05, .05]) if self.noise == "auto" else np.array(self.noise or (0., 0.), dtype=float)
        return State(wide.per_feature(), P, np.zeros(4, np.int64), *stats, *room, layout.per_class(), K_(), K_(), K_(), K_(), K_(), K_(), K_(),
                     np.zeros((K, d if full else 0), layout.dtype) if full else np.zeros(d, layout.dtype), rho, np.zeros(4), np.zeros(3))
