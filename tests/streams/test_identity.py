"""A stream's identity: no argument that decides a row or a label is ever forgotten, nor any of a learner.

The arguments come from the signatures: a new one fails here until it is entered, with a value to change it to or with
the reason why it decides nothing.
"""

from __future__ import annotations

import hashlib
import inspect
import pickle
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.base import BaseEstimator

import onebit
from onebit import streams
from onebit.core.registry import learner_class, learner_names
from onebit.features import Nystroem, RandomFourier
from onebit.graph import Graph
from onebit.streams import Stream, catalog
from onebit.streams.base import Window
from onebit.streams.catalog import Dataset
from onebit.sweep.cells import make_cell
from tests.needed import needed, small_world

SHOWN = "which rows X and y show; a play has a seed of its own"
LENGTH = "how many rows X and y show; a play has a length of its own"
TOLD = "is told how long the work takes"

X = np.random.default_rng(0).random((12, 3))
Y = list("abc") * 4
PAIRS = [({"u": float(i), "v": 1.0}, "ab"[i % 2]) for i in range(8)]
TABLE = pa.table({"u": X[:, 0], "v": X[:, 1], "y": Y, "z": Y[::-1]})
RING = np.roll(np.eye(8), 1, axis=0) + np.roll(np.eye(8), -1, axis=0)
NODES = ["a", "b"] * 4

SEPARABLE = {"d": 4, "classes": 5, "margin": 0.001, "structure_seed": 1, "label_noise": 0.1}
SIZES = {"keywords": 121, "common": 281, "per_class": (20, 39), "off": 4, "on": 19}
DOCUMENTS = {**SIZES, "classes": 5, "structure_seed": 1}
ARRAYS = {"normalize": True, "bias": True, "shuffle": False}
TABLES = {**ARRAYS, "label": "z", "columns": ["u"], "classes": list("cba"), "hash_features": 64}
GRAPH = {"d": 3, "weights": "1/lambda", "unit": False}

