"""Sweeps: what is played, what is chosen, what is played again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.sweep.cells import make_cell
from tests.sweep.samples import ROUNDS, plan, play


def wrong(value: Any) -> Any:
    return value


def made(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in (folder / "cells").glob("*.parquet")}


def test_the_best_is_chosen_on_the_tune_seeds_and_reported_on_others(tmp_path: Path, pool: Any) -> None:
    results = play(plan(), tmp_path, pool)
    entry = results.entry("banditron")
    means = [configuration.tune.errors.mean() for configuration in entry.configurations]
    assert entry.best is entry.configurations[int(np.argmin(means))]
    assert entry.report.seeds == (0, 1, 2)
    assert entry.best.tune.seeds == (1000, 1001)
    assert results.complete
    assert results.cells_total == 3 * 2 + 3 + 3
    told = results.seeds_note()
    assert "reported: seeds 0 to 2" in told
    assert "chosen by the error on seeds 1000, 1001" in told
    others = [c.report for c in entry.configurations if c is not entry.best]
    assert all(len(runs) == 0 for runs in others)


def test_a_cell_is_what_simulate_plays(tmp_path: Path, pool: Any) -> None:
    results = play(plan(), tmp_path, pool)
    entry = results.entry("banditron")
    assert entry.best is not None
    alone = onebit.simulate(
        onebit.Banditron(9, gamma=entry.best.parameters["gamma"]), onebit.streams.synsep(ROUNDS), seeds=3
    )
    assert entry.report.errors.tolist() == alone.errors
    assert entry.report.greedy_errors.tolist() == alone.greedy_errors
    assert [trace.mistakes.tolist() for trace in alone.traces] == entry.report.mistakes.tolist()


def test_done_cells_are_never_played_again_and_a_new_value_plays_only_what_is_new(tmp_path: Path, pool: Any) -> None:
    play(plan(), tmp_path, pool)
    before = made(tmp_path)
    play(plan(), tmp_path, pool)
    assert made(tmp_path) == before
    results = play(plan((0.01, 0.1, 0.25)), tmp_path, pool)
    after = made(tmp_path)
    assert {name: after[name] for name in before} == before
    assert len(after) - len(before) == 2
    assert results.complete
    assert [c.parameters["gamma"] for c in results.entry("banditron").configurations] == [0.01, 0.1, 0.25]


def test_more_seeds_keep_the_old_ones(tmp_path: Path, pool: Any) -> None:
    play(plan(), tmp_path, pool)
    before = set(made(tmp_path))
    results = play(plan(seeds=4), tmp_path, pool)
    assert before < set(made(tmp_path))
    assert len(made(tmp_path)) == len(before) + 2
    assert results.entry("perceptron").report.seeds == (0, 1, 2, 3)


def test_without_tuning_every_configuration_plays_the_seeds_reported(tmp_path: Path, pool: Any) -> None:
    results = play(plan(tune_seeds=0), tmp_path, pool)
    entry = results.entry("banditron")
    assert [len(configuration.report) for configuration in entry.configurations] == [3, 3, 3]
    assert entry.best is entry.configurations[int(np.argmin([c.report.errors.mean() for c in entry.configurations]))]
    assert "which flatters them" in results.seeds_note()


def test_the_greedy_error_can_decide(tmp_path: Path, pool: Any) -> None:
    results = play(plan((0.02, 0.9), select="greedy_error", tune_seeds=2), tmp_path, pool)
    entry = results.entry("banditron")
    greedy = [c.tune.greedy_errors.mean() for c in entry.configurations]
    assert entry.best is entry.configurations[int(np.argmin(greedy))]


def test_what_decides_a_cell_decides_its_name() -> None:
    stream, other = onebit.streams.synsep(100), onebit.streams.synsep(100, structure_seed=1)
    Z = np.eye(4)
    tables = [onebit.streams.from_arrays(X, [0, 1, 0, 1]) for X in (Z, Z.copy(), 2 * Z)]
    shuffled = onebit.streams.from_arrays(Z, [0, 1, 0, 1], shuffle=False)

    def key(learner: Any, on: Any, channel: Any = None, rounds: int = 100, seed: int = 0) -> str:
        return make_cell(learner, on, on.identity(), channel or onebit.Bit(), rounds, seed).key

    banditron = onebit.Banditron(9)
    keys = [
        key(banditron, stream),
        key(onebit.Banditron(9, gamma=0.5), stream),
        key(onebit.RCNBF(9, gamma=banditron.gamma), stream),
        key(banditron, other),
        key(banditron, stream, onebit.Bit(3)),
        key(banditron, stream, onebit.NoisyBit(0.1, 0.1)),
        key(banditron, stream, rounds=99),
        key(banditron, stream, seed=1),
        key(onebit.Banditron(2), tables[0]),
        key(onebit.Banditron(2), tables[2]),
        key(onebit.Banditron(2), shuffled),
    ]
    assert len(set(keys)) == len(keys)
    assert key(onebit.Banditron(9, seed=5), onebit.streams.synsep(100)) == keys[0]
    assert key(onebit.Banditron(2), tables[1]) == keys[8]


def test_a_cell_that_cannot_be_played_is_recorded_and_the_others_go_on(tmp_path: Path, pool: Any) -> None:
    good, bad = onebit.streams.load("iris"), onebit.streams.from_arrays(np.full((20, 4), 3.0), [0, 1] * 10)
    sweep = onebit.Sweep.cross([onebit.Perceptron(good.classes)], good, rounds=50, seeds=2)
    sweep += onebit.Sweep.cross([onebit.KernelBandit(2)], bad, rounds=20, seeds=2)
    results = play(sweep, tmp_path, pool)
    assert not results.complete
    assert results.cells_done == 2
    assert len(results.failed) == 2
    assert results.failed[0]["tries"] == 1
    assert "unit ball" in results.failed[0]["error"]
    assert results.failed[0]["settings"]["learner"]["name"] == "kernel-bandit"
    again = play(sweep, tmp_path, pool)
    assert len(again.failed) == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: plan(tune_seeds=[0, 5]), "tune_seeds=[0, 5]: 0 is among the seeds to report as well"),
        (lambda: plan(select="regret"), "select='regret': must be 'error' or 'greedy_error'"),
        (lambda: plan(seeds=0), "seeds=0: must be a whole number, 1 or larger, or a list of seeds"),
        (lambda: plan(rounds=0.5), "rounds=0.5: must be a whole number, 1 or larger"),
        (lambda: onebit.Sweep.cross([], onebit.streams.synsep(10)), "arms=[], streams=[]: a sweep needs"),
        (lambda: onebit.Arm(onebit.Banditron(9), {"gama": [1]}), "grid: banditron has no parameter 'gama'"),
        (lambda: onebit.Arm(onebit.Banditron(9), {"gamma": []}), "grid: gamma=[] must have at least one value"),
        (lambda: onebit.Arm(onebit.Banditron(9), {"gamma": [1, 1.0]}), "and none twice"),
        (lambda: onebit.Arm(onebit.Banditron(9), {"gamma": [2]}), "gamma=2: must be a number from 0 to 1"),
        (lambda: onebit.Arm(onebit.Banditron(9), {"gamma": wrong(0.1)}), "grid: gamma=0.1 must be a list of values"),
        (lambda: onebit.Arm(wrong("banditron")), "learner='banditron': must be a learner"),
        (
            lambda: onebit.Sweep.cross([onebit.Banditron(9), onebit.Banditron(9)], onebit.streams.synsep(10)),
            "name='banditron': it meets synsep twice under bit",
        ),
        (lambda: plan() + plan(seeds=4), "sweeps can be added only if"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_played(make: Any, message: str) -> None:
    with pytest.raises(onebit.ConfigError) as error:
        make()
    assert message in str(error.value)


def test_classes_and_feedback_must_fit() -> None:
    with pytest.raises(onebit.DataError, match="which the learner does not know"):
        onebit.Sweep.cross([onebit.Banditron(3)], onebit.streams.synsep(10))
    with pytest.raises(onebit.FeedbackError, match="learns from the true label"):
        onebit.Sweep.cross([onebit.Perceptron(9)], onebit.streams.synsep(10), onebit.Bit())


def test_a_learner_that_walks_a_graph_plays_its_nodes(tmp_path: Path, pool: Any) -> None:
    stream = onebit.streams.planted_graph(60, classes=2, d=4)
    sweep = onebit.Sweep.cross([onebit.PageRankUCB(2), onebit.MOLGB(2)], stream, seeds=2)
    results = play(sweep, tmp_path, pool)
    alone = [onebit.simulate(learner, stream, seeds=2).errors for learner in (onebit.PageRankUCB(2), onebit.MOLGB(2))]
    assert [entry.report.errors.tolist() for entry in results.entries] == alone
