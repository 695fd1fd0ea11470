"""What `learn` and `learn_many` are given, checked and as compiled code sees it; and the teaching itself."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from copy import copy
from itertools import groupby
from math import perm
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from onebit.contract.among import drawn_among_all, is_known, why_not
from onebit.contract.compiled import entries
from onebit.contract.layout import Layout, check_finite, to_rows
from onebit.contract.taught import TaughtNumbers
from onebit.core.aliases import IntArray, Label
from onebit.core.checks import is_number, shown
from onebit.core.decision import Decision
from onebit.core.errors import DataError, FeedbackError
from onebit.core.lessons import Draws, Lessons
from onebit.feedback import AnswerKind
from onebit.ops.rows import Rows
from onebit.ops.tables import rows_at

if TYPE_CHECKING:
    from onebit.contract.learner import Learner

_BITS = (bool, np.bool_)

LEAST_DRAW = 2.0**-53
"""The probability of the rarest draw: random numbers have 53 bits."""


def draws_of(learner: Learner, decisions: Sequence[Any]) -> Draws:
    """The decisions in class numbers, or a `FeedbackError` where this learner cannot learn from one."""
    numbers = [numbers_of(learner, decision) for decision in decisions]
    return Draws(
        np.array([labels for labels, _ in numbers], dtype=np.int64),
        np.array([decision.propensity for decision in decisions], dtype=np.float64),
        np.array([greedy for _, greedy in numbers], dtype=np.int64),
        np.array([decision.explored for decision in decisions], dtype=np.bool_),
    )


def numbers_of(learner: Learner, decision: Any) -> tuple[list[int], int]:
    """The numbers of the labels played and believed best, and of the greedy one."""
    if not isinstance(decision, Decision):
        raise FeedbackError(f"decision={shown(decision)}: must be what `decide` returned")
    try:
        taught = learner._session.taught
        done = decision._spent[0] or (taught is not None and decision.id in taught)
        numbers = [learner._codes[label] for label in decision.labels + decision.top]
        greedy = learner._codes[decision.greedy]
        p = decision.propensity
        if type(p) is not float or not LEAST_DRAW <= p <= 1:
            _check_propensity(learner, decision)
        if type(decision.explored) is not bool or type(decision.id) is not int or not -(2**63) <= decision.id < 2**63:
            _check_others(decision)
    except KeyError as missing:
        raise FeedbackError(f"decision {decision.id}: its label {missing} is not among the classes") from None
    except (TypeError, AttributeError, IndexError, ValueError) as error:
        if isinstance(error, FeedbackError):
            raise
        raise FeedbackError(f"decision: its fields are not such as `decide` gives them ({error})") from error
    m = learner.set_size
    sizes = (len(decision.labels), len(decision.top))
    if sizes != (m, learner.top_size):
        raise FeedbackError(
            f"decision {decision.id}: played {sizes[0]} labels with propensity {p} and has "
            f"{sizes[1]} top labels; {type(learner).__name__} needs {m} with a propensity above 0 and up "
            f"to 1, and {learner.top_size} top labels"
        )
    if m > 1 and (len({*numbers[:m]}) < m or len({*numbers[m:]}) < sizes[1]):
        raise FeedbackError(f"decision {decision.id}: played {decision.labels}; the labels of a set must differ")
    if done:
        raise spent(decision.id)
    if 0 <= decision.id < learner._session.changed_at and learner.bound_to_classes:
        raise drawn_from_others(learner, decision.id)
    if decision.among is not None:
        check_among(learner, decision.among, decision.id, {*decision.labels, *decision.top, decision.greedy})
    return numbers, greedy


def check_among(learner: Learner, among: Any, id: int, named: Iterable[Label] = ()) -> None:
    """A `FeedbackError` where a decision among these labels cannot be, or cannot teach; it names some of them."""
    if why := why_not(learner):
        raise FeedbackError(
            f"decision {id}: was drawn among some labels, and {type(learner).__name__} cannot learn from that: {why}"
        )
    if not isinstance(among, tuple):
        raise FeedbackError(f"decision {id}: among={shown(among)}: must be a tuple of labels, or None for all")
    unknown = [label for label in among if not is_known(learner, label)]
    if unknown:
        raise FeedbackError(f"decision {id}: among holds {shown(unknown[0])}, which is not among the classes")
    closed = [label for label in named if label not in among]
    if closed:
        raise FeedbackError(f"decision {id}: names the label {shown(closed[0])}, which is not among {shown(among)}")


def among_column(each: Sequence[tuple[Label, ...] | None]) -> Any:
    """What each of several decisions was drawn among, as lessons carry it; None if all were from all labels.

    >>> among_column([("a", "b"), None])
    array([('a', 'b'), None], dtype=object)
    """
    if all(one is None for one in each):
        return None
    column = np.empty(len(each), object)
    for i, one in enumerate(each):
        column[i] = one
    return column


def drawn_from_others(learner: Learner, id: int) -> FeedbackError:
    """The error for a decision that was drawn from other classes than the present ones, where that matters."""
    return FeedbackError(
        f"decision {id}: was made before the classes changed, and {type(learner).__name__} weighs an answer by how "
        "many labels there were to draw from; learn what has been answered before you change them"
    )


def _check_propensity(learner: Learner, decision: Decision) -> None:
    """A `FeedbackError` where the propensity is no probability with which the learner could have played."""
    p: Any = decision.propensity
    m = learner.set_size
    if not is_number(p) or not 0 < p <= 1:
        raise FeedbackError(
            f"decision {decision.id}: has the propensity {shown(p)}; {type(learner).__name__} needs {m} labels "
            "played with a propensity above 0 and up to 1"
        )
    least = least_propensity(len(learner.classes), m)
    if p < least:
        raise FeedbackError(
            f"decision {decision.id}: has the propensity {p:g}, and no draw of {m} of {len(learner.classes)} labels "
            f"from 53 random bits has one below {least:.2g}; give the probability with which the labels were played"
        )


def least_propensity(n_classes: int, m: int) -> float:
    """The least probability with which m of so many labels can be played: 2^-53, that of one draw, for each order.

    >>> least_propensity(2, 1)
    5.551115123125783e-17
    """
    orders = perm(n_classes, m)
    return max(LEAST_DRAW / orders, sys.float_info.min) if orders < 2**900 else sys.float_info.min


def _check_others(decision: Decision) -> None:
    """A `FeedbackError` where `explored` is no bool, or the number of the decision no whole number of 64 bits."""
    if not isinstance(decision.explored, _BITS):
        raise FeedbackError(f"decision: explored={shown(decision.explored)}: must be True or False")
    number: Any = decision.id
    if not isinstance(number, int | np.integer) or isinstance(number, bool) or not -(2**63) <= number < 2**63:
        raise FeedbackError(f"decision: id={shown(number)}: must be a whole number, or -1 for nobody's decision")


def note_taught(learner: Learner, numbers: IntArray | int) -> None:
    """Remember numbers that the learner has given out as taught; others are not its own."""
    session = learner._session
    if session.taught is None:
        session.taught = TaughtNumbers()
    if isinstance(numbers, np.ndarray):
        session.taught.add_all(numbers[numbers < session.decisions])
    elif numbers < session.decisions:
        session.taught.add(numbers)


def spent(id: int) -> FeedbackError:
    """The error for a decision that has taught already."""
    return FeedbackError(f"decision {id}: already learned; each decision teaches once")


def answer_of(learner: Learner, feedback: Any) -> tuple[AnswerKind, int]:
    """Whether this is a bit or a label, and the bit or the label's number; a `FeedbackError` if it is neither.

    A learner that takes both takes every boolean for a bit, whatever its classes are.
    """
    is_bit = isinstance(feedback, _BITS)
    takes_bits = learner.takes("bit")
    if is_bit and takes_bits:
        return "bit", int(feedback)
    name = type(learner).__name__
    given = shown(feedback)
    if not learner.takes("label"):
        raise FeedbackError(
            f"feedback={given}: {name} learns from a bit, True (right) or False (wrong), not from a label"
        )
    if is_bit and not any(isinstance(label, bool) for label in learner.classes):
        raise FeedbackError(f"feedback={given}: {name} learns from the true label, not from a bit")
    try:
        return "label", learner._codes[feedback]
    except (KeyError, TypeError):
        instead = ", nor is it a bit, True (right) or False (wrong)" if takes_bits else ""
        raise FeedbackError(f"feedback={given}: this label is not among the classes{instead}") from None


def answers_of(learner: Learner, feedback: Any, n: int) -> tuple[list[tuple[AnswerKind, int, int]], IntArray]:
    """The answers to n decisions as numbers, and the stretches start .. stop-1 of them that are of one kind."""
    given = feedback if isinstance(feedback, list | tuple) else np.asarray(feedback)
    shape = (len(given),) if isinstance(given, list | tuple) else given.shape
    if shape != (n,):
        raise FeedbackError(f"feedback: has the shape {shape}, and there are {n} decisions; give one answer to each")
    if isinstance(given, np.ndarray) and given.dtype == np.bool_ and learner.takes("bit"):
        return [("bit", 0, n)] if n else [], given.astype(np.int64)
    each = [answer_of(learner, one) for one in (given if isinstance(given, list | tuple) else given.tolist())]
    stretches = []
    start = 0
    for kind, group in groupby(each, key=lambda one: one[0]):
        stop = start + len(list(group))
        stretches.append((kind, start, stop))
        start = stop
    return stretches, np.array([number for _, number in each], dtype=np.int64)


def one_row(row: Any, layout: Layout) -> Rows:
    """One row in the form of the layout, or a `DataError` for a table."""
    rows = to_rows(row, layout.n_features, layout.kind, layout.dtype)
    if len(rows[0]) != (1 if len(rows) == 1 else 2):
        raise DataError(f"row: {np.shape(row)} is a table; decide and learn take one row at a time")
    return rows


def copied(row: Any) -> Any:
    """A copy that the caller cannot change by changing the row."""
    if isinstance(row, np.ndarray):
        row = row.copy()
        row.flags.writeable = False
        return row
    if isinstance(row, sp.csr_array | sp.csr_matrix):
        same = copy(row)  # its own `copy` checks all of it once more
        same.data = row.data.copy()
        same.indices = row.indices.copy()
        same.indptr = row.indptr.copy()
        return same
    return row.copy() if hasattr(row, "copy") else row


def teach(learner: Learner, kind: AnswerKind, lessons: Lessons, first: int, stop: int) -> None:
    """Learn from the lessons first .. stop-1, whose answers are of one kind; whoever listens hears of them.

    It pauses where the flip rates are due to be estimated, so that they change at the same lesson however the
    lessons are dealt. Decisions among some of the labels teach apart from others: a learner that is told the true label
    learns as if all had been open, since the label alone says what it should have played.
    """
    session = learner._session
    learn = entries(learner.compiled_for(session.state), kind).learn
    n = stop - first
    if session.capacity:
        session.make_room(learner, n)
    while first < stop:
        window = session.window_for(kind)
        restricted = lessons.among is not None and lessons.among[first] is not None
        until = stop if lessons.among is None else _end_of_stretch(lessons.among, first, stop)
        if restricted and learner.feedback == "label":
            until = first + 1
            updates = _teach_as_if_all_were_open(learner, lessons, first)
        else:
            until = until if window is None or restricted else min(until, first + window.room)
            call = session.call_for_one if lessons.draws is session.lesson.draws else session.call
            updates = call(
                learn, lessons.rows, learner.normalize, lessons.draws, lessons.answer, session.worth, session.rng,
                first, until, hyper=learner.hyper_among() if restricted else None,
            )  # fmt: skip
        if updates < 0:
            check_finite(lessons.rows)
        session.updates += updates
        if session.listens(kind):
            at = np.arange(first, until)
            heard = Lessons(
                id=lessons.id[at],
                step=np.full(len(at), session.decisions - 1),
                draws=lessons.draws.at(at),
                answer=lessons.answer[at],
                rows=rows_at(lessons.rows, at) if session.wants_rows(kind) else None,
                among=lessons.among[at] if restricted else None,
            )
            session.hear(heard, kind)
        first = until
    if session.capacity:
        session.make_room(learner, 1, trim=n > 1)


def _end_of_stretch(among: Any, first: int, stop: int) -> int:
    """Up to where decisions were drawn among all labels, or among some of them, as the first one was."""
    until = first + 1
    while until < stop and (among[until] is None) == (among[first] is None):
        until += 1
    return until


def _teach_as_if_all_were_open(learner: Learner, lessons: Lessons, at: int) -> int:
    """One lesson, its label told, about what would have been played now if all labels had been open."""
    session = learner._session
    row = rows_at(lessons.rows, np.array([at]))
    check_finite(row)
    learn = entries(learner.compiled_for(session.state), "label").learn
    draws = drawn_among_all(learner, row)
    answer = lessons.answer[at : at + 1]
    updates = session.call(learn, row, learner.normalize, draws, answer, session.worth, session.rng, 0, 1)
    return int(updates)
