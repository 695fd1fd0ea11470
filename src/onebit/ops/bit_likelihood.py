"""The likelihood of a bit: what an answer says about the label, and how far to step towards it.

p = softmax(z) is the belief about the label. A played set A (one label or more) is answered "yes" with
probability ρ0 + (1-ρ0-ρ1) Σ_{r∈A} p_r, so by Bayes the bit turns p into a posterior q, and the gradient of
its log-likelihood in the scores z is q - p.
"""

from __future__ import annotations

from math import exp, inf, log
from typing import NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray, IntArray
from onebit.ops.jit import jit
from onebit.ops.sets import contains
from onebit.ops.softmax import softmax

_IMPOSSIBLE = 1e-12  # a bit that was less likely than this says nothing about p
_STEP_ACCURACY = 0.05
_MOST_ITERATIONS = 60


class Answer(NamedTuple):
    """The numbers of the played labels, the bit they got, and the flip rates it is read with.

    `doubt` in what is believed is added to the prior of every label before the bit is read.
    """

    played: IntArray
    bit: int
    rho_0: float
    rho_1: float
    doubt: float = 0.0


class Beliefs(NamedTuple):
    """About the label of one row: one number per class in each."""

    z: FloatArray  # scores
    moved: FloatArray  # scores further along a step, or raised by optimism
    p: FloatArray  # prior: softmax(z)
    q: FloatArray  # posterior
    g: FloatArray  # gradient q - p
    D: FloatArray  # by how much a step moves the scores: s_r g_r


def new_beliefs(n_classes: int, dtype: str = "float64") -> Beliefs:
    """Room for the beliefs about one row; the scores are of the weights' type, all else is float64.

    >>> new_beliefs(3, "float32").z.dtype
    dtype('float32')
    """
    moved, p, q, g, D = np.zeros((5, n_classes))
    return Beliefs(z=np.zeros(n_classes, dtype), moved=moved, p=p, q=q, g=g, D=D)


@jit
def mass(p: FloatArray, played: IntArray) -> float:
    """Σ_{r∈A} p_r: the believed probability that the label is among those played.

    >>> mass(np.array([0.5, 0.25, 0.25]), np.array([0, 2]))
    0.75
    """
    sum_ = 0.0
    for i in range(played.shape[0]):
        sum_ += p[played[i]]
    return sum_


@jit
def mass_outside(p: FloatArray, played: IntArray) -> float:
    """Σ_{r∉A} p_r: not 1 minus the mass, which says little where that is near 1.

    >>> mass_outside(np.array([1.0, 1e-20, 1e-20]), np.array([0]))
    2e-20
    """
    sum_ = 0.0
    for r in range(p.shape[0]):
        sum_ += 0.0 if contains(played, r) else p[r]
    return sum_


@jit
def likelihoods(answer: Answer) -> tuple[float, float]:
    """l_r: how likely the bit is if the label is among those played, and if it is not.

    >>> likelihoods(Answer(np.array([0]), 1, 0.25, 0.5))
    (0.5, 0.25)
    """
    if answer.bit:
        return 1 - answer.rho_1, answer.rho_0
    return answer.rho_1, 1 - answer.rho_0


@jit
def posterior_mass(believed: float, answer: Answer, n_classes: int) -> float:
    """Σ_{r∈A} q_r, where `believed` is Σ_{r∈A} p_r.

    >>> posterior_mass(0.75, Answer(np.array([0]), 0, 0.0, 0.5), 4)
    0.6
    """
    inside, outside = likelihoods(answer)
    if inside * believed + outside * (1 - believed) < _IMPOSSIBLE:
        believed = answer.played.shape[0] / n_classes
    return inside * believed / (inside * believed + outside * (1 - believed))


@jit
def gradient_bound(believed: float, answer: Answer) -> float:
    """No |q_r - p_r| is larger, where `believed` is Σ_{r∈A} p_r: how much the bit can teach, without a look at p.

    >>> gradient_bound(0.75, Answer(np.array([0]), 1, 0.0, 0.0))
    0.25
    """
    inside, outside = likelihoods(answer)
    likely = inside * believed + outside * (1 - believed)
    if likely < _IMPOSSIBLE:
        return 1.0
    return abs(inside - outside) * believed * (1 - believed) / likely


@jit
def margin(z: FloatArray, played: IntArray) -> float:
    """The logit of `mass` for p = softmax(z), exact where the mass is too near 0 or 1 to tell.

    >>> margin(np.array([1000.0, 0.0]), np.array([0]))
    1000.0
    """
    inside = 0.0
    outside = 0.0
    most_inside = -inf
    most_outside = -inf
    for r in range(z.shape[0]):
        if contains(played, r):
            most_inside = max(most_inside, z[r])
        else:
            most_outside = max(most_outside, z[r])
    for r in range(z.shape[0]):
        if contains(played, r):
            inside += exp(z[r] - most_inside)
        else:
            outside += exp(z[r] - most_outside)
    return most_inside - most_outside + log(inside) - log(outside)


