"""One case, as compiled code reads it, becomes the entries of a sparse row."""

from __future__ import annotations

from math import cos, log, pi, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray
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
    joined,
    key_of,
    paired,
)
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
    NODES,
    NUMBERS,
    PAIR_COLUMNS,
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
from onebit.ops.jit import entry_point, jit, noinline

# What an item of a case is.
IS_GAP = 0
IS_SYMBOL = 1
IS_TEXT = 2
IS_NUMBER = 3
IS_BAG = 4  # its parts follow it, as items of their own
IS_PART = 5
IS_DATE = 6  # weekday, month and hour stand among the numbers; hour -1 if there is none
IS_VECTOR = 7
IS_WORD = 8  # a text of one word: a symbol, unless the field has texts

# How much an encoding may change.
READ = 0  # nothing
KEEP = 1  # features that are new are kept, and get columns
MEET = 2  # and the statistics hear of the case

MOST_PAIRED = 12
"""How many fields of a case are paired with each other."""

PAIRED_DEPTH = 3
"""A number is paired by the bin that is so deep on its way down."""

_POSITIONS = 1 << 24  # in a mark, the stamp of the row times this, and the position
_LETTERS_WEIGHT = 0.5
_LETTERS_LENGTH = 4
_LARGEST_Z = 3.0
_LARGEST_NEWS = 10.0  # deviations: a value that is farther off counts as if it were so far
_LEAST_SHARE = 1 / 16  # a leaf that holds more of all values is split
_DEEPEST = 20
_POSITIVE = 0x3FFFFFFFFFFFFFFF


class Items(NamedTuple):
    """A case: for each value its kind, its field, and where it begins and ends among the numbers or in the text."""

    items: IntArray
    numbers: FloatArray
    text: NDArray[np.uint8]


class RowRoom(NamedTuple):
    """Room for a row: where each feature stands in the table (-1 if nowhere) and how often it is there; its value."""

    places: IntArray
    value: FloatArray
    column: NDArray[np.uint32]
    symbols: IntArray


@noinline
def add_entry(
    table: IntArray, counts: IntArray, places: IntArray, values: FloatArray, n: int, key: Key, value: float, change: int
) -> int:
    """One feature more, or the count of one that is there already; how many there are then."""
    at = find(table, key)
    if table[at, KEY] == NO_KEY:
        if change == READ:
            at = -1
        else:
            table[at, KEY] = key
            counts[ENTRIES] += 1
    if at >= 0:
        stamp = counts[STAMP] * _POSITIONS
        position = table[at, MARK] - stamp
        if 0 <= position < n:
            places[position, 1] += 1
            return n
        table[at, MARK] = stamp + n
        if change == MEET:
            table[at, DF] += 1
    places[n, 0] = at
    places[n, 1] = 1
    values[n] = value
    return n + 1


@jit
def add(memory: Memory, room: RowRoom, n: int, key: Key, value: float, change: int) -> int:
    """The same, where memory and room are at hand."""
    return add_entry(memory.table, memory.counts, room.places, room.value, n, key, value, change)


@jit
def weigh(memory: Memory, room: RowRoom, first: int, n: int, cases: float) -> None:
    """Times 1 + ln tf, and times the running idf, ln((1+n)/(1+df)) + 1."""
    for i in range(first, n):
        at = room.places[i, 0]
        df = memory.table[at, DF] if at >= 0 else 0
        often = room.places[i, 1]
        tf = 1.0 if often == 1 else 1 + log(float(often))
        room.value[i] *= tf * (1 + log((1 + cases) / (1 + df)))


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
def width_of(c: int) -> int:
    """How many bytes the character has that begins with this one; a byte from within counts as one."""
    if c < 0xC0:
        return 1
    return 2 if c < 0xE0 else 3 if c < 0xF0 else 4


