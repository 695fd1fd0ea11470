"""The mistake bound of MCDBF and the exploration that it sets: the paper's numbers, and why they are no guarantee.

Batra, Manwani, "Multiclass classification using dilute bandit feedback", 2021, Lemma 5, Theorem 6 and Corollary 8.
"""

from __future__ import annotations

from math import exp, log, perm, sqrt
from typing import NamedTuple

from onebit.core.checks import check_number, check_whole
from onebit.core.errors import ConfigError


class UpdateConstants(NamedTuple):
    """λ1 and λ2: a step of MCDBF has a squared norm of at most λ1 1[y ∉ Ŷ] + λ2 in expectation.

    >>> UpdateConstants(lambda_1=1.0, lambda_2=34.5).lambda_2
    34.5
    """

    lambda_1: float
    lambda_2: float


def mcdbf_update_constants(classes: int, m: int, gamma: float) -> UpdateConstants:
    """Lemma 5: λ1 = 2/τ1 and λ2 = m K^m P/(γ^m τ1²) - 2mτ2/τ1 - 2/τ1 + Kτ2² + 1/m + 2τ2, for rows of norm 1 or less.

    P = K!/(K-m)!, τ1 = m (K-2)!/(K-m-1)!, τ2 = (m-1)/(K-m); `classes` is K, `m` the size of a set, `gamma` γ. We went
    over the proof: it holds for the draw that MCDBF makes, though Proposition 10 states another bound on Z than the
    (γ/K)^m that its proof gives and that is used.

    >>> [round(constant, 9) for constant in mcdbf_update_constants(4, 2, gamma=0.5)]
    [0.5, 97.5]
    """
    K, size, explored = _sizes(classes, m, gamma)
    tau_1 = _tau_1(K, size)
    tau_2 = (size - 1) / (K - size)
    spread = exp(log(size * K**size * perm(K, size)) - 2 * log(tau_1) - size * log(explored))
    fixed = K * tau_2 * tau_2 + 1 / size + 2 * tau_2
    return UpdateConstants(2 / tau_1, spread - (2 * size * tau_2 + 2) / tau_1 + fixed)


def mcdbf_mistakes(rounds: float, classes: int, m: int, gamma: float, *, loss: float, norm: float) -> float:
    """Theorem 6 as printed: R + √(λ1 D R/2) + 3 max(λ1 D/2, √((λ2 + 1) D T/2)) + γT. Not a guarantee.

    `rounds` is T; `loss` is R, the sum over all rounds of [1 - s_y + (mean of the m largest scores)]₊ under W*; `norm`
    is ‖W*‖, of all entries, and D = 2‖W*‖²; rows of norm 1 or less; 1 < m < K; λ1 and λ2 as in
    `mcdbf_update_constants`. It is meant to bound the expected rounds in which the set misses the label.

    The theorem is false. Its proof bounds ⟨W, U⟩ of a round by 1 (its line 23), but nothing keeps W small: MCDBF moves
    W in every round, right ones too, so that on separable rows W grows like T and not like √T. Three rows in the
    plane show it: (1, 0) of class 0, (.8, .6) of class 1 three times as often, (0, -1) of class 2, with m = 2. A W* of
    loss 0 exists, and yet one set in seven misses, for ever. (With the gate of `MCSLP` the misses stop.)

    Three more remarks. Corollary 8 says that W* at unit margin has loss 0: it has 1/m a round, and loss 0 takes a
    margin of m/(m-1), so a D larger by its square. M̂ is defined for the sets believed best, which γT has no part in;
    for those played γT is too little: m draws leave Ŷ with a probability of up to m (1 + 1/2 + ... + 1/m) γ (K-m)/K.
    And the lower bound in the proof is printed for the mistakes of W*, where those of the learner belong.

    >>> round(mcdbf_mistakes(10**6, 9, 2, gamma=0.152, loss=0, norm=1))
    304308
    """
    T = check_whole("rounds", rounds, floats=True)
    K, size, explored = _sizes(classes, m, gamma)
    R = check_number("loss", loss, 0)
    W = check_number("norm", norm, 0)
    lambda_1, lambda_2 = mcdbf_update_constants(K, size, explored)
    half_D = W * W
    growth = max(lambda_1 * half_D, sqrt((lambda_2 + 1) * half_D * T))
    return R + sqrt(lambda_1 * half_D * R) + 3 * growth + explored * T


def mcdbf_gamma(rounds: float, classes: int, m: int, norm: float = 1.0) -> float:
    """The γ of Corollary 8: min(1, (c₂/T)^(1/(m+2))), c₂ = 9 m³ K^m P D/(8 τ1²), with which Theorem 6 is smallest.

    `rounds` is T, `classes` K, `m` the size of a set, `norm` ‖W*‖ with D = 2‖W*‖²; P and τ1 as in
    `mcdbf_update_constants`. The paper prints τ1 where its own derivative (its line 35) has τ1²; with τ1, γ would be
    too large, by a factor of 14^(1/4) for K = 9 and m = 2. Theorem 6 is no guarantee (`mcdbf_mistakes`), but as a rule
    for γ this is near what the paper found best by trying.

    >>> [round(mcdbf_gamma(10**6, 9, m), 3) for m in (2, 4, 6)]
    [0.152, 0.399, 0.715]
    """
    T = check_whole("rounds", rounds, floats=True)
    K, size, _ = _sizes(classes, m, 1.0)
    D = 2 * check_number("norm", norm, 0, open_low=True) ** 2
    log_c2 = log(9 * size**3 * K**size * perm(K, size)) + log(D / 8) - 2 * log(_tau_1(K, size))
    return min(1.0, exp((log_c2 - log(T)) / (size + 2)))


def _tau_1(K: int, m: int) -> int:
    """τ1 = m (K-2)!/(K-m-1)!."""
    return m * perm(K - 2, m - 1)


def _sizes(classes: int, m: int, gamma: float) -> tuple[int, int, float]:
    """K, m and γ: 1 ≤ m < K, 0 < γ ≤ 1."""
    K = check_whole("classes", classes, 2)
    size = check_whole("m", m, of="labels")
    if size >= K:
        raise ConfigError(f"m={m!r}: must be smaller than the number of classes, {K}")
    return K, size, check_number("gamma", gamma, 0, 1, open_low=True)
