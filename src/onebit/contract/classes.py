"""Labels that come and go: how the classes of a learner change while it lives.

A class that joins begins at the prior, behind the others. One that is retired takes its part of the state with it,
which is kept aside and comes back with it. What belongs to the others is copied as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from onebit.contract.live_log import LiveLog
from onebit.core.aliases import Label
from onebit.core.checks import MOST_CLASSES, shown
from onebit.core.decision import Decision
from onebit.core.errors import ConfigError
from onebit.core.labels import check_labels, flaw_of, plain_label

if TYPE_CHECKING:
    from onebit.contract.learner import Learner

_STANDING = ("state", "layout", "capacity", "hyper", "window", "retired", "changed_at")


class Standing(NamedTuple):
    """All that a change of classes replaces, so that it can be undone."""

    classes: tuple[Label, ...]
    session: dict[str, Any]

    @classmethod
    def of(cls, learner: Learner) -> Standing:
        """As it is now. What is replaced is never written to."""
        return cls(learner.classes, {name: getattr(learner._session, name) for name in _STANDING})

    def restore(self, learner: Learner) -> None:
        """Back to this."""
        for name, value in self.session.items():
            setattr(learner._session, name, value)
        _name_classes(learner, self.classes)
        _tell_log(learner)


def add_classes(learner: Learner, classes: Any) -> None:
    """See `Learner.add_classes`."""
    labels = check_labels(classes)
    known = [label for label in labels if label in learner._codes]
    if known:
        raise ConfigError(f"classes: the label {shown(known[0])} is among the classes already; leave it out")
    if len(learner.classes) + len(labels) > MOST_CLASSES:
        raise ConfigError(f"classes: {len(labels)} more would be above {MOST_CLASSES:,}, the most that there can be")
    if labels:
        change_classes(learner, (*learner.classes, *labels))


def retire(learner: Learner, classes: Any) -> None:
    """See `Learner.retire`."""
    labels = check_labels(classes)
    if not labels:
        return
    unknown = [label for label in labels if label not in learner._codes]
    if unknown:
        gone = "has been retired before" if unknown[0] in learner._session.retired else "is not among the classes"
        raise ConfigError(f"classes: the label {shown(unknown[0])} {gone}; leave it out")
    if learner.no_retiring_because:
        raise ConfigError(f"classes: {type(learner).__name__} cannot retire a label: {learner.no_retiring_because}")
    least = max(2, learner.set_size + 1)
    if len(learner.classes) - len(labels) < least:
        raise ConfigError(
            f"classes={shown(list(labels))}: at least {least} of the {len(learner.classes)} labels must stay, or no "
            "answer would tell anything; add others first"
        )
    leaving = set(labels)
    change_classes(learner, tuple(label for label in learner.classes if label not in leaving))


def change_classes(learner: Learner, classes: tuple[Label, ...]) -> None:
    """Make these the classes: some of the present ones, in their order, and behind them others.

    Where it cannot be, everything stays as it was.
    """
    session = learner._session
    before = Standing.of(learner)
    if session.layout is not None and learner.schema(session.layout, session.capacity) is None:
        raise ConfigError(
            f"classes: {type(learner).__name__} does not say which part of its state belongs to which class; give it a "
            "method schema"
        )
    if isinstance(session.log, LiveLog):
        session.log.check_classes(classes)
    try:
        _name_classes(learner, classes)
        learner.check()
        _regroup(learner, before.classes)
        session.hyper = learner.hyper()
        session.changed_at = session.decisions
        _tell_log(learner)
    except BaseException:
        before.restore(learner)
        raise


def _name_classes(learner: Learner, classes: tuple[Label, ...]) -> None:
    object.__setattr__(learner, "classes", classes)
    object.__setattr__(learner, "_codes", {label: k for k, label in enumerate(classes)})


def _tell_log(learner: Learner) -> None:
    if isinstance(learner._session.log, LiveLog):
        learner._session.log.change_classes(learner.classes)


def _regroup(learner: Learner, before: tuple[Label, ...]) -> None:
    """Bring the state from the classes before to the present ones, and lay aside or take back what is retired."""
    session = learner._session
    retired = session.retired
    leaving = [label for label in before if label not in learner._codes]
    joining = [label for label in learner.classes if label not in set(before)]
    parts = dict.fromkeys(leaving)
    if session.layout is not None:
        parts = dict(zip(leaving, parts_of(learner, [before.index(label) for label in leaving]), strict=True))
    session.retired = {label: part for label, part in retired.items() if label not in learner._codes} | parts
    if session.layout is None:
        return
    kept = [k for k, label in enumerate(before) if label in learner._codes]
    returning = {learner._codes[label]: part for label in joining if (part := retired.get(label)) is not None}
    regroup_state(learner, kept, returning)
    if leaving or returning:
        learner.recount(session.state)
    if session.window is not None:
        session.window = session.window.begun_again(session.layout)


def parts_of(learner: Learner, classes: Iterable[int]) -> list[Any]:
    """What of the state belongs to each of these classes."""
    session = learner._session
    assert session.layout is not None
    return [learner.class_part(session.state, session.layout, session.capacity, k) for k in classes]


def regroup_state(learner: Learner, kept: Sequence[int], returning: dict[int, Any]) -> None:
    """The state for the present classes: those kept of the ones before, those that return, the others at the prior."""
    session = learner._session
    assert session.layout is not None
    K = len(learner.classes)
    state = learner.regrouped(session.state, session.layout, session.capacity, kept, K)
    session.layout = session.layout._replace(n_classes=K)
    session.state = state
    for k, part in returning.items():
        session.capacity = learner.capacity(session.state, 1)
        session.state = learner.put_class_part(session.state, session.layout, session.capacity, k, part)
    session.capacity = learner.capacity(session.state, 1)


@contextmanager
def all_there(learner: Learner) -> Iterator[None]:
    """Retired labels stand behind the others, as a file keeps them, for the time being; nothing is counted again."""
    before = Standing.of(learner)
    session = learner._session
    retired = session.retired
    K = len(before.classes)
    try:
        if retired:
            _name_classes(learner, (*before.classes, *retired))
            learner.check()
            session.retired = {}
            if session.layout is not None:
                returning = {k: part for k, part in enumerate(retired.values(), K) if part is not None}
                regroup_state(learner, range(K), returning)
        yield
    finally:
        before.restore(learner)


def widen(learner: Learner, n_features: int) -> None:
    """Let the state have so many columns, and what is kept of retired labels too, so that it fits when they return."""
    session = learner._session
    layout = session.layout
    assert layout is not None
    with all_there(learner):
        everything = session.layout
        assert everything is not None
        wider = everything._replace(n_features=n_features)
        state = learner.widened(session.state, everything, wider)
    K = layout.n_classes
    if session.retired:
        capacity = session.capacity
        retired = enumerate(session.retired.items(), K)
        session.retired = {
            label: None if part is None else learner.class_part(state, wider, capacity, k)
            for k, (label, part) in retired
        }
        state = learner.regrouped(state, wider, capacity, range(K), K)
    session.state = state
    session.layout = layout._replace(n_features=n_features)


def set_aside(learner: Learner, n_retired: int) -> None:
    """The last classes of a learner from a file are those that had been retired."""
    session = learner._session
    K = len(learner.classes) - n_retired
    retired = learner.classes[K:]
    parts = [None] * n_retired if session.layout is None else parts_of(learner, range(K, K + n_retired))
    _name_classes(learner, learner.classes[:K])
    session.retired = dict(zip(retired, parts, strict=True))
    if session.layout is not None:
        regroup_state(learner, range(K), {})
        session.window = session.window and session.window.begun_again(session.layout)
    session.hyper = learner.hyper()


def new_labels(learner: Learner, answers: Iterable[Any]) -> list[Label]:
    """The told labels that an open learner has not heard of, each once, in their order."""
    if not learner.takes_new_labels:
        return []
    found: dict[Label, None] = {}
    for answer in answers:
        label = plain_label(answer)
        if label is None or isinstance(label, bool) or not _is_hashable(label) or flaw_of(label) is not None:
            continue
        if label not in learner._codes and label not in learner._session.retired:
            found[label] = None
    return list(found)


def _is_hashable(label: Any) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True


def named_retired(learner: Learner, named: Iterable[Any], answers: Iterable[Any]) -> list[Label]:
    """The retired labels among those that decisions name and those that are told, each once."""
    retired = learner._session.retired
    if not retired:
        return []
    told = [plain_label(answer) for answer in answers if not isinstance(answer, bool | np.bool_)]
    return [label for label in dict.fromkeys(filter(_is_hashable, [*named, *told])) if label in retired]


def labels_named(decision: Any) -> list[Any]:
    """The labels that a decision names, if it is one."""
    if not isinstance(decision, Decision):
        return []
    several = [part for part in (decision.labels, decision.top) if isinstance(part, tuple)]
    return [label for part in several for label in part] + [decision.greedy]


@contextmanager
def with_labels(learner: Learner, new: Sequence[Label], retired: Sequence[Label]) -> Iterator[None]:
    """New labels join for good, retired ones for the time being; after an error all is as it was.

    The lessons learned here are not heard by a noise estimate: it knows the labels of its own time only.
    """
    before = Standing.of(learner)
    session = learner._session
    try:
        if new:
            add_classes(learner, new)
        lasting = learner.classes
        changed_at = session.changed_at
        window = session.window
        if retired:
            change_classes(learner, (*lasting, *retired))
            session.window = None
        yield
        if retired:
            change_classes(learner, lasting)
            session.window = window
            session.changed_at = changed_at
    except BaseException:
        before.restore(learner)
        raise
