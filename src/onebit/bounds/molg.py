"""Bounds for MOLGF and MOLGB, learners on graphs, and the optimism that Theorem 4 sets.

Yang, Zhao, Gao, "Bandit online learning on graphs via adaptive optimization", IJCAI 2018, Theorems 2 to 4. The proofs
are not in the paper; those of Theorems 2 and 3 we made ourselves, and they give less than what is printed. Rows have
norm 1 or less, b > 1, U is any matrix (a column per class), Z the rounds that taught (each added a x xᵀ to A, with
a = 1/(1-q), q = xᵀA⁻¹x), ℓ the hinge loss of U's margin over the rival that was pushed down.
"""

from __future__ import annotations

from math import log, log1p, sqrt
from typing import Literal

from onebit.core.checks import check_choice, check_number, check_whole

Form = Literal["corrected", "printed"]


def molg_mistakes(loss: float, spread: float, log_det: float, b: float = 10.0, *, form: Form = "corrected") -> float:
    """Theorem 2: a bound on the mistakes of a MOLGF that learns from mistakes only (φ = 0).

    As printed, Σ a ℓ + ½ tr(UᵀAU) + b/(2(b-1)) log|A/b|. `loss` is Σ a ℓ over Z; `spread` is tr(UᵀAU), `log_det`
    log|A/b|, both with A at the end; `b` as in MOLGF. The last term is not needed, and `form="corrected"` leaves it
    out: comparing tr(UᵀB) with ½ tr(BᵀA⁻¹B) gives Σ a (1 - ℓ) ≤ ½ tr(UᵀAU) + Σ a² xᵀA⁻¹x, since the target of a
    lesson (+1, -1) has squared norm 2; and a² xᵀA⁻¹x = a - 1, so that Σ 1 is what remains.

    >>> [molg_mistakes(loss=4, spread=6, log_det=10, b=2, form=form) for form in ("printed", "corrected")]
    [17.0, 7.0]
    """
    check_choice("form", form, ("corrected", "printed"))
    least = check_number("loss", loss, 0) + check_number("spread", spread, 0) / 2
    tail = _b(b) / (2 * (b - 1)) * check_number("log_det", log_det, 0)
    return least + tail if form == "printed" else least


def molgf_mistakes(
    loss: float,
    spread: float,
    log_det: float,
    eager: int,
    b: float = 10.0,
    phi: float = 1.0,
    *,
    form: Form = "corrected",
) -> float:
    """Theorem 3: a bound on the mistakes of MOLGF, which also learns from right answers of small margin.

    As printed, Σ a ℓ + ½ tr(UᵀAU) + b/(b-1) log|A/b| - D, for φ = 1. `eager` is D, how many lessons came from right
    answers; the others as in `molg_mistakes`. Corrected, (φ/2) (b/(b-1))² stands before log|A/b|: such a lesson adds
    at most a φσ = φ a² q/2 to the sum of Theorem 2, a ≤ b/(b-1), and Σ q ≤ log|A/b|. That holds for every φ (the
    printed one fails for large ones) and is less than printed for φ = 1 and b > 2. The paper reads its bound as
    O(log T), but tr(UᵀAU) = b‖U‖² + Σ a ‖Uᵀx‖² grows with the number of lessons. (Printed (1/b)|A| must be |A/b|.)

    >>> [molgf_mistakes(4, 6, 10, eager=3, b=5, form=form) for form in ("printed", "corrected")]
    [16.5, 11.8125]
    """
    check_choice("form", form, ("corrected", "printed"))
    least = molg_mistakes(loss, spread, log_det, b) - check_whole("eager", eager, 0, of="lessons")
    largest_a = b / (b - 1)
    margin = check_number("phi", phi, 0)
    factor = largest_a if form == "printed" else margin / 2 * largest_a * largest_a
    return least + factor * log_det


def molg_log_det(lessons: int, features: int, b: float = 10.0, *, classes: int = 1, form: Form = "corrected") -> float:
    """A bound on log|A/b| after so many lessons, summed over `classes` matrices A of d × d: n d log(1 + Z/(n d (b-1))).

    `lessons` is Z, `features` d, `classes` n: 1 for MOLGF, whose classes share A, K for MOLGB. The paper prints
    K d log(1 + T/(K d b)) for both. That is too small: a row counts a times, and a is up to b/(b-1). After one lesson
    with ‖x‖ = 1, log|A/b| is log(b/(b-1)), more than 1/b, which the printed one never reaches.

    >>> round(molg_log_det(1, features=1, b=2), 4), round(molg_log_det(1, features=1, b=2, form="printed"), 4)
    (0.6931, 0.4055)
    """
    check_choice("form", form, ("corrected", "printed"))
    Z = check_whole("lessons", lessons, 0, floats=True)
    size = check_whole("features", features) * check_whole("classes", classes)
    start = _b(b)
    return size * log1p(Z / (size * (start if form == "printed" else start - 1)))


