"""Raw cases in, sparse rows out: the encoder that learns its columns as it goes."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import uuid4

import numpy as np

from onebit.core.errors import DataError
from onebit.features.case_rows import CaseRows
from onebit.features.cases.cells import FIELD, IS_DATE, KIND, Cells, sort_out
from onebit.features.cases.idle import IdleColumns
from onebit.features.cases.keys import hash_bytes
from onebit.features.cases.memory import COLUMNS, NEEDED, Memory, new_memory, with_room
from onebit.features.cases.quantities import LEAST_COLUMNS, NUMBERS, PLACES
from onebit.features.cases.reading import Reading, name_twice, with_answers
from onebit.features.cases.report import column_table, columns_without_news, example_of
from onebit.features.cases.row import (
    KEEP,
    MEET,
    MOST_PAIRED,
    POSITIONS,
    READ,
    Form,
    Made,
    RowRoom,
    encode,
    most_features,
)
from onebit.features.cases.settings import MOST_FIELDS, Cases
from onebit.features.cases.tables import NotByColumns, table_cells
from onebit.ops.rows import SparseRows

__all__ = ["KEEP", "MEET", "READ", "Encoder"]

New = tuple[float, str]
"""A name that is new, and the number of its cell; of a date's day, that of the date and a half."""

_FIRST_ROOM = 1024
_ROOM_OF_ROWS = 2**22
_LOGS = np.log(np.arange(1.0, 4097.0))
_DAY = " (day)"
_LOOK_EVERY = 1000  # cases


