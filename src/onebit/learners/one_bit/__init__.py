"""OneBit: one posterior update for every kind of answer."""

from onebit.learners.one_bit.learner import OneBit

__all__ = ["OneBit"]
