"""Many decisions at a time: a sequence of them, kept column by column, and how it is made and learned from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from onebit.contract.among import Open, draw_among, labels_of, open_classes_of_rows
from onebit.contract.classes import Standing, labels_named, named_retired, new_labels, with_labels
from onebit.contract.layout import Layout, check_finite, is_many, settled, to_rows
from onebit.contract.raw_cases import ReadCases, first_layout, read_many, reads_cases, row_of_decision
from onebit.contract.scales import warn_of_scale
from onebit.contract.teaching import (
    among_column,
    answers_of,
    check_among,
    drawn_from_others,
    draws_of,
    note_taught,
    one_row,
    spent,
    teach,
)
from onebit.core.aliases import FloatArray, IntArray, Label
from onebit.core.checks import shown
from onebit.core.decision import Decision
from onebit.core.errors import DataError, FeedbackError
from onebit.core.labels import label_array
from onebit.core.lessons import Draws, Lessons, new_lessons
from onebit.feedback import AnswerKind
from onebit.ops.rows import DenseRows, Rows
from onebit.ops.tables import copied_rows, joined_rows, rows_at, to_table

if TYPE_CHECKING:
    from onebit.contract.learner import Learner


class Decisions(Sequence[Decision]):
    """What a learner played for the rows of a table, column by column; each entry is a `Decision`.

    Attributes, one entry per row: `labels`, those played (one column per label of a set), `propensity`, `greedy`,
    `explored`, `id`, `top` and `among`, as for a single `Decision`. A slice, a list of positions or a mask gives some
    of them, in that order, for the answers that have come; each decision teaches once, in whatever part it is taken.

    >>> import onebit
    >>> learner = onebit.Banditron(["cat", "dog"], gamma=0.2)
    >>> decisions = learner.decide_many([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> decisions
    Decisions(3 made, ids 0 to 2)
    >>> decisions[0].label, decisions.propensity
    ('cat', array([0.9, 0.9, 0.9]))
    >>> learner.learn_many(decisions[[2, 0]], [True, False])
    """

    def __init__(
        self,
        classes: tuple[Label, ...],
        set_size: int,
        layout: Layout,
        lessons: Lessons,
        spent: NDArray[np.bool_],
        at: IntArray,
        read: ReadCases | None = None,
    ) -> None:
        self._classes = classes
        self._set_size = set_size
        self._layout = layout
        self._lessons = lessons  # all that one call of `decide_many` made; every part that is taken of it shares them
        self._spent = spent
        self._at = at
        self._read = read

    @property
    def labels(self) -> Any:
        """The labels played: an array of n, or (n, m) where a decision plays m."""
        m = self._set_size
        played = self._named(self._lessons.draws.labels[self._at, :m])
        return played[:, 0] if m == 1 else played

    @property
    def propensity(self) -> FloatArray:
        """The exact probability with which each was played."""
        return self._lessons.draws.propensity[self._at]

    @property
    def greedy(self) -> Any:
        """The labels believed best."""
        return self._named(self._lessons.draws.greedy[self._at])

    @property
    def explored(self) -> NDArray[np.bool_]:
        """Which of the draws came from the learner's uniform exploration."""
        return self._lessons.draws.explored[self._at]

    @property
    def id(self) -> IntArray:
        """The learner's running numbers."""
        return self._lessons.id[self._at]

    @property
    def top(self) -> Any:
        """The labels that a set learner believed best, (n, k); k is 0 elsewhere."""
        return self._named(self._lessons.draws.labels[self._at, self._set_size :])

    @property
    def among(self) -> tuple[tuple[Label, ...] | None, ...] | None:
        """The labels that could be played for each, None where all of them could; None if that holds for each."""
        each = self._among()
        return None if each is None or all(one is None for one in each) else tuple(each)

    def _among(self) -> Any:
        """The same as an array, as lessons carry it."""
        each = self._lessons.among
        return None if each is None else each[self._at]

    def _named_labels(self) -> list[Label]:
        """The labels that any of them names."""
        draws = self._lessons.draws.at(self._at)
        used = np.unique(np.concatenate([draws.labels.ravel(), draws.greedy]))
        return [self._classes[k] for k in used.tolist()]

    def _named(self, numbers: IntArray) -> Any:
        return label_array(self._classes)[numbers]

    def __len__(self) -> int:
        return len(self._at)

    @overload
    def __getitem__(self, which: int) -> Decision: ...

    @overload
    def __getitem__(self, which: Any) -> Self: ...

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, slice):
            return self._part(self._at[which])
        if isinstance(which, int | np.integer) and not isinstance(which, bool):
            return self._single(int(self._at[which]))
        chosen = np.asarray(which)
        return self._part(self._at[chosen if chosen.size else chosen.astype(np.int64)])

    def _part(self, at: IntArray) -> Self:
        return type(self)(self._classes, self._set_size, self._layout, self._lessons, self._spent, at, self._read)

    def _single(self, i: int) -> Decision:
        draws = self._lessons.draws
        labels = tuple(self._classes[k] for k in draws.labels[i].tolist())
        rows = self._lessons.rows
        dense = isinstance(rows, DenseRows)
        one = rows.X[i] if dense else rows_at(rows, np.array([i]))
        read = self._read
        row = one if dense else to_table(one, self._layout.n_features) if read is None else read.cases[i]
        return Decision(
            labels[: self._set_size],
            float(draws.propensity[i]),
            self._classes[draws.greedy[i]],
            bool(draws.explored[i]),
            row,
            int(self._lessons.id[i]),
            labels[self._set_size :],
            self._spent[i : i + 1],  # type: ignore[arg-type]  # an array is as good as a list here
            None if read is None else (read.token, one),
            None if self._lessons.among is None else self._lessons.among[i],
        )

    def __repr__(self) -> str:
        span = f", ids {self.id.min()} to {self.id.max()}" if len(self) else ""
        return f"Decisions({len(self)} made{span})"


def decide_many(learner: Learner, X: Any, among: Any = None) -> Decisions:
    """See `Learner.decide_many`."""
    if not (is_many(X) or sp.issparse(X)):
        raise DataError("X: is one row; give a table of rows, or take `decide`")
    X = settled(X)
    session = learner._session
    each = None if among is None else open_classes_of_rows(learner, among, _number_of_rows(X))
    read = read_many(learner, X) if reads_cases(learner, X) else None
    layout = session.layout or learner._layout_for(X)
    rows = to_rows(X, layout.n_features, layout.kind, learner.dtype) if read is None else read.rows
    check_finite(rows)
    learner.check_rows(rows)
    if session.layout is None:
        learner.begin(layout)
        warn_of_scale(learner, layout.kind, rows)
    at = np.arange(len(rows[0]) - (layout.kind == "sparse"))
    made = new_lessons(len(at), session.width)._replace(
        id=session.decisions + at, rows=copied_rows(rows) if read is None else rows
    )
    if each is None:
        session.call(session.entries.decide, rows, learner.normalize, session.rng, made.draws)
    else:
        _draw_each(learner, rows, each, made.draws)
        made = made._replace(among=among_column([labels_of(learner, numbers) for numbers in each]))
    session.decisions += len(at)
    return Decisions(learner.classes, learner.set_size, layout, made, np.zeros(len(at), np.bool_), at, read)


def _number_of_rows(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _draw_each(learner: Learner, rows: Rows, each: list[Open | None], draws: Draws) -> None:
    """Decide for each row among the classes that are open for it, or all (None), stretch by stretch."""
    session = learner._session
    first = 0
    for restricted, alike in groupby(each, key=lambda numbers: numbers is not None):
        stop = first + len(list(alike))
        some = rows_at(rows, np.arange(first, stop))
        part = draws.at(slice(first, stop))
        if restricted:
            draw_among(learner, some, [numbers for numbers in each[first:stop] if numbers is not None], part)
        else:
            session.call(session.entries.decide, some, learner.normalize, session.rng, part)
        first = stop


def learn_many(learner: Learner, decisions: Any, feedback: Any) -> None:
    """See `Learner.learn_many`. Everything is checked before anything is learned."""
    if not isinstance(decisions, Iterable):
        raise FeedbackError(f"decisions={shown(decisions)}: give what `decide_many` returned, or a list")
    taken = decisions if isinstance(decisions, Decisions) else list(decisions)
    if learner._session.retired or learner.takes_new_labels:
        told = feedback if isinstance(feedback, list | tuple) else np.asarray(feedback).ravel().tolist()
        new = new_labels(learner, told)
        named = taken._named_labels() if isinstance(taken, Decisions) else chain.from_iterable(map(labels_named, taken))
        gone = named_retired(learner, named, told)
        if new or gone:
            _learn_in_turn(learner, taken, told, new, gone)
            return
    stretches, lessons, layout = _checked(learner, taken, feedback)
    if layout is None:
        return
    if learner._session.layout is None:
        learner.begin(layout)
    _spend(taken)
    for kind, first, stop in stretches:
        teach(learner, kind, lessons, first, stop)
    others = (lessons.id < 0) | (lessons.id >= learner._session.decisions)
    learner.count_decisions(learner._session.state, int(others.sum()))
    note_taught(learner, lessons.id)


def _learn_in_turn(
    learner: Learner, taken: Decisions | list[Decision], told: Any, new: list[Label], gone: list[Label]
) -> None:
    """Learn one by one, since the classes change on the way; all is checked before, with all labels there."""
    before = Standing.of(learner)
    with with_labels(learner, new, gone):
        _checked(learner, taken, told)
    before.restore(learner)
    for decision, answer in zip(taken, told, strict=True):
        learner.learn(decision, answer)


def _checked(
    learner: Learner, taken: Decisions | list[Decision], feedback: Any
) -> tuple[list[tuple[AnswerKind, int, int]], Lessons, Layout | None]:
    """The stretches of answers of one kind, the lessons, and the layout of their rows, None if there are none."""
    draws = _draws_of(learner, taken) if isinstance(taken, Decisions) else draws_of(learner, taken)
    stretches, answers = answers_of(learner, feedback, len(taken))
    id = taken.id if isinstance(taken, Decisions) else np.array([decision.id for decision in taken])
    if not stretches:
        return stretches, Lessons(id, id, draws, answers), None
    for kind, _, _ in stretches:
        learner._session.check_log(kind)
    _check_once(learner, taken, id)
    rows, layout = _rows_of(learner, taken)
    among = taken._among() if isinstance(taken, Decisions) else among_column([one.among for one in taken])
    return stretches, Lessons(id, id, draws, answers, rows=rows, among=among), layout


def _draws_of(learner: Learner, decisions: Decisions) -> Draws:
    """The columns in the learner's class numbers, or a `FeedbackError` where it cannot learn from them."""
    at = decisions._at
    done = decisions.id[decisions._spent[at]]
    if len(done):
        raise spent(int(done[0]))
    draws = decisions._lessons.draws.at(at)
    m = decisions._set_size
    sizes = (m, draws.labels.shape[1] - m)
    if sizes != (learner.set_size, learner.top_size):
        raise FeedbackError(
            f"decisions: played {sizes[0]} labels each and have {sizes[1]} top labels; {type(learner).__name__} needs "
            f"{learner.set_size} and {learner.top_size}"
        )
    if len(at) and learner.bound_to_classes:
        own = decisions.id[decisions.id < learner._session.changed_at]
        if len(own):
            raise drawn_from_others(learner, int(own[0]))
    for open_labels in dict.fromkeys(decisions.among or ()):
        if open_labels is not None:
            check_among(learner, open_labels, int(decisions.id[0]))
    if decisions._classes == learner.classes:
        return draws
    unknown = [label for label in decisions._named_labels() if label not in learner._codes]
    if unknown:
        raise FeedbackError(f"decisions: their label {unknown[0]!r} is not among the classes")
    number = np.array([learner._codes.get(label, -1) for label in decisions._classes])
    return draws._replace(labels=number[draws.labels], greedy=number[draws.greedy])


def _rows_of(learner: Learner, decisions: Decisions | list[Decision]) -> tuple[Rows, Layout]:
    """The rows of the decisions in the learner's form, and its layout, which the first ones fix."""
    layout = learner._session.layout
    if reads_cases(learner, decisions[0].row):
        rows: Rows = joined_rows([row_of_decision(learner, decision) for decision in decisions])
        learner.check_rows(rows)
        return rows, learner._session.layout or first_layout(learner)
    if isinstance(decisions, Decisions):
        rows = decisions._lessons.rows
        if not np.array_equal(decisions._at, np.arange(decisions._lessons.size)):
            rows = rows_at(rows, decisions._at)
        theirs = decisions._layout
        width = learner.n_features or theirs.n_features
        layout = layout or Layout(len(learner.classes), width, theirs.kind, learner.dtype)
        if layout[1:] != theirs[1:]:
            rows = to_rows(to_table(rows, theirs.n_features), layout.n_features, layout.kind, layout.dtype)
            check_finite(rows)
    else:
        layout = layout or learner._layout_for(decisions[0].row)
        rows = joined_rows([one_row(decision.row, layout) for decision in decisions])
        check_finite(rows)
    learner.check_rows(rows)
    return rows, layout


def _check_once(learner: Learner, decisions: Decisions | list[Decision], id: IntArray) -> None:
    """A `FeedbackError` where one of the decisions is among them twice, or has taught as a copy."""
    taught = learner._session.taught
    own = id[id < learner._session.decisions]
    if taught is not None and (number := taught.first_of(own)) is not None:
        raise spent(number)
    if isinstance(decisions, Decisions):
        places = np.flatnonzero(np.bincount(decisions._at) > 1)
        twice = decisions._lessons.id[places].tolist()
    else:
        values, counts = np.unique(own[own >= 0], return_counts=True)
        twice = values[counts > 1].tolist() + _marked_twice(decisions)
    if twice:
        raise FeedbackError(f"decision {twice[0]}: given twice; each decision teaches once")


def _marked_twice(decisions: list[Decision]) -> list[int]:
    """The numbers of objects that are in the list more than once; parts of one `Decisions` share their marks."""
    found = []
    for decision in decisions:
        if decision._spent[0]:
            found.append(decision.id)
        decision._spent[0] = True
    for decision in decisions:
        decision._spent[0] = False
    return found


def _spend(decisions: Decisions | list[Decision]) -> None:
    """Mark decisions as learned."""
    if isinstance(decisions, Decisions):
        decisions._spent[decisions._at] = True
        return
    for decision in decisions:
        decision._spent[0] = True
