"""The encoder of raw cases beside its naive twin, and what it may and may not change."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Mapping
from datetime import date, datetime
from itertools import repeat
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.features.cases import report
from onebit.features.cases.encoder import KEEP, MEET, READ, Encoder
from onebit.features.cases.memory import ENTRIES, MOST_ENTRIES
from onebit.features.cases.naming import names_of
from onebit.features.cases.row import AT_ONCE
from onebit.features.cases.saved import encoder_arrays, encoder_header, read_encoder
from onebit.features.cases.settings import Cases
from tests.naive.cases import NaiveEncoder, random_case


def by_name(encoder: Encoder, case: Mapping[str, Any], rows: Any) -> dict[str, float]:
    names = names_of(encoder, case)
    return {names[column]: value for column, value in zip(rows.indices.tolist(), rows.values.tolist(), strict=True)}


@pytest.mark.parametrize(("pairs", "rarity"), [(False, True), (True, False)])
def test_every_case_becomes_what_the_description_says(pairs: bool, rarity: bool) -> None:
    rng = np.random.default_rng(1)
    encoder = Encoder(Cases(), pairs=pairs, rarity=rarity)
    naive = NaiveEncoder(pairs, rarity)
    for i in range(700):
        # More than twelve symbols, and a text whose values recur.
        note = {"note": ["fine with them", "none called back"][i % 2]}
        case = random_case(rng) | note | {f"x{j}": f"v{(i + j) % 3}" for j in range(5)}
        found = by_name(encoder, case, encoder.row(case, MEET))
        expected = naive.row(case)
        assert sorted(found) == sorted(name.removesuffix(" (letters)") for name in expected)
        for name, value in expected.items():
            assert found[name.removesuffix(" (letters)")] == pytest.approx(value, rel=1e-12, abs=1e-14), name
    assert ("note = none called back & x1 = v1" in found) == pairs


def test_beyond_many_columns_a_feature_gets_one_when_it_is_met_again() -> None:
    encoder = Encoder(Cases())
    many = {f"word {i}" for i in range(2 * AT_ONCE)}
    encoder.row({"bag": sorted(many)}, MEET)
    assert encoder.columns == AT_ONCE
    new = {"bag": ["quite new"]}
    assert len(encoder.row(new, MEET).values) == 0
    for change in (READ, KEEP):
        assert len(encoder.row(new, change).values) == 0
    assert len(encoder.row(new, MEET).values) == len(encoder.row(new, READ).values) == 1
    assert encoder.columns == AT_ONCE + 1


def test_pairs_come_back_from_a_file() -> None:
    rng = np.random.default_rng(9)
    rows = {"pairs": True, "rarity": False}
    encoder = Encoder(Cases(hash=300), **rows)
    for _ in range(80):
        encoder.row(random_case(rng), MEET)
    header = encoder_header(encoder)
    arrays = {name: array.copy() for name, array in encoder_arrays(encoder).items()}
    again = read_encoder(Cases(hash=300), header, arrays, **rows)
    for _ in range(20):
        case = random_case(rng)
        a, b = encoder.row(case, MEET), again.row(case, MEET)
        assert np.array_equal(a.indices, b.indices)
        assert np.array_equal(a.values, b.values)
    for wrong in (header | {"columns": 299}, header | {"columns": 301}, header | {"columns": -1}):
        with pytest.raises(onebit.FormatError, match="column"):
            read_encoder(Cases(hash=300), wrong, arrays)
    arrays["entries"][0, 1] = 301
    with pytest.raises(onebit.FormatError, match="out of range"):
        read_encoder(Cases(hash=300), header, arrays)


def test_whole_values_are_known_by_their_first_200_letters() -> None:
    encoder = Encoder(Cases())
    naive = NaiveEncoder()
    for i in range(6):
        case = {"text": "Ärger mit dem Paket. " * 12 + f"und {i}", "word": "x" * 250 + str(i)}
        found = by_name(encoder, case, encoder.row(case, MEET))
        expected = naive.row({"text": case["text"]})
        for name, value in expected.items():
            assert found[name.removesuffix(" (letters)")] == pytest.approx(value, rel=1e-12), name
    assert f"word = {'x' * 200}" in found


NUMBERS_AND_DATES = {
    "12": ["x"], "-3.50": ["x"], "007": ["x"], "1e3": ["x"], "80331.0": ["x"], "0891234567": ["x"],
    "1,234.50": ["x = 1,234.50"], "1.234,50": ["x = 1.234,50"], "$12": ["x = $12"], "12%": ["x = 12%"],
    "12 %": ["x: '12'"], "93 min": ["x: '93'", "x: 'min'"], "+49 89 123": ["x: '49'", "x: '89'", "x: '123'"],
    "2026-11-02": ["x on a Monday", "x in November"], "2026-11-02T14:05:00Z": ["x on a Monday", "x from 14 h"],
    "2026-11-02 14:05+05:30": ["x on a Monday", "x from 14 h"], "2026/11/02": ["x on a Monday"],
    "02/11/2026": ["x on a Wednesday", "x in February"], "13/11/2026": ["x on a Friday", "x in November"],
    "02.11.2026": ["x on a Wednesday", "x in February"], "2 November 2026": ["x on a Monday"],
    "Nov 2, 2026": ["x on a Monday"],
    "11/2/26 14:05": ["x on a Monday", "x from 14 h"], "2026": ["x"], "1/2": ["x = 1/2"], "14:30": ["x = 14:30"],
}  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS_AND_DATES)
def test_what_is_written_is_read_as_the_guide_says(text: str) -> None:
    encoder = Encoder(Cases())
    encoder.row({"x": text}, MEET)
    names = names_of(encoder, {"x": text})
    if NUMBERS_AND_DATES[text] == ["x"]:
        assert report.kinds_of(encoder.memory.statistics[0]) == "number"
    else:
        assert set(NUMBERS_AND_DATES[text]) <= set(names.values())


def fed(n: int = 60, seed: int = 2) -> Encoder:
    encoder = Encoder(Cases())
    rng = np.random.default_rng(seed)
    for _ in range(n):
        encoder.row(random_case(rng), MEET)
    return encoder


def kept(encoder: Encoder) -> list[Any]:
    memory = encoder.memory
    return [memory.table[:, :3].copy(), memory.counts[:3].copy(), *(a.copy() for a in memory[2:]), list(encoder.names)]


def same(a: list[Any], b: list[Any]) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def test_reading_changes_nothing() -> None:
    encoder = fed()
    before = kept(encoder)
    rng = np.random.default_rng(3)
    for _ in range(20):
        encoder.row(random_case(rng) | {"new column": "new value", "subject": "words nobody has seen"}, READ)
    assert same(kept(encoder), before)


def test_what_was_met_is_read_the_same_again() -> None:
    encoder = fed()
    case = random_case(np.random.default_rng(4))
    met = encoder.row(case, MEET)
    for change in (READ, KEEP):
        again = encoder.row(case, change)
        assert np.array_equal(met.indices, again.indices)
        assert np.array_equal(met.values, again.values)


def test_keeping_gives_columns_and_leaves_the_statistics() -> None:
    encoder = fed()
    before = encoder.memory.statistics.copy()
    columns = encoder.columns
    row = encoder.row({"plan": "platinum"}, KEEP)
    assert row.indices.tolist() == [columns]
    assert np.array_equal(encoder.memory.statistics, before)


def test_many_are_read_as_one_by_one() -> None:
    rng = np.random.default_rng(5)
    cases = [random_case(rng) for _ in range(80)]
    one = Encoder(Cases())
    each = [one.row(case, MEET) for case in cases]
    many = Encoder(Cases()).rows(cases, MEET)
    assert np.array_equal(many.indices, np.concatenate([row.indices for row in each]))
    assert np.array_equal(many.values, np.concatenate([row.values for row in each]))


def test_a_pickled_encoder_goes_on() -> None:
    encoder = fed()
    size = len(pickle.dumps(encoder))
    encoder.rows([{"subject": "money back " * 1000}] * 50, READ)
    assert len(pickle.dumps(encoder)) == size, "room that is used in passing is kept"
    other = pickle.loads(pickle.dumps(encoder))
    case = random_case(np.random.default_rng(6))
    assert np.array_equal(encoder.row(case, MEET).values, other.row(case, MEET).values)


def test_no_field_drowns_another() -> None:
    encoder = fed()
    row = encoder.row({"subject": "a very long subject " * 50, "plan": "gold", "amount": 1e50}, MEET)
    assert np.abs(row.values).max() <= 3 / np.sqrt(2)


@pytest.mark.parametrize(
    ("case", "names"),
    [
        ({"n": "12.5"}, ["n"]),
        ({"n": " 7 "}, ["n"]),
        ({"when": "2026-11-02"}, ["when", "when (day)"]),
        ({"when": "11/2/2026 14:05"}, ["when", "when (day)"]),
        ({"at": np.datetime64("2026-11-02")}, ["at", "at (day)"]),
        ({"place": [48.1, 11.5]}, ["place[0]", "place[1]"]),
        ({"a": {"b": {"c": 1}}}, ["a.b.c"]),
        ({"flag": np.True_}, ["flag"]),
        ({"huge": 10**400}, ["huge"]),
        ({"odd": float("inf")}, ["odd"]),
        ({"text": "half a pair \ud800 of surrogates"}, ["text"]),
        ({"text": "\x00\x01 control \x7f"}, ["text"]),
        ({"text": "word " * 1_000_000}, ["text"]),
        ({"": 1.0}, [""]),
        ({"empty": []}, ["empty"]),
        ({}, []),
    ],
)
def test_odd_values_make_sensible_rows(case: dict[str, Any], names: list[str]) -> None:
    encoder = Encoder(Cases())
    for _ in range(3):
        row = encoder.row(case, MEET)
    assert encoder.names == names
    assert np.isfinite(row.values).all()
    assert len(set(row.indices.tolist())) == len(row.indices)


@pytest.mark.parametrize("gap", [None, float("nan"), "", "  ", np.datetime64("NaT"), [], np.float32("nan")])
def test_gaps_are_one_feature(gap: Any) -> None:
    encoder = Encoder(Cases())
    row = encoder.row({"city": gap}, MEET)
    assert names_of(encoder, {"city": gap}) == {0: "city is missing"}
    assert row.values.tolist() == [1.0]


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ({1: "x"}, "column name 1 is not a string"),
        ({"a.b": 1, "a": {"b": 2}}, "'a.b' is there twice"),
        ({"tags": [["a"], ["b"]]}, "'tags' holds \\['a'\\] within a list"),
        ({"thing": object()}, "'thing' is <object"),
        ({"vector": [1.0] * 6}, "vector of 6 numbers, and those before had 5"),
        ([1, 2], "not a case"),
    ],
)
def test_bad_cases_change_nothing(case: Any, message: str) -> None:
    encoder = fed()
    before = kept(encoder)
    with pytest.raises(onebit.DataError, match=message):
        encoder.row(case, MEET)
    with pytest.raises(onebit.DataError, match=message):
        encoder.rows([{"plan": "gold"}, case], MEET)
    assert same(kept(encoder), before)


def test_vectors_of_one_table_have_one_length() -> None:
    with pytest.raises(onebit.DataError, match="vector of 4 numbers, and those before had 5"):
        Encoder(Cases()).rows([{"v": [1.0] * 5}, {"v": [1.0] * 4}], MEET)


def test_a_column_may_change_from_numbers_to_text() -> None:
    encoder = Encoder(Cases())
    for value in (1, "2", "three", "three and a half", None, True, [1.0] * 5, date(2026, 1, 1)):
        assert np.isfinite(encoder.row({"x": value}, MEET).values).all()


def test_ten_thousand_columns() -> None:
    encoder = Encoder(Cases())
    row = encoder.row({f"c{i}": i for i in range(10_000)}, MEET)
    assert np.isfinite(row.values).all()
    assert len(encoder.names) == 10_000


def test_features_beyond_the_limit_share_columns() -> None:
    encoder = Encoder(Cases(hash=50))
    rng = np.random.default_rng(7)
    for _ in range(50):
        row = encoder.row(random_case(rng), MEET)
        assert row.indices.max() < 50
        assert len(set(row.indices.tolist())) == len(row.indices)


def test_memory_stays_bounded_when_features_never_end() -> None:
    rng = np.random.default_rng(10)
    cases = [random_case(rng) | {"id": f"key {i}", f"column {i}": "new"} for i in range(200)]
    single, many = Encoder(Cases(hash=300), pairs=True), Encoder(Cases(hash=300), pairs=True)
    for encoder in single, many:
        encoder.memory.counts[MOST_ENTRIES] = 1000
    rows = [single.row(case, MEET) for case in cases]
    together = many.rows(cases, MEET)
    assert np.array_equal(together.indices, np.concatenate([row.indices for row in rows]))
    assert np.array_equal(together.values, np.concatenate([row.values for row in rows]))
    assert single.memory.counts[ENTRIES] == 1000
    assert len(single.memory.table) == 2048
    for row in rows:
        assert np.isfinite(row.values).all()
        assert len(set(row.indices.tolist())) == len(row.indices)
        assert row.indices.max() < 300
    # What is not counted is read as it was met, by its shared column.
    again = single.row(cases[-1], READ)
    assert again.indices.tolist() == rows[-1].indices.tolist()


def test_more_columns_than_there_may_be_are_refused() -> None:
    encoder = Encoder(Cases())
    encoder.row({f"c{i}": 1 for i in range(60_000)}, MEET)
    with pytest.raises(onebit.DataError, match="more than 100,000 columns"):
        encoder.row({f"d{i}": 1 for i in range(60_000)}, MEET)
    assert len(encoder.names) == 60_000
    encoder.row({"c1": 2}, MEET)


def test_files_whose_numbers_cannot_be_are_refused() -> None:
    encoder = fed(200)
    header = encoder_header(encoder)
    for name, at, value in (
        ("statistics", (0, 1), 1e9),
        ("statistics", (0, 0), 0.5),
        ("statistics", (2, 4), -1.0),
        ("statistics", (2, 3), 1e99),
        ("vectors", (0, 1), -1.0),
        ("nodes", (2, 2), -1.0),
        ("nodes", (2, 1), 1.0),
        ("entries", (0, 2), -1),
        ("entries", (0, 0), 0),
        ("root", (0,), 10_000),
    ):
        arrays = {key: array.copy() for key, array in encoder_arrays(encoder).items()}
        arrays[name][at] = value
        with pytest.raises(onebit.FormatError):
            read_encoder(Cases(), header, arrays)
    arrays = {key: array.copy() for key, array in encoder_arrays(encoder).items()}
    deep = np.zeros((90, 3))
    deep[1, 1] = 2
    deep[2:84:2, 1] = np.arange(4, 86, 2)  # 42 splits, one below another
    arrays |= {"nodes": deep, "recent": np.zeros((90, 32))}
    arrays["root"][:] = 0
    with pytest.raises(onebit.FormatError, match="deeper than 20"):
        read_encoder(Cases(), header, arrays)


def test_declared_columns_are_read_as_declared() -> None:
    cases = Cases(text="note", category=["zip"], number="size", date=["day"], vector="v", ignore=["id"])
    encoder = Encoder(cases)
    case = {"note": "word", "zip": 80331, "size": "7", "day": "3/4/2026", "v": [1, 2, 3], "id": object()}
    encoder.row(case, MEET)
    names = names_of(encoder, case).values()
    assert {"note: 'word'", "zip = 80331"} <= set(names)
    assert encoder.lengths == {"v": 3}
    assert "id" not in encoder.names
    for bad, message in ({"size": "seven"}, "declared a number"), ({"day": "soon"}, "declared a date"):
        with pytest.raises(onebit.DataError, match=message):
            encoder.row(bad, MEET)


def test_a_column_that_never_recurs_is_named_once() -> None:
    encoder = Encoder(Cases())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for i in range(3000):
            encoder.row({"id": f"x{i}", "plan": "gold", "amount": i / 7, "sent": datetime(2026, 1, 1 + i % 28)}, MEET)
    assert [str(w.message)[:40] for w in caught] == ["row: the values of column 'id' never rec"]


def test_numbers_that_recur_are_symbols_too() -> None:
    encoder = Encoder(Cases())
    for i in range(200):
        case = {"code": i % 4, "amount": i * 0.37}
        row = encoder.row(case, MEET)
    values = by_name(encoder, case, row)
    assert values["code = 3"] == pytest.approx(np.sqrt(196 / 200))
    assert "amount = 73.63" not in values


def test_an_endless_list_of_columns_is_refused() -> None:
    with pytest.raises(onebit.ConfigError, match="text=.*names more than 100,000 columns"):
        onebit.Cases(text=repeat("subject"))
