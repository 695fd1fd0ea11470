"""Streams of rows and true labels: synthetic, from arrays, frames, files and graphs, and data sets by name."""

from onebit.separability import Separability, separability
from onebit.streams.arrays import from_arrays
from onebit.streams.base import Stream
from onebit.streams.catalog import known
from onebit.streams.datasets import load
from onebit.streams.files import from_file
from onebit.streams.frames import from_frame
from onebit.streams.graph import GraphStream, from_graph, planted_graph, read_graph, spectral_rows
from onebit.streams.mapped import mapped
from onebit.streams.river import as_stream, from_river
from onebit.streams.synthetic import group_separable, strong_separable, synnonsep, synsep, tickets, weak_separable

__all__ = [
    "GraphStream",
    "Separability",
    "Stream",
    "as_stream",
    "from_arrays",
    "from_file",
    "from_frame",
    "from_graph",
    "from_river",
    "group_separable",
    "known",
    "load",
    "mapped",
    "planted_graph",
    "read_graph",
    "separability",
    "spectral_rows",
    "strong_separable",
    "synnonsep",
    "synsep",
    "tickets",
    "weak_separable",
]