@noinline
def add_text(
    memory: Memory, room: RowRoom, n: int, field: int, text: NDArray[np.uint8], start: int, stop: int, change: int
) -> int:
    """Words, pairs of neighbours with the edges, and letters four by four; then the whole, as far as values recur."""
    name = memory.hashes[field]
    first = n
    last = EDGE
    i = start
    while i < stop:
        step = is_word_byte(text, i, stop)
        if step == 0:
            i += width_of(text[i])
            continue
        # A word from here to `end`.
        end = i
        while end < stop:
            step = is_word_byte(text, end, stop)
            if step == 0:
                break
            end = min(end + step, stop)
        word = hash_bytes(text, i, end)
        n = add(memory, room, n, key_of(name, WORD, word), 1.0, change)
        n = add(memory, room, n, key_of(name, BIGRAM, joined(last, word)), 1.0, change)
        n = add_letters(memory, room, n, name, text, i, end, change)
        last = word
        i = end
    if last != EDGE:
        n = add(memory, room, n, key_of(name, BIGRAM, joined(last, EDGE)), 1.0, change)
    # The whole value joins them.
    whole = key_of(name, WHOLE, hash_bytes(text, start, stop))
    if change == MEET:
        meet_whole(memory, field, whole)
        memory.statistics[field, TEXTS] += 1
    n = add(memory, room, n, whole, sqrt(recurring(memory, field)), change)
    weigh(memory, room, first, n, memory.statistics[field, VALUES])
    to_unit_norm(room, first, n)
    return n


@jit
def add_letters(
    memory: Memory, room: RowRoom, n: int, name: Hash, text: NDArray[np.uint8], start: int, stop: int, change: int
) -> int:
    """Four letters at a time of a word, whose edges count as one each."""
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
        n = add(memory, room, n, key_of(name, LETTERS, what), _LETTERS_WEIGHT, change)
        if letters == 1:
            break
        if turn > 0:
            begin = min(begin + width_of(text[begin]), stop)
    return n


@jit
def add_symbol(
    memory: Memory, room: RowRoom, n: int, field: int, text: NDArray[np.uint8], start: int, stop: int, change: int
) -> int:
    """The whole value, with norm 1."""
    whole = key_of(memory.hashes[field], WHOLE, hash_bytes(text, start, stop))
    if change == MEET:
        meet_whole(memory, field, whole)
        memory.statistics[field, SYMBOLS] += 1
    return add(memory, room, n, whole, 1.0, change)


@noinline
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
    n = add(memory, room, n, key_of(name, NUMBER, np.uint64(0)), standard(statistics, x) / sqrt(2.0), change)
    # The bins on its way down.
    first = n
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
        n = add(memory, room, n, key, 1.0, change)
    for i in range(first, n):
        room.value[i] = 1 / sqrt(2.0 * depth)
    n = add(memory, room, n, whole, sqrt(recurring(memory, field)), change)
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


@noinline
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
    full = (seen + 1) % RECENT == 0 and depth < _DEEPEST
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
        for cut in (middle - off, middle + off):
            if 0 < cut < RECENT and recent[cut - 1] < recent[cut]:
                child = memory.counts[NODES]
                memory.counts[NODES] += 2
                nodes[leaf, BOUNDARY] = recent[cut - 1] + (recent[cut] - recent[cut - 1]) / 2
                if not recent[cut - 1] <= nodes[leaf, BOUNDARY] < recent[cut]:
                    nodes[leaf, BOUNDARY] = recent[cut - 1]
                nodes[leaf, CHILD] = child
                for side in range(2):
                    nodes[child + side, COUNT] = 0
                return


@jit
def add_date(memory: Memory, room: RowRoom, n: int, field: int, when: FloatArray, change: int) -> tuple[int, Key]:
    """Weekday, month and hour as symbols, the hour also as a turn of the day; norm 1. And the weekday's key."""
    name = memory.hashes[field]
    first = n
    if change == MEET:
        memory.statistics[field, DATES] += 1
        memory.statistics[field, VALUES] += 1
    weekday = key_of(name, WEEKDAY, np.uint64(np.int64(when[0])))
    n = add(memory, room, n, weekday, 1.0, change)
    n = add(memory, room, n, key_of(name, MONTH, np.uint64(np.int64(when[1]))), 1.0, change)
    if when[2] >= 0:
        n = add(memory, room, n, key_of(name, HOUR, np.uint64(np.int64(when[2]))), 1.0, change)
        n = add(memory, room, n, key_of(name, TURN, np.uint64(0)), sin(2 * pi * when[2] / 24), change)
        n = add(memory, room, n, key_of(name, TURN, np.uint64(1)), cos(2 * pi * when[2] / 24), change)
    to_unit_norm(room, first, n)
    return n, weekday


@noinline
def add_vector(memory: Memory, room: RowRoom, n: int, field: int, x: FloatArray, change: int) -> int:
    """Each place standardised by itself; norm 1."""
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
        z = min(max((x[j] - places[j, 0]) / sigma, -_LARGEST_Z), _LARGEST_Z) if sigma > 0 else 0.0
        n = add(memory, room, n, key_of(name, PLACE, np.uint64(j)), z, change)
    to_unit_norm(room, first, n)
    return n


