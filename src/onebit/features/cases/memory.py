"""What the encoder of cases remembers: features by their keys, statistics by column, bins of numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray
from onebit.features.cases.keys import NO_KEY, Key
from onebit.ops.jit import entry_point, jit

UInt64Array = NDArray[np.uint64]
Int32Array = NDArray[np.int32]

# The numbers that are kept of a column.
VALUES = 0  # values met, gaps aside
RECURRED = 1  # of which were met before, whole
NUMBERS = 2  # of which were numbers
MEAN = 3
SPREAD = 4  # Σ (x - mean)²
GAPS = 5
TEXTS = 6  # of several words
SYMBOLS = 7  # of one word
LISTS = 8
DATES = 9
VECTORS = 10
N_STATISTICS = 11

# The numbers that are kept of a node of bins.
BOUNDARY = 0  # values up to it go to the first child
CHILD = 1  # number of the first child, the second follows; 0 for a leaf
COUNT = 2  # values that have come here, as far as they count
N_NODE = 3

# The numbers that are kept of a feature.
KEY = 0
COLUMN = 1  # and 1, so that 0 is none
DF = 2  # in how many cases it was
MARK = 3  # room: where it stands in the row that is being made
N_ENTRY = 4

# What is counted.
ENTRIES = 0
COLUMNS = 1
NODES = 2
STAMP = 3
MOST_ENTRIES = 4  # features beyond that are not counted, and share columns
NEEDED = 5  # room for features that the next case needs
NUMBER_COLUMNS = 6  # of those that numbers alone have
PLACE_COLUMNS = 7  # of those that places of vectors alone have
N_COUNTS = 8

RECENT = 32
"""How many of the last values a leaf remembers, to split at their median."""


class Memory(NamedTuple):
    """Features by key, in a table with open addressing; fields by number, as `hashes` has their names; bins.

    `day_of` has the field of a date's day, and 1, so that 0 is none.
    """

    table: IntArray
    counts: IntArray
    hashes: UInt64Array
    statistics: FloatArray
    root: Int32Array
    nodes: FloatArray
    recent: FloatArray
    vectors: FloatArray
    vector_at: Int32Array
    day_of: Int32Array


def new_memory(entries: int = 1024, fields: int = 16, nodes: int = 64, most_entries: int = 2**20) -> Memory:
    """A memory of nothing, with room.

    >>> new_memory().counts.tolist()
    [0, 0, 0, 0, 1048576, 0, 0, 0]
    """
    counts = np.zeros(N_COUNTS, np.int64)
    counts[MOST_ENTRIES] = most_entries
    return Memory(
        table=np.zeros((entries, N_ENTRY), np.int64),
        counts=counts,
        hashes=np.zeros(fields, np.uint64),
        statistics=np.zeros((fields, N_STATISTICS)),
        root=np.zeros(fields, np.int32),
        nodes=np.zeros((nodes, N_NODE)),
        recent=np.zeros((nodes, RECENT)),
        vectors=np.zeros((0, 2)),
        vector_at=np.zeros(fields, np.int32),
        day_of=np.zeros(fields, np.int32),
    )


@jit
def find(table: IntArray, key: Key) -> Any:
    """Where the feature with this key stands, or the free place where it would."""
    last = table.shape[0] - 1
    at = key & last
    while table[at, KEY] != NO_KEY and table[at, KEY] != key:
        at = (at + 1) & last
    return at


@entry_point
def move_entries(old: IntArray, new: IntArray) -> None:
    """Put all features of one table into another, which is larger."""
    for i in range(old.shape[0]):
        if old[i, KEY] != NO_KEY:
            at = find(new, old[i, KEY])
            new[at, KEY] = old[i, KEY]
            new[at, COLUMN] = old[i, COLUMN]
            new[at, DF] = old[i, DF]


def with_room(memory: Memory, entries: int = 0, fields: int = 0, nodes: int = 0, vectors: int = 0) -> Memory:
    """A memory with room for so many more of each; the same one if it has it.

    >>> memory = new_memory()
    >>> with_room(memory, entries=100) is memory, len(with_room(memory, entries=1000).table)
    (True, 2048)
    """
    there = int(memory.counts[ENTRIES])
    wanted = 2 * min(there + entries, max(there, int(memory.counts[MOST_ENTRIES])))
    if wanted > len(memory.table):
        larger = np.zeros((1 << (wanted - 1).bit_length(), N_ENTRY), np.int64)
        move_entries(memory.table, larger)
        memory = memory._replace(table=larger)
    if fields > len(memory.hashes):
        memory = memory._replace(
            hashes=_longer(memory.hashes, fields),
            statistics=_longer(memory.statistics, fields),
            root=_longer(memory.root, fields),
            vector_at=_longer(memory.vector_at, fields),
            day_of=_longer(memory.day_of, fields),
        )
    used = int(memory.counts[NODES]) + nodes
    if used > len(memory.nodes):
        memory = memory._replace(nodes=_longer(memory.nodes, used), recent=_longer(memory.recent, used))
    if vectors:
        memory = memory._replace(vectors=np.concatenate([memory.vectors, np.zeros((vectors, 2))]))
    return memory


def _longer(array: Any, length: int) -> Any:
    """The array with zeros after it, up to the next power of 2."""
    size = 1 << (length - 1).bit_length()
    longer = np.zeros((size, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer
