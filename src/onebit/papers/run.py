"""Running an experiment of a paper: its sweep, then its figures and its table, into one folder."""

from __future__ import annotations

import csv
import io
import json
import os
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from onebit.core.errors import DataError
from onebit.core.files import written_whole
from onebit.papers.base import Experiment, Findings, Row
from onebit.plots.style import save_figure
from onebit.streams import known
from onebit.sweep.plan import Sweep, sweep


def missing(experiment: Experiment) -> list[str]:
    """The data sets that an experiment needs and that are not at hand.

    >>> from onebit.papers import experiment
    >>> missing(experiment("kernel/fig3"))
    []
    """
    there = {entry.name for entry in known() if entry.available}
    return [name for name in experiment.needs if name not in there]


def run_experiment(
    experiment: Experiment,
    folder: str | os.PathLike[str],
    *,
    full: bool = False,
    rounds: int | None = None,
    seeds: int | None = None,
    executor: Executor | str | None = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> tuple[Findings, list[Path]] | None:
    """Play the sweep of an experiment into a folder, read it, and write figures (SVG and PNG) and table (CSV, JSON).

    `full` is as large as in the paper; quick is the default. `rounds` and `seeds` cut it further, for a first look:
    verdicts then mean little. The rows beside the printed ones with the figures, and the files written; None if it
    was interrupted: the same call goes on.

    >>> import tempfile
    >>> from onebit.papers import experiment
    >>> folder = tempfile.mkdtemp()
    >>> findings, files = run_experiment(experiment("kernel/fig3"), folder, rounds=500, seeds=1, progress=False)
    >>> findings.rows[0].verdict in ("reproduces", "better", "does not reproduce", "not comparable")
    True
    """
    if absent := missing(experiment):
        raise DataError(
            f"{experiment.id}: needs {', '.join(absent)}, not in the data folder; `onebit data show {absent[0]}` says "
            "where to get it"
        )
    plan = shortened(experiment.sweep(full), rounds, seeds)
    command = f"onebit paper run {experiment.id}" + (" --full" if full else "")
    results = sweep(plan, folder, executor=executor, workers=workers, progress=progress, command=command)
    if not results.complete:
        return None
    findings = experiment.findings(results, full)
    return findings, _write(experiment, findings, Path(folder), full)


def shortened(plan: Sweep, rounds: int | None, seeds: int | None) -> Sweep:
    """The plan, cut to at most so many rounds and seeds where a number is given."""
    if rounds is None and seeds is None:
        return plan
    return plan.shortened(rounds, len(plan.seeds) if seeds is None else seeds)


def verdicts(rows: tuple[Row, ...]) -> str:
    """How many rows came out how.

    >>> verdicts((Row("a", "1", "1", "reproduces"), Row("b", "1", "2", "better"), Row("c", "1", "1", "reproduces")))
    '2 reproduce, 1 better'
    """
    words = {
        "reproduces": "reproduce",
        "better": "better",
        "does not reproduce": "do not reproduce",
        "not comparable": "not comparable",
    }
    counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in words}
    return ", ".join(f"{n} {words[verdict]}" for verdict, n in counts.items() if n)


def _write(experiment: Experiment, findings: Findings, folder: Path, full: bool) -> list[Path]:
    files = []
    for name, figure in findings.figures.items():
        for suffix in (".svg", ".png"):
            files.append(folder / f"{name}{suffix}")
            save_figure(figure, files[-1])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([Row._fields, *findings.rows])
    about = {"id": experiment.id, "paper": experiment.paper, "title": experiment.title, "about": experiment.about}
    record: dict[str, Any] = about | {"full": full, "rows": [row._asdict() for row in findings.rows]}
    tables = {"table.csv": text.getvalue(), "table.json": json.dumps(record, indent=1, ensure_ascii=False) + "\n"}
    for name, content in tables.items():
        with written_whole(folder / name) as draft:
            draft.write_text(content, encoding="utf-8")
        files.append(folder / name)
    return files
