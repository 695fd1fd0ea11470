"""Learners, logs and sweeps that 0.1.0 wrote can be read, and go on; corrected learners go on as corrected."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import onebit
from tests.compatibility.corrected import WHY
from tests.compatibility.make import NEXT, TRAINED, live, plan

FILES = Path(__file__).with_name("files")
KNOWN = json.loads((FILES / "known.json").read_text())
CORRECTED = json.loads(FILES.with_name("corrected.json").read_text())


@pytest.mark.parametrize("file", KNOWN["learners"])
def test_a_learner_goes_on_as_it_should(file: str) -> None:
    known = KNOWN["learners"][file]
    learner = onebit.load(FILES / "learners" / file)
    assert learner.cases is None
    later = {"kernel": "auto"} if learner.name == "one-bit" else {}  # what was not there in 0.1 is off
    assert all(learner.get_params()[name] is None for name in later)
    assert repr(learner.clone(cases="auto", **later)) == known["repr"]
    following = CORRECTED["next"][file] if learner.name in WHY else known["next"]
    assert live(learner, known["kind"], TRAINED, TRAINED + NEXT) == following


@pytest.mark.parametrize("file", KNOWN["logs"])
def test_a_log_is_read_and_replayed(file: str) -> None:
    known = KNOWN["logs"][file]
    table = onebit.read_log(FILES / "logs" / file)
    assert table.learner == known["learner"]
    assert np.asarray(table.played).reshape(TRAINED, -1).tolist() == known["played"]
    assert len(list(onebit.log.replay(table))) == TRAINED


def test_a_sweep_is_read_and_nothing_of_it_is_played_again(tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    shutil.copytree(FILES / "sweep", folder)
    before = {path.name for path in (folder / "cells").iterdir()}
    results = onebit.sweep(plan(), folder, workers=1, progress=False)
    assert results.cells().num_rows == KNOWN["sweep"]["cells"]
    assert [entry.best.setting for entry in results.entries if entry.best] == KNOWN["sweep"]["best"]
    assert {path.name for path in (folder / "cells").iterdir()} == before
