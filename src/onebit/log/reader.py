"""Reading a decision log, whoever wrote it."""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np

from onebit.core.aliases import Label
from onebit.core.errors import DataError
from onebit.feedback import AnswerKind
from onebit.log.columns import booleans, is_list, label_lists, labels, numbers, require, whole_numbers
from onebit.log.form import AMONG
from onebit.log.rows import logged_rows
from onebit.log.source import Source, open_source, told_classes
from onebit.log.table import DecisionTable

_PROPENSITY = "must be above 0 and at most 1: the probability with which these labels were played"
_BIT = "must be 0 (wrong) or 1 (right)"
_EXPLORED = "must be 0 or 1"


def read_log(source: Any, rows: Any = None) -> DecisionTable:
    """The decisions of a log: a Parquet file, a folder of them, or a table of Arrow, pandas, polars or DuckDB.

    It needs the columns `played` (a label, or a list of m of them), `propensity` (above 0, up to 1) and
    `bit` (booleans, or 0 and 1), or `label`, the true one, in place of `bit`. Decisions whose answer is
    missing are left out and counted. Rows come from `rows`, a table, by their number in the column `row`;
    else from a column `features` of lists; else from two columns of lists, `indices` and `values`; else
    from all other columns of numbers and booleans, if onebit did not write the log. The columns `greedy`,
    `explored`, `top`, `id`, `step` and `among` (lists of the labels that could be played) are read where they are;
    `time` and `timestamp` are never features.

    >>> import onebit.log, pyarrow
    >>> log = pyarrow.table({"played": ["a", "b"], "propensity": [0.9, 0.1], "bit": [True, False], "row": [1, 0]})
    >>> table = read_log(log, rows=[[1.0, 2.0], [3.0, 4.0]])
    >>> table.rows
    array([[3., 4.],
           [1., 2.]])
    >>> table.played
    array(['a', 'b'], dtype='<U1')
    """
    whole = open_source(source)
    feedback: AnswerKind = "label" if "label" in whole and "bit" not in whole else "bit"
    require(whole, ["played", "propensity", feedback])
    if not whole.table.num_rows:
        raise DataError(f"{whole.name}: has no decisions; log some first")
    changes = told_classes(whole)
    found = _answered(_with_labels(whole, changes), feedback)
    played = labels(found, "played")
    label = labels(found, "label") if feedback == "label" else None
    X, feature_names = logged_rows(found, rows)
    return DecisionTable(
        played=played,
        propensity=numbers(found, "propensity", lambda p: (p > 0) & (p <= 1), _PROPENSITY),
        bit=booleans(found, "bit", _BIT) if label is None else _among(label, played),
        rows=X,
        feature_names=feature_names,
        label=label,
        greedy=labels(found, "greedy") if "greedy" in found else None,
        explored=booleans(found, "explored", _EXPLORED) if "explored" in found else None,
        top=labels(found, "top") if "top" in found else None,
        id=whole_numbers(found, "id") if "id" in found else None,
        step=whole_numbers(found, "step") if "step" in found else None,
        among=_open_labels(found, played),
        feedback=feedback,
        classes=tuple(found.facts["classes"]) if found.facts else None,
        changes=tuple((_place(found, row), classes) for row, classes in changes),
        learner=found.facts.get("learner", ""),
        unanswered=whole.table.num_rows - found.table.num_rows,
    )


def _open_labels(source: Source, played: Any) -> Any:
    """The labels that each decision was drawn among, where the log tells; those played must be among them."""
    if AMONG not in source or not is_list(source.type(AMONG)):
        return None
    among = label_lists(source, AMONG)
    sets = played.reshape(len(played), -1).tolist()
    for row, open_labels in enumerate(() if among is None else among):
        closed = [] if open_labels is None else [label for label in sets[row] if label not in open_labels]
        if closed:
            raise source.bad(AMONG, row, reprlib.repr(open_labels), f"must hold {closed[0]!r}, which was played")
    return among


def _with_labels(source: Source, changes: list[tuple[int, tuple[Label, ...]]]) -> Source:
    """Where the classes are known, with all labels that there have ever been."""
    if not source.facts:
        return source
    ever = dict.fromkeys([*source.facts["classes"], *(label for _, classes in changes for label in classes)])
    return source._replace(facts=source.facts | {"labels": list(ever)})


def _place(source: Source, row: int) -> int:
    """How many of the answered decisions stand before this row of the log."""
    return row if source.numbers is None else int(np.searchsorted(source.numbers, row))


def _among(label: Any, played: Any) -> Any:
    """Whether each true label is among those played."""
    return (played.reshape(len(label), -1) == label[:, None]).any(axis=1)


def _answered(source: Source, answer: str) -> Source:
    """The decisions that have an answer."""
    import pyarrow.compute as pc

    missing = pc.is_null(source.table.column(answer), nan_is_null=True)
    if not pc.any(missing).as_py():
        return source
    if pc.all(missing).as_py():
        raise DataError(f"{source.name}: column {answer!r} is missing in every row; none of the decisions was answered")
    return source.only(pc.invert(missing))
