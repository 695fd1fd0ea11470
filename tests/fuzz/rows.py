"""Hostile rows and tables for the fuzz room, and a learner put through all that takes rows."""

from __future__ import annotations

import warnings
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

import onebit
from onebit.contract.states import arrays
from onebit.graph import Graph

WIDTH = 4
_NUMBERS = (0.0, 1.0, -1.0, 0.5, 2, True, 1e-12, 1e12, -3.7, 1e-300)
_POISON: tuple[Any, ...] = (
    float("nan"),
    float("inf"),
    -float("inf"),
    10**400,
    None,
    "text",
    b"x",
    1j,
    [],
    {},
    "\ud800",
    object(),
)
_DTYPES = ("f8", "f4", "f2", "g", ">f8", "i1", "u8", "?", "c16", "O", "U3", "M8[s]", "m8[s]", "V8")
_FORMATS = ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")
_INDICES = (-1, 0, WIDTH, WIDTH + 1, 2**31 - 1, -(2**31), 2**32, 2**40, 2**63 - 1)


def hostile_row(draw: Random) -> object:
    """One row, good or bad, of a random kind."""
    make = draw.choice((_list, _array, _dict, _sparse, _odd))
    return make(draw, 1)


def hostile_table(draw: Random) -> object:
    """A few rows, good or bad, of a random kind."""
    make = draw.choice((_list, _array, _dict, _sparse, _frame, _odd))
    return make(draw, draw.choice((0, 1, 2, 3, 7)))


