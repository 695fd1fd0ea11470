"""Raw cases in, sparse rows out: the encoder that learns its columns as it goes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import numpy as np

from onebit.features.cases.keys import hash_bytes
from onebit.features.cases.memory import COLUMNS, PAIR_COLUMNS, Memory, new_memory, with_room
from onebit.features.cases.reading import Reading, wrong_length
from onebit.features.cases.report import column_table, columns_without_news, example_of
from onebit.features.cases.row import KEEP, MEET, MOST_PAIRED, READ, Items, RowRoom, encode
from onebit.features.cases.settings import Cases
from onebit.ops.rows import SparseRows

__all__ = ["KEEP", "MEET", "READ", "Encoder"]

_MOST_FEATURES_OF_NUMBER = 25
_FIRST_ROOM = 512
_LOOK_EVERY = 1000  # cases


class Encoder:
    """The columns of the cases so far, and how a case becomes a row.

    `change` says how much a case may change: `READ` nothing, `KEEP` adds the features that are new, `MEET` counts the
    case as well.

    >>> encoder = Encoder(Cases())
    >>> row = encoder.row({"subject": "money back", "amount": 12.5}, MEET)
    >>> len(row.values) > 3
    True
    """

    def __init__(self, cases: Cases) -> None:
        self.cases = cases.bound(self)
        self.token = uuid4().hex
        """Whose rows these are: columns mean nothing to another encoder."""
        self.declared = cases.by_name()
        self.names: list[str] = []
        self.lengths: dict[str, int] = {}  # of vectors
        self.examples: dict[str, str] = {}  # the first value of each field that this process has met
        self._examples_of = 0  # how many fields there were when examples were last looked for
        self._met = 0
        self._warned: set[str] = set()
        self.memory: Memory = new_memory()
        self._numbers: dict[str, int] = {}
        self._room = _new_room(_FIRST_ROOM)
        self._code: Any = None

    @property
    def columns(self) -> int:
        """How many columns the rows have so far, pairs aside."""
        return int(self.memory.counts[COLUMNS])

    @property
    def first_pair(self) -> int:
        """The column of the first pair; those of all other features come before it, whatever comes."""
        return self.cases.hash

    @property
    def pair_columns(self) -> int:
        """How many columns pairs have so far, from `first_pair` on."""
        return int(self.memory.counts[PAIR_COLUMNS])

    def number_of(self, name: str) -> int:
        """The number of a field; -1 if no case had it."""
        return self._numbers.get(name, -1)

    def row(self, case: Mapping[str, Any], change: int, pairs: bool = False) -> SparseRows:
        """One case as a sparse row. Raises before anything changes.

        With `pairs`, the pairs of its symbols are the last entries, in columns `first_pair`, `first_pair` + 1 and so
        on; the entries before them are the row that it has without.
        """
        reading = Reading(self.declared, self.lengths)
        reading.read_case(case)
        n = self._encode(reading, pairs, change)
        if change == MEET:
            self._note(case)
        return SparseRows(np.array([0, n]), self._room.column[:n].copy(), self._room.value[:n].copy())

    def rows(self, cases: Sequence[Mapping[str, Any]], change: int, pairs: bool = False) -> SparseRows:
        """Many cases as sparse rows, each as `row` makes it in turn. Raises before anything changes."""
        readings = []
        for case in cases:
            reading = Reading(self.declared, self.lengths)
            reading.read_case(case)
            readings.append(reading)
        self._check_lengths(readings)
        columns = []
        values = []
        for case, reading in zip(cases, readings, strict=True):
            n = self._encode(reading, pairs, change)
            if change == MEET:
                self._note(case)
            columns.append(self._room.column[:n].copy())
            values.append(self._room.value[:n].copy())
        ends = np.cumsum([0, *map(len, columns)])
        return SparseRows(ends, np.concatenate(columns), np.concatenate(values))

    def _check_lengths(self, readings: Sequence[Reading]) -> None:
        """A `DataError` where vectors of one column, none of which was met before, have different lengths."""
        lengths: dict[str, int] = {}
        for reading in readings:
            for name, length in reading.new_lengths.items():
                if lengths.setdefault(name, length) != length:
                    raise wrong_length(name, length, lengths[name])

    def _encode(self, reading: Reading, pairs: bool, change: int) -> int:
        """Encode what was read into the room."""
        if change != READ:
            self._meet_fields(reading)
        fields = [self._numbers.get(name, -1) for name in reading.names]
        text = b"".join(reading.text)
        most = 3 * len(text) + _MOST_FEATURES_OF_NUMBER * len(fields) + len(reading.numbers) + MOST_PAIRED**2
        if most > len(self._room.value):
            self._room = _new_room(most)
        if change != READ:
            self.memory = with_room(self.memory, entries=most, nodes=3 * len(fields) + 2)
        case = Items(
            np.array((reading.kinds, fields, reading.starts, reading.stops), np.int64),
            np.array(reading.numbers, np.float64),
            np.frombuffer(text or b"\0", np.uint8),
        )
        arguments = (self.memory, case, self._room, self.cases.hash, pairs, change)
        return int(self._machine_code(arguments)(*arguments))

    def _machine_code(self, arguments: Any) -> Any:
        """The machine code of `encode`; found once, since Numba names all types again at every call."""
        if self._code is None:
            types = tuple(map(encode.typeof_pyval, arguments))  # type: ignore[attr-defined]  # a Numba dispatcher
            self._code = encode.compile(types)  # type: ignore[attr-defined]  # the same
        return self._code

    def _meet_fields(self, reading: Reading) -> None:
        """Give numbers to fields that are new, and room to their vectors."""
        for name in reading.names:
            if name not in self._numbers:
                self.add_field(name)
        for name, length in reading.new_lengths.items():
            if name in self.lengths:
                continue
            self.lengths[name] = length
            self.memory.vector_at[self._numbers[name]] = len(self.memory.vectors)
            self.memory = with_room(self.memory, vectors=length)

    def _note(self, case: Mapping[str, Any]) -> None:
        """Count a case; keep an example of columns that are new; now and then, look for columns that cannot teach."""
        self._met += 1
        if self._examples_of < len(self.names):
            self._examples_of = len(self.names)
            for name, value in case.items():
                if name in self._numbers:
                    self.examples.setdefault(name, example_of(value))
        if self._met % _LOOK_EVERY == 0:
            for name in columns_without_news(self):
                if name not in self._warned:
                    self._warned.add(name)
                    warnings.warn(
                        f"row: the values of column {name!r} never recur, so nothing can be learned from it; leave it "
                        f"out, or give cases=onebit.Cases(ignore=[{name!r}])",
                        stacklevel=6,
                    )

    def add_field(self, name: str) -> None:
        """A field that is new."""
        number = len(self.names)
        self.names.append(name)
        self._numbers[name] = number
        self.memory = with_room(self.memory, fields=number + 1)
        data = np.frombuffer(name.encode("utf-8", "replace") or b"\0", np.uint8)
        self.memory.hashes[number] = hash_bytes(data, 0, len(data))

    def __str__(self) -> str:
        """How each column is read."""
        return column_table(self)

    def __getstate__(self) -> dict[str, Any]:
        """All but what is found again in another process."""
        return vars(self) | {"_code": None}


def _new_room(size: int) -> RowRoom:
    return RowRoom(
        places=np.zeros((size, 2), np.int64),
        value=np.zeros(size),
        column=np.zeros(size, np.uint32),
        symbols=np.zeros(MOST_PAIRED, np.int64),
    )
