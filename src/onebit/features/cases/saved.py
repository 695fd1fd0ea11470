"""The encoder of cases in a file: its arrays and a part of the header, and both checked when they come back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from onebit.core.errors import FormatError
from onebit.features.cases.encoder import Encoder, most_entries
from onebit.features.cases.memory import (
    CHILD,
    COLUMN,
    COLUMNS,
    COUNT,
    DF,
    ENTRIES,
    KEY,
    MEAN,
    N_NODE,
    N_STATISTICS,
    NODES,
    NUMBER_COLUMNS,
    PLACE_COLUMNS,
    RECENT,
    RECURRED,
    SPREAD,
    VALUES,
    Memory,
    move_entries,
    with_room,
)
from onebit.features.cases.row import DEEPEST
from onebit.features.cases.settings import Cases
from onebit.ops.rows import LARGEST_DOUBLE

ARRAYS = ("entries", "statistics", "root", "nodes", "recent", "vectors", "vector_at")
"""What is kept, under these names behind a prefix."""

_MOST_COUNTED = 2**53
_LARGEST_SPREAD = 1e140  # 2^53 values, each 2e60 from the mean, stay below


def encoder_header(encoder: Encoder) -> dict[str, Any]:
    """What stands in the header: the names of the fields, in order, the lengths of vectors, the columns given out
    and how many there may be."""
    return {
        "token": encoder.token,
        "names": encoder.names,
        "lengths": encoder.lengths,
        "columns": encoder.columns,
        "hash": encoder.cases.hash,
    }


def encoder_arrays(encoder: Encoder) -> dict[str, Any]:
    """The arrays, without the room in them.

    >>> sorted(encoder_arrays(Encoder(Cases()))) == sorted(ARRAYS)
    True
    """
    memory = encoder.memory
    fields = len(encoder.names)
    nodes = int(memory.counts[NODES])
    return {
        "entries": memory.table[memory.table[:, KEY] != 0][:, : DF + 1].copy(),
        "statistics": memory.statistics[:fields],
        "root": memory.root[:fields],
        "nodes": memory.nodes[:nodes],
        "recent": memory.recent[:nodes],
        "vectors": memory.vectors,
        "vector_at": memory.vector_at[:fields],
    }


def read_encoder(cases: Cases, header: Any, arrays: Mapping[str, Any], **rows: bool) -> Encoder:
    """The encoder that these were taken from, for `rows` with pairs and rarity or without.

    Raises a `FormatError` where they are not those of one.

    >>> encoder = Encoder(Cases())
    >>> read_encoder(Cases(), encoder_header(encoder), encoder_arrays(encoder)).columns
    0
    """
    names = _checked_names(header)
    encoder = Encoder(cases, **rows)
    for name in names:
        encoder.add_field(name)
    _check_arrays(arrays, len(names))
    entries = arrays["entries"]
    if len(entries) > most_entries(cases.hash):
        raise FormatError(f"its cases have {len(entries):,} features, more than hash={cases.hash} has counted")
    columns = _checked_count("columns", header["columns"], encoder.columns, cases.hash)
    _check_columns(entries, columns)
    nodes = len(arrays["nodes"])
    memory = with_room(encoder.memory, entries=len(entries), nodes=nodes)
    _fill(memory, arrays, len(names), nodes)
    memory.counts[ENTRIES] = len(entries)
    memory.counts[COLUMNS] = columns
    given = entries[:, COLUMN]
    numbers, places = encoder.form.numbers, encoder.form.places
    memory.counts[NUMBER_COLUMNS] = _last_given(given, 0, numbers)
    memory.counts[PLACE_COLUMNS] = _last_given(given, numbers, numbers + places)
    memory.counts[NODES] = nodes
    encoder.memory = memory._replace(vectors=arrays["vectors"].copy())
    encoder.lengths = _checked_lengths(header["lengths"], encoder)
    encoder.token = header["token"]
    return encoder


def _fill(memory: Memory, arrays: Mapping[str, Any], fields: int, nodes: int) -> None:
    """Copy what the arrays hold into the memory."""
    entries = arrays["entries"]
    stored = np.zeros((len(entries), memory.table.shape[1]), np.int64)
    stored[:, : DF + 1] = entries
    move_entries(stored, memory.table)
    if np.count_nonzero(memory.table[:, KEY]) != len(entries):
        raise FormatError("its cases have features with the same key")
    memory.statistics[:fields] = arrays["statistics"]
    memory.root[:fields] = arrays["root"]
    memory.vector_at[:fields] = arrays["vector_at"]
    memory.nodes[:nodes] = arrays["nodes"]
    memory.recent[:nodes] = arrays["recent"]


def _checked_names(header: Any) -> list[str]:
    names = header["names"]
    token = header["token"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FormatError("the columns of its cases have no names")
    if len(set(names)) < len(names):
        raise FormatError("two columns of its cases have one name")
    if not isinstance(token, str) or len(token) > 64:
        raise FormatError("its encoder of cases has no token")
    return names


def _check_arrays(arrays: Mapping[str, Any], fields: int) -> None:
    """The shapes, the types and the ranges of all arrays."""
    nodes = len(arrays["nodes"])
    forms = {
        "entries": ((len(arrays["entries"]), DF + 1), np.int64),
        "statistics": ((fields, N_STATISTICS), np.float64),
        "root": ((fields,), np.int32),
        "nodes": ((nodes, N_NODE), np.float64),
        "recent": ((nodes, RECENT), np.float64),
        "vectors": ((len(arrays["vectors"]), 2), np.float64),
        "vector_at": ((fields,), np.int32),
    }
    for name, (shape, dtype) in forms.items():
        array = arrays[name]
        if array.shape != shape or array.dtype != dtype:
            raise FormatError(f"array cases-{name} has the shape {array.shape} and type {array.dtype}")
        if array.dtype == np.float64 and not np.isfinite(array).all():
            raise FormatError(f"array cases-{name} holds values that are not finite")
    _check_statistics(arrays["statistics"])
    _check_moments("cases-vectors", arrays["vectors"][:, 0], arrays["vectors"][:, 1])
    _check_nodes(arrays["nodes"])
    if fields and (arrays["root"].min() < 0 or arrays["root"].max() >= max(nodes, 1)):
        raise FormatError("array cases-root points outside of the nodes")


def _check_statistics(statistics: Any) -> None:
    """Counts are whole, and not more values recurred than there were."""
    counts = np.delete(statistics, (MEAN, SPREAD), axis=1)
    if ((counts < 0) | (counts > _MOST_COUNTED) | (counts != np.floor(counts))).any():
        raise FormatError("array cases-statistics holds impossible counts")
    if (statistics[:, RECURRED] > statistics[:, VALUES]).any():
        raise FormatError("array cases-statistics holds values that recurred before they came")
    _check_moments("cases-statistics", statistics[:, MEAN], statistics[:, SPREAD])


def _check_moments(name: str, means: Any, spreads: Any) -> None:
    """Means and sums of squares as numbers can have that are not too large."""
    if (np.abs(means) > LARGEST_DOUBLE).any() or ((spreads < 0) | (spreads > _LARGEST_SPREAD)).any():
        raise FormatError(f"array {name} holds impossible means or deviations")


def _check_nodes(nodes: Any) -> None:
    """Children come after their parents, so that a walk down ends, and it is not longer than any that was grown."""
    child = nodes[:, CHILD]
    parents = np.flatnonzero(child)
    first = child[parents]
    if ((first != np.floor(first)) | (first <= parents) | (first > len(nodes) - 2)).any():
        raise FormatError("array cases-nodes is no tree")
    depth = np.zeros(len(nodes), np.int64)
    for parent, at in zip(parents.tolist(), first.astype(np.int64).tolist(), strict=True):
        depth[at : at + 2] = np.maximum(depth[at : at + 2], depth[parent] + 1)
    if len(depth) and depth.max() > DEEPEST:
        raise FormatError(f"array cases-nodes is deeper than {DEEPEST}")
    if ((nodes[:, COUNT] < 0) | (nodes[:, COUNT] > _MOST_COUNTED)).any():
        raise FormatError("array cases-nodes holds impossible counts")


def _last_given(columns: Any, above: int, most: int) -> int:
    """How many columns were given out of those above one number and up to another; they are given in order."""
    given = columns[(columns > above) & (columns <= most)]
    return int(given.max()) - above if len(given) else 0


def _checked_count(what: str, count: Any, least: int, most: int) -> int:
    """How many columns were given out."""
    if type(count) is not int or not least <= count <= most:
        raise FormatError(f"its cases have {count!r} {what}, and hash={most}")
    return count


def _check_columns(entries: Any, columns: int) -> None:
    """A `FormatError` for features with other columns than were given out."""
    if (entries[:, KEY] == 0).any():
        raise FormatError("array cases-entries holds a feature without a key")
    given = entries[:, COLUMN]
    if ((given < 0) | (given > columns)).any() or ((entries[:, DF] < 0) | (entries[:, DF] > _MOST_COUNTED)).any():
        raise FormatError("array cases-entries holds columns or counts out of range")


def _checked_lengths(lengths: Any, encoder: Encoder) -> dict[str, int]:
    """The lengths of vectors, each of which has its room."""
    if not isinstance(lengths, dict):
        raise FormatError("its cases have no lengths of vectors")
    memory = encoder.memory
    for name, length in lengths.items():
        at = encoder.number_of(name)
        if type(length) is not int or length < 1 or at < 0:
            raise FormatError(f"its cases have a vector {name!r} of length {length!r}")
        if not 0 <= memory.vector_at[at] <= len(memory.vectors) - length:
            raise FormatError(f"the vector {name!r} of its cases has no room")
    return dict(lengths)
