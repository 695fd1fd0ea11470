"""Cases, as compiled code reads them, become sparse rows."""

from __future__ import annotations

from math import cos, log, pi, sin, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray
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
from onebit.features.cases.keys import (
    BIGRAM,
    EDGE,
    GAP,
    HOUR,
    ITEM,
    LETTERS,
    MONTH,
    NO_KEY,
    NODE,
    NUMBER,
    PLACE,
    TURN,
    WEEKDAY,
    WHOLE,
    WORD,
    Hash,
    Key,
    hash_bytes,
    hash_four,
    hash_three,
    joined,
    key_of,
    paired,
)
from onebit.features.cases.letters import Bytes, cut, put_small, width_of
from onebit.features.cases.memory import (
    BOUNDARY,
    CHILD,
    COLUMN,
    COLUMNS,
    COUNT,
    DATES,
    DF,
    ENTRIES,
    GAPS,
    KEY,
    LISTS,
    MARK,
    MEAN,
    MOST_ENTRIES,
    NEEDED,
    NODES,
    NUMBER_COLUMNS,
    NUMBERS,
    PLACE_COLUMNS,
    RECENT,
    RECURRED,
    SPREAD,
    STAMP,
    SYMBOLS,
    TEXTS,
    VALUES,
    VECTORS,
    Memory,
    find,
)
from onebit.features.cases.written import month_of
from onebit.ops.jit import entry_point, jit, noinline

# How much an encoding may change.
READ = 0  # nothing
KEEP = 1  # features that are new are kept, and get columns
MEET = 2  # and the statistics hear of the case

MOST_PAIRED = 12
"""How many fields of a case are paired with each other."""

PAIRED_DEPTH = 3
"""A number is paired by the bin that is so deep on its way down."""

POSITIONS = 1 << 24  # in a mark, the stamp of the row times this, and the position
_LETTERS_WEIGHT = 0.5
_LETTERS_LENGTH = 4
_LARGEST_Z = 3.0
_LARGEST_NEWS = 10.0  # deviations: a value that is farther off counts as if it were so far
_LEAST_SHARE = 1 / 16  # a leaf that holds more of all values is split
DEEPEST = 20  # splits on the way to a leaf
_POSITIVE = 0x3FFFFFFFFFFFFFFF
_RECURS = 0.5
AT_ONCE = 4096
"""While fewer columns are given out, a feature gets one when it is first met; then, when it is met again."""

_MOST_OF_CELL = 32  # features of a cell, those of its text, parts and numbers aside

# What a feature is a quantity of.
_NOTHING = 0
_NUMBER = 1
_PLACE = 2


class RowRoom(NamedTuple):
    """Room for a case: its features by key, where each stands in the table (-1 if nowhere) and how often it is there.

    And its value, of what it is a quantity, the symbols that are paired, and a text in small letters; ln of 1, 2 and so
    on.
    """

    keys: IntArray
    places: IntArray
    value: FloatArray
    quantity: NDArray[np.int8]
    symbols: IntArray
    text: Bytes
    logs: FloatArray


class Form(NamedTuple):
    """What rows are like: at most so many columns, with pairs of symbols or not, rare parts of texts heavier or not.

    And how many of the first columns only numbers have, and how many of the next ones only places of vectors.
    """

    columns: int
    pairs: bool
    rarity: bool
    numbers: int
    places: int


class Made(NamedTuple):
    """The rows that are made, and where each ends."""

    ends: IntArray
    column: NDArray[np.uint32]
    value: FloatArray


@jit
def add(room: RowRoom, n: int, key: Key, value: float) -> int:
    """One feature more; how many there are then."""
    room.keys[n] = key
    room.value[n] = value
    room.quantity[n] = _NOTHING
    return n + 1


