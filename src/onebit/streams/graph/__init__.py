"""Streams of the nodes of graphs: read, cleaned, and brought to spectral rows."""

from onebit.streams.graph.planted import planted_graph
from onebit.streams.graph.source import read_graph
from onebit.streams.graph.spectral import spectral_rows
from onebit.streams.graph.stream import GraphStream, from_graph

__all__ = ["GraphStream", "from_graph", "planted_graph", "read_graph", "spectral_rows"]
