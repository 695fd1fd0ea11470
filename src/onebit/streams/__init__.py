"""Streams of rows and true labels: synthetic, from arrays, from files, and data sets by name."""

from onebit.streams.arrays import from_arrays
from onebit.streams.base import Stream
from onebit.streams.catalog import known
from onebit.streams.datasets import load
from onebit.streams.files import from_file
from onebit.streams.synthetic import synnonsep, synsep

__all__ = ["Stream", "from_arrays", "from_file", "known", "load", "synnonsep", "synsep"]
