"""Learners, one file per algorithm. `base` holds their contract in prose."""

from onebit.learners.banditron import Banditron
from onebit.learners.base import Learner
from onebit.learners.saving import load

__all__ = ["Banditron", "Learner", "load"]
