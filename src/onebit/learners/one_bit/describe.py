"""What OneBit has seen so far, and what it makes of it, as values and as text."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import exp, log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from onebit.contract.layout import Layout
from onebit.learners.one_bit.bank.kept import has_room
from onebit.learners.one_bit.bank.state import BankState
from onebit.learners.one_bit.curved.state import CurvedState
from onebit.learners.one_bit.lies import FIRST_RATE, explored_rate
from onebit.learners.one_bit.rated.linear import RatedState
from onebit.learners.one_bit.rated.rates import expected_rates

if TYPE_CHECKING:
    from onebit.learners.one_bit.learner import OneBit

_LEAST_EXPLORED = 30  # fewer explored plays do not tell ρ0
_LEAST_SHARE = 0.005  # of the mixture, for an expert to be named
_EXAMPLE = 0.9  # the believed probability by which calibration is shown


@dataclass(frozen=True, repr=False)
class Description:
    """What a learner has seen, and what it makes of it. Print it.

    `lessons` are those since the last restart. What only rows can tell is None, or 0 bytes, before the first one.
    `rho_0` is None where nothing can tell, and `se_0` its standard error where it comes from explored plays;
    `lying`, whether bits are known to lie. `exploration` is the probability that a decision explores, averaged over
    about the last hundred; `calibration` the pair (a, b): believed log-odds ℓ of a "yes" are worth a + bℓ. Where cases
    are kept in a dictionary, `kept` are so many of at most `budget`; `experts` are the flip rates in the running, each
    with its share: (ρ0, ρ1, share), and `rho_0` and `rho_1` their means.

    >>> import onebit
    >>> learner = onebit.simulate(onebit.OneBit(9), onebit.streams.synsep(2000), seeds=1).learners[0]
    >>> seen = learner.describe()
    >>> seen.decisions, seen.kind, seen.curvature, seen.drift_restarts
    (2000, 'sparse', 'diagonal', 0)
    """

    n_classes: int
    set_size: int
    n_features: int | None
    kind: str | None
    dtype: str
    decisions: int
    lessons: int
    updates: int
    curvature: str | None
    curvature_bytes: int
    noise: str
    rho_0: float | None
    se_0: float | None
    rho_1: float
    explored: float
    lying: bool
    drift: str | None
    drift_restarts: int
    lie_restarts: int
    exploration: float | None
    calibration: tuple[float, float] | None
    kept: int | None = None
    budget: int | None = None
    experts: tuple[tuple[float, float, float], ...] = ()

    def worth(self, believed: float) -> float | None:
        """What a believed probability, between 0 and 1, is worth by calibration.

        >>> import onebit
        >>> learner = onebit.OneBit(2)
        >>> learner.learn(learner.decide([1.0]), True)
        >>> bool(learner.describe().worth(0.9) > 0.9)
        True
        """
        if self.calibration is None:
            return None
        a, b = self.calibration
        return 1 / (1 + exp(-(a + b * log(believed / (1 - believed)))))

    def to_dict(self) -> dict[str, Any]:
        """All of it for programs; can be written as JSON.

        >>> import onebit
        >>> onebit.OneBit(2).describe().to_dict()["decisions"]
        0
        """
        return asdict(self)

    def __repr__(self) -> str:
        return f"Description({self.decisions} decisions, {self.lessons} lessons, {self.updates} updates)"

    def __str__(self) -> str:
        sets = f", {self.set_size} played at a time" if self.set_size > 1 else ""
        title = f"OneBit: {counted(self.n_classes, 'label')}{sets}"
        if self.n_features is None or self.exploration is None:
            return f"{title}\n\nnothing seen yet"
        since = " since the last restart" if self.drift_restarts + self.lie_restarts else ""
        facts = [
            ("seen", f"{counted(self.decisions, 'decision')}, {counted(self.updates, 'update')}"),
            ("learned", f"{counted(self.lessons, 'lesson')}{since}"),
            ("rows", f"{self.kind}, {counted(self.n_features, 'feature')}, {self.dtype}"),
            *([("kept cases", f"{self.kept:,} of at most {self.budget:,}")] if self.kept is not None else []),
            ("curvature", f"{self.curvature}, {_bytes(self.curvature_bytes)}"),
            *_noise_facts(self),
            ("restarts", _restarts_fact(self)),
            ("explores", f"{self.exploration:.1%} of decisions, over about the last hundred".replace("%", " %")),
            ("calibration", f"says {_EXAMPLE:.2f}, is {self.worth(_EXAMPLE):.2f}; predict_proba is corrected for it"),
        ]
        width = max(len(name) for name, _ in facts)
        return "\n".join([title, "", *(f"{name.ljust(width)}  {fact}" for name, fact in facts)])


def describe(learner: OneBit) -> Description:
    """What a learner has seen, and what it makes of it.

    >>> import onebit
    >>> describe(onebit.OneBit(2, noise=(0.1, 0.2))).rho_0
    0.1
    """
    layout = learner._session.layout
    K = len(learner.classes)
    auto = isinstance(learner.noise, str)
    state = learner._session.state if layout else learner.start(Layout(K, 1, "dense", learner.dtype))
    line = state.calibration
    if isinstance(state, CurvedState | RatedState):
        return _describe_experts(learner, state)
    lies = state.lies
    kept = None
    if isinstance(state, BankState):
        P = state.bank.information
        beside = state.kept.Q.nbytes + state.kept.inverse.nbytes
        kept = state.kept.size.item() if has_room(state.kept) else None
    else:
        P = state.weights.P
        beside = state.warm_up.P.nbytes

    # ρ0, if it is not given, is that of explored plays, with its standard error: EM cannot tell it.
    rho_0 = None if auto else lies.rho_0.item()
    se_0 = None
    explored = lies.explored_outside.item()
    if auto and explored >= _LEAST_EXPLORED:
        rho_0 = float(explored_rate(explored, lies.explored_yes.item()))
        likely = max(rho_0, 1 / (explored + 2))  # to have found no lie does not mean that there is none
        se_0 = sqrt(likely * (1 - likely) / explored)

    return Description(
        n_classes=K,
        set_size=learner.m,
        n_features=layout.n_features if layout else learner.n_features,
        kind=layout.kind if layout else None,
        dtype=learner.dtype,
        decisions=learner.decisions,
        lessons=state.clock.n.item(),
        updates=learner.updates,
        curvature=("full" if P.ndim == 3 else "diagonal") if layout else None,
        curvature_bytes=P.nbytes + beside if layout else 0,
        noise="auto" if auto else "none" if learner.noise is None else "known",
        rho_0=rho_0,
        se_0=se_0,
        rho_1=lies.rho_1.item(),
        explored=explored,
        lying=bool(lies.often[0]),
        drift=learner.drift,
        drift_restarts=state.clock.drift_restarts.item(),
        lie_restarts=state.clock.lie_restarts.item(),
        exploration=state.exploration.item() if layout else None,
        calibration=(line.a.item(), line.b.item()) if layout else None,
        kept=kept if layout else None,
        budget=learner.most_kept if kept is not None and layout else None,
    )


def _describe_experts(learner: OneBit, state: CurvedState | RatedState) -> Description:
    """The same for a grid of flip rates, with or without a dictionary of kept cases."""
    layout = learner._session.layout
    rates = state.rates
    line = state.calibration
    rho_0, rho_1 = expected_rates(rates)
    leading = int(np.argmax(rates.share))
    kept = None
    if isinstance(state, CurvedState):
        kept = state.dictionary.size.item()
        form = "full"
        matrices = state.weights.Q.nbytes + state.dictionary.inverse.nbytes
    else:
        form = "diagonal"
        matrices = state.weights.P.nbytes + state.warm_up.P.nbytes
    return Description(
        n_classes=len(learner.classes),
        set_size=learner.m,
        n_features=layout.n_features if layout else learner.n_features,
        kind=layout.kind if layout else None,
        dtype=learner.dtype,
        decisions=learner.decisions,
        lessons=state.clock.n.item(),
        updates=learner.updates,
        curvature=form if layout else None,
        curvature_bytes=matrices if layout else 0,
        noise="auto" if isinstance(learner.noise, str) else "none" if learner.noise is None else "known",
        rho_0=rho_0 if layout or len(rates.share) == 1 else None,
        se_0=None,
        rho_1=rho_1 if layout or len(rates.share) == 1 else FIRST_RATE,
        explored=0.0,
        lying=bool(rates.steepness[leading] < 1),
        drift=learner.drift,
        drift_restarts=state.clock.drift_restarts.item(),
        lie_restarts=0,
        exploration=state.exploration.item() if layout else None,
        calibration=(line.a.item(), line.b.item()) if layout else None,
        kept=kept if layout else None,
        budget=learner.most_kept if kept is not None and layout else None,
        experts=tuple(zip(rates.rho_0.tolist(), rates.rho_1.tolist(), rates.share.tolist(), strict=True)),
    )


def _noise_facts(seen: Description) -> list[tuple[str, str]]:
    if seen.noise == "none":
        return [("bits", "taken as honest (noise=None)")]
    if seen.experts and seen.noise == "auto":
        rates = ", ".join(f"{rho_0:.2f} ({share:.0%})" for rho_0, _, share in seen.experts if share >= _LEAST_SHARE)
        doubt = "lie often, or like rows have unlike labels: they are trusted less"
        return [
            ("bits", doubt if seen.lying else "are not known to lie often"),
            ("  flip rates", f"about {seen.rho_0:.2f}; in the running: {rates}".replace("%", " %")),
        ]
    if seen.noise == "known":
        return [("bits", f"lie at known rates: ρ0 = {seen.rho_0:.3f}, ρ1 = {seen.rho_1:.3f}")]
    if seen.rho_0 is not None:
        rho_0 = f"{seen.rho_0:.3f} ± {seen.se_0:.3f}, from {counted(round(seen.explored), 'explored play')}"
    else:
        rho_0 = "unknown: " + ("sets do not tell" if seen.set_size > 1 else "not enough explored plays to tell")
    return [
        ("bits", "lie often: they are trusted less" if seen.lying else "are not known to lie often"),
        ("  false yes", f"ρ0 {rho_0}"),
        ("  false no", f"ρ1 {seen.rho_1:.3f}, by what it believes the labels to be"),
    ]


def _restarts_fact(seen: Description) -> str:
    drift = f"{seen.drift_restarts} after drift" if seen.drift else "drift is not watched"
    return f"{drift}, {seen.lie_restarts} after lies" if seen.noise == "auto" and not seen.experts else drift


def counted(n: int, noun: str) -> str:
    """So many of them, in words.

    >>> counted(1, "label"), counted(2000, "bit")
    ('1 label', '2,000 bits')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _bytes(n: float) -> str:
    for unit in ("B", "kB", "MB"):
        if n < 1000:
            return f"{n:.3g} {unit}"
        n /= 1000
    return f"{n:.3g} GB"