def exercise(learner_name: str, thing: Any) -> None:
    """Put a row or a table through all that takes one; only errors of onebit's own may come, and states stay finite."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for width in (None, WIDTH):
            learner = _learner(learner_name)
            if width is not None:
                _quietly(lambda one=learner: one.learn(one.decide(_good_row(learner_name)), _answer(one)))
            _quietly(lambda one=learner: one.learn(one.decide(thing), _answer(one)))
            _quietly(lambda one=learner: one.scores(thing))
            _quietly(lambda one=learner: one.predict(thing))
            _quietly(lambda one=learner: _learn_all(one, thing))
            _quietly(lambda one=learner: _learn_by_hand(one, thing))
            _check_finite(learner)
        _quietly(lambda: onebit.streams.from_arrays(thing, [0, 1, 0]))
        _quietly(lambda: onebit.streams.from_frame(thing, "c0"))


def _quietly(attempt: Any) -> None:
    try:
        attempt()
    except onebit.OnebitError:
        return


def _learner(name: str) -> Any:
    cls = getattr(onebit, name)
    if not cls.walks_graph:
        return cls(3)
    ring = np.roll(np.eye(WIDTH), 1, axis=0)
    return cls(3, graph=Graph.of(ring + ring.T))


def _good_row(name: str) -> Any:
    return np.eye(WIDTH)[1] if getattr(onebit, name).walks_graph else np.array([0.5, 0.25, 0.0, -0.25])


def _answer(learner: Any) -> Any:
    return True if learner.takes("bit") else learner.classes[0]


def _learn_all(learner: Any, thing: Any) -> None:
    decisions = learner.decide_many(thing)
    learner.learn_many(decisions, [_answer(learner)] * len(decisions))


def _learn_by_hand(learner: Any, thing: Any) -> None:
    decision = learner.decide(_good_row(type(learner).__name__))
    learner.learn(replace(decision, row=thing, _spent=[False]), _answer(learner))


def _check_finite(learner: Any) -> None:
    if learner._session.state is None:
        return
    for name, array in arrays(learner._session.state):
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise AssertionError(f"{type(learner).__name__}: the state {name} is not finite")


def _value(draw: Random) -> Any:
    return draw.choice(_POISON) if draw.random() < 0.1 else draw.choice(_NUMBERS)


def _width(draw: Random) -> int:
    return WIDTH if draw.random() < 0.7 else draw.choice((0, 1, 3, 5, 9))


def _list(draw: Random, rows: int) -> Any:
    width = _width(draw)
    table = [[_value(draw) for _ in range(width if draw.random() < 0.95 else 1)] for _ in range(rows)]
    return table[0] if rows == 1 and draw.random() < 0.8 else table


def _array(draw: Random, rows: int) -> Any:
    shape = draw.choice(((rows, _width(draw)), (_width(draw),), (rows, 2, 2), ()))
    values = np.array([draw.choice(_NUMBERS) for _ in range(int(np.prod(shape)))], dtype=float).reshape(shape)
    try:
        with np.errstate(all="ignore"):
            array: Any = values.astype(draw.choice(_DTYPES))
    except (TypeError, ValueError):
        array = values
    if draw.random() < 0.2 and array.dtype.kind == "f" and array.size:
        array.flat[draw.randrange(array.size)] = draw.choice((np.nan, np.inf, -np.inf))
    if draw.random() < 0.2:
        array = np.asfortranarray(array)[::-1] if array.ndim else array
    if draw.random() < 0.1:
        array = np.ma.array(array, mask=draw.random() < 0.5)
    array.flags.writeable = draw.random() < 0.5
    return array


def _dict(draw: Random, rows: int) -> Any:
    names = ("a", "b", "colour", "", "\ud800", "é", 1, None)
    made = [{draw.choice(names): _value(draw) for _ in range(draw.randrange(5))} for _ in range(rows)]
    return made[0] if rows == 1 else made


def _sparse(draw: Random, rows: int) -> Any:
    width = _width(draw)
    values = np.array([[draw.choice(_NUMBERS) for _ in range(width)] for _ in range(rows)], float)
    table = sp.csr_array(values.reshape(rows, width))
    if draw.random() < 0.3:
        table = table.astype(draw.choice(("f4", "i4", "?", "c16")))
    if draw.random() < 0.5:
        table = table.asformat(draw.choice(_FORMATS))
    if draw.random() < 0.5:
        _spoil(draw, table)
    return table


def _spoil(draw: Random, table: Any) -> None:
    """Change one entry of the arrays of a sparse table, or their type or length."""
    names = [name for name in ("indptr", "indices", "data", "row", "col") if hasattr(table, name)]
    if not names:
        return
    name = draw.choice(names)
    array = np.asarray(getattr(table, name))
    if array.dtype == object or not array.size:
        return
    if name == "data":
        new = array.astype(float)
        new.flat[0] = draw.choice((np.nan, np.inf, 1.0))
    else:
        new = array.astype(draw.choice(("i4", "i8", "i8", "f8", ">i8")))
        with np.errstate(all="ignore"):
            new.flat[draw.randrange(new.size)] = np.int64(draw.choice(_INDICES)).astype(new.dtype)
        new = new[: draw.randrange(len(new) + 1)] if draw.random() < 0.1 else new
    try:
        setattr(table, name, new)
    except (AttributeError, ValueError, IndexError, TypeError):
        return


def _frame(draw: Random, rows: int) -> Any:
    columns = {}
    for j in range(draw.randrange(1, 6)):
        kind = draw.choice((pa.float64(), pa.int32(), pa.string(), pa.bool_(), pa.date32(), pa.float16(), pa.null()))
        values: list[Any] = [None if draw.random() < 0.1 else draw.choice((0, 1, 2)) for _ in range(rows)]
        if pa.types.is_string(kind):
            values = [None if value is None else str(value) for value in values]
        elif pa.types.is_boolean(kind):
            values = [None if value is None else value > 0 for value in values]
        elif pa.types.is_null(kind):
            values = [None] * rows
        elif pa.types.is_float16(kind):
            values = [None if value is None else np.float16(value) for value in values]
        columns[f"c{j}"] = pa.array(values, kind)
    if draw.random() < 0.1:
        columns["c9"] = _damaged(draw, rows)
    return pa.table(columns)


def _damaged(draw: Random, rows: int) -> Any:
    """An Arrow column that is not what it says: text of any bytes, offsets or categories out of range."""
    how = draw.randrange(3)
    if how == 0:
        return pa.array([draw.choice((b"\xff\xfe", b"ok", b"\xc3")) for _ in range(rows)], pa.binary()).view(
            pa.string()
        )
    if how == 1:
        offsets = np.array([draw.choice((0, 1, 5, 6, -1, 10**6, 2**31 - 1)) for _ in range(rows + 1)], np.int32)
        try:
            return pa.StringArray.from_buffers(rows, pa.py_buffer(offsets), pa.py_buffer(b"abcde"))
        except pa.ArrowInvalid:  # some damage Arrow sees by itself
            return pa.nulls(rows, pa.string())
    numbers = pa.array([draw.choice((0, 1, 2, -1, 100)) for _ in range(rows)], pa.int8())
    return pa.DictionaryArray.from_arrays(numbers, pa.array(["x", "y"]), safe=False)


def _odd(draw: Random, rows: int) -> Any:
    return draw.choice(
        (
            None, 5, "text", b"text", object(), range(rows), {1, 2}, iter([1.0]), [[[1.0]]], np.matrix([[1.0] * WIDTH]),
            sp.csr_array((rows, 2**31)), sp.csr_array((rows, 2**33)), sp.coo_array((10**12, WIDTH)),
            np.broadcast_to(0.0, (10**13, WIDTH)), np.zeros((rows, 0)), np.zeros(3, [("a", "f8"), ("b", "i4")]),
            pa.array([1.0]), np.float64(1.0), memoryview(b"abcd"), lambda: None, sp.coo_array(np.ones(WIDTH)),
        )
    )  # fmt: skip