@jit
def posterior(p: FloatArray, answer: Answer, q: FloatArray) -> None:
    """q_r ∝ p_r · P(bit | label r); where the bit is all but impossible, uniform over the labels it allows.

    >>> q = np.zeros(3)
    >>> posterior(np.array([0.5, 0.25, 0.25]), Answer(np.array([0]), 0, 0.0, 0.0), q)
    >>> q
    array([0. , 0.5, 0.5])
    """
    inside, outside = likelihoods(answer)
    believed = mass(p, answer.played)
    impossible = inside * believed + outside * (1 - believed) < _IMPOSSIBLE
    for r in range(p.shape[0]):
        q[r] = (1.0 if impossible else p[r] + answer.doubt) * outside
    for i in range(answer.played.shape[0]):
        r = answer.played[i]
        q[r] = (1.0 if impossible else p[r] + answer.doubt) * inside
    sum_ = 0.0
    for r in range(p.shape[0]):
        sum_ += q[r]
    for r in range(p.shape[0]):
        q[r] = q[r] / sum_ if sum_ > 0 else p[r]


@jit
def gradient(p: FloatArray, q: FloatArray, g: FloatArray) -> float:
    """g = q - p; returns the largest |g_r|, which says how much the bit teaches.

    >>> g = np.zeros(2)
    >>> gradient(np.array([0.5, 0.5]), np.array([0.25, 0.75]), g)
    0.25
    >>> g
    array([-0.25,  0.25])
    """
    most = 0.0
    for r in range(p.shape[0]):
        g[r] = q[r] - p[r]
        most = max(most, abs(g[r]))
    return most


@jit
def _excess(beliefs: Beliefs, answer: Answer, V: float, tau: float) -> float:
    """⟨D, (q-p)(z + τD)⟩ - τV; leaves p and q at z + τD."""
    p = beliefs.p
    q = beliefs.q
    D = beliefs.D
    for r in range(D.shape[0]):
        beliefs.moved[r] = beliefs.z[r] + tau * D[r]
    softmax(beliefs.moved, 1.0, p)
    posterior(p, answer, q)
    sum_ = -tau * V
    for r in range(D.shape[0]):
        sum_ += D[r] * (q[r] - p[r])
    return sum_


@jit
def implicit_step(beliefs: Beliefs, answer: Answer, s: FloatArray) -> float:
    """The τ in (0, 1] at which the gradient, where the step ends, is τ times the one where it began.

    A step τg in the weights moves the scores by τD, D_r = s_r g_r, s_r = xᵀP_r x. With V = ⟨D, g⟩ it solves
    ⟨D, (q-p)(z + τD)⟩ = τV to 5 % of τV: τ = 1 if that is not too far, else a bracket by quartering and the
    Illinois rule inside it. Takes z and g of `beliefs`; leaves in them D, and p and q at the moved scores.

    >>> beliefs = new_beliefs(2)
    >>> beliefs.g[:] = 0.5, -0.5
    >>> tau = implicit_step(beliefs, Answer(np.array([0]), 1, 0.0, 0.0), np.array([100.0, 100.0]))
    >>> bool(0.03 < tau < 0.06), bool(abs(beliefs.q[0] - beliefs.p[0] - tau / 2) < 0.05 * tau / 2)
    (True, True)
    """
    # D = s ∘ g and V = ⟨D, g⟩.
    V = 0.0
    for r in range(s.shape[0]):
        beliefs.D[r] = s[r] * beliefs.g[r]
        V += beliefs.D[r] * beliefs.g[r]
    # The whole step, if the gradient has not turned by then.
    high = 1.0
    f_high = _excess(beliefs, answer, V, 1.0)
    if f_high >= -_STEP_ACCURACY * V:
        return high
    # A bracket: quarter until it has not.
    low = high
    f_low = f_high
    while f_low < 0 and low > 1e-12:
        high = low
        f_high = f_low
        low /= 4
        f_low = _excess(beliefs, answer, V, low)
    # Inside the bracket, regula falsi; an end that stays twice in a row counts half (Illinois).
    tau = low
    side = 0
    for _ in range(_MOST_ITERATIONS):
        tau = (low * f_high - high * f_low) / (f_high - f_low)
        f = _excess(beliefs, answer, V, tau)
        if abs(f) <= _STEP_ACCURACY * tau * V:
            break
        if f > 0:
            low = tau
            f_low = f
            f_high /= 2 if side > 0 else 1
            side = 1
        else:
            high = tau
            f_high = f
            f_low /= 2 if side < 0 else 1
            side = -1
    return tau


@jit
def curvature(p: FloatArray, q: FloatArray, r: int) -> float:
    """h_r = max(0, p_r (1-p_r) - q_r (1-q_r)): the second derivative of the loss in z_r, where it is convex.

    >>> curvature(np.array([0.5, 0.5]), np.array([1.0, 0.0]), 0)
    0.25
    """
    return max(0.0, p[r] * (1 - p[r]) - q[r] * (1 - q[r]))
