"""Bounds on margins and mistakes of the kernelized bandit perceptron, as log₂: they under- and overflow floats.

Theorem 1 bounds the mistakes on strongly separable data; Theorems 2 and 3 say what margin weakly and group separable
rows of the unit ball have once the rational kernel 1/(1 - ½⟨x, x'⟩) has made them strongly separable. The numbers are
those of Fakcharoenphol and Prompak, Bandit Multiclass Linear Classification for the Group Linear Separable Case,
2024; Theorems 1 and 2 are from Beygelzimer et al., ICML 2019. All of them are astronomic: in the paper's experiment
(K = 9, L = 3, γ = .005) Theorem 3 allows 2^951 mistakes, and a million rounds see some 150,000.
"""

from __future__ import annotations

from math import ceil, floor, log2, sqrt
from typing import Literal

from onebit.core.checks import check_choice, check_number, check_whole
from onebit.core.errors import ConfigError

Form = Literal["corrected", "printed"]

_ROUNDING = 1e-12
"""Whole numbers and their ceilings are kept from this much rounding, as a share."""
_EXACT = 50.0
"""Below 2^50 a float holds every whole number, and the floor of Theorem 1 counts."""


def log2_mistakes(classes: int, log2_margin: float, radius: float = 1.0) -> float:
    """Theorem 1: log₂ of (K - 1)⌊4 (R/γ)²⌋, the expected mistakes on strongly separable rows of norm R or less.

    `log2_margin` is log₂ γ, since margins in a kernel's space can be too small for a float; with a kernel,
    R² = max k(x, x). As printed; nothing to correct.

    >>> 2 ** log2_mistakes(9, log2_margin=-3, radius=0.5)
    512.0
    """
    K = check_whole("classes", classes, 2)
    R = check_number("radius", radius, 0, open_low=True)
    ratio = 2 + 2 * log2(R) - 2 * check_number("log2_margin", log2_margin)
    if ratio < -_ROUNDING:
        raise ConfigError(
            f"log2_margin={log2_margin!r}: rows of norm {radius!r} have no margin above {2 * radius!r}; give a "
            f"log2_margin of {log2(2 * radius):g} or less"
        )
    whole = log2(floor(2**ratio * (1 + _ROUNDING))) if ratio < _EXACT else ratio
    return log2(K - 1) + whole


def log2_gamma_1(classes: int, margin: float) -> float:
    """Theorem 2, first margin: log₂ of [376 r s]^(-rs/2) / (2√K), r = ⌈log₂(2K - 2)⌉, s = ⌈√(2/γ)⌉.

    So large is the strong margin under the rational kernel of rows with K classes and weak margin γ, by Chebyshev
    polynomials of degree s. As printed; we have not gone over its proof. The degree is kept from rounding: √(2/.005)
    is 20, and were it 20 and a bit, s would be 21.

    >>> round(log2_gamma_1(9, 0.005), 2)
    -597.65
    """
    K = check_whole("classes", classes, 2)
    gamma = _margin(margin)
    degree = _ceil_log2(2 * K - 2) * _chebyshev_degree(gamma)
    return -degree / 2 * log2(376 * degree) - log2(2 * sqrt(K))


