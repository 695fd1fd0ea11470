"""The sets: those of the data folder's `cases`, and some that public packages ship, read from what was fetched."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from benchmarks.cases import elsewhere
from onebit.core.paths import data_folder

Case = dict[str, Any]

FOLDER = ("banking77", "clinc150", "nursery", "adult", "diamonds", "birdstrikes", "complaints", "netflix")
"""Those of the data folder."""

ELSEWHERE: dict[str, Callable[[Path], Iterator[Case]]] = {
    "debian": elsewhere.debian,
    "fortunes": elsewhere.fortunes,
    "movies": elsewhere.movies,
    "flights": elsewhere.flights,
}
"""Those that nobody looked at while the reading of cases was made, each with how its rows are read."""

NAMES = (*FOLDER, *ELSEWHERE)


class Cases(NamedTuple):
    """A set: its cases, their labels, and a digest of all of it."""

    name: str
    rows: list[Case]
    labels: list[Any]
    digest: str

    @property
    def classes(self) -> list[Any]:
        """The labels that there are."""
        return sorted(set(self.labels))


def available(name: str) -> bool:
    """Whether the set can be read here."""
    if name in ELSEWHERE:
        return elsewhere.fetched(name)
    folder = data_folder()
    return folder is not None and (Path(folder) / "cases" / f"{name}.parquet").exists()


@lru_cache(maxsize=1)
def load(name: str) -> Cases:
    """The set as it comes; its labels are taken out of the cases."""
    if name in ELSEWHERE:
        rows = list(ELSEWHERE[name](elsewhere.folder()))
    else:
        rows = pq.read_table(Path(data_folder()) / "cases" / f"{name}.parquet").to_pylist()
    digest = hashlib.sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Cases(name, rows, [row.pop("label") for row in rows], digest)
