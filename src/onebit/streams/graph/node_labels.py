"""The labels of a graph's nodes, in whatever form they come: which nodes have one, and what it is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import IntArray, Label
from onebit.core.errors import DataError
from onebit.core.labels import check_classes
from onebit.streams.graph.files import read_labels_of_nodes
from onebit.streams.graph.source import GivenGraph


class NodeLabels(NamedTuple):
    """The numbers of the nodes that have a label, ascending, and the label of each."""

    at: IntArray
    values: list[Label]


def node_labels(labels: Any, source: GivenGraph) -> NodeLabels:
    """The labels as a sequence, a mapping, a file or the name of a node attribute gives them.

    >>> from onebit.streams.graph.source import read_source
    >>> node_labels(["cat", None, "dog"], read_source([[0, 1, 0], [1, 0, 1], [0, 1, 0]], None, "graph"))
    NodeLabels(at=array([0, 2]), values=['cat', 'dog'])
    """
    if isinstance(labels, str) and source.network is not None:
        named = _attribute(labels, source)
        if named is not None:
            return _in_order(named)
    if isinstance(labels, str | os.PathLike):
        return _from_file(Path(labels), source)
    if hasattr(labels, "items") and getattr(labels, "ndim", 1) == 1:
        pairs = list(labels.items())
        return _by_id([_plain(node) for node, _ in pairs], [label for _, label in pairs], _numbers(source), "labels")
    return _in_order(_sequence(labels, len(source.nodes)))


def encode_node_labels(
    labels: NodeLabels, nodes: Any, classes: Sequence[Label] | None
) -> tuple[tuple[Label, ...], IntArray]:
    """The classes (those given, else those that occur, sorted), and the number of each label's class.

    >>> encode_node_labels(NodeLabels(np.array([0, 2]), ["dog", "cat"]), ["a", "b", "c"], None)
    (('cat', 'dog'), array([1, 0]))
    """
    try:
        found = set(labels.values)
    except TypeError:
        raise DataError("labels: labels must be hashable (strings, numbers, tuples, ...)") from None
    if classes is not None:
        known = check_classes(classes)
        found -= set(known)
        unknown = next((i for i, label in enumerate(labels.values) if label in found), None)
        if unknown is not None:
            raise DataError(
                f"labels: node {_plain(nodes[labels.at[unknown]])!r} has the label {labels.values[unknown]!r}, "
                f"which is not among the classes {list(known)}"
            )
    else:
        try:
            known = tuple(sorted(found))  # type: ignore[type-var]  # what cannot be sorted is caught
        except TypeError:
            raise DataError(
                "labels: are of several types, which cannot be sorted; give them in order as classes=[...]"
            ) from None
        if len(known) < 2:
            raise DataError(f"labels: every labelled node says {known[0]!r}; there must be at least 2 classes")
    numbers = {label: k for k, label in enumerate(known)}
    return known, np.fromiter((numbers[label] for label in labels.values), dtype=np.int64, count=len(labels.values))


def _sequence(labels: Any, n: int) -> list[Any]:
    if not isinstance(labels, Iterable) or getattr(labels, "ndim", 1) != 1:
        raise DataError(
            f"labels: of type {type(labels).__name__}; give one label per node (None where there is none), a mapping "
            "from node to label, or a file with the columns node and label"
        )
    values = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    if len(values) != n:
        raise DataError(
            f"labels: {len(values):,} labels for a graph of {n:,} nodes; give one per node, None where there is none"
        )
    return values


def _attribute(name: str, source: GivenGraph) -> list[Any] | None:
    """The labels that the nodes of a networkx graph carry; None if `name` is a file instead."""
    values = [label for _, label in source.network.nodes(data=name)]
    if any(label is not None for label in values):
        return values
    if Path(name).is_file():
        return None
    known = sorted({str(key) for _, data in source.network.nodes(data=True) for key in data})
    raise DataError(
        f"labels={name!r}: no node has such an attribute, and there is no such file; "
        f"known are {', '.join(known) if known else 'none'}"
    )


def _from_file(path: Path, source: GivenGraph) -> NodeLabels:
    """Ids are compared as they are; where only the file or only the graph has text, as text."""
    text = all(isinstance(node, str) for node in source.nodes.tolist())
    ids, labels = read_labels_of_nodes(path, text)
    numbers = _numbers(source)
    if not text and all(isinstance(node, str) for node in ids):
        numbers = {str(node): i for node, i in numbers.items()}
    return _by_id(ids, labels, numbers, str(path))


def _numbers(source: GivenGraph) -> dict[Any, int]:
    return {node: i for i, node in enumerate(source.nodes.tolist())}


def _by_id(ids: Sequence[Any], labels: Sequence[Any], numbers: dict[Any, int], name: str) -> NodeLabels:
    """The labels of nodes by their ids; each must be a node, and have one label only."""
    found: dict[int, Any] = {}
    unknown: list[Any] = []
    for node, label in zip(ids, labels, strict=True):
        if _is_missing(label):
            continue
        at = numbers.get(node)
        if at is None:
            unknown.append(node)
        elif found.setdefault(at, label) != label:
            raise DataError(f"{name}: node {node!r} has two labels, {found[at]!r} and {label!r}; leave one")
    if unknown:
        raise DataError(
            f"{name}: {len(unknown):,} of {len(ids):,} labels are for nodes that the graph does not have, "
            f"the first for {unknown[0]!r}; drop them, or give a graph with these nodes"
        )
    order = sorted(found)
    return NodeLabels(np.array(order, dtype=np.int64), [_plain(found[i]) for i in order])


def _in_order(values: Sequence[Any]) -> NodeLabels:
    at = [i for i, label in enumerate(values) if not _is_missing(label)]
    return NodeLabels(np.array(at, dtype=np.int64), [_plain(values[i]) for i in at])


def _is_missing(label: Any) -> bool:
    """None, NaN, or one of the other values that differ from themselves or cannot tell (pandas.NA)."""
    try:
        return label is None or bool(label != label)
    except (TypeError, ValueError):
        return True


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
