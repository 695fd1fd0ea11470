"""onebit sweep."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from onebit import Arm, Banditron, Full, NoisyBit, Perceptron, Sweep, open_results, sweep
from onebit.cli.plan.request import arm_requests, make_sweep
from onebit.cli.plan.toml_file import read_request
from onebit.streams import load, synsep
from onebit.sweep.progress.state import SweepState
from onebit.sweep.run import driver
from tests.cli.conftest import Command

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "run-a-sweep.md").read_text(encoding="utf-8")
SMALL = ("--data", "synsep", "--rounds", "500", "--seeds", "2", "--tune-seeds", "1")


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Cells are played by a thread: what processes do is tested elsewhere."""
    monkeypatch.chdir(tmp_path)
    with ThreadPoolExecutor(1) as pool:

        def play(*given: Any, executor: Any, **options: Any) -> Any:
            return sweep(*given, executor=executor or pool, **options)

        monkeypatch.setattr("onebit.cli.sweep.play", play)
        yield


def written(text: str) -> str:
    Path("plan.toml").write_text(text, encoding="utf-8")
    return "plan.toml"


def test_prints_a_table_and_says_where_the_results_are(onebit: Command) -> None:
    outcome = onebit("sweep", "banditron", "perceptron", *SMALL, "--grid", "gamma=2^-4:2^-2")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "synsep: 400 features, 9 classes; 500 rounds"
    assert lines[2].split() == ["arm", "feedback", "error", "greedy", "error", "setting"]
    assert [line.split()[:2] for line in lines[4:6]] == [["perceptron", "full"], ["banditron", "bit"]]
    assert re.search(r"gamma=(2\^-4|0.125|0.25)$", lines[5])
    assert lines[-1] == "reported: seeds 0, 1; settings chosen by the error on seed 1000"
    assert max(map(len, lines)) <= 80
    *_, progress, where = outcome.err.splitlines()
    assert progress.startswith("sweep: all 7 cells, 3,500 rounds in ")
    assert where == "results are in sweeps/banditron-perceptron-synsep"


def test_help(onebit: Command) -> None:
    outcome = onebit("sweep", "--help")
    assert outcome.code == 0
    assert "  onebit sweep" in outcome.out.split("Examples", 1)[1]
    assert max(map(len, outcome.out.splitlines())) <= 80


def test_json_is_what_sweep_gives(onebit: Command, tmp_path: Path) -> None:
    outcome = onebit(
        "sweep", "banditron", "rcnbf", *SMALL, "--grid", "banditron.gamma=0.1,1", "--set", "rcnbf.gamma=2^-4",
        "--feedback", "noisy:0.1,0.2", "--delay", "0:9", "--select", "greedy_error", "--out", "found", "--json",
    )  # fmt: skip
    record = json.loads(outcome.out)
    expected = open_results("found")
    assert record["folder"] == "found"
    assert record["complete"]
    assert record["cells"] == {"done": 6, "total": 6, "failed": []}
    banditron, rcnbf = record["best"]
    assert banditron["error"] == expected.entry("banditron").report.errors.mean()
    assert banditron["parameters"]["gamma"] in (0.1, 1)
    assert rcnbf["parameters"]["gamma"] == 2**-4
    assert rcnbf["tune_error"] is None
    by_metric = {one["metric"]: one for one in record["differences"]}
    assert by_metric["error"]["a"] == {"arm": "banditron", "stream": "synsep", "feedback": banditron["feedback"]}
    assert by_metric["error"]["mean"] == expected.paired("banditron", "rcnbf").mean
    assert by_metric["greedy_error"]["seeds"] == [0, 1]
    assert (record["settings"]["seeds"], record["settings"]["tune_seeds"]) == ([0, 1], [1000])
    assert record["settings"]["select"] == "greedy_error"
    assert record["settings"]["command"].startswith("onebit sweep banditron rcnbf --data synsep")

    arm = Arm(Banditron(9), {"gamma": [0.1, 1]}, feedback=NoisyBit(0.1, 0.2, delay=(0, 9)))
    plan = Sweep.cross([arm], synsep(), rounds=500, seeds=2, tune_seeds=1, select="greedy_error")
    with ThreadPoolExecutor(1) as pool:
        same = sweep(plan, tmp_path / "same", executor=pool, progress=False)
    assert same.entry("banditron").report.errors.tolist() == expected.entry("banditron").report.errors.tolist()


def test_the_same_again_plays_nothing_and_a_new_value_only_itself(onebit: Command) -> None:
    command = ("sweep", "banditron", *SMALL)
    assert onebit(*command, "--grid", "gamma=0.1,1").code == 0
    again = onebit(*command, "--grid", "gamma=0.1,1")
    assert again.code == 0
    assert again.err.splitlines()[0] == "sweep: all 4 cells were there already"
    more = onebit(*command, "--grid", "gamma=0.1,0.9,1")
    assert "sweep: all 5 cells (4 were there already), 500 rounds in " in more.err


