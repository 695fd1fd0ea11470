"""Seeds, folders, the registry, and files written whole."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.core.errors import ConfigError, OutputError
from onebit.core.files import written_whole
from onebit.core.paths import cache_folder, data_folder
from onebit.core.registry import learner_class, learner_names
from onebit.core.seeds import bit_generator, check_seed


def test_branches_and_seeds_give_different_generators_and_the_same_ones_again() -> None:
    branches: list[Any] = ["stream", "channel", "learner", "structure"]
    first = {(seed, b): bit_generator(seed, b).random_raw() for seed in range(20) for b in branches}
    assert len(set(first.values())) == 80
    assert first[7, "channel"] == bit_generator(7, "channel").random_raw()


@pytest.mark.parametrize("seed", [-1, 1.0, "1", None, True])
def test_bad_seeds(seed: Any) -> None:
    with pytest.raises(ConfigError, match="seed="):
        check_seed(seed)
    assert check_seed(np.int32(5)) == 5


def test_folders_follow_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("ONEBIT_CACHE", "ONEBIT_DATA", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "onebit"
    assert data_folder() == tmp_path / ".local" / "share" / "onebit"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert cache_folder() == tmp_path / "x" / "onebit"
    monkeypatch.setenv("ONEBIT_DATA", str(tmp_path / "data"))
    assert data_folder() == tmp_path / "data"


def test_every_learner_is_registered_and_public() -> None:
    assert learner_names() == [
        "bandit-pa", "bandit-perceptron", "banditron", "confidit", "gpa", "kernel-bandit", "lin-ucb", "mc-dbf",
        "mc-slp", "molg-b", "molg-f", "msg", "one-bit", "oslg", "oslg-bandit", "page-rank-ucb", "perceptron",
        "pnewtron", "rcine", "rcnbf", "second-order-kernel", "set-banditron", "soba", "soba-diagonal",
    ]  # fmt: skip
    for name in learner_names():
        cls = learner_class(name)
        assert getattr(onebit, cls.__name__) is cls
    with pytest.raises(ConfigError, match="known are bandit-pa"):
        learner_class("zzzz")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "sub" / "file.txt"
    with written_whole(target) as draft:
        draft.write_text("first")
    with pytest.raises(ZeroDivisionError), written_whole(target) as draft:
        draft.write_text(str(1 / 0))
    assert target.read_text() == "first"
    assert list(target.parent.iterdir()) == [target]
    assert target.stat().st_mode & 0o444, "readable like any other file"
    with pytest.raises(OutputError, match="Not a directory"), written_whole(target / "below") as draft:
        pass