@noinline
def find_all(
    table: IntArray,
    counts: IntArray,
    keys: IntArray,
    places: IntArray,
    value: FloatArray,
    first: int,
    n: int,
    change: int,
) -> int:
    """Find the features from `first` on in the table, those that are there twice but once; how many there are then."""
    last = table.shape[0] - 1
    stamp = counts[STAMP] * POSITIONS
    kept = first
    for i in range(first, n):
        key = keys[i]
        at = key & last
        while table[at, KEY] != key and table[at, KEY] != NO_KEY:
            at = (at + 1) & last
        if table[at, KEY] == NO_KEY:
            if change == READ or counts[ENTRIES] >= counts[MOST_ENTRIES]:
                at = np.int64(-1)
            else:
                table[at, KEY] = key
                counts[ENTRIES] += 1
        if at >= 0:
            position = table[at, MARK] - stamp
            if 0 <= position < kept:
                places[position, 1] += 1
                continue
            table[at, MARK] = stamp + kept
            if change == MEET:
                table[at, DF] += 1
        keys[kept] = key
        value[kept] = value[i]
        places[kept, 0] = at
        places[kept, 1] = 1
        kept += 1
    return kept


@jit
def settle(memory: Memory, room: RowRoom, first: int, n: int, change: int) -> int:
    """The same, where memory and room are at hand."""
    return find_all(memory.table, memory.counts, room.keys, room.places, room.value, first, n, change)


@jit
def weigh(memory: Memory, room: RowRoom, first: int, n: int, cases: float, rarity: bool) -> None:
    """Times 1 + ln tf, and, if asked, times the running idf, ln((1+n)/(1+df)) + 1."""
    all_cases = 1 + log(1 + cases)
    for i in range(first, n):
        at = room.places[i, 0]
        df = memory.table[at, DF] if at >= 0 else 0
        often = room.places[i, 1]
        tf = 1.0 if often == 1 else 1 + log(float(often))
        log_df = room.logs[df] if df < room.logs.shape[0] else log(1.0 + df)
        room.value[i] *= tf * (all_cases - log_df) if rarity else tf


@jit
def to_unit_norm(room: RowRoom, first: int, n: int) -> None:
    """The features from `first` on have norm 1."""
    sum_ = 0.0
    for i in range(first, n):
        sum_ += room.value[i] ** 2
    if sum_ > 0:
        scale = 1 / sqrt(sum_)
        for i in range(first, n):
            room.value[i] *= scale


@jit
def recurring(memory: Memory, field: int) -> float:
    """The share of a field's values that were met before."""
    statistics = memory.statistics[field]
    return float(statistics[RECURRED] / statistics[VALUES]) if statistics[VALUES] > 0 else 0.0


@jit
def meet_whole(memory: Memory, field: int, key: Key) -> None:
    """Count a value, and whether it was met before."""
    memory.statistics[field, VALUES] += 1
    at = find(memory.table, key)
    if memory.table[at, KEY] != NO_KEY and memory.table[at, DF] > 0:
        memory.statistics[field, RECURRED] += 1


@jit
def is_word_byte(text: NDArray[np.uint8], i: int, stop: int) -> int:
    """How many bytes of a word begin here: 1 or more, or 0 where something else stands between words."""
    c = text[i]
    if c < 128:
        return 1 if (48 <= c <= 57) or (97 <= c <= 122) or (65 <= c <= 90) or c == 95 else 0
    if c == 0xC2 and i + 1 < stop and text[i + 1] < 0xC0:
        return 0  # no-break spaces, quotes, signs
    if c == 0xE2 and i + 1 < stop and (text[i + 1] == 0x80 or text[i + 1] == 0x81):
        return 0  # dashes, quotes, dots
    if c == 0xE3 and i + 1 < stop and text[i + 1] == 0x80:
        return 0  # punctuation of East Asia
    return width_of(c)