def test_several_streams_and_channels(onebit: Command) -> None:
    Path("pets.csv").write_text("weight,pet\n" + "".join(f"{x},{'cat' if x < 5 else 'dog'}\n" for x in range(12)))
    outcome = onebit(
        "sweep", "banditron", "--data", "pets.csv", "--data", "iris", "--label", "pet", "--seeds", 1, "--normalize",
        "--feedback", "bit", "--feedback", "noisy:0.1,0.1", "--dtype", "float64", "--json",
    )  # fmt: skip
    best = json.loads(outcome.out)["best"]
    assert [(one["stream"], one["rounds"]) for one in best] == 2 * [("pets.csv", 12)] + 2 * [("iris", 150)]
    assert [one["feedback"] for one in best] == 2 * ["bit", "noisy:0.1,0.1"]
    with ThreadPoolExecutor(1) as pool:
        stream = load("iris", normalize=True)
        plan = Sweep.cross([Banditron(stream.classes)], stream, seeds=1)
        expected = sweep(plan, "same", executor=pool, progress=False)
    assert best[2]["error"] == expected.entry("banditron").report.errors.mean()


def test_rows_that_are_drawn_are_scaled_by_the_learner(onebit: Command) -> None:
    outcome = onebit("sweep", "banditron", *SMALL, "--normalize", "--json")
    assert json.loads(outcome.out)["best"][0]["parameters"]["normalize"]


def test_a_file_and_what_the_command_changes(onebit: Command) -> None:
    path = written(
        'rounds = 1e6\nseeds = 9\ntune_seeds = 0\nout = "kept"\ndata = "synsep"\n'
        '[[arm]]\nlearner = "banditron"\ngrid = {gamma = "2^-4:2^-2:2"}\n[[arm]]\nlearner = "perceptron"\n'
    )
    outcome = onebit("sweep", path, "--rounds", 300, "--seeds", "5,6")
    assert outcome.code == 0
    assert "synsep: 400 features, 9 classes; 300 rounds" in outcome.out
    assert "reported: seeds 5, 6; settings chosen by the error on these very seeds" in outcome.out
    assert outcome.err.splitlines()[-1] == "results are in kept"
    plan = Sweep.cross(
        [Arm(Banditron(9), {"gamma": [2**-4, 2**-2]}), Arm(Perceptron(9), feedback=Full())],
        synsep(), rounds=300, seeds=[5, 6], tune_seeds=0,
    )  # fmt: skip
    with ThreadPoolExecutor(1) as pool:
        assert sweep(plan, "kept", executor=pool, progress=False).cells_done == 6
    assert len(list(Path("kept/cells").iterdir())) == 6, "the file asked for these very cells"


def test_a_file_names_its_folder(onebit: Command) -> None:
    path = written('rounds = 100\nseeds = 1\ndata = "synsep"\n[[arm]]\nlearner = "banditron"\n')
    assert onebit("sweep", path).err.splitlines()[-1] == "results are in sweeps/plan"


def test_bad_input_is_one_line_and_exit_2(onebit: Command) -> None:
    file = written('data = "synsep"\n[[arm]]\nlearner = "banditron"\n')
    wrong = {
        ("banditrn", *SMALL): "learner='banditrn': no such learner; did you mean banditron?",
        ("banditron", "banditron", *SMALL): "learner='banditron': named twice",
        ("banditron", *SMALL, "--grid", "gamma"): "--grid 'gamma': write NAME=VALUES",
        ("banditron", *SMALL, "--grid", "gama=1,2"): "--grid 'gama=1,2': banditron has no parameter gama",
        ("banditron", *SMALL, "--grid", "rcnbf.gamma=1"): "rcnbf is not among the learners",
        ("banditron", *SMALL, "--grid", "seed=1,2"): "--grid 'seed=1,2': seed comes from --seeds",
        ("banditron", *SMALL, "--grid", "gamma=1:0"): "--grid gamma: '1:0': the range is empty",
        ("banditron", *SMALL, "--grid", "gamma=0.1,7"): "gamma=7: must be a number from 0 to 1",
        ("banditron", *SMALL, "--grid", "gamma=0,1", "--set", "gamma=1"): "--set sets gamma of banditron as well",
        ("perceptron", *SMALL, "--feedback", "bit"): "--feedback bit: perceptron needs full; or leave --feedback out",
        ("banditron", *SMALL, "--select", "luck"): "select='luck': must be 'error' or 'greedy_error'",
        ("banditron", *SMALL, "--tune-seeds", "few"): "--tune-seeds 'few': write a number of seeds",
        ("banditron", *SMALL, "--tune-seeds", "1,2"): "1 is among the seeds to report",
        ("banditron", *SMALL, "--data", "synsep"): "--data 'synsep': is there twice; leave one out",
        ("banditron", *SMALL, "--dtype", "int8"): "dtype='int8'",
        ("banditron", *SMALL, "--executor", "spark://here"): "executor='spark://here': write dask://HOST:PORT",
        ("banditron",): "--data: nothing to play",
        (file, "banditron"): "'banditron': a file stands alone",
        (file, "--data", "iris"): "--data: does not go with plan.toml; write it into the file",
        (file, "--normalize"): "--normalize: does not go with plan.toml",
        (file, "--seeds", "0"): "seeds=0: must be a whole number, 1 or larger, or a list of seeds",
    }
    for arguments, message in wrong.items():
        outcome = onebit("sweep", *arguments)
        assert message in outcome.one_line_error, arguments
        assert outcome.code == 2, arguments


