"""Online multiclass classification from one bit of feedback."""

from onebit.core.decision import Decision
from onebit.core.errors import ConfigError, DataError, FeedbackError, FormatError, OnebitError, OutputError
from onebit.feedback import Bit, Full, NoiseRates, NoisyBit
from onebit.learners import *  # noqa: F403  # every learner is a public name here
from onebit.learners import __all__ as _learners

__version__ = "0.1.0"