@jit
def add_text(
    memory: Memory, room: RowRoom, n: int, field: int, stop: int, rarity: bool, change: int
) -> tuple[int, Key]:  # fmt: skip
    """Words, pairs of neighbours with the edges, and letters four by four; then the whole, as far as values recur.

    And the key of the whole, by which it is paired where most values recur.
    """
    name = memory.hashes[field]
    text = room.text
    first = n
    last = EDGE
    i = 0
    while i < stop:
        step = is_word_byte(text, i, stop)
        if step == 0:
            i += width_of(text[i])
            continue
        # A word from here to `end`.
        end = i
        highest = np.uint8(0)
        while end < stop:
            highest |= text[end]
            step = is_word_byte(text, end, stop)
            if step == 0:
                break
            end = min(end + step, stop)
        word = hash_bytes(text, i, end)
        n = add(room, n, key_of(name, WORD, word), 1.0)
        n = add(room, n, key_of(name, BIGRAM, joined(last, word)), 1.0)
        if highest < 128:
            n = add_plain_letters(room, n, name, text, i, end)
        else:
            n = add_letters(room, n, name, text, i, end)
        last = word
        i = end
    if last != EDGE:
        n = add(room, n, key_of(name, BIGRAM, joined(last, EDGE)), 1.0)
    # The whole value joins them.
    whole = key_of(name, WHOLE, hash_bytes(text, 0, cut(text, 0, stop, LONGEST_WHOLE)))
    if change == MEET:
        meet_whole(memory, field, whole)
        memory.statistics[field, TEXTS] += 1
    share = recurring(memory, field)
    n = add(room, n, whole, sqrt(share))
    n = settle(memory, room, first, n, change)
    weigh(memory, room, first, n, memory.statistics[field, VALUES], rarity)
    to_unit_norm(room, first, n)
    return n, whole if share > _RECURS else np.int64(NO_KEY)


@jit
def add_plain_letters(room: RowRoom, n: int, name: Hash, text: Bytes, start: int, stop: int) -> int:
    """Four letters at a time of a word, whose edges count as one each; letters are bytes."""
    length = stop - start
    if length == 2:
        what = joined(joined(EDGE, hash_bytes(text, start, stop)), EDGE)
        return add(room, n, key_of(name, LETTERS, what), _LETTERS_WEIGHT)
    if length > 2:
        n = add(room, n, key_of(name, LETTERS, joined(EDGE, hash_three(text, start))), _LETTERS_WEIGHT)
        for begin in range(start, stop - _LETTERS_LENGTH + 1):
            n = add(room, n, key_of(name, LETTERS, hash_four(text, begin)), _LETTERS_WEIGHT)
        n = add(room, n, key_of(name, LETTERS, joined(hash_three(text, stop - 3), EDGE)), _LETTERS_WEIGHT)
    return n


@noinline
def add_letters(room: RowRoom, n: int, name: Hash, text: Bytes, start: int, stop: int) -> int:
    """Four letters at a time of a word, whose edges count as one each, of however many bytes."""
    begin = start
    for turn in range(stop - start + 2):
        # From `begin`, or from the edge before the word in the first turn, four letters on.
        letters = _LETTERS_LENGTH - 1 if turn == 0 else _LETTERS_LENGTH
        end = begin
        while letters > 0 and end < stop:
            end = min(end + width_of(text[end]), stop)
            letters -= 1
        if letters > 1:
            break
        what = hash_bytes(text, begin, end)
        if turn == 0:
            what = joined(EDGE, what)
        if letters == 1:
            what = joined(what, EDGE)
        n = add(room, n, key_of(name, LETTERS, what), _LETTERS_WEIGHT)
        if letters == 1:
            break
        if turn > 0:
            begin = min(begin + width_of(text[begin]), stop)
    return n


@jit
def add_symbol(memory: Memory, room: RowRoom, n: int, field: int, stop: int, change: int) -> tuple[int, Key]:
    """The whole value, with norm 1; and its key."""
    end = cut(room.text, 0, stop, LONGEST_WHOLE)
    whole = key_of(memory.hashes[field], WHOLE, hash_bytes(room.text, 0, end))
    if change == MEET:
        meet_whole(memory, field, whole)
        memory.statistics[field, SYMBOLS] += 1
    n = add(room, n, whole, 1.0)
    return settle(memory, room, n - 1, n, change), whole