def test_what_cannot_be_read_or_written_is_exit_1(onebit: Command) -> None:
    Path("taken").write_text("a file")
    wrong = {
        ("none.toml",): "none.toml: cannot be read (No such file or directory)",
        ("banditron", *SMALL, "--out", "taken/found"): "taken/found: cannot be made a folder",
    }
    for arguments, message in wrong.items():
        outcome = onebit("sweep", *arguments)
        assert message in outcome.one_line_error, arguments
        assert outcome.code == 1, arguments


def stop_after(cells: int) -> Callable[..., Any]:
    """A progress that strikes Ctrl-C when so many cells are done."""

    @contextmanager
    def progress(*given: Any) -> Iterator[Callable[[SweepState], None]]:
        def report(state: SweepState) -> None:
            if state.cells_done >= cells:
                raise KeyboardInterrupt

        yield report

    return progress


def test_an_interrupted_sweep_says_how_to_go_on(onebit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("sweep", "perceptron", "banditron", *SMALL, "--grid", "banditron.gamma=2^-4:2^-2")
    with monkeypatch.context() as patched:
        patched.setattr(driver, "sweep_progress", stop_after(1))
        outcome = onebit(*command)
    assert outcome.code == 3
    assert "reported: seeds 0, 1" in outcome.out
    warning, missing, where = outcome.err.splitlines()
    assert warning.startswith("onebit: warning: interrupted: ")
    assert re.fullmatch(rf"\d cells are missing; this goes on: {re.escape(shlex.join(['onebit', *command]))}", missing)
    assert where == "results are in sweeps/perceptron-banditron-synsep"
    done = len(list(Path("sweeps/perceptron-banditron-synsep/cells").iterdir()))
    rest = onebit(*command)
    assert rest.code == 0
    assert f"sweep: all 7 cells ({done} w" in rest.err


def test_nothing_played_is_a_failure(onebit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "sweep_progress", stop_after(0))
    outcome = onebit("sweep", "banditron", *SMALL)
    assert (outcome.code, outcome.out) == (1, "")
    assert "results are in" not in outcome.err


def test_cells_that_fail_are_told_and_the_others_reported(onebit: Command) -> None:
    rows = "".join(f"{x},{'cat' if x < 5 else 'dog'}\n" for x in range(12))
    Path("pets.csv").write_text(f"weight,pet\n{rows}inf,cat\n")
    outcome = onebit("sweep", "banditron", "--data", "pets.csv", "--data", "iris", "--label", "pet", "--seeds", 2)
    assert outcome.code == 3
    assert "iris: 4 features" in outcome.out
    assert re.search(r"^onebit: warning: 2 cells failed: DataError: .*rows must be finite", outcome.err, flags=re.M)
    assert "2 cells are missing; this goes on: onebit sweep banditron --data pets.csv" in outcome.err


def test_the_file_of_the_page_is_a_plan(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```", PAGE, flags=re.M | re.S)
    plan = read_request(Path(written(text)).absolute())
    assert plan.out == tmp_path / "results/tuning"
    labels = [entry.label for entry in make_sweep(plan).entries]
    assert labels[:3] == [
        ("banditron", "synnonsep", "noisy:0.1,0.1"),
        ("banditron that knows", "synnonsep", "noisy:0.1,0.1"),
        ("perceptron", "synnonsep", "full"),
    ]
    assert {stream for _, stream, _ in labels[3:]} == {"digits, unit norm"}


def test_the_commands_of_the_pages_are_understood(onebit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```", PAGE, flags=re.M | re.S)
    Path("tuning.toml").write_text(text, encoding="utf-8")
    asked: list[Sweep] = []

    def played(plan: Sweep, *more: Any, **options: Any) -> Any:
        asked.append(plan)
        raise KeyboardInterrupt

    monkeypatch.setattr("onebit.cli.sweep.play", played)
    pages = PAGE + (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^onebit (sweep .*?)(?: +#.*)?$", pages, flags=re.M)
    for command in commands:
        assert "interrupted" in onebit(*shlex.split(command)).one_line_error, command
    assert len(asked) == len(commands) >= 5


def test_the_grids_of_the_page() -> None:
    learners = {"a": "soba-diagonal", "C": "bandit-pa", "gamma": "banditron", "m": "mc-dbf", "mc-dbf.gamma": "mc-dbf"}
    counts: list[int] = []
    for grid in re.findall(r"^\| `(\S+=\S+)` \|", PAGE, flags=re.M):
        (arm,) = arm_requests([learners[grid.partition("=")[0]]], [], [grid])
        counts += map(len, arm.grid.values())
    assert counts == [2, 12, 6, 5, 5, 6, 2]
