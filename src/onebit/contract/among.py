"""Decisions among some of the labels: which are open, and how one of them is drawn.

A learner that gives a compiled `decide_among` does it by itself. Any other decides on a copy of its state that has only
the open classes, as a learner of just these would; what belongs to no class (clocks, counters) then goes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from onebit.contract.algorithm import Algorithm
from onebit.contract.compiled import Entries
from onebit.contract.layout import Layout
from onebit.core.aliases import FloatArray, Label, Rng
from onebit.core.checks import MOST_CLASSES, shown
from onebit.core.errors import ConfigError, DataError
from onebit.core.labels import plain_label
from onebit.core.lessons import Draws
from onebit.ops.rows import Rows
from onebit.ops.tables import rows_at

if TYPE_CHECKING:
    from onebit.contract.learner import Learner

Open = tuple[int, ...]
"""The numbers of the open classes, in order."""


def open_classes(learner: Learner, among: Any) -> Open | None:
    """The classes that are open for one decision, or None for all of them; a `DataError` where it cannot be."""
    if why := why_not(learner):
        raise ConfigError(f"among: {type(learner).__name__} cannot decide among some of its labels: {why}")
    return _open_classes(learner, among, "among")


def open_classes_of_rows(learner: Learner, among: Any, n: int) -> list[Open | None] | None:
    """The same for each of n rows, from one list of labels for all of them, or a list of such lists; None: all are."""
    if why := why_not(learner):
        raise ConfigError(f"among: {type(learner).__name__} cannot decide among some of its labels: {why}")
    given = _listed(among, "among", n)
    if all(is_known(learner, label) for label in given) or not all(map(_is_list, given)):
        one = _open_classes(learner, given, "among")
        return None if one is None else [one] * n
    if len(given) != n:
        raise DataError(f"among: has {len(given)} lists of labels, and there are {n} rows; give one list for each")
    each = [None if one is None else _open_classes(learner, one, f"among[{i}]") for i, one in enumerate(given)]
    return None if all(one is None for one in each) else each


def why_not(learner: Learner) -> str:
    """Why the learner cannot decide among some of its labels; empty if it can."""
    undivided = (
        learner.compiled_for(learner._session.state).decide_among is None and type(learner).schema is Algorithm.schema
    )
    if undivided and not learner.no_among_because:
        return "it does not say which part of its state belongs to which class; give it a method schema"
    return learner.no_among_because


def labels_of(learner: Learner, numbers: Open | None) -> tuple[Label, ...] | None:
    """The labels of open classes, as a decision carries them."""
    return None if numbers is None else tuple([learner.classes[k] for k in numbers])


class Proposing(NamedTuple):
    """What a proposal is drawn from in place of the learner's own: a state that may be changed, and a generator."""

    layout: Layout
    state: Any
    entries: Entries
    rng: Rng


def draw_among(
    learner: Learner, rows: Rows, each: Sequence[Open], draws: Draws, proposing: Proposing | None = None
) -> int:
    """Decide for each row among the classes that are open for it. The first bad place of a single row, or -1."""
    session = learner._session
    compiled = (proposing or session).entries.decide_among
    if compiled is not None:
        is_open = np.zeros((len(each), len(learner.classes)), np.bool_)
        for i, numbers in enumerate(each):
            is_open[i, list(numbers)] = True
        if proposing:
            rng = proposing.rng
            hyper = learner.hyper_to_propose(session.hyper)
            state = proposing.state
            return int(session.call(compiled, rows, learner.normalize, rng, draws, is_open, state=state, hyper=hyper))
        call = session.call_for_one if draws is session.lesson.draws else session.call
        return int(call(compiled, rows, learner.normalize, session.rng, draws, is_open))
    first = 0
    for numbers, alike in groupby(each):
        stop = first + len(list(alike))
        some = rows if len(each) == 1 else rows_at(rows, np.arange(first, stop))
        bad = _draw_regrouped(learner, some, numbers, draws.at(slice(first, stop)), proposing)
        if bad >= 0:
            return bad
        first = stop
    return -1


