"""The features of a case by name: what was seen, in words. Written to be read, as the compiled code to be fast."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from onebit.features.cases import keys
from onebit.features.cases.cells import (
    FIELD,
    FIRST,
    IS_BAG,
    IS_DATE,
    IS_NUMBER,
    IS_SYMBOL,
    IS_TEXT,
    IS_VECTOR,
    IS_WORD,
    KIND,
    LONGEST_WHOLE,
    SECOND,
    Cells,
)
from onebit.features.cases.memory import BOUNDARY, CHILD, COLUMN, KEY, RECURRED, TEXTS, VALUES, find
from onebit.features.cases.reading import Reading
from onebit.features.cases.row import MOST_PAIRED, PAIRED_DEPTH

if TYPE_CHECKING:
    from onebit.features.cases.encoder import Encoder

_WORD = re.compile(r"[0-9a-zA-Z_\u00c0-\u1fff\u2080-\u2fff\u3040-\U0010ffff]+")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_LETTERS = 4

Named = tuple[int, str]


def names_of(encoder: Encoder, case: Mapping[str, Any]) -> dict[int, str]:
    """What stands in the columns of a case, by column; those that have none yet are left out.

    >>> from onebit.features.cases.encoder import Encoder, MEET
    >>> from onebit.features.cases.settings import Cases
    >>> encoder = Encoder(Cases())
    >>> row = encoder.row({"plan": "gold", "city": None}, MEET)
    >>> names_of(encoder, {"plan": "gold", "city": None})
    {0: 'plan = gold', 1: 'city is missing'}
    """
    table = encoder.memory.table
    found = {}
    for key, name in _features(encoder, case):
        entry = table[find(table, key)]
        if entry[KEY] == key and entry[COLUMN] > 0:
            found[int(entry[COLUMN]) - 1] = name
    return found


def _features(encoder: Encoder, case: Mapping[str, Any]) -> Iterator[Named]:
    """The key and the name of every feature of a case, pairs last."""
    reading = Reading(encoder.numbers, encoder.declared, encoder.lengths)
    reading.read_case(case)
    cases = encoder.sorted_out(reading.made(), reading.new)
    symbols: list[Named] = []
    for cell in cases.cells:
        number = int(cell[FIELD])
        if number < 0:
            continue
        kind = int(cell[KIND])
        name = encoder.names[number]
        hash_ = encoder.memory.hashes[number]
        value = ""
        if kind in (IS_SYMBOL, IS_TEXT, IS_WORD):
            value = _text_of(cases, cell[FIRST], cell[SECOND])
        if kind == IS_WORD:
            kind = IS_TEXT if encoder.memory.statistics[number, TEXTS] > 0 else IS_SYMBOL
        whole = _key(hash_, keys.WHOLE, _hash(value[:LONGEST_WHOLE])), f"{name} = {value[:LONGEST_WHOLE]}"
        if kind == IS_TEXT:
            yield from _of_text(hash_, name, value)
            if _recurs(encoder, number):
                symbols.append(whole)
        elif kind == IS_SYMBOL:
            yield whole
            symbols.append(whole)
        elif kind == IS_NUMBER:
            yield from _of_number(encoder, number, float(cell[FIRST]), symbols)
        elif kind == IS_DATE:
            parts = list(_of_date(hash_, name, int(cell[FIRST]), float(cell[SECOND])))
            yield from parts
            symbols.append(parts[0])
            if encoder.memory.day_of[number] > 0:
                yield from _of_number(encoder, int(encoder.memory.day_of[number]) - 1, float(cell[FIRST]), symbols)
        elif kind == IS_BAG:
            for start, stop in cases.parts[int(cell[FIRST]) : int(cell[SECOND])].tolist():
                part = _text_of(cases, start, stop)
                yield _key(hash_, keys.ITEM, _hash(part)), f"{name}: {part!r}"
        elif kind == IS_VECTOR:
            for j in range(int(cell[SECOND] - cell[FIRST])):
                yield _key(hash_, keys.PLACE, j), f"{name}[{j}]"
        else:
            yield _key(hash_, keys.GAP, 0), f"{name} is missing"
    for (a, first), (b, second) in combinations(symbols[:MOST_PAIRED], 2):
        yield int(keys.paired(np.int64(a), np.int64(b))), f"{first} & {second}"


def _text_of(cases: Cells, start: float, stop: float) -> str:
    """A text in small letters."""
    return cases.text[int(start) : int(stop)].tobytes().decode("utf-8", "replace").lower()


def _recurs(encoder: Encoder, field: int) -> bool:
    """Whether more than half of a field's values were met before."""
    statistics = encoder.memory.statistics[field]
    return bool(statistics[RECURRED] > 0.5 * statistics[VALUES])


