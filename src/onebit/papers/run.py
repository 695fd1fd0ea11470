"""Running an experiment of a paper: its sweep, then its figures and its table, into one folder."""

from __future__ import annotations

import csv
import io
import json
import os
from concurrent.futures import Executor
from pathlib import Path
from time import perf_counter
from typing import Any

from onebit.core.errors import DataError
from onebit.core.files import written_whole
from onebit.papers.base import MEANINGS, Experiment, Findings, Row, too_short
from onebit.plots.style import save_figure
from onebit.streams import known
from onebit.sweep.plan import Sweep, sweep
from onebit.sweep.results import Results

TABLE = "table.json"
CORES = 2
"""Times are told as if played on so many cores."""


def default_folder(id: str, full: bool) -> Path:
    """Where an experiment is played unless another folder is named.

    >>> default_folder("soba/fig2", full=True).parts
    ('papers', 'full', 'soba', 'fig2')
    """
    return Path("papers") / "full" / id if full else Path("papers") / id


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

    `full` is as long as in the paper, and gives verdicts; quick, the default, is a first look, which gives none
    unless it is all that the paper plays. `rounds` and `seeds` cut it further. The rows beside the printed ones with
    the figures, and the files written; None if it was interrupted: the same call goes on.

    >>> import tempfile
    >>> from onebit.papers import experiment
    >>> folder = tempfile.mkdtemp()
    >>> findings, files = run_experiment(experiment("kernel/fig3"), folder, rounds=500, seeds=1, progress=False)
    >>> {row.verdict for row in findings.rows} <= {"too short", "not comparable", "ours"}
    True
    """
    if absent := missing(experiment):
        raise DataError(
            f"{experiment.id}: needs {', '.join(absent)}, not in the data folder; `onebit data show {absent[0]}` says "
            "where to get it"
        )
    start = perf_counter()
    results = None
    if experiment.sweep is not None:
        plan = shortened(experiment.sweep(full), rounds, seeds)
        command = f"onebit paper run {experiment.id}" + (" --full" if full else "")
        results = sweep(plan, folder, executor=executor, workers=workers, progress=progress, command=command)
        if not results.complete:
            return None
    findings = experiment.findings(results, full)
    judge = _may_judge(experiment, full, cut=rounds is not None or seeds is not None)
    if not judge:
        rows = tuple(too_short(row, "a first look") for row in findings.rows)
        findings = Findings(rows, findings.figures)
    minutes = (perf_counter() - start if results is None else cell_seconds(results) / CORES) / 60
    return findings, _write(experiment, findings, Path(folder), full, judge, minutes)


def _may_judge(experiment: Experiment, full: bool, cut: bool) -> bool:
    """Whether a run is as long as the paper's: in full, or quick where that is the whole; where nothing is played."""
    return experiment.sweep is None or ((full or experiment.whole) and not cut)


def shortened(plan: Sweep, rounds: int | None, seeds: int | None) -> Sweep:
    """The plan, cut to at most so many rounds and seeds where a number is given."""
    if rounds is None and seeds is None:
        return plan
    return plan.shortened(rounds, len(plan.seeds) if seeds is None else seeds)


def cell_seconds(results: Results) -> float:
    """How long the cells of a sweep took, one after another, whenever they were played."""
    return float(sum(results.cells()["seconds"].to_pylist()))


def took(folder: str | os.PathLike[str]) -> float | None:
    """How many minutes on two cores the run in a folder took; None if there is no finished one.

    >>> took("no/such/folder") is None
    True
    """
    try:
        record = json.loads((Path(folder) / TABLE).read_text(encoding="utf-8"))
        return float(record["minutes"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def verdicts(rows: tuple[Row, ...]) -> str:
    """How many rows came out how.

    >>> verdicts((Row("a", "1", "1", "reproduces"), Row("b", "1", "2", "ours"), Row("c", "1", "1", "reproduces")))
    '2 reproduces, 1 ours'
    """
    counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in MEANINGS}
    return ", ".join(f"{n} {verdict}" for verdict, n in counts.items() if n)


def _write(
    experiment: Experiment, findings: Findings, folder: Path, full: bool, judged: bool, minutes: float
) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, figure in findings.figures.items():
        for suffix in (".svg", ".png"):
            files.append(folder / f"{name}{suffix}")
            save_figure(figure, files[-1])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([Row._fields, *findings.rows])
    about = {"id": experiment.id, "paper": experiment.paper, "title": experiment.title, "about": experiment.about}
    rows = [row._asdict() for row in findings.rows]
    record: dict[str, Any] = about | {"full": full, "judged": judged, "minutes": round(minutes, 2), "rows": rows}
    tables = {"table.csv": text.getvalue(), TABLE: json.dumps(record, indent=1, ensure_ascii=False) + "\n"}
    for name, content in tables.items():
        with written_whole(folder / name) as draft:
            draft.write_text(content, encoding="utf-8")
        files.append(folder / name)
    return files
