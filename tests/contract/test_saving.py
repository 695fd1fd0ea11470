"""The `.onebit` file: exact, and safe against whatever else is found under that name."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.contract.layout import Layout
from onebit.core.errors import ConfigError, FormatError, OutputError
from onebit.core.registry import learner_class, learner_names
from tests.needed import needed, small_world

WEIGHTED = small_world(5, weighted=True)
ENDS = len(WEIGHTED.indices)


def trained(name: str = "banditron", **parameters: Any) -> onebit.Learner:
    draw = np.random.default_rng(0)
    learner: onebit.Learner = learner_class(name)(["a", "b", "c"], **needed(name, 5), **parameters)
    for _ in range(60):
        decision = learner.decide(draw.normal(size=5))
        learner.learn(decision, "b" if learner.feedback == "label" else bool(decision.label == "b"))
    return learner


def rewrite(path: Path, change: Any) -> None:
    """Change the header of a saved file in place."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(parts["header.json"])
    change(header, parts)
    parts["header.json"] = json.dumps(header).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


SINGLE = ("banditron", "confidit", "one-bit", "second-order-kernel", "set-banditron")
"""Whose states have every form there is; the others are saved in single precision by the same code."""


@pytest.mark.parametrize(
    ("name", "dtype"),
    [*((name, "float64") for name in learner_names()), *((name, "float32") for name in SINGLE)],
)
def test_the_next_thousand_decisions_are_the_same_bits(name: str, dtype: str, tmp_path: Path) -> None:
    learner = trained(name, dtype=dtype)
    learner.save(tmp_path / "m.onebit")
    twin, draw = onebit.load(tmp_path / "m.onebit"), np.random.default_rng(1)
    assert repr(twin) == repr(learner)
    assert (twin.decisions, twin.updates) == (learner.decisions, learner.updates)
    for _ in range(1000):
        x = draw.normal(size=5)
        a, b = learner.decide(x), twin.decide(x)
        assert (a.labels, a.propensity, a.greedy, a.id) == (b.labels, b.propensity, b.greedy, b.id)
        feedback = "b" if learner.feedback == "label" else bool(a.label == "b")
        learner.learn(a, feedback)
        twin.learn(b, feedback)
    assert np.array_equal(learner.scores(x), twin.scores(x))


def test_labels_keep_their_types_and_sparse_learners_their_layout(tmp_path: Path) -> None:
    labels = [1, "1", 1.5, None, ("a", (2, True)), False]
    learner = onebit.Banditron(labels, gamma=0.0)
    learner.learn(learner.decide(sp.csr_array([[0.0, 1.0]])), False)
    learner.save(tmp_path / "m.onebit")
    twin = onebit.load(tmp_path / "m.onebit")
    assert twin.classes == tuple(labels)
    assert [type(c) for c in twin.classes] == [type(c) for c in labels]
    assert twin._session.state.W.flags.f_contiguous
    assert twin.predict([0.0, 1.0]) == "1"


def test_a_learner_that_has_seen_nothing(tmp_path: Path) -> None:
    onebit.Banditron(3, seed=5).save(tmp_path / "m.onebit")
    twin = onebit.load(tmp_path / "m.onebit")
    assert twin._session.layout is None
    assert twin.decide([1.0]).labels == onebit.Banditron(3, seed=5).decide([1.0]).labels


def test_saving_leaves_the_old_file_when_it_cannot_finish(tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    trained().save(path)
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="label of type object"):
        onebit.Banditron([object(), object()]).save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["m.onebit"]


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        trained().save(tmp_path / "file" / "m.onebit")


