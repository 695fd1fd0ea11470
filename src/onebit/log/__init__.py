"""The decision log: one row per answered decision, in Parquet. Write it, read it, learn from it again."""

from onebit.core.lessons import Draws, Lessons
from onebit.log.reader import read_log
from onebit.log.sinks import check_path
from onebit.log.table import DecisionTable, replay
from onebit.log.writer import DecisionLog

__all__ = [
    "DecisionLog",
    "DecisionTable",
    "Draws",
    "Lessons",
    "check_path",
    "read_log",
    "replay",
]
