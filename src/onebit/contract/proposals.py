"""Decisions that leave the learner as it was, and how likely each label is in one.

A proposal is what `decide` would play, drawn by a key in place of the learner's own generator. What deciding writes to
is copied first (`deciding_state`); what a decision counts, rows and rounds, is counted when its answer is learned.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from onebit.contract.among import Proposing, draw_among, labels_of, open_classes
from onebit.contract.compiled import Entries, entries
from onebit.contract.layout import Layout, check_finite, is_many, settled, to_rows
from onebit.contract.raw_cases import read_cases, reads_cases
from onebit.contract.teaching import copied
from onebit.core.aliases import FloatArray, Rng
from onebit.core.checks import shown
from onebit.core.decision import Decision
from onebit.core.errors import ConfigError, DataError
from onebit.core.lessons import new_draws
from onebit.features.cases.encoder import READ
from onebit.ops.rows import Rows

if TYPE_CHECKING:
    from onebit.contract.learner import Learner

NOBODYS = -1
"""The number of a decision that its learner did not count."""


class AsItIs(NamedTuple):
    """A learner as it is, or as it would begin, and rows as it would read them: nothing is changed."""

    layout: Layout
    state: Any
    entries: Entries
    rows: Rows
    n: int


def as_it_is(learner: Learner, X: Any) -> AsItIs:
    """Rows read and checked, without a change to the learner."""
    session = learner._session
    layout = session.layout or learner._layout_for(X)
    state = session.state if session.layout else learner.start(layout)
    raw = reads_cases(learner, X)
    rows = read_cases(learner, X, READ) if raw else to_rows(X, layout.n_features, layout.kind, learner.dtype)
    check_finite(rows)
    learner.check_rows(rows)
    n = len(rows[0]) - (layout.kind == "sparse")
    return AsItIs(layout, state, entries(learner.compiled_for(state), learner.feedback), rows, n)


def propose(learner: Learner, row: Any, key: Any, among: Any = None) -> Decision:
    """A decision about one row, drawn by the key."""
    numbers = None if among is None else open_classes(learner, among)
    rng = keyed(learner.seed, key)
    row = settled(row)
    now = as_it_is(learner, row)
    if now.n != 1:
        raise DataError(f"row: {now.n} rows are a table; propose takes one row at a time")
    session = learner._session
    draws = new_draws(1, session.width)
    state = learner.deciding_state(now.state)
    if numbers is None:
        hyper = learner.hyper_to_propose(session.hyper)
        session.call(now.entries.decide, now.rows, learner.normalize, rng, draws, state=state, hyper=hyper)
    else:
        draw_among(learner, now.rows, [numbers], draws, Proposing(now.layout, state, now.entries, rng))
    m = session.set_size
    labels = tuple([learner.classes[k] for k in draws.labels[0].tolist()])
    return Decision(
        labels=labels[:m],
        propensity=draws.propensity.item(),
        greedy=learner.classes[draws.greedy.item()],
        explored=draws.explored.item(),
        row=copied(row),
        id=NOBODYS,
        top=labels[m:],
        among=labels_of(learner, numbers),
    )


def pmf(learner: Learner, X: Any) -> FloatArray:
    """How likely a proposal plays each label, for one row or for many."""
    X = settled(X)
    now = as_it_is(learner, X)
    if now.entries.pmf is None:
        raise ConfigError(
            f"{type(learner).__name__} does not say how likely it plays each label; give its functions a compiled `pmf`"
        )
    session = learner._session
    out = np.zeros((now.n, now.layout.n_classes))
    labels = np.zeros(session.width, np.int64)
    state = learner.deciding_state(now.state)
    hyper = learner.hyper_to_propose(session.hyper)
    session.call(now.entries.pmf, now.rows, learner.normalize, labels, out, state=state, hyper=hyper)
    return out if is_many(X) else out[0]


def keyed(seed: int, key: Any) -> Rng:
    """A generator that the key decides, for this seed: the same one for the same key.

    >>> bool((keyed(0, "order 7") == keyed(0, "order 7")).all()), bool((keyed(0, 7) == keyed(0, "7")).any())
    (True, False)
    """
    if isinstance(key, str):
        text = b"s" + key.encode("utf-8", "surrogatepass")
    elif isinstance(key, bytes):
        text = b"b" + key
    elif isinstance(key, int | np.integer) and not isinstance(key, bool):
        text = b"i" + hex(key).encode()  # which ints of any length have
    else:
        raise ConfigError(f"key={shown(key)}: must be a text, bytes or a whole number, such as the id of the event")
    words = np.frombuffer(sha256(seed.to_bytes(16, "little") + text).digest(), np.uint64).copy()
    words[3] |= np.uint64(1)  # PCG64's increment is odd
    return words