class Encoder:
    """The columns of the cases so far, and how a case becomes a row.

    With `pairs`, rows have the pairs of a case's symbols too; with `rarity`, rare parts of texts and lists weigh more;
    with `quantities`, the first columns are those of numbers and of vectors alone.
    `change` says how much a case may change: `READ` nothing, `KEEP` adds the features that are new, `MEET` counts the
    case as well.

    >>> encoder = Encoder(Cases())
    >>> row = encoder.row({"subject": "money back", "amount": 12.5}, MEET)
    >>> len(row.values) > 3
    True
    """

    def __init__(self, cases: Cases, *, pairs: bool = False, rarity: bool = True, quantities: bool = False) -> None:
        self.cases = cases.bound(self)
        apart = quantities and cases.hash >= LEAST_COLUMNS
        self.form = Form(cases.hash, pairs, rarity, NUMBERS if apart else 0, PLACES if apart else 0)
        self.token = uuid4().hex
        """Whose rows these are: columns mean nothing to another encoder."""
        self.declared = cases.by_name()
        self.names: list[str] = []
        self.lengths: dict[str, int] = {}  # of vectors
        self.examples: dict[str, str] = {}  # the first value of each field that this process has met
        self._looked = False  # whether the first case was searched for examples of fields that a file has brought
        self._met = 0
        self._warned: set[str] = set()
        self.silent = False
        """Whether somebody else tells of columns that cannot teach."""
        self.memory: Memory = new_memory(most_entries=most_entries(self.cases.hash))
        self.memory.counts[COLUMNS] = self.form.numbers + self.form.places
        self.numbers: dict[str, int] = {}
        self._room = _new_room(_FIRST_ROOM, _FIRST_ROOM)
        self._made = _room_for_rows(1, _FIRST_ROOM)
        self._code: Any = None
        self._sort_out: Any = None

    @property
    def has_quantities(self) -> bool:
        """Whether the first columns are those of numbers and of vectors alone."""
        return self.form.numbers > 0

    @property
    def columns(self) -> int:
        """How many columns the rows have so far, those for quantities all counted."""
        return int(self.memory.counts[COLUMNS])

    @property
    def without_news(self) -> list[str]:
        """The columns that were found to teach nothing, since their values never recur."""
        return [name for name in self.names if name in self._warned]

    def number_of(self, name: str) -> int:
        """The number of a field; -1 if no case had it."""
        return self.numbers.get(name, -1)

    def row(self, case: Mapping[str, Any], change: int) -> SparseRows:
        """One case as a sparse row. Raises before anything changes."""
        return self.rows((case,), change)

    def rows(self, cases: Sequence[Mapping[str, Any]], change: int) -> SparseRows:
        """Many cases as sparse rows, each as `row` makes it in turn. Raises before anything changes."""
        if isinstance(cases, CaseRows) and cases.table is not None:
            try:
                return self._rows_of_table(cases, change)
            except NotByColumns:
                cases = list(cases)
        reading = Reading(self.numbers, self.declared, self.lengths)
        for case in cases:
            reading.read_case(case)
        read = self.sorted_out(reading.made(), reading.new)
        if change != READ:
            self._check_size(read, reading.new)
            self._meet_fields(read, reading.new, reading.new_lengths, cases)
        rows = self._encode(read, change)
        if change == MEET:
            self._note(cases)
        return rows

    def _rows_of_table(self, cases: CaseRows, change: int) -> SparseRows:
        """The rows of a table, column by column; `NotByColumns`, before anything changes, where that cannot be."""
        found = table_cells(cases.table, self.numbers, self.declared, self.lengths)
        names = found.names
        new: list[New] = [(j, name) for j, name in enumerate(names) if name not in self.numbers]
        try:
            read = self._answered(found.cases, new, lambda i: names[i % len(names)], set(names))
            if change != READ:
                self._check_size(read, new)
        except DataError:
            raise NotByColumns from None  # read as dicts, the first error in their order is found
        if change != READ:
            self._meet_fields(read, new, found.new_lengths, cases)
            fields = read.cells[:, FIELD].reshape(len(cases), len(names))
            for j, name in enumerate(names):
                fields[:, j] = self.numbers[name]
        rows = self._encode(read, change)
        if change == MEET:
            self._note(cases)
        return rows

    def sorted_out(self, cases: Cells, new: list[New]) -> Cells:
        """The cells, once it is known what their texts are; fields that dates need join the `new` ones.

        Raises a `DataError` for a declared column that is something else, and for two values under one name.
        """
        return self._answered(cases, new, None, None)

    def _answered(
        self, cases: Cells, new: list[New], name_of: Callable[[int], str] | None, there: set[str] | None
    ) -> Cells:
        """The same; `name_of` names a cell, and `there` are all names, if it is known."""
        call = self._sort_out
        if call is None:
            call = self._sort_out = machine_code(sort_out, (cases, self.memory.day_of))
        if call(cases, self.memory.day_of) == 0:
            return cases
        cells = cases.cells
        if name_of is None or there is None:
            names: dict[float, str] = dict(new)

            def name_of(i: int) -> str:
                field = int(cells[i, FIELD])
                return self.names[field] if field >= 0 else names.get(i, "")

            known = np.unique(cells[:, FIELD]).astype(np.int64)
            there = {self.names[field] for field in known[known >= 0].tolist()}.union(names.values())
        cases = with_answers(cases, name_of)
        new += _new_days(cases, name_of, there)
        return cases

    def _check_size(self, cases: Cells, new: Sequence[New]) -> None:
        """A `DataError` for more columns, or a larger case, than there is room for."""
        if new and len(self.names) + len({name for _, name in new} - self.numbers.keys()) > MOST_FIELDS:
            raise DataError(
                f"row: with {reprlib.repr(new[0][1])} there are more than {MOST_FIELDS:,} columns; names that hold "
                "values, such as an id, belong into a value: give {'id': ...} in place of {id: ...}"
            )
        if 3 * len(cases.text) + 32 * len(cases.cells) + len(cases.numbers) >= POSITIONS:
            self._check_each(cases)

    def _check_each(self, cases: Cells) -> None:
        for r in range(len(cases.ends) - 1):
            if most_features(cases, r) >= POSITIONS:
                raise DataError(
                    f"row: holds more text and numbers than one case may ({most_features(cases, r):,} features); give "
                    "less of them, or several cases"
                )

    def _encode(self, cases: Cells, change: int) -> SparseRows:
        """The rows of cells whose fields are known."""
        if len(self._room.text) < 2 * len(cases.text) + 8:
            self._room = self._room._replace(text=np.zeros(4 * len(cases.text) + 8, np.uint8))
        n = len(cases.ends) - 1
        if n == 1:
            made = self._made
            while self._encode_from(cases, made, 0, change) == 0:
                made = self._made = _room_for_rows(1, max(self._make_room(cases, 0, change), len(made.value)))
            end = made.ends[1]
            return SparseRows(made.ends.copy(), made.column[:end].copy(), made.value[:end].copy())
        parts: list[SparseRows] = []
        size = min(_ROOM_OF_ROWS, 3 * len(cases.text) + 32 * len(cases.cells) + len(cases.numbers) + MOST_PAIRED**2 * n)
        done = 0
        while done < n:
            made = _room_for_rows(n, size)
            before = done
            done = self._encode_from(cases, made, before, change)
            end = made.ends[done]
            if done > before:
                parts.append(SparseRows(made.ends[before : done + 1], made.column[:end], made.value[:end]))
            if done < n:
                size = max(size, self._make_room(cases, done, change))
        return parts[0] if len(parts) == 1 else joined_rows(parts)

    def _encode_from(self, cases: Cells, made: Made, first: int, change: int) -> int:
        """Encode the cases from `first` on; the first for which there was no room, or how many there are."""
        arguments = (self.memory, cases, self._room, made, first, self.form, change)
        if self._code is None:
            self._code = machine_code(encode, arguments)
        return int(self._code(*arguments))

    def _make_room(self, cases: Cells, r: int, change: int) -> int:
        """Room for the case for which there was none; how many features it can have."""
        most = int(self.memory.counts[NEEDED])
        if most > len(self._room.value):
            self._room = _new_room(2 * most, len(self._room.text))
        if change != READ:
            nodes = 3 * int(cases.ends[r + 1] - cases.ends[r]) + 2
            self.memory = with_room(self.memory, entries=most, nodes=nodes)
        return most

    def _meet_fields(
        self, read: Cells, new: Sequence[New], lengths: Mapping[str, int], cases: Sequence[Mapping[str, Any]]
    ) -> None:
        """Give numbers to fields that are new, in the order of their cells, and room to their vectors."""
        for at, name in sorted(new):
            known = name in self.numbers
            if not known:
                self.add_field(name)
            if at == int(at):
                read.cells[int(at), FIELD] = self.numbers[name]
                case = {} if known else cases[int(np.searchsorted(read.ends, at, side="right")) - 1]
                if name in case:
                    self.examples[name] = example_of(case[name])
        for name, length in lengths.items():
            self.lengths[name] = length
            self.memory.vector_at[self.numbers[name]] = len(self.memory.vectors)
            self.memory = with_room(self.memory, vectors=length)

    def _note(self, cases: Sequence[Mapping[str, Any]]) -> None:
        """Count cases; now and then, look for columns that cannot teach."""
        if len(cases) == 0:
            return
        before = self._met
        self._met += len(cases)
        if not self._looked:
            self._looked = True
            first = cases[0]
            for name in self.numbers.keys() & first.keys():
                self.examples.setdefault(name, example_of(first[name]))
        if before // _LOOK_EVERY == self._met // _LOOK_EVERY:
            return
        for name in columns_without_news(self):
            if name in self._warned:
                continue
            self._warned.add(name)
            if not self.silent:
                IdleColumns("row", [name]).tell()

    def add_field(self, name: str) -> None:
        """A field that is new."""
        number = len(self.names)
        self.names.append(name)
        self.numbers[name] = number
        self.memory = with_room(self.memory, fields=number + 1)
        data = np.frombuffer(name.encode("utf-8", "replace") or b"\0", np.uint8)
        self.memory.hashes[number] = hash_bytes(data, 0, len(data))
        # The day of a date has a field of its own.
        if name.endswith(_DAY) and name.removesuffix(_DAY) in self.numbers:
            self.memory.day_of[self.numbers[name.removesuffix(_DAY)]] = number + 1
        if day_of(name) in self.numbers:
            self.memory.day_of[number] = self.numbers[day_of(name)] + 1

    def __str__(self) -> str:
        """How each column is read."""
        return column_table(self)

    def __getstate__(self) -> dict[str, Any]:
        """All but what is found again in another process."""
        rooms = {"_room": _new_room(_FIRST_ROOM, _FIRST_ROOM), "_made": _room_for_rows(1, _FIRST_ROOM)}
        return vars(self) | {"_code": None, "_sort_out": None} | rooms