def log2_gamma_2(classes: int, margin: float) -> float:
    """Theorem 2, second margin: log₂ of (2^(s+1) r (K-1) (4s+2))^(-(s+½) r (K-1)) / (4√K (4K-5) 2^(K-1)).

    With r = 2⌈¼ log₂(4K - 3)⌉ + 1 and s = ⌈log₂(2/γ)⌉: by rational functions, better than `log2_gamma_1` for few
    classes and small margins. As printed; we have not gone over its proof.

    >>> round(log2_gamma_2(9, 0.005), 2)
    -7833.08
    >>> log2_gamma_2(2, 1e-6) > log2_gamma_1(2, 1e-6)
    True
    """
    K = check_whole("classes", classes, 2)
    gamma = _margin(margin)
    r = 2 * -(-_ceil_log2(4 * K - 3) // 4) + 1
    s = ceil((1 - log2(gamma)) * (1 - _ROUNDING))
    base = s + 1 + log2(r * (K - 1) * (4 * s + 2))
    return -(s + 0.5) * r * (K - 1) * base - log2(4 * sqrt(K) * (4 * K - 5)) - (K - 1)


def log2_gamma_group(classes: int, groups: int, margin: float, *, form: Form = "corrected") -> float:
    """Theorem 3: log₂ of 2 [840 r s]^(-rs/2) / (9√K), r = ⌈log₂(2L + 2)⌉, s = ⌈√(2/γ)⌉.

    So large is the strong margin under the rational kernel of rows with K classes in L groups and group margin γ.
    `form="printed"` is the paper's, [840 r s]^(-rs/2) / (9√L) (text copies of the paper lose the exponent). Ours
    differs in two things. The proof scales K polynomials, one per class, and the squared norms of K vectors, not of L,
    must add up to 1: √K for √L. And it reaches ±½ before scaling, where strong separability asks for ±γ'/2: γ' is
    twice as large. In the same proof, v_b and v_t must be b u'/‖u'‖² and t u'/‖u'‖², with the square, for ⟨u', v_b⟩
    to be b; and the first and last class of a group, which need only one of them, must do without the other, which
    can be longer than 1. Neither changes the result. And it puts u_g - u_j, of norm up to √2, into Theorem 4, which
    asks for 1: harmless, since there ‖1 - ⟨v, x⟩‖² = 1 + ‖v‖² becomes 3 in place of 2, and its j-th power was bounded
    by 4^j anyway.

    >>> [round(log2_gamma_group(9, 3, 0.005, form=form), 2) for form in ("printed", "corrected")]
    [-472.6, -472.39]
    """
    K = check_whole("classes", classes, 2)
    L = check_whole("groups", groups)
    gamma = _margin(margin)
    check_choice("form", form, ("corrected", "printed"))
    if L > K:
        raise ConfigError(f"groups={groups!r}: every group has a class; give {K} or fewer")
    degree = _ceil_log2(2 * L + 2) * _chebyshev_degree(gamma)
    scale = log2(9 * sqrt(L)) if form == "printed" else log2(9 * sqrt(K)) - 1
    return -degree / 2 * log2(840 * degree) - scale


def log2_mistakes_weak(classes: int, margin: float) -> float:
    """Theorem 2 in Theorem 1: log₂ of the expected mistakes on rows of the unit ball with weak margin γ.

    (K - 1)⌊4 · 2/γ'²⌋ with γ' = max(γ₁, γ₂), since the rational kernel has k(x, x) ≤ 2.

    >>> round(log2_mistakes_weak(9, 0.005), 2)
    1201.29
    """
    return log2_mistakes(classes, max(log2_gamma_1(classes, margin), log2_gamma_2(classes, margin)), sqrt(2))


def log2_mistakes_group(classes: int, groups: int, margin: float, *, form: Form = "corrected") -> float:
    """Theorem 3 in Theorem 1: log₂ of the expected mistakes on rows of the unit ball with group margin γ.

    (K - 1)⌊4 · 2/γ'²⌋ with γ' of `log2_gamma_group`, printed or corrected.

    >>> [round(log2_mistakes_group(9, 3, 0.005, form=form), 2) for form in ("printed", "corrected")]
    [951.19, 950.78]
    """
    return log2_mistakes(classes, log2_gamma_group(classes, groups, margin, form=form), sqrt(2))


def _chebyshev_degree(gamma: float) -> int:
    """s = ⌈√(2/γ)⌉."""
    return ceil(sqrt(2 / gamma) * (1 - _ROUNDING))


def _ceil_log2(n: int) -> int:
    """⌈log₂ n⌉, exactly."""
    return (n - 1).bit_length()


def _margin(value: float) -> float:
    return check_number("margin", value, 0, 1, open_low=True, open_high=True)