def _of_text(hash_: Any, name: str, text: str) -> Iterator[Named]:
    last: Any = keys.EDGE
    before = ""
    for word in _WORD.findall(text):
        own = _hash(word)
        yield _key(hash_, keys.WORD, own), f"{name}: {word!r}"
        shown = f"{name}: {f'{before} {word}'!r}" if before else f"{name} begins with {word!r}"
        yield _key(hash_, keys.BIGRAM, _joined(last, own)), shown
        for what, letters in _letters(word):
            yield _key(hash_, keys.LETTERS, what), f"{name}: {letters!r}"
        last = own
        before = word
    if before:
        yield _key(hash_, keys.BIGRAM, _joined(last, keys.EDGE)), f"{name} ends with {before!r}"
    yield _key(hash_, keys.WHOLE, _hash(text[:LONGEST_WHOLE])), f"{name} = {text[:LONGEST_WHOLE]}"


def _letters(word: str) -> Iterator[tuple[Any, str]]:
    """The word between its edges, four letters at a time."""
    edged = ["", *word, ""]
    for i in range(len(edged) - _LETTERS + 1):
        part = edged[i : i + _LETTERS]
        what = _hash("".join(part))
        if part[0] == "":
            what = _joined(keys.EDGE, what)
        if part[-1] == "":
            what = _joined(what, keys.EDGE)
        yield what, ("" if part[0] == "" else "…") + "".join(part) + ("" if part[-1] == "" else "…")


def _of_number(encoder: Encoder, field: int, x: float, symbols: list[Named]) -> Iterator[Named]:
    """The features of a number, and among the symbols the bin by which it is paired."""
    name = encoder.names[field]
    hash_ = encoder.memory.hashes[field]
    bins = _bins_of(encoder, field, name, x)
    yield _key(hash_, keys.NUMBER, 0), name
    yield from bins
    yield _key(hash_, keys.WHOLE, np.float64(x).view(np.uint64) if x != 0 else 0), f"{name} = {x:g}"
    symbols += bins[:PAIRED_DEPTH][-1:]


def _bins_of(encoder: Encoder, field: int, name: str, x: float) -> list[Named]:
    """The bins that hold a number, each within the one before."""
    memory = encoder.memory
    hash_ = memory.hashes[field]
    found = []
    low = -inf
    high = inf
    path = 1
    node = int(memory.root[field])
    while node > 0 and memory.nodes[node, CHILD] > 0:
        boundary = float(memory.nodes[node, BOUNDARY])
        right = x > boundary
        low = boundary if right else low
        high = high if right else boundary
        node = int(memory.nodes[node, CHILD]) + right
        path = 2 * path + right
        found.append((_key(hash_, keys.NODE, path), _range(name, low, high)))
    return found


def _range(name: str, low: float, high: float) -> str:
    if low == -inf:
        return f"{name} up to {high:.6g}"
    return f"{name} above {low:.6g}" if high == inf else f"{name} {low:.6g} to {high:.6g}"


def _of_date(hash_: Any, name: str, day: int, hour: float) -> Iterator[Named]:
    when = date.fromordinal(day)
    yield _key(hash_, keys.WEEKDAY, when.weekday()), f"{name} on a {_WEEKDAYS[when.weekday()]}"
    yield _key(hash_, keys.MONTH, when.month), f"{name} in {_MONTHS[when.month - 1]}"
    if hour >= 0:
        yield _key(hash_, keys.HOUR, int(hour)), f"{name} from {int(hour)} h"
        yield _key(hash_, keys.TURN, 0), f"{name}: sine of the hour"
        yield _key(hash_, keys.TURN, 1), f"{name}: cosine of the hour"


def _hash(text: str) -> Any:
    data = text.encode("utf-8", "replace")
    return np.uint64(keys.hash_bytes(np.frombuffer(data or b"\0", np.uint8), 0, len(data)))


def _joined(first: Any, second: Any) -> Any:
    return np.uint64(keys.joined(first, second))


def _key(hash_: Any, view: Any, what: Any) -> int:
    return int(keys.key_of(np.uint64(hash_), view, np.uint64(what)))
