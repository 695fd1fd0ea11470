"""Files as LibSVM names them: Reuters4 from RCV1's, and others."""

from __future__ import annotations

import bz2
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import onebit
from onebit.streams import catalog, from_file, load
from onebit.streams.catalog import dataset
from onebit.streams.libsvm import read_reuters4

# Topics 33, 70, 102, 59 stand for the four; 7 is part of 102.
DOCUMENTS = ["33 1:1"] * 5 + ["70 2:1"] * 4 + ["7,102 3:1"] * 2 + ["102 3:1"] + ["59 4:1"] * 2 + ["33,70 1:1 2:1"] * 2
EXACTLY_ONE = 14


def write(folder: Path, lines: list[str]) -> None:
    """The lines in files as LibSVM names them, in turn."""
    entry = dataset("reuters4")
    for at, path in enumerate(entry.paths):
        (folder / path.name).write_bytes(bz2.compress(("\n".join(lines[at :: len(entry.paths)]) + "\n").encode()))


def test_the_four_topics_are_found_by_their_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONEBIT_DATA", str(tmp_path))
    write(tmp_path, DOCUMENTS)
    X, y, classes = read_reuters4(dataset("reuters4").paths, 4, EXACTLY_ONE)
    assert classes == ["CCAT", "GCAT", "MCAT", "ECAT"]
    assert np.bincount(y).tolist() == [5, 4, 3, 2]
    np.testing.assert_array_equal(X.toarray().argmax(axis=1), y)
    with pytest.raises(onebit.DataError, match="no four topics of RCV1's files have 12 documents"):
        read_reuters4(dataset("reuters4").paths, 4, 12)


def test_reuters4_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONEBIT_DATA", str(tmp_path))
    assert not dataset("reuters4").available
    with pytest.raises(onebit.DataError, match=r"name='reuters4': cannot read its file .*rcv1_topics_train.svm.bz2"):
        load("reuters4")
    write(tmp_path, DOCUMENTS)
    small = replace(dataset("reuters4"), rows=EXACTLY_ONE, features=4)
    monkeypatch.setattr(catalog, "_DATASETS", (small,))
    assert small.available
    stream = load("reuters4", normalize=True)
    assert (stream.rounds, stream.n_features, stream.classes) == (14, 4, ("CCAT", "GCAT", "MCAT", "ECAT"))
    (tmp_path / "rcv1_topics_test_3.svm.bz2").unlink()
    assert not small.available


@pytest.mark.parametrize("name", ["covtype.scale.bz2", "usps.t.bz2", "rcv1_train.multiclass.bz2", "letter.scale"])
def test_names_of_libsvm_are_known(tmp_path: Path, name: str) -> None:
    content = b"1 1:-1 3:.5\n2 2:1\n"
    (tmp_path / name).write_bytes(bz2.compress(content) if name.endswith(".bz2") else content)
    stream = from_file(tmp_path / name, shuffle=False)
    assert (stream.classes, stream.n_features) == ((1, 2), 3)
    assert stream.X.toarray().tolist() == [[-1, 0, 0.5], [0, 1, 0]]