def test_every_truncation_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    trained().save(path)
    whole = path.read_bytes()
    for length in [0, 1, 10, len(whole) // 2, len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(FormatError, match=r"m\.onebit"):
            onebit.load(path)


def test_a_flipped_bit_in_an_array_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    trained().save(path)
    data = bytearray(path.read_bytes())
    data[data.index(b"\x93NUMPY") + 140] ^= 4
    path.write_bytes(bytes(data))
    with pytest.raises(FormatError, match="damaged"):
        onebit.load(path)


def test_foreign_files(tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    with pytest.raises(FormatError, match="no such file"):
        onebit.load(path)
    path.write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(FormatError, match=r"not a \.onebit file"):
        onebit.load(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(FormatError, match="no readable header"):
        onebit.load(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda h, p: h.update(format=3), "upgrade onebit"),
        (lambda h, p: h.update(format="x"), "format version x"),
        (lambda h, p: h.update(learner="os.system"), "does not describe a learner"),
        (lambda h, p: h["parameters"].update(gamma=7), "gamma=7"),
        (lambda h, p: h["parameters"].update(colour=1), "does not describe a learner"),
        (lambda h, p: h.update(generator=["1"]), "generator"),
        (lambda h, p: h.update(generator=[-1, 0, 0, 0]), "does not describe a learner"),
        (lambda h, p: h.update(layout=[3]), "does not describe a learner"),
        (lambda h, p: h.update(layout=[3, 6, "dense", "float64"]), "expected float64"),
        (lambda h, p: h.pop("decisions"), "does not describe a learner"),
        (lambda h, p: p.pop("W.npy"), "array W is missing"),
        (lambda h, p: p.update({"W.npy": p["s.npy"]}), "array W is float64"),
        (lambda h, p: p.update({"W.npy": b"junk"}), "array W is damaged"),
    ],
)
def test_headers_and_arrays_that_do_not_fit(change: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    trained().save(path)
    rewrite(path, change)
    with pytest.raises(FormatError, match=message):
        onebit.load(path)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_graph_comes_back_equal(weighted: bool, tmp_path: Path) -> None:
    graph = small_world(5, weighted)
    onebit.PageRankUCB(3, graph=graph, eps=0.01).save(tmp_path / "m.onebit")
    twin = onebit.load(tmp_path / "m.onebit")
    assert twin.get_params() == onebit.PageRankUCB(3, graph=graph, eps=0.01).get_params()
    assert (twin.graph.weights is None) == (not weighted)
    onebit.PageRankUCB(3).save(tmp_path / "m.onebit")
    assert onebit.load(tmp_path / "m.onebit").graph is None


def stored(array: Any) -> bytes:
    """An array as a file of the archive."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda h, p: p.pop("graph-indices.npy"), r"onebit: array graph-indices is missing"),
        (lambda h, p: p.pop("graph-weights.npy"), r"onebit: array graph-weights is missing"),
        (lambda h, p: p.update({"graph-indptr.npy": b"junk"}), "array graph-indptr is damaged"),
        (lambda h, p: p.update({"graph-indptr.npy": stored(np.zeros(0, np.int64))}), "are no graph"),
        (lambda h, p: p.update({"graph-indices.npy": stored(np.arange(3.0))}), "indices float64, expected int64 and"),
        (lambda h, p: p.update({"graph-indices.npy": stored(np.full(ENDS, 99, np.int32))}), "are no graph"),
        (lambda h, p: p.update({"graph-indices.npy": stored(np.full(ENDS, -1, np.int32))}), "are no graph"),
        (lambda h, p: p.update({"graph-indices.npy": stored(np.zeros((ENDS, 1), np.int32))}), "are no graph"),
        (lambda h, p: p.update({"graph-weights.npy": stored(np.arange(1.0, 1 + ENDS))}), "its way back"),
        (lambda h, p: p.update({"graph-weights.npy": stored(np.full(ENDS, np.nan))}), "has weight nan"),
        (lambda h, p: h["parameters"].update(graph={"Graph": []}), "does not describe a learner"),
        (lambda h, p: h["parameters"].update(graph=None), "graph=None: PageRankUCB cannot play without a graph"),
    ],
)
def test_graphs_that_are_none(change: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    learner = onebit.PageRankUCB(3, graph=WEIGHTED)
    learner.begin(Layout(3, 5, "dense", "float64"))
    learner.save(path)
    rewrite(path, change)
    with pytest.raises(FormatError, match=message):
        onebit.load(path)


def test_pickled_arrays_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    trained().save(path)
    np.save(tmp_path / "evil.npy", np.array([print], dtype=object), allow_pickle=True)
    rewrite(path, lambda h, p: p.update({"W.npy": (tmp_path / "evil.npy").read_bytes()}))
    with pytest.raises(FormatError, match="array W is damaged"):
        onebit.load(path)
