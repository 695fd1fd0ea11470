"""Frames are read column by column: the same rows, to the last bit, and the same errors as of dicts one by one."""

from __future__ import annotations

import string
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import onebit
from onebit.features.case_rows import CaseRows
from onebit.features.cases.encoder import KEEP, MEET, READ, Encoder
from onebit.features.cases.reading import Reading
from onebit.features.cases.settings import Cases

WRITTEN = [
    "", " ", "12", "-3.50", "+.5", "5.", ".", "-", "1e3", "1_000", "nan", "-inf", "+infinity",
    "007", "1,234.50", "12 %", "93 min", "0.1234567890123456789", "99999999999999999999",
    "2026-11-02", "2026-11-02T14:05", "2026-11-02 14:05:59", "2026-02-30", "2026-11-02T14:05Z",
    "2026-11-02T14:05:00.5+02:00", "2026-W45-1", "1/2/2026", "31.12.2026", "13/13/2026", "2.11.26",
    "1.2.3", "2026/11/02", "11/2/2026 14:05", "November 2, 2026", "2 Nov 2026", "2 November 2026",
    "Nov 2026", "call 5551234", "٣", "x²", "²", "İstanbul", "ΟΔΟΣ", "ÄPFEL und Öl",
    "\xa0blank\u2003", "a\u2028b", "\x1cx\x1f", "\x00", "日本語", "no-break\xa0space", "K", "Ⱥ", "𐐀x",
    "5 €", "3 Äpfel", "word", "two words", "true", "Straße 12",
]  # fmt: skip

texts = st.one_of(st.sampled_from(WRITTEN), st.text(max_size=12), st.text(string.digits + "+-./: eTZ_", max_size=20))
whole = st.integers(-(2**63), 2**63 - 1)
moments = st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1))
zone = timezone(timedelta(hours=2))

KINDS: dict[str, tuple[Any, Any]] = {
    "text": (texts, pa.string()),
    "large": (texts, pa.large_string()),
    "view": (texts, pa.string_view()),
    "category": (st.sampled_from(WRITTEN), pa.dictionary(pa.int8(), pa.string())),
    "whole": (whole, pa.int64()),
    "small": (st.integers(0, 255), pa.uint8()),
    "unsigned": (st.integers(0, 2**64 - 1), pa.uint64()),
    "double": (st.floats(), pa.float64()),
    "single": (st.floats(width=32), pa.float32()),
    "decimal": (st.decimals(-1000, 1000, places=3), pa.decimal128(12, 3)),
    "flag": (st.booleans(), pa.bool_()),
    "day": (st.dates(), pa.date32()),
    "second": (moments.map(lambda x: x.replace(microsecond=0)), pa.timestamp("s")),
    "moment": (moments, pa.timestamp("us")),
    "zoned": (moments.map(lambda x: x.replace(tzinfo=zone)), pa.timestamp("us", tz="+02:00")),
    "berlin": (moments.map(lambda x: x.replace(tzinfo=zone)), pa.timestamp("ms", tz="Europe/Berlin")),
    "tags": (st.lists(st.one_of(texts, st.none()), max_size=4), pa.list_(pa.string())),
    "vector": (st.lists(st.floats(), min_size=4, max_size=4), pa.list_(pa.float64())),
    "fixed": (st.lists(whole, min_size=5, max_size=5), pa.list_(pa.int64(), 5)),
    "short": (st.lists(st.floats(), max_size=3), pa.list_(pa.float32())),
    "any": (st.lists(st.one_of(st.none(), st.floats()), max_size=6), pa.list_(pa.float64())),
    "inner": (st.fixed_dictionaries({"a": texts, "b": st.just(5)}), pa.struct({"a": pa.string(), "b": pa.int8()})),
    "lists": (st.lists(st.lists(texts, max_size=2), max_size=2), pa.list_(pa.list_(pa.string()))),
    "span": (st.timedeltas(timedelta(-9), timedelta(9)), pa.duration("us")),
    "clock": (st.times(), pa.time64("us")),
    "nothing": (st.none(), pa.null()),
    "bytes": (st.binary(max_size=4), pa.binary()),
}  # fmt: skip


@st.composite
def tables(draw: Any) -> pa.Table:
    """A table of a few columns of any kind, with gaps, in one chunk or several."""
    names = draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=5, unique=True))
    n = draw(st.integers(1, 8))
    columns = {}
    for name in names:
        values, kind = KINDS[name]
        drawn = draw(st.lists(st.one_of(st.none(), values), min_size=n, max_size=n))
        columns[name] = _array(drawn, kind)
    table = pa.table(columns)
    if draw(st.booleans()):
        cut = draw(st.integers(0, n))
        table = pa.concat_tables([table.slice(0, cut), table.slice(cut)])
    return table.slice(draw(st.integers(0, n - 1)))


def _array(values: list[Any], kind: Any) -> Any:
    values = [one.encode("utf-8", "ignore").decode() if isinstance(one, str) else one for one in values]
    if pa.types.is_dictionary(kind):
        return pa.array(values, kind.value_type).dictionary_encode()
    try:
        return pa.array(values, kind)
    except (pa.ArrowException, UnicodeError):
        return pa.nulls(len(values), kind)


