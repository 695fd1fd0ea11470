"""Streams of the nodes of a graph: each row is a node, seen by where it lies."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray, Label, Progress
from onebit.core.errors import DataError
from onebit.features.labelled import compact
from onebit.graph import Graph
from onebit.streams.arrays import ArrayStream
from onebit.streams.graph.node_labels import NodeLabels, encode_node_labels, node_labels
from onebit.streams.graph.rows import RowOptions, check_options, features_of_nodes, make_rows
from onebit.streams.graph.source import largest_component, read_source, subgraph, undirected
from onebit.streams.identity import digest_of

_COMPUTING = Lock()


class GraphStream(ArrayStream):
    """The labelled nodes of a connected graph, reshuffled by each seed (`shuffle=False` keeps their order).

    A row is the node's spectral row (see `spectral_rows`); they are computed when first asked for. `graph` is the
    graph itself, `nodes` the ids of all its nodes, `labelled` the number of each row's node among them. `by_node()`
    is the same stream with the nodes themselves for rows, for learners that read the graph.

    >>> stream = from_graph([[0, 1, 1], [1, 0, 1], [1, 1, 0]], ["x", "y", "x"], d=2)
    >>> stream.graph, stream.rounds, stream.n_features, stream.classes
    (Graph(3 nodes, 3 edges), 3, 2, ('x', 'y'))
    """

    no_options = frozenset({"graph", "labelled", "codes", "options", "notes", "progress"})
    graph: Graph
    labelled: IntArray

    def __init__(
        self,
        graph: Graph,
        labelled: IntArray,
        codes: IntArray,
        classes: Sequence[Label],
        options: RowOptions,
        *,
        name: str,
        shuffle: bool = True,
        notes: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> None:
        self.name = name
        self.classes = tuple(classes)
        self.shuffle = shuffle
        self.sparse = False
        self.graph = graph
        self.labelled = labelled
        self._codes = codes
        self._row_options = options
        self._progress = progress
        self.rounds = len(labelled)
        self.n_features = options.width
        told = options.told()
        self._spectral = {"d": told.pop("d"), "weights": told.pop("weights"), "digest": graph.digest}
        self.options = {**told, **self.options}
        sizes = {"nodes": len(graph), "edges": graph.edges, "labelled": len(labelled)}
        self.facts = {**sizes, **self._spectral, "notes": list(notes)}

    def identity(self) -> dict[str, Any]:
        """What decides the rows and labels: the graph, how its rows are made, and which nodes have which label."""
        return super().identity() | self._spectral

    @property
    def nodes(self) -> NDArray[Any]:
        """The ids of all nodes of the graph, labelled or not.

        >>> from_graph([[0, 1], [1, 0]], {"a": "x", "b": "y"}, d=1, nodes=["a", "b"]).nodes
        array(['a', 'b'], dtype=object)
        """
        return self.graph.nodes

    def row(self, node: Any) -> FloatArray:
        """The row of one node by its id, whether it is labelled or not.

        >>> stream = from_graph([[0, 1], [1, 0]], ["x", "y"], d=1, nodes=["a", "b"])
        >>> stream.row("b")
        array([-1.])
        """
        try:
            at = self._numbers.get(node)
        except TypeError:
            at = None
        if at is None:
            some = ", ".join(repr(known) for known in self.nodes[:3].tolist())
            raise DataError(f"node={node!r}: {self.name} has no such node; its {len(self.graph):,} are {some}, ...")
        row: FloatArray = self._rows()[at].copy()
        return row

    def ready(self, progress: Progress | None = None) -> None:
        """Compute the rows now, unless that is done.

        >>> from_graph([[0, 1], [1, 0]], ["x", "y"], d=1).ready()
        """
        self._progress = progress or self._progress
        self._rows()

    @cached_property
    def _digest(self) -> str:
        features = () if self._row_options.features is None else (self._row_options.features,)
        return digest_of(np.frombuffer(self.graph.digest.encode(), np.uint8), self.labelled, self._codes, *features)

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_progress": None}

    def by_node(self) -> NodeStream:
        """The same stream with rows that say which node it is: as many features as nodes, one of them 1.

        It comes in the same order for the same seed, and never needs spectral rows.

        >>> from_graph([[0, 1], [1, 0]], ["x", "y"], d=1).by_node().X.toarray()
        array([[1., 0.], [0., 1.]])
        """
        return NodeStream(self)

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        return {node: i for i, node in enumerate(self.nodes.tolist())}

    @cached_property
    def _table(self) -> Any:
        rows = self._rows()
        return rows if len(self.labelled) == len(rows) else rows[self.labelled]

    def _rows(self) -> FloatArray:
        """The rows of all nodes, computed once however many threads ask."""
        with _COMPUTING:
            return self._computed

    @cached_property
    def _computed(self) -> FloatArray:
        return make_rows(self.graph, self._row_options, self._progress)


class NodeStream(ArrayStream):
    """The stream of a graph with rows that say which node it is.

    >>> NodeStream(from_graph([[0, 1], [1, 0]], ["x", "y"], d=1)).n_features
    2
    """

    no_options = frozenset({"source"})

    def __init__(self, source: GraphStream) -> None:
        n = len(source.labelled)
        shape = (n, len(source.graph))
        table = compact(sp.csr_array((np.ones(n), source.labelled, np.arange(n + 1)), shape=shape))
        super().__init__(table, source._codes, source.classes, source.name, source.shuffle)
        self.options = {"rows": "nodes", "shuffle": source.shuffle}
        self.facts = {key: value for key, value in source.facts.items() if key not in ("d", "weights")}
        self.sha256 = source.sha256
        self.recipe = NodeStream, {"source": source}
        self._graph_digest = source.graph.digest

    def identity(self) -> dict[str, Any]:
        """What decides the rows and labels: the graph, and which nodes have which label."""
        return super().identity() | {"digest": self._graph_digest}


def from_graph(
    graph: Any,
    labels: Any,
    *,
    d: int = 100,
    weights: Any = "1/sqrt",
    unit: bool = True,
    features: Any = None,
    nodes: Sequence[Any] | None = None,
    classes: Sequence[Label] | None = None,
    shuffle: bool = True,
    name: str = "graph",
    progress: Progress | None = None,
) -> GraphStream:
    """A stream of the labelled nodes of a graph, by their spectral rows.

    `graph` is a `onebit.graph.Graph`, an adjacency matrix (NumPy or SciPy sparse; `nodes` names its nodes), a
    networkx graph (the edge attribute `weight` counts if there is one), or a file. A CSV, TSV (both also .gz, .bz2)
    or Parquet file with a header lists one edge per row: the columns `source` and `target`, else the first two,
    and `weight` if there is such a column; its nodes are ordered by their ids. A `.graphml` file needs networkx
    (`pip install onebit[graph]`). Of an edge given several times, the largest weight holds.

    `labels` is a sequence in the order of the nodes (None or NaN: no label), a mapping from node to label
    (or a pandas Series, by its index), a CSV, TSV or Parquet file (the columns `node` and `label`, else the first
    two), or the name of a node attribute of a networkx graph or GraphML file. Where one file has ids as text and the
    other as numbers, they are compared as text.

    Directed edges become undirected, with the larger weight of the two ways; self-loops are dropped; the largest
    component is taken; nodes without a label stay in the graph and are not played. Each of these that happens is
    told by a warning, and kept in `stream.facts["notes"]`. (A list of edges in a file counts as directed if it has
    some edges both ways, and others not.)

    `d`, `weights` and `unit` are those of `spectral_rows`. `features`, a dense or sparse table with a row for each
    node, in their order, joins up to 50 numbers that sum up the features around the node. `classes` fixes the labels
    and their order (default: those that occur, sorted). `progress(what, done, total)` hears of long computations.

    >>> import numpy as np
    >>> ring = np.roll(np.eye(6), 1, axis=0)
    >>> stream = from_graph(ring + ring.T, ["cat", "cat", "cat", "dog", "dog", "dog"], d=2)
    >>> stream.X.shape, stream.y[:2], stream.describe()["edges"]
    ((6, 2), array(['cat', 'cat'], dtype='<U3'), 6)
    """
    source = read_source(graph, nodes, name)
    found = node_labels(labels, source)
    matrix, notes = undirected(source, name)
    kept, cut = largest_component(matrix)
    whole = subgraph(matrix, source.nodes, kept)
    here, skipped = _inside(found, kept, name)
    notes += cut + skipped
    options = RowOptions(d, weights, unit, features_of_nodes(features, len(source.nodes), kept))
    check_options(options, whole)
    known, codes = encode_node_labels(here, whole.nodes, classes)
    for note in notes:
        warnings.warn(f"{name}: {note}", stacklevel=2)
    return GraphStream(
        whole, here.at, codes, known, options, name=name, shuffle=shuffle, notes=notes, progress=progress
    )


def _inside(labels: NodeLabels, kept: IntArray, name: str) -> tuple[NodeLabels, list[str]]:
    """The labels of the nodes of the component, by their new numbers; and a note on those without one."""
    if not labels.values:
        raise DataError(f"labels: no node of {name} has a label; label at least 2 nodes")
    at = np.searchsorted(kept, labels.at)
    inside = kept[np.minimum(at, len(kept) - 1)] == labels.at
    if not inside.any():
        raise DataError(
            f"labels: none of the {len(kept):,} nodes of the largest component of {name} has a label, only nodes "
            "outside; label nodes inside it, or give a graph that joins them"
        )
    values = [label for label, stays in zip(labels.values, inside.tolist(), strict=True) if stays]
    bare = len(kept) - len(values)
    notes = [f"{bare:,} of {len(kept):,} nodes have no label and are skipped"] if bare else []
    return NodeLabels(at[inside], values), notes
