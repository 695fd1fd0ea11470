"""Columns of raw cases that cannot teach, such as an id: told once by whoever plays, not by each learner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from onebit.features.cases.idle import IdleColumns

if TYPE_CHECKING:
    from onebit.contract.learner import Learner


@contextmanager
def silent(learners: Iterable[Learner]) -> Iterator[None]:
    """Meanwhile these learners do not warn of such columns; `idle_columns` tells afterwards what they found.

    >>> import onebit
    >>> learner = onebit.OneBit(2, cases=onebit.Cases())
    >>> with silent([learner]):
    ...     _ = learner.decide_many([{"id": f"T-{i}"} for i in range(1000)])
    >>> idle_columns([learner])
    ['id']
    """
    encoders = [learner._session.encoder for learner in learners]
    for encoder in encoders:
        if encoder is not None:
            encoder.silent = True
    try:
        yield
    finally:
        for encoder in encoders:
            if encoder is not None:
                encoder.silent = False


def idle_columns(learners: Iterable[Learner]) -> list[str]:
    """The columns that at least one of the learners found to teach nothing, since their values never recur.

    >>> import onebit
    >>> idle_columns([onebit.OneBit(2)])
    []
    """
    encoders = [learner._session.encoder for learner in learners]
    return list(dict.fromkeys(name for one in encoders if one is not None for name in one.without_news))


def warn_of_idle(source: str, columns: list[str]) -> None:
    """One warning for such columns of a stream, if there are any.

    >>> warn_of_idle("tickets.csv", [])
    """
    if columns:
        IdleColumns(source, columns).tell()