def _draw_regrouped(learner: Learner, rows: Rows, numbers: Open, draws: Draws, proposing: Proposing | None) -> int:
    """Decide as a learner of just these classes would."""
    session = learner._session
    layout, state, entries, rng = proposing or (session.layout, session.state, session.entries, session.rng)
    capacity = session.capacity
    assert layout is not None
    hyper = _hyper_for(learner, numbers)
    part = learner.regrouped(state, layout, capacity, numbers, len(numbers))
    bad = session.call(entries.decide, rows, learner.normalize, rng, draws, state=part, hyper=hyper)
    if bad >= 0:
        return int(bad)
    if not proposing:
        learner.bring_back(state, part, layout, capacity)
    place = np.array(numbers)
    draws.labels[...] = place[draws.labels]
    draws.greedy[...] = place[draws.greedy]
    if len(numbers) == session.set_size:
        draws.propensity[...] = 1.0
    return -1


def _hyper_for(learner: Learner, numbers: Open) -> Any:
    """The hyper-parameters of a learner of just these classes; where there is nothing to choose, there is no such."""
    if len(numbers) == learner.set_size:
        return learner._session.hyper
    classes = learner.classes
    try:
        object.__setattr__(learner, "classes", labels_of(learner, numbers))
        learner.check()
        return learner.hyper()
    finally:
        object.__setattr__(learner, "classes", classes)


def drawn_among_all(learner: Learner, rows: Rows) -> Draws:
    """What a learner that is told the true label would have played for one row if all labels had been open."""
    session = learner._session
    scores: FloatArray = np.zeros((1, len(learner.classes)), learner.dtype)
    session.call(session.entries.score, rows, learner.normalize, scores, state=learner.scoring_state(session.state))
    best = np.argsort(-scores[0], kind="stable")
    labels = np.concatenate([best[: learner.set_size], best[: learner.top_size]])
    return Draws(labels[None, :], np.ones(1), best[:1], np.zeros(1, np.bool_))


def _open_classes(learner: Learner, among: Any, name: str) -> Open | None:
    given = _listed(among, name)
    numbers = set()
    for one in given:
        label = plain_label(one)
        if not is_known(learner, label):
            raise DataError(f"{name}: the label {shown(label)} is not among the classes {list(learner.classes)[:10]}")
        if label not in learner._codes:
            raise DataError(
                f"{name}: the label {shown(label)} has been retired; leave it out, or let add_classes return it"
            )
        numbers.add(learner._codes[label])
    if len(numbers) == len(learner.classes):
        return None
    if not numbers:
        raise DataError(
            f"{name}: is empty, so nothing can be played; name the labels that can, or leave it out for all"
        )
    m = learner.set_size
    if len(numbers) < m:
        raise DataError(
            f"{name}: names {len(numbers)} labels, and {type(learner).__name__} plays {m} at a time; name {m} or more"
        )
    return tuple(sorted(numbers))


def _listed(among: Any, name: str, rows: int = 1) -> list[Any]:
    if not isinstance(among, Iterable) or isinstance(among, str | bytes):
        raise DataError(f"{name}={shown(among)}: must be a list of labels")
    most = max(rows, MOST_CLASSES)
    given = list(islice(among, most + 1))
    if len(given) > most:
        raise DataError(
            f"{name}={shown(among)}: names more than {most:,} labels, and there can be no more; name each once"
        )
    return given


def _is_list(given: Any) -> bool:
    return given is None or isinstance(given, list | tuple | set | frozenset | np.ndarray)


def is_known(learner: Learner, label: Any) -> bool:
    """Whether this is a label of the learner, perhaps a retired one."""
    try:
        return label in learner._codes or label in learner._session.retired
    except TypeError:  # it has no hash, so it is no label
        return False
