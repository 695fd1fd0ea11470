"""Streams of rows and true labels: synthetic, from arrays, from files, from graphs, and data sets by name."""

from onebit.streams.arrays import from_arrays
from onebit.streams.base import Stream
from onebit.streams.catalog import known
from onebit.streams.datasets import load
from onebit.streams.files import from_file
from onebit.streams.graph import GraphStream, from_graph, planted_graph, read_graph, spectral_rows
from onebit.streams.synthetic import synnonsep, synsep

__all__ = [
    "GraphStream",
    "Stream",
    "from_arrays",
    "from_file",
    "from_graph",
    "known",
    "load",
    "planted_graph",
    "read_graph",
    "spectral_rows",
    "synnonsep",
    "synsep",
]
