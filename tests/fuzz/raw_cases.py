"""Hostile raw cases for the fuzz room: dicts, frames, and files of learners that have read such."""

from __future__ import annotations

import warnings
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa

import onebit
from onebit.contract.states import arrays
from onebit.core.registry import learner_class, learner_names
from onebit.features.case_rows import CaseRows
from onebit.features.cases.encoder import MEET, READ, Encoder

Color = Enum("Color", ["RED", "BLUE"])

NAMES = ("a", "b", "a.b", "when", "when (day)", "v", "v[0]", "", "\ud800", "é", "x" * 500, "tags")
VALUES: tuple[Any, ...] = (
    None, "", "  ", "red", "Red", "two words", "three small words", "12", "12.5", "1e400", "nan", "-inf",
    "1_0", "٣", "²",
    "2026-11-02", "2026-11-02T10:00Z", "31/12/2026", "1/1/1", "99/99/9999", "0001-01-01", "9999-12-31",
    "November 2, 2026",
    "\ud800", "\x00\x01", "\u2028", "İ", "ΣΑΣ Σ", "word " * 30_000, "x" * 200_000, "9" * 5000, "日本語 テキスト",
    0, 1, -1, 2**63, 10**400, -(10**5000), 0.0, -0.0, 1e-320, 1e300, float("nan"), float("inf"),
    -float("inf"), True,
    np.float32(1.5), np.float16("nan"), np.int8(-3), np.uint64(2**64 - 1), np.bool_(True), np.str_("x"),
    np.longdouble("1e4000"),
    np.datetime64("NaT"), np.datetime64("2026-11-02T10:00", "ns"), np.datetime64(2**62, "s"),
    np.datetime64("-5000-01-01"),
    np.timedelta64(5, "m"), np.timedelta64("NaT"), np.timedelta64(3, "M"), Decimal("1.5"), Decimal("NaN"),
    Decimal("sNaN"),
    Decimal("1e400"), Decimal("-Infinity"), Fraction(10**400, 3), 1j, b"bytes", bytearray(b"x"),
    memoryview(b"abcd"),
    UUID(int=5), date(1, 1, 1), date.max, datetime.max, datetime.min, datetime(2026, 1, 1, tzinfo=UTC),
    datetime(2026, 1, 1, 3, tzinfo=timezone(timedelta(hours=-12))), time(23, 59), timedelta.max,
    timedelta(-1), Color.RED,
    [], [1], [1, 2.5, "3"], [1.0] * 4, [1.0] * 5, [10**400] * 4, [float("nan")] * 4, ["a", None, "A "],
    [None], [[1], [2]],
    [["a"]], [{"a": 1}], [b"x"], [True, False], (1, 2, 3, 4), {"x", "y"}, frozenset(), range(6), np.zeros(4),
    np.zeros((2, 2)),
    np.array(["x"]), np.array(5), np.zeros(4, "c16"), np.zeros(2, "M8[s]"), np.array([None]), {}, {"b": 1},
    {"b": {"c": {}}},
    {1: 2}, {"": {"": ""}}, object(), Exception, lambda: None, iter([1]), ...,
)  # fmt: skip


_NO_ARRAY = (pa.ArrowException, TypeError, ValueError, OverflowError, AttributeError, SystemError)
"""What Arrow raises of values that make no column of a type."""


def trial(draw: Random, folder: Path) -> None:
    """Cases one by one and together, to a learner and to an encoder."""
    settings = _settings(draw)
    name = draw.choice(["one-bit", "one-bit", *learner_names()])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cls: Any = learner_class(name)
        if not cls.walks_graph:
            learner = cls(["x", "y", "z"], cases=settings)
            for _ in range(draw.randrange(1, 6)):
                case = hostile_case(draw)
                _attempt(learner, case)
                _attempt(learner, [case, hostile_case(draw)])
        encoder = Encoder(settings, pairs=True)
        for _ in range(draw.randrange(1, 9)):
            _encode(encoder, [hostile_case(draw) for _ in range(draw.choice((1, 1, 3)))])


def trial_frames(draw: Random, folder: Path) -> None:
    """Frames, which are read by columns: no worse than as dicts."""
    settings = _settings(draw)
    encoder, other = Encoder(settings, pairs=True), Encoder(settings, pairs=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(draw.randrange(1, 4)):
            table = hostile_frame(draw)
            try:
                dicts = table.to_pylist()
            except (ValueError, OverflowError):  # beyond the years that Python knows
                continue
            found, expected = _encode(encoder, CaseRows(table)), _encode(other, dicts)
            assert (found is None) == (expected is None), table
            if found is not None and expected is not None:
                assert all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True)), table


def trial_files(draw: Random, folder: Path) -> None:
    """A file of a learner that has read cases, changed, loaded and used."""
    from tests.fuzz import files

    learner = onebit.OneBit(["x", "y", "z"], cases=onebit.Cases(hash=draw.choice((40, 300, 2**20))), seed=1)
    for _ in range(draw.choice((1, 5, 60))):
        case = good_case(draw)
        learner.learn(learner.decide(case), draw.random() < 0.5)
    path = folder / "changed.onebit"
    learner.save(path)
    path.write_bytes(files.mutate(path.read_bytes(), draw))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = onebit.load(path)
        for _ in range(40):
            learner.learn(learner.decide(good_case(draw)), draw.random() < 0.5)
        encoder = learner._session.encoder
        assert encoder is None or np.isfinite(encoder.row(good_case(draw), MEET).values).all()
        learner.predict([good_case(draw), good_case(draw)])
        learner.explain(good_case(draw))
        str(learner.cases)
        learner.save(folder / "again.onebit")


