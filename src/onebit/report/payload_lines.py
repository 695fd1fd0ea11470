"""The lines that the page draws: error over rounds, and error against each parameter that was searched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log, log2
from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.core.checks import is_number
from onebit.plots.style import COLOURS
from onebit.sweep.outcomes import METRICS, Outcomes
from onebit.sweep.results import Configuration, EntryResult

_DASHES = ("", "1.5 4", "8 4 1.5 4")
_TOLD_DASHES = ("7 4", "3 3", "12 3 3 3")


class Group(NamedTuple):
    """The entries of one stream and feedback; `told` are those beside them that were told every label."""

    stream: str
    feedback: str
    entries: tuple[EntryResult, ...]
    told: tuple[EntryResult, ...]

    @property
    def title(self) -> str:
        """The heading of a panel."""
        return f"{self.stream}, {self.feedback} feedback"

    @property
    def members(self) -> tuple[EntryResult, ...]:
        """All entries, those told every label last."""
        return self.entries + self.told


def entry_groups(entries: Iterable[EntryResult]) -> list[Group]:
    """Entries by stream and feedback. One that alone was told every label joins the others of its stream.

    >>> from types import SimpleNamespace as Entry
    >>> entries = [Entry(stream="synsep", feedback=kind) for kind in ("bit", "full", "bit")]
    >>> [(group.title, len(group.entries), len(group.told)) for group in entry_groups(entries)]
    [('synsep, bit feedback', 2, 1)]
    """
    by_place: dict[tuple[str, str], list[EntryResult]] = {}
    for entry in entries:
        by_place.setdefault((entry.stream, entry.feedback), []).append(entry)
    alone = {}
    for stream, feedback in by_place:
        others = [kind for name, kind in by_place if name == stream and not _is_full(kind)]
        if _is_full(feedback) and others and len(by_place[stream, feedback]) == 1:
            alone[stream, feedback] = by_place[stream, feedback][0]
    return [
        Group(*place, tuple(members), tuple(entry for (stream, _), entry in alone.items() if stream == place[0]))
        for place, members in by_place.items()
        if place not in alone
    ]


def arm_styles(entries: Sequence[EntryResult]) -> list[dict[str, Any]]:
    """A name, a colour and a dash for each arm. Beside arms that heard bits, one told every label is grey.

    >>> from types import SimpleNamespace as Entry
    >>> arms = arm_styles([Entry(arm="a", feedback="bit"), Entry(arm="b", feedback="full")])
    >>> [(arm["name"], arm["colour"], arm["dash"]) for arm in arms]
    [('a', 'c0', ''), ('b', 'told', '7 4')]
    """
    kinds: dict[str, set[bool]] = {}
    for entry in entries:
        kinds.setdefault(entry.arm, set()).add(_is_full(entry.feedback))
    mixed = any(False in heard for heard in kinds.values())
    styles = []
    coloured = 0
    grey = 0
    for name, heard in kinds.items():
        if mixed and heard == {True}:
            styles.append({"name": name, "colour": "told", "dash": _TOLD_DASHES[grey % len(_TOLD_DASHES)]})
            grey += 1
        else:
            turn, place = divmod(coloured, len(COLOURS))
            styles.append({"name": name, "colour": f"c{place}", "dash": _DASHES[turn % len(_DASHES)]})
            coloured += 1
    return styles


def curve_panels(groups: Iterable[Group], arms: Sequence[str]) -> list[dict[str, Any]]:
    """A panel of learning curves for each group in which somebody has played."""
    panels = []
    for group in groups:
        lines = [
            {"arm": arms.index(entry.arm), "x": entry.report.rounds.tolist()} | _bands(entry.report)
            for entry in group.members
            if len(entry.report)
        ]
        if lines:
            panels.append({"title": group.title, "label": "rounds", "lines": lines})
    return panels


def search_panels(groups: Iterable[Group], arms: Sequence[str]) -> list[dict[str, Any]]:
    """A panel for each parameter of a group that had at least two numbers to choose from."""
    panels: dict[str, list[dict[str, Any]]] = {}
    for group in groups:
        lines: dict[str, list[dict[str, Any]]] = {}
        for entry in group.members:
            for parameter in searched(entry):
                line = _search_line(entry, parameter)
                if line is not None:
                    lines.setdefault(parameter, []).append({"arm": arms.index(entry.arm)} | line)
        for parameter, found in lines.items():
            values = sorted({value for line in found for value in line["x"]})
            scale = {"log": is_geometric(values), "powers": are_powers_of_two(values)}
            panel = {"title": f"{parameter}: {group.title}", "label": parameter, "lines": found} | scale
            panels.setdefault(parameter, []).append(panel)
    return [panel for of_parameter in panels.values() for panel in of_parameter]


def searched(entry: EntryResult) -> list[str]:
    """The parameters of which the configurations of an entry have at least two numbers."""
    names = dict.fromkeys(name for configuration in entry.configurations for name in configuration.parameters)
    return [
        name for name in names if len({_number(c.parameters.get(name)) for c in entry.configurations} - {None}) >= 2
    ]


def is_geometric(values: Sequence[float]) -> bool:
    """Whether sorted values are spaced more evenly on a log axis than on a linear one.

    >>> is_geometric([0.01, 0.1, 1]), is_geometric([1, 2, 3]), is_geometric([0.5, 5]), is_geometric([0, 1, 10])
    (True, False, True, False)
    """
    if values[0] <= 0:
        return False
    if len(values) < 3:
        return values[-1] >= 3 * values[0]
    return _unevenness([log(value) for value in values]) < _unevenness(values)


def are_powers_of_two(values: Sequence[float]) -> bool:
    """Whether values are best written as powers of two: all are, and some would be long otherwise.

    >>> are_powers_of_two([2**-13, 2**-2]), are_powers_of_two([0.5, 1, 2]), are_powers_of_two([0.001, 0.5])
    (True, False, False)
    """
    return all(value > 0 and log2(value).is_integer() for value in values) and not 0.1 <= values[0] <= values[-1] <= 100


def rounded(values: FloatArray) -> list[float]:
    """Four digits of each value: as many as a screen can show, and few bytes.

    >>> rounded(np.array([0.123456, 1.0]))
    [0.1235, 1.0]
    """
    return [float(f"{value:.4g}") for value in values]


def _bands(runs: Outcomes) -> dict[str, list[list[float]]]:
    """Mean, lowest and highest of both errors at each checkpoint; of a single seed, the mean alone."""
    bands = {}
    for metric, mistakes in zip(METRICS, (runs.mistakes, runs.greedy_mistakes), strict=True):
        rates = mistakes / runs.rounds
        parts = [rates.mean(axis=0)] + ([rates.min(axis=0), rates.max(axis=0)] if len(runs) > 1 else [])
        bands[metric] = [rounded(part) for part in parts]
    return bands


def _search_line(entry: EntryResult, parameter: str) -> dict[str, Any] | None:
    """The lowest mean error at each value of a parameter, over the values of the others; None if nobody has played."""
    played: dict[float, list[Configuration]] = {}
    for configuration in entry.configurations:
        value = _number(configuration.parameters.get(parameter))
        if value is not None and len(configuration.search):
            played.setdefault(value, []).append(configuration)
    if not played:
        return None
    values = sorted(played)
    line: dict[str, Any] = {"x": values}
    for metric in METRICS:
        lowest = [min(c.search.of_metric(metric).mean() for c in played[value]) for value in values]
        line[metric] = [rounded(np.array(lowest))]
    chosen = None if entry.best is None else _number(entry.best.parameters.get(parameter))
    return line | ({"chosen": values.index(chosen)} if chosen in played else {})


def _number(value: Any) -> float | None:
    return value if is_number(value) else None


def _unevenness(values: Sequence[float]) -> float:
    steps = np.diff(values)
    return float(np.std(steps) / np.mean(steps))


def _is_full(feedback: str) -> bool:
    return feedback.startswith("full")
