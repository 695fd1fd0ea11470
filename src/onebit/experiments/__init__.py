"""Simulations and sweeps of them: how they are played, kept and summed up."""

from onebit.experiments.results import Results
from onebit.experiments.results import open_results as open

__all__ = ["Results", "open"]
