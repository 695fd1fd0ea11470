"""Streams from svmlight files."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

import onebit
from onebit.streams import from_file
from tests.streams.samples import D, X, Y


@pytest.mark.parametrize("name", ["a.svm", "a.svmlight", "a.libsvm", "a.svm.gz", "a.svmlight.bz2"])
def test_svmlight(tmp_path: Path, name: str) -> None:
    plain = tmp_path / "plain"
    dump_svmlight_file(X, np.searchsorted(["ant", "bee", "cow"], Y) - 1, str(plain))
    pack = gzip.compress if name.endswith(".gz") else bz2.compress if name.endswith(".bz2") else bytes
    (tmp_path / name).write_bytes(pack(plain.read_bytes()))
    stream = from_file(tmp_path / name, bias=True)
    assert (stream.classes, stream.sparse, stream.n_features) == ((-1, 0, 1), True, D + 1)
    assert all(type(c) is int for c in stream.classes)
    assert stream.X.toarray()[:, :D] == pytest.approx(X, rel=1e-15)
    assert stream.describe()["file"] == str(tmp_path / name)


def test_svmlight_labels_that_are_no_whole_numbers(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_text("0.5 1:1\n-1 2:1\n")
    assert from_file(tmp_path / "a.svm", classes=[0.5, -1.0]).y.tolist() == [0.5, -1.0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "a.svm: "),
        ("1 1:2\nfoo 2:3\n", "a.svm: cannot be read as svmlight"),
        ("1 1:2\n0 2:nan\n", "a.svm: X: row 1, feature 1 is nan"),
        ("1 1:2\n1 2:3\n", "a.svm: y: every label is"),
        ("1 1:2\n0 1000000000:3\n", "a.svm: has feature numbers for 1,000,000,000 features"),
        ("1 1:2\n0 4294967296:3\n", "a.svm: has a feature number of 2.31 or more"),
        ("1 1:2\nnan 2:3\n", "a.svm: y: row 1 has the label nan"),
    ],
)
def test_svmlight_files_that_cannot_be(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "a.svm").write_text(content)
    with pytest.raises(onebit.DataError, match=message):
        from_file(tmp_path / "a.svm")


@pytest.mark.parametrize("option", [{"label": "y"}, {"columns": ["a"]}, {"hash_features": 8}])
def test_svmlight_has_no_columns(tmp_path: Path, option: dict[str, Any]) -> None:
    (tmp_path / "a.svm").write_text("1 1:2\n0 2:3\n")
    with pytest.raises(onebit.ConfigError, match=f"{next(iter(option))}=.*no named columns"):
        from_file(tmp_path / "a.svm", **option)
