"""Pictures of decision boundaries."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from onebit import ConfigError, Perceptron, Result, features, simulate
from onebit.contract.compiled import Functions
from onebit.plots.boundary.panels import class_lead
from onebit.plots.boundary.picture import plot_boundaries
from onebit.plots.boundary.plane import plane_through, sample, scores_on
from onebit.streams import from_arrays, mapped, synsep
from onebit.streams.base import Stream


def cones(rows: int, d: int = 2, classes: int = 3, shuffle: bool = True) -> Stream:
    """Rows in the unit disc (further features are 0.5), their class by the direction in which they lie."""
    draw = np.random.default_rng(0)
    length, angle = 0.8 * np.sqrt(draw.random(rows)), draw.uniform(0, 2 * np.pi, rows)
    X = np.full((rows, d), 0.5)
    X[:, 0], X[:, 1] = length * np.cos(angle), length * np.sin(angle)
    y = (angle / (2 * np.pi) * classes).astype(int)
    return from_arrays(X, y, name="cones", shuffle=shuffle)


@pytest.fixture(scope="module")
def result() -> Result:
    return simulate(Perceptron(3), cones(3000), seeds=[4, 2])


def texts(figure: Any) -> str:
    """Everything written on a figure."""
    parts = [figure.get_suptitle(), figure.get_supxlabel()]
    for axes in figure.axes:
        parts += [axes.get_title(loc="left"), *(text.get_text() for text in axes.texts)]
    return "\n".join(parts)


def pixels(figure: Any) -> Any:
    """The image of the first panel."""
    return figure.axes[0].images[0].get_array()


def test_the_fill_is_what_the_learner_predicts(result: Result) -> None:
    figure = result.plot_boundary()
    (axes,) = figure.axes
    learner = result.learners[0]
    image = pixels(figure)
    left, right, bottom, top = axes.images[0].get_extent()
    draw = np.random.default_rng(1)
    spots = draw.uniform(-0.7, 0.7, size=(300, 2))
    lead = np.sort(learner.scores(spots), axis=1)
    clear = lead[:, 2] - lead[:, 1] > 0.05 * np.abs(lead).max()  # not on a line between two classes
    rows = np.round((spots[:, 1] - bottom) / (top - bottom) * (image.shape[0] - 1)).astype(int)
    columns = np.round((spots[:, 0] - left) / (right - left) * (image.shape[1] - 1)).astype(int)
    fills = {tuple(colour) for colour in image[rows[clear], columns[clear]].tolist()}
    assert len(fills) == 3
    for code in range(3):
        here = clear & (learner.predict(spots) == code)
        assert here.sum() > 20
        assert len(np.unique(image[rows[here], columns[here]], axis=0)) == 1


def test_what_the_figure_says(result: Result) -> None:
    written = texts(result.plot_boundary())
    share = 100 * np.mean(result.learners[0].predict(sample_rows(result).X) == sample_rows(result).codes)
    assert "cones, full feedback, after 3,000 rounds" in written
    assert f"{share:.2f} % of points right" in written
    assert "points: 2,000 rows" in written
    assert "held" not in written
    assert {"0", "1", "2"} <= set(written.split("\n"))
    assert result.plot_boundary(title="My title").get_suptitle() == "My title"


def sample_rows(result: Result) -> Any:
    assert result.source is not None
    return sample(result.source, result.seeds[0], 2000)


def test_seed_chooses_the_learner(result: Result) -> None:
    first, second, default = (pixels(result.plot_boundary(seed=seed)) for seed in (4, 2, None))
    assert np.array_equal(first, default)
    assert not np.array_equal(first, second)


def test_a_label_adds_its_contours(result: Result) -> None:
    figure = result.plot_boundary(label=1)
    panel = figure.axes[1]
    assert panel.get_title(loc="left") == "class 1"
    vertices = np.concatenate([path.vertices for path in panel.collections[0].get_paths()])
    inside = vertices[np.hypot(*vertices.T) < 0.99]
    lead, _ = class_lead(result.learner, result.learners[0].scores(inside), 1)
    scale = np.abs(class_lead(result.learner, result.learners[0].scores(np.eye(2)), 1)[0]).max()
    assert np.abs(lead).max() < 0.01 * scale


def test_scores_without_a_boundary(tmp_path: Path) -> None:
    """A class that is nowhere ahead, and scores that are the same everywhere."""
    still = simulate(Perceptron(3), from_arrays(np.zeros((20, 2)), [0] * 10 + [1] * 10, classes=[0, 1, 2]))
    figure = still.plot_boundary(tmp_path / "still.png", label=2)
    assert not figure.axes[1].collections
    assert "no region: 1, 2" in texts(figure)


@pytest.mark.parametrize(("suffix", "start"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_files_are_small_and_the_same_each_time(result: Result, tmp_path: Path, suffix: str, start: bytes) -> None:
    files = [tmp_path / f"{name}{suffix}" for name in "ab"]
    for file in files:
        result.plot_boundary(file, label=0 if suffix == ".svg" else None)
    assert files[0].read_bytes().startswith(start)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].stat().st_size < 500_000
    assert set(tmp_path.iterdir()) == set(files)


def test_many_points_become_pixels(result: Result) -> None:
    few, many = (simulate(Perceptron(3), cones(n)).plot_boundary(points=n) for n in (3000, 9000))
    assert [any(patch.get_rasterized() for patch in figure.axes[0].patches) for figure in (few, many)] == [False, True]


def test_the_circle_and_what_lies_beyond() -> None:
    inside = plane_through(np.array([[-0.85, 0.0], [0.85, 0.5]]), (0, 1), None)
    assert inside.radius == 1
    assert inside.x == (-1.03, 1.03)
    assert inside.y == pytest.approx((-0.02, 0.52))
    outside = plane_through(np.array([[-3.0, 0.0], [3.0, 4.0]]), (0, 1), None)
    assert outside.radius is None
    cut = plane_through(np.array([[-0.5, 0.0, 0.6], [0.5, 0.5, 0.6]]), (0, 1), None)
    assert cut.radius == pytest.approx(0.8)

    class Watched(Perceptron):
        def scores(self, X: Any) -> Any:
            assert np.linalg.norm(X, axis=1).max() <= 1
            return super().scores(X)

    simulate(Watched(3), cones(500, d=3)).plot_boundary()


def test_the_other_features_are_held(result: Result) -> None:
    wide = simulate(Perceptron(3), cones(500, d=3))
    assert "held: feature 2 at 0.5 (the mean)" in texts(wide.plot_boundary())
    assert "held: feature 2 at 0.25" in texts(wide.plot_boundary(at=[9, 9, 0.25]))
    assert wide.plot_boundary(axes=(2, 0)).axes[0].get_xlabel() == "feature 2"
    many = simulate(Perceptron(3), cones(500, d=7))
    assert "held: the other 5 features at their mean" in texts(many.plot_boundary())


def test_a_mapped_stream_is_drawn_on_its_own_features() -> None:
    source = cones(500)
    stream = mapped(source, features.RationalMap(2))
    curved = simulate(Perceptron(3), stream)
    figure = curved.plot_boundary()
    assert figure.axes[0].get_ylabel() == "feature 1"
    plane = plane_through(source.X, (0, 1), None)
    grid = scores_on(plane, curved.learners[0], stream)
    middle = np.array([[np.linspace(*plane.x, grid.shape[1])[150], np.linspace(*plane.y, grid.shape[0])[140]]])
    assert grid[140, 150] == pytest.approx(curved.learners[0].scores(stream.through_map(middle))[0])


def test_small_multiples(result: Result) -> None:
    figure = plot_boundaries([result] * 4)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["perceptron"] * 4
    assert len({round(axes.get_subplotspec().get_position(figure).y0, 3) for axes in figure.axes}) == 2  # type: ignore[union-attr]  # all are in a grid
    pair = plot_boundaries([result, result], label=2)
    titles = [axes.get_title(loc="left") for axes in pair.axes if axes.get_xlabel()]
    assert titles == ["perceptron", "class 2"] * 2


def test_wrong_arguments(result: Result, tmp_path: Path) -> None:
    wrong: dict[str, dict[str, Any]] = {
        r"axes=\(0, 2\): must be two different features of cones, from 0 to 1": {"axes": (0, 2)},
        r"axes=\(1, 1\)": {"axes": (1, 1)},
        r"axes=\(-1, 0\)": {"axes": (-1, 0)},
        r"axes=\(0.5, 1\)": {"axes": (0.5, 1)},
        r"axes=3": {"axes": 3},
        r"label=7: perceptron has no such class; its classes are 0, 1, 2": {"label": 7},
        r"at=\[1\]: must be 2 numbers": {"at": [1]},
        r"at=\[1, nan\]": {"at": [1, float("nan")]},
        r"seed=9: this result has the seeds 4, 2": {"seed": 9},
        r"points=0: must be a whole number, 1 or larger": {"points": 0},
        r"must end in .svg, .png or .pdf": {"path": tmp_path / "a.gif"},
    }
    for message, arguments in wrong.items():
        with pytest.raises(ConfigError, match=message):
            result.plot_boundary(**arguments)
    with pytest.raises(ConfigError, match="at least one result"):
        plot_boundaries([])
    assert not list(tmp_path.iterdir())


def test_results_that_cannot_be_drawn(result: Result) -> None:
    streams: dict[str, Stream | None] = {
        "the rows of synsep are sparse": synsep(50),
        "have 1 feature; a plane needs two": from_arrays([[0.0], [1.0]], [0, 1]),
        "came without its stream": None,
    }
    for message, stream in streams.items():
        with pytest.raises(ConfigError, match=message):
            replace(result, source=stream).plot_boundary()


def test_a_learner_without_scores() -> None:
    class Mute(Perceptron):
        functions = Functions(Perceptron.functions.decide, Perceptron.functions.learn, None)  # type: ignore[arg-type]  # on purpose

    with pytest.raises(ConfigError, match="has no scores to draw"):
        simulate(Mute(3), cones(500)).plot_boundary()
