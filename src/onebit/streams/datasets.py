"""Data sets by name: embedded, generated, or read from the data folder after a check of their SHA-256."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import FloatArray, IntArray, Progress
from onebit.core.checks import check_choice
from onebit.core.errors import ConfigError, DataError
from onebit.features.labelled import prepare_rows
from onebit.streams.arrays import ArrayStream
from onebit.streams.base import Stream
from onebit.streams.catalog import Dataset, dataset
from onebit.streams.graph.datasets import graph_dataset
from onebit.streams.graph.rows import RowOptions
from onebit.streams.libsvm import read_reuters4
from onebit.streams.synthetic import group_separable, strong_separable, weak_separable
from onebit.streams.synthetic.synsep import synnonsep, synsep

Split = Literal["train", "test", "all"]
Arrays = Mapping[str, Any]

_GENERATORS: dict[str, Callable[[], Stream]] = {
    "synsep": synsep,
    "synnonsep": synnonsep,
    "strong-separable": strong_separable,
    "weak-separable": weak_separable,
    "group-separable": group_separable,
}
_SCALES = {"mnist": 255.0, "fashion_mnist": 255.0, "usps": 2000.0}


def load(
    name: str,
    *,
    normalize: bool = False,
    bias: bool = False,
    split: Split = "train",
    shuffle: bool = True,
    d: int | None = None,
    weights: Any = None,
    unit: bool | None = None,
    features: bool | None = None,
    progress: Progress | None = None,
) -> Stream:
    """A data set by name; `onebit.streams.known()` lists them.

    Pictures are scaled to 0 .. 1. `split` is the part to play: "train", "test" or "all" (a set without
    parts has no "test", and is the same as "train" and "all"). `normalize`, `bias` and `shuffle` are as for
    `from_arrays`. Files are looked for in the folder `ONEBIT_DATA`.

    A graph is played by the nodes of its largest component, its edges all of weight 1, and is a `GraphStream`. For
    graphs only: `d` (default 100), `weights` ("1/sqrt"), `unit` (True) and `progress` as for `from_graph`;
    `features=True` joins the node features that cora and citeseer have.

    >>> load("digits", bias=True).describe()["features"]
    65
    """
    asked = {"d": d, "weights": weights, "unit": unit, "features": features}
    asked = {option: value for option, value in asked.items() if value is not None}
    stream = _open(dataset(name), split, normalize, bias, shuffle, dict(asked), progress)
    plain = {"name": name, "normalize": normalize, "bias": bias, "split": split, "shuffle": shuffle}
    stream.recipe = load, plain | asked
    return stream


def _open(
    entry: Dataset,
    split: Split,
    normalize: bool,
    bias: bool,
    shuffle: bool,
    asked: dict[str, Any],
    progress: Progress | None,
) -> Stream:
    name = entry.name
    check_choice("split", split, get_args(Split))
    if entry.form == "log":
        raise DataError(f"name={name!r}: is logged bandit data, and logs cannot be played yet; choose another data set")
    if split == "test" and not entry.test_rows:
        raise DataError(f"split='test': {name} has no test part; use split='all'")
    if entry.form == "graph":
        wanted = asked.pop("features", False)
        options = RowOptions(**asked, normalize=normalize, bias=bias)
        graph = graph_dataset(entry, _read(entry), options, wanted, shuffle, progress)
        graph.facts = {**_facts(entry), **graph.facts}
        graph.sha256 = entry.sha256
        return graph
    if asked:
        option, value = next(iter(asked.items()))
        raise ConfigError(f"{option}={value!r}: is for graphs, and {name} is a data set of rows; leave it out")
    if entry.drawn:
        return _generated(entry, normalize, bias)
    X, y, classes = _rows(entry, split)
    made_with = {"split": split, "normalize": normalize, "bias": bias}
    table = prepare_rows(X, normalize=normalize, bias=bias)
    stream = ArrayStream(table, y, classes, name, shuffle, **made_with)
    stream.facts = _facts(entry)
    stream.sha256 = entry.sha256
    return stream


def _rows(entry: Dataset, split: Split) -> tuple[Any, IntArray, list[Any]]:
    """The rows of a part, the number of each row's class, and the classes."""
    if not entry.file:
        return _sklearn(entry)
    if entry.form != "libsvm":
        return _from_arrays(entry, _read(entry), split)
    for path in entry.paths:
        if not path.is_file():
            raise _unreadable(entry, path, "there is no such file")
    return read_reuters4(entry.paths, entry.features, entry.rows)


