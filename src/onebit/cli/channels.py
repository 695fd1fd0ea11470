"""Which kind of feedback goes with which learner."""

from __future__ import annotations

from onebit.contract.learner import Learner
from onebit.core.errors import FeedbackError
from onebit.feedback import Channel, channel_usages

LEAVE_OUT = "or leave --feedback out"
"""What to do about feedback that a learner cannot hear."""


def check_hears(learner: Learner, channel: Channel, remedy: str = LEAVE_OUT) -> None:
    """A `FeedbackError` where the learner cannot learn from such feedback.

    >>> import onebit
    >>> check_hears(onebit.Perceptron(3), onebit.Bit())
    Traceback (most recent call last):
    onebit.core.errors.FeedbackError: --feedback bit: perceptron needs full; or leave --feedback out
    """
    if not learner.takes(channel.kind):
        fitting = channel_usages(learner.feedback)
        raise FeedbackError(f"--feedback {channel.text}: {learner.name} needs {fitting}; {remedy}")
