"""The `.onebit` file: exact, and safe against whatever else is found under that name."""

import io
import json
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.contract.layout import Layout
from onebit.core.errors import ConfigError, FormatError, OutputError
from onebit.core.registry import _LEARNERS, learner_class, learner_names
from tests.needed import needed, small_world

WEIGHTED = small_world(5, weighted=True)
ENDS = len(WEIGHTED.indices)


def trained(name: str = "banditron", **parameters: Any) -> onebit.Learner:
    draw = np.random.default_rng(0)
    learner: onebit.Learner = learner_class(name)(["a", "b", "c"], **needed(name, 5) | parameters)
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
    with pytest.raises(FormatError, match="is a folder or a device"):
        onebit.load(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda h, p: h.update(format=4), "upgrade onebit"),
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


@pytest.mark.parametrize(
    "change",
    [
        lambda h, p: h.update(format=True),
        lambda h, p: h.update(format=0),
        lambda h, p: h.update(format=-1),
        lambda h, p: h.update(format=2.0),
        lambda h, p: h.update(layout=[3, 5, "sparse", "float32"]),
        lambda h, p: h.update(layout=[3, 5, "wide", "float64"]),
        lambda h, p: h.update(layout=[3, True, "dense", "float64"]),
        lambda h, p: h.update(layout=[2, 5, "dense", "float64"]),
        lambda h, p: h["parameters"].update(classes=["a", "b"]),
        lambda h, p: h["parameters"].update(classes="abc"),
        lambda h, p: h["parameters"].update(n_features=6),
        lambda h, p: h["parameters"].update(dtype="float32"),
        lambda h, p: h.update(decisions=-1),
        lambda h, p: h.update(decisions=2**63),
        lambda h, p: h.update(updates=True),
        lambda h, p: h.update(updates="3"),
        lambda h, p: h.update(generator=["1", "2", "3", "4"]),
        lambda h, p: h.update(generator=["1", "2", "3", "18446744073709551617"]),
        lambda h, p: h.update(generator=["1", "2", "3", " 5"]),
        lambda h, p: h.update(capacity=1),
        lambda h, p: h.update(capacity=2**62),
        lambda h, p: h.update(rates=[0.6, 0.6]),
        lambda h, p: h.update(rates=[float("nan"), 0]),
        lambda h, p: h.update(window={"held": 0, "lessons": 0, "history": []}),
        lambda h, p: h["parameters"].update(gamma=10**400),
        lambda h, p: p.update({"W.npy": stored(np.full((3, 5), np.nan))}),
        lambda h, p: p.update({"W.npy": stored(np.full((3, 5), -np.inf))}),
        lambda h, p: p.update({"W.npy": stored(np.zeros((3, 5), np.float32))}),
        lambda h, p: p.update({"W.npy": p["W.npy"] + b"more"}),
        lambda h, p: p.update({"/etc/passwd": b""}),
    ],
)  # fmt: skip
def test_what_is_refused(change: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    trained().save(path)
    rewrite(path, change)
    with pytest.raises(FormatError, match=r"m\.onebit: "):
        onebit.load(path)


def put(name: str, at: Any, value: Any) -> Any:
    """A change: an entry of an array becomes another number."""

    def change(header: Any, parts: Any) -> None:
        array = np.load(io.BytesIO(parts[f"{name}.npy"]))
        array[at] = value
        parts[f"{name}.npy"] = stored(array)

    return change


@pytest.mark.parametrize(
    ("name", "parameters", "change"),
    [
        *((name, {}, put("n", 0, 10**9)) for name in ("molg-b", "molg-f", "msg", "oslg", "oslg-bandit")),
        *((name, {}, put("n", 0, -1)) for name in ("molg-b", "oslg")),
        ("kernel-bandit", {"form": "dual", "budget": 10}, put("counts", -1, 10**9)),
        ("kernel-bandit", {"form": "dual"}, put("counts", -1, -1)),
        ("kernel-bandit", {"form": "dual"}, put("owner", 0, 3)),
        ("kernel-bandit", {"form": "dual", "budget": 10}, put("oldest", 0, 10)),
        ("kernel-bandit", {"form": "primal", "kernel": "polynomial:2"}, put("plan", (0, 0), 9)),
        ("second-order-kernel", {}, put("size", 0, 10**9)),
        ("second-order-kernel", {}, put("size", 0, -1)),
        ("mc-dbf", {}, put("taken", slice(None), True)),
        ("page-rank-ucb", {}, put("residual", 0, 1.0)),
        ("confidit", {}, put("t", 0, -1)),
        ("soba", {}, put("Q", 0, -5.0)),
        ("one-bit", {"kernel": None}, put("fresh", 0, 7)),
        ("one-bit", {"kernel": None}, put("told", 0, 3)),
        ("one-bit", {"kernel": None}, put("rho", 0, 0.99)),
        ("one-bit", {}, put("line", 2, 0.0)),
        ("one-bit", {"kernel": None}, put("n", 0, -1)),
        ("one-bit", {}, put("kept-size", 0, 10**9)),
        ("one-bit", {}, put("last-told", 0, 3)),
        ("one-bit", {}, put("grid-rho_0", 0, 0.99)),
        ("one-bit", {}, put("clock", 0, -1)),
    ],
)  # fmt: skip
def test_numbers_that_compiled_code_cannot_bear(name: str, parameters: Any, change: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    trained(name, **parameters).save(path)
    rewrite(path, change)
    with pytest.raises(FormatError, match=r"m\.onebit: "):
        onebit.load(path)


def test_sizes_are_checked_before_memory_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    for name in learner_names():
        trained(name).save(path)
        rewrite(path, lambda h, p: h.update(layout=[3, 10**8, "dense", "float64"]))
        tracemalloc.start()
        with pytest.raises(FormatError):
            onebit.load(path)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 2**24, f"{name} took {most} bytes"


def test_compressed_members_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    trained().save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    with pytest.raises(FormatError, match="compressed"):
        onebit.load(path)


def test_files_and_headers_beyond_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    onebit.Banditron([f"class {k}" for k in range(1000)]).save(path)
    size = path.stat().st_size
    with pytest.raises(FormatError, match=f"give limit={size}"):
        onebit.load(path, limit=size - 1)
    with pytest.raises(FormatError, match="its header takes"):
        onebit.load(path, limit=size)
    assert len(onebit.load(path, limit=10**8).classes) == 1000
    for limit in (0, "1", True):
        with pytest.raises(ConfigError, match="limit"):
            onebit.load(path, limit=limit)  # type: ignore[arg-type]


@pytest.mark.parametrize("header", [b"[" * 10**6, b'{"a":' * 10**5, b"{}", b"[]", b"\xff", b'{"format": 2}', b"3"])
def test_headers_that_are_none(header: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", header)
    with pytest.raises(FormatError):
        onebit.load(path)


def test_a_list_of_members_that_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", b"{}")
        for k in range(30_000):
            entry = zipfile.ZipInfo(f"x{k}.npy")
            entry.header_offset = 0
            entry.CRC = 0
            archive.filelist.append(entry)
        archive._didModify = True  # type: ignore[attr-defined]
    assert path.stat().st_size > 2**20
    with pytest.raises(FormatError, match="at most 1,048,576 are read at once"):
        onebit.load(path, limit=2**23)
    with pytest.raises(FormatError):
        onebit.load(path)


def test_what_is_no_path() -> None:
    with pytest.raises(ConfigError, match="path=3"):
        onebit.load(3)  # type: ignore[arg-type]


def test_room_that_overflowed_is_saved_as_zeros(tmp_path: Path) -> None:
    learner = trained()
    learner._session.state.s[:] = np.inf
    learner.save(tmp_path / "m.onebit")
    assert not onebit.load(tmp_path / "m.onebit")._session.state.s.any()


class Plain(onebit.Banditron):
    """A learner whose author declares nothing."""

    def start(self, layout: Layout) -> Any:
        return super().start(layout)


def test_a_learner_that_declares_nothing_is_saved_and_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_LEARNERS, "plain", Plain)
    monkeypatch.setattr(Plain, "name", "plain")
    path = tmp_path / "m.onebit"
    learner = trained("plain")
    assert learner.schema(Layout(3, 5, "dense", "float64"), 0) is None
    learner.save(path)
    assert np.array_equal(onebit.load(path)._session.state.W, learner._session.state.W)
    rewrite(path, put("W", 0, np.nan))
    with pytest.raises(FormatError, match="not finite"):
        onebit.load(path)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [("layout", [3, 10**8, "dense", "float64"], "its layout needs 2,400,000,"), ("capacity", 10**9, "it has room for")],
)
def test_what_a_learner_that_declares_nothing_claims_is_held_against_its_file(
    field: str, value: Any, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(_LEARNERS, "plain", Plain)
    monkeypatch.setattr(Plain, "name", "plain")
    path = tmp_path / "m.onebit"
    trained("plain").save(path)
    rewrite(path, lambda header, _: header.update({field: value}))
    with pytest.raises(FormatError, match=said):
        onebit.load(path)