DECLARED = [
    Cases(),
    Cases(text=["text", "whole"], category=["small", "day", "double"], number=["view", "decimal"], ignore=["large"]),
    Cases(text=["flag"], date=["category", "day", "text"], vector=["fixed"], number=["single", "whole"]),
]


def rows_of(encoder: Encoder, cases: Any, change: int) -> Any:
    try:
        rows = encoder.rows(cases, change)
    except onebit.DataError as error:
        return str(error)
    return [part.tolist() for part in rows]


def fields(encoder: Encoder) -> Any:
    return encoder.names, encoder.examples, encoder.lengths, encoder.memory.statistics[: len(encoder.names)].tolist()


@settings(max_examples=400, deadline=None)
@given(st.lists(tables(), min_size=1, max_size=3), st.sampled_from(DECLARED), st.sampled_from([MEET, KEEP, READ]))
def test_frames_are_read_as_dicts_one_by_one(given_tables: list[pa.Table], cases: Cases, last: int) -> None:
    by_table, by_dicts = Encoder(cases, pairs=True), Encoder(cases, pairs=True)
    for i, table in enumerate(given_tables):
        change = last if i == len(given_tables) - 1 else MEET
        dicts = table.to_pylist()
        assert rows_of(by_table, CaseRows(table), change) == rows_of(by_dicts, dicts, change)
        assert fields(by_table) == fields(by_dicts)


@settings(max_examples=100, deadline=None)
@given(tables())
def test_many_dicts_are_read_as_one_by_one(table: pa.Table) -> None:
    many, single = Encoder(Cases(), pairs=True), Encoder(Cases(), pairs=True)
    dicts = table.to_pylist()
    found = rows_of(many, dicts, MEET)
    if isinstance(found, str):
        return
    each = [single.row(one, MEET) for one in dicts]
    assert found[1] == np.concatenate([row.indices for row in each]).tolist()
    assert found[2] == np.concatenate([row.values for row in each]).tolist()
    assert fields(many) == fields(single)


PLAIN = {
    "text": ["refund please", None, "12", "2026-11-02", "ÄPFEL"],
    "plan": pa.array(["gold", "gold", None, "silver", ""]).dictionary_encode(),
    "amount": [1.5, None, float("nan"), float("inf"), -2.0],
    "count": [1, 2, None, 4, 5],
    "open": [True, None, False, True, True],
    "sent": [date(2026, 11, 2), None, date(2025, 1, 1), date(1, 1, 1), date(9999, 12, 31)],
    "at": [
        datetime(2026, 11, 2, 14, 30),
        None,
        datetime(1969, 12, 31, 23, 59),
        datetime(1900, 1, 1),
        datetime(2026, 1, 1),
    ],
    "tags": [["late", None, " Parcel "], None, [], ["late"], [""]],
    "vector": [[1.0, 2.0, 3.0, 4.0], None, [float("nan")] * 4, [0.0] * 4, [5.0] * 4],
    "price": [Decimal("1.10"), None, Decimal("2"), Decimal("3"), Decimal("4")],
}


def test_plain_columns_make_no_dicts(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = Encoder(Cases())
    table = pa.table(PLAIN)
    encoder.rows(CaseRows(table), MEET)  # new fields look for an example

    def no_dicts(*given: Any) -> Any:
        raise AssertionError("read as dicts")

    monkeypatch.setattr(Reading, "read_case", no_dicts)
    assert len(encoder.rows(CaseRows(table), MEET).indptr) == 6


@pytest.mark.parametrize("frame", ["pandas", "polars", "duckdb", "arrow", "batch"])
def test_frames_of_all_packages(frame: str) -> None:
    table = pa.table({name: values for name, values in PLAIN.items() if name != "price"})
    made: Any = table
    if frame == "pandas":
        made = pytest.importorskip("pandas").DataFrame(table.to_pandas())
    elif frame == "polars":
        made = pytest.importorskip("polars").from_arrow(table)
    elif frame == "duckdb":
        made = pytest.importorskip("duckdb").from_arrow(table)
    elif frame == "batch":
        made = table.combine_chunks().to_batches()[0]
    by_frame, by_dicts = (onebit.OneBit(["a", "b", "c"], cases=Cases(), seed=2) for _ in range(2))
    decisions = by_frame.decide_many(made)
    dicts = [decision.row for decision in decisions]
    for decision, row in zip(decisions, dicts, strict=True):
        other = by_dicts.decide(row)
        assert (other.label, other.propensity) == (decision.label, decision.propensity)
    by_frame.learn_many(decisions, [True, False, True, False, True])
    assert np.isfinite(by_frame.scores(made)).all()


def test_decisions_keep_their_rows_when_a_frame_is_changed() -> None:
    pandas = pytest.importorskip("pandas")
    numbers = np.array([1.0, 2.0])
    frame = pandas.DataFrame({"amount": pandas.Series(numbers, copy=False), "plan": ["gold", "silver"]}, copy=False)
    decisions = onebit.OneBit(["a", "b"], cases=Cases()).decide_many(frame)
    frame.loc[0, "amount"] = 7.0
    numbers[:] = 8.0
    frame.loc[0, "plan"] = "changed"
    assert [decision.row for decision in decisions] == [
        {"amount": 1.0, "plan": "gold"},
        {"amount": 2.0, "plan": "silver"},
    ]
