"""Reuters4: the documents of RCV1 with one of four broad topics, from the files that LibSVM publishes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import IntArray
from onebit.core.errors import DataError

TOPICS = ("CCAT", "GCAT", "MCAT", "ECAT")
"""Corporate, government, markets, economics: from the topic with the most documents to that with the fewest."""

_LARGEST = 12
"""The four are among so many of the largest topics."""


def read_reuters4(paths: Sequence[Path], features: int, documents: int) -> tuple[Any, IntArray, list[str]]:
    """The rows, the number of each row's topic, and the topics.

    The files number their topics without names. The four are known by how many documents have exactly one of them.
    """
    from sklearn.datasets import load_svmlight_file

    tables = []
    labels: list[tuple[float, ...]] = []
    for path in paths:
        try:
            X, found = load_svmlight_file(str(path), n_features=features, multilabel=True)
        except (ValueError, OSError, EOFError, OverflowError) as error:
            raise DataError(f"{path}: cannot be read as LibSVM's file ({error}); fetch it again") from error
        tables.append(X)
        labels += found
    has = _membership(labels)
    four = _the_four(has, documents)
    if four is None:
        raise DataError(
            f"{paths[0].parent}: no four topics of RCV1's files have {documents:,} documents with exactly one of them; "
            "are all files there, and whole?"
        )
    chosen = has[:, list(four)]
    kept = chosen.sum(axis=1) == 1
    X = sp.csr_array(sp.vstack(tables, format="csr"))[np.flatnonzero(kept)]
    return X, chosen[kept].argmax(axis=1).astype(np.int64), list(TOPICS)


def _membership(labels: Sequence[tuple[float, ...]]) -> Any:
    """Which document (row) has which of the largest topics (columns, the largest first)."""
    rows = np.repeat(np.arange(len(labels)), [len(each) for each in labels])
    topics = np.array([topic for each in labels for topic in each], dtype=np.int64)
    names, codes, counts = np.unique(topics, return_inverse=True, return_counts=True)
    largest = np.argsort(-counts, kind="stable")[:_LARGEST]
    place = np.full(len(names), -1)
    place[largest] = np.arange(len(largest))
    has = np.zeros((len(labels), len(largest)), dtype=np.bool_)
    shown = place[codes] >= 0
    has[rows[shown], place[codes][shown]] = True
    return has


def _the_four(has: Any, documents: int) -> tuple[int, ...] | None:
    """The columns of which exactly so many documents have exactly one."""
    for four in combinations(range(has.shape[1]), len(TOPICS)):
        if int((has[:, four].sum(axis=1) == 1).sum()) == documents:
            return four
    return None
