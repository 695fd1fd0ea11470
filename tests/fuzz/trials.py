"""The trials of the room, by name: each makes a hostile case from random choices and tries it in a folder."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from onebit.core.registry import learner_class, learner_names
from tests.fuzz import labels, lives, logs, raw_cases, sweeps

Trial = Callable[[random.Random, Path], None]


def _trials() -> dict[str, Trial]:
    found: dict[str, Trial] = {
        "lives": lives.trial,
        "labels": labels.trial,
        "log-bytes": logs.trial_bytes,
        "log-columns": logs.trial_columns,
        "sweep-folders": sweeps.trial,
        "cases": raw_cases.trial,
        "case-frames": raw_cases.trial_frames,
        "case-files": raw_cases.trial_files,
    }
    for module, more in (("files", _file_trials), ("rows", _row_trials), ("flags", _flag_trials)):
        if find_spec(f"tests.fuzz.{module}"):
            found |= more(importlib.import_module(f"tests.fuzz.{module}"))
    return found


def _file_trials(files: Any) -> dict[str, Trial]:
    def changed_file(draw: random.Random, folder: Path) -> None:
        life = lives.new_life(draw)
        lives.live(life, draw, draw.choice([0, 1, 40]))
        path = folder / "changed.onebit"
        life.learner.save(path)
        path.write_bytes(files.mutate(path.read_bytes(), draw))
        files.exercise(path)

    return {"files": changed_file}


def _row_trials(rows: Any) -> dict[str, Trial]:
    def hostile_row(draw: random.Random, folder: Path) -> None:
        rows.exercise(learner_class(draw.choice(learner_names())).__name__, rows.hostile_row(draw))

    def hostile_table(draw: random.Random, folder: Path) -> None:
        rows.exercise(learner_class(draw.choice(learner_names())).__name__, rows.hostile_table(draw))

    return {"rows": hostile_row, "tables": hostile_table}


def _flag_trials(flags: Any) -> dict[str, Trial]:
    def hostile_command(draw: random.Random, folder: Path) -> None:
        flags.exercise_command(flags.hostile_command(draw), folder)

    def hostile_plan(draw: random.Random, folder: Path) -> None:
        plan = folder / "plan.toml"
        plan.write_text(flags.hostile_plan(draw), encoding="utf-8", errors="surrogatepass")
        flags.exercise_command(["sweep", str(plan)], folder)

    def hostile_data(draw: random.Random, folder: Path) -> None:
        ending, content = flags.hostile_table(draw)
        table = folder / f"table{ending}"
        table.write_bytes(content)
        run = ["run", "banditron", "--data", str(table), "--label", "y", "--rounds", "20"]
        flags.exercise_command(draw.choice([run, run, ["data", "show", str(table)], ["noise", str(table)]]), folder)

    def hostile_lessons(draw: random.Random, folder: Path) -> None:
        flags.exercise_lessons(draw, folder)

    return {"flags": hostile_command, "plans": hostile_plan, "data-files": hostile_data, "lessons": hostile_lessons}


TRIALS = _trials()
"""Every trial. It ends well or with an `onebit.OnebitError`; anything else is a failure."""
