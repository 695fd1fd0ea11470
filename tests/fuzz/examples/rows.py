"""Rows, tables and decisions that once crashed, poisoned a learner, or raised errors of others."""

from __future__ import annotations

_HEAD = """
import warnings
from dataclasses import replace
import numpy as np, scipy.sparse as sp, onebit

warnings.simplefilter("ignore")

def quietly(attempt):
    try:
        attempt()
    except onebit.OnebitError:
        pass

def all_ways(make):
    learner = onebit.Banditron(2)
    for ask in (learner.decide, learner.scores, learner.predict, learner.decide_many):
        quietly(lambda: ask(make()))
    quietly(lambda: onebit.streams.from_arrays(make(), [0, 1]))
"""

_BROKEN = """
def broken():
    X = sp.csr_array(np.arange(1.0, 7.0).reshape(2, 3))
    {}
    return X
all_ways(broken)
"""

_SPOILS = {
    "an index below 0": "X.indices[0] = -1",
    "an index beyond the width": "X.indices[0] = 10**9",
    "an index of 64 bits": "X.indices = X.indices.astype(np.int64); X.indices[0] = 2**32 + 1",
    "an indptr beyond the entries": "X.indptr[2] = 10**9",
    "an indptr that falls": "X.indptr[1] = -5",
    "too few indices": "X.indices = X.indices[:1]",
    "CSC with a row that is none": "X = X.tocsc(); X.indices[0] = 10**9",
    "COO with a column that is none": "X = X.tocoo(); X.coords[1][0] = 10**9",
    "COO with rows without end": "X = sp.coo_array((10**12, 3))",
    "features beyond memory": "X = sp.csr_array((1, 2**31))",
}

_ROWS = """
for row in ([], [[]], [[1.0], [2.0, 3.0]], [10**400], {"a": 10**400}, {"\\ud800": 1.0}, {"a": "\\ud800"},
            {"a": float("nan")}, sp.dok_array((1, 3)), np.ma.array([1.0], mask=[True]), None, 5, "x"):
    all_ways(lambda: row)
"""

_CLASSES = """
nan = float("nan")
for classes in ([nan, nan], [nan, 1.0], ["\\ud800", "b"], [("a", nan), "b"], [(nan,), (nan,)]):
    quietly(lambda: onebit.Banditron(classes))
quietly(lambda: onebit.streams.from_arrays(np.eye(2), ["\\ud800", "b"]))
"""

_DECISIONS = """
learner = onebit.Banditron(2)
learner.learn(learner.decide([1.0, 2.0]), False)
decision = learner.decide([1.0, 2.0])
changes = [{"row": row} for row in ([np.nan, 1.0], [np.inf, 1.0], [1.0], None, {"a": 1.0})]
changes += [{"propensity": p} for p in (0, -1, 1e-320, np.nan, "0.5", None, 2)]
changes += [{"labels": None}, {"labels": (7,)}, {"greedy": None}, {"top": None}, {"id": 2**70}, {"_spent": None}]
for change in changes:
    quietly(lambda: learner.learn(replace(decision, **change), True))
    quietly(lambda: learner.learn_many([replace(decision, **change)], [True]))
assert np.isfinite(learner.scores(np.eye(2))).all()
learner.learn(decision, True)
"""

_SVMLIGHT = """
import pathlib, tempfile
path = pathlib.Path(tempfile.mkdtemp()) / "a.svm"
for index in (10**9, 2**31, 2**32, 2**32 + 1, 2**63, 10**30):
    path.write_text(f"1 1:1 {index}:2\\n0 2:1\\n")
    quietly(lambda: onebit.simulate(onebit.Banditron(2), onebit.streams.from_file(path)))
"""

_WIDE = """
import pyarrow as pa
onebit.streams.from_frame(pa.table({**{f"c{j}": [0.0, 1.0] for j in range(20_000)}, "y": ["a", "b"]}), "y")
"""

EXAMPLES: list[tuple[str, str]] = [
    *((f"rows: {name}", _HEAD + _BROKEN.format(spoil)) for name, spoil in _SPOILS.items()),
    ("rows: forms that are none", _HEAD + _ROWS),
    ("rows: classes that are none", _HEAD + _CLASSES),
    ("rows: changed decisions", _HEAD + _DECISIONS),
    ("rows: svmlight with huge indices", _HEAD + _SVMLIGHT),
    ("rows: 20,000 columns", _HEAD + _WIDE),
]
"""Names, and sources to run in a fresh process."""
