"""Why OneBit scores one row as it does: what each feature adds to each score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from reprlib import repr as brief
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from onebit.contract.compiled import entries
from onebit.contract.layout import check_finite, to_rows
from onebit.contract.raw_cases import encoder_of, first_case, read_cases, reads_cases
from onebit.core.aliases import FloatArray
from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError, DataError
from onebit.features import hash_rows, is_dicts
from onebit.features.cases.encoder import READ
from onebit.features.cases.naming import names_of
from onebit.features.frames import first_row, is_frame, is_named_row
from onebit.learners.one_bit.bank import BankState, leading
from onebit.learners.one_bit.bank.explain import on_kept as on_kept_cases
from onebit.learners.one_bit.curved.explain import curved_reasons
from onebit.learners.one_bit.curved.state import CurvedState
from onebit.learners.one_bit.explanation import Explanation, Part, Reasons
from onebit.learners.one_bit.learn import warming_up
from onebit.learners.one_bit.rated.linear import RatedState, leading_expert
from onebit.learners.one_bit.state import State
from onebit.ops.rows import DenseRows, Rows

if TYPE_CHECKING:
    from onebit.learners.one_bit.learner import OneBit


_TOGETHER = "kept cases, by all numbers together"


def explain(learner: OneBit, row: Any, top: int = 10, names: Iterable[str] | None = None) -> Explanation:
    """What the features of one row, as it is learned, add to the score of every class: w_kj x_j.

    >>> import onebit
    >>> explain(onebit.OneBit(2), [1.0, 2.0], names=["width", "height"])[1].parts[0]
    Part(name='width', value=1.0, amount=0.0)
    """
    # The arguments: one row, of features that have names.
    top = check_whole("top", top, of="features")
    run = learner._session
    layout = run.layout or learner._layout_for(row)
    raw = reads_cases(learner, row)
    if raw:
        rows: Rows = read_cases(learner, row, READ)
    else:
        rows = to_rows(row, layout.n_features, layout.kind, learner.dtype)
    if len(rows[0]) != (1 if layout.kind == "dense" else 2):
        raise DataError(f"row: {np.shape(row)} is a table; explain takes one row at a time")
    check_finite(rows)
    first = row[0] if is_dicts(row) else row
    if raw and names is not None:
        raise ConfigError(f"names={brief(names)}: a case has names of its own; leave names out")
    if raw:
        name_of = names_of(encoder_of(learner), first_case(row)).__getitem__
    else:
        name_of = _namer(first, names, layout.n_features)

    start = run.state if run.layout else learner.start(layout)
    if isinstance(start, CurvedState) and isinstance(rows, DenseRows):
        return Explanation(curved_reasons(learner, start, rows.X[0], name_of, top))

    # Scoring leaves the row as it is learned in the room for it: x, with the bias last.
    state = learner.scoring_state(start)
    prepared = state.row if isinstance(state, RatedState) else state.room.row
    z = np.zeros((1, layout.n_classes), learner.dtype)
    entries(learner.compiled_for(state), learner.feedback).score(run.hyper, state, rows, learner.normalize, z)
    if isinstance(rows, DenseRows):
        columns = np.arange(layout.n_features + 1)
        came = rows.X[0]
        x = prepared.x[0] * prepared.scale[0]
    else:
        n = len(rows.values) + 1
        columns = prepared.indices[:n].astype(np.int64)
        came = rows.values
        x = prepared.x[:n] * prepared.scale[0]
    on_kept = None
    if isinstance(state, BankState):
        W, P = leading(state, columns)
        on_kept = on_kept_cases(state, columns[:-1])
    elif isinstance(state, RatedState):
        W, P = leading_expert(state, columns)
    else:
        W, P = _weights(state, columns)

    # What each feature adds, w_kj x_j; how much the score is doubted, √(xᵀP_k x).
    # Kept cases count towards the quantities by which the row is like them, and what is left of them stands by itself.
    amounts = W * x
    s = (P @ x if P.ndim == 3 else P * x) @ x
    if on_kept is not None:
        amounts[:, :-1] += on_kept.by_entry
        amounts = np.insert(amounts, -1, on_kept.rest, axis=1)
        s = s + on_kept.spread
        came = np.append(came, state.kept.size[0])
    n_columns = len(columns) - 1
    alone = isinstance(state, State)  # else one model of several is explained, whose scores are not those of all
    scores = z[0].tolist() if alone else amounts.sum(axis=1).tolist()
    deviations = np.sqrt(np.maximum(s, 0)).tolist()
    probabilities = np.ravel(learner.predict_proba(row)).tolist()
    reasons = []
    for k, label in enumerate(learner.classes):
        own = amounts[k, :-1]
        order = np.argsort(-abs(own), kind="stable")
        others = own[order[top:]]
        reasons.append(
            Reasons(
                label=label,
                probability=probabilities[k],
                score=scores[k],
                deviation=deviations[k],
                parts=tuple(
                    Part(name_of(int(columns[i])) if i < n_columns else _TOGETHER, float(came[i]), float(own[i]))
                    for i in order[:top]
                ),
                others=float(others.sum()),
                n_others=len(others),
                bias=float(amounts[k, -1]),
            )
        )
    return Explanation(tuple(reasons))


def _weights(state: State, columns: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
    """The weights for these columns, and their covariances."""
    P = state.warm_up.P if warming_up(state.warm_up.P, state.clock.n[0] + 1) else state.weights.P
    P = P[:, columns[:, None], columns] if P.ndim == 3 else P[:, columns]
    return state.weights.W[:, columns], P


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