CASES: dict[str, tuple[Callable[..., Stream], dict[str, Any], dict[str, Any], dict[str, str]]] = {
    # name: what makes the stream, arguments to begin with, what each is changed to, and which decide nothing, and why
    "synsep": (streams.synsep, {}, DOCUMENTS, {"seed": SHOWN, "rounds": LENGTH}),
    "synnonsep": (
        streams.synnonsep,
        {},
        {**DOCUMENTS, "label_noise": 0.1, "redraw": True},
        {"seed": SHOWN, "rounds": LENGTH},
    ),
    "strong_separable": (streams.strong_separable, {}, SEPARABLE, {"seed": SHOWN, "rounds": LENGTH}),
    "weak_separable": (streams.weak_separable, {}, SEPARABLE, {"seed": SHOWN, "rounds": LENGTH}),
    "group_separable": (
        streams.group_separable,
        {},
        {**SEPARABLE, "groups": 2, "layout": "radial"},
        {"seed": SHOWN, "rounds": LENGTH},
    ),
    "load": (
        streams.load,
        {"name": "tiny"},
        {**ARRAYS, "name": "iris", "split": "test"},
        {"progress": TOLD, **dict.fromkeys(["d", "weights", "unit", "features"], "for graphs only")},
    ),
    "load, embedded": (
        streams.load,
        {"name": "iris"},
        {**ARRAYS, "name": "digits", "split": "all"},
        {"progress": TOLD, **dict.fromkeys(["d", "weights", "unit", "features"], "for graphs only")},
    ),
    "load, drawn": (
        streams.load,
        {"name": "synsep"},
        {"name": "synnonsep"},
        {
            **dict.fromkeys(["normalize", "bias"], "refused for drawn rows"),
            **dict.fromkeys(["split", "shuffle"], "drawn rows have no parts and no order to change"),
            **dict.fromkeys(["d", "weights", "unit", "features"], "for graphs only"),
            "progress": TOLD,
        },
    ),
    "load, graph": (
        streams.load,
        {"name": "tiny_graph", "d": 2},
        {**ARRAYS, **GRAPH, "name": "tiny_ring", "features": True},
        {"split": "a graph has no parts", "progress": TOLD},
    ),
    "from_arrays": (
        streams.from_arrays,
        {"X": X, "y": Y},
        {**ARRAYS, "X": 2 * X, "y": Y[::-1], "classes": list("cba"), "name": "other"},
        {"hash_features": "refused for arrays"},
    ),
    "from_frame": (
        streams.from_frame,
        {"frame": TABLE, "label": "y", "columns": ["u", "v"]},
        {**TABLES, "frame": TABLE.slice(1), "name": "other", "cases": True},
        {},
    ),
    "from_file": (
        streams.from_file,
        {"path": "cases.parquet", "label": "y", "columns": ["u", "v"]},
        {**TABLES, "path": "others.parquet", "batch_rows": 5, "cases": True},
        {},
    ),
    "from_file, svmlight": (
        streams.from_file,
        {"path": "cases.svm"},
        {**ARRAYS, "path": "others.svm", "classes": [2, 1]},
        dict.fromkeys(["label", "columns", "hash_features", "cases"], "refused for svmlight")
        | {"batch_rows": "svmlight is read whole"},
    ),
    "from_graph": (
        streams.from_graph,
        {"graph": RING, "labels": NODES, "d": 2},
        {
            **GRAPH,
            "graph": 2 * RING + RING @ RING - 2 * np.eye(8),
            "labels": NODES[::-1],
            "features": np.eye(8),
            "classes": ["b", "a"],
            "shuffle": False,
            "name": "other",
        },
        {"nodes": "what the nodes are called", "progress": TOLD},
    ),
    "planted_graph": (
        streams.planted_graph,
        {"nodes": 60, "d": 5},
        {**GRAPH, "nodes": 61, "classes": 3, "degree": 9.0, "inside": 0.7, "seed": 1, "shuffle": False},
        {"progress": TOLD},
    ),
    "mapped": (
        streams.mapped,
        {"stream": streams.from_arrays(X, Y), "transformer": Nystroem(n_components=4, random_state=0), "fit_rows": 6},
        {
            "stream": streams.from_arrays(2 * X, Y),
            "transformer": Nystroem(n_components=4, random_state=1),
            "fit_rows": 7,
            "seed": 1,
        },
        {},
    ),
    "from_river": (
        streams.from_river,
        {"dataset": PAIRS},
        {
            "dataset": PAIRS[::-1],
            "classes": ["b", "a"],
            "rounds": 6,
            "shuffle": True,
            "hash_features": 64,
            "name": "other",
            "cases": True,
        },
        {},
    ),
    "tickets": (
        streams.tickets,
        {"rounds": 20, "launch": 5},
        {"rounds": 30, "seed": 1, "launch": 12, "strays": 0.5},
        {},
    ),
    "from_arrays, raw cases": (
        streams.from_arrays,
        {"X": [{"u": 1.5, "v": "word"}, {"u": 2}] * 6, "y": Y},
        {
            "X": [{"u": 1.5, "v": "words"}, {"u": None}] * 6,
            "y": Y[::-1],
            "classes": list("cba"),
            "shuffle": False,
            "name": "other",
            "hash_features": 64,
        },
        dict.fromkeys(["normalize", "bias"], "refused for raw cases"),
    ),
    "from_frame, raw cases": (
        streams.from_frame,
        {"frame": TABLE, "label": "y"},
        {
            "frame": TABLE.slice(1),
            "label": "z",
            "columns": ["u", "z"],
            "classes": list("cba"),
            "hash_features": 64,
            "shuffle": False,
            "name": "other",
        },
        dict.fromkeys(["normalize", "bias"], "refused for raw cases") | {"cases": "they are raw anyway"},
    ),
    "from_file, raw cases": (
        streams.from_file,
        {"path": "cases.parquet", "label": "y"},
        {
            "path": "others.parquet",
            "label": "z",
            "columns": ["u", "z"],
            "classes": list("cba"),
            "hash_features": 64,
            "shuffle": False,
            "batch_rows": 5,
        },
        dict.fromkeys(["normalize", "bias"], "refused for raw cases") | {"cases": "they are raw anyway"},
    ),
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files to read, and small data sets in the catalog."""
    monkeypatch.chdir(tmp_path)
    pq.write_table(TABLE, "cases.parquet")
    pq.write_table(TABLE.slice(1), "others.parquet")
    Path("cases.svm").write_text("1 1:2 2:3\n2 1:1\n")
    Path("others.svm").write_text("1 1:2 2:4\n2 1:1\n")
    monkeypatch.setenv("ONEBIT_DATA", str(tmp_path))
    codes = np.arange(8) % 2
    names = np.array(["a", "b"])
    np.savez("tiny.npz", X_train=X[:8], y_train=codes, X_test=X[8:], y_test=codes[:4], class_names=names)
    indptr = np.arange(0, 17, 2)
    indices = np.nonzero(RING)[1]
    edges: dict[str, Any] = {"data": np.ones(16), "indices": indices, "indptr": indptr}
    features: dict[str, Any] = {"x_data": np.ones(8), "x_indices": np.arange(8), "x_indptr": np.arange(9)}
    np.savez("tiny_graph.npz", labels=codes, lcc=np.arange(8), class_names=names, x_shape=[8, 8], **edges, **features)
    np.savez("tiny_ring.npz", labels=codes[::-1], lcc=np.arange(8), class_names=names, **edges)
    entries = [("tiny", "rows", 4), ("tiny_graph", "graph", 0), ("tiny_ring", "graph", 0)]
    tiny = tuple(
        Dataset(name, name, 8, 3, 2, "here", "MIT", f"{name}.npz", _sha256(f"{name}.npz"), test_rows, form=form)  # type: ignore[arg-type]
        for name, form, test_rows in entries
    )
    monkeypatch.setattr(catalog, "_DATASETS", catalog._DATASETS + tiny)


def _sha256(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def key(stream: Stream, learner: Any = None, rounds: int = 100) -> str:
    return make_cell(learner or onebit.Banditron(2), stream, stream.identity(), onebit.Bit(), rounds, 0).key


def every_argument() -> Iterator[Any]:
    for case, (make, *_) in CASES.items():
        for argument in inspect.signature(make).parameters:
            yield pytest.param(case, argument, id=f"{case}: {argument}")


def test_every_stream_is_here() -> None:
    public = [getattr(streams, name) for name in streams.__all__]
    returns = {one: typing.get_type_hints(one)["return"] for one in public if inspect.isfunction(one)}
    makers = {one for one, made in returns.items() if isinstance(made, type) and issubclass(made, Stream)}
    assert makers - {make for make, *_ in CASES.values()} == {streams.as_stream}, "which makes one by from_river"


@pytest.mark.parametrize(("case", "argument"), list(every_argument()))
def test_another_argument_is_another_cell(case: str, argument: str) -> None:
    make, first, others, idle = CASES[case]
    assert (argument in others) != (argument in idle), "enter what to change it to, or why it decides nothing"
    if argument in others:
        assert key(make(**first)) != key(make(**first | {argument: others[argument]}))


@pytest.mark.parametrize("case", CASES)
def test_the_same_arguments_are_the_same_cell_also_in_another_process(case: str) -> None:
    make, first, _, _ = CASES[case]
    stream = make(**first)
    assert key(stream) == key(make(**first)) == key(pickle.loads(pickle.dumps(stream)))


@pytest.mark.parametrize(
    ("case", "argument", "value"),
    [
        ("synsep", "seed", 1),
        ("weak_separable", "seed", 1),
        ("group_separable", "seed", 1),
        ("synsep", "rounds", 50),
        ("weak_separable", "rounds", 50),
        ("from_graph", "nodes", list("abcdefgh")),
    ],
)
def test_what_decides_no_row_is_the_same_cell(case: str, argument: str, value: Any) -> None:
    make, first, _, idle = CASES[case]
    assert argument in idle
    assert key(make(**first)) == key(make(**first | {argument: value}))


def test_the_nodes_of_another_graph_are_other_cells() -> None:
    chords = np.roll(np.eye(8), 3, axis=0) + np.roll(np.eye(8), -3, axis=0)
    one, same, other = (streams.from_graph(graph, NODES, d=2).by_node() for graph in (RING, RING, chords))
    assert key(one) == key(same) == key(pickle.loads(pickle.dumps(one))) != key(other)


# River's generators


def test_a_generator_that_ends_is_told_by_its_length() -> None:
    synth = pytest.importorskip("river.datasets.synth")
    sine = synth.AnomalySine(n_samples=60, n_anomalies=20)
    assert key(streams.from_river(sine, rounds=30)) != key(streams.from_river(sine, rounds=60))
    assert key(streams.from_river(synth.LED(), rounds=30)) == key(streams.from_river(synth.LED(), rounds=60))


# Maps


class Shift(BaseEstimator):  # type: ignore[misc]  # scikit-learn is not typed
    """Adds what it is told to, or what it saw."""

    def __init__(self, by: Any = None) -> None:
        self.by = by

    def fit(self, X: Any, y: Any = None) -> Shift:
        self.seen_ = X.mean(axis=0)
        return self

    def transform(self, X: Any) -> Any:
        return X + (self.seen_ if self.by is None else np.sum(self.by))


def test_a_fitted_map_is_told_by_what_it_was_fitted_on() -> None:
    stream = streams.from_arrays(X, Y)
    one, same, other = (streams.mapped(stream, Shift().fit(rows), fit_rows=None) for rows in (X, X, X + 1))
    assert key(one) == key(same) != key(other)


def test_a_map_whose_text_is_cut_is_told_all_the_same() -> None:
    stream = streams.from_arrays(X, Y)
    long = np.zeros(5000)
    other = long.copy()
    other[2500] = 1
    assert key(streams.mapped(stream, Shift(long))) != key(streams.mapped(stream, Shift(other)))


def test_a_map_drawn_without_a_seed_is_another_each_time() -> None:
    stream = streams.from_arrays(X, Y)
    maps = [streams.mapped(stream, RandomFourier(4, random_state=None)) for _ in range(2)]
    assert key(maps[0]) != key(maps[1])


# Streams of one's own


class Noise(Stream):
    """A user's stream: all that is asked of one, and no word on its identity."""

    sparse = False

    def __init__(self, scale: float, shift: Any = None, *, seed: int = 0, **more: Any) -> None:
        self.name = "noise"
        self.classes = (0, 1)
        self.n_features = 2
        self.rounds = 10

    def windows(self, seed: int, rounds: int | None = None) -> Iterator[Window]:
        yield Window(np.zeros((10, 2)), np.zeros(10, dtype=np.int64), np.arange(10))


def test_a_stream_of_ones_own_is_told_by_the_arguments_of_its_constructor() -> None:
    made = [
        Noise(1.0),
        Noise(2.0),
        Noise(1.0, [1, 2]),
        Noise(1.0, np.zeros(3)),
        Noise(1.0, np.ones(3)),
        Noise(1.0, pa.table({"a": [1.0]})),
        Noise(1.0, pa.table({"a": [2.0]})),
        Noise(1.0, Noise(1.0)),
        Noise(1.0, Noise(2.0)),
        Noise(1.0, other=1),
        Noise(1.0, other={"a": X}),
        Noise(1.0, other={"a": 2 * X}),
    ]
    assert len({key(stream) for stream in made}) == len(made)
    assert key(Noise(scale=1.0, seed=3)) == key(Noise(1.0)) == key(pickle.loads(pickle.dumps(made[0])))
    assert made[-1].describe()["options"]["scale"] == 1.0


# Learners

RING_OF_NODES = small_world(8)
SAME_SIZE = Graph.of(RING_OF_NODES.matrix.toarray()[np.ix_([1, 0, *range(2, 8)], [1, 0, *range(2, 8)])])

LEARNER: dict[str, Any] = {
    "classes": 4,
    "n_features": 9,
    "dtype": "float32",
    "ties": "random",
    "noise": (0.1, 0.2),
    "gamma": 0.3,
    "choice": "largest",
    "alpha": 0.7,
    "covariance": "full",
    "kernel": "rbf:0.7",
    "form": "dual",
    "budget": 17,
    "removal": "random",
    "curvature": "diagonal",
    "variance": 0.3,
    "drift": None,
    "estimator": onebit.noise.TailMoment(share=0.1),
    "loss": "log",
    "graph": SAME_SIZE,
    "cases": onebit.Cases(ignore="id"),
}
"""What an argument of a learner is changed to. Of the others, flags are turned, counts rise and numbers are halved."""

OWN = {("one-bit", "kernel"): None}
"""The same for an argument that one learner takes other values for."""

REFUSED = {
    "noise": {
        "bandit-pa", "gpa", "mc-slp", "molg-b", "molg-f", "msg", "oslg", "perceptron", "pnewtron", "rcine",
        "rcnbf", "second-order-kernel", "soba", "soba-diagonal",
    },
    "ties": {"mc-dbf", "mc-slp", "one-bit", "set-banditron"},
    "normalize": {"molg-b", "molg-f"},
    "n_features": {"page-rank-ucb"},
    "cases": {"page-rank-ucb"},
}  # fmt: skip
"""Learners that take no other value than the default."""


def other_value(name: str, argument: str, default: Any) -> Any:
    if (name, argument) in OWN:
        return OWN[name, argument]
    if argument in LEARNER:
        return LEARNER[argument]
    if isinstance(default, bool):
        return not default
    return default + 1 if isinstance(default, int) else default / 2 or 0.1


@pytest.mark.parametrize("name", learner_names())
def test_another_argument_of_a_learner_is_another_cell(name: str) -> None:
    cls = learner_class(name)
    first = {"classes": 5, **needed(name, 8)}
    stream = streams.from_arrays(X, Y)
    for argument, parameter in inspect.signature(cls).parameters.items():
        if argument == "seed":  # a cell has its own
            continue
        changed = first | {argument: other_value(name, argument, first.get(argument, parameter.default))}
        if name in REFUSED.get(argument, ()):
            with pytest.raises(onebit.ConfigError):
                cls(**changed)
        else:
            assert key(stream, cls(**first)) != key(stream, cls(**changed)), argument


def test_a_corrected_learner_is_another_cell_and_the_others_are_what_they_were(monkeypatch: Any) -> None:
    stream = streams.from_arrays(X, Y)
    before = {name: key(stream, learner_class(name)(5)) for name in ("banditron", "confidit")}
    monkeypatch.setattr(onebit.Confidit, "revision", onebit.Confidit.revision + 1)
    after = {name: key(stream, learner_class(name)(5)) for name in before}
    assert after["banditron"] == before["banditron"]
    assert after["confidit"] != before["confidit"]
