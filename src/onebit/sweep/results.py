"""The results of a sweep: what its folder holds, as objects and as tables. (`simulate.result` is of one simulation.)"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from onebit.core.checks import check_choice, check_number
from onebit.core.errors import ConfigError, OnebitError
from onebit.core.readable_numbers import seeds_text, student_interval
from onebit.core.text import text_table
from onebit.sweep.agenda import best_place
from onebit.sweep.outcomes import METRICS, Outcomes
from onebit.sweep.store import Store

if TYPE_CHECKING:
    import pandas
    import pyarrow


SUMMARY = ("stream", "feedback", "arm", "setting", "error", "greedy error", "updates", "ns/round")
"""The header of the summary."""


class Paired(NamedTuple):
    """The mean difference between two errors on the same seeds, and its confidence interval."""

    mean: float
    low: float
    high: float
    seeds: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Configuration:
    """One setting of an entry's learner, and what came of it on the tune seeds and on those reported."""

    setting: str
    parameters: Mapping[str, Any]
    tune: Outcomes
    report: Outcomes

    @property
    def search(self) -> Outcomes:
        """What it is judged by: on the tune seeds, or on those reported where nothing was tuned."""
        return self.tune if len(self.tune) else self.report


@dataclass(frozen=True, eq=False)
class EntryResult:
    """What came of one arm on one stream under one channel.

    `best` is the configuration with the lowest error over the tune seeds (over the seeds reported, where nothing was
    tuned), or None while that is open; `report` is what came of it on the seeds reported.
    """

    arm: str
    learner: str
    stream: str
    feedback: str
    rounds: int | None
    classes: int
    features: int
    configurations: tuple[Configuration, ...]
    best: Configuration | None

    @property
    def report(self) -> Outcomes:
        """What came of the best configuration on the seeds reported."""
        return Outcomes.empty() if self.best is None else self.best.report


