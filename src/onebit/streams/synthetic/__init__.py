"""Streams that are generated: synthetic documents, and strongly, weakly and group separable rows."""

from onebit.streams.synthetic.convex_regions import RegionStream, strong_separable, weak_separable
from onebit.streams.synthetic.group_separable import GroupSeparable, group_separable
from onebit.streams.synthetic.synsep import synnonsep, synsep
from onebit.streams.synthetic.tickets import tickets

__all__ = [
    "GroupSeparable",
    "RegionStream",
    "group_separable",
    "strong_separable",
    "synnonsep",
    "synsep",
    "tickets",
    "weak_separable",
]
