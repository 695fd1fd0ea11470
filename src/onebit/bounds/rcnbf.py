"""The mistake bound of RCNBF, the constants in it, and the exploration that its corollaries set.

Agarwal, Manwani, "Learning multiclass classifier under noisy bandit feedback", PAKDD 2021, Lemma 3, Theorem 1 and
Corollaries 1 to 3. All hold for every sequence of rows of norm 1 or less, when the bit lies at the rates that the
learner is given; the expectations are over its draws and the lies. With flip rates of 0 they are about Banditron.
"""

from __future__ import annotations

from math import cbrt, sqrt
from typing import Literal, NamedTuple

from onebit.core.checks import check_choice, check_number, check_whole
from onebit.core.errors import ConfigError
from onebit.feedback import NoiseRates

Moments = Literal["exact", "printed"]


class StepConstants(NamedTuple):
    """A1 and A2: how large the squared norm of a step can be in expectation, where ŷ is wrong and where it is right.

    >>> StepConstants(wrong=60.0, right=0.1).wrong
    60.0
    """

    wrong: float
    right: float


def rcnbf_constants(
    classes: int, gamma: float, rho_0: float = 0.0, rho_1: float = 0.0, *, form: Moments = "exact"
) -> StepConstants:
    """Lemma 3: A1 and A2, for K `classes`, exploration `gamma` γ up to ½ and flip rates ρ0, ρ1; β = 1-ρ0-ρ1.

    As printed, A1 = 2K/γ + 2ρ0(1-ρ0)K/(βγ) + Kρ1/(β²γ) + ρ0(1-ρ0)K²/(β²γ²) and
    A2 = 2γ + ρ1/(β²(1-γ)) + ρ0(1-ρ0)K²/(β²γ). Both are true, but the last term of A1 is larger than need be by 1/γ.
    `form="exact"` has the moments themselves, with v = ρ(1-ρ)/β² the variance of h(f) and p = 1-γ+γ/K:
    A1 = (1 + v1) K/γ + v0 (K(K-2)/γ + 1/p) + 1 and A2 = (1 + v1)/p + v0 K(K-1)/γ - 1.

    >>> rcnbf_constants(10, 0.1, 0.2, 0.4, form="printed")
    StepConstants(wrong=10530.0, right=1002.97...)
    >>> rcnbf_constants(10, 0.1, 0.2, 0.4)
    StepConstants(wrong=1052.09..., right=901.74...)
    """
    K = check_whole("classes", classes, 2)
    explored = check_number("gamma", gamma, 0, 0.5, open_low=True)
    check_choice("form", form, ("exact", "printed"))
    rho_0, rho_1 = NoiseRates(rho_0, rho_1).checked()
    beta = 1 - rho_0 - rho_1
    v_0 = rho_0 * (1 - rho_0) / beta**2
    if form == "printed":
        A_1 = (2 * K + 2 * v_0 * beta * K + K * rho_1 / beta**2 + v_0 * K**2 / explored) / explored
        return StepConstants(A_1, 2 * explored + rho_1 / (beta**2 * (1 - explored)) + v_0 * K**2 / explored)
    v_1 = rho_1 * (1 - rho_1) / beta**2
    p = 1 - explored + explored / K
    A_1 = (1 + v_1) * K / explored + v_0 * (K * (K - 2) / explored + 1 / p) + 1
    return StepConstants(A_1, (1 + v_1) / p + v_0 * K * (K - 1) / explored - 1)


def rcnbf_mistakes(
    rounds: float,
    classes: int,
    gamma: float,
    rho_0: float = 0.0,
    rho_1: float = 0.0,
    *,
    loss: float,
    norm: float,
    form: Moments = "exact",
) -> float:
    """Theorem 1: R + √(A1 D R) + 3 max(A1 D, √(A2 D T)) + γT bounds the expected mistakes of the labels played.

    `rounds` is T; `loss` is R, the sum of the hinge losses of W* over all rounds; `norm` is ‖W*‖, of all entries, and
    D = ‖W*‖²; the others, and `form`, as in `rcnbf_constants`. For every W*. We went over the proof, and it holds with
    the constants in either form.

    >>> round(rcnbf_mistakes(10**6, 9, 0.01, loss=0, norm=1))
    12703
    >>> [round(rcnbf_mistakes(10**7, 10, 0.03, 0.2, 0.2, loss=0, norm=1, form=form)) for form in ("printed", "exact")]
    [665226, 646473]
    """
    T = check_whole("rounds", rounds, floats=True)
    R = check_number("loss", loss, 0)
    W = check_number("norm", norm, 0)
    A_1, A_2 = rcnbf_constants(classes, gamma, rho_0, rho_1, form=form)
    D = W * W
    return R + sqrt(A_1 * D * R) + 3 * max(A_1 * D, sqrt(A_2 * D * T)) + gamma * T


def rcnbf_gamma(
    rounds: float, rho_0: float = 0.0, rho_1: float = 0.0, *, corollary: int = 3, norm: float = 1.0
) -> float:
    """The γ of Corollary 1, 2 or 3, ½ at most; the paper has O(·) around it, and we take 1 for the constant.

    1, for rates of 0: γ = T^(-1/2), and mistakes of order √T. 2, for rates of order √(D/T), which vanish as the rounds
    go on (the paper calls this high noise): γ = √(D/T)/β, and √(DT)/β. Both need a W* whose loss R is of that order
    too, which the paper does not say. 3, for any rates: γ = T^(-1/3)/β, and T^(2/3)/β beyond R. With the printed A1 it
    would need R of order T^(2/3), since √(A1 D R) grows like T^(5/6) where R grows like T; the exact A1 mends it.

    `rounds` is T, β = 1-ρ0-ρ1, `norm` is ‖W*‖ with D = ‖W*‖², which only Corollary 2 asks for.

    >>> [round(rcnbf_gamma(10**7, rho, rho), 4) for rho in (0.0, 0.15, 0.4)]
    [0.0046, 0.0066, 0.0232]
    >>> rcnbf_gamma(10**6, corollary=1), round(rcnbf_gamma(10**6, 0.001, 0.001, corollary=2), 6)
    (0.001, 0.001002)
    """
    T = check_whole("rounds", rounds, floats=True)
    check_choice("corollary", corollary, (1, 2, 3))
    W = check_number("norm", norm, 0)
    rho_0, rho_1 = NoiseRates(rho_0, rho_1).checked()
    beta = 1 - rho_0 - rho_1
    if corollary == 1 and beta < 1:
        raise ConfigError("corollary=1: is about flip rates of 0; give 2 if they vanish as the rounds go on, else 3")
    size = {1: 1 / sqrt(T), 2: W / sqrt(T) / beta, 3: 1 / cbrt(T) / beta}[corollary]
    return min(0.5, size)
