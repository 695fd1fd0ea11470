"""Flip-rate estimators: how often does the bit lie?"""

from onebit.noise.estimate import Estimator, NoiseEstimate
from onebit.noise.live import ESTIMATORS, Reestimated
from onebit.noise.nrest import NREst
from onebit.noise.tail_moment import TailMoment

__all__ = ["ESTIMATORS", "Estimator", "NREst", "NoiseEstimate", "Reestimated", "TailMoment"]