class Results:
    """The results of a sweep, finished or not.

    Attributes: `folder`; `plan`, the content of its `sweep.json`; `entries`; `failed`, what could not be played.

    >>> import onebit, tempfile
    >>> arms = [onebit.Arm(onebit.Banditron(9), {"gamma": [0.01, 0.1]}), onebit.Perceptron(9)]
    >>> plan = onebit.Sweep.cross(arms, onebit.streams.synsep(2000), seeds=2, tune_seeds=1)
    >>> results = onebit.sweep(plan, tempfile.mkdtemp(), workers=1, progress=False)
    >>> [(entry.arm, entry.best.setting, len(entry.report)) for entry in results.entries]
    [('banditron', 'gamma=0.01', 2), ('perceptron', '', 2)]
    >>> results.cells().num_rows, results.best()["learner"].to_pylist()
    (6, ['banditron', 'perceptron'])
    >>> results.paired("perceptron", "banditron").mean < 0
    True
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        store = Store(folder)
        self.folder = Path(folder)
        self.plan = store.plan()
        planned = {key for entry in self.plan["entries"] for key in _keys(entry)}
        self.failed = tuple(failure for failure in store.failures() if failure["cell"] in planned)
        self._store = store
        self._keys = store.keys()
        self._tables: dict[str, Any] = {}
        lost = {failure["cell"] for failure in self.failed}
        self.entries = tuple(self._entry(record, lost) for record in self.plan["entries"])

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that are reported."""
        return tuple(self.plan["seeds"])

    @property
    def tune_seeds(self) -> tuple[int, ...]:
        """The seeds by which configurations were chosen."""
        return tuple(self.plan["tune_seeds"])

    @cached_property
    def cells_total(self) -> int:
        """How many cells the sweep has."""
        return len({row[0] for row in self._wanted()})

    @cached_property
    def cells_done(self) -> int:
        """How many of them are done."""
        return len({key for key, *_ in self._wanted() if self._table(key) is not None})

    @property
    def complete(self) -> bool:
        """Whether all are done."""
        return self.cells_done == self.cells_total

    def entry(self, arm: str, stream: str | None = None, feedback: str | None = None) -> EntryResult:
        """The entry of these names; those left out must be clear."""
        fits = [
            entry
            for entry in self.entries
            if entry.arm == arm and stream in (None, entry.stream) and feedback in (None, entry.feedback)
        ]
        if len(fits) != 1:
            asked = ", ".join(str(name) for name in (arm, stream, feedback) if name is not None)
            known = "; ".join(f"{e.arm}, {e.stream}, {e.feedback}" for e in (fits or self.entries))
            what = f"{len(fits)} entries fit" if fits else "there is no such entry"
            raise ConfigError(f"entry {asked!r}: {what}; known are {known}")
        return fits[0]

    def cells(self) -> pyarrow.Table:
        """One row per cell that is done: its role and names, and the counts at its end."""
        return self._stacked(lambda table: table.slice(table.num_rows - 1))

    def curves(self) -> pyarrow.Table:
        """One row per cell that is done and checkpoint."""
        return self._stacked(lambda table: table)

    def best(self) -> pyarrow.Table:
        """One row per entry: the configuration chosen, and its errors on the seeds reported."""
        from onebit.sweep.tables import best_table

        return best_table(self)

    def paired(
        self,
        a: str,
        b: str,
        stream: str | None = None,
        feedback: str | None = None,
        *,
        metric: str = "error",
        level: float = 0.95,
    ) -> Paired:
        """The error of arm `a` less that of arm `b`, seed by seed, with Student's confidence interval.

        `feedback` is that of both, where they share it; a seed counts if both have played it.
        """
        check_choice("metric", metric, METRICS)
        check_number("level", level, 0, 1, open_low=True, open_high=True)
        pair = [self.entry(name, stream, feedback) for name in (a, b)]
        return paired_difference(pair[0].report, pair[1].report, metric, level)

    def to_pandas(self) -> pandas.DataFrame:
        """The cells as a pandas data frame, the plan in its `attrs`."""
        try:
            import pandas  # noqa: F401  # Arrow needs it, and says less about how to get it
        except ImportError:
            raise OnebitError("to_pandas: pandas is not installed; run `pip install pandas`") from None
        frame = self.cells().to_pandas()
        frame.attrs["onebit"] = self.plan
        return frame

    def summary(self) -> str:
        """The best of each entry as a table to print, and which seeds tuned and which are reported."""
        lines = text_table(SUMMARY, self.summary_rows(), right=SUMMARY[4:])
        return "\n".join([*lines, "", self.seeds_note()])

    def summary_rows(self) -> list[list[str]]:
        """The cells of that table, under `SUMMARY`: by stream and channel, the lowest error first."""
        from onebit.sweep.tables import summary_rows

        return summary_rows(self)

    def seeds_note(self) -> str:
        """Which seeds are reported, and by which the settings were chosen."""
        reported = f"reported: {_seeds(self.seeds)}"
        if all(len(entry.configurations) == 1 for entry in self.entries):
            return f"{reported}; nothing was tuned"
        what = self.plan["select"].replace("_", " ")
        if not self.tune_seeds:
            return f"{reported}; settings chosen by the {what} on these very seeds, which flatters them"
        return f"{reported}; settings chosen by the {what} on {_seeds(self.tune_seeds)}"

    def __repr__(self) -> str:
        state = "" if self.complete else f", {self.cells_done:,} done"
        return f"<Results of {len(self.entries)} entries, {self.cells_total:,} cells{state}>"

    def _table(self, key: str) -> Any:
        if key not in self._tables:
            self._tables[key] = self._store.read(key) if key in self._keys else None
        return self._tables[key]

    def _outcomes(self, keys: Mapping[str, str]) -> Outcomes:
        found = [(int(seed), table) for seed, key in keys.items() if (table := self._table(key)) is not None]
        return Outcomes.of([seed for seed, _ in found], [table for _, table in found])

    def _entry(self, record: Mapping[str, Any], lost: set[str]) -> EntryResult:
        settings = tuple(
            Configuration(one["setting"], one["parameters"], self._outcomes(one["tune"]), self._outcomes(one["report"]))
            for one in record["configurations"]
        )
        best = self._best(record, settings, lost)
        return EntryResult(
            arm=record["arm"],
            learner=record["learner"],
            stream=record["stream"],
            feedback=record["feedback"],
            rounds=record["rounds"],
            classes=record["classes"],
            features=record["features"],
            configurations=settings,
            best=None if best is None else settings[best],
        )

    def _best(self, record: Mapping[str, Any], settings: Sequence[Configuration], lost: set[str]) -> int | None:
        """The configuration chosen; None while cells are missing that have not failed."""
        role = "tune" if len(settings) > 1 and self.tune_seeds else "report"
        if len(settings) == 1:
            return 0
        keys = [list(one[role].values()) for one in record["configurations"]]
        if any(self._table(key) is None and key not in lost for each in keys for key in each):
            return None
        tables = [[self._table(key) for key in each] for each in keys]
        return best_place([[t if t is None else t[self.plan["select"]][-1].as_py() for t in each] for each in tables])

    def _wanted(self) -> list[tuple[str, str, EntryResult, Configuration]]:
        """The cells of the sweep: name, role, entry and configuration. What is not chosen yet counts by its number."""
        rows = []
        for record, entry in zip(self.plan["entries"], self.entries, strict=True):
            tunes = len(entry.configurations) > 1 and bool(self.tune_seeds)
            for at, (one, found) in enumerate(zip(record["configurations"], entry.configurations, strict=True)):
                if tunes:
                    rows += [(key, "tune", entry, found) for key in one["tune"].values()]
                if not tunes or found is entry.best or (at == 0 and self._is_open(record, entry)):
                    rows += [(key, "report", entry, found) for key in one["report"].values()]
        return rows

    def _is_open(self, record: Mapping[str, Any], entry: EntryResult) -> bool:
        """Whether the best is still to be chosen: it is not where every configuration has failed."""
        lost = {failure["cell"] for failure in self.failed}
        keys = [key for one in record["configurations"] for key in one["tune"].values()]
        return entry.best is None and any(self._table(key) is None and key not in lost for key in keys)

    def _stacked(self, part: Any) -> pyarrow.Table:
        import pyarrow

        parts = []
        for key, role, entry, configuration in self._wanted():
            table = self._table(key)
            if table is None:
                continue
            rows = part(table)
            for at, (name, text) in enumerate({"role": role, "arm": entry.arm}.items()):
                rows = rows.add_column(1 + at, name, pyarrow.array([text] * rows.num_rows))
            rows = rows.add_column(4, "setting", pyarrow.array([configuration.setting] * rows.num_rows))
            parts.append(rows.replace_schema_metadata(None))
        if not parts:
            raise OnebitError(f"{self.folder}: no cell is done yet; run the sweep on")
        return pyarrow.concat_tables(parts)


