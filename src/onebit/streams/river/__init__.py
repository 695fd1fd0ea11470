"""Streams from River: its data sets, its generators, and pairs of a dict row and a label."""

from onebit.streams.river.stream import as_stream, from_river

__all__ = ["as_stream", "from_river"]
