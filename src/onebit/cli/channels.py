"""Which kind of feedback goes with which learner."""

from __future__ import annotations

from dataclasses import replace

from onebit.contract.learner import Learner
from onebit.core.errors import FeedbackError
from onebit.feedback import Channel, Delay, channel_text
from onebit.simulate.simulate import usual_channel

LEAVE_OUT = "or leave --feedback out"
"""What to do about feedback that a learner cannot hear."""


def late_channel(learner: Learner, delay: Delay) -> Channel:
    """The usual channel of a learner, with a delay.

    >>> import onebit
    >>> late_channel(onebit.Perceptron(3), 5)
    Full(delay=5)
    """
    return replace(usual_channel(learner), delay=delay)


def check_hears(learner: Learner, channel: Channel, remedy: str = LEAVE_OUT) -> None:
    """A `FeedbackError` where the learner cannot learn from such feedback.

    >>> import onebit
    >>> check_hears(onebit.Perceptron(3), onebit.Bit())
    Traceback (most recent call last):
    onebit.core.errors.FeedbackError: --feedback bit: perceptron needs full; or leave --feedback out
    """
    if not learner.takes(channel.kind):
        fitting = "full" if learner.feedback == "label" else "bit or noisy:RHO_0,RHO_1"
        raise FeedbackError(f"--feedback {channel_text(channel)}: {learner.name} needs {fitting}; {remedy}")