@jit
def add_bag(
    memory: Memory, room: RowRoom, n: int, field: int, cases: Cells, i: int, rarity: bool, change: int
) -> int:  # fmt: skip
    """The parts of a list, each by how rare it is; norm 1."""
    name = memory.hashes[field]
    first = n
    if change == MEET:
        memory.statistics[field, LISTS] += 1
        memory.statistics[field, VALUES] += 1
    for part in range(int(cases.cells[i, FIRST]), int(cases.cells[i, SECOND])):
        start = cases.parts[part, 0]
        stop = cases.parts[part, 1]
        if start < stop:
            length = put_small(room.text, cases.text, start, stop, cases.letters)
            n = add(room, n, key_of(name, ITEM, hash_bytes(room.text, 0, length)), 1.0)
    n = settle(memory, room, first, n, change)
    weigh(memory, room, first, n, memory.statistics[field, VALUES], rarity)
    to_unit_norm(room, first, n)
    return n


@jit
def add_number(memory: Memory, room: RowRoom, n: int, field: int, x: float, change: int) -> tuple[int, Key]:
    """z, the bins that hold it, and the whole value as far as values recur; and the key by which it is paired."""
    name = memory.hashes[field]
    statistics = memory.statistics[field]
    whole = key_of(name, WHOLE, np.float64(x).view(np.uint64) if x != 0 else np.uint64(0))
    if change == MEET:
        meet_whole(memory, field, whole)
        meet_number(statistics, x)
        meet_bins(memory, field, x)
    # How far it is from the mean.
    first = n
    n = add(room, n, key_of(name, NUMBER, np.uint64(0)), standard(statistics, x) / sqrt(2.0))
    # The bins on its way down.
    node = memory.root[field]
    path = np.uint64(1)
    paired_by: Key = np.int64(NO_KEY)
    depth = 0
    while node > 0 and memory.nodes[node, CHILD] > 0:
        right = x > memory.nodes[node, BOUNDARY]
        node = np.int64(memory.nodes[node, CHILD]) + right
        path = path * np.uint64(2) + np.uint64(right)
        key = key_of(name, NODE, path)
        depth += 1
        if depth <= PAIRED_DEPTH:
            paired_by = key
        n = add(room, n, key, 1.0)
    for i in range(first + 1, n):
        room.value[i] = 1 / sqrt(2.0 * depth)
    n = add(room, n, whole, sqrt(recurring(memory, field)))
    n = settle(memory, room, first, n, change)
    room.quantity[first] = _NUMBER
    return n, paired_by


@jit
def standard(statistics: FloatArray, x: float) -> float:
    """z = (x - mean)/σ, clipped."""
    sigma = sqrt(statistics[SPREAD] / statistics[NUMBERS]) if statistics[NUMBERS] > 0 else 0.0
    if sigma == 0:
        return 0.0
    return float(min(max((x - statistics[MEAN]) / sigma, -_LARGEST_Z), _LARGEST_Z))


@jit
def meet_number(statistics: FloatArray, x: float) -> None:
    """Welford's step; a value far off enters clipped."""
    sigma = sqrt(statistics[SPREAD] / statistics[NUMBERS]) if statistics[NUMBERS] > 0 else 0.0
    if sigma > 0:
        reach = _LARGEST_NEWS * sigma
        x = min(max(x, statistics[MEAN] - reach), statistics[MEAN] + reach)
    statistics[NUMBERS] += 1
    by = x - statistics[MEAN]
    statistics[MEAN] += by / statistics[NUMBERS]
    statistics[SPREAD] += by * (x - statistics[MEAN])


