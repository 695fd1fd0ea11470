"""What travels to a worker."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import onebit
from onebit.sweep.run.tasks import Parcel, opened


def large() -> onebit.streams.Stream:
    X = np.random.default_rng(0).random((2000, 100))
    return onebit.streams.from_arrays(X, np.arange(2000) % 3)


def test_a_large_stream_travels_by_file_to_workers_of_this_machine(tmp_path: Path) -> None:
    stream = large()
    parcel = Parcel.of(stream, tmp_path)
    assert isinstance(parcel.content, str)
    assert opened(parcel).identity() == stream.identity()
    assert opened(parcel) is opened(Parcel.of(large()))
    assert isinstance(Parcel.of(stream).content, bytes)


def test_a_data_set_travels_by_its_recipe(tmp_path: Path) -> None:
    parcel = Parcel.of(onebit.streams.load("digits", normalize=True), tmp_path)
    assert isinstance(parcel.content, bytes)
    assert len(parcel.content) < 500
    assert opened(parcel).identity() == onebit.streams.load("digits", normalize=True).identity()


def test_only_a_few_streams_are_kept() -> None:
    parcels = [Parcel.of(onebit.streams.synsep(10, structure_seed=s)) for s in range(6)]
    first = opened(parcels[0])
    for parcel in parcels[1:]:
        opened(parcel)
    assert opened(parcels[0]) is not first
    assert opened(parcels[-1]) is opened(parcels[-1])


def test_a_sweep_over_a_large_table(tmp_path: Path) -> None:
    plan = onebit.Sweep.cross([onebit.Banditron(3)], large(), rounds=2000, seeds=2)
    results = onebit.sweep(plan, tmp_path, workers=1, progress=False)
    assert results.entries[0].report.errors.tolist() == onebit.simulate(onebit.Banditron(3), large(), seeds=2).errors