def _new_days(cases: Cells, name_of: Callable[[int], str], there: set[str]) -> list[New]:
    """The fields of the days of dates, right behind the first date of each.

    Raises a `DataError` where the case of a date has a value under the name of its day.
    """
    days: dict[str, float] = {}
    for i in np.flatnonzero(cases.cells[:, KIND] == IS_DATE).tolist():
        day = day_of(name_of(i))
        if day in there:
            r = int(np.searchsorted(cases.ends, i, side="right")) - 1
            if day in map(name_of, range(int(cases.ends[r]), int(cases.ends[r + 1]))):
                raise name_twice(day)
        days.setdefault(day, i + 0.5)
    return [(at, day) for day, at in days.items()]


def day_of(name: str) -> str:
    """The name of the field that has the day of a date.

    >>> day_of("sent")
    'sent (day)'
    """
    return name + _DAY


def most_entries(columns: int) -> int:
    """How many features are counted, each by itself, where so many get columns of their own.

    >>> most_entries(512) == 2**20, most_entries(2**20) == 2**22
    (True, True)
    """
    return max(4 * columns, 2**20)


def machine_code(function: Any, arguments: tuple[Any, ...]) -> Any:
    """The machine code of an entry point for such arguments; found once, since Numba names all types at every call."""
    usual = [_writable(one) if isinstance(one, Cells) else one for one in arguments]
    return function.compile(tuple(map(function.typeof_pyval, usual)))


def _writable(cases: Cells) -> Cells:
    return cases._replace(ends=cases.ends.copy(), text=cases.text.copy())


def joined_rows(parts: Sequence[SparseRows]) -> SparseRows:
    """Rows of several tables, one after the other.

    >>> row = SparseRows(np.array([0, 1]), np.array([3], np.uint32), np.array([0.5]))
    >>> joined_rows([row, row]).indptr
    array([0, 1, 2])
    """
    lengths = np.concatenate([np.diff(part.indptr) for part in parts])
    return SparseRows(
        np.concatenate([[0], np.cumsum(lengths)]),
        np.concatenate([part.indices for part in parts]),
        np.concatenate([part.values for part in parts]),
    )


def _room_for_rows(rows: int, entries: int) -> Made:
    """Room whose memory is not touched before it is used."""
    return Made(np.zeros(rows + 1, np.int64), np.zeros(entries, np.uint32), np.zeros(entries))


def _new_room(size: int, text: int) -> RowRoom:
    return RowRoom(
        keys=np.zeros(size, np.int64),
        places=np.zeros((size, 2), np.int64),
        value=np.zeros(size),
        quantity=np.zeros(size, np.int8),
        symbols=np.zeros(MOST_PAIRED, np.int64),
        text=np.zeros(text, np.uint8),
        logs=_LOGS,
    )
