"""The noise history in results and figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

import onebit
from onebit.plots.noise import noise_history


@pytest.fixture(scope="module")
def result() -> onebit.Result:
    stream = onebit.streams.synsep(15_000)
    return onebit.simulate(onebit.RCINE(9, gamma=0.2, N_s=6_000), stream, onebit.NoisyBit(0.2, 0.1), seeds=[3, 8])


def test_the_history_of_all_seeds_is_one_table(result: onebit.Result) -> None:
    table = result.noise_history.to_pydict()
    assert table["seed"] == [3, 3, 8, 8]
    assert table["rounds"] == [6_000, 12_000, 6_000, 12_000]
    for at, learner in enumerate(result.learners):
        for nth, (lessons, rates) in enumerate(learner.noise_history):
            row = 2 * at + nth
            assert (table["rounds"][row], table["rho_0"][row], table["rho_1"][row]) == (lessons, *rates)
            assert table["se_1"][row] == rates.se_1 > 0
            assert "20000" in table["notes"][row], "6,000 rounds are few, and the table says so"


def test_learners_that_estimate_nothing_have_an_empty_history() -> None:
    plain = onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(100))
    assert plain.noise_history.num_rows == 0
    assert plain.noise_history.column_names == ["seed", "rounds", "rho_0", "rho_1", "se_0", "se_1", "notes"]
    assert len(plain.plot().axes) == 1


def test_the_plot_shows_the_estimates_and_the_truth(result: onebit.Result) -> None:
    curve, rates = result.plot().axes
    assert curve.get_xlabel() == ""
    assert (rates.get_xlabel(), rates.get_ylabel()) == ("rounds", "estimated flip rate")
    assert rates.get_xlim() == curve.get_xlim()
    history = noise_history(result)
    assert history is not None
    lessons, mean, _, _ = history
    assert lessons.tolist() == [6_000, 12_000]
    drawn = [np.asarray(line.get_ydata()) for line in rates.lines]
    assert np.array_equal(drawn[0][:2], mean[:, 0])
    assert np.array_equal(drawn[1][:2], mean[:, 1])
    assert [float(line[0]) for line in drawn[2:]] == [0.1, 0.2], "the true rates"
    texts = [text.get_text() for text in rates.texts]
    assert texts == ["grey: the true rates", f"ρ̂0  {drawn[0][-1]:.3f}", f"ρ̂1  {drawn[1][-1]:.3f}"]


def test_the_history_is_saved_with_the_result(result: onebit.Result, tmp_path: Path) -> None:
    result.save(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["curve.parquet", "noise.parquet", "settings.json"]
    assert pyarrow.parquet.read_table(tmp_path / "noise.parquet").equals(result.noise_history)
