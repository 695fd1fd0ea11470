"""Separable data: generators of strongly, weakly and group separable streams, and what tells whether data are."""

from onebit.streams.separable.checkers import Separability, separability
from onebit.streams.separable.findings import Finding
from onebit.streams.separable.group import GroupSeparable, group_separable
from onebit.streams.separable.regions import RegionStream, strong_separable, weak_separable

__all__ = [
    "Finding",
    "GroupSeparable",
    "RegionStream",
    "Separability",
    "group_separable",
    "separability",
    "strong_separable",
    "weak_separable",
]