@jit
def add_pairs(memory: Memory, room: RowRoom, n: int, count: int, change: int) -> int:
    """All pairs of the symbols of a case, with norm 1."""
    first = n
    for i in range(count):
        for j in range(i):
            n = add(memory, room, n, paired(room.symbols[i], room.symbols[j]), 1.0, change)
    to_unit_norm(room, first, n)
    return n


@jit
def give_columns(
    memory: Memory, room: RowRoom, first: int, n: int, kept: int, base: int, given: int, columns: int, change: int
) -> int:
    """The features from `first` to n that have a column, or get one, as the entries from `kept` on; how many there are.

    Their columns are base, base + 1 and so on; `given` is where their number is counted, and `columns` the most.
    """
    start = kept
    table = memory.table
    for i in range(first, n):
        at = room.places[i, 0]
        value = room.value[i]
        if at < 0 or value == 0:
            continue
        if table[at, COLUMN] == 0 and change != READ:
            if memory.counts[given] < columns:
                memory.counts[given] += 1
                table[at, COLUMN] = base + memory.counts[given]
            else:
                table[at, COLUMN] = base + 1 + ((table[at, KEY] >> 1) & _POSITIVE) % columns
        if table[at, COLUMN] > 0:
            room.column[kept] = table[at, COLUMN] - 1
            room.value[kept] = value
            kept += 1
    if memory.counts[given] == columns:
        kept = start + merge_columns(room.column[start:kept], room.value[start:kept])
    return kept


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


@entry_point
def encode(memory: Memory, case: Items, room: RowRoom, columns: int, pairs: bool, change: int) -> int:
    """The row of one case, in `room.column` and `room.value`; how many entries it has.

    Its columns are below `columns`, but for those of pairs, which come last: theirs begin there.
    """
    memory.counts[STAMP] += 1
    n = 0
    paired_fields = 0
    bag = -1  # where the bag began that is open, and its field
    bag_field = 0
    for i in range(case.items.shape[1]):
        kind = case.items[0, i]
        field = case.items[1, i]
        start = case.items[2, i]
        stop = case.items[3, i]
        if field < 0:
            continue
        symbol: Key = np.int64(NO_KEY)
        if bag >= 0 and kind != IS_PART:
            weigh(memory, room, bag, n, memory.statistics[bag_field, VALUES])
            to_unit_norm(room, bag, n)
            bag = -1
        if kind == IS_WORD:
            kind = IS_TEXT if memory.statistics[field, TEXTS] > 0 else IS_SYMBOL
        if kind == IS_TEXT:
            n = add_text(memory, room, n, field, case.text, start, stop, change)
            if recurring(memory, field) > 0.5:
                symbol = key_of(memory.hashes[field], WHOLE, hash_bytes(case.text, start, stop))
        elif kind == IS_SYMBOL:
            n = add_symbol(memory, room, n, field, case.text, start, stop, change)
            symbol = key_of(memory.hashes[field], WHOLE, hash_bytes(case.text, start, stop))
        elif kind == IS_NUMBER:
            n, symbol = add_number(memory, room, n, field, case.numbers[start], change)
        elif kind == IS_DATE:
            n, symbol = add_date(memory, room, n, field, case.numbers[start:stop], change)
        elif kind == IS_BAG:
            if change == MEET:
                memory.statistics[field, LISTS] += 1
                memory.statistics[field, VALUES] += 1
            bag = n
            bag_field = field
        elif kind == IS_PART:
            part = key_of(memory.hashes[field], ITEM, hash_bytes(case.text, start, stop))
            n = add(memory, room, n, part, 1.0, change)
        elif kind == IS_VECTOR:
            n = add_vector(memory, room, n, field, case.numbers[start:stop], change)
        else:
            if change == MEET:
                memory.statistics[field, GAPS] += 1
            n = add(memory, room, n, key_of(memory.hashes[field], GAP, np.uint64(0)), 1.0, change)
        if symbol != NO_KEY and paired_fields < MOST_PAIRED:
            room.symbols[paired_fields] = symbol
            paired_fields += 1
    if bag >= 0:
        weigh(memory, room, bag, n, memory.statistics[bag_field, VALUES])
        to_unit_norm(room, bag, n)
    single = n
    if pairs:
        n = add_pairs(memory, room, n, paired_fields, change)
    kept = give_columns(memory, room, 0, single, 0, 0, COLUMNS, columns, change)
    return give_columns(memory, room, single, n, kept, columns, PAIR_COLUMNS, columns, change)
