"""A planted partition: a random graph whose nodes mostly know others of their class."""

from __future__ import annotations

from typing import Any

import numpy as np

from onebit.core.aliases import IntArray, Progress
from onebit.core.checks import check_number, check_whole
from onebit.core.errors import ConfigError
from onebit.core.seeds import bit_generator, check_seed
from onebit.streams.graph.edges import first_of_each, from_keys
from onebit.streams.graph.rows import RowOptions, check_options
from onebit.streams.graph.source import largest_component, subgraph
from onebit.streams.graph.stream import GraphStream

_MOST_NODES = 2**31 - 1
"""The numbers of neighbours are kept in 32 bits."""


def planted_graph(
    nodes: int = 1000,
    classes: int = 4,
    degree: float = 10.0,
    inside: float = 0.8,
    seed: int = 0,
    *,
    d: int = 100,
    weights: Any = "1/sqrt",
    unit: bool = True,
    shuffle: bool = True,
    progress: Progress | None = None,
) -> GraphStream:
    """A random graph of `nodes` nodes in `classes` classes of equal size, and the stream of its nodes.

    nodes · degree / 2 edges are drawn: one end is any node, the other, with probability `inside`, one of the same
    class, else any node. Repeated edges and self-loops are dropped, so the mean degree is a little lower, and the
    largest component is taken. The same seed gives the same graph. The other options are those of `from_graph`.

    >>> stream = planted_graph(200, d=10, seed=3)
    >>> stream.graph, stream.classes
    (Graph(200 nodes, 925 edges), (0, 1, 2, 3))
    """
    _check(nodes, classes, degree, inside)
    draw = np.random.Generator(bit_generator(check_seed(seed), "structure"))
    codes, first, second = _draw_edges(draw, nodes, classes, round(nodes * degree / 2), inside)
    matrix = _symmetric(nodes, first, second)
    kept, notes = largest_component(matrix)
    graph = subgraph(matrix, np.arange(nodes), kept)
    options = RowOptions(d, weights, unit)
    check_options(options, graph)
    stream = GraphStream(
        graph,
        np.arange(len(kept)),
        codes[kept],
        range(classes),
        options,
        name="planted",
        shuffle=shuffle,
        notes=notes,
        progress=progress,
    )
    drawn = {"nodes": nodes, "classes": classes, "degree": degree, "inside": inside, "seed": seed}
    stream.options = {**drawn, **stream.options}
    return stream


def _draw_edges(
    draw: np.random.Generator, nodes: int, classes: int, edges: int, inside: float
) -> tuple[IntArray, IntArray, IntArray]:
    """The class of each node, and the two ends of each edge."""
    members = draw.permutation(nodes)
    starts = np.arange(classes + 1) * nodes // classes
    codes = np.empty(nodes, dtype=np.int64)
    codes[members] = np.repeat(np.arange(classes), np.diff(starts))
    first = draw.integers(nodes, size=edges)
    second = draw.integers(nodes, size=edges)
    near = np.flatnonzero(draw.random(edges) < inside)
    own = codes[first[near]]
    second[near] = members[draw.integers(starts[own], starts[own + 1])]
    return codes, first, second


def _symmetric(n: int, first: IntArray, second: IntArray) -> Any:
    """The matrix of these edges, each once and both ways, without self-loops."""
    apart = first != second
    first = first[apart]
    second = second[apart]
    keys = np.sort(np.concatenate([first * n + second, second * n + first]))
    keys = keys[first_of_each(keys)]
    return from_keys(keys, np.ones(len(keys)), n)


def _check(nodes: Any, classes: Any, degree: Any, inside: Any) -> None:
    check_whole("nodes", nodes, 2, _MOST_NODES)
    check_whole("classes", classes, 2)
    if classes > nodes:
        raise ConfigError(f"classes={classes}: there are only nodes={nodes} nodes; choose fewer classes")
    check_number("degree", degree, 2 / nodes, nodes, open_high=True)
    check_number("inside", inside, 0, 1)
