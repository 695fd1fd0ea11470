"""What `Learner.learn` is given, checked and as kernels see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from onebit.core.decision import Decision
from onebit.core.errors import FeedbackError
from onebit.feedback import Kind
from onebit.learners.kernels import Draw

if TYPE_CHECKING:
    from onebit.learners.base import Learner

_BITS = (bool, np.bool_)


def draw_of(learner: Learner, decision: Any) -> Draw:
    """The decision in class numbers, or a `FeedbackError` where this learner cannot learn from it."""
    if not isinstance(decision, Decision):
        raise FeedbackError(f"decision={decision!r}: must be what `decide` returned")
    if decision._spent:
        raise FeedbackError(f"decision {decision.id}: already learned; each decision teaches once")
    try:
        numbers = [learner._codes[label] for label in decision.labels + decision.top]
        greedy = learner._codes[decision.greedy]
    except KeyError as missing:
        raise FeedbackError(f"decision {decision.id}: its label {missing} is not among the classes") from None
    m, sizes = learner.set_size, (len(decision.labels), len(decision.top))
    if sizes != (m, learner.top_size) or not 0 < decision.propensity <= 1:
        raise FeedbackError(
            f"decision {decision.id}: played {sizes[0]} labels with propensity {decision.propensity} and has "
            f"{sizes[1]} top labels; {type(learner).__name__} needs {m} with a propensity above 0 and up "
            f"to 1, and {learner.top_size} top labels"
        )
    if m > 1 and len({*numbers[:m]}) < m:
        raise FeedbackError(f"decision {decision.id}: played {decision.labels}; the labels of a set must differ")
    return Draw(np.array(numbers, dtype=np.int64), decision.propensity, greedy, decision.explored, False)


def answer_of(learner: Learner, feedback: Any) -> tuple[Kind, int]:
    """Whether this is a bit or a label, and the bit or the label's number; a `FeedbackError` if it is neither.

    A learner that takes both takes every boolean for a bit, whatever its classes are.
    """
    is_bit, takes_bits = isinstance(feedback, _BITS), learner.takes("bit")
    if is_bit and takes_bits:
        return "bit", int(feedback)
    name = type(learner).__name__
    if not learner.takes("label"):
        raise FeedbackError(
            f"feedback={feedback!r}: {name} learns from a bit, True (right) or False (wrong), not from a label"
        )
    if is_bit and not any(isinstance(label, bool) for label in learner.classes):
        raise FeedbackError(f"feedback={feedback!r}: {name} learns from the true label, not from a bit")
    try:
        return "label", learner._codes[feedback]
    except (KeyError, TypeError):
        instead = ", nor is it a bit, True (right) or False (wrong)" if takes_bits else ""
        raise FeedbackError(f"feedback={feedback!r}: this label is not among the classes{instead}") from None
