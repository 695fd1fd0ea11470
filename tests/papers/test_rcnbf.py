"""The table and figures of the paper on bits that lie: what is printed, what claims mean, the whole way on data."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.noise.nrest import NREst
from onebit.papers import experiment
from onebit.papers.rcnbf import claims, estimators, fig2, fig3, settings, table1
from onebit.papers.rcnbf.settings import CLEAN, NOISY, PAIRS, Pair, feedback
from onebit.streams.base import Stream
from onebit.streams.catalog import dataset
from onebit.sweep.outcomes import Outcomes
from onebit.sweep.results import Paired, paired_difference

NEEDED = ("mnist", "usps", "fashion_mnist")
IDS = ("rcnbf/table1", "rcnbf/fig2", "rcnbf/fig3")
needs_data = pytest.mark.skipif(
    not all(dataset(name).available for name in NEEDED), reason="needs mnist, usps and fashion_mnist"
)

NREST = estimators.LOGISTIC
ROUNDS = np.array([1_000, 10_000])
FINE = {"Banditron": 0.5, "BanditPA": 0.4, "SOBA": 0.5, "RCNBF": 0.3, "RCINE": 0.31, "OneBit": 0.1}
"""Errors in noise under which every claim holds; without noise all are at 0.3."""


def runs(error: float, early: float, rates: Any = (0.0, 0.0), seeds: int = 3, step: float = 0.001) -> Outcomes:
    """What ends at this error, one `step` more with each seed, and had the early one at a tenth of the rounds."""
    each = np.array([[early, error + step * seed] for seed in range(seeds)])
    counts = np.round(each * ROUNDS).astype(np.int64)
    found = np.broadcast_to(np.asarray(rates, dtype=np.float64), (seeds, 2))
    return Outcomes(tuple(range(seeds)), ROUNDS, counts, counts, counts, np.ones(seeds), found)


class Made:
    """Results with errors of our choice: by learner, the same in every kind of noise but for those given by pair."""

    def __init__(self, errors: Mapping[str, float], special: Mapping[tuple[str, Pair], float] | None = None) -> None:
        self.seeds = 3
        self._errors = {(arm, pair): error if pair != CLEAN else 0.3 for arm, error in errors.items() for pair in PAIRS}
        self._errors |= special or {}

    def entry(self, arm: str, stream: str, channel: str) -> Any:
        pair = next(pair for pair in PAIRS if feedback(pair) == channel)
        early = {"RCNBF": 0.7, "RCINE": 0.7}.get(arm, 0.6 if pair != CLEAN else 0.5)
        step = 0.001 if arm in claims.ROBUST else -0.001
        return SimpleNamespace(report=runs(self._errors[arm, pair], early, seeds=self.seeds, step=step))

    def paired(self, a: str, b: str, stream: str, channel: str) -> Paired:
        return paired_difference(self.entry(a, stream, channel).report, self.entry(b, stream, channel).report)


def made(**other: float) -> Any:
    return Made(FINE | other)


def test_table_1_is_the_papers() -> None:
    printed = [[value for name in NEEDED for value in row[name]] for row in table1.PRINTED.values()]
    assert list(table1.PRINTED) == [(0, 0), (0.15, 0.15), (0.25, 0.25), (0.2, 0.4), (0.4, 0.2), (0.4, 0.4)]
    assert printed == [
        [0.063, 0.029, 0.017, 0.000, 0.090, 0.004],
        [0.172, 0.147, 0.181, 0.153, 0.189, 0.140],
        [0.248, 0.264, 0.258, 0.257, 0.264, 0.259],
        [0.211, 0.439, 0.194, 0.419, 0.215, 0.393],
        [0.400, 0.260, 0.393, 0.229, 0.404, 0.222],
        [0.403, 0.508, 0.402, 0.515, 0.397, 0.502],
    ]


def test_the_kinds_of_noise_are_the_papers() -> None:
    assert PAIRS == ((0, 0), (0.15, 0.15), (0.4, 0.4), (0.2, 0.4), (0.4, 0.2))
    assert [settings.channel(pair).text for pair in PAIRS] == [feedback(pair) for pair in PAIRS]


def test_every_experiment_says_what_it_is() -> None:
    for id in IDS:
        assert experiment(id).id == id
        networks = "the paper's network" if id == "rcnbf/table1" else "logistic regression in place of its network"
        assert networks in experiment(id).about
    assert all("rows are pixels" in experiment(id).about for id in IDS[:2])


def test_the_reason_depends_on_the_side() -> None:
    def why(rho_1: float) -> str:
        entry: Any = SimpleNamespace(arm=NREST, stream="usps", report=runs(0.5, 0.5, (0.2, rho_1)))
        return table1.pair_row(entry, (0.2, 0.4), N_s=10_000).why

    assert "too small: the classifier overfits" in why(0.3)
    assert "too large: classes overlap" in why(0.5)


def test_rates_that_were_never_estimated_are_not_judged() -> None:
    entry: Any = SimpleNamespace(arm=NREST, stream="usps", report=runs(0.5, 0.5))
    row = table1.pair_row(entry, (0.0, 0.0), N_s=20_000)
    assert (row.verdict, row.why) == ("too short", "10,000 rounds, and an estimate needs 20,000")


def estimated(stream: str, *misses: float, arm: str = NREST) -> Any:
    """The row of the pair (0.2, 0.4), whose printed estimates on USPS are off by 0.0141, for misses of our choice."""
    rates = np.array([[0.2 + miss, 0.4 + miss] for miss in misses])
    entry: Any = SimpleNamespace(arm=arm, stream=stream, report=runs(0.5, 0.5, rates, seeds=len(misses)))
    return table1.pair_row(entry, (0.2, 0.4), N_s=100)


def test_an_estimate_is_judged_by_two_standard_errors_of_its_distance_from_the_truth() -> None:
    verdicts = [estimated("usps", *misses).verdict for misses in ((0.01, 0.02), (0.05, 0.06), (0.001, 0.002))]
    assert verdicts == ["reproduces", "higher than printed", "lower than printed"]


def test_errors_that_cancel_over_seeds_still_count() -> None:
    assert estimated("usps", -0.1, 0.1, 0.11).verdict == "higher than printed"


def test_other_data_and_our_own_estimator_have_no_verdict() -> None:
    assert estimated("mnist", 0.01, 0.02).verdict == "not comparable"
    assert "pixels" in estimated("fashion_mnist", 0.01, 0.02).why
    assert estimated("usps", 0.01, 0.02, arm=estimators.OURS).verdict == "ours"
    assert estimated("digits", 0.01, 0.02).printed.startswith("0.211, 0.439")


def test_every_form_of_the_papers_estimator_is_tried_where_it_can_be() -> None:
    for name, full in (("mnist", True), ("usps", False)):
        assert list(estimators.estimators(name, full)) == [estimators.LOGISTIC, estimators.OURS]
    found = estimators.estimators("usps", full=True)
    released = estimators.RELEASED_NETWORK if estimators.has_torch() else estimators.RELEASED
    networks = {released, estimators.NETWORK} if estimators.has_torch() else {released}
    assert set(found) == {estimators.LOGISTIC, estimators.OURS} | networks
    classifier = "network" if estimators.has_torch() else None
    assert found[released] == NREst(classifier, layers=(32, 256, 32), epochs=20, form="released")


def test_rows_are_drawn_with_replacement() -> None:
    stream = settings.rows_of("iris")
    windows = list(stream.windows(3, 70_000))
    order = np.concatenate([window.order for window in windows])
    assert len(order) == 70_000
    assert 100 < np.bincount(order, minlength=150).std() ** 2 < 1000  # about 467; a permutation has almost 0
    assert stream.classes == onebit.streams.load("iris").classes
    np.testing.assert_array_equal(stream.y, onebit.streams.load("iris").y)


def all_claims(results: Any) -> dict[str, str]:
    rows = {f"{ours} {rival}": claims.below_row(results, "mnist", ours, rival) for ours in claims.ROBUST
            for rival in claims.RIVALS}  # fmt: skip
    rows["comparable"] = claims.comparable_row(results, "mnist")
    rows |= {f"clean {ours}": claims.clean_row(results, "mnist", ours) for ours in claims.ROBUST}
    rows |= {"learning": claims.learning_row(results, "mnist"), "ours": claims.our_row(results, "mnist")}
    rows |= {f"slope {ours}": claims.slope_row(results, "mnist", ours) for ours in claims.ROBUST}
    return {name: row.verdict for name, row in rows.items()}


def test_claims_hold_where_they_should() -> None:
    found = all_claims(Made(FINE, {("OneBit", CLEAN): 0.1}))
    assert found.pop("ours") == "ours"
    assert set(found.values()) == {"reproduces"}


@pytest.mark.parametrize(
    ("wrong", "names"),
    [
        ({"BanditPA": 0.25}, {"RCNBF BanditPA", "RCINE BanditPA", "learning"}),
        ({"BanditPA": 0.303}, {"RCNBF BanditPA", "RCINE BanditPA"}),
        ({"SOBA": 0.3}, {"RCNBF SOBA", "RCINE SOBA"}),
        ({"RCINE": 0.34}, {"comparable", "clean RCINE"}),
        ({"RCNBF": 0.6, "RCINE": 0.6}, {f"{a} {b}" for a in claims.ROBUST for b in claims.RIVALS}
         | {"learning"} | {f"{a} {b}" for a in ("clean", "slope") for b in claims.ROBUST}),
    ],
)  # fmt: skip
def test_a_claim_that_is_wrong_does_not_reproduce(wrong: Mapping[str, float], names: set[str]) -> None:
    found = all_claims(made(**wrong))
    assert {name for name, verdict in found.items() if verdict == "does not reproduce"} == names


def test_one_kind_of_noise_is_enough_to_refute() -> None:
    results: Any = Made(FINE, {("BanditPA", NOISY[1]): 0.2})
    row = claims.below_row(results, "mnist", "RCNBF", "BanditPA")
    assert row.verdict == "does not reproduce"
    assert row.why.startswith("holds at (0.15, 0.15), (0.2, 0.4), (0.4, 0.2) only; BanditPA divides by no propensity")


def test_one_seed_alone_proves_nothing() -> None:
    results = made()
    results.seeds = 1
    row = claims.below_row(results, "fashion_mnist", "RCNBF", "SOBA")
    assert (row.verdict, row.why[:26]) == ("too short", "one seed gives no interval")


def few_rows(name: str) -> Stream:
    """The first rows of the test part of a data set, in place of all of it."""
    whole = onebit.streams.load(name, normalize=True, split="test")
    stream = onebit.streams.from_arrays(whole.X[:400], whole.y[:400], classes=list(whole.classes))
    stream.name = name
    return stream


@needs_data
def test_every_experiment_goes_all_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (table1, fig2, fig3):
        monkeypatch.setattr(module, "rows_of", cache(few_rows))
    monkeypatch.setattr(fig2, "SETS", ("usps",))
    monkeypatch.setattr(table1, "SETS", {"fashion_mnist": "fashion_mnist"})
    monkeypatch.setattr(fig3, "DATA", "usps")
    monkeypatch.setattr(fig3, "QUICK_GAMMAS", (0.1, 0.2))
    rows, panels = {"rcnbf/table1": 14, "rcnbf/fig2": 13, "rcnbf/fig3": 5}, {"table1": 2, "fig2": 5, "fig3": 1}
    for id in IDS:
        sweep = experiment(id).sweep
        assert sweep is not None
        with ThreadPoolExecutor(1) as here:
            results = onebit.sweep(sweep(False).shortened(300, 1), tmp_path / id, executor=here, progress=False)
        assert results.complete
        found = experiment(id).findings(results, False)
        assert len(found.rows) == rows[id]
        assert {row.verdict for row in found.rows} <= {"too short", "not comparable", "ours"}
        for name, figure in found.figures.items():
            assert len(figure.axes) == panels[name]
            figure.savefig(tmp_path / f"{name}.png")
