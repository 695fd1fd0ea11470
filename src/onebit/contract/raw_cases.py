"""How a learner reads raw cases: by an encoder of its own, in rows that grow with what the cases hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from onebit.contract.classes import widen
from onebit.contract.layout import Layout
from onebit.core.decision import Decision
from onebit.core.errors import DataError
from onebit.features.cases.encoder import KEEP, MEET, READ
from onebit.features.frames import first_row, is_frame, is_named_row, to_arrow
from onebit.features.named_rows import are_rows_by_name
from onebit.ops.rows import SparseRows

if TYPE_CHECKING:
    from onebit.contract.learner import Learner

_FIRST_WIDTH = 4096


class ReadCases(NamedTuple):
    """Cases, the rows that they were read as, and by whose encoder."""

    token: str
    cases: list[Mapping[str, Any]]
    rows: SparseRows


def read_many(learner: Learner, X: Any) -> ReadCases:
    """A table of cases that are decided now."""
    encoder = learner._session.encoder
    assert encoder is not None
    return ReadCases(encoder.token, _dicts(X), read_cases(learner, X, MEET))


def read_case(learner: Learner, row: Any, change: int) -> SparseRows:
    """One case as a row for the learner's state, which has room for it afterwards."""
    cases = _dicts(row)
    if len(cases) != 1:
        raise DataError(f"row: is a table of {len(cases)} cases; decide and learn take one case at a time")
    return _read(learner, cases, change)


def read_cases(learner: Learner, X: Any, change: int) -> SparseRows:
    """A case or a table of them as rows for the learner's state, which has room for them afterwards.

    `change` is READ where nothing may change: then features that the encoder does not have yet are left out.
    """
    return _read(learner, _dicts(X), change)


def _read(learner: Learner, cases: list[Mapping[str, Any]], change: int) -> SparseRows:
    encoder = learner._session.encoder
    assert encoder is not None
    rows = encoder.row(cases[0], change) if len(cases) == 1 else encoder.rows(cases, change)
    if change != READ:
        _make_width(learner, encoder.columns)
    if learner.dtype != "float64":
        rows = rows._replace(values=rows.values.astype(learner.dtype))
    return rows


def row_of_decision(learner: Learner, decision: Decision) -> SparseRows:
    """The row of a decision as it was decided; the case is read again if another learner made it."""
    features: Any = getattr(decision, "_features", None)  # decisions pickled by version 0.1 have none
    if not is_own(learner, features):
        return read_case(learner, decision.row, KEEP)
    rows: SparseRows = features[1]
    return rows


def is_own(learner: Learner, features: Any) -> bool:
    """Whether the learner's encoder has made these rows, for the state that it has."""
    session = learner._session
    if features is None or session.encoder is None or session.layout is None or features[0] != session.encoder.token:
        return False
    columns = features[1].indices
    return len(columns) == 0 or int(columns.max()) < session.layout.n_features


def first_layout(learner: Learner) -> Layout:
    """The layout before the first case."""
    return Layout(len(learner.classes), _FIRST_WIDTH, "sparse", learner.dtype)


def _make_width(learner: Learner, columns: int) -> None:
    """Let the state have room for so many columns, and one that none of them reaches; the first time, make it."""
    session = learner._session
    if session.layout is None:
        learner.begin(first_layout(learner))
    layout = session.layout
    assert layout is not None
    if columns >= layout.n_features:
        widen(learner, 1 << columns.bit_length())


def _dicts(X: Any) -> list[Mapping[str, Any]]:
    """A case or a table of them as dicts."""
    if not are_rows_by_name(X):
        raise DataError(
            f"row: is {type(X).__name__}, and the learner reads raw cases; give a dict, a list of dicts or a frame "
            "(or make it without cases=... for rows of numbers)"
        )
    if isinstance(X, Mapping):
        return [X]
    if is_frame(X):
        found: list[Mapping[str, Any]] = to_arrow(X).to_pylist()
        return found
    return [first_row(X)] if is_named_row(X) else list(X)