def molgb_phi(
    step: int, log_det: float, norm: float, b: float = 10.0, *, square_loss: float = 1.0, delta: float = 0.05
) -> float:
    """Theorem 4: the optimism ϕ of MOLGB for one class in round t, as printed.

    ϕ² = (b/(b-1))² (4(b-1)‖U‖² + 4γ log|A/b| + 144 log((t+4)/δ)). `step` is t, `log_det` log|A/b| of the class,
    `norm` ‖U‖, `square_loss` γ, which no squared loss of U exceeds, `delta` δ, the chance that the theorem fails. The
    constants come from Dekel, Gentile, Sridharan (2010); we have not gone over them. The paper's experiments, and
    MOLGB's default, take .05 in its place, where this is 30 and more; `MOLGB(varphi="schedule")` takes this.

    >>> round(molgb_phi(1, log_det=0, norm=1), 2)
    29.38
    """
    t = check_whole("step", step)
    constant, per_log_det, per_log_step = molgb_phi_terms(norm, b, square_loss, delta)
    return sqrt(constant + per_log_det * check_number("log_det", log_det, 0) + per_log_step * log(t + 4))


def molgb_phi_terms(norm: float, b: float, square_loss: float, delta: float) -> tuple[float, float, float]:
    """ϕ² of Theorem 4 as a sum: what never changes, what stands before log|A/b|, and what before log(t + 4).

    >>> constant, per_log_det, per_log_step = molgb_phi_terms(norm=1, b=10, square_loss=1, delta=0.05)
    >>> round((constant + per_log_step * log(1 + 4)) ** 0.5, 2)
    29.38
    """
    start = _b(b)
    U = check_number("norm", norm, 0)
    squared = (start / (start - 1)) ** 2
    constant = squared * (4 * (start - 1) * U * U - 144 * log(_delta(delta)))
    return constant, squared * 4 * check_number("square_loss", square_loss, 0), squared * 144


def molgb_regret(
    rounds: float,
    classes: int,
    features: int,
    norm: float,
    b: float = 10.0,
    *,
    square_loss: float = 1.0,
    delta: float = 0.05,
    form: Form = "corrected",
) -> float:
    """Theorem 4: a bound on the regret of MOLGB with the optimism of `molgb_phi`, with probability 1-δ.

    The labels are drawn, P(y = k | x) = (1 + u_k·x)/2; the regret is what its labels are wrong more often, in
    expectation, than the likeliest ones. With H1 = 2(b-1)‖U‖² + 72 log((T+4)/δ) and H2 = 2γΛ, Λ the bound of
    `molg_log_det` for K classes: as printed √((b/(b-1))³ T (√(H1 H2) + H2)); corrected √((b/(b-1))³ T (H1 + H2) Λ).
    For γ ≥ ½ this is at most √((b/(b-1))³ T) (√(H1 H2) + H2), which is surely what was meant: the paper itself speaks
    of √T log T, and the printed root spans too much. `rounds` is T, the others as in `molgb_phi`.

    The corrected one follows from ϕ if every round teaches. MOLGB passes over right answers of large margin; such a
    round adds to the regret and nothing to A, and we know no proof that covers it.

    >>> [round(molgb_regret(10**4, 3, 10, norm=1, form=form)) for form in ("printed", "corrected")]
    [2982, 40863]
    """
    T = check_whole("rounds", rounds, floats=True)
    K = check_whole("classes", classes, 2)
    check_choice("form", form, ("corrected", "printed"))
    start = _b(b)
    U = check_number("norm", norm, 0)
    gamma = check_number("square_loss", square_loss, 0)
    total = molg_log_det(T, features, start, classes=K, form=form)
    H_1 = 2 * (start - 1) * U * U + 72 * log((T + 4) / _delta(delta))
    H_2 = 2 * gamma * total
    inner = sqrt(H_1 * H_2) + H_2 if form == "printed" else (H_1 + H_2) * total
    return sqrt((start / (start - 1)) ** 3 * T * inner)


def _b(value: float) -> float:
    return check_number("b", value, 1, open_low=True)


def _delta(value: float) -> float:
    return check_number("delta", value, 0, 1, open_low=True, open_high=True)