@jit
def meet_bins(memory: Memory, field: int, x: float) -> None:
    """The leaf that holds x hears of it, and is split where it holds too much of all values."""
    nodes = memory.nodes
    if memory.root[field] == 0:
        memory.counts[NODES] = max(memory.counts[NODES], 1) + 1
        memory.root[field] = memory.counts[NODES] - 1
    leaf = np.int64(memory.root[field])
    depth = 0
    while nodes[leaf, CHILD] > 0:
        leaf = np.int64(nodes[leaf, CHILD]) + (x > nodes[leaf, BOUNDARY])
        depth += 1
    seen = np.int64(nodes[leaf, COUNT])
    recent = memory.recent[leaf]
    recent[seen % RECENT] = x
    nodes[leaf, COUNT] = seen + 1
    full = (seen + 1) % RECENT == 0 and depth < DEEPEST
    if not full or seen + 1 <= _LEAST_SHARE * memory.statistics[field, NUMBERS]:
        return
    # The boundary nearest to the median that has values on both sides.
    for i in range(1, RECENT):
        value = recent[i]
        j = i
        while j > 0 and recent[j - 1] > value:
            recent[j] = recent[j - 1]
            j -= 1
        recent[j] = value
    middle = RECENT // 2
    for off in range(middle):
        for at in (middle - off, middle + off):
            if 0 < at < RECENT and recent[at - 1] < recent[at]:
                child = memory.counts[NODES]
                memory.counts[NODES] += 2
                nodes[leaf, BOUNDARY] = recent[at - 1] + (recent[at] - recent[at - 1]) / 2
                if not recent[at - 1] <= nodes[leaf, BOUNDARY] < recent[at]:
                    nodes[leaf, BOUNDARY] = recent[at - 1]
                nodes[leaf, CHILD] = child
                for side in range(2):
                    nodes[child + side, COUNT] = 0
                return


@jit
def add_date(memory: Memory, room: RowRoom, n: int, field: int, day: int, hour: float, change: int) -> tuple[int, Key]:
    """Weekday, month and hour as symbols, the hour also as a turn of the day; norm 1. And the weekday's key."""
    name = memory.hashes[field]
    first = n
    if change == MEET:
        memory.statistics[field, DATES] += 1
        memory.statistics[field, VALUES] += 1
    weekday = key_of(name, WEEKDAY, np.uint64((day + 6) % 7))
    n = add(room, n, weekday, 1.0)
    n = add(room, n, key_of(name, MONTH, np.uint64(month_of(day))), 1.0)
    if hour >= 0:
        n = add(room, n, key_of(name, HOUR, np.uint64(np.int64(hour))), 1.0)
        n = add(room, n, key_of(name, TURN, np.uint64(0)), sin(2 * pi * hour / 24))
        n = add(room, n, key_of(name, TURN, np.uint64(1)), cos(2 * pi * hour / 24))
    n = settle(memory, room, first, n, change)
    to_unit_norm(room, first, n)
    return n, weekday


@jit
def add_vector(memory: Memory, room: RowRoom, n: int, field: int, x: FloatArray, change: int) -> int:
    """How far each place is from its mean, on one scale for all; norm 1."""
    name = memory.hashes[field]
    statistics = memory.statistics[field]
    places = memory.vectors[memory.vector_at[field] :]
    first = n
    if change == MEET:
        statistics[VECTORS] += 1
        statistics[VALUES] += 1
    seen = statistics[VECTORS]
    for j in range(x.shape[0]):
        value = x[j]
        sigma = sqrt(places[j, 1] / (seen - 1)) if seen > 1 else 0.0
        if change == MEET:
            if sigma > 0:
                reach = _LARGEST_NEWS * sigma
                value = min(max(value, places[j, 0] - reach), places[j, 0] + reach)
            by = value - places[j, 0]
            places[j, 0] += by / seen
            places[j, 1] += by * (value - places[j, 0])
        sigma = sqrt(places[j, 1] / seen) if seen > 0 else 0.0
        reach = _LARGEST_Z * sigma
        n = add(room, n, key_of(name, PLACE, np.uint64(j)), min(max(x[j] - places[j, 0], -reach), reach))
    n = settle(memory, room, first, n, change)
    for i in range(first, n):
        room.quantity[i] = _PLACE
    to_unit_norm(room, first, n)
    return n


