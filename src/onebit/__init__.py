"""Online multiclass classification from one bit of feedback.

>>> import onebit
>>> learner = onebit.Banditron(classes=["billing", "refund", "abuse"])
>>> decision = learner.decide([0.2, 1.0])
>>> learner.learn(decision, decision.label == "refund")
>>> learner.predict([0.2, 1.0])
'refund'
"""

import warnings
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from onebit import bounds, checks, features, kernels, log, noise, streams
from onebit.contract.decisions import Decisions
from onebit.core.decision import Decision
from onebit.core.errors import ConfigError, DataError, FeedbackError, FormatError, OnebitError, OutputError
from onebit.core.registry import register
from onebit.core.version import __version__
from onebit.features.cases.settings import Cases
from onebit.feedback import Bit, Full, NoiseRates, NoisyBit
from onebit.learners import *  # noqa: F403  # every learner is a public name here
from onebit.learners import __all__ as _learners
from onebit.log import read_log
from onebit.plots.boundary.picture import plot_boundaries
from onebit.plots.curves import plot_results
from onebit.simulate.result import Result
from onebit.simulate.simulate import simulate
from onebit.sweep.plan import Arm, Sweep, sweep
from onebit.sweep.results import Results, open_results

__all__ = [
    "Arm",
    "Bit",
    "Cases",
    "ConfigError",
    "DataError",
    "Decision",
    "Decisions",
    "FeedbackError",
    "FormatError",
    "Full",
    "NoiseRates",
    "NoisyBit",
    "OnebitError",
    "OutputError",
    "Result",
    "Results",
    "Sweep",
    "__version__",
    "bounds",
    "checks",
    "features",
    "kernels",
    "log",
    "noise",
    "open_results",
    "plot_boundaries",
    "plot_results",
    "read_log",
    "register",
    "simulate",
    "streams",
    "sweep",
    *_learners,
]

_ON_REQUEST = ("river", "sklearn")


def __getattr__(name: str) -> Any:
    """Rooms that need a library of their own are imported when they are first asked for; old names still work."""
    if name in _ON_REQUEST:
        return import_module(f"onebit.{name}")
    if name == "experiments":
        message = "onebit.experiments is deprecated: use onebit.open_results(folder) and onebit.Results"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return SimpleNamespace(open=open_results, Results=Results)
    raise AttributeError(f"module 'onebit' has no attribute {name!r}")
