"""The tables and figures of the five papers, reproduced: one folder per paper, one file per table or figure."""

from __future__ import annotations

from importlib import import_module

from onebit.core.checks import did_you_mean
from onebit.core.errors import ConfigError
from onebit.papers.base import Experiment, Findings, Row, Verdict

IDS = (
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
    "kernel/fig3",
    "kernel/fig4-5",
)
"""Every experiment there is."""

__all__ = ["IDS", "Experiment", "Findings", "Row", "Verdict", "experiment"]


def experiment(id: str) -> Experiment:
    """The experiment of that id.

    >>> experiment("kernel/fig4-5").id
    'kernel/fig4-5'
    >>> experiment("soba/fig3")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: id='soba/fig3': there is no such experiment; did you mean soba/fig2?
    """
    if id not in IDS:
        raise ConfigError(f"id={id!r}: there is no such experiment; {did_you_mean(id, IDS)}")
    found: Experiment = import_module(f"onebit.papers.{id.replace('/', '.').replace('-', '_')}").EXPERIMENT
    return found
