"""Ctrl-C on the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from onebit.engine.match import Match
from onebit.simulate import simulate as simulations
from onebit.simulate.simulate import simulate, simulate_match
from tests.cli.conftest import Command

PLAY = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the parent ignores it
from contextlib import contextmanager
from onebit.cli import main
from onebit.simulate import simulate

@contextmanager
def bar(show, title, total):
    yield lambda played: print(played, file=sys.stderr, flush=True)

simulate.progress_bar = bar
sys.exit(main(sys.argv[1:]))
"""


def test_a_real_interrupt_leaves_a_usable_table_and_exit_3(tmp_path: Path) -> None:
    arguments = ["run", "banditron", "--data", "synsep", "--rounds", "1e9", "--seeds", "3", "--out", str(tmp_path)]
    command = [sys.executable, "-c", PLAY, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if int(line) > 0:
                break
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert out.splitlines()[-1].startswith("banditron  bit")
    assert "onebit: warning: interrupted; rounds played of 1,000,000,000: " in err
    assert "Traceback" not in err
    assert json.loads((tmp_path / "banditron.json").read_text())["complete"] is False


def strike_at(learner: str, play: Callable[..., Any] = simulate_match) -> Callable[..., Any]:
    """The same as `play`, but for one learner, before whose first round Ctrl-C strikes."""

    def struck(first: Any, *more: Any, **options: Any) -> Any:
        pattern = first.learner if isinstance(first, Match) else first
        if pattern.name == learner:
            raise KeyboardInterrupt
        return play(first, *more, **options)

    return struck


def test_finished_learners_are_shown(onebit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onebit.cli.run.simulate_match", strike_at("perceptron"))
    outcome = onebit("run", "banditron", "perceptron", "--data", "iris")
    assert outcome.code == 3
    assert outcome.out.splitlines()[-1].startswith("banditron")
    assert outcome.err == "onebit: warning: interrupted before perceptron began\n"


def test_nothing_played_is_a_failure(onebit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onebit.cli.run.simulate_match", strike_at("banditron"))
    outcome = onebit("run", "banditron", "perceptron", "--data", "iris")
    assert outcome.code == 130
    assert outcome.one_line_error == "interrupted before anything was played"


def test_a_partial_result_ends_the_run(onebit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def bar(*given: Any) -> Iterator[Callable[[int], None]]:
        def update(played: int) -> None:
            if played:
                raise KeyboardInterrupt

        yield update

    monkeypatch.setattr(simulations, "progress_bar", bar)
    outcome = onebit("run", "banditron", "perceptron", "--data", "synsep", "--rounds", "1e9", "--json")
    assert outcome.code == 3
    (record,) = json.loads(outcome.out)["results"]
    assert not record["complete"]
    assert outcome.err.startswith("onebit: warning: interrupted; rounds played of 1,000,000,000: ")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(("learner", "code"), [("perceptron", 3), ("banditron", 130)])
def test_an_interrupted_demo(
    onebit: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, learner: str, code: int
) -> None:
    monkeypatch.setattr("onebit.cli.demo.simulate", strike_at(learner, simulate))
    monkeypatch.setattr("onebit.cli.demo.ROUNDS", {"synnonsep": 50, "digits": 50, "tickets": 50})
    outcome = onebit("demo", "--out", tmp_path)
    assert outcome.code == code
    assert not list(tmp_path.iterdir())
    assert ("no picture drawn" in outcome.err) == (code == 3)
