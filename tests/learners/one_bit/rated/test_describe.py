"""What a learner by a grid of flip rates says of itself: which rates are in the running, and who leads."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit import OneBit
from onebit.learners.one_bit.lies import FIRST_RATE
from onebit.learners.one_bit.rated.rates import RATES
from tests.learners.one_bit.rated.wide import LABELS, WIDTH, live, texts


def lines(learner: Any) -> dict[str, str]:
    """The facts of the text by their names."""
    pairs = (line.strip().split("  ", 1) for line in str(learner.describe()).splitlines()[2:])
    return {name: fact.strip() for name, fact in pairs}


def with_shares(*shares: float) -> Any:
    """A learner that has decided once, and whose experts have these shares."""
    learner = OneBit(LABELS)
    learner.decide(texts(1)[0][0])
    learner._session.state.rates.share[:] = shares
    return learner


def test_nothing_seen_yet() -> None:
    seen = OneBit(LABELS, n_features=WIDTH).describe()
    assert (seen.decisions, seen.curvature, seen.rho_0, seen.rho_1) == (0, None, None, FIRST_RATE)
    assert "nothing seen yet" in str(seen)


def test_described_by_the_state() -> None:
    learner = live(OneBit(LABELS))
    seen, state = learner.describe(), learner._session.state
    assert (seen.decisions, seen.lessons, seen.updates) == (60, 60, learner.updates)
    assert (seen.kind, seen.n_features, seen.curvature) == ("sparse", WIDTH, "diagonal")
    assert seen.curvature_bytes == 8 * len(RATES) * 3 * (302 + 302**2), "whole ones are there for the warm-up"
    assert (seen.kept, seen.budget, seen.lie_restarts) == (None, None, 0)
    assert seen.experts == tuple(zip(RATES, RATES, state.rates.share.tolist(), strict=True))
    assert (seen.exploration, seen.calibration) == (
        state.exploration[0],
        (state.calibration.a[0], state.calibration.b[0]),
    )
    assert "kept cases" not in lines(learner)
    assert lines(learner)["restarts"] == "0 after drift"
    assert max(map(len, str(seen).splitlines())) <= 80
    json.dumps(seen.to_dict())


def test_rates_are_means_over_the_experts() -> None:
    learner = with_shares(0.5, 0.3, 0.2, 0)
    seen = learner.describe()
    assert seen.rho_0 == seen.rho_1 == pytest.approx(0.5 * 0.01 + 0.3 * 0.05 + 0.2 * 0.25)
    assert tuple(learner.noise_rates) == (seen.rho_0, seen.rho_1)
    assert seen.se_0 is None
    assert lines(learner)["flip rates"] == "about 0.07; in the running: 0.01 (50 %), 0.05 (30 %), 0.25 (20 %)"


def test_who_has_next_to_nothing_is_not_named() -> None:
    running = lines(with_shares(0.004, 0.006, 0.99, 0))["flip rates"]
    assert running.endswith("in the running: 0.05 (1 %), 0.25 (99 %)")


@pytest.mark.parametrize(
    ("shares", "lying"), [((0.4, 0.3, 0.2, 0.1), False), ((0.4, 0, 0.6, 0), True), ((0, 0, 0, 1), True)]
)
def test_bits_lie_if_the_leading_expert_says_so(shares: tuple[float, ...], lying: bool) -> None:
    learner = with_shares(*shares)
    assert learner.describe().lying == lying
    often = "lie often, or like rows have unlike labels: they are trusted less"
    assert lines(learner)["bits"] == (often if lying else "are not known to lie often")


@pytest.mark.parametrize(("lies", "leading"), [(0.0, 0.01), (0.25, 0.25)])
def test_the_rate_of_the_bits_is_found(lies: float, leading: float) -> None:
    """Rows whose labels have words of their own: labels that cannot be told apart would look like lies."""
    draw = np.random.default_rng(5)
    learner = OneBit(LABELS)
    for k in draw.integers(len(LABELS), size=3_000):
        row = np.zeros((1, WIDTH))
        row[0, 100 * k + draw.choice(100, size=6, replace=False)] = 1
        decision = learner.decide(sp.csr_array(row))
        learner.learn(decision, (decision.label == LABELS[k]) != (draw.random() < lies))
    seen = learner.describe()
    first, second = sorted(seen.experts, key=lambda expert: -expert[2])[:2]
    assert first[:2] == (leading, leading)
    assert first[2] > 2 * second[2]
    assert seen.lying == (lies > 0)
    assert seen.rho_0 is not None
    assert abs(seen.rho_0 - lies) < 0.05


def test_known_rates_and_honest_bits() -> None:
    known, honest = live(OneBit(LABELS, noise=(0.1, 0.2)), stop=3), live(OneBit(LABELS, noise=None), stop=3)
    seen = known.describe()
    assert (seen.noise, seen.rho_0, seen.rho_1, seen.lying) == ("known", 0.1, 0.2, True)
    assert seen.experts == ((0.1, 0.2, 1.0),)
    assert lines(known)["bits"] == "lie at known rates: ρ0 = 0.100, ρ1 = 0.200"
    seen = honest.describe()
    assert (seen.noise, seen.rho_0, seen.rho_1, seen.lying, seen.experts) == ("none", 0, 0, False, ((0, 0, 1),))
    assert lines(honest)["bits"] == "taken as honest (noise=None)"
    assert "flip rates" not in lines(known) | lines(honest)


def test_restarts_are_told() -> None:
    learner = live(OneBit(LABELS), stop=3)
    learner._session.state.clock.drift_restarts[0] = 2
    assert learner.describe().drift_restarts == 2
    assert lines(learner)["restarts"] == "2 after drift"
    assert lines(learner)["learned"] == "3 lessons since the last restart"
    assert lines(live(OneBit(LABELS, drift=None), stop=3))["restarts"] == "drift is not watched"


def test_describing_changes_nothing() -> None:
    learner = live(OneBit(LABELS), stop=3)
    before = [array.copy() for array in learner._session.state.rates]
    learner.describe()
    assert all(np.array_equal(a, b) for a, b in zip(before, learner._session.state.rates, strict=True))
