"""The state and its file: the names of 0.1.0, every array once, and a state that was pickled on the way."""

from __future__ import annotations

import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest

import onebit
from onebit.contract.states import arrays
from tests.learners.one_bit.live import kept, trained

NAMES = [
    *("W", "P", "prior", "trust", "t", "n", "waiting", "restarts", "fresh"),
    *("seen", "mean", "variance", "counts", "weights", "x", "scale", "indices", "size"),
    *("z", "moved", "p", "q", "g", "D", "s", "hope", "G", "told"),
    *("rho", "evidence", "lying", "line", "watch", "odds", "F", "H"),
]
LENGTHS = {"restarts": 2, "rho": 2, "evidence": 6, "line": 5, "watch": 3}


def test_a_file_has_the_arrays_of_the_first_version(tmp_path: Path) -> None:
    learner = trained(onebit.OneBit(3, kernel=None))
    learner.save(tmp_path / "m.onebit")
    with zipfile.ZipFile(tmp_path / "m.onebit") as archive:
        assert archive.namelist() == ["header.json", *(f"{name}.npy" for name in NAMES)]
        for name, length in LENGTHS.items():
            with archive.open(f"{name}.npy") as entry:
                assert np.lib.format.read_array(entry).shape == (length,)


def test_every_array_of_the_state_is_stored_once() -> None:
    learner = trained(onebit.OneBit(3))
    stored = [id(part) for parts in learner.file_arrays(learner._session.state).values() for part in parts]
    assert sorted(stored) == sorted(id(array) for _, array in arrays(learner._session.state))


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_every_array_comes_back_to_its_own_place(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onebit.OneBit, "schema", lambda self, layout, capacity: None)  # so that any number will do
    monkeypatch.setattr(onebit.OneBit, "check_state", lambda self, state: None)
    learner = trained(onebit.OneBit(3), kind)
    for at, (_, array) in enumerate(arrays(learner._session.state)):
        array[...] = at
    learner.save(tmp_path / "m.onebit")
    for a, b in zip(kept(learner), kept(onebit.load(tmp_path / "m.onebit")), strict=True):
        assert np.array_equal(a, b)


def test_a_pickled_learner_is_saved_as_it_is_now(tmp_path: Path) -> None:
    """Arrays that share memory would part when they are pickled."""
    learner = pickle.loads(pickle.dumps(trained(onebit.OneBit(3), n=20)))
    trained(learner, n=40)
    learner.save(tmp_path / "m.onebit")
    for a, b in zip(kept(learner), kept(onebit.load(tmp_path / "m.onebit")), strict=True):
        assert np.array_equal(a, b)