def _unreadable(entry: Dataset, path: Path, why: str) -> DataError:
    return DataError(
        f"name={entry.name!r}: cannot read its file {path} ({why}); get it from its source "
        f"({entry.source}) and put it there, or name another folder in ONEBIT_DATA"
    )


def _facts(entry: Dataset) -> dict[str, Any]:
    file = {"file": str(entry.path)} if entry.file else {}
    file |= {"sha256": entry.sha256} if entry.sha256 else {}
    return {"title": entry.title, "source": entry.source, "licence": entry.licence} | file


def _generated(entry: Dataset, normalize: bool, bias: bool) -> Stream:
    for option, value in {"normalize": normalize, "bias": bias}.items():
        if value:
            raise ConfigError(
                f"{option}={value!r}: {entry.name} is drawn as it is played; "
                "leave it out (learners can normalize rows themselves)"
            )
    stream: Stream = _GENERATORS[entry.name]()
    stream.facts = {**_facts(entry), **stream.facts}
    return stream


def _sklearn(entry: Dataset) -> tuple[FloatArray, IntArray, list[Any]]:
    from sklearn.datasets import load_digits, load_iris

    if entry.name == "digits":
        table = load_digits()
        return table.data / 16.0, table.target.astype(np.int64), list(range(10))
    table = load_iris()
    return table.data, table.target.astype(np.int64), table.target_names.tolist()


def _read(entry: Dataset) -> Arrays:
    """The arrays of the data set's file, which must be the one that the catalog knows."""
    path = entry.path
    assert path is not None
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _unreadable(entry, path, str(error.strerror)) from None
    found = hashlib.sha256(content).hexdigest()
    if found != entry.sha256:
        raise DataError(
            f"{path}: is not the file that {entry.name} is known by; expected SHA-256 {entry.sha256}, "
            f"found {found}; fetch it again"
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return {key: file[key] for key in file.files}


def _from_arrays(entry: Dataset, z: Arrays, split: Split) -> tuple[Any, IntArray, list[str]]:
    """The rows, the number of each row's class, and the classes."""
    parts: list[str] = ["train", "test"] if split == "all" else [split]
    if not entry.test_rows:
        X = _covtype(z) if entry.name == "covtype" else z["X"]
        y = z["y"]
    elif "train_indptr" in z:
        counts = []
        for part in parts:
            arrays = z[f"{part}_data"], z[f"{part}_indices"], z[f"{part}_indptr"]
            counts.append(sp.csr_array(arrays, shape=tuple(z[f"{part}_shape"].tolist())))
        X = sp.vstack(counts, format="csr")
        y = _joined(z, "y_", parts)
    else:
        X = _scaled(entry, z, _joined(z, "X_", parts))
        y = _joined(z, "y_", parts)
    names = z["class_names"].tolist()
    if entry.name == "reuters21578_r8":
        chosen = np.sort(z["r8"])
        kept = np.isin(y, chosen)
        X = X[kept]
        y = np.searchsorted(chosen, y[kept])
        names = [names[k] for k in chosen]
    return X, y.astype(np.int64), names


def _joined(z: Arrays, prefix: str, parts: list[str]) -> Any:
    return z[prefix + parts[0]] if len(parts) == 1 else np.concatenate([z[prefix + part] for part in parts])


def _scaled(entry: Dataset, z: Arrays, X: Any) -> FloatArray:
    table: FloatArray = X.astype(np.float64)
    if entry.name == "cifar10_features":
        table *= z["scale"]
        table += z["offset"]
    else:
        table /= _SCALES.get(entry.name, 1.0)
    return table


def _covtype(z: Arrays) -> FloatArray:
    """The original 54 columns: 10 numbers, 4 and 40 that say which wilderness area and which soil."""
    rows = np.arange(len(z["y"]))
    X = np.zeros((len(rows), 54))
    X[:, :10] = z["X_num"]
    X[rows, 10 + z["wilderness"]] = 1
    X[rows, 14 + z["soil"]] = 1
    return X