@jit
def add_paired(room: RowRoom, count: int, symbol: Key) -> int:
    """One symbol more that is paired with the others; how many there are then."""
    if symbol != NO_KEY and count < MOST_PAIRED:
        room.symbols[count] = symbol
        count += 1
    return count


@jit
def add_pairs(memory: Memory, room: RowRoom, n: int, count: int, change: int) -> int:
    """All pairs of the symbols of a case, with norm 1."""
    first = n
    for i in range(count):
        for j in range(i):
            n = add(room, n, paired(room.symbols[i], room.symbols[j]), 1.0)
    n = settle(memory, room, first, n, change)
    to_unit_norm(room, first, n)
    return n


@noinline
def give_columns(
    table: IntArray,
    counts: IntArray,
    keys: IntArray,
    places: IntArray,
    value: FloatArray,
    quantity: NDArray[np.int8],
    made: Made,
    end: int,
    n: int,
    form: Form,
    change: int,
) -> int:
    """The features that have a column, or get one, as the entries from `end` on; where they end.

    While few columns are given out, every feature gets one at once, and then when it is met again: half of all words
    never are. There are at most `form.columns`; beyond that, features share them. Quantities have the first ones.
    """
    columns = form.columns
    of_quantities = form.numbers + form.places
    full = counts[ENTRIES] >= counts[MOST_ENTRIES]
    start = end
    for i in range(n):
        at = places[i, 0]
        if value[i] == 0 or (at < 0 and not full):
            continue
        column = table[at, COLUMN] if at >= 0 else np.int64(0)
        if column == 0:
            what = quantity[i]
            if at >= 0 and change == READ:
                continue
            if at >= 0 and what == _NUMBER and counts[NUMBER_COLUMNS] < form.numbers:
                counts[NUMBER_COLUMNS] += 1
                column = np.int64(counts[NUMBER_COLUMNS])
            elif at >= 0 and what == _PLACE and counts[PLACE_COLUMNS] < form.places:
                counts[PLACE_COLUMNS] += 1
                column = np.int64(form.numbers + counts[PLACE_COLUMNS])
            elif at >= 0 and counts[COLUMNS] >= of_quantities + AT_ONCE and table[at, DF] < 2:
                continue
            elif at >= 0 and counts[COLUMNS] < columns:
                counts[COLUMNS] += 1
                column = np.int64(counts[COLUMNS])
            else:
                column = 1 + of_quantities + ((keys[i] >> 1) & _POSITIVE) % (columns - of_quantities)
            if at >= 0:
                table[at, COLUMN] = column
        made.column[end] = column - 1
        made.value[end] = value[i]
        end += 1
    if full or counts[COLUMNS] == columns:
        end = start + merge_columns(made.column[start:end], made.value[start:end])
    return end


@noinline
def merge_columns(column: NDArray[np.uint32], value: FloatArray) -> int:
    """Add up the features that share a column; how many are left. The columns are in order then."""
    n = column.shape[0]
    # Shell's sort.
    gap = n // 2
    while gap > 0:
        for i in range(gap, n):
            c = column[i]
            v = value[i]
            j = i
            while j >= gap and column[j - gap] > c:
                column[j] = column[j - gap]
                value[j] = value[j - gap]
                j -= gap
            column[j] = c
            value[j] = v
        gap //= 2
    kept = 0
    for i in range(n):
        if kept > 0 and column[kept - 1] == column[i]:
            value[kept - 1] += value[i]
        else:
            column[kept] = column[i]
            value[kept] = value[i]
            kept += 1
    return kept


