"""OneBit describes itself: numbers as the state has them, lies and drift told, and what cannot be known left open."""

from __future__ import annotations

import json
from math import sqrt
from typing import Any

import numpy as np
import pytest

import onebit
from onebit import NoisyBit, OneBit
from onebit.learners.one_bit.lies import FIRST_RATE
from onebit.streams import from_arrays, synsep
from tests.either import clusters


def test_nothing_seen_yet() -> None:
    seen = OneBit(3, m=2).describe()
    assert str(seen) == "OneBit: 3 labels, 2 played at a time\n\nnothing seen yet"
    assert (seen.decisions, seen.lessons, seen.updates, seen.curvature, seen.exploration) == (0, 0, 0, None, None)
    assert (seen.rho_0, seen.rho_1, seen.worth(0.9)) == (None, FIRST_RATE, None)
    json.dumps(seen.to_dict())


def test_described_by_the_state() -> None:
    clerk = OneBit(["billing", "refund", "abuse"], cases=None, kernel=None)
    for t in range(100):
        decision = clerk.decide({"subject": ("invoice", "money back", "spam")[t % 3]})
        clerk.learn(decision, decision.label == clerk.classes[t % 3])
    seen, state = clerk.describe(), clerk._session.state
    a, b = state.calibration.a[0], state.calibration.b[0]
    assert (seen.decisions, seen.lessons, seen.updates) == (100, state.clock.n[0], clerk.updates)
    assert (seen.n_classes, seen.n_features, seen.kind, seen.dtype) == (3, 2**18, "sparse", "float64")
    assert (seen.curvature, seen.curvature_bytes) == ("diagonal", 3 * (2**18 + 1) * 8)
    assert (seen.exploration, seen.calibration) == (state.exploration[0], (a, b))
    assert seen.rho_1 == clerk.noise_rates.rho_1
    assert seen.worth(0.9) == pytest.approx(1 / (1 + np.exp(-a) * 9**-b))
    assert f"says 0.90, is {seen.worth(0.9):.2f}" in str(seen)
    assert max(map(len, str(seen).splitlines())) <= 80
    assert repr(seen) == f"Description(100 decisions, 100 lessons, {clerk.updates} updates)"


def test_lies_are_told() -> None:
    learner: Any = onebit.simulate(OneBit(9, kernel=None), synsep(20_000), NoisyBit(0.4, 0.4), seeds=1).learners[0]
    seen, state = learner.describe(), learner._session.state
    assert seen.lying
    assert (seen.drift_restarts, seen.lie_restarts) == (0, 1)
    assert seen.lessons == state.clock.n[0] < seen.decisions == 20_000
    N, F = state.lies.explored_outside[0], state.lies.explored_yes[0]
    assert (seen.explored, seen.rho_0) == (N, F / (N + 2))
    assert seen.se_0 == pytest.approx(sqrt(seen.rho_0 * (1 - seen.rho_0) / N))
    assert abs(seen.rho_0 - 0.4) < 3 * seen.se_0
    assert abs(seen.rho_1 - 0.4) < 0.05
    assert f"ρ0 {seen.rho_0:.3f} ± {seen.se_0:.3f}, from {N:.0f} explored plays" in str(seen)
    assert "0 after drift, 1 after lies" in str(seen)
    assert "since the last restart" in str(seen)


def test_the_false_yes_rate_comes_from_explored_plays_only() -> None:
    few: Any = onebit.simulate(OneBit(9, kernel=None), synsep(300), seeds=[1]).learners[0]
    lies = few._session.state.lies
    lies.explored_outside[0], lies.explored_yes[0] = 29.9, 3.0
    assert (few.describe().rho_0, few.describe().se_0) == (None, None)
    assert "ρ0 unknown: not enough explored plays to tell" in str(few.describe())
    lies.explored_outside[0], lies.explored_yes[0], lies.rho_0[0] = 48.0, 5.0, 0.3
    assert (few.describe().rho_0, few.describe().lying) == (0.1, False), "not the rate that EM reckons with"
    lies.explored_outside[0], lies.explored_yes[0] = 98.0, -1.0
    assert few.describe().rho_0 == 0
    assert few.describe().se_0 == pytest.approx(sqrt(0.01 * 0.99 / 98)), "to find no lie is not to be sure"


def test_known_rates_honest_bits_and_sets() -> None:
    known = OneBit(4, noise=(0.1, 0.2), drift=None)
    known.decide([1.0, 2.0])
    seen = known.describe()
    assert (seen.noise, seen.rho_0, seen.se_0, seen.rho_1, seen.lying) == ("known", 0.1, None, 0.2, True)
    assert "lie at known rates: ρ0 = 0.100, ρ1 = 0.200" in str(seen)
    assert "restarts     drift is not watched\n" in str(seen)
    honest = OneBit(4, noise=None)
    honest.decide([1.0, 2.0])
    assert (honest.describe().rho_0, honest.describe().rho_1, honest.describe().lying) == (0, 0, False)
    assert "taken as honest" in str(honest.describe())
    pairs = OneBit(4, m=2, kernel=None)
    pairs.decide([1.0, 2.0])
    assert "ρ0 unknown: sets do not tell" in str(pairs.describe())


def test_drift_is_told() -> None:
    stream, n = clusters(3000), 1500
    y = [*stream.y[:n], *({"a": "b", "b": "c", "c": "a"}[label] for label in stream.y[n:])]
    drifting = from_arrays(stream.X, y, shuffle=False)
    learner: Any = onebit.simulate(OneBit(["a", "b", "c"], kernel=None), drifting, seeds=1).learners[0]
    seen = learner.describe()
    assert (seen.drift_restarts, seen.lie_restarts, seen.decisions) == (1, 0, 3000)
    assert n - 200 < seen.lessons < n
    assert "1 after drift" in str(seen)
    assert seen.curvature_bytes == 3 * 6 * 6 * 8
