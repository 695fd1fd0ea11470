"""How a learner reads raw cases: by an encoder of its own, in rows that grow with what the cases hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from onebit.contract.case_columns import first_width, most_columns, roomy_width
from onebit.contract.classes import widen
from onebit.contract.layout import Layout, is_nothing
from onebit.core.decision import Decision
from onebit.core.errors import ConfigError, DataError
from onebit.features.case_rows import CaseRows, cases_of_table
from onebit.features.cases.encoder import KEEP, MEET, READ, Encoder
from onebit.features.cases.settings import MOST_OWN_COLUMNS, Cases
from onebit.features.frames import first_row, is_frame, is_named_row, to_arrow
from onebit.features.named_rows import are_cases, are_rows_by_name
from onebit.ops.rows import SparseRows

if TYPE_CHECKING:
    from onebit.contract.learner import Learner


def reads_cases(learner: Learner, X: Any) -> bool:
    """Whether these rows are raw cases to the learner: the first row tells, unless the user has.

    Raises a `DataError` where they are cases, and the learner has had rows of numbers.
    """
    session = learner._session
    if session.encoder is not None:
        return True
    if learner.cases is None or type(X) is np.ndarray:
        return False
    raw = are_cases(X, gaps=session.layout is None)
    if raw and session.layout is not None:
        remedy = "make it with cases=None, which hashes dicts" if session.layout.kind == "sparse" else "take another"
        raise DataError(
            f"row: {type(X).__name__} is a raw case, by its names, and the learner has had rows of "
            f"{session.layout.n_features} numbers; give it the numbers alone, in the order that it has had so far, or "
            f"{remedy}"
        )
    if raw and learner.walks_graph:
        raise DataError(f"row: {type(X).__name__} is a raw case, and {no_cases(learner)}")
    return raw


def no_cases(learner: Learner) -> str:
    """Why a learner of nodes does not read cases."""
    return (
        f"{type(learner).__name__} does not read such: its rows are nodes of a graph; take another learner, as OneBit"
    )


def new_encoder(learner: Learner) -> Encoder:
    """An encoder for the learner, which gives out no more columns than its state can have."""
    cases = learner.cases if isinstance(learner.cases, Cases) else Cases()
    if learner.walks_graph:
        raise ConfigError(f"cases={cases!r}: {no_cases(learner)}")
    most = cases.hash if cases.hash != MOST_OWN_COLUMNS else most_columns(learner)
    if learner.n_features is not None:
        most = min(most, max(1, learner.n_features - 1))  # one column is for what is not known yet
    return Encoder(cases.with_columns(most), **learner.rows_of_cases)


def encoder_of(learner: Learner) -> Encoder:
    """The learner's encoder; before the first row, one such as it will have."""
    return learner._session.encoder or new_encoder(learner)


class ReadCases(NamedTuple):
    """Cases, the rows that they were read as, and by whose encoder."""

    token: str
    cases: Sequence[Mapping[str, Any]]
    rows: SparseRows


def read_many(learner: Learner, X: Any) -> ReadCases:
    """A table of cases that are decided now."""
    cases = _dicts(X)
    rows = _read(learner, cases, MEET)
    if isinstance(cases, CaseRows):
        cases = cases.copied()
    return ReadCases(encoder_of(learner).token, cases, rows)


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


def _read(learner: Learner, cases: Sequence[Mapping[str, Any]], change: int) -> SparseRows:
    encoder = encoder_of(learner)
    if not cases:
        return SparseRows(np.zeros(1, np.int64), np.zeros(0, np.uint32), np.zeros(0, learner.dtype))
    rows = encoder.row(cases[0], change) if len(cases) == 1 else encoder.rows(cases, change)
    if change != READ:
        _make_width(learner, encoder)
    if learner.dtype != "float64":
        rows = rows._replace(values=rows.values.astype(learner.dtype))
    return rows


def row_of_decision(learner: Learner, decision: Decision) -> SparseRows:
    """The row of a decision as it was decided.

    The case is read again if another learner made it; and counted if no learner has met it, as the decision's number
    tells.
    """
    features: Any = getattr(decision, "_features", None)  # decisions pickled by version 0.1 have none
    if not is_own(learner, features):
        return read_case(learner, decision.row, MEET if features is None and decision.id < 0 else KEEP)
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
    return Layout(len(learner.classes), first_width(learner, encoder_of(learner).cases.hash), "sparse", learner.dtype)


def begin_cases(learner: Learner, encoder: Encoder) -> None:
    """Let the encoder read the learner's cases from now on, and make the first state."""
    session = learner._session
    before = session.encoder
    cases = learner.cases
    session.read_with(learner, encoder)
    try:
        learner.begin(first_layout(learner))
    except BaseException:
        session.encoder = before
        object.__setattr__(learner, "cases", cases)
        raise


def _make_width(learner: Learner, encoder: Encoder) -> None:
    """Let the state have room for all columns, and one that none of them reaches; the first time, make it."""
    session = learner._session
    if session.layout is None:
        begin_cases(learner, encoder)
    layout = session.layout
    assert layout is not None
    columns = encoder.columns
    if columns >= layout.n_features:
        widen(learner, roomy_width(layout.n_features, columns))


def first_case(X: Any) -> Mapping[str, Any]:
    """A case, or the first of a table of them, as a dict."""
    return _dicts(X)[0]


def _dicts(X: Any) -> Sequence[Mapping[str, Any]]:
    """A case or a table of them as dicts; those of a frame are made where they are asked for."""
    if isinstance(X, CaseRows):
        return X
    if is_nothing(X):
        return []
    if not are_rows_by_name(X):
        raise DataError(
            f"row: is {type(X).__name__}, and the learner reads raw cases; give a dict, a list of dicts or a frame, "
            "and rows of numbers to another learner"
        )
    if isinstance(X, Mapping):
        return [X]
    if is_frame(X):
        return cases_of_table(to_arrow(X, mixed=True))
    return [first_row(X)] if is_named_row(X) else list(X)
