"""Bounds on the mistakes of the Perceptron and of SOBA, and the exploration that they set.

Beygelzimer, Orabona, Zhang, "Efficient online bandit multiclass learning with Õ(√T) regret", ICML 2017, Theorems 1 to
4. All hold for every sequence of rows of norm X or less, and for every linear classifier U (a row u_k per class); the
expectations are over SOBA's own draws. What the paper leaves to an O(·) is written out here, from its own proofs.
"""

from __future__ import annotations

from math import cbrt, log, log1p, sqrt

from scipy.optimize import brentq

from onebit.core.checks import check_number, check_whole


def perceptron_mistakes(loss: float, norm: float, *, power: float = 1.0, radius: float = 1.0) -> float:
    """Theorem 1: the most mistakes of the multiclass Perceptron, told every label.

    The largest M with M ≤ M^(1-1/q) L^(1/q) + √2 X‖U‖ √M, where `loss` is L, the sum of the q-th powers of the hinge
    loss of U over all rounds; `norm` is ‖U‖, of all entries; `power` is q, from 1 to 2; `radius` is X. For q = 2 this
    is the printed L + 2X²‖U‖² + 2√2 X‖U‖ √L; for q = 1 a little less than the printed L + 2X²‖U‖² + √2 X‖U‖ √L.
    We went over the proof. (The paper defines L with W in place of U.)

    >>> round(perceptron_mistakes(loss=0, norm=5))
    50
    >>> round(perceptron_mistakes(loss=100, norm=5, power=2), 6)
    291.421356
    """
    L = check_number("loss", loss, 0)
    q = check_number("power", power, 1, 2)
    B = sqrt(2) * check_number("norm", norm, 0) * check_number("radius", radius, 0)
    if L == 0 or q == 2:
        return (sqrt(L) + B) * (sqrt(L) + B)
    # In u = √M: u - u^(1-2/q) L^(1/q) grows with u, and reaches B between √L and √L + B.
    root = float(brentq(lambda u: u - u ** (1 - 2 / q) * L ** (1 / q) - B, sqrt(L) / 2, 2 * (sqrt(L) + B)))
    return root * root


def soba_eta(row_norm: float, radius: float = 1.0) -> float:
    """Theorems 2 and 3: the largest η, min(1, 2/(2X max ‖u_k‖ + 1)).

    They hold for every η from 0 (excluded) to this one. `row_norm` is max ‖u_k‖, the norm of the longest row of U;
    `radius` is X. Beyond it U could be charged less than nothing on a row that it gets right by far.

    >>> soba_eta(row_norm=0.5), soba_eta(row_norm=9.5)
    (1.0, 0.1)
    """
    widest = check_number("row_norm", row_norm, 0) * check_number("radius", radius, 0)
    return min(1.0, 2 / (2 * widest + 1))


def soba_gamma(rounds: float, classes: int, features: int) -> float:
    """The γ of Theorem 2: min(1, √(K² d ln T / T)), for T rounds, K classes and d features.

    The paper has O(·) around the root; we take 1 for its constant. With it and a = X² the expected mistakes exceed the
    η-loss of any U by O(X²‖U‖² + (K/η) √(d T ln T)). It is a worst case: on SynSep SOBA does well with γ = 2^-7.

    >>> round(soba_gamma(10**6, classes=9, features=400), 3)
    0.669
    """
    T, K, d = _sizes(rounds, classes, features)
    return min(1.0, K * sqrt(d * log(T) / T))


def soba_greedy_mistakes(
    rounds: float,
    classes: int,
    features: int,
    gamma: float,
    *,
    loss: float,
    norm: float,
    eta: float = 1.0,
    radius: float = 1.0,
    a: float = 1.0,
) -> float:
    """Theorem 3: a bound on the expected mistakes of SOBA's best label ŷ.

    L + aη‖U‖²/(2-η) + d K² ln(1 + 2TX²/(a d K))/(γη(2-η)). `rounds` is T, `classes` K, `features` d, `gamma` γ;
    `loss` is L, the sum of ℓ_η over all rounds, where ℓ_η(z) = 1 - (2z - ηz²)/(2-η) for a margin z up to 1 and 0
    beyond; `norm` is ‖U‖, of all entries; `eta` is η, at most `soba_eta`; `radius` X; `a` as in SOBA. We went over
    the proof; Lemma 1 is printed with the sign of its first line reversed.

    >>> round(soba_greedy_mistakes(10**6, 3, 4, gamma=0.1, loss=0, norm=1))
    4330
    """
    T, K, d = _sizes(rounds, classes, features)
    L = check_number("loss", loss, 0)
    U = check_number("norm", norm, 0)
    X = check_number("radius", radius, 0)
    start = check_number("a", a, 0, open_low=True)
    h = check_number("eta", eta, 0, 1, open_low=True)
    explored = check_number("gamma", gamma, 0, 1, open_low=True)
    bend = d * K**2 * log1p(2 * T * X * X / (start * d * K)) / (explored * h)
    return L + (start * h * U * U + bend) / (2 - h)