def good_case(draw: Random) -> dict[str, Any]:
    """A case with something of each kind."""
    return {
        "subject": " ".join(draw.choices(("refund", "money", "back", "card", "lost"), k=4)),
        "plan": draw.choice(("gold", "silver", None)),
        "amount": draw.gauss(0, 10),
        "code": draw.randrange(5),
        "when": datetime(2026, draw.randrange(1, 13), draw.randrange(1, 28), draw.randrange(24)),
        "tags": draw.choices(("red", "green"), k=2),
        "v": [draw.random() for _ in range(4)],
    }


def hostile_case(draw: Random) -> Any:
    """A case, nearly always a dict."""
    if draw.random() < 0.02:
        return draw.choice(VALUES)
    case: dict[Any, Any] = {draw.choice(NAMES): _value(draw) for _ in range(draw.randrange(7))}
    if draw.random() < 0.03:
        case[draw.choice((1, None, 2.5, b"x", (1, 2)))] = 1
    if draw.random() < 0.02:
        case |= {f"column {draw.random()}": j for j in range(draw.choice((10, 10_000)))}
    if draw.random() < 0.02:
        for _ in range(draw.choice((5, 40, 3000))):
            case = {"deep": case}
    return case


def hostile_frame(draw: Random) -> Any:
    """A table of columns of many types."""
    n = draw.randrange(1, 6)
    kinds = (
        pa.string(), pa.large_string(), pa.string_view(), pa.int64(), pa.uint64(), pa.float64(),
        pa.float16(), pa.bool_(),
        pa.date32(), pa.date64(), pa.timestamp("ns"), pa.timestamp("s", tz="Asia/Kathmandu"), pa.time32("s"),
        pa.duration("ms"),
        pa.list_(pa.string()), pa.list_(pa.float64()), pa.list_(pa.int8(), 4), pa.struct({"b": pa.int8()}),
        pa.null(),
        pa.binary(), pa.decimal128(38, 3), pa.dictionary(pa.int8(), pa.string()),
    )  # fmt: skip
    columns = {}
    for _ in range(draw.randrange(1, 6)):
        kind = draw.choice(kinds)
        values = [draw.choice(VALUES) for _ in range(n)]
        for many in (values, [_one(value, kind) for value in values]):
            try:
                columns[draw.choice(NAMES[:8])] = pa.array(many, kind)
                break
            except _NO_ARRAY:
                continue
    table = pa.table(columns)
    return table.slice(draw.randrange(n)) if columns else pa.table({"a": [None] * n})


def _one(value: Any, kind: Any) -> Any:
    """The value, if a column of this type can hold it."""
    try:
        pa.array([value], kind)
    except _NO_ARRAY:
        return None
    return value


def _value(draw: Random) -> Any:
    return {draw.choice(NAMES): draw.choice(VALUES)} if draw.random() < 0.05 else draw.choice(VALUES)


def _settings(draw: Random) -> onebit.Cases:
    if draw.random() < 0.6:
        return onebit.Cases(hash=draw.choice((1, 20, 2**20)))
    kinds = draw.sample(("text", "category", "number", "date", "vector", "ignore"), 6)
    return onebit.Cases(**{kind: [name] for kind, name in zip(kinds, NAMES, strict=False)}, hash=500)


def _encode(encoder: Encoder, cases: Any) -> Any:
    """The rows, or None where cases are refused: then nothing has changed."""
    before = _kept(encoder)
    try:
        rows = encoder.rows(cases, MEET)
    except onebit.DataError:
        assert _kept(encoder) == before, "a case that was refused has changed the encoder"
        return None
    assert np.isfinite(rows.values).all()
    assert rows.indices.size == 0 or rows.indices.max() < 2 * encoder.cases.hash
    for start, stop in zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist(), strict=True):
        assert len(set(rows.indices[start:stop].tolist())) == stop - start
    again = encoder.rows(cases, READ)
    assert np.isfinite(again.values).all()
    str(encoder.cases)
    return rows


def _kept(encoder: Encoder) -> Any:
    memory = encoder.memory
    return memory.counts[:3].tolist(), memory.statistics.sum(), len(encoder.names), dict(encoder.lengths)


def _attempt(learner: Any, cases: Any) -> None:
    answer = True if learner.takes("bit") else "y"
    try:
        if isinstance(cases, list):
            decisions = learner.decide_many(cases)
            learner.learn_many(decisions, [answer] * len(decisions))
        else:
            learner.learn(learner.decide(cases), answer)
        learner.predict(cases)
    except onebit.OnebitError:
        pass
    _check(learner)


def _check(learner: Any) -> None:
    if learner._session.state is None:
        return
    for name, array in arrays(learner._session.state):
        assert array.dtype.kind != "f" or np.isfinite(array).all(), f"the state {name} is not finite"