def open_results(folder: str | os.PathLike[str]) -> Results:
    """Open the folder of a sweep, finished or not: `onebit.open_results`.

    >>> open_results("nowhere")
    Traceback (most recent call last):
    onebit.core.errors.DataError: nowhere: holds no sweep; name a folder that `onebit sweep` has written
    """
    return Results(folder)


def paired_difference(a: Outcomes, b: Outcomes, metric: str = "error", level: float = 0.95) -> Paired:
    """The differences of two outcomes on the seeds that they share. One seed alone says nothing about the interval.

    >>> paired_difference(Outcomes.empty(), Outcomes.empty())
    Traceback (most recent call last):
    onebit.core.errors.OnebitError: paired: the two share no seed that has been played
    """
    seeds = tuple(seed for seed in a.seeds if seed in b.seeds)
    if not seeds:
        raise OnebitError("paired: the two share no seed that has been played")
    errors = [dict(zip(one.seeds, one.of_metric(metric).tolist(), strict=True)) for one in (a, b)]
    differences = [errors[0][seed] - errors[1][seed] for seed in seeds]
    return Paired(*student_interval(differences, level), seeds)


def _keys(entry: Mapping[str, Any]) -> Iterator[str]:
    """Every cell that an entry may have."""
    for one in entry["configurations"]:
        yield from one["tune"].values()
        yield from one["report"].values()


def _seeds(seeds: Sequence[int]) -> str:
    return ("seed " if len(seeds) == 1 else "seeds ") + seeds_text(seeds)
