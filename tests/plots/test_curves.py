"""Learning curves as figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from onebit import Banditron, ConfigError, Perceptron, Result, plot_results, simulate
from onebit.engine.play import Trace
from onebit.plots.curves import curve_styles, error_band
from onebit.plots.style import COLOURS
from onebit.streams import from_arrays, synsep


@pytest.fixture(scope="module")
def result() -> Result:
    return simulate(Banditron(9), synsep(3000), seeds=3)


def test_the_figure_shows_mean_and_band(result: Result) -> None:
    axes = result.plot(title="My title").axes[0]
    assert axes.get_title(loc="left") == "My title"
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    band = error_band(result)
    shown = band.mean > 0
    assert np.array_equal(axes.lines[0].get_ydata(), band.mean[shown])
    assert len(axes.collections) == 1
    assert any("band: lowest to highest" in text.get_text() for text in axes.texts)
    assert any("banditron" in text.get_text() for text in axes.texts)


def test_one_seed_has_no_band() -> None:
    assert not simulate(Banditron(9), synsep(100)).plot().axes[0].collections


def test_zero_error_at_the_start_and_throughout(tmp_path: Path) -> None:
    """Rates of zero have no place on a log axis: the curve begins at the first mistake, or says there was none."""
    easy = from_arrays(np.eye(2), [0, 1], shuffle=False)
    some = simulate(Perceptron(2), easy, rounds=2000, seeds=2)
    assert some.traces[0].mistakes[0] == 0
    some.plot(tmp_path / "some.png")
    none = simulate(Perceptron([0, 1]), from_arrays([[1.0], [1.0]], [0, 0], classes=[0, 1]), rounds=50, seeds=2)
    assert none.error == 0
    axes = none.plot(tmp_path / "none.png").axes[0]
    assert axes.texts[0].get_text() == "perceptron  no mistakes"


@pytest.mark.parametrize(
    ("label", "points", "end"), [(1, [[1, 1]], "perceptron  100.00 %"), (0, [], "perceptron  no mistakes")]
)
def test_a_single_round(tmp_path: Path, label: int, points: list[list[int]], end: str) -> None:
    one = simulate(Perceptron([0, 1]), from_arrays([[1.0]], [label], classes=[0, 1]))
    (axes,) = one.plot(tmp_path / "one.png").axes
    (line,) = axes.lines
    assert np.asarray(line.get_xydata()).tolist() == points
    assert end in [text.get_text() for text in axes.texts]
    assert axes.get_xlim() == (1, 10)


def test_no_results() -> None:
    with pytest.raises(ConfigError, match="at least one result"):
        plot_results([])


def test_seeds_that_got_to_different_rounds_meet_where_they_can(result: Result) -> None:
    long, other = result.traces[:2]
    short = Trace(other.rounds[:12], other.mistakes[:12], other.greedy_mistakes[:12], other.updates[:12], 0.1, False)
    partial = Result(
        result.learner, result.stream, result.channel, (0, 1), (long, short), (), result.settings, complete=False
    )
    assert error_band(partial).rounds.tolist() == short.rounds.tolist()


def test_styles_are_distinct_and_a_told_learner_is_dashed(result: Result) -> None:
    told = simulate(Perceptron(9), synsep(50))
    styles = curve_styles([told, *[result] * 9])
    assert styles[0].stroke == "--"
    assert styles[1].colour == COLOURS[0]
    assert len(set(styles)) == 10
    assert curve_styles([told])[0].stroke == "-"