def soba_mistakes(
    rounds: float,
    classes: int,
    features: int,
    gamma: float,
    *,
    loss: float,
    norm: float,
    eta: float = 1.0,
    radius: float = 1.0,
    a: float = 1.0,
) -> float:
    """Theorem 2: a bound on the expected mistakes of the labels that SOBA plays, that of Theorem 3 plus γT.

    The arguments are those of `soba_greedy_mistakes`. (γT is generous: exploring picks ŷ itself once in K times.)

    >>> round(soba_mistakes(10**6, 3, 4, gamma=0.1, loss=0, norm=1))
    104330
    """
    greedy = soba_greedy_mistakes(rounds, classes, features, gamma, loss=loss, norm=norm, eta=eta, radius=radius, a=a)
    return greedy + gamma * rounds


def soba_hinge_gamma(
    rounds: float, classes: int, features: int, *, loss: float, norm: float, radius: float = 1.0
) -> float:
    """The γ of Theorem 4, for somebody who knows the hinge loss of U.

    With H = d K² X² ln T: min(1, (H L/T²)^(1/3)) if L ≥ (‖U‖² + 1) √(H T), else min(1, √(H/T)). `rounds` is T,
    `classes` K, `features` d, `loss` L, the sum of the hinge losses of U, `norm` ‖U‖, `radius` X.

    >>> round(soba_hinge_gamma(10**6, 9, 4, loss=2 * 10**5, norm=1), 4)
    0.0964
    >>> round(soba_hinge_gamma(10**6, 9, 4, loss=0, norm=1), 4)
    0.0669
    """
    T, K, d = _sizes(rounds, classes, features)
    L = check_number("loss", loss, 0)
    U = check_number("norm", norm, 0)
    X = check_number("radius", radius, 0)
    H = d * K**2 * X * X * log(T)
    if (U * U + 1) * sqrt(H * T) <= L:
        return min(1.0, cbrt(H * L / T**2))
    return min(1.0, sqrt(H / T))


def soba_hinge_mistakes(
    rounds: float, classes: int, features: int, gamma: float, *, loss: float, norm: float, radius: float = 1.0
) -> float:
    """Theorem 4: a bound on the expected mistakes of SOBA with a = X², by the hinge loss of U, at any γ.

    L + B² + B √(L + ½) + γT, B² = 2‖U‖²X² d K² ln(1 + 2T/(d K))/γ: the paper's proof with its constants kept. With
    the γ of `soba_hinge_gamma` it has the printed orders, L + O(‖U‖ (d K² X² L T ln T)^(1/3)) and
    L + O(K (‖U‖² + 1) X √(d T ln T)); in the first, ‖U‖ must be read as max(1, ‖U‖), since γT has no ‖U‖. The arguments
    are those of `soba_hinge_gamma`.

    >>> round(soba_hinge_mistakes(10**6, 3, 4, gamma=0.1, loss=0, norm=1))
    108723
    """
    T, K, d = _sizes(rounds, classes, features)
    L = check_number("loss", loss, 0)
    explored = check_number("gamma", gamma, 0, 1, open_low=True)
    reach = check_number("norm", norm, 0) * check_number("radius", radius, 0) * K
    square = 2 * reach * reach * d * log1p(2 * T / (d * K)) / explored
    return L + square + sqrt(square * (L + 0.5)) + explored * T


def _sizes(rounds: float, classes: int, features: int) -> tuple[int, int, int]:
    """T, K and d; of one round there is no logarithm."""
    T = check_whole("rounds", rounds, 2, floats=True)
    return T, check_whole("classes", classes, 2), check_whole("features", features)
