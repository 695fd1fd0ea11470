"""Separable data: generators of strongly, weakly and group separable streams."""

from onebit.streams.separable.group import GroupSeparable, group_separable
from onebit.streams.separable.regions import RegionStream, strong_separable, weak_separable

__all__ = ["GroupSeparable", "RegionStream", "group_separable", "strong_separable", "weak_separable"]