@jit
def most_features(cases: Cells, r: int) -> int:
    """How many features a case can have at most."""
    text = 0
    most = MOST_PAIRED**2
    for i in range(cases.ends[r], cases.ends[r + 1]):
        kind = cases.cells[i, KIND]
        most += _MOST_OF_CELL
        if kind in (IS_SYMBOL, IS_TEXT, IS_WORD):
            text += int(cases.cells[i, SECOND] - cases.cells[i, FIRST])
        elif kind in (IS_BAG, IS_VECTOR):
            most += int(cases.cells[i, SECOND] - cases.cells[i, FIRST])
    return most + 3 * text


@jit
def encode_case(
    memory: Memory, cases: Cells, r: int, room: RowRoom, made: Made, end: int, form: Form, change: int
) -> int:  # fmt: skip
    """The row of one case, from `end` on; where it ends."""
    memory.counts[STAMP] += 1
    n = 0
    paired_fields = 0
    for i in range(cases.ends[r], cases.ends[r + 1]):
        cell = cases.cells[i]
        field: Any = np.int64(cell[FIELD])
        if field < 0:
            continue
        kind = int(cell[KIND])
        symbol: Key = np.int64(NO_KEY)
        number_of: Any = np.int64(-1)  # the field of which it is a number
        if kind in (IS_SYMBOL, IS_TEXT, IS_WORD):
            length = put_small(room.text, cases.text, int(cell[FIRST]), int(cell[SECOND]), cases.letters)
            if kind == IS_TEXT or (kind == IS_WORD and memory.statistics[field, TEXTS] > 0):
                n, symbol = add_text(memory, room, n, field, length, form.rarity, change)
            else:
                n, symbol = add_symbol(memory, room, n, field, length, change)
        elif kind == IS_NUMBER:
            number_of = field
        elif kind == IS_DATE:
            n, symbol = add_date(memory, room, n, field, int(cell[FIRST]), cell[SECOND], change)
            number_of = np.int64(memory.day_of[field]) - 1
        elif kind == IS_BAG:
            n = add_bag(memory, room, n, field, cases, i, form.rarity, change)
        elif kind == IS_VECTOR:
            n = add_vector(memory, room, n, field, cases.numbers[int(cell[FIRST]) : int(cell[SECOND])], change)
        else:
            if change == MEET:
                memory.statistics[field, GAPS] += 1
            n = add(room, n, key_of(memory.hashes[field], GAP, np.uint64(0)), 1.0)
            n = settle(memory, room, n - 1, n, change)
        paired_fields = add_paired(room, paired_fields, symbol)
        if number_of >= 0:
            n, symbol = add_number(memory, room, n, number_of, cell[FIRST], change)
            paired_fields = add_paired(room, paired_fields, symbol)
    if form.pairs:
        n = add_pairs(memory, room, n, paired_fields, change)
    return give_columns(
        memory.table, memory.counts, room.keys, room.places, room.value, room.quantity, made, end, n, form, change
    )


@entry_point
def encode(memory: Memory, cases: Cells, room: RowRoom, made: Made, first: int, form: Form, change: int) -> int:
    """The rows of the cases from `first` on; the number of the case for which there was no room, or of cases.

    `counts[NEEDED]` tells how much room that case may need.
    """
    counts = memory.counts
    end: Any = made.ends[first]
    for r in range(first, cases.ends.shape[0] - 1):
        most = most_features(cases, r)
        fits = most <= room.value.shape[0] and end + most <= made.value.shape[0]
        if change != READ:
            new = min(most, max(counts[MOST_ENTRIES] - counts[ENTRIES], 0))
            fits = fits and 2 * (counts[ENTRIES] + new) <= memory.table.shape[0]
            nodes = 3 * (cases.ends[r + 1] - cases.ends[r]) + 2
            fits = fits and counts[NODES] + nodes <= memory.nodes.shape[0]
        if not fits:
            counts[NEEDED] = most
            return int(r)
        end = encode_case(memory, cases, r, room, made, end, form, change)
        made.ends[r + 1] = end
    return int(cases.ends.shape[0] - 1)
