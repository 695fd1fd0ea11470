"""The lessons that a noise estimate waits with, in a `.onebit` file."""

from __future__ import annotations

from typing import Any

import numpy as np

from onebit.contract.archive import Archive
from onebit.contract.noise_window import Estimated, NoiseWindow
from onebit.contract.schema import MOST_COUNTED, Declared, check_form, reals, whole
from onebit.contract.states import arrays
from onebit.core.checks import check_number, check_whole
from onebit.core.errors import FormatError
from onebit.core.lessons import Draws, Lessons
from onebit.feedback import NoiseRates
from onebit.noise.estimate import NoiseEstimate
from onebit.ops.rows import DenseRows, SparseRows

_LEAST_NUMBER = -(2**63)
_LARGEST_NUMBER = 2**63 - 1
_LEAST_PROPENSITY = 5e-324


def window_header(window: NoiseWindow | None) -> dict[str, Any] | None:
    """The counts and the history of a noise estimate."""
    if window is None:
        return None
    history = [[at, *rates, rates.se_0, rates.se_1, rates.notes] for at, rates in window.history]
    return {"lessons": window.lessons, "held": window.held, "history": history}


def window_arrays(window: NoiseWindow | None) -> list[tuple[str, Any]]:
    """The lessons that a noise estimate waits with."""
    if window is None or not window.held:
        return []
    held = window.whole()
    m = window.set_size
    columns = {
        "id": held.id,
        "step": held.step,
        "labels": held.draws.labels[:, :m],
        "top": held.draws.labels[:, m:],
        "propensity": held.draws.propensity,
        "greedy": held.draws.greedy,
        "explored": held.draws.explored.astype(np.int64),
        "answer": held.answer,
    }
    return [(f"window-{name}", array) for name, array in [*columns.items(), *arrays(held.rows)]]


def read_window(archive: Archive, window: NoiseWindow | None, header: Any, width: int) -> None:
    """Put back what a noise estimate had collected from decisions with so many labels."""
    if window is None:
        if header is not None:
            raise FormatError("it holds lessons for a noise estimate, and the learner makes none")
        return
    if header is None:  # of the first format
        return
    window.held = check_whole("held", header["held"], 0, window.every - 1)
    window.lessons = check_whole("lessons", header["lessons"], window.held, MOST_COUNTED)
    window.history = [_estimated(*entry) for entry in header["history"]]
    if not window.held:
        return
    marks = "bool" if archive.form("window-explored").dtype == np.bool_ else "int64"  # files have had both
    found = _read_columns(archive, _columns_schema(window, width, marks), window.layout.dtype)
    rows = _read_rows(archive, window)
    draws = Draws(
        labels=np.hstack([found["labels"], found["top"]]),
        propensity=found["propensity"],
        greedy=found["greedy"],
        explored=found["explored"].astype(np.bool_),
    )
    window.joined = [Lessons(found["id"], found["step"], draws, found["answer"], rows=rows)]


def _estimated(at: Any, rho_0: Any, rho_1: Any, se_0: Any, se_1: Any, notes: Any) -> Estimated:
    """One estimate of the history; a standard error may be NaN."""
    rates = NoiseRates(rho_0, rho_1).checked()
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise FormatError("the notes on a noise estimate are not sentences")
    sure_0, sure_1 = (value if value != value else check_number("se", value, 0) for value in (se_0, se_1))
    lessons = check_whole("lessons", at, 0, MOST_COUNTED)
    return Estimated(lessons, NoiseEstimate(*rates, sure_0, sure_1, tuple(notes)))


def _columns_schema(window: NoiseWindow, width: int, marks: str) -> dict[str, Declared]:
    """What a file may hold of the lessons, but for their rows."""
    n = window.held
    m = window.set_size
    last = window.layout.n_classes - 1
    return {
        "id": whole(n, low=_LEAST_NUMBER, high=_LARGEST_NUMBER),
        "step": whole(n, low=-1),
        "labels": whole(n, m, high=last),
        "top": whole(n, width - m, high=last),
        "propensity": reals(n, low=_LEAST_PROPENSITY, high=1, dtype="float64"),
        "greedy": whole(n, high=last),
        "explored": whole(n, high=1, dtype=marks),
        "answer": whole(n, high=1),
    }


def _read_rows(archive: Archive, window: NoiseWindow) -> DenseRows | SparseRows:
    """The rows of the lessons."""
    n = window.held
    d = window.layout.n_features
    dtype = window.layout.dtype
    if window.layout.kind == "dense":
        return DenseRows(**_read_columns(archive, {"X": reals(n, d)}, dtype))
    entries = archive.form("window-values").shape[0]
    schema = {
        "indptr": whole(n + 1, high=entries),
        "indices": whole(entries, high=d - 1, dtype="uint32"),
        "values": reals(entries),
    }
    rows = SparseRows(**_read_columns(archive, schema, dtype))
    if rows.indptr[0] != 0 or rows.indptr[-1] != entries or (np.diff(rows.indptr) < 0).any():
        raise FormatError("array window-indptr does not divide the entries into rows")
    return rows


def _read_columns(archive: Archive, schema: dict[str, Declared], dtype: str) -> dict[str, Any]:
    """Arrays of the window, each of the form that is declared."""
    found = {}
    for column, declared in schema.items():
        name = f"window-{column}"
        form = archive.form(name)
        check_form(name, declared, form.shape, form.dtype, dtype)
        found[column] = archive.array(name)
        declared.check(name, found[column], dtype)
    return found
