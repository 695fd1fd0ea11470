"""The tables and figures of the five papers, reproduced: one folder per paper, one file per table or figure."""

from __future__ import annotations

from importlib import import_module

from onebit.core.checks import did_you_mean
from onebit.core.errors import ConfigError
from onebit.papers.base import Experiment, Findings, Row, Verdict

IDS = (
    "soba/fig1",
    "soba/fig2",
    "mc-dbf/fig2",
    "mc-dbf/fig3",
    "mc-dbf/fig4",
    "mc-dbf/fig5",
    "mc-dbf/fig6",
    "rcnbf/table1",
    "rcnbf/fig2",
    "rcnbf/fig3",
    "molg/table1",
    "molg/fig1",
    "molg/fig2",
    "kernel/fig2",
    "kernel/fig3",
    "kernel/fig4-5",
)
"""Every experiment there is."""

NOT_RUN = {
    "mc-dbf/fig1": "a drawing of three kinds of feedback, with nothing to measure",
    "mc-dbf/table1": "the best γ of Figure 2: mc-dbf/fig2 has them",
    "rcnbf/fig1": "a drawing of three kinds of feedback, with nothing to measure",
    "kernel/fig1": "a drawing of three definitions, with no data",
}
"""The other tables and figures of the papers, and why there is no experiment of their own."""

__all__ = ["IDS", "NOT_RUN", "Experiment", "Findings", "Row", "Verdict", "experiment"]


def experiment(id: str) -> Experiment:
    """The experiment of that id.

    >>> experiment("kernel/fig4-5").id
    'kernel/fig4-5'
    >>> experiment("soba/fig3")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: id='soba/fig3': there is no such experiment; did you mean soba/fig2?
    >>> experiment("kernel/fig1")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: id='kernel/fig1': cannot be run: a drawing of three definitions, with no data
    """
    if id in NOT_RUN:
        raise ConfigError(f"id={id!r}: cannot be run: {NOT_RUN[id]}")
    if id not in IDS:
        raise ConfigError(f"id={id!r}: there is no such experiment; {did_you_mean(id, IDS)}")
    found: Experiment = import_module(f"onebit.papers.{id.replace('/', '.').replace('-', '_')}").EXPERIMENT
    return found
