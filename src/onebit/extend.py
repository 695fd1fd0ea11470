"""The door for authors: all that a learner or a kind of feedback of your own needs, from one import.

See "Write your own learner" in the documentation. The compiled functions are ordinary Numba code; `weights` and
`random` are modules of operations that they may call.

>>> from onebit.extend import Functions, Layout, Learner, jit, number, random, register, weights
"""

from onebit.checks import check_learner
from onebit.contract.compiled import (
    Decide,
    Draw,
    Functions,
    LearnBit,
    LearnLabel,
    Score,
    linear_score,
)
from onebit.contract.kernel_learner import KernelLearner
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import checked, choice, number
from onebit.contract.schema import reals, room, whole, zeros
from onebit.contract.set_learner import SetLearner
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.checks import check_choice, check_flag, check_number, check_whole
from onebit.core.errors import ConfigError, DataError, FormatError
from onebit.core.registry import register
from onebit.feedback import Channel, Delay, NoiseRates, flipped
from onebit.ops import random, rows, sets, softmax, weights
from onebit.ops.jit import jit
from onebit.ops.rows import Row, Rows

__all__ = [
    "Channel",
    "ConfigError",
    "DataError",
    "Decide",
    "Delay",
    "Draw",
    "FloatArray",
    "FormatError",
    "Functions",
    "IntArray",
    "KernelLearner",
    "Layout",
    "LearnBit",
    "LearnLabel",
    "Learner",
    "NoiseRates",
    "Rng",
    "Row",
    "Rows",
    "Score",
    "SetLearner",
    "check_choice",
    "check_flag",
    "check_learner",
    "check_number",
    "check_whole",
    "checked",
    "choice",
    "flipped",
    "jit",
    "linear_score",
    "number",
    "random",
    "reals",
    "register",
    "room",
    "rows",
    "sets",
    "softmax",
    "weights",
    "whole",
    "zeros",
]
