"""What OneBit can say of itself: why it scores one row as it does, and what it has seen so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import sqrt
from reprlib import repr as brief
from typing import TYPE_CHECKING, Any

import numpy as np

from onebit.contract.compiled import entries
from onebit.contract.layout import Layout, check_finite, to_rows
from onebit.core.errors import ConfigError, DataError
from onebit.features import hash_rows, is_dicts
from onebit.features.frames import first_row, is_frame, is_named_row
from onebit.learners.one_bit.insight_report import Description, Explanation, Part, Reasons
from onebit.learners.one_bit.learn import warming
from onebit.learners.one_bit.lies import explored_rate
from onebit.ops.rows import DenseRows

if TYPE_CHECKING:
    from onebit.learners.one_bit.learner import OneBit

_LEAST_EXPLORED = 30


def explain(learner: OneBit, row: Any, top: int = 10, names: Iterable[str] | None = None) -> Explanation:
    """What the features of one row, as it is learned, add to the score of every class: w_kj x_j.

    >>> import onebit
    >>> explain(onebit.OneBit(2), [1.0, 2.0], names=["width", "height"])[1].parts[0]
    Part(name='width', value=1.0, amount=0.0)
    """
    if isinstance(top, bool) or not isinstance(top, int | np.integer) or top < 1:
        raise ConfigError(f"top={top!r}: must be a whole number of features, 1 or larger")
    run = learner._run
    layout = run.layout or learner._layout_for(row)
    rows = to_rows(row, layout.n_features, layout.kind, learner.dtype)
    if len(rows[0]) != (1 if layout.kind == "dense" else 2):
        raise DataError(f"row: {np.shape(row)} is a table; explain takes one row at a time")
    check_finite(rows)
    name_of = _namer(row[0] if is_dicts(row) else row, names, layout.n_features)
    state = learner.aside(run.state if run.layout else learner.start(layout))
    z = np.zeros((1, layout.n_classes), learner.dtype)
    entries(learner.functions, learner.feedback).score(run.hyper, state, rows, learner.normalize, z)
    known = state.F if warming(state.F, state.n[0] + 1) else state.P
    if isinstance(rows, DenseRows):
        columns = np.arange(layout.n_features + 1)
        came = rows.X[0]
        x = state.x[0] * state.scale[0]
        P = known
    else:
        n = len(rows.values) + 1
        columns = state.indices[:n].astype(np.int64)
        came = rows.values
        x = state.x[:n] * state.scale[0]
        P = known[:, columns[:, None], columns] if known.ndim == 3 else known[:, columns]
    amounts = state.W[:, columns] * x
    s = (P @ x if P.ndim == 3 else P * x) @ x
    scores = z[0].tolist()
    doubts = np.sqrt(np.maximum(s, 0)).tolist()
    chances = np.ravel(learner.predict_proba(row)).tolist()
    reasons = []
    for k, label in enumerate(learner.classes):
        own = amounts[k, :-1]
        bias = float(amounts[k, -1])
        order = np.argsort(-abs(own), kind="stable")
        parts = tuple(Part(name_of(int(columns[i])), float(came[i]), float(own[i])) for i in order[:top])
        others = own[order[top:]]
        reasons.append(Reasons(label, chances[k], scores[k], doubts[k], parts, float(others.sum()), len(others), bias))
    return Explanation(tuple(reasons))


def describe(learner: OneBit) -> Description:
    """What a learner has seen, and what it makes of it.

    >>> import onebit
    >>> describe(onebit.OneBit(2, noise=(0.1, 0.2))).rho_0
    0.1
    """
    layout = learner._run.layout
    K = len(learner.classes)
    auto = isinstance(learner.noise, str)
    state = learner._run.state if layout else learner.start(Layout(K, 1, "dense", learner.dtype))
    rho_0 = None if auto else float(state.rho[0])
    se_0 = None
    explored = float(state.evidence[4])
    if auto and explored >= _LEAST_EXPLORED:
        rho_0 = float(explored_rate(state.evidence))
        likely = max(rho_0, 1 / (explored + 2))  # to have found no lie does not mean that there is none
        se_0 = sqrt(likely * (1 - likely) / explored)
    return Description(
        n_classes=K,
        set_size=learner.m,
        n_features=layout.n_features if layout else learner.n_features,
        kind=layout.kind if layout else None,
        dtype=learner.dtype,
        decisions=learner.decisions,
        lessons=int(state.n[0]),
        updates=learner.updates,
        curvature=("full" if state.P.ndim == 3 else "diagonal") if layout else None,
        curvature_bytes=int(state.P.nbytes + state.F.nbytes) if layout else 0,
        noise="auto" if auto else "none" if learner.noise is None else "known",
        rho_0=rho_0,
        se_0=se_0,
        rho_1=float(state.rho[1]),
        explored=explored,
        lying=bool(state.lying[0]),
        drift=learner.drift,
        drift_restarts=int(state.restarts[0]),
        lie_restarts=int(state.restarts[1]),
        exploration=float(state.odds[0]) if layout else None,
        calibration=(float(state.line[0]), float(state.line[1])) if layout else None,
    )


def _namer(row: Any, names: Iterable[str] | None, n_features: int) -> Callable[[int], str]:
    """What the feature in a column is called."""
    if is_frame(row) or is_named_row(row):
        row = first_row(row)
        if len(row) == n_features and not any(isinstance(value, str) for value in row.values()):
            names = list(row) if names is None else names
            row = None
    if names is None:
        found = _hashed_names(row, n_features) if isinstance(row, Mapping) else {}
        return lambda column: found.get(column, f"x[{column}]")
    if isinstance(row, Mapping):
        raise ConfigError(f"names={brief(names)}: a dict row has names of its own; leave names out")
    known = list(names) if isinstance(names, Iterable) and not isinstance(names, str) else []
    if len(known) != n_features or not all(isinstance(name, str) for name in known):
        raise ConfigError(
            f"names={brief(names)}: must be {n_features} strings, one for each feature in the order of the row"
        )
    return known.__getitem__


def _hashed_names(row: Mapping[str, Any], n_features: int) -> dict[int, str]:
    """The names in a dict row by their columns; those that share a column are joined."""
    entries = [{name: value if isinstance(value, str) else 1.0} for name, value in row.items()]
    shared: dict[int, list[str]] = {}
    for entry, column in zip(entries, hash_rows(entries, n_features).indices if entries else (), strict=True):
        shared.setdefault(int(column), []).extend(f"{n}={v}" if isinstance(v, str) else n for n, v in entry.items())
    return {column: " | ".join(dict.fromkeys(names)) for column, names in shared.items()}
